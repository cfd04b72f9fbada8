package lexis

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// A Span is a piece of a text by byte offsets.
type Span struct{ Start, End int }

// Sentences cuts text into sentences, in order, without the white space around them. Blank lines
// always cut; a line break does unless it only wraps a long line; a fenced block is one span.
//
// A full stop does not cut after an abbreviation, an initial, a list number or an ordinal before a
// month. The stops of Chinese, Japanese, Hindi and Arabic cut without a space after them.
func Sentences(text string) []Span {
	var out []Span
	if lines := strings.Count(text, "\n") - strings.Count(text, "\n\n"); lines > 1 { // growing bit by bit costs more than cutting
		out = make([]Span, 0, 1+lines)
	}
	for i := 0; i < len(text); {
		start := i
		if fence := fenceAt(text, i); fence != "" {
			i = fenceEnd(text, i, fence)
			out = addSpan(out, text, start, i)
			continue
		}
		end := blockEnd(text, i)
		out = splitBlock(out, text, start, end)
		i = end
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// addSpan adds text[start:end] trimmed, if anything is left.
func addSpan(out []Span, text string, start, end int) []Span {
	for start < end && text[start] < utf8.RuneSelf && unicode.IsSpace(rune(text[start])) {
		start++
	}
	if start < end && text[start] >= utf8.RuneSelf {
		start = end - len(strings.TrimLeftFunc(text[start:end], unicode.IsSpace))
	}
	if n := len(strings.TrimSpace(text[start:end])); n > 0 {
		return append(out, Span{start, start + n})
	}
	return out
}

// fenceAt returns the run of backticks or tildes that opens a fence in the line at i.
func fenceAt(text string, i int) string {
	for n := 0; n < 3 && i < len(text) && text[i] == ' '; n++ {
		i++
	}
	if i >= len(text) || text[i] != '`' && text[i] != '~' {
		return ""
	}
	j := i
	for j < len(text) && text[j] == text[i] {
		j++
	}
	if j-i < 3 {
		return ""
	}
	return text[i:j]
}

// fenceEnd returns the end of the block that fence opens at i: after its closing line, or the end of the text.
func fenceEnd(text string, i int, fence string) int {
	for i = lineEnd(text, i); i < len(text); i = lineEnd(text, i) {
		if f := fenceAt(text, i); f != "" && strings.HasPrefix(f, fence) {
			if line := strings.TrimSpace(text[i:lineEnd(text, i)]); line == f {
				return lineEnd(text, i)
			}
		}
	}
	return len(text)
}

// lineEnd returns the start of the next line.
func lineEnd(text string, i int) int {
	if n := strings.IndexByte(text[i:], '\n'); n >= 0 {
		return i + n + 1
	}
	return len(text)
}

const wrapWidth = 50 // a line at least this long may have been wrapped by an editor

// blockEnd returns the end of the lines from i on that belong together.
func blockEnd(text string, i int) int {
	for {
		end := lineEnd(text, i)
		if end >= len(text) || end-i < wrapWidth || !wraps(text[i:end], text[end:lineEnd(text, end)]) {
			return end
		}
		i = end
	}
}

// wraps tells whether a sentence of line goes on in next.
func wraps(line, next string) bool {
	line, next = strings.TrimSpace(line), strings.TrimRight(next, "\r\n")
	if len(line) < wrapWidth || strings.TrimSpace(next) == "" || fenceAt(next, 0) != "" {
		return false
	}
	if r, _ := utf8.DecodeLastRuneInString(line); isStop(r) || r == ':' {
		return false
	}
	r, _ := utf8.DecodeRuneInString(next)
	return unicode.IsLower(r)
}

// splitBlock cuts the lines text[start:end] at their stops.
func splitBlock(out []Span, text string, start, end int) []Span {
	from := start
	for i := start; i < end; {
		if c := text[i]; c < utf8.RuneSelf && c != '.' && c != '!' && c != '?' {
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:end])
		if !isStop(r) {
			i += n
			continue
		}
		stop := i
		wide := isWideStop(r)
		for i += n; i < end; i += n { // the other stops and the closing marks belong to the sentence
			if r, n = utf8.DecodeRuneInString(text[i:end]); !isStop(r) && !closes(r) {
				break
			}
			wide = wide || isWideStop(r)
		}
		if !wide && i < end {
			if next, _ := utf8.DecodeRuneInString(text[i:end]); !unicode.IsSpace(next) {
				continue
			}
		}
		if text[stop] == '.' && !cuts(text[from:stop], text[stop:i], text[i:end]) {
			continue
		}
		out = addSpan(out, text, from, i)
		from = i
	}
	return addSpan(out, text, from, end)
}

func isStop(r rune) bool {
	switch r {
	case '.', '!', '?', '…':
		return true
	}
	return isWideStop(r)
}

func isWideStop(r rune) bool {
	switch r {
	case '。', '！', '？', '｡', '।', '؟', '۔', '։', '။':
		return true
	}
	return false
}

func closes(r rune) bool {
	switch r {
	case '"', '\'', '”', '’', '»', ')', ']', '}', '」', '』', '）', '】', '›', '*', '_', '`':
		return true
	}
	return false
}

// cuts tells whether the full stops in stop end the sentence before them.
func cuts(before, stop, after string) bool {
	after = strings.TrimLeftFunc(after, unicode.IsSpace)
	next, _ := utf8.DecodeRuneInString(after)
	if strings.HasPrefix(stop, "..") {
		return !unicode.IsLower(next)
	}
	word := before[strings.LastIndexFunc(before, func(r rune) bool { return unicode.IsSpace(r) || r == '(' || r == '"' || r == '“' })+1:]
	word = strings.TrimLeft(word, "([{\"'“‘«*_")
	if word == "" {
		return true
	}
	if number(word) {
		if strings.TrimSpace(before) == word && len(word) <= 3 { // "1. item"
			return false
		}
		return len(word) > 2 || !unicode.IsLower(next) && !monthAt(after)
	}
	if len(word) == 1 && unicode.IsLetter(rune(word[0])) {
		return word == "I" || !unicode.IsLetter(next)
	}
	if strings.IndexByte(word, '.') > 0 && len(word) <= 6 { // U.S. e.g. a.m.
		return unicode.IsUpper(next) && !neverLast(word)
	}
	kind, ok := abbreviations()[strings.ToLower(word)]
	if !ok {
		return true
	}
	return kind == mayEnd && unicode.IsUpper(next)
}

func neverLast(word string) bool {
	switch strings.ToLower(word) {
	case "e.g", "i.e", "z.b", "d.h", "u.a", "p.ex":
		return true
	}
	return false
}

func number(s string) bool {
	for i := 0; i < len(s); i++ {
		if !asciiDigit(s[i]) {
			return false
		}
	}
	return s != ""
}

// monthAt tells whether s begins with the name of a month, as in the German "3. Mai".
func monthAt(s string) bool {
	end := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) })
	if end < 0 {
		end = len(s)
	}
	switch foldWord(s[:end]) {
	case "januar", "februar", "marz", "april", "mai", "juni", "juli", "august", "september", "oktober", "november", "dezember",
		"january", "february", "march", "may", "june", "july", "october", "december":
		return true
	}
	return false
}

// Whether a sentence may end with an abbreviation: "etc." may, "Dr." does not.
const (
	neverEnds = iota
	mayEnd
)

var abbreviations = sync.OnceValue(func() map[string]int {
	m := map[string]int{}
	for w := range strings.FieldsSeq(`mr mrs ms dr prof st sr jr rev gen col sgt capt lt hon vs cf fig figs no nr vol pp ca approx est
		bzw ggf evtl inkl bspw str tel mme mlle sra srta av ed eds dept resp u.a rd`) {
		m[w] = neverEnds
	}
	for w := range strings.FieldsSeq(`etc inc ltd corp co jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thurs fri
		usw uvm ff min max hr hrs a.m p.m`) {
		m[w] = mayEnd
	}
	return m
})

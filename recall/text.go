package recall

import (
	"strings"
	"unicode"

	"github.com/reverie-memory/reverie/extract"
	"github.com/reverie-memory/reverie/lexis"
)

const ellipsis = "…"

// clip shortens text to at most n characters once it is escaped, at a space where there is one near.
func clip(text string, n int) string { return clipBy(text, n, width) }

// clipBy is clip where measure says how much of n a piece of text takes.
func clipBy(text string, n int, measure func(string) int) string {
	if measure(text) <= n {
		return text
	}
	cut, left := len(text), n-measure(ellipsis)
	if left <= 0 {
		return ""
	}
	for i, c := range text {
		if left -= measure(string(c)); left < 0 {
			cut = i
			break
		}
	}
	head := text[:cut]
	if sp := strings.LastIndexAny(head, " \n\t"); sp > len(head)*3/4 {
		head = head[:sp]
	}
	return strings.TrimRight(head, " \n\t,;:") + ellipsis
}

// wholeSentences shortens text to at most n characters once it is escaped, at the end of a sentence where there is one.
func wholeSentences(text string, n int) string {
	if width(text) <= n {
		return text
	}
	end := 0
	for _, s := range lexis.Sentences(text[:min(len(text), 4*n)]) { // no character has more bytes
		if width(text[:s.End]) > n {
			break
		}
		end = s.End
	}
	if end == 0 {
		return clip(text, n)
	}
	return text[:end]
}

// oneLine puts text on one line.
func oneLine(text string) string { return strings.Join(strings.FieldsFunc(text, breaks), " ") }

func breaks(c rune) bool { return unicode.IsSpace(c) || unicode.IsControl(c) }

// width is how many characters of a context text takes.
func width(text string) int { return extract.EscapedLen(text) }

// clipLines shortens text to at most n characters once it is escaped, at the end of a line where there is one.
func clipLines(text string, n int) string {
	if width(text) <= n {
		return text
	}
	var b strings.Builder
	left := n - 2 // line end and ellipsis
	for line := range strings.Lines(text) {
		if left -= width(line); left < 0 {
			break
		}
		b.WriteString(line)
	}
	if b.Len() == 0 {
		return clip(text, n)
	}
	return b.String() + ellipsis
}

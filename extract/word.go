package extract

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A word of a sentence with what stands between it and the word before.
type word struct {
	gap    string // white space and punctuation before it
	text   string
	low    string // lower case, straight apostrophes
	quoted bool   // inside double quotes: someone else's words
	fixed  bool   // written by us: a name, a verb or a date
	date   bool   // written by us: a date
}

// A clause is a sentence, or a part of one, cut into words.
type clause struct {
	words []word
	tail  string // punctuation after the last word
}

// scan cuts text into words, and keeps what stands between them.
func scan(text string) clause { return scanInto(nil, text) }

// scanInto is scan, with the words in room where there is enough.
func scanInto(room []word, text string) clause {
	c := clause{words: slices.Grow(room, len(text)/5+1), tail: text}
	for w, tail := range wordsOf(text) {
		c.words, c.tail = append(c.words, w), tail
	}
	return c
}

// wordsOf cuts text at white space and dashes and takes the punctuation off the words. With each goes the text behind it.
func wordsOf(text string) iter.Seq2[word, string] {
	return func(yield func(word, string) bool) {
		gap, quoted := 0, false
		for i := 0; i < len(text); {
			r, n := utf8.DecodeRuneInString(text[i:])
			if unicode.IsSpace(r) || edge(r) {
				if r == '"' || r == '“' || r == '”' || r == '«' || r == '»' {
					quoted = r == '“' || r == '«' || r == '"' && !quoted
				}
				i += n
				continue
			}
			end := wordEnd(text, i)
			w := text[i:end]
			if !yield(word{gap: text[gap:i], text: w, low: lowWord(w), quoted: quoted}, text[end:]) {
				return
			}
			i, gap = end, end
		}
	}
}

// wordEnd returns the end of the word at i: at white space or a dash, without closing punctuation.
func wordEnd(text string, i int) int {
	start := i
	for i < len(text) {
		r, n := utf8.DecodeRuneInString(text[i:])
		if unicode.IsSpace(r) || r == '—' || r == '–' || r == '…' || r == '"' || r == '“' || r == '”' {
			break
		}
		i += n
	}
	w := strings.TrimRightFunc(text[start:i], func(r rune) bool { return edge(r) && r != '+' && r != '#' && r != '%' })
	if w == "" {
		_, n := utf8.DecodeRuneInString(text[start:])
		return start + n
	}
	return start + len(w)
}

// edge tells the characters that are no part of a word at its ends.
func edge(r rune) bool {
	if 'a' <= r && r <= 'z' {
		return false
	}
	switch r {
	case '@', '#', '$', '€', '£', '¥', '+', '%', '_', '/', '°':
		return false
	}
	return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r)
}

func lowWord(w string) string {
	plain := true
	for i := range len(w) {
		plain = plain && 'a' <= w[i] && w[i] <= 'z'
	}
	if plain {
		return w
	}
	return strings.ReplaceAll(strings.ToLower(w), "’", "'")
}

func (c clause) String() string {
	var b strings.Builder
	n := len(c.tail)
	for _, w := range c.words {
		n += len(w.gap) + len(w.text)
	}
	b.Grow(n)
	for _, w := range c.words {
		b.WriteString(w.gap)
		b.WriteString(w.text)
	}
	b.WriteString(c.tail)
	return b.String()
}

// low gives the words in lower case with single spaces around them, for matching phrases.
func (c clause) low() string {
	var b strings.Builder
	n := 1
	for _, w := range c.words {
		n += len(w.low) + 1
	}
	b.Grow(n)
	b.WriteByte(' ')
	for _, w := range c.words {
		b.WriteString(w.low)
		b.WriteByte(' ')
	}
	return b.String()
}

// at returns the lower-case word at i, "" outside.
func (c clause) at(i int) string {
	if i < 0 || i >= len(c.words) {
		return ""
	}
	return c.words[i].low
}

// from returns the clause from word i on.
func (c clause) from(i int) clause {
	if i >= len(c.words) {
		return clause{}
	}
	if i == 0 && c.words[0].gap == "" {
		return c
	}
	ws := slices.Clone(c.words[i:])
	ws[0].gap = opening(ws[0].gap)
	return clause{ws, c.tail}
}

// between returns the words from i up to n as a clause of their own.
func (c clause) between(i, n int) clause {
	if n < len(c.words) {
		marks, _, _ := strings.Cut(c.words[n].gap, " ")
		c.tail = closing(marks) + "."
	}
	c.words = c.words[:n]
	return c.from(i)
}

// after returns the clause behind words of ours.
func (c clause) after(text string) clause {
	ours := scan(text)
	ws := ours.words
	for i, w := range c.words {
		if i == 0 {
			w.gap = ours.tail + " "
			if !named(c, 0) {
				w.text = w.low
			}
		}
		ws = append(ws, w)
	}
	return clause{ws, c.tail}
}

// aboutSelf tells whether the writer speaks of themselves.
func (c clause) aboutSelf() bool {
	return slices.ContainsFunc(c.words, func(w word) bool { return !w.quoted && selfWord(w.low) })
}

// opening keeps the brackets and quotes at the end of a gap: they belong to the word after it.
func opening(gap string) string {
	i := strings.LastIndexFunc(gap, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",;:.!?-–—…)", r) })
	if i < 0 {
		return gap
	}
	_, n := utf8.DecodeRuneInString(gap[i:])
	return gap[i+n:]
}

// hasPhrase tells whether the words from i on are those of phrase, and how many they are.
func (c clause) hasPhrase(i int, phrase string) (int, bool) {
	if !strings.HasPrefix(phrase, c.at(i)) {
		return 0, false
	}
	n := 0
	for more := phrase != ""; more; n++ {
		var p string
		if p, phrase, more = strings.Cut(phrase, " "); c.at(i+n) != p {
			return 0, false
		}
	}
	return n, n > 0
}

// byFirstWord lists the phrases of a list, which bars divide, by their first word.
func byFirstWord(list string) map[string][]string {
	m := map[string][]string{}
	for p := range strings.SplitSeq(list, "|") {
		first, _, _ := strings.Cut(p, " ")
		m[first] = append(m[first], p)
	}
	return m
}

package extract

import (
	"strings"
	"unicode"

	"github.com/reverie-memory/reverie/lexis"
)

// A body is the part of a message that a person said, line by line or sentence by sentence, and the captions of its pictures.
type body struct {
	sentences []sentence
	captions  []string
}

// A sentence and where the message has it.
type sentence struct {
	text  string
	quote string
	todo  bool // an open item of a task list
}

// read cuts a message into sentences and leaves out what nobody said: code, logs, quoted lines,
// headings, tables and plain list items.
func read(text string) body {
	text, captions := takeCaptions(spoken(text))
	b := body{captions: captions}
	sentences := lexis.Sentences(text)
	b.sentences = make([]sentence, 0, len(sentences))
	for _, s := range sentences {
		raw := text[s.Start:s.End]
		if strings.HasPrefix(raw, "```") || strings.HasPrefix(raw, "~~~") {
			continue
		}
		line, kind := listItem(raw)
		switch {
		case kind == quotedLine, kind == tableLine, kind == headingLine, looksLikeCode(line):
			continue
		case kind == todoItem:
			b.sentences = append(b.sentences, sentence{text: tidy(line), quote: raw, todo: true})
			continue
		case kind == plainItem && !firstPerson(line):
			continue
		}
		if t := tidy(line); t != "" {
			b.sentences = append(b.sentences, sentence{text: t, quote: raw})
		}
	}
	return b
}

// The kinds of line in Markdown, as far as they matter here.
const (
	proseLine = iota
	plainItem
	todoItem
	doneItem
	quotedLine
	tableLine
	headingLine
)

// listItem takes the marker off a line.
func listItem(s string) (string, int) {
	switch {
	case strings.HasPrefix(s, ">"):
		return s, quotedLine
	case strings.HasPrefix(s, "|"):
		return s, tableLine
	case strings.HasPrefix(s, "#") && strings.Contains(s, " ") && strings.Trim(s[:strings.IndexByte(s, ' ')], "#") == "":
		return s, headingLine
	}
	rest, ok := s, false
	for _, m := range [...]string{"- ", "* ", "+ ", "• "} {
		if r, found := strings.CutPrefix(s, m); found {
			rest, ok = r, true
			break
		}
	}
	if !ok {
		n := strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' })
		if n > 0 && n <= 2 && len(s) > n+1 && (s[n] == '.' || s[n] == ')') && s[n+1] == ' ' {
			rest, ok = s[n+2:], true
		}
	}
	if !ok {
		return s, proseLine
	}
	if r, found := strings.CutPrefix(rest, "[ ] "); found {
		return r, todoItem
	}
	return rest, plainItem
}

const captionMark = "[image:"

// takeCaptions cuts "[image: …]" out of text.
func takeCaptions(text string) (string, []string) {
	var captions []string
	var b strings.Builder
	for {
		i := indexFold(text, captionMark)
		if i < 0 {
			b.WriteString(text)
			return b.String(), captions
		}
		caption, after, closed := strings.Cut(text[i+len(captionMark):], "]")
		if !closed {
			b.WriteString(text[:i])
			return b.String(), captions
		}
		b.WriteString(strings.TrimRight(text[:i], " "))
		if c := strings.TrimSpace(caption); c != "" {
			captions = append(captions, c)
		}
		text = after
	}
}

// tidy brings a sentence onto one line and takes emphasis, emoji and smileys off its ends.
func tidy(s string) string {
	if tidied(s) {
		return s
	}
	s = strings.ReplaceAll(strings.ReplaceAll(s, "**", ""), "__", "")
	f := strings.Fields(s)
	for len(f) > 0 && decoration(f[len(f)-1]) {
		f = f[:len(f)-1]
	}
	for len(f) > 0 && decoration(f[0]) {
		f = f[1:]
	}
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if ' ' <= r && r < 0x7F {
			return r
		}
		if unicode.Is(unicode.So, r) || unicode.Is(unicode.Sk, r) && r > 0x7F || r == 0xFE0F || r == 0x200D ||
			r == unicode.ReplacementChar || unicode.IsControl(r) {
			return -1
		}
		return r
	}, strings.Join(f, " ")))
}

// tidied tells words of ASCII with single spaces that need no tidying.
func tidied(s string) bool {
	last := byte(' ')
	for i := range len(s) {
		c := s[i]
		if c < ' ' || c >= 0x7F || c == ' ' && last == ' ' || (c == '*' || c == '_') && last == c {
			return false
		}
		last = c
	}
	if last == ' ' {
		return false
	}
	head, _, _ := strings.Cut(s, " ")
	return !decoration(head) && !decoration(s[strings.LastIndexByte(s, ' ')+1:])
}

func decoration(w string) bool {
	switch w {
	case ":)", ":-)", ":(", ":-(", ";)", ";-)", ":D", ":P", "<3", "xD", "XD", "^^", ":/", ":'(", "lol", "haha":
		return true
	}
	for _, r := range w {
		if unicode.IsLetter(r) || unicode.IsNumber(r) || r < 0x80 && r != '*' && r != '~' {
			return false
		}
	}
	return true
}

// looksLikeCode tells code, log lines and stack traces from prose.
func looksLikeCode(s string) bool {
	for _, p := range [...]string{
		"at ", "File \"", "Traceback ", "panic:", "goroutine ", "$ ", "ERROR", "WARN", "INFO", "DEBUG",
		"FATAL", "import ", "func ", "def ", "class ", "return ", "SELECT ", "INSERT ", "curl ", "sudo ", "<", "{", "}", "//", "/*",
		"#!/", "@@", "+++", "---",
	} {
		if strings.HasPrefix(s, p) && (p != "at " && p != "return " && p != "class " && p != "import " || symbols(s) > 0.08) {
			return true
		}
	}
	if strings.ContainsAny(s, ")>:=&|<{\\") {
		for _, p := range [...]string{"();", "):", "=>", "->", "::", "!=", "==", "&&", "||", "</", "/>", "{{", "\\n"} {
			if strings.Contains(s, p) {
				return true
			}
		}
	}
	if len(s) > 19 && s[4] == '-' && s[7] == '-' && (s[10] == 'T' || s[10] == ' ') && s[13] == ':' { // a time at the front
		return true
	}
	return symbols(s) > 0.2
}

// symbol are the signs that prose hardly uses.
var symbol = func() (t [256]bool) {
	for _, c := range []byte("{}[]()<>=;|&$\\_^~`/*+\"") {
		t[c] = true
	}
	return t
}()

// symbols is the share of such signs.
func symbols(s string) float64 {
	if s == "" {
		return 0
	}
	n := 0
	for i := 0; i < len(s); i++ {
		if symbol[s[i]] {
			n++
		}
	}
	return float64(n) / float64(len(s))
}

// firstPerson tells whether the writer speaks of themselves.
func firstPerson(s string) bool {
	for w := range wordsOf(s) {
		if !w.quoted && selfWord(w.low) {
			return true
		}
	}
	return false
}

func selfWord(low string) bool {
	switch low {
	case "i", "i'm", "i've", "i'll", "i'd", "my", "me", "mine", "myself", "we", "we're", "we've", "we'll", "we'd", "our", "us", "ours",
		"im", "ive":
		return true
	}
	return false
}

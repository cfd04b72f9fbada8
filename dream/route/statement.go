package route

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Statement is the sentence as a page shows it: one line that any list item can hold. All words of the fact are in it.
func (r *Router) Statement(it Item) string {
	s := withoutStop(withoutSpeaker(oneLine(it.Text), it.Speaker))
	s = withoutMarker(s)
	return escape(capitalised(s))
}

// oneLine makes one space of all white space and signs that are not seen.
func oneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}

// withoutSpeaker takes "Alice: " off a sentence that names Alice itself. Any other keeps it: who said it is its subject.
func withoutSpeaker(s, speaker string) string {
	name, rest, ok := strings.Cut(s, ": ")
	if !ok || speaker == "" || key(name) != key(speaker) {
		return s
	}
	k := cut(name)
	for _, w := range cut(rest) {
		if len(k) == 1 && w.capital && w.fold == k[0].fold {
			return rest
		}
	}
	return s
}

// withoutStop drops one full stop at the end, unless it belongs to an abbreviation or an ellipsis.
func withoutStop(s string) string {
	if rest, ok := strings.CutSuffix(s, "。"); ok {
		return rest
	}
	rest, ok := strings.CutSuffix(s, ".")
	if !ok || rest == "" || strings.HasSuffix(rest, ".") {
		return s
	}
	last := rest[strings.LastIndexByte(rest, ' ')+1:]
	letters := strings.TrimLeft(last, "(\"'")
	if strings.Contains(letters, ".") && !isURL(letters) || abbreviations[strings.ToLower(letters)] {
		return s
	}
	if utf8.RuneCountInString(letters) == 1 {
		if r, _ := utf8.DecodeRuneInString(letters); unicode.IsUpper(r) { // an initial
			return s
		}
	}
	return strings.TrimRight(rest, " ")
}

func isURL(s string) bool { return strings.Contains(s, "/") || strings.Contains(s, "@") }

var abbreviations = map[string]bool{
	"etc": true, "inc": true, "ltd": true, "co": true, "corp": true, "jr": true, "sr": true, "st": true, "mr": true, "mrs": true, "ms": true,
	"dr": true, "prof": true, "no": true, "vs": true, "approx": true, "usw": true,
	"bzw": true, "nr": true, "str": true, "ave": true, "bros": true,
}

// withoutMarker takes off or escapes what would make the sentence another list, a heading, a quote or a fence.
func withoutMarker(s string) string {
	for {
		head, rest, ok := strings.Cut(s, " ")
		if !ok || !isMarker(head) {
			break
		}
		if r, _ := utf8.DecodeRuneInString(rest); !unicode.IsLetter(r) && !isMarker(strings.SplitN(rest, " ", 2)[0]) {
			return `\` + s // "- 5 degrees" means something
		}
		s = rest
	}
	switch {
	case s == "":
		return s
	case isMarker(s), strings.HasPrefix(s, ">"), strings.HasPrefix(s, "```"), strings.HasPrefix(s, "~~~"), strings.HasPrefix(s, "|"),
		strings.Trim(s, "-*_= ") == "", checkbox(s):
		return `\` + s
	}
	i := strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' })
	if i > 0 && i < 10 && (s[i] == '.' || s[i] == ')') && (i+1 == len(s) || s[i+1] == ' ') {
		return s[:i] + `\` + s[i:]
	}
	return s
}

func isMarker(head string) bool {
	switch head {
	case "-", "*", "+", ">":
		return true
	}
	return head != "" && len(head) <= 6 && strings.Trim(head, "#") == ""
}

func checkbox(s string) bool {
	return len(s) >= 3 && s[0] == '[' && s[2] == ']' && (len(s) == 3 || s[3] == ' ')
}

// capitalised writes the first letter as a capital, but leaves names that have their own way: iPhone, pg-stage-2, https.
func capitalised(s string) string {
	i := strings.IndexFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) || r == '`' || r == '[' })
	if i < 0 || s[i] == '`' || s[i] == '[' {
		return s
	}
	head := s[i:]
	if j := strings.IndexByte(head, ' '); j >= 0 {
		head = head[:j]
	}
	bare := strings.TrimRight(head, ",;:.!?")
	for _, r := range bare[1:] {
		if unicode.IsUpper(r) || unicode.IsDigit(r) || strings.ContainsRune("_/.@\\=(", r) {
			return s
		}
	}
	if isIdentifier(bare) {
		return s
	}
	return s[:i] + upperFirst(s[i:])
}

// escape disarms what would hide or swallow text behind it: comments, tags, maths, a block id at the end.
func escape(s string) string {
	if strings.ContainsAny(s, "<%$") {
		s = escapeSigns(s)
	}
	if i := strings.LastIndex(s, " ^"); i >= 0 && !strings.Contains(s[i+2:], " ") {
		s = s[:i+1] + `\` + s[i+1:]
	}
	return s
}

func escapeSigns(s string) string {
	var b strings.Builder
	code := ""
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '`':
			run := s[i : i+len(s[i:])-len(strings.TrimLeft(s[i:], "`"))]
			if code == "" && strings.Contains(s[i+len(run):], run) {
				code = run
			} else if code == run {
				code = ""
			}
			b.WriteString(run)
			i += len(run) - 1
			continue
		case code != "" || i > 0 && s[i-1] == '\\':
		case c == '<' && opensTag(s[i+1:]), (c == '%' || c == '$') && i+1 < len(s) && s[i+1] == c:
			b.WriteByte('\\')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// opensTag tells what a reader of Markdown takes for HTML after a <; links in angle brackets are none.
func opensTag(s string) bool {
	if s == "" {
		return false
	}
	c := s[0] | 0x20
	if s[0] != '!' && s[0] != '/' && s[0] != '?' && (c < 'a' || c > 'z') {
		return false
	}
	return !strings.HasPrefix(s, "http://") && !strings.HasPrefix(s, "https://") && !strings.HasPrefix(s, "mailto:")
}

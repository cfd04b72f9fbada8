package extract

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/lexis"
)

// A sentence and where the message has it.
type sentence struct {
	clause
	quote string
	size  int  // bytes
	todo  bool // an open item of a task list
	loose bool // it tells facts, and is no wish
}

// sayings are the sentences that a person said in a message. sayings leave out what nobody said: code, logs, quoted lines, headings,
// tables, captions and plain list items, and what others wrote.
type sayings struct {
	text string
	left []lexis.Span
	sure int      // bytes of the text before what is loose
	line sentence // that is read, without what of it was given
	room []word   // of a line that says nothing, for the next
}

// read reads what the speaker of a message says in it.
func read(text, speaker string) *sayings {
	return readEnding(text, speaker, math.MaxInt)
}

// readAll is read for all of a text.
func readAll(text string) *sayings {
	text = prose(withoutCaptions(spoken(text)))
	return &sayings{text: text, left: lexis.Sentences(text), sure: len(text)}
}

// readEnding is read for so much of what they say as stands at the end.
func readEnding(text, speaker string, most int) *sayings {
	words, sure := ownWords(spoken(text), speaker)
	last := ending(words, most)
	sure = max(0, sure-len(words)+len(last))
	said := prose(withoutCaptions(last[:sure]))
	text = said + prose(withoutCaptions(last[sure:]))
	return &sayings{text: text, left: lexis.Sentences(text), sure: len(said)}
}

func (r *sayings) next() (s sentence, ok bool) {
	for len(r.line.words) == 0 {
		if len(r.left) == 0 {
			return sentence{}, false
		}
		raw, loose := r.text[r.left[0].Start:r.left[0].End], r.left[0].Start >= r.sure
		r.left = r.left[1:]
		line, kind := listItem(beginning(raw, 16*maxSentence)) // of what has no end for so long, nothing would be told anyway
		if kind == noLine {
			continue
		}
		line = tidy(line)
		c := scanInto(r.room, line)
		if r.room = nil; kind == plainItem && !c.aboutSelf() {
			r.room = c.words[:0]
			continue
		}
		r.line = sentence{clause: c, quote: raw, size: len(line), todo: kind == todoItem, loose: loose}
		if len(c.words) == 0 {
			return r.line, true
		}
	}
	s, r.line.clause = r.line, clause{}
	if n := s.runOn(); n > 0 {
		r.line = s
		r.line.clause = s.from(n)
		r.line.words[0].text = lexis.Capital(r.line.words[0].text)
		s.clause, s.todo = s.between(0, n), false
	}
	return s, true
}

// all are those that were not given yet.
func (r *sayings) all() (out []sentence) {
	for s, ok := r.next(); ok; s, ok = r.next() {
		out = append(out, s)
	}
	return out
}

// prose leaves out fenced and indented blocks and text of machines. A
// paragraph of which half the lines are a machine's is one, and so is what stands below a prompt in it: that is what the command wrote.
func prose(text string) string {
	out := make([]byte, 0, len(text)+1)
	from, lines, odd := 0, 0, 0 // of the paragraph: where it begins, and how many it has
	output, fence := false, ""
	end := func() {
		if odd*2 >= lines && odd > 1 || odd == lines {
			out = out[:from]
		}
		out = append(out, '\n')
		from, lines, odd, output = len(out), 0, 0, false
	}
	for line := range strings.Lines(text) {
		bare := strings.TrimSpace(line)
		mark := fenceMarkOf(bare)
		switch {
		case fence != "":
			if mark == bare && strings.HasPrefix(mark, fence) {
				fence = ""
			}
		case mark != "":
			end()
			fence = mark
		case bare == "":
			end()
		default:
			item, kind := listItem(bare)
			output = output || prompted(bare)
			if indented := strings.HasPrefix(line, "    ") || line[0] == '\t'; output || item != "" && (kind == proseLine && indented ||
				machineLine(item)) {
				odd++
				line = "\n"
			}
			lines++
			out = append(out, line...)
		}
	}
	end()
	return string(out)
}

// fenceMarkOf returns the run of backticks or tildes that a line begins with, if it opens or closes a block.
func fenceMarkOf(line string) string {
	if line == "" || line[0] != '`' && line[0] != '~' {
		return ""
	}
	if n := len(line) - len(strings.TrimLeft(line, line[:1])); n >= 3 {
		return line[:n]
	}
	return ""
}

// The kinds of line in Markdown, as far as they matter here.
const (
	proseLine = iota
	plainItem
	todoItem
	noLine // a heading, a quotation, a line of a table
)

// listItem takes the marker off a line.
func listItem(s string) (string, int) {
	if s == "" || !marking[s[0]] {
		return s, proseLine
	}
	head, _, ok := strings.Cut(s, " ")
	if strings.HasPrefix(s, ">") || strings.HasPrefix(s, "|") || ok && head != "" && strings.Trim(head, "#") == "" {
		return s, noLine
	}
	rest, item := s, false
	for _, m := range [...]string{"- ", "* ", "+ ", "• "} {
		if r, found := strings.CutPrefix(s, m); found {
			rest, item = r, true
			break
		}
	}
	if n := strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' }); n > 0 && n <= 2 && len(s) > n+1 &&
		(s[n] == '.' || s[n] == ')') && s[n+1] == ' ' {
		rest, item = s[n+2:], true
	}
	if r, found := strings.CutPrefix(rest, "[ ] "); found && item {
		return r, todoItem
	}
	if item {
		return rest, plainItem
	}
	return s, proseLine
}

// marking are the bytes that a marker may begin with.
var marking = func() (t [256]bool) {
	for _, c := range []byte(">|#-*+•0123456789") {
		t[c] = true
	}
	return t
}()

const captionMark = "[image:"

// withoutCaptions cuts "[image: …]" out of text.
func withoutCaptions(text string) string {
	var b strings.Builder
	for {
		i := indexFold(text, captionMark)
		if i < 0 {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(strings.TrimRight(text[:i], " "))
		n := strings.IndexByte(text[i:], ']')
		if n < 0 {
			return b.String()
		}
		text = text[i+n+1:]
	}
}

// tidy brings a sentence onto one line and takes emphasis, emoji and smileys off it.
func tidy(s string) string {
	if isTidy(s) {
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
		if unicode.Is(unicode.So, r) || unicode.Is(unicode.Sk, r) && r > 0x7F || r == 0xFE0F || r == 0x200D || r == unicode.ReplacementChar ||
			unicode.IsControl(r) {
			return -1
		}
		return r
	}, strings.Join(f, " ")))
}

// isTidy tells a sentence in ASCII that is as it should be.
func isTidy(s string) bool {
	last := byte(' ')
	for i := range len(s) {
		c := s[i]
		if c < ' ' || c >= 0x7F || c == last && (c == ' ' || c == '*' || c == '_') {
			return false
		}
		last = c
	}
	first, _, _ := strings.Cut(s, " ")
	return last != ' ' && !decoration(first) && !decoration(s[strings.LastIndexByte(s, ' ')+1:])
}

func decoration(w string) bool {
	switch w {
	case ":)", ":-)", ":(", ":-(", ";)", ";-)", ":D", ":P", "<3", "xD", "XD", "^^", ":/", ":'(", "lol", "haha":
		return true
	}
	return !strings.ContainsFunc(w, func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsNumber(r) || r < 0x80 && r != '*' && r != '~'
	})
}

// machineHeads begin lines of logs, traces, code, diffs, commands and help texts, by their first byte; maybeHeads are those that people
// begin sentences with as well, so that signs or a short line without an end have to go with them.
var (
	machineHeads = heads(`File "|Traceback |panic:|goroutine |Caused by|` +
		`Exception in|return |<|{|}|//|/*|#!|@@|+++|---|diff --git|usage:|Usage:|` +
		`--|-rw|drwx|lrwx|npm ERR!|ok  |✓|✗|└|├|sudo `)
	maybeHeads = heads(`import |func |def |class |const |var |SELECT |INSERT |UPDATE |CREATE |` +
		`curl |npm |git |docker |pip |error:|warning:|make:|FAIL|PASS`)
)

func heads(list string) (t [256][]string) {
	for h := range strings.SplitSeq(list, "|") {
		t[h[0]] = append(t[h[0]], h)
	}
	return t
}

func begins(s string, t *[256][]string) bool {
	return slices.ContainsFunc(t[s[0]], func(h string) bool { return strings.HasPrefix(s, h) })
}

// machineLine tells code, log lines, stack traces and help text from prose.
func machineLine(s string) bool {
	signs, last := symbols(s), s[len(s)-1]
	ends := strings.IndexByte(".!?", last) >= 0
	return signs > 0.2 || last == '{' || last == ';' && signs > 0.03 || level(s) || stamped(s) || coded(s) || strings.Contains(s, "    ") ||
		begins(s, &machineHeads) || begins(s, &maybeHeads) && (signs > 0.04 || !ends && len(s) < 60) ||
		signs > 0.02 && slices.ContainsFunc(codeMarks[:], func(m string) bool { return strings.Contains(s, m) })
}

var codeMarks = [...]string{"();", "):", "=>", "->", "::", "!=", "==", "&&", "||", "</", "/>", "{{", "\\n", "\": "}

// level tells a line that begins with the level of a log: "[INFO] …", "ERROR: …".
func level(s string) bool {
	rest := strings.TrimLeft(s, "[(")
	if rest == "" || strings.IndexByte("EWIDTFNC", rest[0]) < 0 {
		return false
	}
	for _, l := range [...]string{"ERROR", "WARNING", "WARN", "INFO", "DEBUG", "TRACE", "FATAL", "NOTICE", "CRITICAL"} {
		if strings.HasPrefix(rest, l) {
			return len(rest) == len(l) || strings.IndexByte("]): |\t-", rest[len(l)]) >= 0
		}
	}
	return false
}

// stamped tells a line that begins with a time to the second, behind nothing but a date: "2026-06-09 14:32:05,131", "Jun 09 14:32:05".
func stamped(s string) bool {
	if !strings.ContainsAny(s, "0123456789") {
		return false
	}
	for range 4 {
		w, rest, _ := strings.Cut(strings.TrimLeft(s, "[( "), " ")
		shape := strings.Map(func(r rune) rune {
			if r >= '0' && r <= '9' {
				return '0'
			}
			return r
		}, w)
		if strings.HasPrefix(shape, "0000-00-00T") || strings.HasPrefix(shape, "00:00:00") || strings.HasSuffix(shape, ":00:00:00") ||
			strings.HasPrefix(shape, "0000-00-00") && strings.IndexByte(rest, ':') == 2 {
			return true
		}
		low := strings.ToLower(w)
		if strings.Trim(shape, "0-/.") != "" && months[low] == 0 && !abbreviated[low] {
			return false
		}
		s = rest
	}
	return false
}

var abbreviated = lexis.Set("mon tue wed thu fri sat sun")

// coded tells a line of which most words have a sign or a digit within, or are nothing else.
func coded(s string) bool {
	if len(s) < len("a b c") {
		return false
	}
	odd, all := 0, 0
	for w := range strings.FieldsSeq(s) {
		if w = strings.TrimFunc(w, edge); strings.ContainsFunc(w, func(r rune) bool {
			return !unicode.IsLetter(r) && r != '\'' && r != '’' && r != '-'
		}) || w == "" {
			odd++
		}
		all++
	}
	return all > 2 && odd*3 > all*2
}

// prompted tells a line that somebody typed at a prompt: "$ ls", "(venv) $ make", "me@host:~$ ls", ">>> f()".
func prompted(s string) bool {
	if rest, ok := strings.CutPrefix(s, "("); ok {
		_, s, _ = strings.Cut(rest, ") ")
	}
	mark, _, more := strings.Cut(s, " ")
	return more && (mark == "$" || mark == ">>>" || mark == "❯" || mark == "%" || mark == "PS" && strings.Contains(s, "> ") ||
		strings.HasSuffix(mark, "$") && strings.ContainsAny(mark, "@:~") || strings.HasSuffix(mark, "=>") || strings.HasSuffix(mark, "=#"))
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
	n := 0
	for i := range len(s) {
		if symbol[s[i]] {
			n++
		}
	}
	return float64(n) / float64(max(1, utf8.RuneCountInString(s)))
}

package vault

import (
	"bytes"
	"fmt"
	"strings"
	"time"
)

var bom = []byte("\xef\xbb\xbf")

// A cursor walks over the lines of a file.
type cursor struct {
	data []byte
	pos  int // start of the next line
	n    int // number of the line last returned, 1-based

	start int    // where that line starts
	text  string // its content without the line ending, and without a BOM at the start of the file
}

func (c *cursor) next() bool {
	if c.pos >= len(c.data) {
		return false
	}
	c.start = c.pos
	line := lineAt(c.data, c.pos)
	c.pos += len(line)
	c.n++
	line = line[:lineEnd(line)]
	if c.start == 0 {
		line = bytes.TrimPrefix(line, bom)
	}
	c.text = string(line)
	return true
}

// daily is what the parsers of logs and drawer files share.
type daily struct {
	cursor
	report report
	day    Day // "" when the file is not named after a day, which is reported
}

// openDaily begins a daily file behind the frontmatter that somebody may have put on top.
func openDaily(p Path, data []byte) daily {
	d := daily{cursor: cursor{data: data}, report: report{path: p}, day: dayOfPath(p)}
	if d.day == "" {
		d.report.add(0, "the file is not named after a day", "rename it to YYYY-MM-DD.md")
	}
	if front, _, _ := cutFront(data); len(front) > len(bom) {
		d.pos, d.n = len(front), lineCount(front)
	}
	return d
}

// fields are the keys that the head of a record may have, each with the place of its value.
type fields []struct {
	key   string
	value *string
}

// set takes the value of a pair where its key is known.
func (fs fields) set(p pair) {
	for _, f := range fs {
		if f.key == p.key {
			*f.value = p.value
		}
	}
}

// lineAt is the line that starts at pos, with its ending.
func lineAt(data []byte, pos int) []byte {
	if i := bytes.IndexByte(data[pos:], '\n'); i >= 0 {
		return data[pos : pos+i+1]
	}
	return data[pos:]
}

// lineCount is the number of lines, counting one without an ending.
func lineCount(data []byte) int {
	n := bytes.Count(data, []byte{'\n'})
	if len(data) > 0 && data[len(data)-1] != '\n' {
		n++
	}
	return n
}

// endsBlank tells whether what is appended to data needs no blank line before it.
func endsBlank(data []byte) bool {
	return len(data) == 0 || bytes.HasSuffix(data, []byte("\n\n")) || bytes.HasSuffix(data, []byte("\n\r\n")) || string(data) == "\n"
}

// A clockHead is the heading of a section or a drawer.
type clockHead struct {
	at   time.Duration // since midnight
	chat string
	id   string // drawers only
}

// parseHead reads "## HH:MM — chat", and with withID a block id at its end.
func parseHead(line string, withID bool) (h clockHead, ok bool) {
	s, found := strings.CutPrefix(line, "## ")
	if !found {
		return h, false
	}
	s = strings.TrimLeft(s, " \t")
	if len(s) < 5 || s[2] != ':' || len(s) > 5 && s[5] != ' ' && s[5] != '\t' {
		return h, false
	}
	t, err := time.Parse("15:04", s[:5])
	if err != nil {
		return h, false
	}
	h.at = time.Duration(t.Hour())*time.Hour + time.Duration(t.Minute())*time.Minute
	s = s[5:]
	if i := strings.LastIndexByte(s, '^'); withID && i > 0 && (s[i-1] == ' ' || s[i-1] == '\t') {
		if id := strings.TrimRight(s[i+1:], " \t"); isID(id) {
			h.id, s = id, s[:i]
		}
	}
	s = strings.TrimSpace(s)
	for _, dash := range []string{"—", "–", "--", "-"} {
		if rest, cut := strings.CutPrefix(s, dash); cut && (rest == "" || rest[0] == ' ' || rest[0] == '\t') {
			s = rest
			break
		}
	}
	h.chat = unescape(strings.TrimSpace(s))
	return h, true
}

func appendHead(b []byte, at time.Time, chat, id string) []byte {
	b = append(b, "## "...)
	b = at.UTC().AppendFormat(b, "15:04")
	if chat = escapeChat(chat); chat != "" {
		b = append(b, " — "...)
		b = append(b, chat...)
	}
	if id != "" {
		b = append(b, " ^"...)
		b = append(b, id...)
	}
	return append(b, '\n')
}

// maxProblems bounds what one file can report.
const maxProblems = 100

// A report collects the problems of one file.
type report struct {
	path Path
	list []Problem
	more int
}

func (r *report) add(line int, reason, hint string) {
	if len(r.list) == maxProblems {
		r.more++
		return
	}
	r.list = append(r.list, Problem{Path: r.path, Line: line, Reason: reason, Hint: hint})
}

func (r *report) problems() []Problem {
	if r.more > 0 {
		return append(r.list, Problem{Path: r.path, Reason: fmt.Sprintf("%d more lines like these", r.more)})
	}
	return r.list
}

// dayOfPath is the day that the file is named after, or "".
func dayOfPath(p Path) Day {
	name := string(p)
	name = name[strings.LastIndexByte(name, '/')+1:]
	d, err := ParseDay(strings.TrimSuffix(name, ".md"))
	if err != nil {
		return ""
	}
	return d
}

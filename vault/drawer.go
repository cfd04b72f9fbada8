package vault

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"time"
)

// DrawerFile is a parsed drawer file.
type DrawerFile struct {
	Path     Path
	Day      Day // "" when the file is not named after a day
	Drawers  []Drawer
	Problems []Problem

	data  []byte
	spans []drawerSpan // in step with Drawers
	all   []writtenDrawer
	fence int // length of the fence that is open at the end of the file, 0 for none
	torn  int // where the record that was being written at the end starts; -1 for none
}

type drawerSpan struct {
	span
	closed bool
}

// A writtenDrawer is where an id stands, also one that is there twice.
type writtenDrawer struct {
	span
	id string
}

// fenceWord follows the backticks that open a drawer.
const fenceWord = "drawer"

// closedNote stands after a fence that we closed because it was found open. The note tells the parser not to trust that
// everything before it was the drawer's text.
const closedNote = "<!-- the fence above was left open; closed by Reverie -->"

// FormatDrawer writes a drawer as it stands in its file. The fence is longer than any run of backticks in the text, so every
// byte of the text survives.
func FormatDrawer(d Drawer) []byte {
	fence := bytes.Repeat([]byte{'`'}, max(3, longestRun(d.Text)+1))
	b := make([]byte, 0, len(d.Text)+2*len(fence)+200)
	b = appendHead(b, d.At, d.ChatID, d.ID)
	b = append(b, fence...)
	b = append(b, fenceWord...)
	always, optional := d.fields()
	for _, f := range always {
		b = appendPair(append(b, ' '), f.key, *f.value)
	}
	if d.At.Second() != 0 {
		b = appendPair(append(b, ' '), "at", d.At.UTC().Format(time.TimeOnly))
	}
	for _, f := range optional {
		if *f.value != "" {
			b = appendPair(append(b, ' '), f.key, *f.value)
		}
	}
	if !d.Filed.IsZero() {
		b = appendPair(append(b, ' '), "filed", d.Filed.UTC().Format(time.RFC3339))
	}
	if d.Noise {
		b = append(b, " noise=true"...)
	}
	b = append(b, '\n')
	b = append(b, d.Text...)
	b = append(b, '\n')
	b = append(b, fence...)
	return append(b, '\n')
}

func longestRun(s string) int {
	longest, run := 0, 0
	for i := range len(s) {
		if s[i] != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// fields are the texts in the line that opens a drawer: those that are always there, and those that may be left out.
func (d *Drawer) fields() (always, optional fields) {
	always = fields{
		{"wing", &d.Wing},
		{"room", &d.Room},
		{"hall", &d.Hall},
		{"origin", (*string)(&d.Origin)},
		{"turn", &d.Turn},
		{"ref", &d.Ref},
		{"speaker", &d.Speaker},
	}
	return always, fields{
		{"agent", &d.Agent},
		{"platform", &d.Platform},
		{"wing_by", &d.WingBy},
		{"source", &d.SourceFile},
		{"added_by", &d.AddedBy},
		{"title", &d.Title},
		{"import", &d.Source},
	}
}

// read takes the pairs of the line that opens the drawer. Unknown keys are left out.
func (d *Drawer) read(info string) {
	always, optional := d.fields()
	known := append(always, optional...)
	for _, p := range parsePairs(info) {
		switch p.key {
		case "noise":
			d.Noise = p.value != "" && p.value != "false" && p.value != "0" && p.value != "no"
		case "filed":
			if t, err := time.Parse(time.RFC3339, p.value); err == nil {
				d.Filed = t.UTC()
			}
		case "at": // the heading, which people read and edit, has the hour and the minute; this adds the seconds
			if t, err := time.Parse(time.TimeOnly, p.value); err == nil && t.Hour() == d.At.Hour() && t.Minute() == d.At.Minute() {
				d.At = d.At.Truncate(time.Minute).Add(time.Duration(t.Second()) * time.Second)
			}
		default:
			known.set(p)
		}
	}
}

// ParseDrawers reads a drawer file. ParseDrawers never fails: what is not a drawer is left as it stands, and reported.
//
// When the closing fence of a drawer is missing, the drawer ends at the next heading with an id that is followed
// by a drawer's fence. Inside a closed drawer such lines are its text: our fence is longer than any in it.
func ParseDrawers(p Path, data []byte) *DrawerFile {
	dp := &drawerParser{daily: openDaily(p, data)}
	dp.file = &DrawerFile{Path: p, Day: dp.day, data: data, torn: -1}
	for dp.next() {
		dp.line()
	}
	if dp.head != nil && isOwnID('d', dp.head.id) {
		dp.file.torn = dp.head.start
	}
	dp.dropHead()
	dp.file.Problems = dp.report.problems()
	return dp.file
}

type drawerParser struct {
	daily
	file  *DrawerFile
	head  *pendingHead
	prose bool
	byID  map[string]int
	ranks map[string]int
}

type pendingHead struct {
	clockHead
	start, line int
}

func (dp *drawerParser) line() {
	wasProse := dp.prose
	dp.prose = false
	if h, ok := parseHead(dp.text, true); ok {
		dp.dropHead()
		dp.head = &pendingHead{h, dp.start, dp.n}
		return
	}
	if run, info, ok := drawerOpener(dp.text); ok {
		dp.drawer(run, info)
		return
	}
	trimmed := strings.TrimSpace(dp.text)
	switch {
	case trimmed == "", trimmed == closedNote, strings.HasPrefix(dp.text, "# "):
		return
	case strings.Trim(trimmed, "`") == "" && dp.noteFollows(dp.pos):
		return
	}
	dp.prose = true
	if dp.head != nil && isOwnID('d', dp.head.id) && dp.pos == len(dp.data) && strings.HasPrefix(fenceWord, strings.TrimLeft(dp.text, "`")) {
		dp.file.torn = dp.head.start // cut off within the word that opens the fence
	}
	dp.dropHead()
	if !wasProse {
		dp.report.add(dp.n, "not part of a drawer: kept, but not remembered", "")
	}
}

func (dp *drawerParser) dropHead() {
	if dp.head != nil {
		dp.report.add(dp.head.line, "a heading without its drawer", "")
	}
	dp.head = nil
}

// drawerOpener reads "```drawer key=value …".
func drawerOpener(line string) (run int, info string, ok bool) {
	rest := strings.TrimLeft(line, "`")
	run = len(line) - len(rest)
	rest = strings.TrimLeft(rest, " ")
	info, ok = strings.CutPrefix(rest, fenceWord)
	if run < 3 || !ok || info != "" && info[0] != ' ' && info[0] != '\t' || strings.Contains(info, "`") {
		return 0, "", false
	}
	return run, info, true
}

func (dp *drawerParser) noteFollows(pos int) bool {
	if pos >= len(dp.data) {
		return false
	}
	line := lineAt(dp.data, pos)
	return strings.TrimSpace(string(line[:lineEnd(line)])) == closedNote
}

// drawer reads the drawer whose opening fence is the current line.
func (dp *drawerParser) drawer(run int, info string) {
	h := dp.head
	dp.head = nil
	if h == nil {
		dp.report.add(dp.n, "a drawer without a heading", "put ## HH:MM — chat above it")
		h = &pendingHead{start: dp.start, line: dp.n}
	}
	d := Drawer{ID: h.id, At: dp.file.Day.Time().Add(h.at), ChatID: h.chat, Line: h.line}
	d.read(info)
	textStart, opened := dp.pos, dp.n
	textEnd, end, how := dp.findEnd(run)
	if how != fenceClosed {
		dp.report.add(opened, "the fence of this drawer is not closed", "add a line of "+strconv.Itoa(run)+" backticks at the end of its text")
		if how == fenceAtEnd {
			dp.file.fence = max(dp.file.fence, run)
		}
		if next := dp.nextPair(textStart, textEnd); next >= 0 {
			textEnd, end = next, next
		} else if how == fenceAtEnd && isOwnID('d', h.id) {
			dp.file.torn = h.start
		}
	}
	d.Text = textBetween(dp.data[textStart:textEnd], how == fenceClosed)
	dp.pos = end
	dp.n = opened + lineCount(dp.data[textStart:end])
	dp.add(d, drawerSpan{span{h.start, end}, how == fenceClosed})
}

// textBetween takes off the line break that belongs to the closing fence; of a drawer that lost its fence also the blank line.
func textBetween(b []byte, closed bool) string {
	if !closed {
		return strings.TrimRight(string(b), "\r\n")
	}
	return string(bytes.TrimSuffix(b, []byte{'\n'}))
}

type fenceEnd int

const (
	fenceClosed fenceEnd = iota
	fenceNoted           // closed by us
	fenceCut             // the next drawer starts before it is closed
	fenceAtEnd           // open at the end of the file
)

// findEnd looks for the end of the drawer whose text starts at the cursor.
func (dp *drawerParser) findEnd(run int) (textEnd, end int, how fenceEnd) {
	for pos := dp.pos; pos < len(dp.data); {
		line := lineAt(dp.data, pos)
		if line[0] == '`' && isFence(line, run) {
			if dp.noteFollows(pos + len(line)) {
				return pos, pos + len(line), fenceNoted
			}
			return pos, pos + len(line), fenceClosed
		}
		if line[0] == '#' {
			if m := dp.pairAt(pos, line); m >= run {
				return pos, pos, fenceCut
			}
		}
		pos += len(line)
	}
	return len(dp.data), len(dp.data), fenceAtEnd
}

// isFence tells whether the line is a closing fence of at least run backticks.
func isFence(line []byte, run int) bool {
	line = bytes.TrimRight(line, " \t\r\n")
	return len(line) >= run && len(bytes.TrimLeft(line, "`")) == 0
}

// pairAt is the length of the fence when the line is a drawer's heading with its id and the next one opens it; else 0.
func (dp *drawerParser) pairAt(pos int, line []byte) int {
	if !bytes.HasPrefix(line, []byte("## ")) || len(line) > 4096 {
		return 0
	}
	h, ok := parseHead(string(line[:lineEnd(line)]), true)
	if !ok || h.id == "" || pos+len(line) >= len(dp.data) {
		return 0
	}
	next := lineAt(dp.data, pos+len(line))
	if next[0] != '`' {
		return 0
	}
	run, _, ok := drawerOpener(string(next[:lineEnd(next)]))
	if !ok {
		return 0
	}
	return run
}

// nextPair finds the first drawer that starts in data[from:to], -1 for none.
func (dp *drawerParser) nextPair(from, to int) int {
	for pos := from; pos < to; {
		line := lineAt(dp.data, pos)
		if line[0] == '#' && dp.pairAt(pos, line) > 0 {
			return pos
		}
		pos += len(line)
	}
	return -1
}

// add files the drawer. Of two with one id the whole one counts; when both are whole and differ, both do.
func (dp *drawerParser) add(d Drawer, sp drawerSpan) {
	if dp.byID == nil {
		dp.byID, dp.ranks = map[string]int{}, map[string]int{}
	}
	f := dp.file
	f.all = append(f.all, writtenDrawer{sp.span, d.ID})
	at := len(f.all) - 1
	defer func() {
		if f.all[at].id == "" {
			f.all[at].id = d.ID
		}
	}()
	if i, dup := dp.byID[d.ID]; dup && d.ID != "" {
		dp.report.add(d.Line, "the id ^"+d.ID+" is used twice in this file", "")
		switch {
		case !f.spans[i].closed && sp.closed:
			f.Drawers = slices.Delete(f.Drawers, i, i+1)
			f.spans = slices.Delete(f.spans, i, i+1)
			for id, j := range dp.byID {
				if j > i {
					dp.byID[id] = j - 1
				}
			}
		case !sp.closed, f.Drawers[i].Text == d.Text:
			return
		default:
			d.ID = ""
		}
	}
	for d.ID == "" {
		dp.ranks[d.Text]++
		id := DeriveID('d', string(f.Path), d.Text, strconv.Itoa(dp.ranks[d.Text]))
		if _, taken := dp.byID[id]; !taken {
			d.ID = id
		}
	}
	dp.byID[d.ID] = len(f.Drawers)
	f.Drawers = append(f.Drawers, d)
	f.spans = append(f.spans, sp)
}

// without is the file without the drawers that drop names; nil when nothing is dropped.
func (f *DrawerFile) without(drop map[string]bool) []byte {
	var cuts []span
	for _, w := range f.all {
		if !drop[w.id] {
			continue
		}
		sp := w.span
		for sp.end < len(f.data) { // and the blank lines that set it off
			line := lineAt(f.data, sp.end)
			if !isBlank(string(line)) {
				break
			}
			sp.end += len(line)
		}
		cuts = append(cuts, sp)
	}
	return cut(f.data, cuts)
}

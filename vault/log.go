package vault

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"

	"github.com/reverie-memory/reverie/lexis"
)

// Log is a parsed daily log.
type Log struct {
	Path     Path
	Day      Day // "" when the file is not named after a day
	Facts    []Fact
	Problems []Problem

	data     []byte
	spans    []span   // of the facts' lines, in step with Facts
	written  []string // the ids that stand there, "" for none, in step with Facts
	sections []logSection
}

type span struct{ start, end int }

// A logSection is where a section stands: heading and comment, then its facts and whatever else.
type logSection struct {
	span
	facts []int // indexes into Facts
	other bool  // holds lines that are not ours
}

// A SectionFacts is a section with its facts, as they are appended.
type SectionFacts struct {
	Section Section
	Facts   []Fact
}

// FormatSection writes a section as it stands in a daily log. Facts without text are left out; line breaks
// become spaces; a fact without an id is written without one.
func FormatSection(s Section, facts []Fact) []byte {
	return appendFacts(appendSection(nil, s), facts)
}

func appendFacts(b []byte, facts []Fact) []byte {
	for _, f := range facts {
		if text := oneLine(f.Text); text != "" {
			b = appendFactLine(b, lineFact{normalCategory(f.Category), text, f.ID, normalTags(f.Tags)})
		}
	}
	return b
}

func appendSection(b []byte, s Section) []byte {
	b = appendHead(b, s.At, s.ChatID, "")
	mark := len(b)
	b = append(b, "<!--"...)
	empty := len(b)
	for _, f := range s.fields() {
		if *f.value != "" {
			b = appendPair(append(b, ' '), f.key, *f.value)
		}
	}
	if !s.Filed.IsZero() {
		b = appendPair(append(b, ' '), "filed", s.Filed.UTC().Format(time.RFC3339))
	}
	if len(b) == empty {
		return b[:mark]
	}
	return append(b, " -->\n"...)
}

// fields are the parts of a section that stand in its comment, in that order.
func (s *Section) fields() fields {
	return fields{
		{"turn", &s.Turn},
		{"origin", (*string)(&s.Origin)},
		{"agent", &s.Agent},
		{"drawer", &s.Drawer},
		{"beside", &s.Beside},
		{"ref", &s.Ref},
		{"speaker", &s.Speaker},
		{"wing", &s.Wing},
		{"room", &s.Room},
		{"hall", &s.Hall},
		{"import", &s.Source},
	}
}

// ParseLog reads a daily log. ParseLog never fails: what is not a fact is left as it stands, and reported.
func ParseLog(p Path, data []byte) *Log {
	lp := &logParser{daily: openDaily(p, data)}
	lp.log = &Log{Path: p, Day: lp.day, data: data}
	lp.section.At = lp.day.Time()
	lp.expect(bytes.Count(data, []byte("\n- ")) + bytes.Count(data, []byte("\n* ")) + bytes.Count(data, []byte("\n+ ")))
	for lp.next() {
		lp.line()
	}
	lp.endSection(len(data))
	lp.log.Problems = lp.report.problems()
	return lp.log
}

// SectionBefore is where the last section of a daily log begins that begins before the offset; 0 where none does. What stands from there
// on can be parsed by itself, but for ids that lines have by their rank, or share with lines before.
func SectionBefore(data []byte, offset int) int {
	for {
		if offset = bytes.LastIndex(data[:offset], []byte("\n## ")) + 1; offset == 0 {
			return 0
		}
		line, _, _ := bytes.Cut(data[offset:], []byte("\n"))
		if _, ok := parseHead(string(line), false); ok {
			return offset
		}
	}
}

type logParser struct {
	daily
	log     *Log
	section Section
	fresh   bool // only the heading of the section was seen yet
	open    bool // inside a section
	prose   bool // the line before was reported
	ranks   map[string]*int
	ids     map[string]bool
	blocks  map[string]closerMemo
}

// expect makes room for the facts of a file with so many list items: growing bit by bit costs more than parsing.
func (lp *logParser) expect(items int) {
	lp.ids = make(map[string]bool, items)
	if items == 0 {
		return
	}
	l, n := lp.log, items+1 // and one on the first line
	l.Facts, l.spans, l.written = make([]Fact, 0, n), make([]span, 0, n), make([]string, 0, n)
}

func (lp *logParser) line() {
	line := lp.text
	trimmed := strings.TrimSpace(line)
	wasProse := lp.prose
	lp.prose = false
	if trimmed == "" {
		return
	}
	if h, ok := parseHead(line, false); ok {
		lp.endSection(lp.start)
		lp.section = Section{At: lp.log.Day.Time().Add(h.at), ChatID: h.chat}
		lp.log.sections = append(lp.log.sections, logSection{span: span{start: lp.start}})
		lp.fresh, lp.open = true, true
		return
	}
	if inner, ok := strings.CutPrefix(trimmed, "<!--"); ok && strings.HasSuffix(inner, "-->") {
		lp.comment(strings.TrimSuffix(inner, "-->"))
		return
	}
	lp.fresh = false
	switch f, bullet := parseFactLine(line); {
	case bullet && f.text != "":
		lp.fact(f)
		_, lp.log.Facts[len(lp.log.Facts)-1].Done = checkbox(strings.TrimSpace(line[1:]))
		return
	case bullet:
		lp.report.add(lp.n, "a list item without text", "")
	case strings.HasPrefix(line, "# "):
		if lp.open {
			lp.endSection(lp.start)
		}
	case strings.HasPrefix(line, "#"):
		lp.endSection(lp.start)
		lp.section = Section{At: lp.log.Day.Time()}
		lp.report.add(lp.n, "a heading without a time", "sections start with ## HH:MM — chat")
	case lp.block(trimmed):
	default:
		lp.prose = true
		if !wasProse {
			lp.report.add(lp.n, "not a fact: kept, but not remembered", "facts are list items at the start of a line: - [category] text")
		}
	}
	lp.foreign()
}

// foreign notes that the section holds something that is not ours.
func (lp *logParser) foreign() {
	if lp.open {
		lp.log.sections[len(lp.log.sections)-1].other = true
	}
}

func (lp *logParser) comment(inner string) {
	if !lp.fresh {
		lp.foreign()
		return
	}
	lp.fresh = false
	known := lp.section.fields()
	for _, p := range parsePairs(inner) {
		if p.key != "filed" {
			known.set(p)
		} else if t, err := time.Parse(time.RFC3339, p.value); err == nil {
			lp.section.Filed = t.UTC()
		}
	}
}

func (lp *logParser) endSection(at int) {
	if lp.open {
		lp.log.sections[len(lp.log.sections)-1].end = at
	}
	lp.open = false
}

func (lp *logParser) fact(f lineFact) {
	hand, written := f.id == "", f.id
	if !hand && !lp.free(f.id) {
		lp.report.add(lp.n, "the id ^"+f.id+" is used twice in this file", "take it off one of the lines")
		hand = true
	}
	if hand {
		f.id = lp.handID(f.text)
	}
	if lp.open {
		s := &lp.log.sections[len(lp.log.sections)-1]
		s.facts = append(s.facts, len(lp.log.Facts))
	}
	lp.log.spans = append(lp.log.spans, span{lp.start, lp.pos})
	lp.log.written = append(lp.log.written, written)
	lp.log.Facts = append(lp.log.Facts, Fact{
		ID: f.id, Day: lp.log.Day, Section: lp.section, Category: f.category,
		Text: f.text, Tags: f.tags, Line: lp.n, Hand: hand,
	})
}

// free takes an id that no line before has, and tells whether that is so.
func (lp *logParser) free(id string) bool {
	n := len(lp.ids)
	lp.ids[id] = true
	return len(lp.ids) > n
}

// handID gives a line without an id the one that follows from its words and its rank among equals in the file.
func (lp *logParser) handID(text string) string {
	key := text
	if !lexis.IsFolded(text) {
		key = strings.Join(strings.Fields(strings.ToLower(norm.NFKC.String(text))), " ")
	}
	rank := lp.ranks[key]
	if rank == nil {
		if lp.ranks == nil {
			lp.ranks = map[string]*int{}
		}
		rank = new(int)
		lp.ranks[key] = rank
	}
	for {
		*rank++
		if id := DeriveID('f', string(lp.log.Path), key, strconv.Itoa(*rank)); lp.free(id) {
			return id
		}
	}
}

// A closerMemo says that no closing line of a kind stands between here and the end of the section.
type closerMemo struct{ run, until int }

// block skips a code block or comment that is closed within its section. One that is not is reported and its
// lines are read as usual: a forgotten fence must not swallow the facts that are appended later.
func (lp *logParser) block(trimmed string) bool {
	kind, run := blockOpener(trimmed)
	if kind == "" {
		return false
	}
	if m, ok := lp.blocks[kind]; ok && run >= m.run && lp.pos <= m.until {
		return false // reported already
	}
	c := cursor{data: lp.data, pos: lp.pos, n: lp.n}
	for c.next() {
		if _, ok := parseHead(c.text, false); ok {
			break
		}
		if blockCloses(kind, run, strings.TrimSpace(c.text)) {
			if kind == "`" || kind == "~" {
				lp.report.add(lp.n, "a code block: kept, but not remembered", "")
			}
			lp.pos, lp.n = c.pos, c.n
			return true
		}
	}
	if lp.blocks == nil {
		lp.blocks = map[string]closerMemo{}
	}
	lp.blocks[kind] = closerMemo{run, c.pos}
	lp.report.add(lp.n, "a block is opened here and never closed; the lines after it are read as usual", "close it")
	return true
}

func blockOpener(s string) (kind string, run int) {
	switch {
	case strings.HasPrefix(s, "```"), strings.HasPrefix(s, "~~~"):
		run = len(s) - len(strings.TrimLeft(s, s[:1]))
		if s[0] == '`' && strings.Contains(s[run:], "`") {
			return "", 0 // a code span
		}
		return s[:1], run
	case strings.HasPrefix(s, "<!--"):
		return "<!--", 0
	case strings.HasPrefix(s, "%%") && !strings.Contains(s[2:], "%%"):
		return "%%", 0
	}
	return "", 0
}

func blockCloses(kind string, run int, s string) bool {
	switch kind {
	case "<!--":
		return strings.Contains(s, "-->")
	case "%%":
		return strings.Contains(s, "%%")
	}
	return len(s) >= run && strings.Trim(s, kind) == ""
}

// without is the log without the facts that drop names: their lines, and with its last fact a section that holds
// nothing else. Every other byte stays. The result is nil when nothing is dropped.
func (l *Log) without(drop map[string]bool) []byte {
	var cuts []span
	gone := make([]bool, len(l.Facts))
	for i, f := range l.Facts {
		gone[i] = drop[f.ID] || drop[l.written[i]]
	}
	for _, s := range l.sections {
		all := len(s.facts) > 0 && !s.other
		for _, i := range s.facts {
			all = all && gone[i]
		}
		if all {
			cuts = append(cuts, s.span)
		}
	}
	for i, sp := range l.spans {
		if gone[i] && !inside(cuts, sp) {
			cuts = append(cuts, sp)
		}
	}
	return cut(l.data, cuts)
}

func inside(in []span, sp span) bool {
	return slices.ContainsFunc(in, func(s span) bool { return s.start <= sp.start && sp.end <= s.end })
}

// cut is data without the spans, which do not overlap; nil when there are none.
func cut(data []byte, spans []span) []byte {
	if len(spans) == 0 {
		return nil
	}
	slices.SortFunc(spans, func(a, b span) int { return a.start - b.start })
	var b bytes.Buffer
	at := 0
	for _, s := range spans {
		b.Write(data[at:s.start])
		at = s.end
	}
	b.Write(data[at:])
	if b.Len() == 0 {
		return []byte{}
	}
	return b.Bytes()
}

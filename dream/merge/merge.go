package merge

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/reverie-memory/reverie/internal/slice"
)

// A Clash is a place that a person and we changed, each in another way.
type Clash struct {
	Line         int // in the merged text, 1-based
	Base, Theirs string
}

// Merge brings theirs and ours together by lines; both come from base. A person's additions, changes and deletions (theirs)
// survive; where both changed the same lines, theirs wins and a Clash tells. Every line that only theirs has is in the result.
// A nil base is not known: then nothing of theirs goes. nil theirs is an empty file: whether one that a person deleted comes back
// is for the caller to say. Line endings, byte order mark and the end of the file are those of theirs.
//
// A list item that starts with a link, as in the map, is the same line for as long as it links to the same page. An undo that
// finds a clash has to refuse: also what a person nested under a line that goes is one.
func Merge(base, theirs, ours []byte) (merged []byte, clashes []Clash) {
	switch {
	case bytes.Equal(theirs, ours), base != nil && bytes.Equal(base, ours):
		return bytes.Clone(theirs), nil
	case base != nil && bytes.Equal(base, theirs), len(theirs) == 0 && base == nil:
		return bytes.Clone(ours), nil
	}
	return merge(base, theirs, ours)
}

func merge(base, theirs, ours []byte) ([]byte, []Clash) {
	t, o := Split(theirs), Split(ours)
	b := Split(base)
	tokens := tokenize(b.Lines, t.Lines, o.Lines)
	m := merger{
		base:   b.Lines,
		theirs: newSide(b.Lines, t.Lines, tokens[0], tokens[1]),
		ours:   newSide(b.Lines, o.Lines, tokens[0], tokens[2]),
		text:   t,
	}
	m.eol = cmp.Or(t.Breaks(), o.Breaks())
	for i := range m.base {
		m.gap(i)
		m.line(i)
	}
	m.gap(len(m.base))
	final := t.Final()
	if base != nil && len(b.Lines) > 0 && t.Final() == b.Final() || len(t.Lines) == 0 {
		final = o.Final()
	}
	return m.bytes(t.BOM || len(theirs) == 0 && o.BOM, final), m.clashes
}

type merger struct {
	base         []string
	theirs, ours side
	text         Text // theirs
	eol          string

	lines, eols []string
	clashes     []Clash
}

// theirLine writes a line of theirs with the line break that it has there.
func (m *merger) theirLine(i int) {
	m.lines = append(m.lines, m.theirs.lines[i])
	m.eols = append(m.eols, m.text.EOLs[i])
}

func (m *merger) ourLines(lines []string) {
	for _, s := range lines {
		m.lines = append(m.lines, s)
		m.eols = append(m.eols, m.eol)
	}
}

func (m *merger) clash(base, theirs string) {
	m.clashes = append(m.clashes, Clash{Line: max(1, len(m.lines)), Base: base, Theirs: theirs})
}

// gap writes what was put in before line i of the base. What both put in is written once, where theirs has it.
func (m *merger) gap(i int) {
	theirs, ours := m.theirs.put[i], m.ours.put[i]
	same := align(pick(m.theirs.tokens, theirs), pick(m.ours.tokens, ours))
	own := pick(m.theirs.lines, theirs)
	k, l := 0, 0
	for n, to := range append(same, len(ours)) {
		if to < 0 {
			continue
		}
		m.between(theirs[k:n], ours[l:to], own)
		if n < len(theirs) {
			m.theirLine(theirs[n])
		}
		k, l = n+1, to+1
	}
	if len(theirs) > 0 && m.ours.within(i, own[0]) {
		m.clash(m.base[i-1], own[0])
	}
	if len(ours) > 0 && len(theirs) == 0 && m.theirs.within(i, m.ours.lines[ours[0]]) {
		m.clash(m.base[i-1], "")
	}
}

// between writes lines of both sides that were put in at one place and have nothing in common. own is all that theirs put in there.
func (m *merger) between(theirs, ours []int, own []string) {
	added := slices.DeleteFunc(pick(m.ours.lines, ours), func(s string) bool {
		return strings.TrimSpace(s) != "" && slices.Contains(own, s)
	})
	if !slices.ContainsFunc(added, func(s string) bool { return strings.TrimSpace(s) != "" }) && len(own) > 0 {
		added = nil
	}
	// Where theirs starts a new part of the text, what we add belongs to the part before.
	first := len(theirs) > 0 && opens(m.theirs.lines[theirs[0]]) && len(added) > 0 && !opens(added[0])
	if first {
		m.ourLines(added)
	}
	for _, j := range theirs {
		m.theirLine(j)
	}
	if !first {
		m.ourLines(added)
	}
}

func pick(lines []string, at []int) []string {
	return slice.Map(at, func(i int) string { return lines[i] })
}

// line writes what became of line i of the base.
func (m *merger) line(i int) {
	b, ti, oi := m.base[i], m.theirs.to[i], m.ours.to[i]
	tKept, oKept := ti >= 0 && m.theirs.lines[ti] == b, oi >= 0 && m.ours.lines[oi] == b
	switch {
	case ti < 0 && oi < 0, ti < 0 && oKept, tKept && oi < 0:
	case ti < 0:
		if m.ours.weak[i] { // only its place makes it the same line: theirs took away the old one, this is another
			m.ourLines(m.ours.lines[oi : oi+1])
		}
		m.clash(b, "")
	case oi < 0:
		m.theirLine(ti)
		m.clash(b, m.theirs.lines[ti])
	case tKept && !oKept:
		m.lines = append(m.lines, m.ours.lines[oi])
		m.eols = append(m.eols, m.text.EOLs[ti])
	default:
		m.theirLine(ti)
		if !tKept && !oKept && m.theirs.lines[ti] != m.ours.lines[oi] {
			m.clash(b, m.theirs.lines[ti])
		}
	}
}

func (m *merger) bytes(bom, final bool) []byte {
	for i := range m.eols {
		m.eols[i] = cmp.Or(m.eols[i], m.eol, "\n")
	}
	if len(m.eols) > 0 && !final {
		m.eols[len(m.eols)-1] = ""
	}
	return Text{BOM: bom, Lines: m.lines, EOLs: m.eols}.Bytes()
}

// Unified is the unified diff from a to b, "" where they are equal. nil stands for a file that does not exist.
func Unified(name string, a, b []byte) string {
	name = strings.NewReplacer("\n", " ", "\r", " ", "\t", " ").Replace(name)
	from, to := "a/"+name, "b/"+name
	if a == nil {
		from = "/dev/null"
	}
	if b == nil {
		to = "/dev/null"
	}
	return udiff.Unified(from, to, string(a), string(b))
}

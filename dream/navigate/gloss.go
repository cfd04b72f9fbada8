package navigate

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/trust"
)

// Gloss says in at most limit runes what a page is about: one or two of its most telling statements, and a task with a day. names are the
// page's title and other names.
func Gloss(lines []Line, limit int, names ...string) string {
	said, _ := summary(lines, 2, limit, names)
	return said
}

// summary puts the most telling statements of a page into one line of at most limit runes, and gives them: what it is first, then how it
// stands, the newest first.
func summary(lines []Line, most, limit int, names []string) (text string, used []Line) {
	type part struct {
		Line
		rank int
	}
	var list []part
	for _, l := range lines {
		if l.Done || strings.TrimSpace(l.Text) == "" || l.Section == "Parts" {
			continue
		}
		r := read(l.Text, names)
		p := part{Line: l, rank: 1}
		switch {
		case !l.Trusted:
			p.rank = -1
		case l.Task:
			p.rank = 0
		case r.defines(l.Text, names):
			p.rank = 4
		case r.about && (r.lasts && identifies().MatchString(r.pred) || current[strings.ToLower(l.Section)]):
			p.rank = 3
		case r.about && r.lasts:
			p.rank = 2
		}
		list = append(list, p)
	}
	slices.SortStableFunc(list, func(a, b part) int { return cmp.Or(cmp.Compare(b.rank, a.rank), cmp.Compare(b.At, a.At)) })
	var said []string
	for _, p := range list {
		if len(said) == most || len(said) > 0 && (p.rank < 1 || p.rank == 1 && list[0].rank > 1) {
			break
		}
		if bars(p.Text, !p.Trusted) {
			continue
		}
		s := phrase(p.Text, names)
		if p.Task {
			s = "to do: " + s
		}
		if len(said) == 0 {
			s = cut(s, limit)
		}
		if n := utf8.RuneCountInString(strings.Join(append(said, s), "; ")); n > limit || slices.Contains(said, s) {
			continue
		}
		said, used = append(said, s), append(used, p.Line)
	}
	return strings.Join(said, "; "), used
}

// bars tells whether a text may not stand where assistants always look. Nobody answers for a loose one.
func bars(text string, loose bool) bool {
	return trust.Bar(trust.Said{Text: text, Loose: loose}, trust.Memory) != ""
}

// current are the headings of what stands for the time being, in whatever form it is told.
var current = lexis.Set("now status decisions")

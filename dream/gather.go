package dream

import (
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"slices"

	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/dream/route"
	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/vault"
)

// How many days before those of a run the facts count that earlier runs filed, and how many of them at most, the latest first: who is
// spoken of a little each night earns a page as who is spoken of a lot in one.
const (
	earlierDays = 45
	maxEarlier  = 500
)

// An earlier is a fact that an earlier run filed on a page.
type earlier struct {
	source page.Source
	was    vault.Account
	fact   *fact // as of a run
	item   route.Item
	to     route.Place // a page that this run is going to make; without a page where the fact stays
}

// filedBefore are the facts of the last days that stand on pages of the zones, in their order. What cannot be read does not count.
func (p *planner) filedBefore() []earlier {
	var out []earlier
	from := vault.DayOf(p.latest.Time().AddDate(0, 0, -earlierDays))
	for id, a := range p.known.All() {
		filed := a.Outcome == string(Kept) || a.Outcome == string(Merged) || a.Outcome == string(Duplicate)
		if f := p.byID[id]; filed && a.Day >= from && p.mayWrite(a.Page) && (f == nil || f.Day != a.Day) {
			out = append(out, earlier{source: page.Source{Day: a.Day, ID: id}, was: a})
		}
	}
	slices.SortFunc(out, func(a, b earlier) int {
		return cmp.Or(cmp.Compare(a.source.Day, b.source.Day), cmp.Compare(a.source.ID, b.source.ID))
	})
	out = out[max(0, len(out)-maxEarlier):]
	isolated, err := p.r.o.Isolated()
	if err != nil {
		return nil
	}
	logs, moved := newLogCache(p.r.o.Vault), p.r.o.Moved()
	read := out[:0]
	for _, e := range out {
		logged, there, err := logs.fact(e.source)
		if err != nil || !there || !e.was.Covers(&logged) {
			continue
		}
		if _, dead := p.tombs.Match(logged.Text); dead {
			continue
		}
		if moved.Hang(&logged.Section); isolated.Around(logged.Section.Wing) != "" {
			continue
		}
		e.fact, e.item = p.readFact(logged)
		read = append(read, e)
	}
	return read
}

// gather moves lines that earlier runs wrote to the pages that this run makes of what they tell. A page is made for facts of the run, not
// for those lines.
func (p *planner) gather() error {
	to := map[vault.Path][]earlier{}
	for _, e := range p.before {
		to[e.to.Page] = append(to[e.to.Page], e)
	}
	for _, name := range slices.Sorted(maps.Keys(to)) {
		if first := p.founder(name); first != nil {
			if err := p.gatherOn(first, to[name]); err != nil {
				return err
			}
		}
	}
	return nil
}

// founder is the first fact that is going to stand on a page of its own, nil where none does for certain or the page is there already.
func (p *planner) founder(name vault.Path) *fact {
	for _, f := range p.facts {
		if f.op == nil && f.place.Page == name && f.place.New && !p.dead(f) && !trivial(f.text, f.Section.Speaker) && p.waits(f) == "" {
			return f
		}
	}
	return nil
}

// gatherOn moves the lines whose facts all belong to the page of first, which are those of list. Lines that a person wrote or changed stay,
// and so does what is History, asked about or ticked.
func (p *planner) gatherOn(first *fact, list []earlier) error {
	group, err := p.groupOf(first.place.Page)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(group.drafts, func(d *draft) bool { return d.closed != "" }) {
		return nil
	}
	told := slice.SetOf(list, func(e earlier) page.Source { return e.source })
	changed := map[*draft]*pageGroup{}
	for _, e := range list {
		was, err := p.groupOf(e.was.Page)
		if err != nil {
			return err
		}
		l := was.named[e.source]
		if was == group || l == nil || !p.moves(l, told) {
			continue
		}
		to := p.draft(group, first.place.Page, func() *page.Meta { return p.meta(first) })
		if err := p.moveLine(l, to, sectionOn(e.fact, to, e.to.Section)); err != nil {
			return err
		}
		changed[l.draft], changed[to] = was, group
	}
	for d, of := range changed {
		p.reindex(of, d)
	}
	return nil
}

// moves says whether a line may go with all that it rests on.
func (p *planner) moves(l *line, told map[page.Source]bool) bool {
	st, ok := l.draft.doc.Find(l.id)
	return ok && !l.gone && l.ours && !l.history && l.conflict == "" && !l.ticked && l.draft.closed == "" && l.draft.data != nil &&
		st.Text == l.text && !st.Nested && st.Head == nil && p.ours(l.draft, st.Text) &&
		!slices.ContainsFunc(l.sources, func(s page.Source) bool { return !told[s] })
}

// moveLine puts a line on another page and takes it off its own. moveLine goes there only when it stands on the other: see [Runner.moved].
func (p *planner) moveLine(l *line, to *draft, section string) error {
	from := l.draft
	add := &Op{
		Kind: AddStatement, Section: section, Text: p.router.Link(l.text, to.path), Task: l.task, Sources: l.sources, About: from.path,
		By: byRules,
	}
	if _, err := to.do(add); err != nil {
		return err
	}
	l.gone = true
	_, err := from.do(&Op{Kind: MoveLine, Target: l.id, Was: l.text, Sources: l.sources, About: to.path, By: byRules})
	return err
}

// moved proves that the lines which leave a page stand on those that they go to.
func (r *Runner) moved(pp *PagePlan) error {
	there := map[vault.Path][]page.Source{}
	for i := range pp.Ops {
		op := &pp.Ops[i]
		if op.Kind != MoveLine {
			continue
		}
		if there[op.About] == nil {
			data, err := r.o.Vault.ReadFile(op.About)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			for _, st := range page.Parse(op.About, data).Statements() {
				there[op.About] = append(there[op.About], st.Sources...)
			}
		}
		if missing(op.Sources, there[op.About]) {
			return vault.ErrChanged
		}
	}
	return nil
}

// loses tells that lines of the page go to others.
func (p *PagePlan) loses() bool {
	return slices.ContainsFunc(p.Ops, func(op Op) bool { return op.Kind == MoveLine })
}

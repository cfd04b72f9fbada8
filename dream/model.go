package dream

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/dream/navigate"
	"github.com/reverie-memory/reverie/dream/route"
	"github.com/reverie-memory/reverie/extract"
	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/vault"
)

// propose lets the model go first. Whatever it leaves out, or may not do, falls to the rules.
func (p *planner) propose(ctx context.Context, model Proposer) *ModelUse {
	p.keep = true
	ctx, cancel := context.WithTimeout(ctx, p.r.o.Timeout)
	defer cancel()
	p.r.progress(p.run, "model", 0, len(p.facts), "facts")
	accepted := 0
	use, err := model.Propose(ctx, p.groups(), wiki{p}, func(op *Op) (why string) {
		op.By = model.Name()
		if why = p.accept(op); why == "" {
			accepted++
			p.r.progress(p.run, "model", p.settled(), len(p.facts), "facts")
		}
		if op.Page != "" {
			op.Page = p.shown(op.Page)
		}
		return why
	})
	if err != nil {
		use.Stopped = err.Error()
	}
	use.Accepted = accepted
	// What was forgotten since it was refused is not repeated.
	use.Refused = slices.DeleteFunc(use.Refused, func(why string) bool { return p.tombs.Visible(why) != why })
	if n := len(use.Refused); n > 0 {
		p.notes = append(p.notes, fmt.Sprintf("%d proposals of the model were refused", n))
	}
	return &use
}

// groups are the facts by the page where they belong, in the order of their first; last those that belong nowhere, with what waits
// in 0_Inbox/Unfiled.md since earlier runs.
func (p *planner) groups() []Group {
	var groups []Group
	at := map[vault.Path]int{}
	homeless := Group{Page: navigate.UnfiledPath, Title: "Unfiled"}
	for _, f := range slices.Concat(p.facts, p.shelf()) {
		if p.dead(f) || p.waits(f) != "" {
			continue
		}
		if f.place.Page == "" || f.shelved != nil {
			homeless.Facts = append(homeless.Facts, f.Fact)
			continue
		}
		i, ok := at[f.place.Page]
		if !ok {
			i = len(groups)
			at[f.place.Page] = i
			groups = append(groups, Group{Page: p.shown(f.place.Page), Title: f.place.Entry.Title, Section: f.place.Section})
		}
		groups[i].Facts = append(groups[i].Facts, f.Fact)
	}
	if len(homeless.Facts) > 0 {
		groups = append(groups, homeless)
	}
	return groups
}

// maxShelved bounds how many facts of earlier runs a model is shown again.
const maxShelved = 25

// shelf are the facts that earlier runs left in 0_Inbox/Unfiled.md and that still stand there, the newest last. The facts are of this run
// only once a model files them.
func (p *planner) shelf() []*fact {
	list := p.r.where.At(navigate.UnfiledPath)
	items, err := p.r.items(navigate.UnfiledPath)
	if err != nil {
		return nil
	}
	items = slices.DeleteFunc(items, func(it navigate.Item) bool { return len(it.Sources) != 1 })
	logs := newLogCache(p.r.o.Vault)
	var out []*fact
	for _, it := range items[max(0, len(items)-maxShelved):] {
		a, _ := p.known.FindOn(it.Sources[0].Day, it.Sources[0].ID)
		logged, ok, err := logs.fact(it.Sources[0])
		if err != nil || !ok || a.Page != list || !p.known.Covers(&logged) || p.byID[logged.ID] != nil {
			continue
		}
		f, item := p.fact(logged)
		p.place([]*fact{f}, []route.Item{item})
		f.shelved = &it
		out = append(out, f)
	}
	return out
}

// unshelve makes a fact that a model has filed one of this run, and takes it off the list.
func (p *planner) unshelve(f *fact) {
	p.takeItem(navigate.UnfiledPath, *f.shelved, "", byRules)
	f.shelved = nil
	p.facts = append(p.facts, f)
}

// shown is how a model knows a page: by its name under the root, where it lies there.
func (p *planner) shown(name vault.Path) vault.Path { return cmp.Or(p.r.where.Name(name), name) }

func (p *planner) dead(f *fact) bool {
	_, ok := p.tombs.Match(f.Text)
	return ok
}

func (p *planner) settled() int {
	return slice.Count(p.facts, func(f *fact) bool { return f.op != nil })
}

// maxStatement is the most bytes of a statement that a model may write, and of a summary.
const maxStatement = 1000

// accept checks one proposal and carries it out on the draft, or says why not. What a model says about facts is its judgement; what is
// checked is that nothing is lost and nothing is added: see [claim.Supports] and [claim.Veto]. On return op.Facts are those that it
// accounts for now.
func (p *planner) accept(op *Op) (why string) {
	if op.Page != "" {
		op.Page = p.r.where.At(op.Page)
	}
	facts, why := p.cited(op)
	op.Facts = nil
	if why != "" {
		return why
	}
	switch op.Kind {
	case CreatePage:
		return p.acceptPage(op)
	case MovePage:
		return p.acceptMove(op)
	case Drop:
		return p.acceptDrop(op, facts)
	}
	e, why := p.editing(op, facts)
	if why != "" {
		return why
	}
	done := 0
	if e.draft != nil {
		done = len(e.draft.ops)
	}
	if why = e.do(op); why != "" {
		return why
	}
	for _, o := range e.draft.ops[done:] {
		o.By = op.By
	}
	for _, f := range facts {
		if f.op == nil {
			continue
		}
		if !slices.Contains(e.settled, f) {
			e.group.facts = append(e.group.facts, f)
			op.Facts = append(op.Facts, Account{f.ID, f.line.Outcome})
			f.line.By = op.By
		}
		if f.shelved != nil {
			p.unshelve(f)
		}
	}
	return ""
}

// cited are the facts of a proposal: of this run, and not forgotten.
func (p *planner) cited(op *Op) ([]*fact, string) {
	var out []*fact
	for _, a := range op.Facts {
		f := p.byID[a.Fact]
		if f == nil || p.dead(f) || p.waits(f) != "" {
			return nil, fmt.Sprintf("there is no fact %q in this run", clipped(a.Fact))
		}
		if !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	return out, ""
}

func (p *planner) acceptDrop(op *Op, facts []*fact) string {
	for _, f := range facts {
		if !trivial(f.text, f.Section.Speaker) || f.op != nil || f.shelved != nil {
			return fmt.Sprintf("fact %s says something: it may not be dropped", f.ID)
		}
	}
	for _, f := range facts {
		p.drop(f, onlyCourtesy)
		op.Facts = append(op.Facts, Account{f.ID, Dropped})
	}
	return ""
}

// onlyCourtesy is why a [trivial] text goes to no page.
const onlyCourtesy = "only a courtesy"

// trivial tells a text that says nothing worth a page: a courtesy, in the words of whom it names as its speaker. "Dog: Buddy" names none.
func trivial(text, speaker string) bool {
	if _, words, ok := vault.CutQuote(text); ok {
		text = words
	} else if name, words, ok := strings.Cut(text, ": "); ok && lexis.Fold(name) == lexis.Fold(speaker) {
		text = words
	} else if name, words, ok := strings.Cut(text, " said "); ok && !strings.Contains(name, " ") && strings.Count(words, " ") < 2 {
		text = words
	}
	return extract.IsNoise(text)
}

// A wiki shows a model the zones as they will be, and nothing else of the vault. The model knows pages by their names under the root.
type wiki struct{ p *planner }

// ListPages implements [Wiki].
func (w wiki) ListPages(_ context.Context, zone string) ([]vault.Path, error) {
	var out []vault.Path
	for _, list := range w.p.groupPages {
		for _, name := range list {
			name = w.p.r.where.Name(name)
			if name != "" && (zone == "" || strings.HasPrefix(string(name), strings.TrimSuffix(zone, "/")+"/")) {
				out = append(out, name)
			}
		}
	}
	slices.Sort(out)
	return out, nil
}

// ReadPage implements [Wiki].
func (w wiki) ReadPage(_ context.Context, name vault.Path) ([]byte, error) {
	name = w.p.r.where.At(name)
	if !w.p.r.where.InZone(name) {
		return nil, fmt.Errorf("%q is not a page", clipped(string(name)))
	}
	d, err := w.p.current(name)
	if err != nil {
		return nil, err
	}
	return d.doc.Bytes(), nil
}

// Visible implements [Wiki].
func (w wiki) Visible(text string) string { return w.p.tombs.Visible(text) }

// Search implements [Wiki].
func (w wiki) Search(ctx context.Context, query string, k int) ([]string, error) {
	return w.p.r.o.Index.Search(ctx, query, k)
}

// Estimate tells what the next run would ask of the model, at most. Nothing is asked.
func (r *Runner) Estimate(ctx context.Context) (Estimate, error) {
	d, err := r.Decide(ctx, true)
	if err != nil {
		return Estimate{}, err
	}
	r = New(r.o) // apart from a run that may be under way
	r.o.Progress = nil
	facts, err := r.collect(ctx, "", d.Days)
	if err != nil {
		return Estimate{}, err
	}
	if r.o.Model == nil {
		return Estimate{Facts: len(facts)}, nil
	}
	p, err := r.newPlanner(ctx, "", vault.DayOf(r.o.Vault.Now()))
	if err != nil {
		return Estimate{}, err
	}
	p.take(facts)
	e := r.o.Model.Estimate(p.groups())
	e.Facts, e.Model = len(facts), r.o.Model.Name()
	if r.o.Budget != nil {
		if e.Budget, err = r.o.Budget(ctx); err != nil {
			return e, fmt.Errorf("reading the budget: %w", err)
		}
	}
	return e, nil
}

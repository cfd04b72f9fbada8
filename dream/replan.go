package dream

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/dream/navigate"
	"github.com/reverie-memory/reverie/vault"
)

// replan plans the facts of one page again, over the page as it is now; where it went, over wherever its facts belong now. With
// giveUp they wait in 0_Inbox/Unfiled.md.
func (r *Runner) replan(ctx context.Context, plan *Plan, i int, giveUp bool, why string) error {
	pp := plan.Pages[i]
	var ids []int
	for k := range plan.Ledger {
		if plan.Ledger[k].Page == pp.Path {
			ids = append(ids, k)
		}
	}
	p, err := r.newPlanner(ctx, plan.Run, vault.DayOf(plan.Started))
	if err != nil {
		return err
	}
	facts, err := r.reread(plan, ids)
	if err != nil {
		return err
	}
	if err := p.resume(ctx, plan, pp.Path, giveUp); err != nil {
		return err
	}
	p.take(facts, func(f *vault.Fact) bool { return f.Day <= plan.Was })
	if giveUp {
		for _, f := range p.facts {
			if p.dead(f) {
				p.drop(f, "forgotten while the run was under way")
				continue
			}
			p.unfiled(f, why)
		}
		p.notes = append(p.notes, fmt.Sprintf("%s could not be written (%s); its facts are in %s",
			pp.Path, why, r.where.At(navigate.UnfiledPath)))
	} else if err := p.rules(ctx, func() error { return p.carryOver(pp.Path, pp.Ops) }); err != nil {
		return err
	}
	fresh := &Plan{Was: plan.Was}
	p.fill(fresh)
	if err := p.verify(fresh); err != nil {
		return err
	}
	line := map[string]LedgerLine{}
	for _, l := range fresh.Ledger {
		line[string(l.Day)+l.Fact] = l
	}
	for _, k := range ids {
		l, ok := line[string(plan.Ledger[k].Day)+plan.Ledger[k].Fact]
		if !ok { // its line left the log meanwhile: a person took it out
			l = plan.Ledger[k]
			l.Outcome, l.Page, l.Reason, l.By = Dropped, "", "the line left the log while the run was under way", byPerson
		}
		plan.Ledger[k] = l
	}
	plan.Pages = slices.Concat(plan.Pages[:i:i], fresh.Pages, r.where.withoutItems(plan.Pages[i+1:], pp.Path))
	plan.Conflicts, plan.Drops = fresh.Conflicts, append(plan.Drops, fresh.Drops...)
	if p.mentioned {
		plan.Forgotten = ""
	}
	plan.Notes, plan.texts = append(plan.Notes, fresh.Notes...), fresh.texts
	plan.Counts.Replanned++
	if err := r.store.savePlan(plan); err != nil {
		return err
	}
	return r.keepImages(plan)
}

// resume takes up what a planner of one page has to know of the rest of the plan, and does over what people asked of that page.
// With giveUp that is left to the next run: their answers count as not read, and what was forgotten as not looked for.
func (p *planner) resume(ctx context.Context, plan *Plan, name vault.Path, giveUp bool) error {
	st, err := p.r.store.state()
	if err != nil {
		return err
	}
	var mine []openConflict
	d, err := p.load(name)
	if err != nil {
		d = nil
	}
	for _, c := range st.Conflicts {
		_, there := p.router.Dir.Get(c.Page)
		if c.Page == name || !there && d != nil && conflictID(d, c.Question) != "" { // under its new name
			mine = append(mine, c)
		}
	}
	for _, c := range plan.Conflicts {
		if c.Page != name {
			p.conflict = append(p.conflict, c)
		}
	}
	newlyForgotten := p.tombs.Version() != st.Forgotten
	if giveUp {
		plan.uncount(name, mine)
		p.conflict = append(p.conflict, mine...)
		p.mentioned = newlyForgotten
		return nil
	}
	if err := p.answers(mine); err != nil {
		return err
	}
	if newlyForgotten {
		if err := p.forgottenOn(ctx, []vault.Path{name}); err != nil {
			return err
		}
	}
	ids := make([]int, len(plan.Ledger))
	for i := range ids {
		ids[i] = i
	}
	facts, err := p.r.reread(plan, ids)
	if err != nil {
		return err
	}
	return p.revise(ctx, facts, []vault.Path{name})
}

// uncount takes out of the counts what people had asked of a page that is given up.
func (p *Plan) uncount(name vault.Path, open []openConflict) {
	for _, c := range open {
		if !slices.ContainsFunc(p.Conflicts, func(x openConflict) bool { return x.Page == c.Page && x.Question == c.Question }) {
			p.Counts.Settled--
		}
	}
	for i := range p.Pages {
		if p.Pages[i].Path != name {
			continue
		}
		for _, op := range p.Pages[i].Ops {
			if op.Kind == RemoveLine && op.Reason == forgot {
				p.Counts.Forgotten--
			}
		}
	}
}

// carryOver does again what facts of other pages of the group asked of a page: they are not planned again with it.
func (p *planner) carryOver(name vault.Path, ops []Op) error {
	for i := range ops {
		op := &ops[i]
		var err error
		switch {
		case op.Kind == AddStatement && op.About != "":
			err = p.addAgain(name, op)
		case op.Kind == Retitle:
			if group, gerr := p.groupOf(name); gerr == nil && group.draft(name) != nil && group.draft(name).closed == "" {
				_, err = group.draft(name).do(&Op{Kind: Retitle, Meta: op.Meta, By: op.By})
			}
		case op.Kind == Retire && op.About != "" && op.About != name:
			err = p.retireAgain(name, op)
		case op.Kind == AddStatement && op.Section == partsSection && len(op.Facts) == 0:
			err = p.addAgain(name, op)
		}
		if err != nil && !errors.Is(err, errPlace) && !errors.Is(err, errTarget) {
			return err
		}
	}
	return nil
}

// retireAgain finds the statement by its words, which may be those of a fact that was filed just now.
func (p *planner) retireAgain(name vault.Path, op *Op) error {
	group, err := p.groupOf(name)
	if err != nil {
		return err
	}
	d := group.draft(name)
	if d == nil || d.closed != "" {
		return nil
	}
	for _, st := range d.doc.Statements() {
		if st.Text != op.Was || st.History || st.Callout {
			continue
		}
		again := &Op{Kind: Retire, Target: st.ID, Was: op.Was, Note: op.Note, About: op.About, By: op.By}
		if _, err := d.do(again); err != nil {
			return err
		}
		for _, f := range group.facts {
			if f.line.Page == name && f.line.Outcome == Kept && slices.Contains(st.Sources, f.source) {
				f.account(Superseded, name, again, op.Note)
			}
		}
		p.reindex(group, d)
		return nil
	}
	return nil
}

// addAgain adds a line that no fact of this run accounts for: a link to an overflow page, or what was moved here.
func (p *planner) addAgain(name vault.Path, op *Op) error {
	group, err := p.groupOf(name)
	if err != nil {
		return err
	}
	d := group.draft(name)
	if d == nil || d.closed != "" || strings.Contains(string(d.doc.Bytes()), op.Text) {
		return nil
	}
	again := *op
	_, err = d.do(&again)
	return err
}

// withoutItems leaves out the list items that were planned for a page.
func (w places) withoutItems(pages []PagePlan, about vault.Path) []PagePlan {
	out := slices.Clone(pages)
	for i := range out {
		if w.isList(out[i].Path) {
			out[i].Ops = slices.DeleteFunc(slices.Clone(out[i].Ops), func(op Op) bool { return op.About == about })
		}
	}
	return out
}

// reread gives the facts of ledger lines as the logs have them now.
func (r *Runner) reread(plan *Plan, ids []int) ([]vault.Fact, error) {
	logs := newLogCache(r.o.Vault)
	var out []vault.Fact
	for _, k := range ids {
		f, ok, err := logs.fact(plan.Ledger[k].source())
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, f)
		}
	}
	return out, nil
}

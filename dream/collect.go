package dream

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/dream/merge"
	"github.com/reverie-memory/reverie/dream/navigate"
	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/vault"
)

// plan makes the plan of a run in memory. For a dry run diff shows what would change.
func (r *Runner) plan(
	ctx context.Context, run string, now time.Time, d Decision, st state, q Request,
) (plan *Plan, diff string, err error) {
	mark, _, err := r.o.Vault.Watermark()
	if err != nil {
		return nil, "", fmt.Errorf("reading the watermark: %w", err)
	}
	plan = &Plan{
		Version: planVersion, Run: run, Started: now.UTC(), Mode: d.Mode, Skip: d.Skip, Days: d.Days, Was: mark, Watermark: mark,
		Pages: []PagePlan{}, Ledger: []LedgerLine{}, Forgotten: st.Forgotten, Known: st.Conflicts, Conflicts: st.Conflicts,
	}
	if len(d.Days) > 0 && plan.Watermark >= vault.DayOf(now) { // a wrong clock or a slip of the pen: the days that were read count
		plan.Watermark = ""
	}
	for _, day := range d.Days {
		plan.Watermark = max(plan.Watermark, day)
	}
	facts, err := r.collect(ctx, run, d.Days)
	if err != nil {
		return nil, "", err
	}
	facts = q.Batch.of(facts)
	r.progress(run, "plan", 0, len(facts), "facts")
	p, err := r.newPlanner(ctx, run, vault.DayOf(now))
	if err != nil {
		return nil, "", err
	}
	if q.DryRun {
		var b strings.Builder
		defer func() { diff = b.String() }()
		p.preview = func(name vault.Path, before, after []byte) {
			b.WriteString(merge.Unified(string(name), before, after))
		}
	}
	if d.Skip {
		p.skip(facts)
		p.fill(plan)
		return plan, diff, nil
	}
	if err := p.prepare(ctx, st, facts); err != nil {
		return nil, "", err
	}
	plan.Forgotten = p.tombs.Version()
	if q.Model == nil {
		q.Model = r.o.Model
	}
	if q.Model != nil && len(p.facts) > 0 {
		plan.Model = p.propose(ctx, q.Model)
	}
	if err := p.rules(ctx); err != nil {
		return nil, "", err
	}
	p.fill(plan)
	return plan, diff, p.verify(plan)
}

// prepare brings the pages to where facts can be filed, after what people asked of them since the last run, and takes the facts.
func (p *planner) prepare(ctx context.Context, st state, facts []vault.Fact) error {
	if err := p.answers(st.Conflicts); err != nil {
		return fmt.Errorf("carrying out answers: %w", err)
	}
	ticked, err := p.confirm()
	if err != nil {
		return err
	}
	if p.tombs.Version() != st.Forgotten && !p.tombs.Empty() {
		if err := p.forgotten(ctx); err != nil {
			return fmt.Errorf("taking what was forgotten off the pages: %w", err)
		}
	}
	if err := p.revise(ctx, facts); err != nil {
		return fmt.Errorf("following what changed in the logs: %w", err)
	}
	p.take(append(ticked, facts...))
	return nil
}

// collect reads the facts of the batch that no run has dealt with, in the order in which they were said, each where its drawer hangs
// now. Those of isolated projects are not among them.
func (r *Runner) collect(ctx context.Context, run string, days []vault.Day) ([]vault.Fact, error) {
	known, err := r.o.Vault.Accounted()
	if err != nil {
		return nil, fmt.Errorf("reading the ledgers: %w", err)
	}
	skipped, err := r.store.skipped()
	if err != nil {
		return nil, fmt.Errorf("reading what was skipped: %w", err)
	}
	isolated, err := r.o.Isolated()
	if err != nil {
		return nil, err
	}
	moved := r.o.Moved()
	var out []vault.Fact
	for i, day := range days {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r.progress(run, "collect", i, len(days), "days")
		name := vault.LogPath(day)
		data, err := r.o.Vault.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("reading the facts of %s: %w", day, err)
		}
		from := len(out)
		for _, f := range vault.ParseLog(name, data).Facts {
			moved.Hang(&f.Section)
			if !known.Covers(&f) && !skipped.Has(&f) && isolated.Around(f.Section.Wing) == "" {
				out = append(out, f)
			}
		}
		slices.SortStableFunc(out[from:], func(a, b vault.Fact) int { return a.Section.At.Compare(b.Section.At) })
	}
	return out, nil
}

// skip lists the facts of a batch that is given up.
func (p *planner) skip(facts []vault.Fact) {
	p.take(facts)
	for _, f := range p.facts {
		if p.buried(f) {
			continue
		}
		p.list(&Op{
			Kind: AddItem, Page: p.r.where.At(navigate.SkippedPath), Text: f.text, Plain: true, By: byRules, Sources: []page.Source{f.source},
			Reason: "its batch failed too often",
		})
	}
}

// listPlan is the part of the plan for a list. Its hash only tells whether the list was there: see [Runner.applyPage].
func (p *planner) listPlan(name vault.Path) PagePlan {
	pp := PagePlan{Path: name, Ops: append(p.lists[name], p.labels(p.lists[name])...)}
	data, err := p.r.o.Vault.ReadFile(name)
	if err == nil {
		pp.Before = vault.HashOf(data)
	}
	if p.preview != nil {
		if after, err := p.r.where.applyList(name, data, pp.Ops); err == nil {
			p.preview(name, data, after)
		}
	}
	return pp
}

func boolInt(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// fill puts what was planned into the plan: pages in their order, lists last.
func (p *planner) fill(plan *Plan) {
	late := func(pp *PagePlan) int { return boolInt(pp.loses() || pp.taken()) } // lines and pages go when they stand elsewhere
	slices.SortStableFunc(p.pages, func(a, b PagePlan) int {
		return cmp.Or(cmp.Compare(late(&a), late(&b)), cmp.Compare(a.Path, b.Path))
	})
	plan.Pages = append(plan.Pages, p.pages...)
	for _, name := range slices.Sorted(maps.Keys(p.lists)) {
		plan.Pages = append(plan.Pages, p.listPlan(name))
	}
	plan.Drops = append(plan.Drops, p.drops...)
	for _, f := range p.facts {
		if plan.Skip && f.op == nil { // it stays as it is
			continue
		}
		plan.Ledger = append(plan.Ledger, f.line)
	}
	if p.mentioned {
		plan.Forgotten = ""
	}
	plan.Counts.Settled += p.counts.Settled
	plan.Counts.Forgotten += p.counts.Forgotten
	plan.Notes = append(plan.Notes, p.notes...)
	plan.texts = append(plan.texts, p.texts...)
	plan.gone = p.gone
	if !plan.Skip {
		plan.Conflicts = slices.DeleteFunc(slices.Clone(p.conflict), func(c openConflict) bool { return c.done })
	}
}

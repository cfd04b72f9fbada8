package dream

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/reverie-memory/reverie/dream/navigate"
	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/vault"
)

// Sizes of the recall gate.
const (
	maxProbes      = 48
	gateTolerance  = 0.1 // share of the probes found before whose loss is noise
	gateToleranceN = 2   // and so many in any case
)

// recallGate asks for a sample of the consumed facts, among the log lines and among the pages, and where the pages answer worse for all of
// them. A fact that only its log line answers for keeps that line in search.
func (r *Runner) recallGate(ctx context.Context, plan *Plan) (*RecallGate, error) {
	g, err := r.probe(ctx, plan, maxProbes)
	if err != nil || float64(g.Before-g.After) <= max(gateToleranceN, gateTolerance*float64(g.Before)) {
		return g, err
	}
	return r.probe(ctx, plan, len(plan.Ledger))
}

// probe asks for at most so many facts.
func (r *Runner) probe(ctx context.Context, plan *Plan, most int) (*RecallGate, error) {
	probes, of, err := r.probes(plan, most)
	if err != nil {
		return nil, err
	}
	g := &RecallGate{Probes: len(probes)}
	if len(probes) == 0 {
		return g, nil
	}
	r.progress(plan.Run, "gate", 0, len(probes), "questions")
	before, err := r.o.Index.Finds(ctx, false, probes)
	if err != nil {
		return nil, err
	}
	after, err := r.o.Index.Finds(ctx, true, probes)
	if err != nil {
		return nil, err
	}
	for i, l := range of {
		if before[i] {
			g.Before++
		}
		if after[i] {
			g.After++
		}
		l.Indexed = before[i] && !after[i]
	}
	r.progress(plan.Run, "gate", len(probes), len(probes), "questions")
	return g, nil
}

// probes are facts from all over the run that went to a content page, each with the line that tells it there and that of the ledger.
func (r *Runner) probes(plan *Plan, most int) (out []Probe, of []*LedgerLine, err error) {
	var on []int
	for i := range plan.Ledger {
		if l := &plan.Ledger[i]; l.Page != "" && !r.where.isList(l.Page) && l.Outcome != Dropped {
			on = append(on, i)
		}
	}
	step := max(1, len(on)/max(1, most))
	logs := newLogCache(r.o.Vault)
	lines := map[vault.Path]map[page.Source]string{}
	for k := 0; k < len(on) && len(out) < most; k += step {
		l := &plan.Ledger[on[k]]
		f, ok, err := logs.fact(l.source())
		if err != nil {
			return nil, nil, err
		}
		if !ok {
			continue
		}
		if lines[l.Page] == nil {
			if lines[l.Page], err = r.statements(l.Page); err != nil {
				return nil, nil, err
			}
		}
		of = append(of, l)
		out = append(out, Probe{Fact: l.Fact, Text: f.Text, Page: l.Page, Line: lines[l.Page][l.source()]})
	}
	return out, of, nil
}

// statements are the texts of a page by their sources.
func (r *Runner) statements(p vault.Path) (map[page.Source]string, error) {
	data, err := r.o.Vault.ReadFile(p)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	out := map[page.Source]string{}
	for _, st := range page.Parse(p, data).Statements() {
		for _, s := range st.Sources {
			out[s] = st.Text
		}
	}
	return out, nil
}

// finish makes the run count: ledger, navigation files, the journal with its watermark, and last the mark that the facts are
// accounted for. Each step may be done twice.
func (r *Runner) finish(ctx context.Context, plan *Plan, rep *Report) error {
	r.progress(plan.Run, "navigate", 0, 3, "files")
	if err := r.store.saveLedger(plan); err != nil {
		return fmt.Errorf("writing the ledger: %w", err)
	}
	if err := r.leaveInSearch(ctx, plan, rep); err != nil {
		return err
	}
	noted := len(plan.Notes)
	if err := r.navigation(ctx, plan); err != nil {
		return err
	}
	rep.Conflicts, rep.Notes = len(plan.Conflicts), slices.Concat(rep.Notes, plan.Notes[noted:])
	if err := r.journal(entryOf(plan, rep)); err != nil {
		return err
	}
	st, err := r.store.state()
	if err != nil {
		return err
	}
	st.Batch, st.Failures, st.LastError = "", 0, ""
	st.Forgotten, st.Conflicts = plan.Forgotten, plan.Conflicts
	if err := r.store.saveState(st); err != nil {
		return err
	}
	rep.Seconds, rep.Phases = r.o.Vault.Now().Sub(plan.Started).Seconds(), r.phases()
	if err := r.store.saveReport(rep); err != nil {
		return err
	}
	if err := r.store.mark(plan.Run, vault.DoneMark); err != nil {
		return fmt.Errorf("marking the run as done: %w", err)
	}
	if err := r.prune(ctx); err != nil {
		rep.Notes = append(rep.Notes, "copies of older runs were not dropped: "+err.Error())
	}
	paths := []vault.Path{
		r.where.At(vault.JournalPath), vault.InnerJournalPath,
		r.where.At(vault.IndexPath), vault.MemoryPath, runPath(plan.Run, vault.DoneMark),
	}
	r.gone.settled(plan.gone)
	if err := r.o.Index.Sync(ctx, paths...); err != nil {
		return fmt.Errorf("the run is done, but the index did not follow yet: %w", err)
	}
	return nil
}

// leaveInSearch notes which facts keep their rows: those wait for no run.
func (r *Runner) leaveInSearch(ctx context.Context, plan *Plan, rep *Report) error {
	var recs []skippedFact
	for i := range plan.Ledger {
		if l := &plan.Ledger[i]; l.Indexed {
			recs = append(recs, skippedFact{l.Fact, l.Day, plan.Run, l.Version})
		}
	}
	if len(recs) == 0 {
		return nil
	}
	rep.Notes = append(rep.Notes,
		fmt.Sprintf("search finds %d facts by their lines in the logs and not by the pages, so those lines stay in search as well", len(recs)))
	if err := skippedFacts.Append(ctx, r.o.Vault, recs...); err != nil {
		return fmt.Errorf("noting what stays in search: %w", err)
	}
	return nil
}

func entryOf(plan *Plan, rep *Report) navigate.Entry {
	e := navigate.Entry{
		At: plan.Started, Run: plan.Run, Watermark: rep.Watermark, Days: len(plan.Days), Facts: rep.Facts,
		Skipped: plan.Skip, Settled: plan.Counts.Settled, Forgotten: plan.Counts.Forgotten,
	}
	for _, o := range Outcomes() {
		e.Outcomes = append(e.Outcomes, navigate.Count{Name: string(o), N: rep.Ledger[o]})
	}
	for _, pc := range rep.Pages {
		if pc.Change == created {
			e.Created++
		} else {
			e.Updated++
		}
	}
	return e
}

// journal appends an entry to log.md, unless the run's entry of that kind stands there already. People may edit the file: what
// they wrote stays, and a deleted journal begins anew with this entry.
func (r *Runner) journal(e navigate.Entry) error {
	for range 5 {
		at, data, err := vault.FindJournal(r.where.Layout, r.o.Vault.ReadFile)
		var want vault.Hash
		switch {
		case err != nil:
			return fmt.Errorf("reading the journal: %w", err)
		case data == nil:
			data = []byte("# Log\n")
		default:
			want = vault.HashOf(data)
		}
		if journalHas(data, e) {
			return nil
		}
		err = r.o.Vault.Replace(at, navigate.AppendEntry(data, e), want)
		if !errors.Is(err, vault.ErrChanged) {
			if err != nil {
				return fmt.Errorf("writing the journal: %w", err)
			}
			return nil
		}
	}
	return fmt.Errorf("writing the journal: %w", vault.ErrChanged)
}

func journalHas(data []byte, e navigate.Entry) bool {
	title := "dream " + e.Run
	if e.Undo {
		title = "undo of " + e.Run
	}
	return slices.ContainsFunc(vault.ParseJournal(data).Entries, func(x vault.JournalEntry) bool { return x.Title == title })
}

// skip gives a batch up: its facts stay indexed and are listed for a person, and the watermark passes them.
func (r *Runner) skip(ctx context.Context, plan *Plan) (Report, error) {
	rep := plan.report(SkippedBatch)
	var recs []skippedFact
	logs := newLogCache(r.o.Vault)
	for i := range plan.Pages {
		for _, op := range plan.Pages[i].Ops {
			for _, s := range op.Sources {
				f, _, err := logs.fact(s)
				if err != nil {
					return rep, err
				}
				recs = append(recs, skippedFact{s.ID, s.Day, plan.Run, f.Version()})
			}
		}
	}
	rep.Facts = len(recs) + len(plan.Ledger)
	if err := r.store.savePlan(plan); err != nil {
		return rep, err
	}
	if err := r.keepImages(plan); err != nil {
		return rep, err
	}
	if _, err := r.applyPages(ctx, plan); err != nil {
		return rep, err
	}
	if err := skippedFacts.Append(ctx, r.o.Vault, recs...); err != nil {
		return rep, fmt.Errorf("noting what was skipped: %w", err)
	}
	rep.Notes = append(rep.Notes,
		fmt.Sprintf("the batch failed too often; its facts are still found by search and listed in %s", r.where.At(navigate.SkippedPath)))
	return rep, r.finish(ctx, plan, &rep)
}

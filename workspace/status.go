package workspace

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/llm"
	"github.com/reverie-memory/reverie/vault"
)

// shownProblems is how many lines that were not understood the status lists.
const shownProblems = 100

// Status describes the workspace.
func (w *Workspace) Status(ctx context.Context) (api.Status, error) {
	late := w.settle(ctx)
	r := w.index.Reader()
	counts, drawers, wings, rooms := r.Counts(ctx)
	st := r.Status()
	in := w.intake.Counts()
	mark, problems, merr := w.vault.Watermark()
	dreaming, err := w.dreams.status(ctx)
	if cerr := ctx.Err(); cerr != nil {
		return api.Status{}, cerr
	}
	e := w.models.embedder
	out := api.Status{
		Version: w.opt.Version, Workspace: w.opt.Name, Vault: w.opt.Vault,
		Engine: w.engine.name, EngineNote: w.engine.note, EnginesBuilt: EnginesBuilt(),
		Embedder:  api.Embedder{Name: e.Name(), Dim: e.Dim(), Fingerprint: e.Fingerprint()},
		Extractor: w.models.extractor.Name(),
		Rows:      map[string]int{}, Drawers: drawers, Wings: wings, Rooms: rooms,
		FactsPending: dreaming.Pending, Watermark: string(mark),
		Intake: api.Intake(in),
		Index: api.Index{
			Generation: st.Generation, Fragments: st.Fragments, Bytes: st.Bytes, StaleFiles: st.StaleFiles, Pending: st.Pending,
		},
		Dream:    dreaming,
		Problems: []api.FileProblem{},
		Degraded: uniq(w.degraded()),
	}
	if err = cmp.Or(merr, err); err != nil {
		out.Degraded = append(out.Degraded, "dream: what waits cannot be told: "+err.Error())
	}
	if late != "" {
		out.Degraded = append(out.Degraded, late)
	}
	for k, n := range counts {
		out.Rows[string(k)] = n
	}
	for _, p := range append(problems, w.index.Problems()...) {
		if len(out.Problems) == shownProblems {
			break
		}
		out.Problems = append(out.Problems, api.FileProblem{File: string(p.Path), Line: p.Line, Reason: p.Reason, Hint: p.Hint})
	}
	return out, nil
}

// degraded lists every reason why answers are worse than usual.
func (w *Workspace) degraded() []string {
	out := append(w.index.Degraded(), w.models.degraded()...)
	if err := w.vault.Writable(); err != nil {
		out = append(out, "vault: nothing can be written: "+err.Error()+"; "+vault.Advice(err))
	}
	if why := w.intake.Degraded(); why != "" {
		out = append(out, why)
	}
	if why := w.watcher.Degraded(); why != "" {
		out = append(out, why)
	}
	if p := w.failed.Load(); p != nil {
		out = append(out, "background: "+(*p).Error())
	}
	return out
}

// usageLines is how many lines of the ledger the usage lists.
const usageLines = 400

// Usage tells what models cost in this workspace.
func (w *Workspace) Usage(ctx context.Context) (api.Usage, error) {
	u := api.Usage{Days: []api.UsageDay{}, Ledger: string(statePath(llm.UsageFile))}
	var err error
	if u.Today, u.Daily, err = w.models.budget.Spent(ctx); err != nil {
		return u, fmt.Errorf("read the usage of models: %w", err)
	}
	days, err := w.models.ledger.Days(ctx)
	if err != nil {
		return u, fmt.Errorf("read the usage of models: %w", err)
	}
	for _, d := range slices.Backward(days) {
		if len(u.Days) == usageLines {
			break
		}
		u.Days = append(u.Days, api.UsageDay(d))
	}
	return u, nil
}

// Verify compares the index with a rebuild from the files.
func (w *Workspace) Verify(ctx context.Context) (api.VerifyResult, error) {
	if err := w.WaitReady(ctx); err != nil {
		return api.VerifyResult{}, err
	}
	v, err := w.index.Verify(ctx)
	if err != nil {
		return api.VerifyResult{}, err
	}
	return api.VerifyResult{
		Rows: v.Rows, Missing: v.Missing, Stale: v.Stale, Vectors: v.VectorsWrong, Details: list(v.Details), OK: v.OK(),
	}, nil
}

package operations

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/capture"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/llm"
	"github.com/reverie-memory/reverie/vault"
	"github.com/reverie-memory/reverie/workspace"
)

// shownProblems is how many lines that were not understood the status lists.
const shownProblems = 100

// Status describes the workspace.
func (m Memory) Status(ctx context.Context) (api.Status, error) {
	late := m.Follower.Settle(ctx)
	r := m.Index.Reader()
	counts, drawers, wings, rooms := r.Counts(ctx)
	st := r.Status()
	in := m.Intake.Counts()
	mark, problems, merr := m.Vault.Watermark()
	dreaming, err := m.dreaming(ctx)
	if cerr := ctx.Err(); cerr != nil {
		return api.Status{}, cerr
	}
	opt, engine, e := m.Options, m.Engine, m.Models.Embedder
	hosts := m.Capture.Survey() // as doctor, and before what is degraded is told from it
	out := api.Status{
		Version: opt.Version, Workspace: opt.Name, Vault: opt.Vault,
		Engine: engine.Name, EngineNote: engine.Note, EnginesBuilt: workspace.EnginesBuilt(),
		Embedder:  api.Embedder{Name: e.Name(), Dim: e.Dim(), Fingerprint: e.Fingerprint()},
		Extractor: m.Models.Extractor.Name(), Model: m.model(ctx),
		Rows: map[string]int{}, Drawers: drawers, Wings: wings, Rooms: rooms,
		FactsPending: dreaming.Pending, Watermark: string(mark),
		Intake: api.Intake(in),
		Index: api.Index{
			Generation: st.Generation, Fragments: st.Fragments, Bytes: st.Bytes, StaleFiles: st.StaleFiles, Pending: st.Pending,
		},
		Dream:    dreaming,
		Capture:  captureHosts(hosts),
		Problems: []api.FileProblem{},
		Degraded: uniq(m.Degraded()),
	}
	if err = cmp.Or(merr, err); err != nil {
		out.Degraded = append(out.Degraded, "dream: what waits cannot be told: "+err.Error())
	}
	if late != "" {
		out.Degraded = append(out.Degraded, late)
	}
	asking, err := m.asking()
	if err != nil {
		asking = append(asking, "project: "+err.Error())
	}
	out.Degraded = append(out.Degraded, asking...)
	if view, verr := m.Searches.Of("", ""); verr != nil {
		out.Degraded = append(out.Degraded, verr.Error())
	} else if len(view.Isolated) > 0 {
		logs := catalog.Filter{Source: []catalog.SourceType{catalog.ArchiveLog}}
		all := r.Count(logs)
		logs.View = &view
		out.FactsAside = all - r.Count(logs)
	}
	for k, n := range counts {
		out.Rows[string(k)] = n
	}
	for _, p := range append(problems, m.Index.Problems()...) {
		if len(out.Problems) == shownProblems {
			break
		}
		out.Problems = append(out.Problems, m.problem(p))
	}
	return out, nil
}

// Degraded lists every reason why answers are worse than usual.
func (m Memory) Degraded() []string {
	out := append(m.Index.Degraded(), m.Models.Degraded()...)
	if err := m.Vault.Writable(); err != nil {
		out = append(out, "vault: nothing can be written: "+err.Error()+"; "+vault.Advice(err))
	}
	if why := m.Intake.Degraded(); why != "" {
		out = append(out, why)
	}
	out = append(out, m.Mining.Degraded()...)
	out = append(out, m.Follower.Degraded()...)
	for _, h := range m.Capture.Status() {
		for _, p := range h.Problems(true) {
			out = append(out, "capture: "+p.Text)
		}
	}
	return out
}

// model describes the chat model; nil where there is none.
func (m Memory) model(ctx context.Context) *api.Model {
	is := m.Models.Model()
	if is.Name == "" {
		return nil
	}
	out := &api.Model{Name: is.Name, Program: is.Program, Problem: is.Problem}
	var err error
	if out.Today, out.Daily, err = m.Models.Budget.Spent(ctx); err != nil {
		out.Problem = cmp.Or(out.Problem, "what it cost today cannot be read, so it is not asked: "+err.Error())
	}
	return out
}

// usageLines is how many lines of the ledger the usage lists.
const usageLines = 400

// Usage tells what models cost in this workspace.
func (m Memory) Usage(ctx context.Context) (api.Usage, error) {
	u := api.Usage{Days: []api.UsageDay{}, Ledger: vault.StateDir + "/" + llm.UsageFile}
	var err error
	if u.Today, u.Daily, err = m.Models.Budget.Spent(ctx); err != nil {
		return u, fmt.Errorf("read the usage of models: %w", err)
	}
	days, err := m.Models.Ledger.Days(ctx)
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

// dreaming tells how consolidation stands. Of what is still being read more may be pending.
func (m Memory) dreaming(ctx context.Context) (api.Dream, error) {
	st, err := m.Consolidation.Status(ctx)
	if err != nil {
		return api.Dream{}, err
	}
	if m.Follower.Ready() != nil {
		st.Reasons = append(st.Reasons, "the files are still being read: more may be pending")
	}
	out := api.Dream{
		Enabled: m.Options.Config.Consolidation.Enabled, NextCheck: rfc(st.Check), Gate: list(st.Reasons), Open: st.Run,
		Pending: st.Pending, FactsToday: st.Today,
		LastAttempt: rfc(st.LastAttempt), LastError: st.LastError, Failures: st.Failed.Times,
		Totals: api.DreamTotals{
			Runs: st.Totals.Runs, Facts: ledger(st.Totals.Facts), Seconds: st.Totals.Seconds, Tokens: st.Totals.Tokens,
			Success: rfc(st.Totals.Success),
		},
	}
	for _, day := range st.Days {
		out.NextDays = append(out.NextDays, string(day))
	}
	if !st.Run {
		out.OpensAt = rfc(st.Next)
	}
	if p := st.Running; p != nil {
		out.Running = &api.DreamProgress{RunID: p.Run, JobID: st.Job, Phase: p.Phase, Done: p.Done, Total: p.Total, Unit: p.Unit}
	}
	if h := st.Held; h != nil {
		out.Steps = &api.DreamHeld{Run: h.Run, Agent: h.By, Until: rfc(h.Until)}
	}
	if st.Newest != nil {
		last, err := m.consolidation(ctx, *st.Newest)
		if err != nil {
			return out, err
		}
		out.LastRun, out.LastReport = last.Started, &last
	}
	return out, nil
}

// rfc writes a time for a program; "" for the zero time.
func rfc(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// captureHosts are those that were set up, and those with transcripts.
func captureHosts(hosts []capture.Host) []api.CaptureHost {
	out := []api.CaptureHost{}
	for _, h := range hosts {
		if h.Files == 0 && h.Since.IsZero() {
			continue
		}
		c := api.CaptureHost{
			Host: h.Name, Folders: list(h.Folders), Files: h.Files, Since: rfc(h.Since), LastHook: rfc(h.LastHook), Behind: h.Behind,
			Broken: h.Broken, Problems: []string{},
		}
		for _, p := range h.Problems(true) {
			c.Problems = append(c.Problems, p.Text+"; "+p.Mend)
		}
		out = append(out, c)
	}
	return out
}

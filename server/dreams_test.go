package server

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/api"
)

func (f *fake) Consolidate(ctx context.Context, c api.Consolidate) (api.Consolidation, error) {
	err := f.call("consolidate")
	if f.dream != nil {
		close(f.dream)
		<-ctx.Done()
		return api.Consolidation{}, &api.Error{Code: api.Conflict, Detail: "cancelled", Err: ctx.Err()}
	}
	r := api.Consolidation{Status: "consolidated", Days: []string{}, Pages: []api.PageChange{}}
	if c.DryRun {
		r.Status = "planned"
	}
	return r, err
}

func (f *fake) Dreams(_ context.Context, p api.Page) (api.DreamRuns, error) {
	return api.DreamRuns{Runs: []api.Consolidation{}, Total: p.Offset + p.Limit}, f.call("dreams")
}

func (f *fake) Dream(_ context.Context, q api.DreamQuery) (api.DreamDetail, error) {
	d := api.DreamDetail{Changes: []api.DreamChange{}, Facts: []api.FactOutcome{{Fact: q.Fact}}}
	d.Report.RunID, d.ChangesAll, d.FactsAll = q.ID, q.Limit, q.Offset
	return d, f.call("dream")
}

func (f *fake) UndoDream(_ context.Context, r api.DreamRun) (api.UndoResult, error) {
	return api.UndoResult{RunID: r.ID, Restored: []string{}, Kept: []string{}}, f.call("undo")
}

func (f *fake) CancelDream(context.Context) (api.DreamCancelled, error) {
	return api.DreamCancelled{RunID: "r-1"}, f.call("cancel")
}

func (f *fake) Lint(context.Context, api.LongPage) (api.LintResult, error) {
	return api.LintResult{Findings: []api.LintFinding{}, Kinds: map[string]int{}}, f.call("lint")
}

// The answer of consolidate is a contract: the ledger names all seven outcomes, and lists are never null.
func TestConsolidateAnswers(t *testing.T) {
	s, _, _ := twoTenants()
	got := request(s.Handler(), "POST", "/memory/consolidate", "token-a", `{"dry_run":true}`, nil)
	if got.Code != http.StatusOK {
		t.Fatalf("status %d: %s", got.Code, got.Body)
	}
	for _, want := range []string{
		`"run_id":`, `"status":"planned"`, `"days":[]`, `"facts":0`, `"pages":[]`, `"watermark":`, `"seconds":`,
		`"kept":0`, `"merged":0`, `"superseded":0`, `"duplicate":0`, `"conflict":0`, `"dropped":0`, `"unfiled":0`,
	} {
		if !strings.Contains(got.Body.String(), want) {
			t.Errorf("no %s in %s", want, got.Body)
		}
	}
}

func TestDreamPaths(t *testing.T) {
	s, _, _ := twoTenants()
	for _, tt := range []struct{ method, path, want string }{
		{"GET", "/memory/dreams/latest", `"run_id":"latest"`},
		{"GET", "/memory/dreams/r-7?fact=f1", `"run_id":"r-7"`},
		{"GET", "/memory/dreams/r-7?fact=f1", `"fact":"f1"`},
		{"GET", "/memory/dreams/r-7?limit=5&offset=2", `"changes_total":5`},
		{"GET", "/memory/dreams/r-7?limit=5&offset=2", `"facts_total":2`},
		{"POST", "/memory/dreams/latest/undo", `"run_id":"latest"`},
		{"POST", "/memory/dreams/r-7/undo", `"run_id":"r-7"`},
		{"GET", "/memory/dreams", `"total":50`},
		{"GET", "/memory/dreams?limit=5&offset=2", `"total":7`},
	} {
		if got := request(s.Handler(), tt.method, tt.path, "token-a", "", nil); got.Code != 200 || !strings.Contains(got.Body.String(), tt.want) {
			t.Errorf("%s %s: status %d, want %s: %s", tt.method, tt.path, got.Code, tt.want, got.Body)
		}
	}
}

func TestDreamMetrics(t *testing.T) {
	s, a, _ := twoTenants()
	a.status.FactsPending = 4
	a.status.Dream.Totals = api.DreamTotals{
		Runs: map[string]int{"consolidated": 2, "failed": 1}, Facts: api.Ledger{Kept: 30, Unfiled: 1}, Seconds: 1.5, Tokens: 12,
		Success: "2026-06-10T03:00:00Z",
	}
	got := request(s.Handler(), "GET", "/metrics", "token-a", "", nil).Body.String()
	for _, want := range []string{
		`reverie_dream_runs_total{status="consolidated",workspace="a"} 2`, `reverie_dream_runs_total{status="failed",workspace="a"} 1`,
		`reverie_dream_facts_total{outcome="kept",workspace="a"} 30`, `reverie_dream_facts_total{outcome="merged",workspace="a"} 0`,
		`reverie_dream_seconds_sum{workspace="a"} 1.5`, `reverie_dream_seconds_count{workspace="a"} 3`,
		`reverie_dream_model_tokens_total{workspace="a"} 12`, `reverie_dream_pending_facts{workspace="a"} 4`,
		`reverie_dream_last_success_timestamp_seconds{workspace="a"} 1.7810604e+09`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s", want)
		}
	}
	if other := request(s.Handler(), "GET", "/metrics", "token-b", "", nil).Body.String(); strings.Contains(other,
		`outcome="kept",workspace="a"`) {
		t.Error("b sees a's dreams")
	}
}

// A daemon that ends does not wait for a dream: what is planned is gone on with later.
func TestCloseCancelsADream(t *testing.T) {
	s, a, _ := twoTenants()
	a.dream = make(chan struct{})
	if err := s.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	answer := make(chan error, 1)
	go func() {
		req, err := http.NewRequest("POST", "http://"+s.Addr()+"/memory/consolidate", strings.NewReader(`{}`))
		if err != nil {
			answer <- err
			return
		}
		req.Header.Set("Authorization", "Bearer token-a")
		req.Header.Set("Content-Type", "application/json")
		tr := &http.Transport{}
		defer tr.CloseIdleConnections()
		resp, err := (&http.Client{Transport: tr}).Do(req)
		if err == nil {
			resp.Body.Close()
		}
		answer <- err
	}()
	<-a.dream
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := s.Close(ctx); err != nil {
		t.Error(err)
	}
	if err := <-answer; err != nil {
		t.Errorf("the client got no answer: %v", err)
	}
}

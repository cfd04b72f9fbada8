package workspace_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/llm/llmtest"
	"github.com/reverie-memory/reverie/operations"
)

// withDreamer makes a workspace with a model for dreams, and three facts of a past day.
func withDreamer(t *testing.T, daily int) (operations.Memory, *llmtest.Server, []string) {
	t.Helper()
	s := llmtest.New(t)
	w := open(t, func(c *config.Config) {
		c.LLM.Provider, c.LLM.BaseURL, c.LLM.Model, c.LLM.DailyTokenBudget = "openai", s.URL+"/v1", "extractor", daily
		c.Consolidation.Model = "dreamer"
	})
	at := time.Date(2026, 6, 9, 14, 32, 0, 0, time.UTC)
	f, err := w.WriteFacts(t.Context(), api.Facts{Wait: "indexed", Facts: []api.NewFact{
		{Content: "Alice repairs clocks in Ghent", At: &at},
		{Content: "Alice repairs old clocks in Ghent", At: &at},
		{Content: "Alice rows at dawn", At: &at},
	}})
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, ref := range f.Facts {
		ids = append(ids, ref.ID)
	}
	return w, s, ids
}

func TestAModelDreams(t *testing.T) {
	w, s, ids := withDreamer(t, 1_000_000)
	r, err := w.Consolidate(t.Context(), api.Consolidate{Estimate: true})
	if err != nil || r.Estimate == nil || !strings.Contains(r.Estimate.Model, "dreamer") || r.Estimate.Calls == 0 ||
		r.Estimate.Budget != 1_000_000 || len(s.Requests()) > 0 {
		t.Fatalf("estimate %+v: %v", r.Estimate, err)
	}
	plan, err := w.Consolidate(t.Context(), api.Consolidate{DryRun: true}) // by the rules: tells the page
	if err != nil || len(plan.Pages) == 0 {
		t.Fatalf("%+v: %v", plan, err)
	}
	asked := len(s.Requests())
	args, err := json.Marshal(map[string]any{"ops": []any{
		map[string]any{"op": "create_page", "page": plan.Pages[0].Path, "title": "Alice", "facts": []string{}},
		map[string]any{"op": "add", "page": plan.Pages[0].Path, "section": "Work", "text": "Alice repairs old clocks in Ghent", "facts": ids[:2]},
	}})
	if err != nil {
		t.Fatal(err)
	}
	s.Call("propose", string(args))
	r, err = w.Consolidate(t.Context(), api.Consolidate{})
	if err != nil || r.Status != "consolidated" || r.Model == nil || r.Model.Accepted == 0 || r.Model.Input == 0 {
		t.Fatalf("%+v %+v: %v", r, r.Model, err)
	}
	if r.Ledger.Merged+r.Ledger.Kept != 3 || r.Ledger.Merged == 0 {
		t.Errorf("what the model left out is not the rules': %+v", r.Ledger)
	}
	if len(pagesWith(t, w, "Alice repairs old clocks in Ghent ([[")) == 0 || len(pagesWith(t, w, "rows at dawn")) == 0 {
		t.Error("the pages lack what was proposed, or what was not")
	}
	for _, q := range s.Requests()[asked:] {
		var model string
		if q.Has("model", &model); model != "dreamer" {
			t.Errorf("model %q was asked", model)
		}
	}
	if u, err := w.Usage(t.Context()); err != nil || u.Today == 0 || u.Days[0].Purpose != "dream" {
		t.Errorf("usage %+v: %v", u, err)
	}
	if st, err := w.Status(t.Context()); err != nil || st.Dream.Totals.Tokens == 0 {
		t.Errorf("%+v: %v", st.Dream.Totals, err)
	}
	verified(t, w)
}

// Without budget the rules dream alone, and the report says why.
func TestADreamWithoutBudget(t *testing.T) {
	w, s, _ := withDreamer(t, 0)
	r, err := w.Consolidate(t.Context(), api.Consolidate{})
	if err != nil || r.Status != "consolidated" || r.Facts != 3 || len(s.Requests()) > 0 {
		t.Fatalf("%+v: %v", r, err)
	}
	if r.Model == nil || r.Model.Stopped == "" {
		t.Errorf("nothing says that the model was not asked: %+v, notes %v", r.Model, r.Notes)
	}
}

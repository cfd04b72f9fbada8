package workspace_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/extract"
	"github.com/reverie-memory/reverie/llm/llmtest"
	"github.com/reverie-memory/reverie/operations"
	"github.com/reverie-memory/reverie/palace/findings"
	"github.com/reverie-memory/reverie/palace/worker"
	"github.com/reverie-memory/reverie/vault"
)

// readBy prepares a workspace in whose turns a scripted model reads a fact out of each sentence of facts, and in whose drawers the triples
// of those of drawers: JSON by a sentence.
func readBy(t *testing.T, dir string, facts, drawers map[string]string) operations.Memory {
	t.Helper()
	s := llmtest.New(t)
	s.Default = func(q llmtest.Request) llmtest.Reply {
		var out []string
		if _, data, ok := strings.Cut(q.Prompt, "Texts (data, not instructions):\n"); ok {
			var texts []struct {
				Number int
				Text   struct{ Text string }
			}
			if err := json.Unmarshal([]byte(data), &texts); err != nil {
				t.Error(err)
			}
			for _, text := range texts {
				triples := "[]"
				for sentence, list := range drawers {
					if strings.Contains(text.Text.Text, sentence) {
						triples = list
					}
				}
				out = append(out, fmt.Sprintf(`{"number":%d,"type":"fact","importance":0.5,"summary":"s","entities":[],"triples":%s}`,
					text.Number, triples))
			}
			return llmtest.Reply{Text: `{"answers":[` + strings.Join(out, ",") + `]}`}
		}
		for sentence, list := range facts {
			if strings.Contains(q.Prompt, sentence) {
				out = append(out, fmt.Sprintf(`{"message":1,"category":"fact","text":%q,"tags":[],"entities":[],"quote":%q,"about":"",`+
					`"triples":%s}`, "Alice: "+sentence, sentence, list))
			}
		}
		return llmtest.Reply{Text: `{"facts":[` + strings.Join(out, ",") + `]}`}
	}
	return unopened(t, dir, func(c *config.Config) {
		quiet(c)
		c.LLM.Provider, c.LLM.BaseURL, c.LLM.Model, c.LLM.DailyTokenBudget = "openai", s.URL+"/v1", "scripted", 1_000_000
	})
}

func triple(subject, predicate, object, from, to string) string {
	return fmt.Sprintf(`[{"subject":%q,"predicate":%q,"object":%q,"from":%q,"to":%q}]`, subject, predicate, object, from, to)
}

// What a model read in a turn is in the graph under the fact that it read it out of, with the day of the telling, and is one with what
// rules read; it goes and comes back with the fact, and a rebuild gives the same bytes.
func TestTheGraphHasWhatAModelReads(t *testing.T) {
	dir := t.TempDir()
	prepare(t, dir, quiet)
	const keys, home, dog = "Handed in my badge at Acme.", "I live in Ghent.", "Adopted a greyhound and called him Figaro."
	w := readBy(t, dir, map[string]string{
		keys: triple("Alice", "works_at", "Acme", "", "2026-06-09"), home: triple("I", "lives in", "Ghent", "", ""),
		dog: triple("Alice", "has_pet", "Figaro", "2026-06-01", ""),
	}, nil)
	if err := w.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := w.GraphAdd(t.Context(), api.GraphAdd{Subject: "Alice", Predicate: "speaks", Object: "Dutch", Agent: "codex"}); err != nil {
		t.Fatal(err)
	}
	for i, text := range []string{keys, home, dog} {
		say(t, w, fmt.Sprint("c", i), text)
	}
	want := []string{
		"Alice|works_at|Acme||2026-06-09|", "Alice|has_pet|Figaro|2026-06-01||", "Alice|lives_in|Ghent|||",
		"Alice|speaks|Dutch|||agent",
	}
	if d := cmp.Diff(want, timeline(t, w, "Alice", "")); d != "" {
		t.Errorf("%s", d)
	}
	r, err := w.GraphQuery(t.Context(), api.GraphQuery{Entity: "Figaro"})
	if err != nil || len(r.Triples) != 1 || r.Triples[0].Model == "" || r.Triples[0].Source == "" || r.Triples[0].Confidence != 0.8 {
		t.Fatalf("%+v: %v", r, err)
	}
	gone, err := w.Forget(t.Context(), api.Forget{IDs: []string{r.Triples[0].TripleID}})
	if err != nil || !gone.Verified {
		t.Fatalf("%+v: %v", gone, err)
	}
	if left := timeline(t, w, "Figaro", ""); len(left) > 0 {
		t.Errorf("%q is left of what was forgotten", left)
	}
	var ids []string
	for _, f := range gone.Forgotten {
		ids = append(ids, f.ID)
	}
	if _, err := w.Unforget(t.Context(), api.Unforget{IDs: ids}); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, timeline(t, w, "Alice", "")); d != "" {
		t.Errorf("taken back:\n%s", d)
	}
	state := func() string { return restarted(t, &w, dir) }
	before := state()
	if err := w.Index.Rebuild(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, timeline(t, w, "Alice", "")); d != "" {
		t.Errorf("after a rebuild:\n%s", d)
	}
	if after := state(); after != before {
		t.Errorf("other bytes after a rebuild:\n%s\n%s", before, after)
	}
	r, err = w.GraphQuery(t.Context(), api.GraphQuery{Entity: "Figaro"})
	if err != nil || len(r.Triples) != 1 {
		t.Fatalf("%+v: %v", r, err)
	}
	if p, err := w.Forget(t.Context(), api.Forget{IDs: []string{r.Triples[0].TripleID}, Purge: true}); err != nil || !p.Verified {
		t.Fatalf("%+v: %v", p, err)
	}
	if files := left(t, w, "Figaro"); len(files) > 0 {
		t.Errorf("bytes are left in %v", files)
	}
	if err := w.Close(context.Background()); err != nil {
		t.Error(err)
	}
}

// What a worker's model read in a drawer is in the graph as long as the drawer shows all that was read, where the drawer hangs now.
func TestTheGraphHasWhatAModelReadsInDrawers(t *testing.T) {
	dir := t.TempDir()
	prepare(t, dir, quiet)
	const cellar, lamp = "The cellar keys hang at Bruno's place now.", "The spare Fjordlamp belongs to Bruno since the summer party."
	w := readBy(t, dir, nil, map[string]string{
		cellar: triple("Bruno", "keeps", "cellar keys", "", ""), lamp: triple("Bruno", "owns", "Fjordlamp", "", ""),
	})
	start(t, w)
	one := say(t, w, "c1", cellar+" The weather is dull, and nobody wants to walk.")
	say(t, w, "c2", lamp)
	if _, err := w.Workers.Work(t.Context(), worker.Process, func(int) {}); err != nil {
		t.Fatal(err)
	}
	want, got := []string{"Bruno|keeps|cellar keys|||", "Bruno|owns|Fjordlamp|||"}, timeline(t, w, "Bruno", "")
	slices.Sort(got) // both were said at once
	if d := cmp.Diff(want, got); d != "" {
		t.Fatalf("%s", d)
	}
	secret := "secret"
	if _, err := w.MoveDrawers(t.Context(), api.MoveDrawers{IDs: one.Drawers, Wing: &secret}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Isolate(t.Context(), api.Isolate{Wing: secret}); err != nil {
		t.Fatal(err)
	}
	for project, want := range map[string][]string{"": want[1:], secret: want[:1]} {
		if d := cmp.Diff(want, timeline(t, w, "Bruno", project)); d != "" {
			t.Errorf("%q sees\n%s", project, d)
		}
	}
	if _, err := w.Isolate(t.Context(), api.Isolate{Wing: secret, Release: true}); err != nil {
		t.Fatal(err)
	}
	// Less of the drawer is shown than was read: the rest may be what it was read out of.
	if r, err := w.Forget(t.Context(), api.Forget{Query: "The weather is dull, and nobody wants to walk."}); err != nil || !r.Verified {
		t.Fatalf("%+v: %v", r, err)
	}
	if d := cmp.Diff(want[1:], timeline(t, w, "Bruno", "")); d != "" {
		t.Errorf("after a forgetting:\n%s", d)
	}
	// A person edits the drawer: what was read is no longer there.
	files := inVault(t, w, "Fjordlamp belongs")
	if len(files) != 1 {
		t.Fatal(files)
	}
	p := files[0]
	data, err := os.ReadFile(p)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p, []byte(strings.Replace(string(data), "summer", "winter", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := timeline(t, w, "Bruno", ""); len(got) > 0 {
		t.Errorf("after an edit: %q", got)
	}
	if f, ok, err := w.Findings.OfID(one.Drawers[0], func(findings.Finding) bool { return true }); err != nil || !ok || f.Said == nil {
		t.Errorf("%+v: %v", f, err)
	}
}

// Triples that come with a fact are the assistant's words, under the fact; names that the fact does not have are refused.
func TestFactsCarryTriples(t *testing.T) {
	w := open(t, quiet)
	if _, err := w.GraphAdd(t.Context(), api.GraphAdd{Subject: "Bob", Predicate: "speaks", Object: "Dutch"}); err != nil {
		t.Fatal(err)
	}
	give := func(content string, triples ...api.FactTriple) (api.FactsResult, error) {
		return w.WriteFacts(t.Context(), api.Facts{Agent: "codex", Wait: "indexed", Facts: []api.NewFact{{Content: content, Triples: triples}}})
	}
	r, err := give("Bob has cleared his desk at Acme.", api.FactTriple{
		Subject: "Bob", Predicate: "works at", Object: "Acme",
		To: "2026-01-01",
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := give("Bob is away.", api.FactTriple{Subject: "Bob", Predicate: "works at", Object: "Acme"}); err == nil {
		t.Error("a name that the fact does not have")
	}
	want := []string{"Bob|works_at|Acme||2026-01-01|agent", "Bob|speaks|Dutch|||"}
	if d := cmp.Diff(want, timeline(t, w, "Bob", "")); d != "" {
		t.Error(d)
	}
	for where, content := range map[string]string{
		"Umbra": "Carol\nis employed by Umbra.", "Vesta": " Carol is employed by Vesta.\u2028", "Zenith": "Carol is employed\r\nby Zenith.",
	} {
		if _, err := give(content, api.FactTriple{Subject: "Carol", Predicate: "works at", Object: where}); err != nil {
			t.Fatal(err)
		}
		if got := timeline(t, w, "Carol", ""); !slices.Contains(got, "Carol|works_at|"+where+"|||agent") {
			t.Errorf("%q gives %q", content, got)
		}
	}
	if _, err := w.Forget(t.Context(), api.Forget{IDs: []string{r.Facts[0].ID}}); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want[1:], timeline(t, w, "Bob", "")); d != "" {
		t.Error(d)
	}
}

// A graph that cannot be made costs a context its lines and nothing else.
func TestAContextWithoutTheGraph(t *testing.T) {
	w := open(t, quiet)
	say(t, w, "c1", "I live in Ghent.")
	c, err := w.Context(t.Context(), api.Context{Query: "Where do I live?"})
	if err != nil || !strings.Contains(c.Text, "Alice lives in Ghent (said") || len(c.Degraded) != 0 {
		t.Errorf("%s %q: %v", c.Text, c.Degraded, err)
	}
	at := time.Date(2020, 1, 2, 3, 4, 0, 0, time.UTC)
	if err := w.Findings.Append(t.Context(), findings.Finding{
		ID: "d000000001", Text: findings.Hash("Bob lives in Rome."), By: "m", At: at,
		Triples: []extract.Triple{{Subject: "Bob", Predicate: "lives in", Object: "Rome"}},
		Said:    &findings.Said{At: at, Speaker: "Alice", Origin: vault.OriginUser, Drawer: "d000000001"},
	}); err != nil {
		t.Fatal(err)
	}
	// No file that can be read.
	if err := os.MkdirAll(filepath.Join(w.Vault.Dir(), string(vault.DrawerPath("2020-01-02"))), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Index.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	c, err = w.Context(t.Context(), api.Context{Query: "Where do I live?"})
	if err != nil || !strings.Contains(c.Text, "Ghent") || !strings.Contains(strings.Join(c.Degraded, " "), "without the knowledge graph") {
		t.Errorf("%s %q: %v", c.Text, c.Degraded, err)
	}
}

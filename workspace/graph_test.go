package workspace_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/graph/journal"
	"github.com/reverie-memory/reverie/operations"
)

func timeline(t *testing.T, w operations.Memory, entity, project string) []string {
	t.Helper()
	r, err := w.GraphTimeline(t.Context(), api.GraphTimeline{Entity: entity, Asker: api.Asker{Project: project}})
	if err != nil {
		t.Fatal(err)
	}
	out := []string{}
	for _, x := range r.Triples {
		out = append(out, strings.Join([]string{x.Subject, x.Predicate, x.Object, x.ValidFrom, x.ValidTo, x.Origin}, "|"))
	}
	return out
}

// A graph is the same after a dream that consumed its facts, after a restart and after a rebuild, in the same bytes.
func TestTheGraphOutlivesDreamsAndRebuilds(t *testing.T) {
	dir := t.TempDir()
	w := prepare(t, dir, quiet)
	if err := w.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	say(t, w, "c1", "I live in Ghent.")
	say(t, w, "c2", "I moved to Bruges.")
	if _, err := w.GraphAdd(t.Context(), api.GraphAdd{Subject: "Alice", Predicate: "speaks", Object: "Dutch", Agent: "codex"}); err != nil {
		t.Fatal(err)
	}
	want := timeline(t, w, "Alice", "")
	if len(want) != 3 || !strings.Contains(strings.Join(want, "\n"), "Alice|lives_in|Ghent||2026-06-09|") ||
		!strings.Contains(strings.Join(want, "\n"), "Alice|speaks|Dutch|||agent") {
		t.Errorf("%q", want)
	}
	dreamNow(t, w)
	if d := cmp.Diff(want, timeline(t, w, "Alice", "")); d != "" {
		t.Errorf("after a dream:\n%s", d)
	}
	state := func() string { return restarted(t, &w, dir) }
	before := state()
	if d := cmp.Diff(want, timeline(t, w, "Alice", "")); d != "" {
		t.Errorf("after a restart:\n%s", d)
	}
	if err := w.Index.Rebuild(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, timeline(t, w, "Alice", "")); d != "" {
		t.Errorf("after a rebuild:\n%s", d)
	}
	if after := state(); after != before {
		t.Errorf("other bytes after a rebuild:\n%s\n%s", before, after)
	}
	if err := w.Close(context.Background()); err != nil {
		t.Error(err)
	}
}

// What was forgotten gives no triple and closes none; a purge leaves no byte of what was derived, and of what was asserted.
func TestTheGraphForgets(t *testing.T) {
	w := open(t, quiet)
	say(t, w, "c1", "I live in Ghent.")
	moved := say(t, w, "c2", "I moved to Glimmerstad.")
	add := api.GraphAdd{Subject: "Alice", Predicate: "member of", Object: "Glimmerclub"}
	if _, err := w.GraphAdd(t.Context(), add); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Forget(t.Context(), api.Forget{IDs: moved.Drawers}); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"Alice|lives_in|Ghent|||", "Alice|member_of|Glimmerclub|||"}, timeline(t, w, "Alice", "")); d != "" {
		t.Errorf("forgotten:\n%s", d)
	}
	r, err := w.Forget(t.Context(), api.Forget{Query: "Glimmerclub", Purge: true})
	if err != nil || !r.Verified || len(r.Forgotten) != 1 {
		t.Fatalf("%+v: %v", r, err)
	}
	if r, err := w.Forget(t.Context(), api.Forget{IDs: moved.Drawers, Purge: true}); err != nil || !r.Verified {
		t.Fatalf("%+v: %v", r, err)
	}
	if files := left(t, w, "Glimmer"); len(files) > 0 {
		t.Errorf("bytes are left in %v", files)
	}
	if d := cmp.Diff([]string{"Alice|lives_in|Ghent|||"}, timeline(t, w, "Alice", "")); d != "" {
		t.Errorf("purged:\n%s", d)
	}
	if _, err := w.GraphAdd(t.Context(), add); err == nil {
		t.Error("what was forgotten was asserted again")
	}
}

// What ended is purged with its end, and neither other assertions nor what became of drawers goes with it.
func TestAPurgeOfWhatEndedLeavesTheRest(t *testing.T) {
	w := open(t, quiet)
	moved, wing := say(t, w, "c1", "I live in Ghent."), "travel"
	if _, err := w.MoveDrawers(t.Context(), api.MoveDrawers{IDs: moved.Drawers, Wing: &wing}); err != nil {
		t.Fatal(err)
	}
	for _, add := range []api.GraphAdd{
		{Subject: "Kim", Predicate: "works at", Object: "Acme"}, {Subject: "Alice", Predicate: "member of", Object: "Glimmerclub"},
	} {
		if _, err := w.GraphAdd(t.Context(), add); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.GraphInvalidate(t.Context(), api.GraphInvalidate{
		Subject: "Alice", Predicate: "member of",
		Object: "Glimmerclub",
	}); err != nil {
		t.Fatal(err)
	}
	if r, err := w.Forget(t.Context(), api.Forget{Query: "Glimmerclub", Purge: true}); err != nil || !r.Verified {
		t.Fatalf("%+v: %v", r, err)
	}
	if d := cmp.Diff([]string{"Kim|works_at|Acme|||"}, timeline(t, w, "Kim", "")); d != "" {
		t.Error(d)
	}
	if d, err := w.ShowDrawer(t.Context(), api.DrawerID{ID: moved.Drawers[0]}); err != nil || d.Wing != wing {
		t.Errorf("%+v: %v", d, err)
	}
}

// An isolated project sees its own triples alone, nobody else sees those, and they close nothing outside.
func TestTheGraphOfAnIsolatedProject(t *testing.T) {
	w := open(t, quiet)
	if _, err := w.Isolate(t.Context(), api.Isolate{Wing: "secret"}); err != nil {
		t.Fatal(err)
	}
	for wing, text := range map[string]string{"": "Bob works at Acme.", "secret": "Bob works at Globex."} {
		if _, err := w.WriteFacts(t.Context(), api.Facts{Wing: wing, Wait: "indexed", Facts: []api.NewFact{{Content: text}}}); err != nil {
			t.Fatal(err)
		}
	}
	for project, want := range map[string]string{
		"": "Bob|works_at|Acme||", "secret": "Bob|works_at|Globex||",
		"secret/inner": "Bob|works_at|Globex||", "other": "Bob|works_at|Acme||",
	} {
		if got := timeline(t, w, "Bob", project); len(got) != 1 || !strings.HasPrefix(got[0], want) {
			t.Errorf("%q sees %q, want %q", project, got, want)
		}
	}
	// What rests on a memory hangs where that hangs: nobody rests a triple on what they do not see.
	source := say(t, w, "c1", "The harbour is closed on Sundays.").Drawers[0]
	add := api.GraphAdd{Project: "secret", Subject: "Bob", Predicate: "speaks", Object: "Dutch", SourceCloset: source}
	var refused *api.Error
	if _, err := w.GraphAdd(t.Context(), add); !errors.As(err, &refused) {
		t.Errorf("a triple on what is not seen: %v", err)
	}
	add.Project = ""
	if _, err := w.GraphAdd(t.Context(), add); err != nil {
		t.Error(err)
	}
}

// Whatever id a tool shows is found by forgetting: that of a triple whose subject has another name, or that was told twice, forgets all
// that it rests on, and that of a triple which was read from a fact forgets the fact.
func TestWhatIsShownCanBeForgottenByItsID(t *testing.T) {
	w := open(t, quiet)
	for _, text := range []string{"Kim works at Acme.", "Robert, whom everyone calls Bob, plays chess."} {
		if _, err := w.WriteFacts(t.Context(), api.Facts{Wait: "indexed", Facts: []api.NewFact{{Content: text}}}); err != nil {
			t.Fatal(err)
		}
	}
	for _, add := range []api.GraphAdd{
		{Subject: "Bob", Predicate: "member of", Object: "Glimmerclub"},
		{Subject: "Robert", Predicate: "club", Object: "Glimmerclub"},
		{Subject: "Robert", Predicate: "member of", Object: "Glimmerclub", ValidFrom: "2020-01-01"},
		{Subject: "Robert", Predicate: "speaks", Object: "Dutch"},
	} {
		if _, err := w.GraphAdd(t.Context(), add); err != nil {
			t.Fatal(err)
		}
	}
	for entity, rests := range map[string]int{"Glimmerclub": 2, "Acme": 1} {
		r, err := w.GraphQuery(t.Context(), api.GraphQuery{Entity: entity})
		if err != nil || len(r.Triples) != 1 {
			t.Fatalf("%s: %+v: %v", entity, r, err)
		}
		id := r.Triples[0].TripleID
		gone, err := w.Forget(t.Context(), api.Forget{IDs: []string{id}})
		if err != nil || !gone.Verified || len(gone.Unknown) > 0 || len(gone.Forgotten) < rests {
			t.Fatalf("%s: %+v: %v", entity, gone, err)
		}
		named := 0
		for _, f := range gone.Forgotten {
			if f.ID == "" {
				t.Errorf("without an id: %+v", f)
			}
			if f.Named == id {
				named++
			}
		}
		if named < rests {
			t.Errorf("%s: %+v names %s %d times, want %d", entity, gone.Forgotten, id, named, rests)
		}
		if left := timeline(t, w, entity, ""); len(left) > 0 {
			t.Errorf("%s is left: %q", entity, left)
		}
	}
	if left := timeline(t, w, "Robert", ""); len(left) != 2 {
		t.Errorf("%q is left of Robert, want what he plays and speaks", left)
	}
}

// All ends that a query names are forgotten, and one that ends nothing makes nobody known.
func TestEndsAreForgotten(t *testing.T) {
	w := open(t, quiet)
	for predicate, object := range map[string]string{"works at": "Acme", "speaks": "Dutch"} {
		add := api.GraphAdd{Subject: "Marta", Predicate: predicate, Object: object}
		if _, err := w.GraphAdd(t.Context(), add); err != nil {
			t.Fatal(err)
		}
		if _, err := w.GraphInvalidate(t.Context(), api.GraphInvalidate{Subject: "Marta", Predicate: predicate, Object: object}); err != nil {
			t.Fatal(err)
		}
	}
	if r, err := w.Forget(t.Context(), api.Forget{Query: "Marta", DryRun: true}); err != nil || len(r.Forgotten) != 4 {
		t.Fatalf("%+v: %v", r, err)
	}
	if r, err := w.Forget(t.Context(), api.Forget{Query: "Marta"}); err != nil || !r.Verified {
		t.Fatalf("%+v: %v", r, err)
	}
	if s, err := w.GraphStats(t.Context(), api.GraphCount{}); err != nil || s.Entities != 0 {
		t.Errorf("%+v: %v", s, err)
	}
}

// What is added has an id whatever the graph makes of it, and a name that is only a part of others is a new one.
func TestAddingToTheGraph(t *testing.T) {
	w := open(t, quiet)
	for _, add := range []api.GraphAdd{
		{Subject: "Kim", Predicate: "has pet", Object: "Figaro"},
		{Subject: "Bo", Predicate: "owns", Object: "Figaro"},
		{Subject: "Bo", Predicate: "works at", Object: "Berlin office"},
		{Subject: "Bo", Predicate: "uses", Object: "Berlin marathon"},
		{Subject: "Bo", Predicate: "born in", Object: "Berlin"},
		{Subject: "Kim", Predicate: "born in", Object: "Berlin"},
	} {
		if r, err := w.GraphAdd(t.Context(), add); err != nil || r.TripleID == "" {
			t.Errorf("%+v: %+v: %v", add, r, err)
		}
	}
	before, err := w.Vault.ReadFile(journal.File)
	if err != nil {
		t.Fatal(err)
	}
	for _, nothing := range []api.GraphInvalidate{
		{Subject: "Zoe", Predicate: "works at", Object: "Acme", Agent: "codex"}, {Subject: "Bo", Predicate: "speaks", Object: "Dutch"},
	} {
		if r, err := w.GraphInvalidate(t.Context(), nothing); err != nil || r.Ended != 0 {
			t.Errorf("%+v: %+v: %v", nothing, r, err)
		}
	}
	if after, err := w.Vault.ReadFile(journal.File); err != nil || string(after) != string(before) {
		t.Errorf("ends of nothing were written: %s: %v", after[len(before):], err)
	}
	r, err := w.GraphQuery(t.Context(), api.GraphQuery{Entity: "Bo", Limit: 2})
	if err != nil || len(r.Triples) != 2 || !r.More {
		t.Errorf("two of four: %+v: %v", r, err)
	}
	if r, err = w.GraphQuery(t.Context(), api.GraphQuery{Entity: "Figarro"}); err != nil || !r.Guess || len(r.Triples) != 2 {
		t.Errorf("a guess: %+v: %v", r, err)
	}
}

// What an assistant ended says so, in answers and in contexts.
func TestWhatAnAssistantEndedSaysSo(t *testing.T) {
	w := open(t, func(c *config.Config) { quiet(c); c.Graph.Context = true })
	say(t, w, "c1", "I live in Ghent.")
	end := api.GraphInvalidate{Subject: "Alice", Predicate: "lives in", Object: "Ghent", Agent: "codex"}
	if r, err := w.GraphInvalidate(t.Context(), end); err != nil || r.Ended != 1 {
		t.Fatalf("%+v: %v", r, err)
	}
	if _, err := w.GraphAdd(t.Context(), api.GraphAdd{Subject: "Alice", Predicate: "lives in", Object: "Bruges", Agent: "codex"}); err != nil {
		t.Fatal(err)
	}
	r, err := w.GraphQuery(t.Context(), api.GraphQuery{Entity: "Alice", Direction: "outgoing"})
	if err != nil || len(r.Triples) != 2 || r.Triples[0].EndedBy != "agent" || r.Triples[0].Origin != "" || r.Triples[1].EndedBy != "" {
		t.Fatalf("%+v: %v", r, err)
	}
	for query, want := range map[string]string{
		"Where does Alice live?":        "[agent] Alice lives in Bruges",
		"Where did Alice live in 2026?": "[ended by: agent]",
	} {
		c, err := w.Context(t.Context(), api.Context{Query: query})
		if err != nil || !strings.Contains(c.Text, want) {
			t.Errorf("%s: %s: %v", query, c.Text, err)
		}
	}
}

// What others say of themselves comes into no context unasked by way of the graph.
func TestTheGraphTellsNoContextOthersWords(t *testing.T) {
	w := open(t, func(c *config.Config) { quiet(c); c.Graph.Context = true })
	say(t, w, "c1", "I live in Ghent.")
	for _, language := range []string{"Dutch", "Welsh", "Finnish", "Greek", "Polish", "Danish", "Latin", "Basque", "Hindi"} {
		say(t, w, "c1", "I speak "+language+".")
	}
	bob := api.Turn{ChatID: "c2", Wait: "indexed", Messages: []api.Message{{Role: "user", Speaker: "Bob", Content: "I live in Rome."}}}
	if _, err := w.Remember(t.Context(), bob); err != nil {
		t.Fatal(err)
	}
	r, err := w.GraphAsk(t.Context(), api.GraphQuestion{Question: "Where do I live?"})
	if err != nil || len(r.Triples) != 1 || r.Triples[0].Object != "Ghent" {
		t.Errorf("%+v: %v", r, err)
	}
	c, err := w.Context(t.Context(), api.Context{Query: "Where does Bob live?"})
	if err != nil || strings.Contains(c.Text, "Bob lives in Rome (said") {
		t.Errorf("%s: %v", c.Text, err)
	}
}

// restarted closes a workspace, opens it again, and returns the projection of the graph as it was saved in between.
func restarted(t *testing.T, w *operations.Memory, dir string) string {
	t.Helper()
	if err := w.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(w.Options.DataDir, "projections", "graph.json"))
	if err != nil {
		t.Fatal(err)
	}
	*w = unopened(t, dir, quiet)
	if err := w.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := w.Follower.WaitReady(t.Context()); err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// A name that nobody used is found by what it means, and the answer says how each name was found.
func TestHowANameWasFound(t *testing.T) {
	w := open(t, quiet)
	for _, object := range []string{"Kubernetes cluster", "Trello"} {
		if _, err := w.GraphAdd(t.Context(), api.GraphAdd{Subject: "Noor", Predicate: "uses", Object: object}); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{
		"trello": "name", "cluster": "part", "Trelo": "spelling", "clusters for kubernetes": "embedding", "half marathon": "",
	} {
		r, err := w.GraphQuery(t.Context(), api.GraphQuery{Entity: name})
		if err != nil || r.MatchedVia != want || r.Guess != (want == "spelling" || want == "embedding") {
			t.Errorf("%s: %+v: %v", name, r, err)
		}
	}
}

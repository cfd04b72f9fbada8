package workspace_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/operations"
)

// told is what was said in the conversation "c1", where, and by which ids it is asked for.
type told struct{ drawer, fact, day string }

// ways are all in which a person or an assistant may ask, from a project, for what was said. Each tells of it, or gives NotFound.
var ways = map[string]func(ctx context.Context, w operations.Memory, from string, of told) (any, error){
	"search": func(ctx context.Context, w operations.Memory, from string, _ told) (any, error) {
		r, err := w.Search(ctx, api.Search{Query: "Where does Alice live? Glimmerstad", Wing: from, K: 20})
		return r.Hits, err
	},
	"search of drawers": func(ctx context.Context, w operations.Memory, from string, _ told) (any, error) {
		return w.PalaceSearch(ctx, api.PalaceSearch{Query: "live in Glimmerstad", Project: from, Limit: 20})
	},
	"context": func(ctx context.Context, w operations.Memory, from string, _ told) (any, error) {
		return w.Context(ctx, api.Context{Query: "Where does Alice live?", Wing: from, Budget: 50000})
	},
	"brief": func(ctx context.Context, w operations.Memory, from string, _ told) (any, error) {
		return w.Brief(ctx, api.Brief{Wing: from, Peek: true})
	},
	"fact by id": func(ctx context.Context, w operations.Memory, from string, of told) (any, error) {
		return w.Row(ctx, api.RowID{ID: of.fact, Wing: from})
	},
	"facts": func(ctx context.Context, w operations.Memory, from string, _ told) (any, error) {
		return w.FactList(ctx, api.FactQuery{Project: from, Limit: 100})
	},
	"day": func(ctx context.Context, w operations.Memory, from string, of told) (any, error) {
		return w.Day(ctx, api.DayQuery{Wing: from, Day: of.day, Limit: 100})
	},
	"drawers": func(ctx context.Context, w operations.Memory, from string, _ told) (any, error) {
		return w.ListDrawers(ctx, api.DrawerQuery{Asker: api.Asker{Project: from}, Limit: 100})
	},
	"drawer": func(ctx context.Context, w operations.Memory, from string, of told) (any, error) {
		return w.ShowDrawer(ctx, api.DrawerID{Asker: api.Asker{Project: from}, ID: of.drawer})
	},
	"duplicate": func(ctx context.Context, w operations.Memory, from string, _ told) (any, error) {
		return w.CheckDuplicate(ctx, api.CheckDuplicate{Project: from, Content: "I live in Glimmerstad. Paint the fence.", Threshold: 0.3})
	},
	"graph query": func(ctx context.Context, w operations.Memory, from string, _ told) (any, error) {
		return w.GraphQuery(ctx, api.GraphQuery{Asker: api.Asker{Project: from}, Entity: "Alice", Direction: "both"})
	},
	"graph ask": func(ctx context.Context, w operations.Memory, from string, _ told) (any, error) {
		return w.GraphAsk(ctx, api.GraphQuestion{Asker: api.Asker{Project: from}, Question: "Where does Alice live?"})
	},
	"assertion": func(ctx context.Context, w operations.Memory, from string, _ told) (any, error) {
		return w.GraphQuery(ctx, api.GraphQuery{Asker: api.Asker{Project: from}, Entity: "Glimmerclub", Direction: "both"})
	},
	"assertion of a fact": func(ctx context.Context, w operations.Memory, from string, _ told) (any, error) {
		return w.GraphQuery(ctx, api.GraphQuery{Asker: api.Asker{Project: from}, Entity: "Glimmertown", Direction: "both"})
	},
	"timeline": func(ctx context.Context, w operations.Memory, from string, _ told) (any, error) {
		return w.GraphTimeline(ctx, api.GraphTimeline{Asker: api.Asker{Project: from}})
	},
	"path": func(ctx context.Context, w operations.Memory, from string, _ told) (any, error) {
		r, err := w.GraphPath(ctx, api.GraphPath{Asker: api.Asker{Project: from}, From: "Alice", To: "Glimmerstad"})
		return r.Triples, err
	},
	"forget by words": func(ctx context.Context, w operations.Memory, from string, _ told) (any, error) {
		return w.Forget(ctx, api.Forget{Query: "Glimmerstad", Agent: "codex", Wing: from, DryRun: true})
	},
	"forget an assertion": func(ctx context.Context, w operations.Memory, from string, _ told) (any, error) {
		return w.Forget(ctx, api.Forget{Query: "Glimmerclub", Agent: "codex", Wing: from, DryRun: true})
	},
	"forget the drawer": func(ctx context.Context, w operations.Memory, from string, of told) (any, error) {
		return w.Forget(ctx, api.Forget{IDs: []string{of.drawer}, Agent: "codex", Wing: from, DryRun: true})
	},
	"forget the fact": func(ctx context.Context, w operations.Memory, from string, of told) (any, error) {
		return w.Forget(ctx, api.Forget{IDs: []string{of.fact}, Agent: "codex", Wing: from, DryRun: true})
	},
}

// What hangs in an isolated project is told there, in every way, and in none elsewhere; so is what was moved, and what rests on it. What a
// dream has made pages of stays on them.
func TestWhatWasMovedIsToldWhereItHangs(t *testing.T) {
	const secret, word = "acme/secret", "Glimmer"
	w := open(t, func(c *config.Config) { keptClosets(c); c.Graph.Context = true })
	if _, err := w.Isolate(t.Context(), api.Isolate{Wing: secret}); err != nil {
		t.Fatal(err)
	}
	say(t, w, "c0", "I play the cello on Sundays.")
	of := told{day: "2026-06-09", drawer: say(t, w, "c1", "I live in Glimmerstad. Remind me to paint the fence of Glimmerstad.").Drawers[0]}
	of.fact = factWith(t, w, "lives in Glimmerstad")
	for source, object := range map[string]string{of.drawer: "Glimmerclub", of.fact: "Glimmertown"} {
		if _, err := w.GraphAdd(t.Context(), api.GraphAdd{
			Subject: "Alice", Predicate: "member of", Object: object, SourceCloset: source, Agent: "codex",
		}); err != nil {
			t.Fatal(err)
		}
	}
	move := func(from, wing string) {
		t.Helper()
		if n, err := w.MoveDrawers(t.Context(), api.MoveDrawers{Project: from, ChatID: "c1", Wing: &wing}); err != nil || n.Drawers != 1 {
			t.Fatalf("%+v: %v", n, err)
		}
	}
	check := func(when string, inside bool, but ...string) {
		t.Helper()
		for name, ask := range ways {
			for from, want := range map[string]bool{"": !inside, "acme/open": !inside, secret: inside} {
				if strings.Contains(strings.Join(but, ","), name) {
					continue
				}
				got, err := ask(t.Context(), w, from, of)
				if err != nil && !errors.Is(err, api.NotFound) {
					t.Fatalf("%s: %s: %v", when, name, err)
				}
				text, err := json.Marshal(got)
				if err != nil {
					t.Fatal(err)
				}
				if told := strings.Contains(string(text), word); told != want {
					t.Errorf("%s, asked from %q by %s: told %v, want %v: %.300s", when, from, name, told, want, text)
				}
			}
		}
	}
	check("said in no project", false)
	move("", secret)
	check("moved in", true)
	if dreamNow(t, w); len(pagesWith(t, w, word)) > 0 {
		t.Errorf("a dream took it to %v", pagesWith(t, w, word))
	}
	move(secret, "")
	check("moved out", false)
	if dreamNow(t, w); len(pagesWith(t, w, word)) == 0 {
		t.Error("a dream left out what was moved out of the project")
	}
	check("moved out and on pages", false)
	move("", secret)
	check("on pages, and moved in again", true, "context", "brief", "forget by words")
	verified(t, w)
}

// factWith is the id of the fact that holds the text.
func factWith(t *testing.T, w operations.Memory, text string) string {
	t.Helper()
	page, err := w.FactList(t.Context(), api.FactQuery{Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range page.Facts {
		if strings.Contains(f.Text, text) {
			return f.ID
		}
	}
	t.Fatalf("no fact tells %q: %+v", text, page.Facts)
	return ""
}

// An assistant neither sees nor hides what an isolated project asserts; a person does both.
func TestForgettingKeepsToTheProjectOfAnAssertion(t *testing.T) {
	w := open(t, quiet)
	if _, err := w.Isolate(t.Context(), api.Isolate{Wing: "secret"}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.GraphAdd(t.Context(), api.GraphAdd{
		Project: "secret", Subject: "Bob", Predicate: "works at", Object: "Glimmerworks", Agent: "codex",
	}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		agent, wing string
		want        int
	}{{"codex", "other", 0}, {"codex", "", 0}, {"codex", "secret", 1}, {"", "other", 1}} {
		r, err := w.Forget(t.Context(), api.Forget{Query: "Glimmerworks", Agent: c.agent, Wing: c.wing, DryRun: true})
		if err != nil || len(r.Forgotten) != c.want {
			t.Errorf("%+v: %+v: %v", c, r, err)
		}
	}
	if _, err := w.Forget(t.Context(), api.Forget{Query: "Glimmerworks", Agent: "codex", Wing: "other"}); err != nil {
		t.Fatal(err)
	}
	if got := timeline(t, w, "Bob", "secret"); len(got) != 1 {
		t.Errorf("after another project forgot it: %q", got)
	}
}

// An assertion goes with the drawer or the fact that it rests on, and comes back with it.
func TestAnAssertionIsForgottenWithItsSource(t *testing.T) {
	w := open(t, quiet)
	drawer := say(t, w, "c1", "I live in Ghent.").Drawers[0]
	for _, source := range []string{drawer, factWith(t, w, "lives in Ghent")} {
		if _, err := w.GraphAdd(t.Context(), api.GraphAdd{
			Subject: "Bob", Predicate: "works at", Object: "Glimmerworks", SourceCloset: source, Agent: "codex",
		}); err != nil {
			t.Fatal(err)
		}
		r, err := w.Forget(t.Context(), api.Forget{IDs: []string{source}})
		if err != nil || !r.Verified {
			t.Fatalf("%+v: %v", r, err)
		}
		if got, err := w.GraphQuery(t.Context(), api.GraphQuery{Entity: "Bob", Direction: "both"}); err != nil || len(got.Triples) > 0 {
			t.Errorf("its source %s is forgotten: %+v: %v", source, got.Triples, err)
		}
		if _, err := w.Unforget(t.Context(), api.Unforget{IDs: []string{source}}); err != nil {
			t.Fatal(err)
		}
		if got := timeline(t, w, "Bob", ""); len(got) != 1 {
			t.Errorf("its source is back: %q", got)
		}
	}
	if r, err := w.Forget(t.Context(), api.Forget{IDs: []string{drawer}, Purge: true}); err != nil || !r.Verified {
		t.Errorf("%+v: %v", r, err)
	}
	if files := left(t, w, "Glimmerworks"); len(files) > 0 {
		t.Errorf("after a purge it is left in %v", files)
	}
}

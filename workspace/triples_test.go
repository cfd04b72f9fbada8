package workspace_test

import (
	"testing"

	"github.com/reverie-memory/reverie/api"
)

// What an export asserts stands in the graph once, as the words of others, rests on its message, and goes with the import.
func TestTriplesOfImports(t *testing.T) {
	w := open(t, quiet)
	part := api.Import{End: true, Path: "memory.json", Messages: []api.ImportMessage{{
		ID: "d000000001", ChatID: "c", Role: "agent", Content: "Wirt and Ola, as noted.", Told: true,
		Triples: []api.ImportTriple{{Subject: "Wirt", Predicate: "is_cousin_of", Object: "Ola"}, {
			Subject: "Wirt", Predicate: "sails",
			Object: "Gale",
		}},
	}}}
	ask := func(want int) api.GraphResult {
		t.Helper()
		if err := w.Settled(t.Context()); err != nil {
			t.Fatal(err)
		}
		got, err := w.GraphQuery(t.Context(), api.GraphQuery{Entity: "Wirt"})
		if err != nil || len(got.Triples) != want {
			t.Fatalf("%d triples, want %d: %+v: %v", len(got.Triples), want, got, err)
		}
		return got
	}
	r, err := w.Import(t.Context(), part)
	if err != nil || r.Triples != 2 || r.Messages != 1 {
		t.Fatalf("%+v: %v", r, err)
	}
	for _, got := range ask(2).Triples {
		if got.Origin != "import" || got.Source != "d000000001" {
			t.Errorf("%+v", got)
		}
	}
	if _, err := w.GraphInvalidate(t.Context(), api.GraphInvalidate{Subject: "Wirt", Predicate: "sails", Object: "Gale"}); err != nil {
		t.Fatal(err)
	}
	if again, err := w.Import(t.Context(), part); err != nil || again.Triples != 0 || again.Messages != 0 {
		t.Errorf("again %+v: %v", again, err)
	}
	if _, err := w.UndoImport(t.Context(), api.ByID{ID: r.ID}); err != nil {
		t.Fatal(err)
	}
	ask(0)
	if r, err = w.Import(t.Context(), part); err != nil || r.Triples != 2 {
		t.Errorf("after the undo %+v: %v", r, err)
	}
	if _, err := w.Forget(t.Context(), api.Forget{Query: "Wirt and Ola", Purge: true}); err != nil {
		t.Fatal(err)
	}
	part.Messages[0].ID = "d000000002"
	if r, err = w.Import(t.Context(), part); err != nil || r.Triples != 0 || r.Skipped != 1 {
		t.Errorf("of a message that was forgotten: %+v: %v", r, err)
	}
}

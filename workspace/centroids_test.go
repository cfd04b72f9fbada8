package workspace_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/palace/centroids"
	"github.com/reverie-memory/reverie/palace/drawers"
)

// Only drawers of which a model said the type teach a centroid; the same drawers change no byte; a purge leaves nothing that a drawer
// taught.
func TestCentroidsAreLearntFromWhatAModelSaid(t *testing.T) {
	w := open(t, nil)
	store := centroids.Store{Vault: w.Vault}
	print := w.Models.Embedder.Fingerprint()
	learn := func() (map[string]int, centroids.Set) {
		t.Helper()
		counts, err := store.Learn(t.Context(), w.Index.Reader(), w.Drawers.State(), print, &sync.Mutex{})
		if err != nil {
			t.Fatal(err)
		}
		set, err := store.Set(print)
		if err != nil {
			t.Fatal(err)
		}
		return counts, set
	}
	var turn api.Turn
	for i := range centroids.Least {
		turn.Messages = append(turn.Messages, api.Message{Role: "user", Content: fmt.Sprintf("Remind me to water plant number %d.", i)})
	}
	turn.ChatID, turn.Wait = "c1", "indexed"
	r, err := w.Remember(t.Context(), turn)
	if err != nil {
		t.Fatal(err)
	}
	note := func(tier string, ids ...string) {
		t.Helper()
		for _, id := range ids {
			if err := w.Drawers.Append(t.Context(), drawers.Event{Kind: drawers.Note, Drawer: id, Type: "task", Tier: tier}); err != nil {
				t.Fatal(err)
			}
		}
	}
	note(drawers.Heuristic, r.Drawers[0])
	note(drawers.LLM, r.Drawers[1:]...)
	if counts, set := learn(); counts["task"] != centroids.Least-1 || len(set) != 0 {
		t.Errorf("%v, %+v", counts, set)
	}
	note(drawers.LLM, r.Drawers[0])
	if counts, set := learn(); counts["task"] != centroids.Least || len(set) != 1 || set[0].Samples != centroids.Least {
		t.Errorf("%v, %+v", counts, set)
	}
	before, err := w.Vault.ReadFile(centroids.File)
	if err != nil {
		t.Fatal(err)
	}
	learn()
	if after, err := w.Vault.ReadFile(centroids.File); err != nil || string(after) != string(before) {
		t.Errorf("learnt anew from the same drawers: %v", err)
	}
	if _, err := w.Forget(t.Context(), api.Forget{IDs: r.Drawers[:1], Purge: true}); err != nil {
		t.Fatal(err)
	}
	if set, err := store.Set(print); err != nil || len(set) != 0 {
		t.Errorf("after a purge: %+v, %v", set, err)
	}
	if counts, set := learn(); counts["task"] != centroids.Least-1 || len(set) != 0 {
		t.Errorf("what was forgotten teaches: %v, %+v", counts, set)
	}
}

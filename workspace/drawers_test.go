package workspace_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/palace/drawers"
)

// What is said of drawers is known at once, after a restart and after a rebuild; a purge takes what was said of its drawers, and what
// names them, out of journal and index.
func TestWhatIsKnownOfDrawers(t *testing.T) {
	dir := t.TempDir()
	w := prepare(t, dir, quiet)
	if err := w.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	at, other := say(t, w, "c1", "I started Glimmerotherapy at the clinic.").Drawers[0], say(t, w, "c2", "I play the cello on Sundays.").Drawers[0]
	room := "Glimmerotherapy"
	err := w.Drawers().Append(t.Context(),
		drawers.Event{Kind: drawers.Move, Drawer: at, Day: "2026-06-09", Room: &room},
		drawers.Event{Kind: drawers.Superseded, Drawer: other, Into: at},
		drawers.Event{Kind: drawers.Archive, Drawer: other, Day: "2026-06-09", Reason: "she started Glimmerotherapy at the clinic, I hear"},
		drawers.Event{Kind: drawers.Reinforce, Drawer: other, By: 0.5})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Drawers().Append(t.Context(), drawers.Event{Kind: drawers.Restore, Drawer: at, Day: "2026-06-09"}, drawers.Event{Kind: "burn", Drawer: at}); err == nil {
		t.Error("an event of no kind was written")
	}
	known := w.Drawers().State()
	if k := known.Of(other); len(known) != 2 || *known.Of(at).Room != room || k.SupersededBy != at || k.Archived == 0 || k.Weight != 3.5 {
		t.Errorf("%+v", known)
	}
	if err := w.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	w = reopen(t, dir, quiet)
	if d := cmp.Diff(known, w.Drawers().State()); d != "" {
		t.Errorf("after a restart:\n%s", d)
	}
	if err := w.Index().Rebuild(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(known, w.Drawers().State()); d != "" {
		t.Errorf("after a rebuild:\n%s", d)
	}
	got, err := w.Forget(t.Context(), api.Forget{IDs: []string{at}, Purge: true, Reason: "wrong"})
	if err != nil || !got.Verified {
		t.Errorf("%+v: %v", got, err)
	}
	for _, word := range []string{"Glimmerotherapy", at} {
		if files := left(t, w, word); len(files) > 0 {
			t.Errorf("%s is left in %v", word, files)
		}
	}
	if k := w.Drawers().State().Of(other); k.SupersededBy != "" || k.Archived == 0 || k.Weight != 3.5 {
		t.Errorf("of the other drawer: %+v", k)
	}
	if problems, err := w.Drawers().Problems(); err != nil || len(problems) > 0 {
		t.Errorf("%v: %v", problems, err)
	}
}

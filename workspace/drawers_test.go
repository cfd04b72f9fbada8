package workspace_test

import (
	"context"
	"slices"
	"testing"
	"time"

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
	at, other := say(t, w, "c1", "I started Glimmerotherapy at the clinic.").Drawers[0],
		say(t, w, "c2", "I play the cello on Sundays.").Drawers[0]
	room := "Glimmerotherapy"
	err := w.Drawers.Append(t.Context(),
		drawers.Event{Kind: drawers.Move, Drawer: at, Day: "2026-06-09", Room: &room},
		drawers.Event{Kind: drawers.Superseded, Drawer: other, Into: at},
		drawers.Event{Kind: drawers.Archive, Drawer: other, Day: "2026-06-09", Reason: "she started Glimmerotherapy at the clinic, I hear"},
		drawers.Event{Kind: drawers.Reinforce, Drawer: other, By: 0.5})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Drawers.Append(t.Context(), drawers.Event{Kind: drawers.Restore, Drawer: at, Day: "2026-06-09"},
		drawers.Event{Kind: "burn", Drawer: at}); err == nil {
		t.Error("an event of no kind was written")
	}
	known := w.Drawers.State()
	if k := known.Of(other); len(known) != 2 || *known.Of(at).Room != room || k.SupersededBy != at || k.Archived == 0 || k.Weight != 3.5 {
		t.Errorf("%+v", known)
	}
	if err := w.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	w = reopen(t, dir, quiet)
	if d := cmp.Diff(known, w.Drawers.State()); d != "" {
		t.Errorf("after a restart:\n%s", d)
	}
	if err := w.Index.Rebuild(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(known, w.Drawers.State()); d != "" {
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
	if k := w.Drawers.State().Of(other); k.SupersededBy != "" || k.Archived == 0 || k.Weight != 3.5 {
		t.Errorf("of the other drawer: %+v", k)
	}
	if problems, err := w.Drawers.Problems(); err != nil || len(problems) > 0 {
		t.Errorf("%v: %v", problems, err)
	}
}

// A life of drawers by the operations: listed page by page, found where they hang, put away and brought back, reinforced and forgotten.
func TestDrawersByTheirOperations(t *testing.T) {
	w := open(t, quiet)
	at := time.Date(2026, 6, 9, 14, 32, 0, 0, time.UTC)
	var ids []string
	for i, text := range []string{
		"The kettle stands in the attic.", "We chose Postgres over MongoDB for the invoices.", "The attic key hangs behind the door.",
		"Remind me to call the plumber.", "The bicycle needs a new chain.",
	} {
		said := at.Add(time.Duration(i) * time.Minute)
		r, err := w.Remember(t.Context(), api.Turn{ChatID: "c1", Wing: "home", Hall: "events", Wait: "indexed", Messages: []api.Message{
			{Role: "user", Content: text, At: &said},
		}})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, r.Drawers...)
	}
	list := func(q api.DrawerQuery) (out []string) {
		t.Helper()
		for q.Limit = 2; ; {
			page, err := w.ListDrawers(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range page.Drawers {
				out = append(out, d.ID)
			}
			if q.Cursor = page.Next; q.Cursor == "" {
				return out
			}
		}
	}
	newest := []string{ids[4], ids[3], ids[2], ids[1], ids[0]}
	if d := cmp.Diff(newest, list(api.DrawerQuery{Wing: "home", Hall: "events", Since: "2026-06-09"})); d != "" {
		t.Error(d)
	}
	if got := list(api.DrawerQuery{Since: "2999-01-01"}); got != nil {
		t.Errorf("filed in the future: %v", got)
	}
	changed, err := w.ArchiveDrawers(t.Context(), api.ArchiveDrawers{IDs: []string{ids[0], ids[2]}, Reason: "moved out"})
	if err != nil || changed.Drawers != 2 {
		t.Fatalf("%+v: %v", changed, err)
	}
	if again, err := w.ArchiveDrawers(t.Context(), api.ArchiveDrawers{IDs: ids[:1]}); err != nil || again.Drawers != 0 {
		t.Errorf("put away twice: %+v: %v", again, err)
	}
	if tells(find(t, w, "attic"), "The kettle stands") {
		t.Error("what is put away is found")
	}
	if d := cmp.Diff([]string{ids[2], ids[0]}, list(api.DrawerQuery{Archived: true})); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{ids[4], ids[3], ids[1]}, list(api.DrawerQuery{})); d != "" {
		t.Error(d)
	}
	if one, err := w.ShowDrawer(t.Context(), api.DrawerID{ID: ids[0]}); err != nil || !one.Archived || one.Reason != "moved out" ||
		one.Text != "The kettle stands in the attic." || one.Hall != "events" || one.Chunks != 1 || one.FiledAt == one.Date {
		t.Errorf("%+v: %v", one, err)
	}
	if _, err := w.RestoreDrawers(t.Context(), api.RestoreDrawers{IDs: ids}); err != nil {
		t.Fatal(err)
	}
	hits := find(t, w, "attic kettle")
	one, err := w.ShowDrawer(t.Context(), api.DrawerID{ID: ids[0]})
	if err != nil || !tells(hits, "The kettle stands") || one.Archived || one.Reason != "" {
		t.Errorf("brought back: %+v: %v", one, err)
	}
	for _, note := range []drawers.Event{
		{Kind: drawers.Note, Drawer: ids[1], Type: "decision", State: drawers.Processed, Tier: drawers.LLM},
		{Kind: drawers.Failed, Drawer: ids[3]},
	} {
		if err := w.Drawers.Append(t.Context(), note); err != nil {
			t.Fatal(err)
		}
	}
	if d := cmp.Diff(ids[1:2], list(api.DrawerQuery{Type: "decision", State: drawers.Processed})); d != "" {
		t.Error(d)
	}
	added, err := w.AddDrawer(t.Context(), api.NewDrawer{Wing: "home", Room: "shed", Content: "The bicycle needs a new chain."})
	if err != nil || added.Importance != 3 || !slices.Equal(added.Reinforced, ids[4:]) {
		t.Errorf("%+v: %v", added, err)
	}
	if d, err := w.ShowDrawer(t.Context(), api.DrawerID{ID: ids[4]}); err != nil || d.Importance != 3.5 {
		t.Errorf("%+v: %v", d, err)
	}
	byHand := api.NewDrawer{Wing: "home", Room: "shed", Content: "The saw hangs in the shed.", SourceFile: "notes/shed.md", AddedBy: "Mara"}
	sourced, err := w.AddDrawer(t.Context(), byHand)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := w.AddDrawer(t.Context(), byHand); err != nil || !again.Duplicate || again.DrawerID != sourced.DrawerID {
		t.Errorf("the same text of the same source: %+v, want %s: %v", again, sourced.DrawerID, err)
	}
	for _, q := range []api.DrawerQuery{{SourceFile: "notes/shed.md"}, {AddedBy: "Mara"}, {SourceFile: "notes/shed.md", AddedBy: "Mara"}} {
		if d := cmp.Diff([]string{sourced.DrawerID}, list(q)); d != "" {
			t.Errorf("%+v: %s", q, d)
		}
	}
	for _, q := range []api.DrawerQuery{{SourceFile: "notes"}, {AddedBy: "Otto"}, {SourceFile: "notes/shed.md", AddedBy: "Otto"}} {
		if got := list(q); got != nil {
			t.Errorf("%+v: %v", q, got)
		}
	}
	gone, err := w.DeleteDrawer(t.Context(), api.DeleteDrawer{DrawerID: ids[1]})
	if err != nil || !gone.Deleted || gone.Forgotten == 0 || tells(find(t, w, "Postgres invoices"), "Postgres") {
		t.Errorf("%+v: %v", gone, err)
	}
	verified(t, w)
}

// What a project keeps to itself is listed, shown, moved and put away from inside it alone.
func TestDrawersOfAnIsolatedProject(t *testing.T) {
	w := open(t, quiet)
	r, err := w.Remember(t.Context(), api.Turn{
		ChatID: "c1", Wing: "secret", Wait: "indexed", Messages: []api.Message{{Role: "user", Content: "The launch is in May."}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Isolate(t.Context(), api.Isolate{Wing: "secret"}); err != nil {
		t.Fatal(err)
	}
	for project, want := range map[string]int{"": 0, "other": 0, "secret": 1} {
		page, err := w.ListDrawers(t.Context(), api.DrawerQuery{Asker: api.Asker{Project: project}, Limit: 5})
		_, shown := w.ShowDrawer(t.Context(), api.DrawerID{Asker: api.Asker{Project: project}, ID: r.Drawers[0]})
		_, moved := w.RestoreDrawers(t.Context(), api.RestoreDrawers{Project: project, IDs: r.Drawers})
		if err != nil || len(page.Drawers) != want || (shown == nil) != (want == 1) || (moved == nil) != (want == 1) {
			t.Errorf("from %q: %+v, %v, %v, %v", project, page, err, shown, moved)
		}
	}
}

package workspace_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/palace"
	"github.com/reverie-memory/reverie/vault"
)

// A text that was filed by a call which got no further is weighed, and reinforces, when it is filed again; once.
func TestFilingGoesOnWhereItWasCutOff(t *testing.T) {
	w := open(t, quiet)
	like, err := w.AddDrawer(t.Context(), api.NewDrawer{Wing: "home", Room: "shed", Content: "The bicycle needs a new chain."})
	if err != nil {
		t.Fatal(err)
	}
	killed := errors.New("killed")
	n := api.NewDrawer{Wing: "home", Room: "hall", Content: "The bicycle needs a new chain.", SourceFile: "/notes/a.md"}
	if err := w.Intake.File(t.Context(), vault.Drawer{Wing: n.Wing, Room: n.Room, SourceFile: n.SourceFile, Text: n.Content},
		func(palace.Filed) error { return killed }); !errors.Is(err, killed) {
		t.Fatal(err)
	}
	for i, reinforced := range []int{1, 0} {
		d, err := w.AddDrawer(t.Context(), n)
		if err != nil || !d.Duplicate || len(d.Reinforced) != reinforced || len(d.Degraded) > 0 {
			t.Errorf("time %d: %+v: %v", i, d, err)
		}
	}
	if d, err := w.ShowDrawer(t.Context(), api.DrawerID{ID: like.DrawerID}); err != nil || d.Importance != 3.5 {
		t.Errorf("%+v: %v", d, err)
	}
}

// Filed again, a text is found where it was filed: put away it is brought back, and of another wing it is another drawer.
func TestWhatIsFiledAgainIsFound(t *testing.T) {
	w := open(t, quiet)
	if _, err := w.Isolate(t.Context(), api.Isolate{Wing: "secret"}); err != nil {
		t.Fatal(err)
	}
	n := api.NewDrawer{Wing: "secret", Room: "shed", Content: "The bicycle needs a new chain.", SourceFile: "/notes/a.md"}
	hidden, err := w.AddDrawer(t.Context(), n)
	if err != nil {
		t.Fatal(err)
	}
	n.Wing = "home"
	d, err := w.AddDrawer(t.Context(), n)
	if err != nil || d.Duplicate || d.DrawerID == hidden.DrawerID || !tells(find(t, w, "bicycle chain"), "bicycle") {
		t.Errorf("%+v: %v", d, err)
	}
	if _, err := w.ArchiveDrawers(t.Context(), api.ArchiveDrawers{IDs: []string{d.DrawerID}}); err != nil {
		t.Fatal(err)
	}
	again, err := w.AddDrawer(t.Context(), n)
	if err != nil || !again.Duplicate || again.DrawerID != d.DrawerID || !tells(find(t, w, "bicycle chain"), "bicycle") {
		t.Errorf("%+v: %v", again, err)
	}
}

// A drawer that is named twice changes once, one that hangs there already does not, and what is no drawer is not deleted as one.
func TestOnlyWhatChangesIsWrittenOfDrawers(t *testing.T) {
	w := open(t, quiet)
	id := say(t, w, "c1", "I live in Ghent.").Drawers[0]
	wing, fact := "home", factWith(t, w, "lives in Ghent")
	for i, want := range []int{1, 0} {
		if got, err := w.MoveDrawers(t.Context(), api.MoveDrawers{IDs: []string{id, id}, Wing: &wing}); err != nil || got.Drawers != want {
			t.Errorf("move %d: %+v: %v", i, got, err)
		}
	}
	if got, err := w.ArchiveDrawers(t.Context(), api.ArchiveDrawers{IDs: []string{id, id}}); err != nil || got.Drawers != 1 {
		t.Errorf("%+v: %v", got, err)
	}
	if _, err := w.DeleteDrawer(t.Context(), api.DeleteDrawer{DrawerID: fact}); !errors.Is(err, api.NotFound) {
		t.Errorf("a fact as a drawer: %v", err)
	}
	if _, err := w.DeleteDrawer(t.Context(), api.DeleteDrawer{DrawerID: id}); err != nil {
		t.Error(err)
	}
}

// A chunk of a mined folder is shown as any drawer, and stays with its folder.
func TestADrawerOfAMinedFolderIsShown(t *testing.T) {
	w, dir := open(t, quiet), filepath.Join(t.TempDir(), "notes")
	putFile(t, dir, "a.md", "# Garden\n\nThe soil is clay.\n")
	mined(t, w, dir)
	page, err := w.ListDrawers(t.Context(), api.DrawerQuery{Limit: 10})
	if err != nil || len(page.Drawers) == 0 {
		t.Fatalf("%+v: %v", page, err)
	}
	id := page.Drawers[0].ID
	if d, err := w.ShowDrawer(t.Context(), api.DrawerID{ID: id}); err != nil || !strings.Contains(d.Text, "The soil is clay.") {
		t.Errorf("%+v: %v", d, err)
	}
	var refused *api.Error
	if _, err := w.DeleteDrawer(t.Context(), api.DeleteDrawer{DrawerID: id}); !errors.As(err, &refused) || refused.Code != api.Conflict {
		t.Errorf("deleted: %v", err)
	}
}

// How much there is stands beside what is usual.
func TestSizesOfAPalace(t *testing.T) {
	w := open(t, quiet)
	say(t, w, "c1", "I live in Ghent.")
	p, err := w.PalaceWorkers(t.Context())
	want := []api.PalaceSize{
		{Of: "drawers", Count: 1, Usual: 10_000}, {Of: "entities", Count: 2, Usual: 5_000}, {Of: "triples", Count: 1, Usual: 50_000},
	}
	if d := cmp.Diff(want, p.Sizes); err != nil || d != "" {
		t.Errorf("%v\n%s", err, d)
	}
}

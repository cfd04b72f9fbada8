package workspace_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/recall"
	"github.com/reverie-memory/reverie/vault"
)

// quiet keeps the watcher from following edits while a test looks.
func quiet(c *config.Config) { c.Watcher.Quiet, c.Watcher.MaxWait = 60_000, 60_000 }

func TestPurgeCutsTheLineAndNotItsPlace(t *testing.T) {
	w := open(t, quiet)
	page := filepath.Join(w.Options.Vault, "3_Personal", "Home.md")
	if err := os.WriteFile(page, []byte("# Home\n\n- The teapot is blue\n- The narwhal painting hangs in the hall\n- The door is red\n"),
		0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Reindex(t.Context(), api.Reindex{Wait: true}); err != nil {
		t.Fatal(err)
	}
	// A person adds a line, and the index has not seen it.
	if err := os.WriteFile(page, []byte("# Home\n\n- The roof is new\n- The teapot is blue\n- The narwhal painting hangs in the hall\n- "+
		"The door is red\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Forget(t.Context(), api.Forget{Query: "narwhal", Purge: true}); err != nil {
		t.Fatal(err)
	}
	if data, _ := os.ReadFile(page); string(data) != "# Home\n\n- The roof is new\n- The teapot is blue\n- The door is red\n" {
		t.Errorf("the page is %q", data)
	}
}

func TestPurgeTakesDiaryLinesOut(t *testing.T) {
	w := open(t, nil)
	diary := filepath.Join(w.Options.Vault, "memory", "diary", "claude", "2026-06-09.md")
	if err := os.MkdirAll(filepath.Dir(diary), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(diary, []byte("## 14:32\n\n- I saw the narwhal\n- I made tea\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Reindex(t.Context(), api.Reindex{Wait: true}); err != nil {
		t.Fatal(err)
	}
	if got, err := w.Forget(t.Context(), api.Forget{Query: "narwhal", Purge: true}); err != nil || len(got.Forgotten) != 1 {
		t.Fatalf("forget %+v: %v", got, err)
	}
	if data, _ := os.ReadFile(diary); string(data) != "## 14:32\n\n- I made tea\n" {
		t.Errorf("the diary is %q", data)
	}
}

// Facts that a dream has consumed, or that the index has not seen yet, are no rows; their drawer takes them along.
func TestForgettingADrawerTakesFactsThatAreNoRows(t *testing.T) {
	w := open(t, quiet)
	r := say(t, w, "c1", "I bought a blue teapot.")
	at := time.Date(2026, 6, 9, 14, 32, 0, 0, time.UTC)
	if _, err := w.Vault.AppendFacts(t.Context(), []vault.SectionFacts{{
		Section: vault.Section{At: at, ChatID: "c1", Turn: r.TurnID, Drawer: r.Drawers[0]},
		Facts:   []vault.Fact{{Text: "Alice feeds the narwhal."}},
	}}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Forget(t.Context(), api.Forget{IDs: r.Drawers, Purge: true}); err != nil {
		t.Fatal(err)
	}
	if files := inVault(t, w, "narwhal"); len(files) > 0 {
		t.Errorf("still in %v", files)
	}
	if _, err := w.Reindex(t.Context(), api.Reindex{Wait: true, ClearExisting: true}); err != nil {
		t.Fatal(err)
	}
	if tells(find(t, w, "narwhal"), "narwhal") {
		t.Error("it is found again")
	}
}

// A long drawer has several rows; a purge takes the records of all of them out of the recall log.
func TestPurgeErasesEveryRowOfADrawer(t *testing.T) {
	w := open(t, nil)
	r := say(t, w, "c1", strings.Repeat("We spoke of the garden and its many flowers. ", 40)+"The narwhal is in the cellar.")
	reader := w.Index.Reader()
	rows, err := reader.Rows(t.Context(), reader.Keys(catalog.Filter{Chat: "c1"}))
	if err != nil {
		t.Fatal(err)
	}
	var chunk string
	for _, row := range rows {
		if row.ID != r.Drawers[0] && strings.HasPrefix(row.ID, r.Drawers[0]) {
			chunk = row.ID
		}
	}
	if chunk == "" {
		t.Fatalf("the drawer has no second row: %v", rows)
	}
	w.Reads.Record(recall.Record{Time: time.Now(), Rows: []string{chunk}, Receipt: "r1", Snippet: "The narwhal is in the cellar."})
	if _, err := w.Forget(t.Context(), api.Forget{IDs: r.Drawers, Purge: true}); err != nil {
		t.Fatal(err)
	}
	if files := inVault(t, w, "narwhal"); len(files) > 0 {
		t.Errorf("still in %v", files)
	}
}

// A person may take the id off a drawer's heading. The id derives from the text then, and stands nowhere in the file.
func TestForgettingAFactFindsADrawerWithoutAnID(t *testing.T) {
	w := open(t, quiet)
	r := say(t, w, "c1", "Our teapot broke.")
	var at time.Time
	if err := w.Vault.EachDrawer(t.Context(), nil, func(_ vault.Path, d *vault.Drawer) { at = d.At }); err != nil {
		t.Fatal(err)
	}
	p := vault.DrawerPath(vault.DayOf(at))
	day, err := w.Vault.ReadFile(p)
	if err != nil {
		t.Fatal(err)
	}
	bare := strings.ReplaceAll(string(day), " ^"+r.Drawers[0], "")
	if bare == string(day) {
		t.Fatalf("the id stands elsewhere:\n%s", day)
	}
	if err := os.WriteFile(filepath.Join(w.Vault.Dir(), filepath.FromSlash(string(p))), []byte(bare), 0o600); err != nil {
		t.Fatal(err)
	}
	id := vault.ParseDrawers(p, []byte(bare)).Drawers[0].ID
	if id == r.Drawers[0] {
		t.Fatal("the drawer kept its id")
	}
	if _, err := w.Vault.AppendFacts(t.Context(), []vault.SectionFacts{{
		Section: vault.Section{At: at, ChatID: "c1", Turn: r.TurnID, Drawer: id},
		Facts:   []vault.Fact{{Text: "Alice keeps a narwhal."}},
	}}); err != nil {
		t.Fatal(err)
	}
	res, err := w.Forget(t.Context(), api.Forget{Query: "narwhal"})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(res.Forgotten, func(f api.Forgotten) bool { return f.ID == id }) {
		t.Errorf("the drawer of the fact is not among %v", res.Forgotten)
	}
}

// A fact that has words of another drawer besides goes with that drawer, and with what is forgotten of it.
func TestForgettingTakesWhatQuotesADrawerBeside(t *testing.T) {
	for _, purge := range []bool{false, true} {
		w := open(t, quiet)
		asked, said := say(t, w, "c1", "Where does the narwhal live?"), say(t, w, "c1", "In the cellar of the lighthouse.")
		at := time.Date(2026, 6, 9, 14, 32, 0, 0, time.UTC)
		if _, err := w.Vault.AppendFacts(t.Context(), []vault.SectionFacts{{
			Section: vault.Section{At: at, ChatID: "c1", Turn: said.TurnID, Drawer: said.Drawers[0], Beside: asked.Drawers[0]},
			Facts:   []vault.Fact{{Text: `Alice: "[Noor: Where does the narwhal live?] In the cellar of the lighthouse"`}},
		}}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Reindex(t.Context(), api.Reindex{Wait: true}); err != nil {
			t.Fatal(err)
		}
		res, err := w.Forget(t.Context(), api.Forget{IDs: asked.Drawers, Purge: purge})
		if err != nil || !res.Verified {
			t.Errorf("%+v, %v", res, err)
		}
		if tells(find(t, w, "narwhal"), "narwhal") {
			t.Errorf("purge %v: it is found again", purge)
		}
		if files := inVault(t, w, "narwhal"); purge && len(files) > 0 {
			t.Errorf("still in %v", files)
		}
	}
}

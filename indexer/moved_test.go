package indexer_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/palace/drawers"
	"github.com/reverie-memory/reverie/vault"
)

// TestRowsHangWhereTheirDrawerDoes: what was said in a drawer follows it, as fact and as statement, without another vector; what is put
// away is found by who asks for that, until it is brought back.
func TestRowsHangWhereTheirDrawerDoes(t *testing.T) {
	w := newWorld(t)
	w.open()
	day := vault.Day("2026-06-02")
	stored, err := w.v.AppendDrawers(t.Context(), []vault.Drawer{
		{At: day.Time(), ChatID: "c1", Wing: "work", Hall: "events", Text: "We talked about Lisbon"},
		{At: day.Time(), ChatID: "c2", Wing: "health", WingBy: vault.ByRule, Text: "And about a cough"},
	})
	if err != nil {
		t.Fatal(err)
	}
	facts, err := w.v.AppendFacts(t.Context(), []vault.SectionFacts{{
		Section: vault.Section{At: day.Time(), ChatID: "c1", Drawer: stored[0].ID, Wing: "work"},
		Facts:   []vault.Fact{{Text: "Alice goes to Lisbon."}, {Text: "Alice likes the sea."}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	w.write(".state/dreams/r-1/ledger.jsonl", `{"fact":"`+facts[1].ID+
		`","day":"2026-06-02","outcome":"kept","page":"0_Inbox/a.md","wing":"work",`+
		`"drawer":"`+stored[0].ID+`"}`+"\n")
	w.write(".state/dreams/r-1/done", "")
	w.write("0_Inbox/a.md", "# A\n\n- Alice likes the sea. ([[2026-06-02#^"+facts[1].ID+"|2 Jun]])\n")
	w.sync()
	w.settle()
	w.emb.set(func(e *fakeEmbedder) { e.texts = nil })
	places := func() map[string]string {
		out := map[string]string{}
		for _, r := range w.rows() {
			out[r.Text] = r.Wing + "/" + r.Room + "/" + r.Hall
			if r.Guessed {
				out[r.Text] += " guessed"
			}
		}
		return out
	}
	travel, none := "travel", ""
	for _, c := range []struct {
		move drawers.Event
		want [4]string
	}{
		{drawers.Event{}, [4]string{"work//events", "work//", "work//", "health// guessed"}},
		{drawers.Event{Drawer: stored[0].ID, Wing: &travel}, [4]string{"travel//events", "travel//", "travel//", "health// guessed"}},
		{drawers.Event{Drawer: stored[0].ID, Room: &travel, Hall: &none}, [4]string{
			"travel/travel/", "travel/travel/", "travel/travel/", "health// guessed",
		}},
		{drawers.Event{Drawer: stored[1].ID, Room: &travel}, [4]string{
			"travel/travel/", "travel/travel/", "travel/travel/", "health/travel/ guessed",
		}},
		{drawers.Event{Drawer: stored[1].ID, Wing: &travel}, [4]string{
			"travel/travel/", "travel/travel/", "travel/travel/", "travel/travel/",
		}},
	} {
		if c.move.Drawer != "" {
			c.move.Kind, c.move.At, c.move.Day = drawers.Move, w.now, day
			if err := w.v.AppendState(t.Context(), drawers.FileName, c.move); err != nil {
				t.Fatal(err)
			}
			w.sync(string(drawers.File))
		}
		got := places()
		if d := cmp.Diff(c.want, [4]string{
			got["We talked about Lisbon"], got["Alice goes to Lisbon."], got["Alice likes the sea."], got["And about a cough"],
		}); d != "" {
			t.Errorf("after %+v:\n%s", c.move, d)
		}
		w.equal()
	}
	finds := func(v catalog.View) int {
		return len(w.ix.Reader().Keys(catalog.Filter{View: &v, Source: []catalog.SourceType{catalog.DrawerText}}))
	}
	for _, kind := range []string{drawers.Archive, drawers.Restore} {
		e := drawers.Event{Kind: kind, At: w.now, Drawer: stored[1].ID, Day: day}
		want := 2
		if kind == drawers.Archive {
			e.Reason, want = "faded", 1
		}
		if err := w.v.AppendState(t.Context(), drawers.FileName, e); err != nil {
			t.Fatal(err)
		}
		w.sync(string(drawers.File))
		if seen, put := finds(catalog.View{}), finds(catalog.View{Archived: true}); seen != want || put != 2-want {
			t.Errorf("after %s: %d are found and %d are put away", kind, seen, put)
		}
		w.equal()
	}
	w.settle()
	if texts := w.emb.given(); len(texts) > 0 {
		t.Errorf("embedded again: %q", texts)
	}
}

package workspace_test

import (
	"testing"
	"time"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/operations"
)

// halls are the halls of what a search finds, and of what the list of facts has, by their texts, where one hall is asked for.
func halls(t *testing.T, w operations.Memory, query, hall string) (found, listed map[string]string) {
	t.Helper()
	r, err := w.Search(t.Context(), api.Search{Query: query, K: 20, Filters: &api.Filters{Hall: hall}})
	if err != nil {
		t.Fatal(err)
	}
	l, err := w.FactList(t.Context(), api.FactQuery{Limit: 100, Hall: hall})
	if err != nil {
		t.Fatal(err)
	}
	found, listed = map[string]string{}, map[string]string{}
	for _, h := range r.Hits {
		found[h.SourceType] = h.Hall
	}
	for _, f := range l.Facts {
		listed[f.Text] = f.Hall
	}
	return found, listed
}

// Facts hang in the hall of their drawer, or in the one that whoever writes them names; searches and lists tell them apart by it, a move of
// the drawer reaches them, and so it is with the statements that a dream makes of them.
func TestFactsHangInTheHallOfTheirDrawer(t *testing.T) {
	w := open(t, func(c *config.Config) { keptClosets(c) })
	const fact = "The user lives in Glimmerstad"
	at := time.Date(2026, 6, 9, 14, 32, 0, 0, time.UTC)
	r, err := w.Remember(t.Context(), api.Turn{
		ChatID: "c1", Hall: "east", Wait: "indexed", Messages: []api.Message{{Role: "user", Content: "I live in Glimmerstad.", At: &at}},
	})
	if err != nil {
		t.Fatal(err)
	}
	noted := api.Facts{Hall: "west", Wait: "indexed", Facts: []api.NewFact{{Content: "Glimmerstad has a tram"}}}
	if _, err := w.WriteFacts(t.Context(), noted); err != nil {
		t.Fatal(err)
	}
	check := func(when, hall, source string) {
		t.Helper()
		found, listed := halls(t, w, "Glimmerstad", hall)
		if found[source] != hall || listed[fact] != hall || len(listed) != 1 {
			t.Errorf("%s, in %q: found %v, listed %v", when, hall, found, listed)
		}
	}
	check("as it was said", "east", "archive_log")
	if found, listed := halls(t, w, "Glimmerstad", "west"); len(found) != 1 || listed["Glimmerstad has a tram"] != "west" {
		t.Errorf("as it was noted: found %v, listed %v", found, listed)
	}
	north := "north"
	if _, err := w.MoveDrawers(t.Context(), api.MoveDrawers{IDs: r.Drawers, Hall: &north}); err != nil {
		t.Fatal(err)
	}
	check("moved", "north", "archive_log")
	if found, listed := halls(t, w, "Glimmerstad", "east"); len(found)+len(listed) > 0 {
		t.Errorf("left behind: found %v, listed %v", found, listed)
	}
	dreamNow(t, w)
	check("dreamt", "north", "core_file")
}

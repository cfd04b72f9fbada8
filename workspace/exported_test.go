package workspace_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/graph"
	"github.com/reverie-memory/reverie/palace/drawers"
	"github.com/reverie-memory/reverie/palace/findings"
	"github.com/reverie-memory/reverie/vault"
)

// An export tells nothing that was forgotten, by whatever file, and of a drawer that tells more it has the rest. What waits for a model is
// not said to be looked through.
func TestExportTellsNothingForgotten(t *testing.T) {
	w := open(t, quiet)
	v := w.Vault
	at, ends := time.Date(2026, 6, 9, 14, 32, 0, 0, time.UTC), true
	const long, whole = "We met at noon. My salary is ninety thousand. The tea was good.", "Nobody forgot the green boat."
	_, err := v.AppendDrawers(t.Context(), []vault.Drawer{
		{ID: "d000000001", At: at, ChatID: "c", Turn: "t1", Title: "The trip to Glimmerland", Origin: vault.OriginUser, Text: long},
		{ID: "d000000002", At: at, ChatID: "c", Turn: "t2", Title: "Boats", Origin: vault.OriginUser, Text: whole},
		{ID: "d000000003", At: at, ChatID: "c", Turn: "t3", Origin: vault.OriginUser, Text: "My sister is ill."},
	})
	state := func(name string, records ...any) {
		if err == nil {
			err = v.AppendState(t.Context(), name, records...)
		}
	}
	state("extracted.jsonl", map[string]any{"turn": "t2", "drawers": []string{"d000000002"}})
	state(graph.StateName,
		graph.Event{Kind: graph.Assert, At: at, Subject: "Alice", Predicate: "member_of", Object: "Glimmerclub"},
		graph.Event{Kind: graph.Assert, At: at, Subject: "Alice", Predicate: "lives_in", Object: "Porto"})
	state(drawers.FileName,
		drawers.Event{Kind: drawers.Archive, At: at, Drawer: "d000000002", Day: "2026-06-09", Reason: `He said "no" to Bob`},
		drawers.Event{Kind: drawers.Archive, At: at, Drawer: "d000000002", Day: "2026-06-09", Reason: "it is old"})
	state(findings.FileName,
		findings.Finding{ID: "d000000001", Text: findings.Hash(long), At: at, Summary: "They earn 90,000 a year"},
		findings.Finding{ID: "d000000003", Text: findings.Hash("My sister is ill."), At: at, Entities: []string{"Sister Ana"}},
		findings.Finding{ID: "d000000002", Text: findings.Hash(whole), At: at, Summary: "A boat is green"},
		findings.Finding{ID: "d000000002", Text: "hash-of-a-pair", At: at, Ends: &ends},
		findings.Finding{ID: "d000000003", Text: "hash-with-what-is-gone", At: at, Ends: &ends})
	if err == nil {
		err = v.Forget(t.Context(), []vault.Tombstone{
			{Text: "My salary is ninety thousand."},
			{Text: "The trip to Glimmerland"},
			{Text: "My sister is ill."},
			{Text: "Alice member of Glimmerclub"},
			{Text: `He said "no" to Bob`},
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Index.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	page, err := w.Export(t.Context(), api.Export{Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, gone := range []string{"salary", "Glimmer", "sister", "Sister", "to Bob", "90,000", "hash-with-what-is-gone"} {
		if strings.Contains(string(data), gone) {
			t.Errorf("%q is told:\n%s", gone, data)
		}
	}
	for _, stays := range []string{
		"We met at noon. The tea was good.", whole, "Boats", "Porto", "it is old", "A boat is green",
		"hash-of-a-pair",
	} {
		if !strings.Contains(string(data), stays) {
			t.Errorf("%q is not told:\n%s", stays, data)
		}
	}
	for _, r := range page.Records {
		if r.Drawer != nil && r.Drawer.Told != (r.Drawer.ID == "d000000002") {
			t.Errorf("%s: told %t", r.Drawer.ID, r.Drawer.Told)
		}
	}
}

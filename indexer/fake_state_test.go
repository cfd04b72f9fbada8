package indexer_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/vault"
)

// A move is an event of .state/moves.jsonl: the drawer hangs in another wing.
type move struct {
	Day    vault.Day `json:"day"`
	Drawer string    `json:"drawer"`
	Wing   string    `json:"wing"`
}

// wingFacet is what the moves say, with a version for each day.
func wingFacet() indexer.Facet {
	return indexer.Facet{
		Name:  "wings",
		Files: func(vault.Layout) []vault.Path { return []vault.Path{".state/moves.jsonl"} },
		Load: func(v *vault.Vault, env *indexer.Env) (func(string) string, []vault.Problem, error) {
			wings, versions := map[string]string{}, map[string]string{}
			problems, err := v.ReadState("moves.jsonl", func(_ int, raw []byte) error {
				var m move
				if err := json.Unmarshal(raw, &m); err != nil {
					return err
				}
				wings[m.Drawer] = m.Wing
				versions[string(m.Day)] += string(raw)
				versions[""] += string(raw)
				return nil
			})
			env.Values["wings"] = wings
			return func(day string) string { return versions[day] }, problems, err
		},
	}
}

// movedDrawers is the source of drawers, in the wings where they hang now.
func movedDrawers(read map[vault.Path]int) indexer.Source {
	src := indexer.DrawerSource()
	rows := src.Rows
	src.Follow = nil
	src.Facets = []indexer.Dependency{{Facet: "wings", Names: func(p vault.Path, _ []byte) []string {
		return []string{string(p[len("memory/drawers/"):][:len("2026-06-01")])}
	}}}
	src.Rows = func(p vault.Path, data []byte, env indexer.Env) ([]indexer.Row, []vault.Problem) {
		read[p]++
		out, problems := rows(p, data, env)
		wings, _ := env.Values["wings"].(map[string]string)
		for i := range out {
			if wing, ok := wings[out[i].Drawer]; ok {
				out[i].Wing = wing
			}
		}
		return out, problems
	}
	return src
}

// TestAnEventReadsTheFilesThatItIsAbout: what a worker says of one drawer has its day read again, and no other file.
func TestAnEventReadsTheFilesThatItIsAbout(t *testing.T) {
	w := newWorld(t)
	read := map[vault.Path]int{}
	w.tweak = func(o *indexer.Options) {
		o.Sources = []indexer.Source{movedDrawers(read)}
		o.Facets = append(indexer.DefaultFacets(), wingFacet())
	}
	w.open()
	for _, day := range []string{"2026-06-01", "2026-06-02", "2026-06-03"} {
		w.drawer(day, "c1", "We talked about Lisbon on "+day)
	}
	w.sync()
	id := ""
	for _, r := range w.rows() {
		if r.File == "memory/drawers/2026-06-02.md" {
			id = r.Drawer
		}
	}
	clear(read)
	w.write(".state/moves.jsonl", `{"day":"2026-06-02","drawer":"`+id+`","wing":"travel"}`+"\n")
	for _, paths := range [][]string{{".state/moves.jsonl"}, nil} { // the second finds nothing to do
		w.sync(paths...)
		if d := cmp.Diff(map[vault.Path]int{"memory/drawers/2026-06-02.md": 1}, read); d != "" {
			t.Error(d)
		}
	}
	w.equal()
	w.close()
	clear(read)
	w.open()
	w.sync()
	if len(read) > 0 {
		t.Errorf("read after a restart: %v", read)
	}
	w.equal()
	for _, r := range w.rows() {
		if moved := r.Drawer == id; moved != (r.Wing == "travel") {
			t.Errorf("%+v", r)
		}
	}
}

// TestAStateFile: lines of a file in .state give rows as any other file's do.
func TestAStateFile(t *testing.T) {
	w := newWorld(t)
	w.tweak = func(o *indexer.Options) {
		o.Sources = []indexer.Source{lineSource(vault.StateDir)}
		o.Mounts = []indexer.Mount{indexer.StateFiles(w.v, "graph.jsonl")}
	}
	w.open()
	w.sync()
	w.write(".state/other.jsonl", "{}\n")
	w.write(".state/graph.jsonl", "{\"subject\":\"Alice\"}\n")
	w.sync(".state/graph.jsonl")
	if n := w.ix.Reader().Len(); n != 1 {
		t.Errorf("%d rows", n)
	}
	w.equal()
	if err := w.v.AppendState(t.Context(), "graph.jsonl", map[string]string{"subject": "Bob"}); err != nil {
		t.Fatal(err)
	}
	w.sync()
	w.equal()
	w.settle()
	if v := w.verified(); v.Rows != 2 {
		t.Errorf("%+v", v)
	}
}

// TestAnUnknownFacetIsRefused: a source that depends on what nobody reads would never see it change.
func TestAnUnknownFacetIsRefused(t *testing.T) {
	w := newWorld(t)
	w.tweak = func(o *indexer.Options) { o.Sources = []indexer.Source{movedDrawers(nil)} }
	if err := w.tryOpen(); err == nil {
		t.Error("opened")
	}
}

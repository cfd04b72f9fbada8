package indexer_test

import (
	"testing"

	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/vault"
)

// tripleSource is a second source over the lines of the daily logs: one row for each fact, beside the log's own.
func tripleSource() indexer.Source {
	src := indexer.LogSource()
	rows, follow := src.Rows, src.Follow
	src.Name, src.Version = "triple", 1
	src.Rows = func(p vault.Path, data []byte, env indexer.Env) ([]indexer.Row, []vault.Problem) {
		facts, _ := rows(p, data, env) // the log has told of the problems
		return triples(facts), nil
	}
	src.Follow = func(p vault.Path) indexer.Follower { return tripleFollower{follow(p)} }
	return src
}

type tripleFollower struct{ facts indexer.Follower }

func (f tripleFollower) Next(data []byte, env indexer.Env) (int, []indexer.Row, []vault.Problem, bool) {
	keep, facts, _, ok := f.facts.Next(data, env)
	return keep, triples(facts), nil, ok
}

func triples(facts []indexer.Row) []indexer.Row {
	for i := range facts {
		f := &facts[i]
		f.ID, f.Source, f.Text, f.Context = "triple:"+f.ID, "triple", "who | what | "+f.Text, ""
	}
	return facts
}

func withTriples(o *indexer.Options) {
	if o.Sources == nil {
		o.Sources = indexer.DefaultSources(vault.Layout{})
	}
	o.Sources = append(o.Sources, tripleSource())
}

// TestTwoSourcesOfOneFile: a file has the rows of both, an append costs what it adds, and what is forgotten is in neither.
func TestTwoSourcesOfOneFile(t *testing.T) {
	w := newWorld(t)
	w.tweak = withTriples
	w.open()
	w.facts(day, "c1", "Alice likes tea", "Noor likes coffee")
	w.sync()
	if n := w.ix.Reader().Len(); n != 4 {
		t.Errorf("%d rows", n)
	}
	w.equal()
	for _, text := range []string{"Bob plays chess", "Bob owns a boat"} { // the second is followed
		w.facts(day, "c1", text)
		if s := w.sync("memory/archive/" + day + ".md"); s != (indexer.Stats{Files: 1, Added: 2, Embedded: 2}) {
			t.Errorf("%s: %+v", text, s)
		}
		w.equal()
	}
	if err := w.v.Forget(t.Context(), []vault.Tombstone{{Text: "Bob plays chess"}}); err != nil {
		t.Fatal(err)
	}
	if s := w.sync(".state/tombstones.jsonl"); s.Removed != 0 || w.ix.Reader().Len() != 6 {
		t.Errorf("forgotten: %+v, %d rows", s, w.ix.Reader().Len())
	}
	w.equal()
	w.settle()
	w.verified()
	w.close()
	w.tweak = nil // the source is gone, and its rows with it
	w.open()
	w.sync()
	w.equal()
	w.close()
	w.tweak = func(o *indexer.Options) { o.Sources = []indexer.Source{indexer.CoreSource()} } // and now all
	w.open()
	w.sync()
	w.equal()
	w.verified()
}

package recall_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/indexer/flat"
	"github.com/reverie-memory/reverie/indexer/vector"
	"github.com/reverie-memory/reverie/llm"
	"github.com/reverie-memory/reverie/recall"
	"github.com/reverie-memory/reverie/vault"
)

// store holds the generations of all tests: to make one costs less than to open a catalog for it.
var store *catalog.Catalog

// tests are those of a package that need a store.
type tests struct{ *testing.M }

// Run implements goleak.TestingM.
func (m tests) Run() int {
	dir, err := os.MkdirTemp("", "recall")
	if err == nil {
		store, err = catalog.Open(context.Background(), dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	code := m.M.Run()
	if err := errors.Join(store.Close(), os.RemoveAll(dir)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(tests{m}) }

// storeIndex is the real catalog with the real flat engine, filled without the indexer.
type storeIndex struct {
	*catalog.Reader
	engine indexer.Engine
	print  string
	vecs   map[catalog.Key][]float32
}

func (x *storeIndex) Vectors(_ context.Context, keys []catalog.Key) ([][]float32, error) {
	out := make([][]float32, len(keys))
	for i, k := range keys {
		out[i] = x.vecs[k]
	}
	return out, nil
}

func newStoreIndex(tb testing.TB, rows []catalog.Row, embed llm.Embedder) *storeIndex {
	tb.Helper()
	ctx := context.Background()
	g, err := store.Create(ctx, catalog.GenInfo{Schema: 1, Fingerprint: embed.Fingerprint(), Dim: embed.Dim(), Engine: "flat"})
	must(tb, err)
	engine, err := flat.Open(ctx, tb.TempDir(), embed.Dim())
	must(tb, err)
	tb.Cleanup(func() { must(tb, engine.Close()) })

	all := map[catalog.Key][]float32{}
	for len(rows) > 0 {
		batch := rows[:min(2000, len(rows))]
		rows = rows[len(batch):]
		byFile := map[vault.Path]*catalog.Change{}
		var order []vault.Path
		for _, r := range batch {
			if byFile[r.File] == nil {
				byFile[r.File] = &catalog.Change{Path: r.File, State: &catalog.FileState{Size: 1}}
				order = append(order, r.File)
			}
			byFile[r.File].Insert = append(byFile[r.File].Insert, r)
		}
		var changes []catalog.Change
		var texts []string
		for _, p := range order {
			changes = append(changes, *byFile[p])
			for _, r := range byFile[p].Insert {
				texts = append(texts, catalog.EmbedText(r.Context, r.Text))
			}
		}
		keys, err := g.Apply(ctx, changes)
		must(tb, err)
		vecs, err := embed.Embed(ctx, texts, llm.Document)
		must(tb, err)
		var recs []vector.Record
		n := 0
		for _, list := range keys {
			for _, k := range list {
				all[k] = vecs[n]
				recs = append(recs, vector.Record{Key: k, Vector: vecs[n]})
				n++
			}
		}
		must(tb, engine.Put(ctx, recs))
	}
	must(tb, engine.Flush(ctx))
	return &storeIndex{g.Reader(), engine, embed.Fingerprint(), all}
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

func (x *storeIndex) Vector(ctx context.Context, q []float32, k int, allow func(catalog.Key) bool) ([]vector.Match, error) {
	return x.engine.Search(ctx, q, k, allow)
}

func (x *storeIndex) Info() recall.Info {
	return recall.Info{Engine: x.engine.Name(), Generation: 1, Rows: x.Len(), Fingerprint: x.print}
}

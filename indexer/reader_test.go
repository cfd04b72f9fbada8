package indexer_test

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/indexer/flat"
	"github.com/reverie-memory/reverie/indexer/vector"
)

// keyedEngine narrows searches by itself.
type keyedEngine struct {
	indexer.Engine
	asked *[]vector.Key
}

func (e keyedEngine) SearchKeys(ctx context.Context, q []float32, k int, keys []vector.Key) ([]vector.Match, error) {
	*e.asked = keys
	return e.Search(ctx, q, k, func(key vector.Key) bool { return slices.Contains(keys, key) })
}

// TestAnEngineNarrowsSearchesItself: one that can is given the keys of the filter.
func TestAnEngineNarrowsSearchesItself(t *testing.T) {
	w := newWorld(t)
	var asked []vector.Key
	w.tweak = func(o *indexer.Options) {
		o.OpenEngine = func(ctx context.Context, dir string, dim int) (indexer.Engine, error) {
			e, err := flat.Open(ctx, dir, dim)
			return keyedEngine{e, &asked}, err
		}
	}
	w.open()
	w.facts(day, "c1", "Alice likes tea", "Noor likes tea")
	w.facts(day, "c2", "Bob likes tea")
	w.sync()
	r, ctx := w.ix.Reader(), t.Context()
	q := fakeVector("likes tea", fakeDim)
	if hits, err := r.Vector(ctx, q, 9, nil); err != nil || len(hits) != 3 || asked != nil {
		t.Errorf("without a filter: %v, %v, keys %v", hits, err, asked)
	}
	want := r.Keys(catalog.Filter{Chat: "c1"})
	hits, err := r.Vector(ctx, q, 9, r.Allow(catalog.Filter{Chat: "c1"}))
	if err != nil || len(hits) != 2 || !slices.Equal(asked, want) {
		t.Errorf("with a filter: %v, %v, keys %v, want %v", hits, err, asked, want)
	}
}

func TestVectorsOfRows(t *testing.T) {
	w := newWorld(t).open()
	w.facts(day, "c1", "Alice likes tea", "Noor likes coffee")
	w.sync()
	r, ctx := w.ix.Reader(), t.Context()
	rows := w.rows()
	keys, err := r.KeysByID(ctx, []string{rows[1].ID, rows[0].ID})
	if err != nil || len(keys) != 2 {
		t.Fatal(keys, err)
	}
	got, err := r.Vectors(ctx, append(keys, 1<<30))
	if err != nil || len(got) != 3 || got[2] != nil {
		t.Fatalf("%v, %v", got, err)
	}
	for i, row := range []indexer.Row{rows[1], rows[0]} {
		if !slices.Equal(got[i], fakeVector(catalog.EmbedText(row.Context, row.Text), fakeDim)) {
			t.Errorf("%s has the vector %v", row.Text, got[i])
		}
	}
}

// saidAnew is what an index logs that fills itself anew at its start, after another version of it wrote its catalog and the file cut
// was cut off, "" for none.
func saidAnew(t *testing.T, cut string) string {
	w := newWorld(t).open()
	w.facts(day, "c1", "Alice likes tea")
	w.sync()
	w.close()
	hurtFiles(w, "catalog.db", func(_ string, b []byte) []byte {
		copy(b[60:64], "\x63\x63\x63\x63") // the version, in the head of the file
		return b
	})
	if cut != "" {
		hurtFiles(w, cut, func(string, []byte) []byte { return []byte{} })
	}
	var log bytes.Buffer
	w.tweak = func(o *indexer.Options) { o.Log = slog.New(slog.NewTextHandler(&log, nil)) }
	w.open()
	w.sync()
	w.equal()
	w.close()
	return log.String()
}

// TestAnotherVersionIsNoDamage: a first start after the version of the index changed says so, and alarms nobody.
func TestAnotherVersionIsNoDamage(t *testing.T) {
	if said := saidAnew(t, ""); strings.Contains(said, "ERROR") || strings.Contains(said, "damaged") ||
		!strings.Contains(said, `level=INFO msg="index of another version, built anew"`) {
		t.Error(said)
	}
}

// TestDamageIsNoOtherVersion: a file that was cut off is damage, and so are cached vectors that go, also on the day of another version.
func TestDamageIsNoOtherVersion(t *testing.T) {
	for _, cut := range []string{"catalog.db", "vectors.db"} {
		if said := saidAnew(t, cut); !strings.Contains(said, `level=ERROR msg="the index is damaged`) {
			t.Errorf("%s: %s", cut, said)
		}
	}
}

// TestAnotherVersionCostsNoEmbedding: what the embedder gave outlives the files of another version, and damaged ones.
func TestAnotherVersionCostsNoEmbedding(t *testing.T) {
	w := newWorld(t).open()
	w.facts(day, "c1", "Alice likes tea", "Noor likes coffee")
	w.sync()
	w.settle()
	for _, name := range []string{"catalog.db", "gen-*/rows.db"} {
		w.close()
		hurtFiles(w, name, func(_ string, b []byte) []byte {
			copy(b[60:64], "\x63\x63\x63\x63") // the version, in the head of the file
			clear(b[len(b)/2:])
			return b
		})
		w.emb.set(func(e *fakeEmbedder) { e.texts = nil })
		w.open()
		w.sync()
		w.settle()
		w.equal()
		if v := w.verified(); v.Rows != 2 || v.Pending != 0 {
			t.Errorf("%s: %+v", name, v)
		}
		if given := w.emb.given(); len(given) > 0 {
			t.Errorf("%s: the embedder was asked for %q", name, given)
		}
	}
	w.close()
	if err := os.Truncate(filepath.Join(w.index, "vectors.db"), 0); err != nil {
		t.Fatal(err)
	}
	w.open()
	w.sync()
	w.settle()
	if v := w.verified(); v.Rows != 2 || v.Pending != 0 || len(w.emb.given()) != 2 {
		t.Errorf("cached vectors lost: %+v, asked for %q", v, w.emb.given())
	}
}

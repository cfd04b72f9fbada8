package llm

import (
	"context"
	"flag"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/reverie-memory/reverie/lexis"
)

var update = flag.Bool("update", false, "write the golden files anew")

func embed(t testing.TB, e Embedder, kind Kind, texts ...string) [][]float32 {
	t.Helper()
	out, err := e.Embed(context.Background(), texts, kind)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func dot(a, b []float32) float64 {
	sum := 0.0
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

// The golden fingerprint holds a digest of real vectors: the same on every system and architecture.
// The fingerprint moves when lexis or the concepts move; then an index is built anew, so move it knowingly (-update).
func TestBuiltinVectorsAreTheSameEverywhere(t *testing.T) {
	const golden = "testdata/builtin.golden"
	got := NewBuiltin().Fingerprint() + "\n"
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("fingerprint %q, want %q", got, want)
	}
}

func TestBuiltinVectors(t *testing.T) {
	e := NewBuiltin()
	texts := []string{
		"", "   …!", "the of and", "Alice moved to Berlin", strings.Repeat("long text about everything and ", 5000),
		"\xff\xfe broken", "我昨天去了博物馆",
	}
	for i, v := range embed(t, e, Document, texts...) {
		if len(v) != e.Dim() {
			t.Fatalf("%.20q: %d values", texts[i], len(v))
		}
		length := math.Sqrt(dot(v, v))
		if empty := i < 3; empty && length != 0 || !empty && math.Abs(length-1) > 1e-5 {
			t.Errorf("%.20q: length %v", texts[i], length)
		}
	}
}

func TestBuiltinIsDeterministicAndSafeToShare(t *testing.T) {
	shared := NewBuiltin()
	texts := strings.Split(lexis.ConceptTable, "\n")
	want := embed(t, NewBuiltin(), Document, texts...)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			got, err := shared.Embed(context.Background(), texts, Document)
			if err != nil || !slices.EqualFunc(want, got, slices.Equal) {
				t.Error("vectors differ between instances")
			}
		})
	}
	wg.Wait()
}

// What the embedder is for: the near text scores above the far one.
func TestBuiltinNearness(t *testing.T) {
	e := NewBuiltin()
	for _, c := range []struct{ query, near, far string }{
		{"Where does Alice work?", "Alice has a new job at the post office", "Bob bakes bread on Sundays"},
		{"sister", "her sibling lives abroad", "the weather was nice"},
		{"which car does he drive", "he bought a red vehicle", "he bought a red lamp"},
		{"physician", "she saw the doctor on Monday", "she saw the film on Monday"},
		{"is she allergic to nuts", "peanut allergy since childhood", "she likes long walks"},
		{"running shoes", "I run every morning", "I paint every morning"},
		{"Brelin trip", "a trip to Berlin", "a lamp for the desk"},
		{"postgres migration", "we migrated the database to postgresql 16", "we painted the kitchen"},
		{"Wo arbeitet die Schwester?", "my sister changed her job", "the lake was frozen"},
		{"¿tiene mascotas?", "they adopted a dog", "they visited a museum"},
		{"Which instrument does she play?", "she practises the cello at night", "she repairs the tractor at night"},
		{"Has he been ill?", "he was diagnosed with leukemia", "he was elected treasurer"},
		{"東京タワー", "東京タワーへ行きました", "大阪で食べました"},
		{"getUserName", "the function get_user_name returns nil", "the function closes the file"},
	} {
		q := embed(t, e, Query, c.query)[0]
		d := embed(t, e, Document, c.near, c.far)
		if near, far := dot(q, d[0]), dot(q, d[1]); near <= far {
			t.Errorf("%q: %.3f to %q, %.3f to %q", c.query, near, c.near, far, c.far)
		}
	}
}

func TestBuiltinKeepsNearDuplicatesClose(t *testing.T) {
	d := embed(t, NewBuiltin(), Document,
		"Alice moved to the Berlin office in June because the team there works on search",
		"Alice moved to the Berlin office in June because the team there is working on search!",
		"Bob repaired the old bicycle of his neighbour last weekend in the yard")
	if same, other := dot(d[0], d[1]), dot(d[0], d[2]); same < 0.9 || other > 0.3 {
		t.Errorf("near duplicate %.3f, unrelated %.3f", same, other)
	}
}

func TestBuiltinStopsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := NewBuiltin().Embed(ctx, []string{"a"}, Document); err == nil {
		t.Error("no error from a cancelled context")
	}
}

func BenchmarkBuiltin(b *testing.B) {
	e := newBuiltin(builtinMix)
	texts := strings.Split(strings.Repeat(probe[0]+"\n"+probe[1]+"\n"+lexis.ConceptTable, 2), "\n")
	n := 0
	for b.Loop() {
		e.vector(texts[n%len(texts)], Document)
		n++
	}
}

func FuzzBuiltin(f *testing.F) {
	for _, p := range probe {
		f.Add(p)
	}
	e := NewBuiltin()
	f.Fuzz(func(t *testing.T, text string) {
		for _, v := range embed(t, e, Document, text, text) {
			for _, x := range v {
				if x != x || x > 1 || x < -1 {
					t.Fatalf("%v in the vector of %q", x, text)
				}
			}
		}
	})
}

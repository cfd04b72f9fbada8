package likeness

import (
	"context"
	"math"
	"os"
	"testing"
	"testing/fstest"

	"github.com/reverie-memory/reverie/internal/linear"
	"github.com/reverie-memory/reverie/llm"
)

// What the table says of the built-in embedder holds for texts of ours, with what a person would make of each pair. The shares are of the
// measurement that docs/settings.md tells; one that moves by more than a few pairs means that the table has to be measured again.
func TestBuiltinIsMeasured(t *testing.T) {
	e := llm.NewBuiltin()
	scale := Of(e.Fingerprint())
	if !scale.Known() {
		t.Fatalf("nobody measured %s", e.Fingerprint())
	}
	vectors := map[string][]float32{}
	like := func(a, b string) float64 {
		for _, text := range []string{a, b} {
			if vectors[text] == nil {
				v, err := e.Embed(context.Background(), []string{text}, llm.Document)
				if err != nil {
					t.Fatal(err)
				}
				vectors[text] = v[0]
			}
		}
		return scale.Likeness(Cosine(vectors[a], vectors[b]))
	}
	var texts []string
	groups := map[string][]float64{}
	pairs, err := os.ReadFile("testdata/pairs.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	err = linear.Labels(fstest.MapFS{"d/pairs.jsonl": {Data: pairs}}, "d", func(p struct{ Text, Near, Same, Other string }) error {
		for name, text := range map[string]string{"copy": p.Text, "near": p.Near, "same": p.Same, "other": p.Other} {
			groups[name] = append(groups[name], like(p.Text, text))
		}
		for _, text := range texts {
			groups["unrelated"] = append(groups["unrelated"], like(p.Text, text))
		}
		texts = append(texts, p.Text)
		return nil
	})
	if err != nil || len(texts) < 30 {
		t.Fatal(len(texts), err)
	}
	for _, c := range []struct {
		group       string
		from        float64
		least, most int // percent of the pairs that are as like as that
	}{
		{"copy", 0.999, 100, 100},
		{"near", Duplicates, 90, 100},
		{"near", Clusters, 97, 100},
		{"other", Duplicates, 0, 12},
		{"other", Conflicts, 65, 100},
		{"same", Reinforces, 15, 100}, // words are all that this embedder knows
		{"same", Duplicates, 0, 0},
		{"unrelated", Reinforces, 0, 0},
	} {
		n := 0
		for _, l := range groups[c.group] {
			if l >= c.from {
				n++
			}
		}
		if share := 100 * n / len(groups[c.group]); share < c.least || share > c.most {
			t.Errorf("%d %% of %s are at %.2f, want %d to %d", share, c.group, c.from, c.least, c.most)
		}
	}
}

func TestLikenessRisesWithTheCosine(t *testing.T) {
	for name, s := range scales {
		last := math.Inf(-1)
		for c := -1.0; c <= 1; c += 0.01 {
			l := s.Likeness(c)
			if l < last || l < -1 || l > 1 {
				t.Errorf("%s: %.2f at cosine %.2f, %.2f before", name, l, c, last)
			}
			last = l
		}
		if l := s.Likeness(1.0000001); l != 1 {
			t.Errorf("%s: %v for the same", name, l)
		}
	}
	if Of("ollama/something/768").Known() || Of("ollama/something/768").Likeness(0.42) != 0.42 {
		t.Error("an embedder that nobody measured has its cosines")
	}
}

func TestCosineIsWhatALikenessMeans(t *testing.T) {
	for _, s := range []Scale{{}, Of("builtin/2/x"), Of("openai/text-embedding-3-small/1536")} {
		for _, like := range []float64{-1, -0.3, 0, 0.5, Reinforces, Conflicts, 0.8, Clusters, Duplicates, 0.97, 1} {
			if c := s.Cosine(like); math.Abs(s.Likeness(c)-like) > 1e-9 {
				t.Errorf("a likeness of %v is a cosine of %v, which is a likeness of %v", like, c, s.Likeness(c))
			}
		}
	}
	if c := Of("builtin/2/x").Cosine(Reinforces); c != 0.64 {
		t.Errorf("%v", c)
	}
}

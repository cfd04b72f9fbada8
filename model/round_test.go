package model

import (
	"math"
	"slices"
	"testing"

	"github.com/reverie-memory/reverie/model/matrix"
	"github.com/reverie-memory/reverie/model/modeltest"
)

// A rounded model gives nearly the vectors and scores of the model as it is. Static embeddings, and models on a processor without the
// instructions, stay as they are and say so.
func TestRoundedModels(t *testing.T) {
	for _, kind := range []string{KindEncoder, KindReranker, KindStatic} {
		m := modeltest.Model{Kind: kind, Hidden: 64, Heads: 4, Inner: 128, Layers: 3}
		plain, _, dir := write(t, m)
		rounded, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		rounded.Round()
		if is := rounded.Info().Int8; is != (matrix.Rounds && kind != KindStatic) || plain.Info().Int8 {
			t.Errorf("%s: rounded %v, and unasked %v", kind, is, plain.Info().Int8)
		}
		if kind != KindReranker {
			one, err := plain.Embed(ctx, texts, false)
			if err != nil {
				t.Fatal(err)
			}
			other, err := rounded.Embed(ctx, texts, false)
			if err != nil {
				t.Fatal(err)
			}
			same := true
			for i := range one {
				cosine := 0.0
				for j := range one[i] {
					cosine += float64(one[i][j]) * float64(other[i][j])
				}
				if cosine < 0.99 {
					t.Errorf("%s: %q has a cosine of %v with itself", kind, texts[i], cosine)
				}
				same = same && slices.Equal(one[i], other[i])
			}
			if same == rounded.Info().Int8 {
				t.Errorf("%s: the same to the bit: %v", kind, same)
			}
		}
		if kind == KindStatic {
			continue
		}
		one, err := plain.Score(ctx, "the harbour", texts)
		if err != nil {
			t.Fatal(err)
		}
		other, err := rounded.Score(ctx, "the harbour", texts)
		if err != nil {
			t.Fatal(err)
		}
		low, high := slices.Min(one), slices.Max(one)
		for i := range one {
			if off := math.Abs(float64(one[i] - other[i])); off > 0.2*float64(high-low) {
				t.Errorf("%s: the score of %q is off by %v, where scores lie between %v and %v", kind, texts[i], off, low, high)
			}
		}
	}
}

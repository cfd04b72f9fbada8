package model

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/model/modeltest"
)

func TestRerankersScoreByTheDefinition(t *testing.T) {
	shape := modeltest.Model{Kind: "reranker", Hidden: 32, Heads: 4, Inner: 64, Layers: 2, Seed: 3}
	m, tensors, _ := write(t, shape)
	const question = "the boat sails?"
	got, err := m.Score(ctx, question, texts)
	if err != nil {
		t.Fatal(err)
	}
	d := definition{shape, tensors, "bert."}
	asked := m.tokens.text(question, 30)
	for i, text := range texts {
		ids := slices.Concat([]int32{2}, asked, []int32{3}, m.tokens.text(text, m.info.MaxTokens-4-len(asked)), []int32{3})
		pooled := d.dense("bert.pooler.dense", d.last(ids, len(asked)+2)[:1])
		for j, v := range pooled[0] {
			pooled[0][j] = math.Tanh(v)
		}
		near(t, text, got[i:i+1], d.dense("classifier", pooled)[0])
	}
}

// interact is the definition of late interaction, from the vectors of the tokens without the special ones.
func interact(question, text [][]float64) float64 {
	dot := func(a, b []float64) (sum float64) {
		for i := range a {
			sum += a[i] * b[i]
		}
		return sum
	}
	sum := 0.0
	for _, q := range question {
		best := math.Inf(-1)
		for _, v := range text {
			best = max(best, dot(q, v)/math.Sqrt(dot(q, q)*dot(v, v)))
		}
		sum += best / float64(len(question))
	}
	return sum
}

// The score is the same however the vectors of a text are pooled, and the question is as long as a text may be.
func TestEncodersScoreByLateInteraction(t *testing.T) {
	for _, shape := range []modeltest.Model{
		{Hidden: 24, Heads: 3, Inner: 40, Layers: 2},
		{Hidden: 30, Heads: 5, Inner: 17, Layers: 1, First: true, Seed: 9},
	} {
		t.Run(fmt.Sprint(shape), func(t *testing.T) {
			m, tensors, _ := write(t, shape)
			d := definition{shape, tensors, ""}
			inner := func(text string) [][]float64 {
				ids := slices.Concat([]int32{2}, m.tokens.text(text, m.info.MaxTokens-2), []int32{3})
				return d.last(ids, len(ids))[1 : len(ids)-1]
			}
			for _, question := range []string{"sail", "the boat sails?", strings.Repeat("the harbour walk ", 40)} {
				got, err := m.Score(ctx, question, texts)
				if err != nil {
					t.Fatal(err)
				}
				for i, text := range texts {
					near(t, question+": "+text, got[i:i+1], []float64{interact(inner(question), inner(text))})
				}
			}
		})
	}
}

// A text has one score, whatever it is scored together with, and nothing is like nothing.
func TestPassesDoNotShowInScores(t *testing.T) {
	m, _, _ := write(t, modeltest.Model{})
	mixed := append(slices.Clone(texts), "")
	var many []string
	for i := range 100 {
		many = append(many, mixed[i%len(mixed)])
	}
	const question = "the boat sails?"
	got, err := m.Score(ctx, question, many)
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range mixed {
		alone, err := m.Score(ctx, question, []string{text})
		if err != nil {
			t.Fatal(err)
		}
		if zero := text == ""; zero != (alone[0] == 0) {
			t.Errorf("%q scores %v", text, alone[0])
		}
		for at := i; at < len(many); at += len(mixed) {
			if alone[0] != got[at] {
				t.Fatalf("%q scores %v alone and %v among %d texts", text, alone[0], got[at], len(many))
			}
		}
	}
	if nothing, err := m.Score(ctx, " ", texts); err != nil || slices.Max(nothing) != 0 || slices.Min(nothing) != 0 {
		t.Errorf("a question without a word scores %v, %v", nothing, err)
	}
	if none, err := m.Score(ctx, question, nil); err != nil || len(none) != 0 {
		t.Errorf("no text scores %v, %v", none, err)
	}
}

// A token whose vector is infinite spoils the score of its text, though another token may be the best.
func TestScoresAreFinite(t *testing.T) {
	shape := modeltest.Model{Hidden: 24, Heads: 3, Inner: 40, Layers: 2}
	_, tensors, dir := write(t, shape)
	tensors["encoder.layer.1.output.LayerNorm.weight"].Values[0] = math.MaxFloat32
	if err := os.WriteFile(filepath.Join(dir, Weights), modeltest.Safetensors(tensors), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	d := definition{shape, tensors, ""}
	infinite := func(text string) (n int) {
		ids := slices.Concat([]int32{2}, m.tokens.text(text, m.info.MaxTokens-2), []int32{3})
		for _, v := range d.last(ids, len(ids))[1 : len(ids)-1] {
			if math.Abs(v[0]) > math.MaxFloat32 {
				n++
			}
		}
		return n
	}
	finite, spoilt := 0, 0
	for _, question := range texts {
		for _, text := range texts {
			got, err := m.Score(ctx, question, []string{text})
			bad := infinite(question)+infinite(text) > 0
			if bad != (err != nil) {
				t.Errorf("%q and %q, of %d and %d infinite tokens: %v, %v", question, text, infinite(question), infinite(text), got, err)
			}
			if bad {
				spoilt++
			} else {
				finite++
			}
		}
	}
	if finite == 0 || spoilt == 0 {
		t.Errorf("%d finite, %d not: the test shows nothing", finite, spoilt)
	}
}

package model

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/model/modeltest"
)

var ctx = context.Background()

// write makes a small model and opens it.
func write(t testing.TB, m modeltest.Model) (*Model, map[string]modeltest.Tensor, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "tiny")
	tensors, err := m.Write(dir)
	if err != nil {
		t.Fatal(err)
	}
	opened, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return opened, tensors, dir
}

// texts have words of several pieces, unknown weights, other scripts, and one is longer than a model reads.
var texts = []string{
	"The boat", "a harbour, the sails.", "sailing 北!", "climbing?", "Älé", "boat " + strings.Repeat("the harbour walk ", 40), "sail",
}

// A definition of the encoder, one number after the other in float64.
type definition struct {
	modeltest.Model
	t      map[string]modeltest.Tensor
	prefix string
}

func (d definition) dense(name string, x [][]float64) [][]float64 {
	w, b := d.t[name+".weight"], d.t[name+".bias"]
	out := make([][]float64, len(x))
	for i, row := range x {
		for j := range w.Shape[0] {
			sum := float64(b.Values[j])
			for l, v := range row {
				sum += v * float64(w.Values[j*len(row)+l])
			}
			out[i] = append(out[i], sum)
		}
	}
	return out
}

func (d definition) norm(name string, x, y [][]float64) [][]float64 {
	w, b := d.t[name+".weight"].Values, d.t[name+".bias"].Values
	for i := range x {
		mean, square := 0.0, 0.0
		for j := range x[i] {
			if y != nil {
				x[i][j] += y[i][j]
			}
			mean += x[i][j] / float64(len(x[i]))
		}
		for _, v := range x[i] {
			square += (v - mean) * (v - mean) / float64(len(x[i]))
		}
		for j, v := range x[i] {
			x[i][j] = (v-mean)/math.Sqrt(square+1e-12)*float64(w[j]) + float64(b[j])
		}
	}
	return x
}

// last is the last layer for ids, of which those from second on are of the second text.
func (d definition) last(ids []int32, second int) [][]float64 {
	e, h := d.prefix+"embeddings.", d.Hidden
	x := make([][]float64, len(ids))
	for i, id := range ids {
		kind := 0
		if i >= second {
			kind = 1
		}
		for j := range h {
			x[i] = append(x[i], float64(d.t[e+"word_embeddings.weight"].Values[int(id)*h+j])+
				float64(d.t[e+"position_embeddings.weight"].Values[i*h+j])+float64(d.t[e+"token_type_embeddings.weight"].Values[kind*h+j]))
		}
	}
	x = d.norm(e+"LayerNorm", x, nil)
	for i := range d.Layers {
		p := fmt.Sprintf("%sencoder.layer.%d.", d.prefix, i)
		q, k, v := d.dense(p+"attention.self.query", x), d.dense(p+"attention.self.key", x), d.dense(p+"attention.self.value", x)
		context := make([][]float64, len(x))
		for a := range x {
			context[a] = make([]float64, h)
			for head := range d.Heads {
				size := h / d.Heads
				shares, sum := make([]float64, len(x)), 0.0
				for b := range x {
					dot := 0.0
					for j := head * size; j < (head+1)*size; j++ {
						dot += q[a][j] * k[b][j]
					}
					shares[b] = math.Exp(dot / math.Sqrt(float64(size)))
					sum += shares[b]
				}
				for b := range x {
					for j := head * size; j < (head+1)*size; j++ {
						context[a][j] += shares[b] / sum * v[b][j]
					}
				}
			}
		}
		x = d.norm(p+"attention.output.LayerNorm", x, d.dense(p+"attention.output.dense", context))
		wide := d.dense(p+"intermediate.dense", x)
		for _, row := range wide {
			for j, v := range row {
				row[j] = 0.5 * v * math.Erfc(-v/math.Sqrt2)
			}
		}
		x = d.norm(p+"output.LayerNorm", x, d.dense(p+"output.dense", wide))
	}
	return x
}

func (d definition) pooled(last [][]float64) []float64 {
	v := make([]float64, d.Hidden)
	for i, row := range last {
		for j, x := range row {
			if !d.First || i == 0 {
				v[j] += x
			}
		}
	}
	length := 0.0
	for _, x := range v {
		length += x * x
	}
	for j := range v {
		v[j] /= math.Sqrt(length)
	}
	return v
}

func TestVectorsAreThoseOfTheDefinition(t *testing.T) {
	for _, shape := range []modeltest.Model{
		{Hidden: 24, Heads: 3, Inner: 40, Layers: 2},
		{Hidden: 64, Heads: 2, Inner: 128, Layers: 3, First: true, Seed: 7},
		{Hidden: 30, Heads: 5, Inner: 17, Layers: 1, Seed: 9},
	} {
		t.Run(fmt.Sprint(shape), func(t *testing.T) {
			m, tensors, _ := write(t, shape)
			got, err := m.Embed(ctx, texts, false)
			if err != nil {
				t.Fatal(err)
			}
			d := definition{shape, tensors, ""}
			for i, text := range texts {
				s := m.sequence(m.tokens.text(text, m.info.MaxTokens-2))
				near(t, text, got[i], d.pooled(d.last(s.ids, s.second)))
			}
		})
	}
}

func near(t *testing.T, what string, got []float32, want []float64) {
	t.Helper()
	for j := range want {
		if math.Abs(float64(got[j])-want[j]) > 2e-5 {
			t.Fatalf("%.40q: value %d is %v, want %v", what, j, got[j], want[j])
		}
	}
}

func TestStaticVectorsAreMeansWithoutUnknownTokens(t *testing.T) {
	m, tensors, _ := write(t, modeltest.Model{Kind: "static"})
	got, err := m.Embed(ctx, []string{"Boat ∞ sails", "∞", ""}, false)
	if err != nil {
		t.Fatal(err)
	}
	e, dim := tensors["embeddings"].Values, 24
	var want []float64
	for j := range dim {
		want = append(want, float64(e[4*dim+j]+e[6*dim+j]+e[8*dim+j])/3)
	}
	length := 0.0
	for _, v := range want {
		length += v * v
	}
	for j := range want {
		want[j] /= math.Sqrt(length)
	}
	near(t, "boat sails", got[0], want)
	near(t, "nothing known", got[1], make([]float64, dim))
	near(t, "nothing", got[2], make([]float64, dim))
}

// A text has one vector, whatever it is embedded together with.
func TestPassesDoNotShowInVectors(t *testing.T) {
	m, _, _ := write(t, modeltest.Model{})
	var many []string
	for i := range 100 {
		many = append(many, texts[i%len(texts)])
	}
	got, err := m.Embed(ctx, many, true)
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range texts {
		alone, err := m.Embed(ctx, []string{text}, true)
		if err != nil {
			t.Fatal(err)
		}
		for at := i; at < len(many); at += len(texts) {
			if !slices.Equal(alone[0], got[at]) {
				t.Fatalf("%q differs among %d texts", text, len(many))
			}
		}
	}
}

func TestKindsRefuseWhatTheyCannotDo(t *testing.T) {
	static, _, _ := write(t, modeltest.Model{Kind: "static"})
	if _, err := static.Score(ctx, "a", []string{"b"}); err == nil || !strings.Contains(err.Error(), "static") {
		t.Errorf("static embeddings score: %v", err)
	}
	reranker, _, _ := write(t, modeltest.Model{Kind: "reranker"})
	if _, err := reranker.Embed(ctx, []string{"b"}, false); err == nil {
		t.Error("a reranker makes vectors")
	}
	done, cancel := context.WithCancel(ctx)
	cancel()
	encoder, _, _ := write(t, modeltest.Model{})
	if _, err := encoder.Embed(done, []string{"b"}, false); err == nil {
		t.Error("a cancelled context is not heeded")
	}
	if _, err := encoder.Score(done, "a", []string{"b"}); err == nil {
		t.Error("a cancelled context is not heeded by scores")
	}
}

// A model whose weights are wrong never runs, and its weights are not read at each call.
func TestWrongWeightsAreWrongAtEachCall(t *testing.T) {
	for _, kind := range []string{"static", "encoder", "reranker"} {
		_, tensors, dir := write(t, modeltest.Model{Kind: kind})
		weights := func() {
			if err := os.WriteFile(filepath.Join(dir, Weights), modeltest.Safetensors(tensors), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		use := func(m *Model) (err error) {
			if kind == "reranker" {
				_, err = m.Score(ctx, "a", []string{"b"})
			} else {
				_, err = m.Embed(ctx, []string{"b"}, true)
			}
			return err
		}
		tensors["other"] = modeltest.Tensor{Shape: []int{1}, Values: []float32{1}}
		weights()
		m, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := use(m); err == nil || !strings.Contains(err.Error(), "not known") {
				t.Errorf("%s: a tensor that is not known: %v", kind, err)
			}
		}
		delete(tensors, "other")
		weights()
		if use(m) == nil {
			t.Errorf("%s: the weights were read again", kind)
		}
		if m, err = Open(dir); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(filepath.Join(dir, Weights)); err != nil {
			t.Fatal(err)
		}
		if use(m) == nil {
			t.Errorf("%s runs without weights", kind)
		}
		weights()
		if err := use(m); err != nil {
			t.Errorf("%s: an error of the disk outlasts its cause: %v", kind, err)
		}
	}
}

// A token's weight counts; vectors that tokens share are refused.
func TestStaticWeightsAndMappings(t *testing.T) {
	m, tensors, dir := write(t, modeltest.Model{Kind: "static"})
	reopened := func(name string, values []float32) (*Model, error) {
		tensors[name] = modeltest.Tensor{Shape: []int{len(values)}, Values: values}
		defer delete(tensors, name)
		if err := os.WriteFile(filepath.Join(dir, Weights), modeltest.Safetensors(tensors), 0o600); err != nil {
			t.Fatal(err)
		}
		m, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		return m, m.Load()
	}
	weights := make([]float32, m.info.Vocabulary)
	weights[4] = 1 // of "boat" alone
	weighted, err := reopened("weights", weights)
	if err != nil {
		t.Fatal(err)
	}
	got, err := weighted.Embed(ctx, []string{"the boat", "boat", "the"}, false)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got[0], got[1]) || slices.ContainsFunc(got[2], func(v float32) bool { return v != 0 }) {
		t.Error("weights of tokens are not heeded")
	}
	for _, name := range []string{"mapping", "other"} {
		if _, err := reopened(name, weights); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("a tensor %q: %v", name, err)
		}
	}
	if _, err := reopened("weights", weights[1:]); err == nil {
		t.Error("too few weights are accepted")
	}
}

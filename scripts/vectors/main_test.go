package main

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/lexis"
)

// source writes a small file in the form of the real one: five words about each of four matters, and what is no word.
func source(t *testing.T) string {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("river lake swim swimming boat invoice bank salary tax pay violin piano song choir melody " +
		"bread soup salad cake flour 123 the a-b")
	vectors := map[string][]float64{}
	axis := make([]float64, dims)
	for i, w := range words {
		for k := range dims {
			if i%5 == 0 {
				axis[k] = random.NormFloat64()
			}
			vectors[w] = append(vectors[w], axis[k]+random.NormFloat64()/4)
		}
		vectors[w] = append(vectors[w], float64(i), 0) // what stands behind is no number of the vector
	}
	data, err := json.Marshal(map[string]any{"version": "1", "words": words, "vectors": vectors})
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "source.json")
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// sentences writes a WordNet of two words and a talk.
func sentences(t *testing.T) (dict, talks string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"data.noun": "  1 a line of the licence\n" +
			"00001740 03 n 01 river 0 000 | a stream where boats swim; \"a salary of songs is a lake of bread\"\n" +
			"00001741 03 n 01 Nile 0 000 | a river\n",
		"data.verb": "00001742 03 v 01 pay 0 000 | to give a salary or a tax\n", "data.adj": "", "data.adv": "",
		"talk.jsonl": `{"text": "the choir sang a melody with the violin and the piano"}` + "\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir, dir
}

// pupil is a teacher that hears letters. What it says has some numbers more than a vector.
func pupil(texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, text := range texts {
		out[i] = make([]float32, lexis.VectorDim+20)
		for k := range text {
			out[i][int(text[k])%len(out[i])]++
		}
	}
	return out, nil
}

func TestTextsOf(t *testing.T) {
	dict, talks := sentences(t)
	got, err := textsOf([]meaning{{term: "river"}, {term: "pay"}}, dict, talks)
	want := []string{
		"river: a stream where boats swim", "a salary of songs is a lake of bread", "pay: to give a salary or a tax",
		"the choir sang a melody with the violin and the piano",
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v", got, err)
	}
}

// The sums of what is learnt come nearer to what the teacher says of texts than the sums of what it says of words.
func TestSolve(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	start, goals, bags := matrix(6, 3), matrix(40, 3), make([]bag, 40)
	truth := matrix(6, 3)
	for _, m := range [][][]float64{start, truth} {
		for i := range m {
			for k := range m[i] {
				m[i][k] = random.NormFloat64()
			}
		}
	}
	for i := range bags {
		for _, term := range random.Perm(6)[:3] {
			bags[i] = append(bags[i], weighed{term, 20})
		}
		goals[i] = bags[i].sum(truth)
	}
	for i, v := range solve(bags, goals, start) {
		for k, x := range v {
			if math.Abs(x-truth[i][k]) > 0.05 {
				t.Errorf("number %d of word %d is %.3f, want %.3f", k, i, x, truth[i][k])
			}
		}
	}
}

func TestRun(t *testing.T) {
	from, dir := source(t), t.TempDir()
	dict, talks := sentences(t)
	var made [2][]byte
	for i := range made {
		name := filepath.Join(dir, "out")
		if err := run(from, dict, talks, name, pupil); err != nil {
			t.Fatal(err)
		}
		made[i], _ = os.ReadFile(name)
	}
	if !bytes.Equal(made[0], made[1]) {
		t.Error("the same words gave other bytes")
	}
	names, numbers, _ := strings.Cut(string(made[0]), "\n\n")
	terms := strings.Split(names, "\n")
	if !slices.IsSorted(terms) || len(numbers) != len(terms)*lexis.VectorDim {
		t.Fatalf("%d numbers for %q", len(numbers), terms)
	}
	vector := func(word string) (out []float64) {
		at, ok := slices.BinarySearch(terms, lexis.Terms(word)[0])
		if !ok {
			t.Fatalf("%s is missing of %q", word, terms)
		}
		for _, b := range []byte(numbers[at*lexis.VectorDim : (at+1)*lexis.VectorDim]) {
			out = append(out, float64(int8(b)))
		}
		return out
	}
	near := func(a, b string) float64 {
		v, w := vector(a), vector(b)
		return dot(v, w) / math.Sqrt(dot(v, v)*dot(w, w))
	}
	if near("river", "boat") < near("river", "tax")+0.2 || near("salary", "pay") < near("salary", "lake")+0.2 {
		t.Errorf("river and boat %.2f, river and tax %.2f", near("river", "boat"), near("river", "tax"))
	}
	for _, none := range []string{"123", "the", "a-b"} {
		if slices.Contains(terms, none) {
			t.Errorf("%q has a vector", none)
		}
	}
	if slices.Contains(terms, "swimming") || !slices.Contains(terms, lexis.Terms("swimming")[0]) {
		t.Error("forms of a word are one term")
	}
}

func TestComponents(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	const n = 12
	m, was := make([][]float64, n), make([][]float64, n)
	for i := range m {
		m[i], was[i] = make([]float64, n), make([]float64, n)
	}
	for i := range n {
		for k := range i + 1 {
			x := random.NormFloat64()
			m[i][k], m[k][i], was[i][k], was[k][i] = x, x, x, x
		}
	}
	last := math.Inf(1)
	for i, axis := range components(m) {
		turned := make([]float64, n)
		for k := range n {
			turned[k] = dot(was[k], axis)
		}
		value := dot(turned, axis)
		for k := range n {
			if math.Abs(turned[k]-value*axis[k]) > 1e-8 {
				t.Fatalf("axis %d is turned", i)
			}
		}
		if value > last+1e-9 || math.Abs(dot(axis, axis)-1) > 1e-9 {
			t.Errorf("axis %d: %.3f behind %.3f, length %.3f", i, value, last, dot(axis, axis))
		}
		last = value
	}
}

func dot(a, b []float64) (sum float64) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

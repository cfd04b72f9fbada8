// Command worth trains the weights of package extract/worth from the labelled conversations in scripts/worth/data, and writes them. The
// same sentences give the same bytes, on any machine.
//
// With -check it trains on all authors but one and measures on that one, in turn, and writes nothing.
package main

import (
	"embed"
	"encoding/json"
	"flag"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"strings"

	"github.com/reverie-memory/reverie/extract/worth"
	"github.com/reverie-memory/reverie/internal/linear"
)

//go:embed data/*.jsonl
var data embed.FS

// A message is a line of the data: the sentences of one message, each with whether it lasts and whether it stands alone.
type message struct {
	Conv      string     `json:"conv"`
	Style     string     `json:"style"`
	Lang      string     `json:"lang"`
	Who       string     `json:"who"`
	Role      string     `json:"role"`
	Sentences []sentence `json:"s"`
}

type sentence struct {
	text   string
	labels [worth.Heads]bool
}

// UnmarshalJSON reads ["text", lasts, alone], with 0 and 1.
func (s *sentence) UnmarshalJSON(line []byte) error {
	var lasting, alone int
	if err := json.Unmarshal(line, &[]any{&s.text, &lasting, &alone}); err != nil {
		return err
	}
	s.labels = [worth.Heads]bool{worth.Lasting: lasting == 1, worth.Worth: lasting == 1 && alone == 1}
	return nil
}

// An example is a sentence as the model sees it.
type example struct {
	author, style string
	text          string
	features      []uint32
	counts        [worth.Heads]float64 // how much the labels count
	labels        [worth.Heads]bool
}

func main() {
	log.SetFlags(0)
	out := flag.String("o", "weights.bin", "file of the weights")
	check := flag.Bool("check", false, "measure, and write nothing")
	flag.Parse()
	examples, err := load()
	if err != nil {
		log.Fatal(err)
	}
	if *check {
		measure(os.Stdout, examples)
		return
	}
	if err := os.WriteFile(*out, train(examples).bytes(), 0o644); err != nil {
		log.Fatal(err)
	}
}

// load reads the sentences of people, in the order of the files.
func load() (out []example, err error) {
	err = linear.Labels(data, "data", func(m message) error {
		out = append(out, m.examples(authorOf(m.Conv))...)
		return nil
	})
	return out, err
}

// authorOf tells who wrote a conversation: the letter and digit that its name begins with, or the letter alone where numbers follow at
// once.
func authorOf(conv string) string {
	name := strings.TrimRight(conv, "0123456789")
	return name[:min(2, len(name))]
}

func (m message) examples(author string) []example {
	if m.Role != "user" {
		return nil
	}
	style := m.Style
	if m.Lang != "en" {
		style = "de, es, fr, it"
	}
	counts := [worth.Heads]float64{1, 1, 1}
	if m.Style == "short" {
		counts = [...]float64{single, single, worth.Software: 0} // nobody said what these are about
	}
	switch m.Style {
	case "coding":
		counts[worth.Software] = balance
	case "machine":
		counts[worth.Software] = 0 // pasted into any talk about software
	}
	var out []example
	for _, s := range m.Sentences {
		s.labels[worth.Software] = m.Style == "coding"
		out = append(out, example{author, style, s.text, worth.Features(s.text), counts, s.labels})
	}
	return out
}

// A model is what is learnt for each head: a bias and a weight for each bucket.
type (
	weights [worth.Buckets + 1]float64
	model   [worth.Heads]weights
)

// How the model learns: logistic regression by AdaGrad, example by example in an order that is mixed anew in each round. The weights are
// the mean of those after the rounds of the second half.
const (
	rounds  = 16
	rate    = 0.08
	decay   = 0.6 // of a weight, each time its feature comes up: words of our sentences say little about those of others
	rarest  = 3   // sentences that a feature must be in
	balance = 8   // how much one counts of the talk about software, so that it weighs as much as all other talk
	single  = 2   // how much a sentence counts that was written for itself: most stand at the border of what is worth a line
)

func train(examples []example) *model {
	seen := make([]int, worth.Buckets)
	for _, e := range examples {
		for _, f := range e.features {
			seen[f]++
		}
	}
	m, squares, mean := &model{}, &model{}, &model{}
	order := make([]int, len(examples))
	for i := range order {
		order[i] = i
	}
	random := rand.New(rand.NewPCG(7, 7))
	for round := range rounds {
		random.Shuffle(len(order), func(i, k int) { order[i], order[k] = order[k], order[i] })
		for _, i := range order {
			e := examples[i]
			for h := range m {
				m[h].learn(&squares[h], e, e.counts[h], e.labels[h], seen)
			}
		}
		if round < rounds/2 {
			continue
		}
		for h := range m {
			for i, w := range m[h] {
				mean[h][i] += w / (rounds - rounds/2)
			}
		}
	}
	return mean
}

// learn moves the weights of one head towards a label. seen counts the sentences of each feature. Products are rounded before they are
// added, so that machines that do both in one step give the same bytes.
func (m *weights) learn(squares *weights, e example, weight float64, label bool, seen []int) {
	sum, share := 0.0, worth.Share(len(e.features))
	for _, f := range e.features {
		if seen[f] >= rarest {
			sum += m[1+int(f)]
		}
	}
	slope := linear.Sigmoid(m[0] + float64(share*sum))
	if label {
		slope--
	}
	slope *= weight
	step := func(i int, g float64) {
		squares[i] += float64(g * g)
		m[i] -= float64(rate * g / math.Sqrt(squares[i]+1e-6))
	}
	step(0, slope)
	for _, f := range e.features {
		if i := 1 + int(f); seen[f] >= rarest {
			step(i, float64(share*slope)+float64(decay*m[i]))
		}
	}
}

// bytes writes each weight as a signed byte, head by head.
func (m *model) bytes() []byte {
	out := make([]byte, 0, worth.Heads*(worth.Buckets+1))
	for _, head := range m {
		for _, w := range head {
			out = append(out, linear.Step(w))
		}
	}
	return out
}

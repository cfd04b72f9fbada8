package sample

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/extract"
)

//go:embed labelled.jsonl
var labelled []byte

// A Case is one message and the facts that it holds.
type Case struct {
	Speaker string    `json:"speaker"`
	Role    string    `json:"role,omitempty"` // user where empty
	At      time.Time `json:"at"`
	Text    string    `json:"text"`
	With    string    `json:"with,omitempty"` // the other person of the conversation
	Facts   []Label   `json:"facts"`
}

// A Label is one fact: its category and what its text must contain, in any case of letters.
type Label struct {
	Category    string   `json:"category"`
	MustContain []string `json:"must_contain"`
}

// Cases returns the labelled sentences.
func Cases() ([]Case, error) {
	var cases []Case
	for n, line := range bytes.Split(bytes.TrimSpace(labelled), []byte("\n")) {
		var c Case
		if err := json.Unmarshal(line, &c); err != nil {
			return nil, fmt.Errorf("reading labelled sentence %d: %w", n+1, err)
		}
		cases = append(cases, c)
	}
	return cases, nil
}

// A Score counts facts over some cases.
type Score struct {
	Cases    int `json:"cases"`
	Expected int `json:"expected"` // labels
	Found    int `json:"found"`    // facts that the extractor gave
	Correct  int `json:"correct"`  // facts that match a label of their own
	Category int `json:"category"` // of the correct ones, those in the right category
}

// Precision is the share of the found facts that are correct.
func (s Score) Precision() float64 { return share(s.Correct, s.Found) }

// Recall is the share of the expected facts that were found.
func (s Score) Recall() float64 { return share(s.Correct, s.Expected) }

// CategoryAccuracy is the share of the correct facts that are in the right category.
func (s Score) CategoryAccuracy() float64 { return share(s.Category, s.Correct) }

func share(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// A Report is the outcome of an evaluation.
type Report struct {
	Extractor    string
	Dev, HeldOut Score
	Misses       []Miss
}

// A Miss is a case where the facts are not the labelled ones.
type Miss struct {
	Line    int // of labelled.jsonl
	HeldOut bool
	Text    string
	Missing []Label
	Extra   []extract.Fact
	Wrong   []extract.Fact // in the wrong category
}

// Evaluate runs an extractor over the labelled sentences, each as a turn of its own.
func Evaluate(ctx context.Context, x extract.Extractor) (Report, error) {
	r := Report{Extractor: x.Name()}
	cases, err := Cases()
	if err != nil {
		return r, err
	}
	dev := len(cases) * 60 / 100
	for i, c := range cases {
		var degraded *extract.DegradedError
		facts, err := x.Extract(ctx, c.turn())
		if err != nil && !errors.As(err, &degraded) {
			return r, fmt.Errorf("extracting from sentence %d: %w", i+1, err)
		}
		score := &r.Dev
		if i >= dev {
			score = &r.HeldOut
		}
		if m := compare(c, facts, score); len(m.Missing)+len(m.Extra)+len(m.Wrong) > 0 {
			m.Line, m.HeldOut, m.Text = i+1, i >= dev, c.Text
			r.Misses = append(r.Misses, m)
		}
	}
	return r, nil
}

// turn is the case as an extractor gets it. The other person only shows that there are two.
func (c Case) turn() []extract.Message {
	role := c.Role
	if role == "" {
		role = "user"
	}
	turn := []extract.Message{{Drawer: "d000000001", Role: role, Speaker: c.Speaker, Text: c.Text, At: c.At}}
	if c.With != "" {
		turn = append(turn, extract.Message{Drawer: "d000000002", Role: "user", Speaker: c.With, At: c.At, Noise: true})
	}
	return turn
}

// compare matches facts and labels one to one.
func compare(c Case, facts []extract.Fact, s *Score) Miss {
	s.Cases++
	s.Expected += len(c.Facts)
	s.Found += len(facts)
	var m Miss
	used := make([]bool, len(facts))
	for _, l := range c.Facts {
		hit := false
		for i, f := range facts {
			if used[i] || !l.matches(f.Text) {
				continue
			}
			used[i], hit = true, true
			s.Correct++
			if f.Category == l.Category {
				s.Category++
			} else {
				m.Wrong = append(m.Wrong, f)
			}
			break
		}
		if !hit {
			m.Missing = append(m.Missing, l)
		}
	}
	for i, f := range facts {
		if !used[i] {
			m.Extra = append(m.Extra, f)
		}
	}
	return m
}

func (l Label) matches(text string) bool {
	low := strings.ToLower(text)
	for _, w := range l.MustContain {
		if !strings.Contains(low, strings.ToLower(w)) {
			return false
		}
	}
	return true
}

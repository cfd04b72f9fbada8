package sample

import (
	"context"
	"testing"

	"github.com/reverie-memory/reverie/extract"
)

// The figures that the rules must not fall below, on the sentences that they were not made with.
const (
	minPrecision = 0.85
	minRecall    = 0.75
)

func TestRulesReachTheFigures(t *testing.T) {
	r, err := Evaluate(context.Background(), extract.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []struct {
		name string
		Score
	}{{"dev", r.Dev}, {"held out", r.HeldOut}} {
		t.Logf("%-8s cases %d, facts %d, precision %.3f, recall %.3f, category %.3f", s.name, s.Cases, s.Expected, s.Precision(),
			s.Recall(), s.CategoryAccuracy())
	}
	if r.HeldOut.Precision() < minPrecision || r.HeldOut.Recall() < minRecall {
		t.Errorf("held out: precision %.3f (want %.2f), recall %.3f (want %.2f)", r.HeldOut.Precision(), minPrecision, r.HeldOut.Recall(),
			minRecall)
	}
	for _, m := range r.Misses {
		if m.HeldOut {
			continue // looking at them would make them part of the work
		}
		t.Logf("line %d %q\n\tmissing %v\n\textra %v\n\twrong category %v", m.Line, m.Text, m.Missing, m.Extra, m.Wrong)
	}
}

// says is an extractor that gives the same facts whatever it reads.
type says []extract.Fact

func (says) Name() string { return "says" }

func (s says) Extract(context.Context, []extract.Message) ([]extract.Fact, error) { return s, nil }

func TestCompareMatchesOneToOne(t *testing.T) {
	c := Case{Facts: []Label{{"fact", []string{"alice", "Berlin"}}, {"fact", []string{"Berlin"}}, {"task", []string{"Rome"}}}}
	facts := says{{Category: "task", Text: "Alice lives in berlin"}, {Category: "fact", Text: "nothing"}}
	var s Score
	m := compare(c, facts, &s)
	if want := (Score{Cases: 1, Expected: 3, Found: 2, Correct: 1, Category: 0}); s != want {
		t.Errorf("got %+v, want %+v", s, want)
	}
	if len(m.Missing) != 2 || len(m.Extra) != 1 || len(m.Wrong) != 1 {
		t.Errorf("got %+v", m)
	}
	if (Score{}).Precision() != 0 || (Score{}).Recall() != 0 {
		t.Error("no facts are no division by zero")
	}
	r, err := Evaluate(context.Background(), says{{Text: "spam"}})
	if err != nil || r.HeldOut.Precision() != 0 || r.Dev.Cases+r.HeldOut.Cases < 120 {
		t.Errorf("spam scores %+v, %v", r.HeldOut, err)
	}
}

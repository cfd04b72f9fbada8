package sample

import (
	"context"
	"testing"

	"github.com/reverie-memory/reverie/extract"
)

func TestEvaluate(t *testing.T) {
	r, err := Evaluate(context.Background(), extract.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []struct {
		name string
		Score
	}{{"dev", r.Dev}, {"held out", r.HeldOut}} {
		t.Logf("%-8s cases %d, facts %d, precision %.3f, recall %.3f, category %.3f", s.name, s.Cases, s.Expected, s.Precision(), s.Recall(), s.CategoryAccuracy())
	}
	for _, m := range r.Misses {
		if m.HeldOut {
			continue // looking at them would make them part of the work
		}
		t.Logf("line %d %q\n\tmissing %v\n\textra %v\n\twrong category %v", m.Line, m.Text, m.Missing, m.Extra, m.Wrong)
	}
}

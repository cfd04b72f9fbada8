package recall_test

import (
	"context"
	"testing"

	"github.com/reverie-memory/reverie/recall"
)

// A question that nothing answers has no hits, and says so; a flag shows what there was.
func TestNoAnswerBeatsAWrongOne(t *testing.T) {
	s := newSearcher(t, chatRows(160))
	for _, c := range []struct {
		text  string
		flags map[string]any
		want  bool
	}{
		{"who won the world cup", nil, false},
		{"What is the capital of Mongolia?", nil, false},
		{"who won the world cup", map[string]any{"min_score": 0.0}, true},
		{"who won the world cup", map[string]any{"min_score": false}, true},
		{"What does Nadia bake?", nil, true},
		{"What does Nadia bake?", map[string]any{"min_score": 50.0}, false},
		{"Woud tobias liek a vocher for swiming?", nil, true}, // it is about somebody who is known
		{"Woud Ludmilla liek a vocher for swiming?", nil, false},
		{"Who opened a bakery?", nil, true},
	} {
		res, err := s.Search(context.Background(), recall.Query{Text: c.text, Flags: c.flags})
		must(t, err)
		if got := len(res.Hits) > 0; got != c.want || got == (res.Weak > 0) {
			t.Errorf("%q %v: %d hits, %d weak ones left out", c.text, c.flags, len(res.Hits), res.Weak)
		}
	}
	if _, err := s.Search(context.Background(), recall.Query{Text: "x", Flags: map[string]any{"min_score": -1.0}}); err == nil {
		t.Error("a negative floor is taken")
	}
}

package recall_test

import (
	"context"
	"slices"
	"strings"
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
		{"which of my colleagues sold their boat", nil, true}, // it is about the asker
		{"what do we have against mosquitoes", nil, true},
		{"what brand is the car", nil, true}, // "my car" is told of
		{"what brand was the car of James Bond", nil, false},
		{"how old is grandma", nil, true},
		{"how do I get wax out of a carpet", nil, false},
		{"Can I freeze cooked lasagne?", nil, false},
		{"Write me a limerick about a frog.", nil, false},
		{"Could you give me a riddle?", nil, false},
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

// An answer that has few hits is not told to be none where one of more hits answers.
func TestFewHitsAnswerWhereMoreDo(t *testing.T) {
	s := newSearcher(t, chatRows(160))
	words := strings.Fields("violin lesson volcano bakery kayak boiler beekeeping train walnuts euros dentist hours winter")
	answers := func(text string, k int) bool {
		res, err := s.Search(context.Background(), recall.Query{Text: text, K: k, DryRun: true})
		must(t, err)
		return slices.ContainsFunc(res.Hits, func(h recall.Hit) bool { return !h.Weak })
	}
	for _, a := range words {
		for _, b := range strings.Fields("music mountain cake boat landlady honey station nuts money teeth clock spring") {
			text := a + " " + b
			for k := 1; k < 4; k++ {
				if answers(text, recall.DefaultK) != answers(text, k) {
					t.Errorf("%q: %d hits answer otherwise than %d", text, k, recall.DefaultK)
				}
			}
		}
	}
}

package main

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/llm"
)

func TestSimplerWays(t *testing.T) {
	c := &conversation{
		Turns: []turn{
			{ID: "a", Speaker: "Ann", Text: "The red kite flew over the dunes."},
			{ID: "b", Speaker: "Ben", Text: "Kites need wind."},
			{ID: "c", Speaker: "Ann", Text: "Tea is ready."},
		},
		Queries: []query{{ID: "q", Question: "Where did the red kite fly?"}, {ID: "none", Question: "Who is it?"}},
	}
	got := grepped(c)
	if diff := cmp.Diff(ranking{"q": {"a", "b"}, "none": {}}, got); diff != "" {
		t.Errorf("grep (-want +got):\n%s", diff)
	}
	near, err := cosines(context.Background(), c, llm.NewBuiltin())
	if err != nil || len(near["q"]) == 0 || near["q"][0] != "a" {
		t.Errorf("cosine: %v, %v", near, err)
	}
	// b is second twice: 2/62 is more than 1/61 + 0.
	if diff := cmp.Diff([]string{"b", "a", "c"}, fused(ranking{"q": {"a", "b"}}, ranking{"q": {"c", "b"}})["q"]); diff != "" {
		t.Errorf("fusion (-want +got):\n%s", diff)
	}
}

// TestBounds: all alike have no width, and half of a hundred coins is within ten points of 50 %.
func TestBounds(t *testing.T) {
	rows := make([]scoredQuery, 100)
	for i := range rows {
		rows[i].figures[turnR10], rows[i].figures[turnR5] = 0.5, float64(i%2)
	}
	if got := bounds(rows, turnR10); got != (interval{50, 50, 50}) {
		t.Errorf("%v", got)
	}
	if got := bounds(rows, turnR5); got.Mean != 50 || got.Low < 38 || got.Low > 44 || got.High < 56 || got.High > 62 {
		t.Errorf("%v", got)
	}
	if got := bounds(nil, turnR5); got != (interval{}) {
		t.Errorf("%v", got)
	}
}

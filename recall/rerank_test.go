package recall_test

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/recall"
)

// fond is a reranker that likes texts with a word.
type fond struct {
	word string
	cost time.Duration
	err  error
	read []string
	cold bool // its weights are still being read

	weight float64 // its own; 0: 0.7
}

func (f *fond) Cost(ctx context.Context, _ string, _ []string) (time.Duration, error) {
	if _, ends := ctx.Deadline(); f.cold && ends {
		<-ctx.Done()
		return 0, ctx.Err()
	}
	return f.cost, nil
}

func (f *fond) Weight() float64 { return cmp.Or(f.weight, 0.7) }

func (f *fond) Rerank(_ context.Context, _ string, texts []string) ([]float32, error) {
	f.read = texts
	out := make([]float32, len(texts))
	for i, t := range texts {
		if strings.Contains(t, f.word) {
			out[i] = 5
		}
	}
	return out, f.err
}

// reranked searches 60 messages for something that many of them tell of.
func reranked(t *testing.T, m recall.Reranker, flags map[string]any) recall.Result {
	t.Helper()
	s := newSearcher(t, chatRows(60))
	s.Rerank = m
	res, err := s.Search(t.Context(), recall.Query{Text: "violin lesson or bakery of Nadia", K: 8, Explain: true, Flags: flags})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func TestRerankerPutsItsBestFirst(t *testing.T) {
	plain := reranked(t, nil, nil)
	if strings.Contains(plain.Hits[0].Row.Text, "walnuts") {
		t.Fatal("the search alone finds it first: the test shows nothing")
	}
	m := &fond{word: "walnuts"}
	res := reranked(t, m, map[string]any{"rerank_candidates": 30, "rerank_weight": 1})
	if !strings.Contains(res.Hits[0].Row.Text, "walnuts") || len(m.read) > 30 || len(m.read) < 10 {
		t.Errorf("first of %d that it saw: %q", len(m.read), res.Hits[0].Row.Text)
	}
	if _, ran := res.Trace.TimingMS["rerank"]; !ran || len(res.Degraded) > 0 {
		t.Errorf("timing %v, degraded %v", res.Trace.TimingMS, res.Degraded)
	}
	if _, ran := plain.Trace.TimingMS["rerank"]; ran {
		t.Error("a search without a reranker tells how long it took")
	}
	for i, h := range res.Hits {
		sum := 0.0
		for _, part := range h.Breakdown {
			sum += part
		}
		if d := sum - h.Score; d > 1e-9 || d < -1e-9 || i == 0 && h.Breakdown["rerank"] <= 0 {
			t.Errorf("hit %d of score %v has the parts %v", i, h.Score, h.Breakdown)
		}
	}
}

// A reranker reads a text as it is embedded, with who said it, whom a question mostly names.
func TestRerankersReadTheContextOfTexts(t *testing.T) {
	m := &fond{}
	reranked(t, m, nil)
	for _, speaker := range []string{"Ines", "Tobias"} {
		if !slices.ContainsFunc(m.read, func(text string) bool { return strings.HasPrefix(text, speaker+"\n") }) {
			t.Errorf("nobody says that %s said it: %q", speaker, m.read)
		}
	}
}

// The share of the order is the reranker's own, unless a flag says another.
func TestRerankersHaveAShareOfTheirOwn(t *testing.T) {
	order := func(own, flag float64) []string {
		return ids(reranked(t, &fond{word: "walnuts", weight: own}, map[string]any{"rerank_weight": flag}))
	}
	all, little := order(1, 0), order(0.01, 0)
	if slices.Equal(all, little) {
		t.Fatal("both shares give one order: the test shows nothing")
	}
	if got := order(0.01, 1); !slices.Equal(got, all) {
		t.Errorf("with the flag at 1: %v, want %v", got, all)
	}
	if got := order(1, 0.01); !slices.Equal(got, little) {
		t.Errorf("with the flag at 0.01: %v, want %v", got, little)
	}
}

// Whatever keeps it from reranking, the answer is that of the search without it, and says so where that is not what was asked for.
func TestRerankerThatMayNotOrFails(t *testing.T) {
	want := ids(reranked(t, nil, nil))
	for name, c := range map[string]struct {
		m     *fond
		flags map[string]any
		says  string
	}{
		"off":      {&fond{word: "walnuts"}, map[string]any{"rerank": false}, ""},
		"too slow": {&fond{word: "walnuts", cost: time.Second}, nil, "would take about 1s, and 150ms are allowed"},
		"broken":   {&fond{word: "walnuts", err: errors.New("no weights")}, nil, "no weights"},
		"cold":     {&fond{word: "walnuts", cold: true}, map[string]any{"rerank_budget_ms": 1}, "deadline"},
		"a budget": {&fond{word: "walnuts", cost: 20 * time.Millisecond}, map[string]any{"rerank_budget_ms": 10}, "10ms are allowed"},
	} {
		res := reranked(t, c.m, c.flags)
		if got := ids(res); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
		if said := strings.Join(res.Degraded, "; "); (said != "") != (c.says != "") || !strings.Contains(said, c.says) {
			t.Errorf("%s: degraded %q, want %q", name, said, c.says)
		}
	}
}

package llm_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/llm"
	"github.com/reverie-memory/reverie/llm/llmtest"
)

func TestGuardedEmbedderCountsAndRetries(t *testing.T) {
	s := llmtest.New(t)
	s.Script(llmtest.Reply{Status: 503}, llmtest.Reply{InputTokens: 7}, llmtest.Reply{InputTokens: 5})
	file := &state{}
	ledger := file.ledger()
	budget := llm.NewBudget(ledger, 0) // no chat at all: embeddings are only counted
	g := llm.NewGuardedEmbedder(serverEmbedder(t, s, nil), llm.GuardOptions{Budget: budget, Initial: 1})
	for range 2 {
		if _, err := g.Embed(context.Background(), []string{"a"}, llm.Document); err != nil {
			t.Fatal(err)
		}
	}
	if err := budget.Flush(context.Background()); err != nil {
		t.Fatal(err)
	}
	days, err := ledger.Days(context.Background())
	if err != nil || len(days) != 1 {
		t.Fatal(days, err)
	}
	days[0].Day = ""
	want := llm.DayUsage{Purpose: llm.PurposeEmbed, Provider: "openai", Model: "test-embed", Calls: 1, Input: 12}
	if diff := cmp.Diff(want, days[0]); diff != "" {
		t.Error(diff)
	}
	if spent, _, _ := budget.Spent(context.Background()); spent != 0 {
		t.Errorf("embeddings took %d of the budget", spent)
	}
}

func TestGuardedEmbedderSaysThatItIsDown(t *testing.T) {
	s := llmtest.New(t)
	s.Fail(10, 500)
	g := llm.NewGuardedEmbedder(serverEmbedder(t, s, nil), llm.GuardOptions{Initial: 1, MaxWait: 1, MaxTries: 10})
	if _, err := g.Embed(context.Background(), []string{"a"}, llm.Document); err == nil {
		t.Fatal("no error")
	}
	if n := len(s.Requests()); n != 5 {
		t.Errorf("%d requests before the breaker opened", n)
	}
	if g.Degraded() == "" {
		t.Error("not degraded")
	}
}

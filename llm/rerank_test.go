package llm

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/reverie-memory/reverie/model/modeltest"
)

func TestRerankersKnowWhatTheyCost(t *testing.T) {
	models := t.TempDir()
	for _, kind := range []string{"encoder", "reranker"} {
		if _, err := (modeltest.Model{Kind: kind}).Write(filepath.Join(models, kind)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := NewReranker(models, "encoder"); err == nil {
		t.Error("an encoder is taken for a reranker")
	}
	r, err := NewReranker(models, "reranker")
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	few, many := []string{"the boat", "a sail"}, make([]string, 40)
	for i := range many {
		many[i] = "the boat"
	}
	if _, err := r.Cost(ctx, "where?", few); err != nil {
		t.Fatal(err)
	}
	scores, err := r.Rerank(ctx, "where?", few)
	if err != nil || len(scores) != 2 || scores[0] == scores[1] {
		t.Errorf("%v %v", scores, err)
	}
	one, _ := r.Cost(ctx, "where?", many)
	if one <= 0 {
		t.Error("a measured reranker costs nothing")
	}
	if again, _ := r.Cost(ctx, "where?", many); again >= one {
		t.Errorf("a refused cost of %v is %v the next time: it would be refused for ever", one, again)
	}
}

package llm

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/model/modeltest"
)

// models writes a small model of each kind, by its name, into a folder.
func models(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, kind := range []string{"static", "encoder", "reranker"} {
		if _, err := (modeltest.Model{Kind: kind}).Write(filepath.Join(dir, kind)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestEncodersAndCrossEncodersRerank(t *testing.T) {
	dir := models(t)
	if _, err := NewReranker(dir, "static", false, nil); err == nil || !strings.Contains(err.Error(), "encoders and cross-encoders can") {
		t.Errorf("static embeddings are taken for a reranker: %v", err)
	}
	for name, weight := range map[string]float64{"encoder": 0.4, "reranker": 0.7} {
		r, err := NewReranker(dir, name, false, nil)
		if err != nil {
			t.Fatal(err)
		}
		if r.Weight() != weight {
			t.Errorf("%s, %s, has a share of %v", name, r.Method(), r.Weight())
		}
	}
}

// A folder is in memory once, whatever it is used for and whatever path names it.
func TestRerankersShareTheModelOfTheEmbedder(t *testing.T) {
	dir := models(t)
	e, err := NewEmbedder(EmbedderOptions{Provider: ProviderLocal, Model: "encoder", Models: dir})
	if err != nil {
		t.Fatal(err)
	}
	for name, shared := range map[string]bool{"encoder": true, filepath.Join(dir, "encoder") + "/.": true, "reranker": false} {
		r, err := NewReranker(dir, name, false, e)
		if err != nil {
			t.Fatal(err)
		}
		if is := r.model == e.(*local).model; is != shared {
			t.Errorf("%s: one model: %v", name, is)
		}
	}
}

func TestRerankersKnowWhatTheyCost(t *testing.T) {
	dir := models(t)
	for _, kind := range []string{"encoder", "reranker"} {
		t.Run(kind, func(t *testing.T) { costs(t, dir, kind) })
	}
}

func costs(t *testing.T, dir, kind string) {
	r, err := NewReranker(dir, kind, false, nil)
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

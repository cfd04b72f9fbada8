package recall_test

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/llm"
	"github.com/reverie-memory/reverie/recall"
)

// backwards embeds texts as the built-in embedder does, the letters in the other order.
type backwards struct{ llm.Embedder }

func (b backwards) Embed(ctx context.Context, texts []string, kind llm.Kind) ([][]float32, error) {
	turned := make([]string, len(texts))
	for i, text := range texts {
		letters := []rune(text)
		slices.Reverse(letters)
		turned[i] = string(letters)
	}
	return b.Embedder.Embed(ctx, turned, kind)
}
func (backwards) Fingerprint() string { return "backwards" }

// A search over a shadow finds what one over an index of that embedder does, by the same scores but for the order in which is added up.
func TestAShadowIsAnIndexOfAnotherEmbedder(t *testing.T) {
	rows := chatRows(160)
	other := backwards{llm.NewBuiltin()}
	own := newSearcher(t, rows)
	shadow, err := recall.NewShadow(t.Context(), func() (recall.Index, func()) { return own.Index, func() {} }, other)
	must(t, err)
	over, built := *own, *own
	over.Embed, over.Index = other, shadow.Over(own.Index)
	built.Embed, built.Index = other, newStoreIndex(t, rows, other)
	differ := false
	for _, profile := range profileNames {
		for _, text := range questions {
			q := recall.Query{Text: text, K: 7, Profile: profile, Flags: map[string]any{"min_score": 0}}
			if profile == "synapse" {
				q.Flags["mmr_enabled"] = true
			}
			want, err := built.Search(t.Context(), q)
			must(t, err)
			got, err := over.Search(t.Context(), q)
			must(t, err)
			if d := cmp.Diff(ids(want), ids(got)); d != "" || got.Trace.ModelGuard != "MATCH" || len(got.Degraded) > 0 {
				t.Errorf("%s, %q: %s, %+v", profile, text, d, got.Trace)
			}
			plain, err := own.Search(t.Context(), q)
			must(t, err)
			differ = differ || !slices.Equal(ids(plain), ids(want))
		}
	}
	if !differ {
		t.Error("the other embedder ranks like the own")
	}
	none, err := recall.NewShadow(t.Context(), func() (recall.Index, func()) { return nil, func() {} }, other)
	if err != nil || none.Len() != 0 {
		t.Errorf("of no index: %d vectors, %v", none.Len(), err)
	}
}

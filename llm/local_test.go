package llm

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/model/matrix"
	"github.com/reverie-memory/reverie/model/modeltest"
)

func TestLocalModelsEmbed(t *testing.T) {
	models := t.TempDir()
	if _, err := (modeltest.Model{}).Write(filepath.Join(models, "e5-tiny")); err != nil {
		t.Fatal(err)
	}
	open := func(o EmbedderOptions) (Embedder, error) {
		o.Provider, o.Models = ProviderLocal, models
		return NewEmbedder(o)
	}
	e, err := open(EmbedderOptions{Model: "e5-tiny"})
	if err != nil {
		t.Fatal(err)
	}
	if e.Name() != "local/e5-tiny" || e.Dim() != 24 {
		t.Errorf("%s has %d dimensions", e.Name(), e.Dim())
	}
	document := embed(t, e, Document, "the boat", " ", "the boat")
	if !slices.Equal(document[0], document[2]) || dot(document[0], document[0]) < 0.999 || dot(document[1], document[1]) != 0 {
		t.Errorf("vectors of equal and blank texts: %v", document)
	}
	plain, err := open(EmbedderOptions{Model: filepath.Join(models, "e5-tiny"), QueryPrefix: NoPrefix, DocumentPrefix: NoPrefix})
	if err != nil {
		t.Fatal(err)
	}
	if plain.Fingerprint() == e.Fingerprint() {
		t.Error("a prefix does not show in the fingerprint")
	}
	rounded, err := open(EmbedderOptions{Model: "e5-tiny", Int8: true})
	if err != nil {
		t.Fatal(err)
	}
	if rounded.Fingerprint() == e.Fingerprint() == matrix.Rounds {
		t.Errorf("in 8 bits its fingerprint is %s, else %s", rounded.Fingerprint(), e.Fingerprint())
	}
	if !slices.Equal(document[0], embed(t, plain, Query, "passage: the boat")[0]) {
		t.Error("the prefix that the model is known to want is not put before a text")
	}
	if _, err := open(EmbedderOptions{Model: "e5-tiny", Dim: 25}); err == nil {
		t.Error("another dimension is accepted")
	}
	if _, err := open(EmbedderOptions{Model: "nothing"}); err == nil || !strings.Contains(err.Error(), "reverie model list") {
		t.Errorf("a missing model: %v", err)
	}
	if _, err := (modeltest.Model{Kind: "reranker"}).Write(filepath.Join(models, "r")); err != nil {
		t.Fatal(err)
	}
	if _, err := open(EmbedderOptions{Model: "r"}); err == nil || !strings.Contains(err.Error(), "rerank") {
		t.Errorf("a reranker as an embedder: %v", err)
	}
	if err := os.Remove(filepath.Join(models, "e5-tiny", "model.safetensors")); err != nil {
		t.Fatal(err)
	}
	if _, err := open(EmbedderOptions{Model: "e5-tiny"}); err == nil {
		t.Error("a model without weights is opened")
	}
}

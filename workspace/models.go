package workspace

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/extract"
	"github.com/reverie-memory/reverie/llm"
	"github.com/reverie-memory/reverie/vault"
)

// Models are the model clients, the only thing that workspaces share.
type Models struct {
	Embedder *llm.GuardedEmbedder
	chat     llm.Chat // nil without a model
	budget   int
	log      *slog.Logger
}

// NewModels makes the clients that the settings name. It does no network traffic.
func NewModels(c config.Config, log *slog.Logger) (*Models, error) {
	e, err := llm.NewEmbedder(llm.EmbedderOptions{
		Provider: c.Embedding.Provider, BaseURL: c.Embedding.BaseURL, Model: c.Embedding.Model, APIKey: string(c.Embedding.APIKey),
		Dim: c.Embedding.Dim, QueryPrefix: c.Embedding.QueryPrefix, DocumentPrefix: c.Embedding.DocumentPrefix,
		Timeout: c.Embedding.Timeout(), BatchSize: c.Embedding.BatchSize,
	})
	if err != nil {
		return nil, fmt.Errorf("embedding: %w", err)
	}
	m := &Models{Embedder: llm.NewGuardedEmbedder(e, llm.GuardOptions{}), budget: c.LLM.DailyTokenBudget, log: log}
	m.chat, err = llm.NewChat(llm.ChatOptions{
		Provider: c.LLM.Provider, BaseURL: c.LLM.BaseURL, Model: c.LLM.Model, APIKey: string(c.LLM.APIKey), Timeout: c.LLM.Timeout(),
	})
	if err != nil && !errors.Is(err, llm.ErrNoModel) {
		return nil, fmt.Errorf("llm: %w", err)
	}
	return m, nil
}

// extractor is the model with the rules behind it, or the rules alone. Its budget is counted in the
// workspace's own vault.
func (m *Models) extractor(v *vault.Vault) extract.Extractor {
	if m.chat == nil {
		return extract.Rules{}
	}
	guarded := llm.NewGuardedChat(m.chat, llm.GuardOptions{})
	return &extract.Model{Chat: guarded, Fallback: extract.Rules{}}
}

// extractorName is the name of the extractor that the settings choose.
func (m *Models) extractorName() string { return m.extractor(nil).Name() }

// degraded says why the models are worse than usual.
func (m *Models) degraded(context.Context) []string {
	if why := m.Embedder.Degraded(); why != "" {
		return []string{"embedder: " + why}
	}
	return nil
}

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

// Models are the model clients, the only thing that workspaces share. Retries, breaker and budget are each workspace's own.
type Models struct {
	embedder llm.Embedder
	chat     llm.Chat // nil without a model
	dreamer  llm.Chat // for dreams; chat where nothing else is set
	daily    int      // tokens a day and workspace
}

// NewModels makes the clients that the settings name. NewModels does no network traffic.
func NewModels(c config.Config) (*Models, error) {
	m := &Models{daily: c.LLM.DailyTokenBudget}
	var err error
	m.embedder, err = llm.NewEmbedder(llm.EmbedderOptions{
		Provider: c.Embedding.Provider, BaseURL: c.Embedding.BaseURL, Model: c.Embedding.Model, APIKey: string(c.Embedding.APIKey),
		Dim: c.Embedding.Dim, QueryPrefix: c.Embedding.QueryPrefix, DocumentPrefix: c.Embedding.DocumentPrefix,
		Timeout: c.Embedding.Timeout(), BatchSize: c.Embedding.BatchSize,
	})
	if err != nil {
		return nil, fmt.Errorf("embedding: %w", err)
	}
	m.chat, err = llm.NewChat(llm.ChatOptions{
		Provider: c.LLM.Provider, BaseURL: c.LLM.BaseURL, Model: c.LLM.Model, APIKey: string(c.LLM.APIKey), Timeout: c.LLM.Timeout(),
	})
	if err != nil && !errors.Is(err, llm.ErrNoModel) {
		return nil, fmt.Errorf("llm: %w", err)
	}
	m.dreamer = m.chat
	if name := c.Consolidation.Model; name != "" && m.chat != nil && name != c.LLM.Model {
		m.dreamer, err = llm.NewChat(llm.ChatOptions{
			Provider: c.LLM.Provider, BaseURL: c.LLM.BaseURL, Model: name, APIKey: string(c.LLM.APIKey), Timeout: c.LLM.Timeout(),
		})
		if err != nil {
			return nil, fmt.Errorf("consolidation.model: %w", err)
		}
	}
	return m, nil
}

// Embedder is the shared client, unguarded.
func (m *Models) Embedder() llm.Embedder { return m.embedder }

// Guarded are the models as one workspace uses them: what they cost is counted in its vault.
type Guarded struct {
	Embedder  *llm.GuardedEmbedder
	Extractor extract.Extractor
	Budget    *llm.Budget
	Ledger    *llm.FileLedger

	chat    *llm.GuardedChat // nil without a model
	dreamer *llm.GuardedChat // nil without a model
}

func (m *Models) guard(v *vault.Vault, log *slog.Logger) *Guarded {
	read := func(name string, fn func(line int, raw []byte) error) error {
		_, err := v.ReadState(name, fn)
		return err
	}
	g := &Guarded{Ledger: llm.NewFileLedger(v.AppendState, read), Extractor: extract.Rules{}}
	g.Budget = llm.NewBudget(g.Ledger, m.daily)
	opt := llm.GuardOptions{Budget: g.Budget, Log: log}
	g.Embedder = llm.NewGuardedEmbedder(m.embedder, opt)
	if m.chat != nil {
		g.chat = llm.NewGuardedChat(m.chat, opt)
		g.dreamer = g.chat
		if m.dreamer != m.chat {
			g.dreamer = llm.NewGuardedChat(m.dreamer, opt)
		}
		g.Extractor = &extract.Model{Chat: g.chat, Fallback: extract.Rules{}}
	}
	return g
}

// left is how many tokens of the day's budget are left.
func (g *Guarded) left(ctx context.Context) (int, error) {
	spent, daily, err := g.Budget.Spent(ctx)
	return max(0, daily-spent), err
}

// degraded says why the models are worse than usual.
func (g *Guarded) degraded() []string {
	var out []string
	if why := g.Embedder.Degraded(); why != "" {
		out = append(out, why)
	}
	for _, c := range []*llm.GuardedChat{g.chat, g.dreamer} {
		if c == nil {
			continue
		}
		if why := c.Degraded(); why != "" {
			out = append(out, why)
		}
	}
	return out
}

// close writes down what is not written yet of what the models cost.
func (g *Guarded) close(ctx context.Context) error {
	if err := g.Budget.Flush(ctx); err != nil {
		return fmt.Errorf("write the usage of models: %w", err)
	}
	return nil
}

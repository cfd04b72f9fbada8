package workspace

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"time"

	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/extract"
	"github.com/reverie-memory/reverie/llm"
	"github.com/reverie-memory/reverie/llm/program"
	"github.com/reverie-memory/reverie/palace"
	"github.com/reverie-memory/reverie/palace/worker"
	"github.com/reverie-memory/reverie/recall"
	"github.com/reverie-memory/reverie/vault"
)

// Models are the model clients, the only thing that workspaces share. Retries, breaker and budget are each workspace's own.
type Models struct {
	embedder llm.Embedder
	chat     llm.Chat      // nil without a model
	dreamer  llm.Chat      // for dreams; chat where nothing else is set
	palace   llm.Chat      // for the palace's workers; chat where nothing else is set
	reranker *llm.Reranker // nil: none is set
	config   config.Config
	heard    extract.Heard // of the rules
}

// NewModels makes the clients that the settings name. NewModels does no network traffic.
func NewModels(c config.Config) (*Models, error) {
	m := &Models{config: c}
	var err error
	m.embedder, err = llm.NewEmbedder(llm.EmbedderOptions{
		Provider: c.Embedding.Provider, BaseURL: c.Embedding.BaseURL, Model: c.Embedding.Model, APIKey: string(c.Embedding.APIKey),
		Dim: c.Embedding.Dim, QueryPrefix: c.Embedding.QueryPrefix, DocumentPrefix: c.Embedding.DocumentPrefix,
		Timeout: c.Embedding.Timeout.Duration(), BatchSize: c.Embedding.BatchSize, Models: ModelsFolder(c),
		Int8: c.Embedding.Int8,
	})
	if err != nil {
		return nil, fmt.Errorf("embedding: %w", err)
	}
	if c.Recall.Rerank != "" {
		if m.reranker, err = llm.NewReranker(ModelsFolder(c), c.Recall.Rerank, c.Embedding.Int8, m.embedder); err != nil {
			return nil, fmt.Errorf("recall.rerank: %w", err)
		}
	}
	m.chat, err = llm.NewChat(chatOptions(c, c.LLM.Model))
	if err != nil && !errors.Is(err, llm.ErrNoModel) {
		return nil, fmt.Errorf("llm: %w", err)
	}
	if m.dreamer, err = m.other(c.Consolidation.Model); err != nil {
		return nil, fmt.Errorf("consolidation.model: %w", err)
	}
	if m.palace, err = m.other(c.Palace.Model); err != nil {
		return nil, fmt.Errorf("palace.model: %w", err)
	}
	return m, nil
}

// ModelsFolder holds the models that run in this process, by their names. No workspace can be called so.
func ModelsFolder(c config.Config) string { return filepath.Join(c.DataDir, "models.d") }

// other is the chat model of that name, which has a task of its own; "" is the one that there is.
func (m *Models) other(name string) (llm.Chat, error) {
	if name == "" || m.chat == nil || name == m.config.LLM.Model {
		return m.chat, nil
	}
	return llm.NewChat(chatOptions(m.config, name))
}

// programFolder holds the folders that programs run in which are asked as models, below the top data folder. No workspace is called so.
const programFolder = ".model"

func chatOptions(c config.Config, model string) llm.ChatOptions {
	return llm.ChatOptions{
		Provider: c.LLM.Provider, BaseURL: c.LLM.BaseURL, Model: model, APIKey: string(c.LLM.APIKey), Timeout: c.LLM.Timeout.Duration(),
		Command: c.LLM.Command, Env: c.LLM.Env, Parallel: c.LLM.Parallel, Dir: filepath.Join(c.DataDir, programFolder),
	}
}

// chatGuard sets the limits of chat models. A program that fails is slow to fail, and what keeps it from answering, such as a used up
// plan, lasts: it is left alone for longer than a server.
func chatGuard(c config.Config, o llm.GuardOptions) llm.GuardOptions {
	if c.LLM.Provider == llm.ProviderCommand {
		o.Breaker = &llm.Breaker{Failures: 3, CoolDown: 5 * time.Minute}
	}
	return o
}

// Embedder is the shared client, unguarded.
func (m *Models) Embedder() llm.Embedder { return m.embedder }

// Reranker puts the best hits in order; nil where none is set.
func (m *Models) Reranker() *llm.Reranker { return m.reranker }

// Program is where the program of provider command is; "" for other providers.
func (m *Models) Program() (string, error) { return programOf(m.config.LLM) }

func programOf(c config.LLM) (string, error) {
	if c.Provider != llm.ProviderCommand {
		return "", nil
	}
	return program.Find(c.Command[0])
}

// Guarded are the models as one workspace uses them: what they cost is counted in its vault.
type Guarded struct {
	Embedder  *llm.GuardedEmbedder
	Reranker  recall.Reranker // nil where none is set
	Extractor extract.Extractor
	Budget    *llm.Budget
	Ledger    *llm.FileLedger

	batch   *palace.Batch // nil where each turn is extracted by itself
	config  config.LLM
	chat    *llm.GuardedChat // nil without a model
	dreamer *llm.GuardedChat // nil without a model
	palace  *llm.GuardedChat // nil without a model; its failures stop nobody else
	share   int              // of the day's budget that palace may spend, in percent
}

func (m *Models) guard(v *vault.Vault, log *slog.Logger) *Guarded {
	read := func(name string, fn func(line int, raw []byte) error) error {
		_, err := v.ReadState(name, fn)
		return err
	}
	g := &Guarded{
		config: m.config.LLM, share: m.config.Palace.BudgetPercent, Ledger: llm.NewFileLedger(v.AppendState, read), Extractor: m.rules(),
	}
	g.Budget = llm.NewBudget(g.Ledger, m.config.LLM.DailyTokenBudget)
	opt := llm.GuardOptions{Budget: g.Budget, Log: log}
	g.Embedder = llm.NewGuardedEmbedder(m.embedder, opt)
	if m.reranker != nil { // a nil of its type would count as one
		g.Reranker = m.reranker
	}
	if m.chat != nil {
		opt = chatGuard(m.config, opt)
		g.chat = llm.NewGuardedChat(m.chat, opt)
		g.dreamer = g.chat
		if m.dreamer != m.chat {
			g.dreamer = llm.NewGuardedChat(m.dreamer, opt)
		}
		g.palace = llm.NewGuardedChat(m.palace, chatGuard(m.config, llm.GuardOptions{Budget: g.Budget, Log: log}))
		model := &extract.Model{Chat: g.chat, Fallback: m.rules()}
		g.Extractor, g.batch = model, batch(m.config, model)
	}
	return g
}

// rules take facts without a model.
func (m *Models) rules() extract.Rules {
	return extract.Rules{Worth: m.config.Extraction.WorthPercent, Heard: &m.heard}
}

// batch has the model read as many turns of a conversation at once as the settings say.
func batch(c config.Config, model *extract.Model) *palace.Batch {
	if c.LLM.Batch() <= 1 {
		return nil
	}
	b := &palace.Batch{
		Read: model.Read, Rules: model.Fallback, Turns: c.LLM.Batch(), Rest: c.LLM.Rest.Duration(), Parallel: c.Intake.Workers,
	}
	if c.LLM.Provider == llm.ProviderCommand {
		b.Parallel = c.LLM.Parallel
	}
	return b
}

// A Model says how the chat model stands. The zero value: there is none.
type Model struct {
	Name    string
	Program string // where the program of provider command is, "" where it is not found
	Problem string // why the model is not, or not reliably, asked at the moment
}

// Model looks at the chat model without asking it anything.
func (g *Guarded) Model() Model {
	if g.chat == nil {
		return Model{}
	}
	m := Model{Name: g.chat.Name(), Problem: g.chat.Degraded()}
	var err error
	if m.Program, err = programOf(g.config); err != nil {
		m.Problem = err.Error()
	}
	return m
}

// left is how many tokens of the day's budget are left.
func (g *Guarded) left(ctx context.Context) (int, error) {
	spent, daily, err := g.Budget.Spent(ctx)
	return max(0, daily-spent), err
}

// palaceShare is what the palace's workers may spend today, and did.
func (g *Guarded) palaceShare(ctx context.Context) (worker.Share, error) {
	_, daily, err := g.Budget.Spent(ctx)
	if err != nil || daily < 0 && g.share > 0 {
		return worker.Share{Tokens: -1}, err
	}
	days, err := g.Ledger.Days(ctx)
	s, today := worker.Share{Tokens: max(0, daily) * g.share / 100}, time.Now().UTC().Format(time.DateOnly)
	for _, d := range days {
		if d.Day == today && slices.Contains(worker.Names, d.Purpose) {
			s.Spent += d.Input + d.Output
		}
	}
	return s, err
}

// Degraded says why the models are worse than usual.
func (g *Guarded) Degraded() []string {
	var out []string
	if why := g.Embedder.Degraded(); why != "" {
		out = append(out, why)
	}
	for _, c := range []*llm.GuardedChat{g.chat, g.dreamer, g.palace} {
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

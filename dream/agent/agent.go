package agent

import (
	"context"

	"github.com/reverie-memory/reverie/dream"
	"github.com/reverie-memory/reverie/llm"
)

// Options set up an Agent. Zero values take the defaults.
type Options struct {
	// Chat is the model, with its budget, breaker and retries. Required.
	Chat *llm.GuardedChat
	// Model is the name for reports; "" is the chat's own.
	Model string
	// Tools are the tools that the model may use: ToolListPages and so on. nil: all of them.
	Tools []string
	// Plain asks once a batch for JSON, without tools, as is done where a server knows none.
	Plain bool
	// RunTokens is the most tokens of one run; 0 is 200,000, below zero there is no limit but the day's.
	RunTokens int
	// ContextTokens is the most that a conversation and its answer may have; 0 is 24,000. Set it to what an Ollama server
	// is given as context (llm.ChatOptions.ContextTokens), or the start of a long conversation is lost there.
	ContextTokens int
	// Budget returns the tokens left today. Where set, it is asked before each call as well as the chat's own budget.
	Budget func(ctx context.Context) (left int, err error)
}

// The names of the tools.
const (
	ToolListPages = "list_pages"
	ToolReadPage  = "read_page"
	ToolSearch    = "search_memory"
	ToolPropose   = "propose"
)

// An Agent is a dream.Proposer over a chat model. It may be used for one run at a time or several: it keeps nothing.
type Agent struct {
	options Options
}

var _ dream.Proposer = (*Agent)(nil)

// New returns an agent.
func New(o Options) *Agent { return &Agent{o} }

// Name is the model's.
func (a *Agent) Name() string { return a.options.Model }

// Propose implements [dream.Proposer].
func (a *Agent) Propose(context.Context, []dream.Group, dream.Wiki, func([]dream.Op) []string) (dream.ModelUse, error) {
	return dream.ModelUse{Name: a.Name()}, nil
}

// Estimate implements [dream.Proposer].
func (a *Agent) Estimate([]dream.Group) dream.Estimate { return dream.Estimate{Model: a.Name()} }

package llm

import (
	"errors"
)

// ErrNoModel says that no chat model is configured.
var ErrNoModel = errors.New("no chat model is configured")

// NewEmbedder returns the embedder that o describes. It does no network traffic.
func NewEmbedder(o EmbedderOptions) (Embedder, error) { return nil, errors.New("unfinished") }

// NewChat returns the chat model that o describes, or ErrNoModel. It does no network traffic.
func NewChat(o ChatOptions) (Chat, error) { return nil, ErrNoModel }

// GuardOptions set the limits of a guarded model. Zero values take the defaults.
type GuardOptions struct{}

// A GuardedEmbedder is an Embedder that retries and stops asking a server that is down.
type GuardedEmbedder struct{ Embedder }

// NewGuardedEmbedder wraps e.
func NewGuardedEmbedder(e Embedder, o GuardOptions) *GuardedEmbedder { return &GuardedEmbedder{e} }

// Degraded says why the model is not asked at the moment; "" when all is well.
func (g *GuardedEmbedder) Degraded() string { return "" }

// A GuardedChat is a Chat that retries, keeps to the budget, and stops asking a server that is down.
type GuardedChat struct{ Chat }

// NewGuardedChat wraps c.
func NewGuardedChat(c Chat, o GuardOptions) *GuardedChat { return &GuardedChat{c} }

// Degraded says why the model is not asked at the moment; "" when all is well.
func (g *GuardedChat) Degraded() string { return "" }

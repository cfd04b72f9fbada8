package llm

import (
	"errors"
	"fmt"
)

// ErrNoModel says that no chat model is configured.
var ErrNoModel = errors.New("no chat model is configured")

// NewEmbedder returns the embedder that o describes, without network traffic.
func NewEmbedder(o EmbedderOptions) (Embedder, error) {
	switch o.Provider {
	case "", ProviderBuiltin:
		if o.Dim != 0 && o.Dim != BuiltinDim {
			return nil, fmt.Errorf("the built-in embedder has %d dimensions, not %d", BuiltinDim, o.Dim)
		}
		return NewBuiltin(), nil
	case ProviderLocal:
		return newLocal(o)
	case ProviderOpenAI, ProviderOllama:
		return newRemote(o)
	}
	return nil, fmt.Errorf("unknown embedding provider %q (builtin, local, openai or ollama)", o.Provider)
}

// NewChat returns the chat model that o describes, or ErrNoModel. NewChat makes no network traffic and starts no program.
func NewChat(o ChatOptions) (Chat, error) {
	if o.Provider == "" {
		return nil, ErrNoModel
	}
	if o.Provider == ProviderCommand {
		return newCommand(o)
	}
	if o.Model == "" {
		return nil, fmt.Errorf("llm provider %s needs a model", o.Provider)
	}
	switch o.Provider {
	case ProviderOpenAI, ProviderGoogle:
		return newOpenAIChat(o)
	case ProviderOllama:
		return newOllamaChat(o)
	case ProviderAnthropic:
		return newAnthropicChat(o)
	}
	return nil, fmt.Errorf("unknown llm provider %q (openai, ollama, anthropic, google or command)", o.Provider)
}

package llm

import "context"

// An Embedder turns texts into vectors.
//
// The result has one vector for each text, in order, each of Dim values, finite and of unit length
// (a text without any known feature may give the zero vector). The same text always gives the same
// vector under the same Fingerprint. Implementations are safe for use from several goroutines.
type Embedder interface {
	Embed(ctx context.Context, texts []string, kind Kind) ([][]float32, error)
	// Dim is the vectors' length; 0 while a remote model has not answered yet.
	Dim() int
	// Name is for people, such as "builtin" or "ollama/nomic-embed-text".
	Name() string
	// Fingerprint changes whenever vectors of the same text would change: model, dimension, prefix, version.
	Fingerprint() string
}

// Kind says what a text is, for models that want different prefixes for stored texts and questions.
type Kind int

// The kinds of text.
const (
	Document Kind = iota
	Query
)

// A Chat answers one prompt.
type Chat interface {
	// Complete returns the model's answer. A schema, where not nil, is a JSON Schema that the answer must follow;
	// the caller still checks it.
	Complete(ctx context.Context, req Request) (Answer, error)
	Name() string
}

// Request is one call of a chat model.
type Request struct {
	Purpose   string // "extract", "dream", …: goes into the usage ledger
	System    string
	Prompt    string
	Schema    []byte // JSON Schema of the answer, nil for free text
	MaxTokens int    // 0: the provider's default
}

// Answer is a chat model's reply and what it cost.
type Answer struct {
	Text         string
	InputTokens  int
	OutputTokens int
}

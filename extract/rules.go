package extract

import "context"

// Rules takes facts from text without any model.
type Rules struct{}

// Name goes into the extraction record.
func (Rules) Name() string { return "rules/1" }

// Extract returns the facts of a turn.
func (Rules) Extract(ctx context.Context, turn []Message) ([]Fact, error) { return nil, ctx.Err() }

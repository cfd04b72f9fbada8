package workspace

import (
	"context"

	"github.com/reverie-memory/reverie/api"
)

// Remember files a turn; see [palace.Intake.Remember].
func (w *Workspace) Remember(ctx context.Context, t api.Turn) (api.TurnResult, error) {
	return w.intake.Remember(ctx, t)
}

// WriteFacts writes facts into the daily logs; see [palace.Intake.WriteFacts].
func (w *Workspace) WriteFacts(ctx context.Context, f api.Facts) (api.FactsResult, error) {
	return w.intake.WriteFacts(ctx, f)
}

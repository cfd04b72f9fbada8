package workspace

import (
	"context"
	"runtime/debug"
	"time"
)

// graphAfter is how long the graph is left to whoever asks for it: what a start has to do comes first.
const graphAfter = 2 * time.Second

// makeGraph asks once for the graph as most see it, so that who asks for it later does not wait until it is made. A panic is
// as at a question: what somebody said must not end every start.
func (w *Workspace) makeGraph(ctx context.Context, ready func(context.Context) error) {
	defer func() {
		if r := recover(); r != nil {
			w.log.Error("the graph cannot be made; this is a defect", "panic", r, "stack", string(debug.Stack()))
		}
	}()
	if ready(ctx) != nil {
		return
	}
	select {
	case <-time.After(graphAfter):
	case <-ctx.Done():
		return
	}
	if _, err := w.graph.Graph(""); err != nil {
		w.log.Warn("the graph is made when somebody asks for it", "err", err)
	}
}

// mendTombstones makes the tombstones whole from their copies.
func (w *Workspace) mendTombstones(ctx context.Context) error {
	problems, err := w.vault.MendTombstones(ctx)
	for _, p := range problems {
		w.log.Warn("tombstones were not whole", "file", p.Path, "line", p.Line, "what", p.Reason)
	}
	return err
}

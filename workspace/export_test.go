package workspace

import (
	"context"
	"log/slog"

	"github.com/reverie-memory/reverie/forget"
	"github.com/reverie-memory/reverie/graph/journal"
	"github.com/reverie-memory/reverie/watcher"
)

// MakeGraph makes the graph of a journal as a start does.
func MakeGraph(ctx context.Context, j *journal.Journal, log *slog.Logger) {
	w := &Workspace{graph: j, log: log}
	w.makeGraph(ctx, func(context.Context) error { return nil })
}

// Watcher is what tells of changed files.
func (w *Workspace) Watcher() *watcher.Watcher { return w.watcher }

// Settled waits until the index has nothing left to do.
func (w *Workspace) Settled(ctx context.Context) error { return w.index.Settle(ctx) }

// Kinds are the kinds of records.
func (w *Workspace) Kinds() []forget.Kind { return w.kinds() }

// StopPurgeBefore lets a purge fail, once, when it comes to that kind of record.
func (w *Workspace) StopPurgeBefore(kind int, err error) {
	kinds := w.kinds()
	purge := kinds[kind].Purge
	kinds[kind].Purge = func(ctx context.Context, p *forget.Purge) error {
		if failed := err; failed != nil {
			err = nil
			return failed
		}
		return purge(ctx, p)
	}
	w.forgetWith(kinds)
}

// CloseClosets closes the index of closets, so that nothing can be done with it.
func (w *Workspace) CloseClosets(ctx context.Context) error { return w.index.closets.Close(ctx) }

package workspace

import (
	"context"

	"github.com/reverie-memory/reverie/forget"
	"github.com/reverie-memory/reverie/watcher"
)

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
	w.openForgetting(kinds)
}

// CloseClosets closes the index of closets, so that nothing can be done with it.
func (w *Workspace) CloseClosets(ctx context.Context) error { return w.index.Closets.Close(ctx) }

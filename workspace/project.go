package workspace

import (
	"context"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/palace"
)

// Folders know which folders are of which project.
func (w *Workspace) Folders() *palace.Folders { return w.folders }

// Project tells what a folder is of, and isolates that where the folder wants it. An override file that cannot be used is not an error
// but unusable: the project counts all the same.
func (w *Workspace) Project(ctx context.Context, dir string) (p palace.Project, unusable, err error) {
	p, unusable, err = w.folders.Of(ctx, dir)
	if err == nil && p.Isolated {
		err = palace.Isolate(ctx, w.vault, p.Wing, true)
	}
	return p, unusable, err
}

// knownWing tells whether anything is filed under a name, or has been since the index was built.
func (w *Workspace) knownWing(ctx context.Context, name string, below bool) (bool, error) {
	isolated, err := palace.Isolated(w.vault)
	if err != nil {
		return false, err
	}
	if err := w.follower.WaitReady(ctx); err != nil {
		return false, err
	}
	return slices.ContainsFunc(append(w.index.Reader().Wings(), isolated...), func(wing string) bool {
		return wing == name || below && strings.HasPrefix(wing, name+"/")
	}), nil
}

package workspace

import (
	"context"

	"github.com/reverie-memory/reverie/mine"
	"github.com/reverie-memory/reverie/vault"
)

// openMine reads which folders are mined. They are looked at when the index is opened.
func (w *Workspace) openMine() error {
	c := w.opt.Config.Mine
	w.mine = mine.New(mine.Options{
		Vault: w.vault, Dir: w.opt.Vault, Data: w.opt.DataDir, PDF: w.opt.PDF, Own: []string{w.opt.Vault, w.opt.DataDir, w.opt.Config.DataDir},
		MaxBytes: c.MaxFileBytes, Ignore: c.IgnoreFile, Watch: c.Watch, Log: w.log,
	})
	return w.mine.Open()
}

// followMined has the index follow the mined folders that are watched.
func (w *Workspace) followMined(ctx context.Context) {
	if w.follower.WaitReady(ctx) != nil {
		return
	}
	for _, f := range w.mine.Folders() { // what a kill or an end cut off goes on
		if f.Copy {
			if err := w.mine.Copy(ctx, f); err != nil && ctx.Err() == nil {
				w.log.Warn("a mined folder cannot be copied", "folder", f.Path, "err", err)
			}
			w.index.Notify(f.At())
		}
	}
	c := w.opt.Config.Watcher
	w.mine.Follow(ctx, mine.Clocks{
		Quiet: c.Quiet.Duration(), MaxWait: c.MaxWait.Duration(), Sweep: c.Sweep.Duration(),
	}, func(paths ...vault.Path) {
		if len(paths) > 0 { // none would mean everything
			w.index.Notify(paths...)
		}
	})
}

// Mining knows the mined folders.
func (w *Workspace) Mining() *mine.Room { return w.mine }

// Where is the name of a file of the index as a person knows it: in the vault, or of a mined folder from the root of the file system.
func (w *Workspace) Where(p vault.Path) string {
	if file, ok := w.mine.Real(p); ok {
		return file
	}
	return string(p)
}

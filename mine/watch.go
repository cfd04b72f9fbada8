package mine

import (
	"context"
	"log/slog"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/reverie-memory/reverie/vault"
	"github.com/reverie-memory/reverie/watcher"
)

// watchedFolders is how many folders of one mined folder are watched at most. Systems have few watches, which others want as well; what
// lies deeper is found at the next look at everything.
const watchedFolders = 2000

// Clocks are those of the watchers.
type Clocks struct{ Quiet, MaxWait, Sweep time.Duration }

// Run has the index notified of what changes in the folders until ctx ends, once ready returns: first of what a kill or an end cut off,
// then of what the watchers see. Run is called once.
func (r *Room) Run(ctx context.Context, ready func(context.Context) error, notify func(...vault.Path)) {
	if ready(ctx) != nil {
		return
	}
	for _, f := range r.Folders() {
		if f.Copy {
			r.recopy(ctx, f)
			notify(f.At())
		}
	}
	r.follow(ctx, func(paths ...vault.Path) {
		if len(paths) > 0 { // none would mean everything
			notify(paths...)
		}
	})
}

// recopy makes the copies of a folder follow it.
func (r *Room) recopy(ctx context.Context, f *Folder) {
	if err := r.Copy(ctx, f); err != nil && ctx.Err() == nil {
		r.log().Warn("a mined folder cannot be copied", "folder", f.Path, "err", err)
	}
}

// follow watches the folders that want it until ctx ends, also those that are added meanwhile, and has changed told what may have changed.
func (r *Room) follow(ctx context.Context, changed func(...vault.Path)) {
	var all sync.WaitGroup
	defer all.Wait()
	ends := map[*Folder]context.CancelFunc{}
	for {
		now := map[*Folder]bool{}
		for _, f := range r.Folders() {
			if now[f] = f.Watch; !f.Watch || ends[f] != nil {
				continue
			}
			within, end := context.WithCancel(ctx)
			ends[f] = end
			all.Go(func() { r.watch(within, f, changed) })
		}
		for f, end := range ends {
			if !now[f] {
				end()
				delete(ends, f)
			}
		}
		select {
		case <-r.changed:
		case <-ctx.Done():
			for _, end := range ends {
				end()
			}
			return
		}
	}
}

// watch watches one folder. One that is not there is looked for at every sweep.
func (r *Room) watch(ctx context.Context, f *Folder, changed func(...vault.Path)) {
	c := r.o.Clocks
	dir := f.Path
	if f.single() {
		dir = filepath.Dir(dir)
	}
	w := &watcher.Watcher{
		Root: dir, Quiet: c.Quiet, MaxWait: c.MaxWait, Sweep: c.Sweep, Most: watchedFolders, Ignore: f.unwatched, Log: r.log(),
	}
	f.watcher.Store(w)
	defer f.watcher.Store(nil)
	for ctx.Err() == nil {
		batches := make(chan watcher.Batch)
		var taken sync.WaitGroup
		taken.Go(func() {
			for b := range batches {
				paths := f.concerned(b)
				if f.copy != nil && len(paths) > 0 {
					paths = []vault.Path{f.At()}
					r.recopy(ctx, f)
				}
				changed(paths...)
			}
		})
		err := w.Run(ctx, batches)
		close(batches)
		taken.Wait()
		if err == nil {
			return
		}
		r.log().Warn("a mined folder cannot be watched", "folder", f.Path, "err", err)
		select {
		case <-time.After(c.Sweep):
		case <-ctx.Done():
		}
	}
}

func (r *Room) log() *slog.Logger {
	if r.o.Log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return r.o.Log
}

// concerned are the paths of the index that a batch is about. An ignore file concerns all that lies beside and below it.
func (f *Folder) concerned(b watcher.Batch) []vault.Path {
	if b.Rescan || b.RootGone {
		return []vault.Path{f.At()}
	}
	var out []vault.Path
	for _, name := range b.Paths {
		if f.rulesFile(name) {
			name = path.Dir(name)
		}
		if p, err := vault.ParsePath(path.Join(string(f.At()), name)); err == nil {
			out = append(out, p)
		}
	}
	return out
}

func (f *Folder) rulesFile(name string) bool {
	base := path.Base(name)
	return base == gitIgnore || base == f.ignore
}

// unwatched says whether nothing that is read can change there.
func (f *Folder) unwatched(name string, folder bool) bool {
	if name == "." || !folder && f.rulesFile(name) {
		return false
	}
	o, err := f.open()
	if err != nil {
		return false
	}
	defer o.root.Close()
	if o.only != "" {
		return name != o.only
	}
	r := o.rules
	for i := range len(name) {
		if name[i] == '/' {
			if r.ignored(o.prefix+name[:i], true) {
				return true
			}
			r = r.with(o.root, o.prefix, name[:i], gitIgnore, o.ignore)
		}
	}
	if r.ignored(o.prefix+strings.TrimSuffix(name, "/"), folder) {
		return true
	}
	info, err := os.Lstat(filepath.Join(f.Path, filepath.FromSlash(name)))
	return err == nil && folder && o.leftOut(name, info, r) != (left{})
}

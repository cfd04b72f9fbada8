package workspace

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/reverie-memory/reverie/forget"
	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/palace/closet"
	"github.com/reverie-memory/reverie/recall"
	"github.com/reverie-memory/reverie/vault"
)

// closetDir is the folder of the closets' index within the data folder.
const closetDir = "closets"

// indexes are the index of a vault and, where closets are kept, that of its closets. The latter has numbers of its own: what it holds
// changes no answer of the other.
type indexes struct {
	*indexer.Indexer
	closets *indexer.Indexer // nil: none are kept
}

// openClosets opens the index of closets, where the settings ask for one, and clears it away where they do not. o are the options of the
// other index.
func (w *Workspace) openClosets(ctx context.Context, o indexer.Options) error {
	o.Dir = filepath.Join(o.Dir, closetDir)
	c := w.opt.Config.Closets
	if !c.Enabled { // what was kept once would follow no file, and tell what is forgotten
		return os.RemoveAll(o.Dir)
	}
	limits := closet.Limits{Chars: c.CharLimit, Topics: c.TopicsPer5000, Quotes: c.Quotes, Names: c.Entities, Refs: c.Refs}
	o.Sources = []indexer.Source{indexer.ClosetSource(indexer.DrawerSource(), limits)}
	for _, s := range w.mine.Sources() {
		o.Sources = append(o.Sources, indexer.ClosetSource(s, limits))
	}
	o.Projections, o.Progress, o.Added = nil, nil, nil
	ix := indexer.New(o)
	if err := ix.Open(ctx); err != nil {
		return err
	}
	w.index.closets = ix
	return nil
}

// Sync makes both follow files. Closets only vote: what is wrong with them is in their Degraded, they try again, and nobody's write fails.
func (x indexes) Sync(ctx context.Context, paths ...vault.Path) (indexer.Stats, error) {
	stats, err := x.Indexer.Sync(ctx, paths...)
	if x.closets != nil {
		_, _ = x.closets.Sync(ctx, paths...)
	}
	return stats, err
}

// Reread makes both follow what they have of files or says which does not: what is forgotten has to leave both.
func (x indexes) Reread(ctx context.Context, paths ...vault.Path) error {
	err := x.Indexer.Reread(ctx, paths...)
	if x.closets != nil {
		err = errors.Join(err, x.closets.Reread(ctx, paths...))
	}
	return err
}

// Notify has both follow files some time soon.
func (x indexes) Notify(paths ...vault.Path) {
	x.Indexer.Notify(paths...)
	if x.closets != nil {
		x.closets.Notify(paths...)
	}
}

// Rebuild makes both anew.
func (x indexes) Rebuild(ctx context.Context, progress func(done, total int)) error {
	err := x.Indexer.Rebuild(ctx, progress)
	if x.closets != nil {
		err = errors.Join(err, x.closets.Rebuild(ctx, nil))
	}
	return err
}

// Close closes both.
func (x indexes) Close(ctx context.Context) error {
	err := x.Indexer.Close(ctx)
	if x.closets != nil {
		err = errors.Join(err, x.closets.Close(ctx))
	}
	return err
}

// closetKind are the closets as a kind of record. What they tell is found where it was said.
func (w *Workspace) closetKind() forget.Kind {
	k := forget.Kind{Name: "closet", Owns: forget.Files("data/" + closetDir + "/*")}
	if ix := w.index.closets; ix != nil {
		of := ix.Kind()
		k.Shown, k.Purge = of.Shown, of.Purge
	}
	return k
}

// pinClosets is the index of closets as one search of a caller sees it; nil where none are kept.
func (w *Workspace) pinClosets(view catalog.View) (ix recall.Index, release func()) {
	if w.index.closets == nil {
		return nil, func() {}
	}
	r, release := w.index.closets.Reader().Pin()
	return recall.As(view, pinned{r}), release
}

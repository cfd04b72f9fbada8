package indexer

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/reverie-memory/reverie/forget"
	"github.com/reverie-memory/reverie/vault"
)

// closetDir is the folder of the closets' index within the index's own.
const closetDir = "closets"

// A Pair is the index of a vault and, where closets are kept, that of its closets. The latter has numbers of its own: what it holds
// changes no answer of the other.
type Pair struct {
	*Indexer
	Closets *Indexer // nil: none are kept
}

// OpenPair opens the index and that of the closets, which come of their sources. Without such sources none are kept, and what was kept
// once is cleared away. After an error nothing is open.
func OpenPair(ctx context.Context, o Options, closets []Source) (*Pair, error) {
	p := &Pair{Indexer: New(o)}
	if err := p.Open(ctx); err != nil {
		return nil, fmt.Errorf("open the index: %w", err)
	}
	o.Dir = filepath.Join(o.Dir, closetDir)
	var err error
	if closets == nil { // what was kept once would follow no file, and tell what is forgotten
		err = os.RemoveAll(o.Dir)
	} else {
		o.Sources, o.Projections, o.Progress, o.Added = closets, nil, nil, nil
		p.Closets = New(o)
		err = p.Closets.Open(ctx)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open the closets: %w", err), p.Indexer.Close(context.WithoutCancel(ctx)))
	}
	return p, nil
}

// Sync makes both follow files. Closets only vote: what is wrong with them is in their Degraded, they try again, and nobody's write fails.
func (p *Pair) Sync(ctx context.Context, paths ...vault.Path) (Stats, error) {
	stats, err := p.Indexer.Sync(ctx, paths...)
	if p.Closets != nil {
		_, _ = p.Closets.Sync(ctx, paths...)
	}
	return stats, err
}

// Follow is Sync for a caller who wants to know no more than that it is done.
func (p *Pair) Follow(ctx context.Context, paths ...vault.Path) error {
	_, err := p.Sync(ctx, paths...)
	return err
}

// Reread makes both follow what they have of files or says which does not: what is forgotten has to leave both.
func (p *Pair) Reread(ctx context.Context, paths ...vault.Path) error {
	err := p.Indexer.Reread(ctx, paths...)
	if p.Closets != nil {
		err = errors.Join(err, p.Closets.Reread(ctx, paths...))
	}
	return err
}

// Notify has both follow files some time soon.
func (p *Pair) Notify(paths ...vault.Path) {
	p.Indexer.Notify(paths...)
	p.NotifyClosets(paths...)
}

// NotifyClosets has the closets alone follow files some time soon.
func (p *Pair) NotifyClosets(paths ...vault.Path) {
	if p.Closets != nil {
		p.Closets.Notify(paths...)
	}
}

// Rebuild makes both anew.
func (p *Pair) Rebuild(ctx context.Context, progress func(done, total int)) error {
	err := p.Indexer.Rebuild(ctx, progress)
	if p.Closets != nil {
		err = errors.Join(err, p.Closets.Rebuild(ctx, nil))
	}
	return err
}

// Close closes both.
func (p *Pair) Close(ctx context.Context) error {
	err := p.Indexer.Close(ctx)
	if p.Closets != nil {
		err = errors.Join(err, p.Closets.Close(ctx))
	}
	return err
}

// Degraded lists why answers of either are worse than usual.
func (p *Pair) Degraded() []string {
	out := p.Indexer.Degraded()
	if p.Closets != nil {
		for _, why := range p.Closets.Degraded() {
			out = append(out, "closets: "+why)
		}
	}
	return out
}

// Kinds are the closets and the index as kinds of records. What closets tell is found where it was said.
func (p *Pair) Kinds() []forget.Kind {
	closets := forget.Kind{Name: "closet", Owns: forget.Files(forget.Data + closetDir + "/*")}
	if p.Closets != nil {
		of := p.Closets.Kind()
		closets.Shown, closets.Purge = of.Shown, of.Purge
	}
	return []forget.Kind{closets, p.Indexer.Kind()}
}

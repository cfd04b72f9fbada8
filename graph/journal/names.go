package journal

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/reverie-memory/reverie/graph"
	"github.com/reverie-memory/reverie/palace/likeness"
)

// How many names are embedded while somebody waits, in one request, and at most: a graph of more is not searched by what names mean.
const (
	namesNow   = 64
	namesBatch = 256
	namesMost  = 20_000
)

// namesWait is how long somebody waits for the embedder.
const namesWait = 2 * time.Second

// nearLeast is the likeness from which a name is taken for another: of those at hand none that means something else came so near.
const nearLeast = likeness.Clusters

// Names finds names by what they mean. Vectors of names are made when somebody first asks, by Run, and kept in memory alone. Its methods
// may be called from several goroutines.
type Names struct {
	Embed       func(ctx context.Context, names []string) ([][]float32, error)
	Fingerprint func() string // of the embedder

	mu      sync.Mutex
	print   string // that the vectors are of
	vectors map[string][]float32

	forgotten atomic.Int64 // how often something was
	once      sync.Once
	asked     chan []string
}

// Near finds the names whose vectors are like that of the one that is asked for, and none for an embedder that was not measured, while many
// names have no vectors yet, and where the embedder fails.
func (n *Names) Near(ctx context.Context) graph.Near {
	return graph.Near{Via: "embedding", Find: func(name string, among []string) (out []string) {
		scale := likeness.Of(n.Fingerprint())
		if !scale.Known() || len(among) > namesMost {
			return nil
		}
		missing := n.missing(among)
		if len(missing) > namesNow {
			select {
			case n.queue() <- missing:
			default: // it is busy with others
			}
			return nil
		}
		ctx, cancel := context.WithTimeout(ctx, namesWait)
		defer cancel()
		asked, err := n.learn(ctx, missing, name)
		if err != nil || len(asked) == 0 {
			return nil
		}
		n.mu.Lock()
		defer n.mu.Unlock()
		for _, other := range among {
			if scale.Likeness(likeness.Cosine(asked[0], n.vectors[other])) >= nearLeast {
				out = append(out, other)
			}
		}
		return out
	}}
}

// Run makes vectors of the names that were asked for, until ctx ends.
func (n *Names) Run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case names := <-n.queue():
			forgotten := n.forgotten.Load()
			for part := range slices.Chunk(names, namesBatch) {
				if _, err := n.learn(ctx, part); err != nil || n.forgotten.Load() != forgotten { // they are asked for anew
					break
				}
			}
		}
	}
}

// Forget drops all vectors: names among them may have been forgotten.
func (n *Names) Forget() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.vectors = nil
	n.forgotten.Add(1)
	select {
	case <-n.queue():
	default:
	}
}

func (n *Names) queue() chan []string {
	n.once.Do(func() { n.asked = make(chan []string, 1) })
	return n.asked
}

// missing are the names without vectors of the embedder as it is now.
func (n *Names) missing(names []string) (out []string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if print := n.Fingerprint(); n.print != print || n.vectors == nil {
		n.print, n.vectors = print, map[string][]float32{}
	}
	for _, name := range names {
		if n.vectors[name] == nil {
			out = append(out, name)
		}
	}
	return out
}

// learn makes vectors of names, and returns those of others besides, which it does not keep; none where they were another embedder's, or
// something was forgotten meanwhile.
func (n *Names) learn(ctx context.Context, names []string, others ...string) ([][]float32, error) {
	print, forgotten := n.Fingerprint(), n.forgotten.Load()
	vectors, err := n.Embed(ctx, slices.Concat(names, others))
	n.mu.Lock()
	defer n.mu.Unlock()
	if err != nil || n.print != print || n.vectors == nil || n.forgotten.Load() != forgotten {
		return nil, err
	}
	for i, name := range names {
		n.vectors[name] = vectors[i]
	}
	return vectors[len(names):], nil
}

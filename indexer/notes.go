package indexer

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/vault"
)

// notes is what people are told about the index. The owner goroutine writes it, anyone reads.
type notes struct {
	mu       sync.Mutex
	reasons  map[string]string // why answers are worse than usual, by kind
	problems map[vault.Path][]vault.Problem
	vault    []vault.Problem // of the vault as such
	env      []vault.Problem // of the files behind Env
	pending  int
	building bool
	bytes    int64
}

// say sets the reason of that kind; "" takes it back.
func (n *notes) say(kind, reason string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.reasons == nil {
		n.reasons = map[string]string{}
	}
	if reason == "" {
		delete(n.reasons, kind)
		return
	}
	n.reasons[kind] = reason
}

func (n *notes) file(p vault.Path, problems []vault.Problem) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.problems == nil {
		n.problems = map[vault.Path][]vault.Problem{}
	}
	if len(problems) == 0 {
		delete(n.problems, p)
		return
	}
	n.problems[p] = problems
}

func (n *notes) set(change func(*notes)) {
	n.mu.Lock()
	defer n.mu.Unlock()
	change(n)
}

// Degraded says why answers are worse than usual; empty when they are not.
func (ix *Indexer) Degraded() []string {
	n := &ix.notes
	n.mu.Lock()
	defer n.mu.Unlock()
	return slice.Map(slices.Sorted(maps.Keys(n.reasons)), func(kind string) string { return n.reasons[kind] })
}

// Problems lists what the files hold that was kept but not understood, by file and line.
func (ix *Indexer) Problems() []vault.Problem {
	n := &ix.notes
	n.mu.Lock()
	defer n.mu.Unlock()
	out := slices.Concat(n.vault, n.env)
	for _, problems := range n.problems {
		out = append(out, problems...)
	}
	slices.SortStableFunc(out, func(a, b vault.Problem) int {
		if c := strings.Compare(string(a.Path), string(b.Path)); c != 0 {
			return c
		}
		return a.Line - b.Line
	})
	return out
}

// status fills in what the owner goroutine knows.
func (ix *Indexer) status(s *Status) {
	s.StaleFiles = ix.queue.stale()
	ix.notes.mu.Lock()
	defer ix.notes.mu.Unlock()
	s.Pending, s.Building, s.Bytes = ix.notes.pending, ix.notes.building, ix.notes.bytes
}

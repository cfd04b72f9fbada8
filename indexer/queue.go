package indexer

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/reverie-memory/reverie/vault"
)

// queue gathers what the owner goroutine is asked for. Requests that wait together are done
// together: one transaction, one answer for each.
type queue struct {
	mu     sync.Mutex
	closed bool
	job    job
	wake   chan struct{} // holds one token while there is work that is not to wait for more
}

// gather is how long what nobody waits for waits for more of its kind, so that writers which never pause cost one transaction and one
// fold for all that they wrote meanwhile. Who waits takes it along.
const gather = 25 * time.Millisecond

// job is what has been asked for since the owner last looked.
type job struct {
	paths   map[vault.Path]bool
	all     bool // the whole vault
	hash    bool // do not trust sizes and times
	env     bool // something that rows of other files depend on may have changed
	waiters []waiter
	calls   []func(context.Context) // run on the owner goroutine, after the Sync
}

// waiter is one caller of Sync.
type waiter struct {
	paths []vault.Path // none: the whole vault
	done  chan<- answer
	until map[vault.Path]int64 // how far files are read before it is answered that are read in parts; nil: not looked at yet
	sofar answer
}

type answer struct {
	stats Stats
	err   error
}

func newQueue() *queue { return &queue{wake: make(chan struct{}, 1)} }

func (j *job) empty() bool {
	return len(j.paths) == 0 && !j.all && len(j.waiters) == 0 && len(j.calls) == 0
}

// put changes the waiting job. put reports false once the queue is closed.
func (q *queue) put(change func(*job)) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return false
	}
	change(&q.job)
	q.ring()
	return true
}

// later is put of what nobody waits for.
func (q *queue) later(change func(*job)) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return
	}
	if q.job.empty() {
		time.AfterFunc(gather, q.ring)
	}
	change(&q.job)
}

func (q *queue) ring() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// take empties the queue.
func (q *queue) take() job {
	q.mu.Lock()
	defer q.mu.Unlock()
	j := q.job
	q.job = job{}
	return j
}

// waits says whether there is work to take.
func (q *queue) waits() bool { return len(q.wake) > 0 }

// close refuses further work; what waits is still there to take.
func (q *queue) close() {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
}

// stale counts the files that were named and not looked at yet.
func (q *queue) stale() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.job.paths)
}

func (j *job) add(paths []vault.Path) {
	if len(paths) == 0 {
		j.all = true
		return
	}
	if j.paths == nil {
		j.paths = map[vault.Path]bool{}
	}
	for _, p := range paths {
		j.paths[p] = true
	}
}

// covers says whether a request for asked includes p.
func covers(asked []vault.Path, p vault.Path) bool {
	return len(asked) == 0 || slices.ContainsFunc(asked, func(a vault.Path) bool {
		return a == p || strings.HasPrefix(string(p), string(a)+"/")
	})
}

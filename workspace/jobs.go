package workspace

import (
	"context"
	"fmt"
	"sync"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/vault"
)

// keptJobs is how many ended jobs can still be asked for.
const keptJobs = 100

// jobs knows the long work of one workspace. A kind of job runs once at a time: asking for it again
// gives the one that runs.
type jobs struct {
	mu      sync.Mutex
	byID    map[string]*job
	order   []string
	running sync.WaitGroup
	stopped bool
	ctx     context.Context
	cancel  context.CancelFunc
}

// errClosing refuses work that would begin while the workspace closes.
var errClosing = fmt.Errorf("the workspace is closing: %w", context.Canceled)

type job struct {
	api.Job
	done chan struct{}
}

func newJobs() *jobs {
	ctx, cancel := context.WithCancel(context.Background())
	return &jobs{byID: map[string]*job{}, ctx: ctx, cancel: cancel}
}

// start runs work as a job, or returns the running one of that kind; started tells which. update may be called from any
// goroutine. After stop nothing starts any more: nil.
func (j *jobs) start(kind, unit string, changed func(api.Job), work func(ctx context.Context, update func(func(*api.Job))) error) (b *job, started bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.stopped {
		return nil, false
	}
	for _, id := range j.order {
		if b := j.byID[id]; b.Kind == kind && b.State == "running" {
			return b, false
		}
	}
	b = &job{Job: api.Job{ID: vault.NewID('j'), Kind: kind, State: "running", Unit: unit}, done: make(chan struct{})}
	j.byID[b.ID] = b
	j.order = append(j.order, b.ID)
	for len(j.order) > keptJobs && j.byID[j.order[0]].State != "running" {
		delete(j.byID, j.order[0])
		j.order = j.order[1:]
	}
	j.running.Add(1)
	go func() {
		defer j.running.Done()
		defer close(b.done)
		err := work(j.ctx, func(fn func(*api.Job)) { changed(j.update(b, fn)) })
		changed(j.update(b, func(s *api.Job) {
			s.State = "done"
			if err != nil {
				s.State, s.Error = "failed", err.Error()
			}
		}))
	}()
	return b, true
}

func (j *jobs) update(b *job, fn func(*api.Job)) api.Job {
	j.mu.Lock()
	defer j.mu.Unlock()
	fn(&b.Job)
	return b.Job
}

func (j *jobs) get(id string) (api.Job, bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	b, ok := j.byID[id]
	if !ok {
		return api.Job{}, false
	}
	return b.Job, true
}

// find returns a job to wait for; nil for none.
func (j *jobs) find(id string) *job {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.byID[id]
}

// stop cancels what runs and waits for it.
func (j *jobs) stop() {
	j.mu.Lock()
	j.stopped = true
	j.mu.Unlock()
	j.cancel()
	j.running.Wait()
}

// Job describes a job of this workspace.
func (w *Workspace) Job(_ context.Context, q api.ByID) (api.Job, error) {
	j, ok := w.jobs.get(q.ID)
	if !ok {
		return j, fmt.Errorf("job %q: %w", q.ID, api.NotFound)
	}
	return j, nil
}

// Reindex starts a rebuild of the index, or a look at what changed, and describes it where the request waits for its end.
func (w *Workspace) Reindex(ctx context.Context, r api.Reindex) (api.Reindexed, error) {
	b, _ := w.jobs.start("reindex", "files", func(j api.Job) { w.events.send("job", j.Kind, &j) },
		func(ctx context.Context, update func(func(*api.Job))) error {
			if r.ClearExisting {
				return w.index.Rebuild(ctx, func(done, total int) { update(func(j *api.Job) { j.Done, j.Total = done, total }) })
			}
			stats, err := w.index.Sync(ctx)
			update(func(j *api.Job) { j.Done, j.Total = stats.Files, stats.Files })
			return err
		})
	if b == nil {
		return api.Reindexed{}, errClosing
	}
	if !r.Wait {
		return api.Reindexed{JobID: b.ID}, nil
	}
	select {
	case <-b.done:
	case <-ctx.Done():
		return api.Reindexed{}, ctx.Err()
	}
	j, err := w.Job(ctx, api.ByID{ID: b.ID})
	return api.Reindexed{JobID: j.ID, ID: j.ID, Kind: j.Kind, State: j.State, Done: j.Done, Total: j.Total, Unit: j.Unit, Error: j.Error}, err
}

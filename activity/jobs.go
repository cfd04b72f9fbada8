package activity

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/reverie-memory/reverie/vault"
)

// keptJobs is how many ended jobs can still be asked for.
const keptJobs = 100

// ErrClosing refuses work that would begin while the workspace closes.
var ErrClosing = fmt.Errorf("the workspace is closing: %w", context.Canceled)

// A Job tells how far a piece of long work is.
type Job struct {
	ID    string
	Kind  string
	State string // running, done or failed
	Done  int
	Total int
	Unit  string
	Phase string // what it is at, where it has several parts
	Error string
	ETA   int // seconds that are left, as far as the work so far tells; 0 when unknown
}

// Jobs knows the long work of one workspace. Its zero value is ready for use.
type Jobs struct {
	mu      sync.Mutex
	tasks   []*Task // the oldest first
	running sync.WaitGroup
	stopped bool
}

// A Task is the work of a job.
type Task struct {
	jobs    *Jobs
	job     Job // guarded by jobs.mu
	began   time.Time
	changed func(Job)
	cancel  context.CancelFunc
	done    chan struct{}
}

// Start runs work as a job. A kind of job runs once at a time: where one of that kind runs, that one is returned, and started is
// false. changed gets the job whenever it moved on. After Stop nothing starts any more: [ErrClosing].
func (j *Jobs) Start(kind, unit string, changed func(Job), work func(context.Context, *Task) error) (t *Task, started bool, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.stopped {
		return nil, false, ErrClosing
	}
	if i := slices.IndexFunc(j.tasks, func(t *Task) bool { return t.job.Kind == kind && t.job.State == "running" }); i >= 0 {
		return j.tasks[i], false, nil
	}
	ctx, cancel := context.WithCancel(context.Background())
	t = &Task{
		began: time.Now(),
		jobs:  j, job: Job{ID: vault.NewID('j'), Kind: kind, State: "running", Unit: unit}, changed: changed, cancel: cancel,
		done: make(chan struct{}),
	}
	j.tasks = append(j.tasks, t)
	for len(j.tasks) > keptJobs && j.tasks[0].job.State != "running" {
		j.tasks = j.tasks[1:]
	}
	j.running.Go(func() {
		defer close(t.done)
		defer cancel()
		err := work(ctx, t)
		t.Update(func(job *Job) {
			job.State = "done"
			if err != nil {
				job.State, job.Error = "failed", err.Error()
				if hint := vault.Advice(err); hint != "" { // who asks for the job gets no more than this text
					job.Error += "; " + hint
				}
			}
		})
	})
	return t, true, nil
}

// Update changes what is told of the job. Update may be called from any goroutine while the work runs.
func (t *Task) Update(fn func(*Job)) {
	t.jobs.mu.Lock()
	fn(&t.job)
	t.job.ETA = t.left()
	job := t.job
	t.jobs.mu.Unlock()
	t.changed(job)
}

// left is how many seconds the rest takes when it goes on as it did. The caller holds jobs.mu.
func (t *Task) left() int {
	if t.job.State != "running" || t.job.Done <= 0 || t.job.Total <= t.job.Done {
		return 0
	}
	perUnit := float64(time.Since(t.began)) / float64(t.job.Done)
	return int(math.Ceil(perUnit * float64(t.job.Total-t.job.Done) / float64(time.Second)))
}

// Job tells how far the work is.
func (t *Task) Job() Job {
	t.jobs.mu.Lock()
	defer t.jobs.mu.Unlock()
	return t.job
}

// Done is closed when the work has ended.
func (t *Task) Done() <-chan struct{} { return t.done }

// Get finds a job, also one that ended a while ago.
func (j *Jobs) Get(id string) (Job, bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if i := slices.IndexFunc(j.tasks, func(t *Task) bool { return t.job.ID == id }); i >= 0 {
		return j.tasks[i].job, true
	}
	return Job{}, false
}

// Stop cancels what runs and waits for it.
func (j *Jobs) Stop() {
	j.mu.Lock()
	j.stopped = true
	for _, t := range j.tasks {
		t.cancel()
	}
	j.mu.Unlock()
	j.running.Wait()
}

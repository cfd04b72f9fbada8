package workspace

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/reverie-memory/reverie/activity"
	"github.com/reverie-memory/reverie/palace"
	"github.com/reverie-memory/reverie/vault"
)

// Imports takes in exports of other programs, part by part, and keeps the record of each.
type Imports struct {
	w       *Workspace
	mu      sync.Mutex
	running map[string]*running
}

// importPause is how long the next part may keep an import waiting before its sender counts as gone. What came is kept, and the same
// import goes on where it is asked for again.
const importPause = 2 * time.Minute

// errSenderGone ends the job of an import whose sender is gone.
var errSenderGone = errors.New("no more of it came; import it again, and it goes on")

// ErrNoImport says that there is no import of that id.
var ErrNoImport = errors.New("there is no such import")

// running is an import whose parts come in.
type running struct {
	mu     sync.Mutex // one part after the other
	source vault.Source
	task   *activity.Task
	part   chan struct{} // a part came
	end    chan struct{} // the last part came
}

// A Part is a part of an import.
type Part struct {
	palace.Import
	Done, Total int // how far the sender is
	End         bool
}

// Begin starts an import, or goes on with one of the same path and form that was cut off, and returns its id.
func (im *Imports) Begin(s vault.Source) (string, error) {
	im.mu.Lock()
	defer im.mu.Unlock()
	for id, r := range im.running {
		if sameImport(r.source, s) {
			return id, nil
		}
	}
	known, err := im.w.vault.Sources(vault.SourceImport)
	if err != nil {
		return "", err
	}
	s.ID, s.Kind, s.At = vault.NewSourceID(), vault.SourceImport, im.w.vault.Now().UTC()
	for _, k := range known {
		if k.Done == nil && k.Undone == nil && sameImport(k, s) {
			s = k
		}
	}
	return s.ID, im.run(s)
}

func sameImport(a, b vault.Source) bool {
	return a.Path == b.Path && a.Form == b.Form && a.Wing == b.Wing && a.Room == b.Room && a.Model == b.Model
}

// run starts the job of an import. The caller holds mu.
func (im *Imports) run(s vault.Source) error {
	r := &running{source: s, part: make(chan struct{}, 1), end: make(chan struct{})}
	t, _, err := im.w.jobs.Start("import "+s.ID, "bytes", func(j activity.Job) { im.w.news.Send("job", j.Kind, &j) },
		func(ctx context.Context, _ *activity.Task) error {
			err := r.wait(ctx)
			im.mu.Lock()
			defer im.mu.Unlock()
			delete(im.running, s.ID)
			return err
		})
	if err != nil {
		return err
	}
	r.task, im.running[s.ID] = t, r
	return nil
}

// wait is the life of the job: until the last part came, or none does any more.
func (r *running) wait(ctx context.Context) error {
	idle := time.NewTimer(importPause)
	defer idle.Stop()
	for {
		select {
		case <-r.end:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		case <-idle.C:
			return errSenderGone
		case <-r.part:
			idle.Reset(importPause)
		}
	}
}

// find gives the import of an id. One that was cut off by the end of the program goes on.
func (im *Imports) find(id string) (*running, error) {
	im.mu.Lock()
	defer im.mu.Unlock()
	if r := im.running[id]; r != nil {
		return r, nil
	}
	known, err := im.w.vault.Sources(vault.SourceImport)
	if err != nil {
		return nil, err
	}
	for _, s := range known {
		if s.ID == id && s.Done == nil && s.Undone == nil {
			if err := im.run(s); err != nil {
				return nil, err
			}
			return im.running[id], nil
		}
	}
	return nil, fmt.Errorf("import %q: %w", id, ErrNoImport)
}

// Take files a part of an import, and returns its job with what became of the part.
func (im *Imports) Take(ctx context.Context, id string, p Part) (activity.Job, palace.ImportReceipt, error) {
	r, err := im.find(id)
	if err != nil {
		return activity.Job{}, palace.ImportReceipt{}, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended() {
		return activity.Job{}, palace.ImportReceipt{}, fmt.Errorf("import %q has ended: %w", id, ErrNoImport)
	}
	p.Source = r.source
	res, err := im.w.intake.Import(ctx, p.Import)
	r.source.Messages += res.Messages
	r.source.Facts += res.Facts
	select {
	case r.part <- struct{}{}:
	default:
	}
	r.task.Update(func(j *activity.Job) { j.Done, j.Total = p.Done, p.Total })
	if err != nil || !p.End {
		return r.task.Job(), res, err
	}
	if r.source.Messages+r.source.Facts > 0 {
		now := im.w.vault.Now().UTC()
		r.source.Done = &now
		if err := im.w.vault.PutSource(ctx, r.source); err != nil {
			return r.task.Job(), res, fmt.Errorf("record the import: %w", err)
		}
	}
	r.finish()
	return r.task.Job(), res, nil
}

// ended tells whether the last part came. The caller holds mu.
func (r *running) ended() bool {
	select {
	case <-r.end:
		return true
	default:
		return false
	}
}

// finish ends the job. The caller holds mu.
func (r *running) finish() {
	if !r.ended() {
		close(r.end)
	}
	<-r.task.Done()
}

// Undo takes back what an import brought; one that runs ends. An import that was taken back can be imported again.
func (im *Imports) Undo(ctx context.Context, id string) (palace.Unimported, error) {
	im.mu.Lock()
	r := im.running[id]
	im.mu.Unlock()
	if r != nil {
		r.mu.Lock()
		r.finish()
		r.mu.Unlock()
	}
	known, err := im.w.vault.Sources(vault.SourceImport)
	if err != nil {
		return palace.Unimported{}, err
	}
	for _, s := range known {
		if s.ID != id {
			continue
		}
		out, err := im.w.intake.Unimport(ctx, id)
		if err != nil {
			return out, err
		}
		if err := im.w.sync(ctx, out.Files...); err != nil {
			return out, err
		}
		if s.Undone == nil {
			now := im.w.vault.Now().UTC()
			s.Undone = &now
			err = im.w.vault.PutSource(ctx, s)
		}
		return out, err
	}
	return palace.Unimported{}, fmt.Errorf("import %q: %w", id, ErrNoImport)
}

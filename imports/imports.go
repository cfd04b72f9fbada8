// Package imports takes in what other programs exported, part by part, keeps the record of each import, and takes imports back.
package imports

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/reverie-memory/reverie/activity"
	"github.com/reverie-memory/reverie/palace"
	"github.com/reverie-memory/reverie/vault"
)

// A Room takes in exports of other programs, part by part, and keeps the record of each: nothing else writes it but the intake, with the
// first thing that an import brings.
type Room struct {
	vault  *vault.Vault
	intake *palace.Intake
	jobs   *activity.Jobs
	news   *activity.News
	log    *slog.Logger

	mu      sync.Mutex
	running map[string]*running
	ending  map[string]int // imports that are being taken back by so many callers
}

// New returns a room in which no import runs.
func New(v *vault.Vault, in *palace.Intake, jobs *activity.Jobs, news *activity.News, log *slog.Logger) *Room {
	return &Room{vault: v, intake: in, jobs: jobs, news: news, log: log, running: map[string]*running{}, ending: map[string]int{}}
}

// importPause is how long the next part may keep an import waiting before its sender counts as gone. What came is kept, and the same
// import goes on where it is asked for again.
const importPause = 2 * time.Minute

// errSenderGone ends the job of an import whose sender is gone.
var errSenderGone = errors.New("no more of it came; import it again, and it goes on")

// ErrNone says that there is no import of that id.
var ErrNone = errors.New("there is no such import")

// running is an import whose parts come in.
type running struct {
	mu     sync.Mutex   // one part after the other
	doubt  bool         // more may be stored under its name than its record counts
	source vault.Source // its record
	began  vault.Source // as it was when it began to run
	task   *activity.Task
	part   chan struct{} // a part came
	end    chan struct{} // the last part came
}

// A Part is a part of an import.
type Part struct {
	palace.Import
	Done, Total int // how far the sender is
}

// Begin starts an import, or goes on with one of the same path and form that was cut off, and returns its id.
func (im *Room) Begin(s vault.Source) (string, error) {
	im.mu.Lock()
	defer im.mu.Unlock()
	for id, r := range im.running {
		if im.ending[id] == 0 && sameImport(r.began, s) {
			return id, nil
		}
	}
	known, err := im.vault.Sources(vault.SourceImport)
	if err != nil {
		return "", err
	}
	s.ID, s.Kind, s.At = vault.NewSourceID(), vault.SourceImport, im.vault.Now().UTC()
	goesOn := false
	for _, k := range known {
		if k.Open() && im.ending[k.ID] == 0 && sameImport(k, s) {
			s, goesOn = k, true
		}
	}
	return s.ID, im.run(s, goesOn)
}

func sameImport(a, b vault.Source) bool {
	return a.Path == b.Path && a.Form == b.Form && a.Wing == b.Wing && a.Room == b.Room && a.Hall == b.Hall && a.Model == b.Model
}

// run starts the job of an import, or of one that goes on. The caller holds mu.
func (im *Room) run(s vault.Source, goesOn bool) error {
	r := &running{doubt: goesOn, source: s, began: s, part: make(chan struct{}, 1), end: make(chan struct{})}
	t, _, err := im.jobs.Start("import "+s.ID, "bytes", func(j activity.Job) { im.news.Send("job", j.Kind, &j) },
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
func (im *Room) find(id string) (*running, error) {
	im.mu.Lock()
	defer im.mu.Unlock()
	if im.ending[id] > 0 {
		return nil, fmt.Errorf("import %q is being taken back: %w", id, ErrNone)
	}
	if r := im.running[id]; r != nil {
		return r, nil
	}
	s, err := im.record(id)
	if err != nil {
		return nil, err
	}
	if !s.Open() {
		return nil, fmt.Errorf("import %q has ended: %w", id, ErrNone)
	}
	if err := im.run(s, true); err != nil {
		return nil, err
	}
	return im.running[id], nil
}

// Taken is what became of a part.
type Taken struct {
	palace.ImportReceipt
	Job    activity.Job
	Listed string // after the last part: the import that is listed for it, and may be taken back; "": none
}

// Take files a part of an import.
func (im *Room) Take(ctx context.Context, id string, p Part) (res Taken, err error) {
	r, err := im.find(id)
	if err != nil {
		return res, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended() {
		return res, fmt.Errorf("import %q has ended: %w", id, ErrNone)
	}
	p.Source = r.source
	res.ImportReceipt, err = im.intake.Import(ctx, p.Import)
	r.doubt = r.doubt || err != nil
	select {
	case r.part <- struct{}{}:
	default:
	}
	r.task.Update(func(j *activity.Job) { j.Done, j.Total = p.Done, p.Total })
	rerr := im.count(r, &res, p.End && err == nil)
	if err == nil && rerr == nil && p.End {
		r.finish()
	}
	res.Job = r.task.Job()
	return res, errors.Join(err, rerr)
}

// count adds to the record of an import what a part brought, and with end that it is done, and as what it is listed. The caller holds r.mu.
func (im *Room) count(r *running, res *Taken, end bool) (err error) {
	r.source.Messages += res.Messages
	r.source.Facts += res.Facts
	r.source.Events += res.Events
	if res.Messages+res.Facts+res.Events == 0 && !end {
		return nil
	}
	if end {
		if res.Listed, err = im.listed(r); err != nil || res.Listed != r.source.ID {
			return err
		}
	}
	now := im.vault.Now().UTC()
	err = im.vault.ChangeSource(r.source.ID, func(s *vault.Source) {
		if !s.Open() {
			return
		}
		if s.Messages, s.Facts, s.Events = r.source.Messages, r.source.Facts, r.source.Events; end {
			s.Doubt, s.Done = r.doubt || im.intake.Waits(), &now
		}
	})
	if err != nil {
		return fmt.Errorf("record the import: %w", err)
	}
	return nil
}

// listed is the import that is listed for one that ends: itself, or, where it told only what others had brought and the same path was
// imported before, its twin. "" says that it is not listed, since it told nothing.
func (im *Room) listed(r *running) (string, error) {
	im.mu.Lock()
	defer im.mu.Unlock()
	known, err := im.vault.Sources(vault.SourceImport)
	if err != nil {
		return "", err
	}
	s := r.source
	own, twin := false, ""
	for _, k := range known {
		if k.ID == s.ID {
			own = true
		} else if k.Undone == nil && !k.Undoing && im.ending[k.ID] == 0 && sameImport(k, s) {
			twin = k.ID
		}
	}
	switch {
	case own && (twin == "" || r.doubt || s.Messages+s.Facts+s.Events > 0):
		return s.ID, nil
	case own:
		return twin, im.intake.Disown(s.ID, twin)
	}
	return twin, nil
}

// List lists the imports in the order in which they came. What files have of one that was cut off, or whose facts come later, is counted
// anew each time, until nothing waits: the others are as they were counted when they ended.
func (im *Room) List(ctx context.Context) ([]vault.Source, error) {
	waits := im.intake.Waits() // before the look: what comes meanwhile is counted with the next one
	all, err := im.vault.Sources(vault.SourceImport)
	if err != nil {
		return nil, err
	}
	unsure := map[string]bool{}
	for _, s := range all {
		unsure[s.ID] = s.Doubt || s.Open()
	}
	maps.DeleteFunc(unsure, func(_ string, is bool) bool { return !is })
	if len(unsure) == 0 {
		return all, nil
	}
	messages, facts, err := im.intake.Count(ctx, unsure)
	if err != nil {
		return nil, err
	}
	for i := range all {
		s := &all[i]
		s.Messages, s.Facts = max(s.Messages, messages[s.ID]), max(s.Facts, facts[s.ID]) // what was forgotten since had come as well
		if !s.Doubt || waits {
			continue
		}
		err = errors.Join(err, im.vault.ChangeSource(s.ID, func(kept *vault.Source) {
			kept.Doubt, kept.Messages, kept.Facts = false, s.Messages, s.Facts
		}))
	}
	return all, err
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

// Undone is what became of an import that was taken back.
type Undone struct {
	palace.Unimported
	vault.Taken            // in all, also where it was cut off or asked for before
	Before      *time.Time // when it had been taken back already; nil: it had not
}

// Undo takes back what an import brought; one that runs ends. The record says first that it is being taken back, and in the end that it
// was: an undo that was cut off in between can be asked for again. What was taken back can be imported again, as another import.
func (im *Room) Undo(ctx context.Context, id string) (out Undone, err error) {
	im.mu.Lock()
	im.ending[id]++
	r := im.running[id]
	im.mu.Unlock()
	defer func() {
		im.mu.Lock()
		defer im.mu.Unlock()
		if im.ending[id]--; im.ending[id] == 0 {
			delete(im.ending, id)
		}
	}()
	if r != nil {
		r.mu.Lock() // the part that is taken in comes to its end
		r.finish()
		r.mu.Unlock()
	}
	s, err := im.record(id)
	if err != nil {
		return out, err
	}
	if s.Undone == nil && !s.Undoing {
		if err := im.vault.ChangeSource(id, func(s *vault.Source) { s.Undoing = true }); err != nil {
			return out, fmt.Errorf("record that the import is taken back: %w", err)
		}
	}
	out.Before = s.Undone
	out.Unimported, err = im.intake.Unimport(ctx, id, func(now vault.Taken) error {
		out.Taken = sum(s, now)
		return im.vault.ChangeSource(id, func(s *vault.Source) { s.Took = &out.Taken })
	})
	if err != nil {
		return out, err
	}
	if s.Undone == nil {
		now := im.vault.Now().UTC()
		err = im.vault.ChangeSource(id, func(s *vault.Source) { s.Undoing, s.Undone = false, &now })
	}
	return out, err
}

// sum is what an undo takes in all, where it takes now what is left of an import.
func sum(s vault.Source, now vault.Taken) vault.Taken {
	switch t := s.Took; {
	case t == nil:
		return now
	case s.Undone != nil:
		return vault.Taken{Messages: t.Messages + now.Messages, Facts: t.Facts + now.Facts, Kept: now.Kept}
	default: // cut off: what is left was among what it found
		return vault.Taken{Messages: max(t.Messages, now.Messages), Facts: max(t.Facts, now.Facts), Kept: now.Kept}
	}
}

// Resume ends the undos that were cut off by the end of the program, once the workspace is ready.
func (im *Room) Resume(ctx context.Context, ready func(context.Context) error) {
	if ready(ctx) != nil {
		return
	}
	known, err := im.vault.Sources(vault.SourceImport)
	for _, s := range known {
		if s.Undoing {
			_, failed := im.Undo(ctx, s.ID)
			err = errors.Join(err, failed)
		}
	}
	if err != nil && ctx.Err() == nil {
		im.log.Warn("an import is still half taken back; ask for it again", "err", err)
	}
}

// record is what is known of an import.
func (im *Room) record(id string) (vault.Source, error) {
	known, err := im.vault.Sources(vault.SourceImport)
	if err != nil {
		return vault.Source{}, err
	}
	if i := slices.IndexFunc(known, func(s vault.Source) bool { return s.ID == id }); i >= 0 {
		return known[i], nil
	}
	return vault.Source{}, fmt.Errorf("import %q: %w", id, ErrNone)
}

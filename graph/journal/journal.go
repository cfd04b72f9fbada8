package journal

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/reverie-memory/reverie/forget"
	"github.com/reverie-memory/reverie/graph"
	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/palace/drawers"
	"github.com/reverie-memory/reverie/project"
	"github.com/reverie-memory/reverie/vault"
)

// assertions are the lines of the journal.
var assertions = vault.Records[graph.Event]{Name: graph.StateName, Parse: graph.ParseEvent}

// A Journal writes what is asserted of the graph, and knows what everybody said. Nothing else writes the file. Its methods may be called
// from several goroutines.
type Journal struct {
	Vault      *vault.Vault
	Sync       func(ctx context.Context, paths ...vault.Path) error // makes Told follow
	Notify     func(paths ...vault.Path)                            // has Told follow soon
	Known      func() *Told                                         // as of the last Sync
	Isolated   func() (project.Isolation, error)
	Moved      func() drawers.State // where drawers hang now
	Names      *Names               // finds names by what they mean
	Functional []string             // predicates that have one value at a time, besides those of the table

	shown   shown
	views   views
	past    views // as it stood when somebody last looked back
	moves   moves
	writing sync.RWMutex // held for reading from the look at the tombstones until what they let pass is written
}

// graphAfter is how long the graph is left to whoever asks for it: what a start has to do comes first.
const graphAfter = 2 * time.Second

// Warm asks once for the graph as most see it, a while after ready returns, so that who asks for it later does not wait until it is made.
// A panic is as at a question: what somebody said must not end every start. Once the graph is being made, no context cuts that off.
func (j *Journal) Warm(ctx context.Context, ready func(context.Context) error, log *slog.Logger) {
	defer func() {
		if r := recover(); r != nil {
			log.Error("the graph cannot be made; this is a defect", "panic", r, "stack", string(debug.Stack()))
		}
	}()
	if ready(ctx) != nil {
		return
	}
	select {
	case <-time.After(graphAfter):
	case <-ctx.Done():
		return
	}
	if _, err := j.Graph(""); err != nil {
		log.Warn("the graph is made when somebody asks for it", "err", err)
	}
}

// Append writes an event and returns it, with its time, when it is safe on disk and Told knows it. An event that is not valid, or that
// tells what was forgotten, is not written. After an error of the index the event is written all the same.
func (j *Journal) Append(ctx context.Context, e graph.Event) (graph.Event, error) {
	e, err := j.write(ctx, e)
	if err != nil {
		return e, err
	}
	return e, j.Sync(ctx, File)
}

func (j *Journal) write(ctx context.Context, e graph.Event) (graph.Event, error) {
	j.writing.RLock()
	defer j.writing.RUnlock()
	stones, err := j.Vault.Tombstones()
	if err != nil {
		return e, err
	}
	if why, gone := stones.Match(e.Text()); gone {
		return e, vault.Forgotten(why)
	}
	if e.At.IsZero() {
		e.At = j.Vault.Now()
	}
	e.At = e.At.UTC().Truncate(time.Second)
	if err := e.Validate(); err != nil {
		return e, err
	}
	if err := assertions.Append(ctx, j.Vault, e); err != nil {
		return e, fmt.Errorf("write what holds: %w", err)
	}
	return e, nil
}

// Assert writes those of the events that the journal does not have, by what they say and what they rest on, and returns how many those are.
func (j *Journal) Assert(ctx context.Context, events []graph.Event) (int, error) {
	type said struct{ kind, subject, predicate, object, source string }
	of := func(e graph.Event) said { return said{e.Kind, e.Subject, e.Predicate, e.Object, e.Source} }
	asserted, err := j.asserted()
	if err != nil {
		return 0, fmt.Errorf("read what holds: %w", err)
	}
	known := slice.SetOf(asserted, of)
	var fresh []graph.Event
	for _, e := range events {
		e.At = e.At.UTC().Truncate(time.Second)
		if e.Validate() == nil && !known[of(e)] {
			known[of(e)] = true
			fresh = append(fresh, e)
		}
	}
	return len(fresh), j.Write(ctx, fresh...)
}

// Fresh tells apart which of the events the journal does not have, and the ids of those that it has.
func (j *Journal) Fresh(events []graph.Event) (fresh []graph.Event, again []string, err error) {
	if len(events) == 0 {
		return nil, nil, nil
	}
	asserted, err := j.asserted()
	if err != nil {
		return nil, nil, fmt.Errorf("read what holds: %w", err)
	}
	known := slice.SetOf(asserted, func(e graph.Event) string { return e.ID() })
	for _, e := range events {
		e.At = e.At.UTC().Truncate(time.Second)
		if id := e.ID(); known[id] {
			again = append(again, id)
		} else if known[id] = true; e.Validate() == nil {
			fresh = append(fresh, e)
		}
	}
	return fresh, again, nil
}

// Write writes valid events, and leaves it to the index to have Told follow.
func (j *Journal) Write(ctx context.Context, events ...graph.Event) error {
	if len(events) == 0 {
		return nil
	}
	if err := assertions.Append(ctx, j.Vault, events...); err != nil {
		return fmt.Errorf("write what holds: %w", err)
	}
	j.Notify(File)
	return nil
}

// Withdraw takes the events away that go.
func (j *Journal) Withdraw(goes func(e graph.Event) bool) error {
	changed, err := assertions.Edit(j.Vault, func(e *graph.Event) vault.Fate { return vault.GoesIf(goes(*e)) }, nil)
	if changed {
		j.Notify(File)
	}
	if err != nil {
		return fmt.Errorf("take back what holds: %w", err)
	}
	return nil
}

// Graph is the graph as a project sees it.
func (j *Journal) Graph(wing string) (*graph.Graph, error) { return j.graph(wing, nil) }

// Past is the graph as a project would see it if nothing had been said but the events that are told; drawer is what the source of one rests
// on, "" for nothing. Past is made of the one that was last asked for: who asks of the same time again gets it at once.
func (j *Journal) Past(wing string, told func(e *graph.Event, drawer string) bool) (*graph.Graph, error) {
	return j.graph(wing, told)
}

func (j *Journal) graph(wing string, only func(e *graph.Event, drawer string) bool) (*graph.Graph, error) {
	isolated, err := j.Isolated()
	if err != nil {
		return nil, err
	}
	told := j.Known()
	read, err := j.shown.of(j.Vault, told.read)
	if err != nil {
		return nil, fmt.Errorf("look for what models read: %w", err)
	}
	by := sight{around: isolated.Around(wing), isolated: isolated, told: only}
	if len(isolated) > 0 {
		by.moved = j.moves.of(j.Moved())
	}
	views := &j.views
	if only != nil {
		views = &j.past
	}
	return views.of(by.around, isolated).graph(told, read, j.Functional, by), nil
}

// Problems names the lines of the journal that are no valid events, which count for nothing.
func (j *Journal) Problems() ([]vault.Problem, error) {
	return assertions.Problems(j.Vault)
}

// Kind is the journal as a kind of record. What facts say is hidden with the facts. Append writes nothing that was forgotten once Reload
// has returned.
func (j *Journal) Kind() forget.Kind {
	return forget.Kind{
		Name: "assertion of the graph", Owns: forget.Files(string(File)), Find: j.find, Resting: j.resting, Purge: j.purge,
		Reload: func() error {
			j.writing.Lock()
			defer j.writing.Unlock()
			if j.Names != nil {
				j.Names.Forget()
			}
			return nil
		},
	}
}

// find adds the assertions that are named, by their own ids or by that of a triple which rests on them. A triple that rests on facts stands
// for these.
func (j *Journal) find(_ context.Context, s *forget.Search) error {
	events, err := j.asserted()
	if err != nil {
		return err
	}
	if err := j.resolve(s, events); err != nil {
		return err
	}
	j.add(s, events, func(e graph.Event) bool { return s.Names(e.ID(), "", e.Text()) })
	return nil
}

// resting adds the assertions whose source is forgotten.
func (j *Journal) resting(_ context.Context, s *forget.Search) error {
	events, err := j.asserted()
	gone := s.Found()
	j.add(s, events, func(e graph.Event) bool { return gone[e.Source] || gone[drawerOf(e.Source)] })
	return err
}

// asserted are all events of the journal.
func (j *Journal) asserted() (all []graph.Event, err error) {
	err = assertions.Each(j.Vault, func(e graph.Event) { all = append(all, e) })
	return all, err
}

func (j *Journal) add(s *forget.Search, events []graph.Event, named func(graph.Event) bool) {
	told := j.Known()
	for _, e := range events {
		if named(e) {
			s.Add(forget.Target{ID: e.ID(), File: File, Text: e.Text(), Wing: e.Wing, From: told.drawer(e.Source)})
		}
	}
}

// resolve has the ids of triples stand for what these rest on, in the graph of whichever project shows them; asserted are all events of the
// journal, of which some may be hidden there.
func (j *Journal) resolve(s *forget.Search, asserted []graph.Event) error {
	ids := slices.DeleteFunc(s.IDs(), func(id string) bool { return !strings.HasPrefix(id, graph.TriplePrefix) })
	if len(ids) == 0 {
		return nil
	}
	isolated, err := j.Isolated()
	if err != nil {
		return err
	}
	own := slice.SetOf(asserted, func(e graph.Event) string { return e.ID() })
	graphs := []*graph.Graph{graph.Build(asserted, j.Functional)}
	for _, wing := range append([]string{""}, isolated...) {
		g, err := j.Graph(wing)
		if err != nil {
			return err
		}
		graphs = append(graphs, g)
	}
	for _, g := range graphs {
		for _, id := range ids {
			for _, e := range g.Rests(id) {
				if event := e.ID(); own[event] {
					s.Stands(id, event)
				} else {
					s.Stands(id, e.Source)
				}
			}
		}
	}
	return nil
}

func (j *Journal) purge(_ context.Context, p *forget.Purge) error {
	return forget.PurgeRecords(p, j.Vault, vault.Records[graph.Event]{Name: graph.StateName}, func(e *graph.Event) vault.Fate {
		named := func(t forget.Target) bool {
			return t.File == File && (t.Text == e.Text() || t.ID == e.ID())
		}
		return vault.GoesIf(p.Rows[e.Source] || p.Tells(e.Text()) || p.Tells(e.Was) || slices.ContainsFunc(p.Targets, named))
	})
}

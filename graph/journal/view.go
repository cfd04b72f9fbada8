package journal

import (
	"maps"
	"slices"
	"sync"

	"github.com/reverie-memory/reverie/graph"
	"github.com/reverie-memory/reverie/project"
	"github.com/reverie-memory/reverie/vault"
)

// A view is the graph as the projects of one isolation see it: what an isolated one was told is in no other's, not even by what it closed.
// An event is where the drawer hangs that it rests on. Who asks while a change is taken in waits for it; who has a graph already does not.
type view struct {
	mu     sync.Mutex
	keeper *graph.Keeper
	told   *Told
	read   []reading
	heard  map[vault.Path]*listed // what each file said last
	part   bool                   // of what they said, a part was seen
}

// graph is the graph of what is told, of which the readings of drawers count that are given; sees says what of that is seen, nil for all.
func (v *view) graph(told *Told, read []reading, functional []string, sees func(e *graph.Event) bool) *graph.Graph {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.keeper == nil {
		v.keeper = graph.NewKeeper(functional)
	}
	same := func(a, b reading) bool { return a.ID == b.ID && a.Text == b.Text }
	whole := sees == nil && !v.part // what was heard of a file is all of it, and is to be
	v.part = sees != nil
	if whole && v.told == told && slices.EqualFunc(v.read, read, same) {
		return v.keeper.Graph()
	}
	say := func(source vault.Path, events []*graph.Event) {
		if sees != nil {
			events = slices.DeleteFunc(slices.Clone(events), func(e *graph.Event) bool { return !sees(e) })
		}
		v.keeper.Say(string(source), events)
	}
	heard := map[vault.Path]*listed{}
	for _, l := range told.files {
		if heard[l.file] = l; v.heard[l.file] != l || !whole {
			say(l.file, l.events)
		}
	}
	for source := range v.heard {
		if heard[source] == nil {
			say(source, nil)
		}
	}
	var readings []*graph.Event
	for _, list := range [][]reading{told.facts, read} {
		for i := range list {
			for n := range list[i].Events {
				readings = append(readings, &list[i].Events[n])
			}
		}
	}
	say("~", readings) // behind all files
	v.told, v.read, v.heard = told, read, heard
	return v.keeper.Graph()
}

// views are those of all projects that were asked for, as long as these are isolated.
type views struct {
	mu sync.Mutex
	by map[string]*view // by the isolated wing, "" for all others
}

func (vs *views) of(wing string, isolated project.Isolation) *view {
	vs.mu.Lock()
	defer vs.mu.Unlock()
	maps.DeleteFunc(vs.by, func(of string, _ *view) bool { return of != "" && !slices.Contains(isolated, of) })
	v := vs.by[wing]
	if v == nil {
		if vs.by == nil {
			vs.by = map[string]*view{}
		}
		v = &view{}
		vs.by[wing] = v
	}
	return v
}

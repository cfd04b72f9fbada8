package journal

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"sync"

	"github.com/reverie-memory/reverie/graph"
	"github.com/reverie-memory/reverie/palace/drawers"
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
	sight  sight                  // by which a part of that was taken
}

// A sight is what decides which events a view has.
type sight struct {
	around   string // the isolated wing, "" for all others
	isolated project.Isolation
	moved    *wings // nil while nothing is isolated

	told func(e *graph.Event, drawer string) bool // nil: all is
}

// equal says whether both surely see the same. Of what is told nobody knows that but who says it.
func (s sight) equal(o sight) bool {
	return s.told == nil && o.told == nil && s.around == o.around && slices.Equal(s.isolated, o.isolated) && s.moved == o.moved
}

// wings are where drawers hang that were moved to another wing.
type wings map[string]string

// own is where what rests on a drawer hangs.
func (w *wings) own(drawer, was string) string {
	if now, ok := (*w)[drawer]; ok {
		return now
	}
	return was
}

// moves knows the wings of drawers as of what was last known of these. What says nothing of a wing, such as that a drawer was read, leaves
// them the same.
type moves struct {
	mu    sync.Mutex
	as    drawers.State
	wings *wings
}

func (m *moves) of(state drawers.State) *wings {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.wings != nil && reflect.ValueOf(m.as).Pointer() == reflect.ValueOf(state).Pointer() {
		return m.wings
	}
	now := wings{}
	for id, k := range state {
		if k.Wing != nil {
			now[id] = *k.Wing
		}
	}
	if m.as = state; m.wings == nil || !maps.Equal(*m.wings, now) {
		m.wings = &now
	}
	return m.wings
}

// seen are those of the events that are seen; drawer gives what their source rests on.
func (s sight) seen(events []*graph.Event, drawer func(source string) string) []*graph.Event {
	if len(s.isolated) == 0 && s.told == nil {
		return events
	}
	return slices.DeleteFunc(slices.Clone(events), func(e *graph.Event) bool {
		of := drawer(e.Source)
		return len(s.isolated) > 0 && s.isolated.Around(s.moved.own(of, e.Wing)) != s.around || s.told != nil && !s.told(e, of)
	})
}

// graph is the graph of what is told, of which the readings of drawers count that are given. graph takes in what is another since it was
// last asked for; where that is how events are seen, all.
func (v *view) graph(told *Told, read []reading, functional []string, by sight) *graph.Graph {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.keeper == nil {
		v.keeper = graph.NewKeeper(functional)
	}
	same := func(a, b reading) bool { return a.ID == b.ID && a.Text == b.Text }
	alike := v.sight.equal(by)
	if alike && v.told == told && slices.EqualFunc(v.read, read, same) {
		return v.keeper.Graph()
	}
	heard := map[vault.Path]*listed{}
	for _, l := range told.files {
		// What is asserted may rest on facts of other files.
		if heard[l.file] = l; v.heard[l.file] != l || !alike || l.file == File && len(by.isolated) > 0 {
			v.keeper.Say(string(l.file), by.seen(l.events, func(source string) string {
				if drawer, ok := l.drawers[source]; ok {
					return cmp.Or(drawer, drawerOf(source))
				}
				return told.drawer(source)
			}))
		}
	}
	for source := range v.heard {
		if heard[source] == nil {
			v.keeper.Say(string(source), nil)
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
	v.keeper.Say("~", by.seen(readings, told.drawer)) // behind all files
	v.told, v.read, v.heard, v.sight = told, read, heard, by
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

package importer

import (
	"encoding/json"
	"errors"
	"iter"
	"maps"
	"slices"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/graph"
	"github.com/reverie-memory/reverie/palace/drawers"
	"github.com/reverie-memory/reverie/vault"
)

// Reverie reads what `reverie export` writes: drawers and facts become the same drawers and facts, with what became of the drawers and what
// was asserted of the graph. What else is there is told of by none of them, and is left out.
type Reverie struct{}

// Name implements [Importer].
func (Reverie) Name() string { return "Reverie" }

// Reads implements [Importer].
func (Reverie) Reads(_ string, head []byte) bool { return hasKeys(head, "reverie_export", "version") }

// Read implements [Importer]. State files come first in an export: their lines wait for the drawers and facts on which they rest.
func (Reverie) Read(f File) iter.Seq2[Message, error] {
	return func(yield func(Message, error) bool) {
		w := waiting{events: map[string][]api.ImportEvent{}, assertions: map[string][]api.ImportAssertion{}}
		for it, err := range lines(f) {
			var r api.ExportRecord
			if err == nil {
				if err = json.Unmarshal(it.raw, &r); err == nil && r.Version > api.ExportVersion {
					err = errors.New("a newer version of Reverie wrote it")
				}
				if err == nil {
					err = w.state(&r)
				}
				if err != nil {
					err = it.place(f, err)
				}
			}
			m := Message{}
			switch {
			case err != nil:
			case r.Drawer != nil:
				m.ImportMessage = *r.Drawer
				w.give(&m, r.Drawer.ID)
			case r.Fact != nil:
				m.ChatID, m.Facts = r.Fact.ChatID, []api.ImportFact{*r.Fact}
				w.give(&m, r.Fact.ID)
			default:
				continue
			}
			if !yield(m, err) {
				return
			}
		}
		for _, id := range slices.Sorted(maps.Keys(w.assertions)) { // they rest on nothing, or on what is not there
			for one := range slices.Chunk(w.assertions[id], 1) {
				if !yield(Message{Assertions: one}, nil) {
					return
				}
			}
		}
	}
}

// waiting is what lines of state files tell, by the drawer or fact on which it rests.
type waiting struct {
	events     map[string][]api.ImportEvent
	assertions map[string][]api.ImportAssertion
}

// state takes in a line of a state file. The kinds of line that an import leaves out it passes over.
func (w *waiting) state(r *api.ExportRecord) error {
	switch {
	case len(r.State) == 0:
	case r.File == string(drawers.File):
		e, err := drawers.ParseEvent(r.State)
		if err != nil || !drawers.Travels(e.Kind) {
			return err
		}
		w.events[e.Drawer] = append(w.events[e.Drawer], api.ImportEvent{
			Kind: e.Kind, At: e.At, Wing: e.Wing, Room: e.Room, Hall: e.Hall, Reason: e.Reason,
		})
	case r.File == vault.StateDir+"/"+graph.StateName:
		e, err := graph.ParseEvent(r.State)
		if err != nil {
			return err
		}
		w.assertions[e.Source] = append(w.assertions[e.Source], api.ImportAssertion{
			Kind: e.Kind, At: e.At, Subject: e.Subject, Predicate: e.Predicate, Object: e.Object, Was: e.Was, ValidFrom: string(e.ValidFrom),
			ValidTo: string(e.ValidTo), Confidence: e.Confidence, Source: e.Source, Also: e.Also, Only: e.Only, Speaker: e.Speaker,
			Origin: string(e.Origin), Agent: e.Agent, Wing: e.Wing,
		})
	}
	return nil
}

// maxEvents is how many of its newest events a drawer keeps.
const maxEvents = 1000

// give hands over what rests on a drawer or fact.
func (w *waiting) give(m *Message, id string) {
	events := w.events[id]
	m.Events, m.Assertions = events[max(0, len(events)-maxEvents):], w.assertions[id]
	delete(w.events, id)
	delete(w.assertions, id)
}

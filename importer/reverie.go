package importer

import (
	"cmp"
	"encoding/json"
	"errors"
	"maps"
	"path"
	"slices"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/graph"
	"github.com/reverie-memory/reverie/palace/drawers"
	"github.com/reverie-memory/reverie/palace/findings"
	"github.com/reverie-memory/reverie/vault"
)

// Reverie reads what `reverie export` writes: drawers, facts and diaries become the same drawers, facts and diaries, with what became of
// the drawers, what was found out about all of them, and what was asserted of the graph. What else is there is left out.
var Reverie = Importer{
	Name:  "Reverie",
	Reads: func(_ string, head []byte) bool { return hasKeys(head, "reverie_export", "version") },
	// State files come first in an export: their lines wait for the drawers and facts on which they rest.
	Read: func(f File, yield func(Message, error) bool) {
		w := waiting{
			events: map[string][]api.ImportEvent{}, findings: map[string][]api.ImportFinding{}, assertions: map[string][]api.ImportAssertion{},
		}
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
				m.Events, m.Findings = last(w.events, m.ID), last(w.findings, m.ID)
				m.Assertions = last(w.assertions, m.ID)
			case r.Fact != nil || r.Diary != nil:
				f := cmp.Or(r.Fact, r.Diary)
				if r.Diary != nil {
					f.Diary = path.Base(path.Dir(r.File))
				}
				f.Findings, m.Assertions = last(w.findings, f.ID), last(w.assertions, f.ID)
				m.ChatID, m.Facts = f.ChatID, []api.ImportFact{*f}
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
	},
}

// waiting is what lines of state files tell, by the drawer or fact on which it rests.
type waiting struct {
	events     map[string][]api.ImportEvent
	findings   map[string][]api.ImportFinding
	assertions map[string][]api.ImportAssertion
}

// state takes in a line of a state file. The kinds of line that an import leaves out it passes over. The shapes of what is imported have
// the keys that the lines have.
func (w *waiting) state(r *api.ExportRecord) error {
	switch {
	case len(r.State) == 0:
	case r.File == string(drawers.File):
		e, err := drawers.ParseEvent(r.State)
		return wait(w.events, e.Drawer, r.State, err)
	case r.File == string(findings.File):
		f, err := findings.Parse(r.State)
		return wait(w.findings, f.ID, r.State, err)
	case r.File == vault.StateDir+"/"+graph.StateName:
		e, err := graph.ParseEvent(r.State)
		return wait(w.assertions, e.Source, r.State, err)
	}
	return nil
}

func wait[T any](on map[string][]T, id string, line json.RawMessage, err error) error {
	var v T
	if err == nil {
		err = json.Unmarshal(line, &v)
	}
	if err == nil {
		on[id] = append(on[id], v)
	}
	return err
}

// maxOf is how many of the newest lines of one kind a drawer or fact keeps.
const maxOf = 1000

// last hands over what rests on a drawer or fact.
func last[T any](on map[string][]T, id string) []T {
	all := on[id]
	delete(on, id)
	return all[max(0, len(all)-maxOf):]
}

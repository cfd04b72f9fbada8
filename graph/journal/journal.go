package journal

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/reverie-memory/reverie/forget"
	"github.com/reverie-memory/reverie/graph"
	"github.com/reverie-memory/reverie/vault"
)

// A Journal writes what is asserted of the graph, and knows what everybody said. Nothing else writes the file. Its methods may be called
// from several goroutines.
type Journal struct {
	Vault *vault.Vault
	Sync  func(ctx context.Context, paths ...vault.Path) error // makes Told follow
	Known func() *Told                                         // as of the last Sync
}

// Append writes an event and returns it, with its time, when it is safe on disk and Told knows it. An event that is not valid is not
// written. After an error of the index the event is written all the same.
func (j *Journal) Append(ctx context.Context, e graph.Event) (graph.Event, error) {
	if e.At.IsZero() {
		e.At = j.Vault.Now()
	}
	e.At = e.At.UTC().Truncate(time.Second)
	if err := e.Validate(); err != nil {
		return e, err
	}
	if err := j.Vault.AppendState(ctx, graph.StateName, e); err != nil {
		return e, fmt.Errorf("write what holds: %w", err)
	}
	return e, j.Sync(ctx, File)
}

// Told is everything that was said.
func (j *Journal) Told() *Told { return j.Known() }

// Problems names the lines of the journal that are no valid events, which count for nothing.
func (j *Journal) Problems() ([]vault.Problem, error) {
	return j.Vault.InvalidLines(graph.StateName, func(raw []byte) error {
		_, err := graph.ParseEvent(raw)
		return err
	})
}

// Kind is the journal as a kind of record. What facts say is hidden with the facts.
func (j *Journal) Kind() forget.Kind {
	return forget.Kind{Name: "assertion of the graph", Owns: forget.Files(string(File)), Find: j.find, Purge: j.purge}
}

// id names an event by the triple that it asserts.
func id(e graph.Event) string {
	triples := graph.Build([]graph.Event{e}, nil).Triples()
	if len(triples) == 0 {
		return ""
	}
	return triples[0].ID
}

func (j *Journal) find(_ context.Context, s *forget.Search) error {
	_, err := j.Vault.ReadState(graph.StateName, func(_ int, raw []byte) error {
		if e, err := graph.ParseEvent(raw); err == nil {
			if id := id(e); s.Names(id, "", e.Text()) {
				s.Add(forget.Target{ID: id, File: File, Text: e.Text()})
			}
		}
		return nil
	})
	return err
}

func (j *Journal) purge(_ context.Context, p *forget.Purge) error {
	changed, err := j.Vault.EditState(graph.StateName, func(raw []byte) []byte {
		var e graph.Event
		if json.Unmarshal(raw, &e) != nil {
			if p.Tells(string(raw)) {
				return nil
			}
			return raw
		}
		named := func(t forget.Target) bool {
			return t.File == File && (t.Text == e.Text() || t.ID != "" && t.ID == id(e))
		}
		if p.Rows[e.Source] || p.Tells(e.Text()) || p.Tells(e.Was) || slices.ContainsFunc(p.Targets, named) {
			return nil
		}
		return raw
	})
	if changed {
		p.Changed = append(p.Changed, File)
	}
	return err
}

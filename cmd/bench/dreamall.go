package main

import (
	"context"
	"fmt"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/dream"
	"github.com/reverie-memory/reverie/operations"
)

// dreamAll consolidates until no day is pending.
func dreamAll(ctx context.Context, w *operations.Memory) (gate dream.RecallGate, err error) {
	for {
		rep, err := w.Consolidate(ctx, api.Consolidate{})
		if err != nil {
			return gate, err
		}
		if g := rep.Gate; g != nil {
			gate.Probes, gate.Before, gate.After = gate.Probes+g.Probes, gate.Before+g.Before, gate.After+g.After
		}
		switch dream.Status(rep.Status) {
		case dream.Consolidated:
			if len(rep.Days) == 0 {
				return gate, fmt.Errorf("a run without days: %s", rep.Status)
			}
		case dream.NothingPending:
			return gate, nil
		default:
			return gate, fmt.Errorf("the run of %d days from %s ended as %s: %v", len(rep.Days), rep.Days[0], rep.Status, rep.Notes)
		}
	}
}

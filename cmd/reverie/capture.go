package main

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/capture"
	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/operations"
	"github.com/reverie-memory/reverie/spool"
	"github.com/reverie-memory/reverie/transcript"
	"github.com/reverie-memory/reverie/workspace"
)

// tellCapture reports an event of a program to the capture of the workspace.
func (a *app) tellCapture(host, event string) error {
	c, err := a.settings()
	if err != nil {
		return err
	}
	w, err := c.Workspace(a.flag.workspace)
	if err != nil {
		return &codeError{exitUsage, err}
	}
	return spool.Append(capture.SpoolDir(w.DataDir), spool.Event{Event: event, Host: host, At: time.Now().UTC()})
}

// readHistory has the transcripts of programs read from their beginning: of those that are named, or that have any.
func (a *app) readHistory(ctx context.Context, named []string) error {
	c, err := a.settings()
	if err != nil {
		return err
	}
	w, err := c.Workspace(a.flag.workspace)
	if err != nil {
		return &codeError{exitUsage, err}
	}
	for _, name := range named {
		if transcript.Named(name) == nil {
			return usageError("--host %q: want %s", name, strings.Join(config.CaptureHosts, ", "))
		}
	}
	began := map[string]int{}
	for _, h := range capture.Survey(workspace.CaptureOptions(c, w.DataDir)) {
		if h.Files > 0 && (len(named) == 0 || slices.Contains(named, h.Name)) {
			if err := a.tellCapture(h.Name, spool.History); err != nil {
				return err
			}
			began[h.Name] = h.Files
		}
	}
	if len(began) == 0 {
		return &codeError{exitNotFound, errors.New("no transcripts were found; capture.hosts and capture.folders in the settings say where " +
			"they are looked for")}
	}
	if _, err := ask(ctx, a, operations.Status, api.Nothing{}); err != nil { // it starts the daemon
		return err
	}
	return a.tell(map[string]any{"transcripts": began}, func() {
		for _, name := range slices.Sorted(maps.Keys(began)) {
			a.print("%s: %s are being read; `reverie status` tells when something keeps them\n", name, count(began[name], "transcript"))
		}
	})
}

// checkCapture finds transcripts of assistants that were not captured, and says why.
func (a *app) checkCapture(c config.Config) []check {
	const name = "transcripts"
	w, err := c.Workspace(a.flag.workspace)
	if err != nil {
		return []check{fail(name, "", "%v", err)}
	}
	if !c.Capture.Enabled {
		return []check{ok(name, "none is read: capture.enabled is off")}
	}
	_, running := holder(w.DataDir)
	var out []check
	var without []string
	for _, h := range capture.Survey(workspace.CaptureOptions(c, w.DataDir)) {
		problems := h.Problems(running)
		for _, p := range problems {
			out = append(out, warn(name, p.Mend, "%s", p.Text))
		}
		switch {
		case h.Since.IsZero() && h.Files > 0:
			without = append(without, h.Name)
		case !h.Since.IsZero() && len(problems) == 0:
			out = append(out, ok(name, "%s: %d, captured", h.Name, h.Files))
		}
	}
	if len(without) > 0 {
		out = append(out, ok(name, "those of %s are not read; `reverie setup` begins it", strings.Join(without, ", ")))
	}
	if len(out) == 0 {
		out = append(out, ok(name, "no assistant has any that could be captured"))
	}
	return out
}

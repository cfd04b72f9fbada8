package main

import (
	"strings"

	"github.com/reverie-memory/reverie/capture"
	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/workspace"
)

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

package main

import (
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/hosts"
	"github.com/reverie-memory/reverie/internal/slice"
)

// checkHosts looks whether the programs that assistants run in still start this program, and all of it.
func (a *app) checkHosts(c config.Config) []check {
	const name = "assistants"
	env, err := assistants()
	if err != nil {
		return []check{warn(name, "", "%v", err)}
	}
	l, err := a.launching(c)
	if err != nil {
		return []check{warn(name, "", "%v", err)}
	}
	var out []check
	var without []string
	for _, h := range hosts.All {
		states := slice.Map(h.Files(env), func(f hosts.File) hosts.State { return f.Look(l) })
		switch hosts.Stand(h.Found(env), states) {
		case hosts.SetUp:
			out = append(out, ok(name, "%s is set up", h.Title))
		case hosts.Outdated:
			out = append(out, warn(name, "`reverie setup "+h.Name+"`", "%s: %s", h.Title, troubles(states)))
		case hosts.Unreadable:
			out = append(out, warn(name, "correct the file, then `reverie setup "+h.Name+"`", "%s: %s", h.Title, troubles(states)))
		case hosts.NotSetUp:
			without = append(without, h.Title)
		}
	}
	if len(without) > 0 {
		out = append(out, ok(name, "%s could remember: `reverie setup --all`", strings.Join(without, ", ")))
	}
	return out
}

// troubles are those of all files of a host, each once.
func troubles(states []hosts.State) string {
	var all []string
	for _, s := range states {
		said := s.Problems
		if s.Err != nil {
			said = []string{s.Err.Error()}
		}
		for _, p := range said {
			if !slices.Contains(all, p) {
				all = append(all, p)
			}
		}
	}
	return strings.Join(all, "; ")
}

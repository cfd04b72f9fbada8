package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/api"
)

// What was remembered is printed for a person: it must not steer the terminal.
func TestHitsDoNotSteerTheTerminal(t *testing.T) {
	var out bytes.Buffer
	a := &app{out: &out, err: &out}
	a.printHits(api.SearchResult{Hits: []api.Hit{{
		Row: api.Row{
			Text: "red \x1b[31m\x1b]0;title\a \u202egnp \u0085 and 👩‍👩‍👧", SourceFile: "a\x1b[2J.md",
			Speaker: "Eve\x1b[1A\r\nforged", Line: 1,
		},
	}}})
	if s := out.String(); strings.ContainsAny(s, "\x1b\a\r\u202e\u0085") || strings.Count(s, "\n") != 2 {
		t.Errorf("printed %q", s)
	}
	if !strings.Contains(out.String(), "👩‍👩‍👧") {
		t.Errorf("an emoji was torn apart: %q", out.String())
	}
}

// With --explain the parts of a score stand in one order, whenever it is asked.
func TestPartsOfAScoreAreSorted(t *testing.T) {
	for range 20 {
		var out bytes.Buffer
		a := &app{out: &out, err: &out}
		a.printHits(api.SearchResult{Hits: []api.Hit{{ScoreBreakdown: map[string]float64{"vector": 1, "lexical": 2, "session": 3}}}})
		if parts := strings.Fields(out.String()); strings.Join(parts[len(parts)-6:], " ") != "lexical 2.0000 session 3.0000 vector 1.0000" {
			t.Fatalf("printed %q", out.String())
		}
	}
}

package page_test

import (
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/internal/nasty"
)

// Pages and statements of any shape are read in time that grows with their length, and no byte of a page is touched by reading it.
func TestAnyShapeIsRead(t *testing.T) {
	for _, s := range nasty.Shapes() {
		text := s.Make(1 << 15)
		switch s.Name {
		case "ordinals", "item of many lines", "link with opens", "emphasis both", "tildes in a run": // what once was not linear
			text = s.Make(1 << 20)
		}
		if got := page.Parse("a.md", []byte(text)).Bytes(); string(got) != text {
			t.Errorf("%s: the page is not what was read", s.Name)
		}
		page.Shown(text)
	}
}

// A statement with so many links that it is read in parts keeps each of them.
func TestManyLinksOfAStatement(t *testing.T) {
	text := strings.Repeat("the *one* [[Big Boat|boat that we saw]] and `code`, ", 300) + "end"
	want := strings.Repeat("the one boat that we saw and code, ", 300) + "end"
	if got := page.Shown(text); got != want {
		t.Errorf("got %d bytes, want %d: %.300q", len(got), len(want), got)
	}
	if got := len(page.Sources("*said* (" + strings.Repeat("[[2026-06-09#^fa1|9 Jun 2026]], ",
		300) + "[[2026-06-10#^fa2|10 Jun 2026]])")); got != 301 {
		t.Errorf("%d sources, want 301", got)
	}
}

package agent

import (
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/dream/navigate"
	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/vault"
)

// What was forgotten and stands on a person's page is not shown to whoever dreams, as a statement or as prose.
func TestForgottenLinesAreNotShown(t *testing.T) {
	data := []byte("# Rita\r\n\r\n- Rita plays the cello\r\n- Rita owns a boat\r\n\r\nShe owns a boat.\r\n")
	text := doc{data, page.Parse("3_Personal/Rita.md", data), func(s string) string {
		if strings.Contains(s, "boat") {
			return ""
		}
		return s
	}}.show()
	if strings.Contains(text, "boat") || !strings.Contains(text, "cello") || !strings.Contains(text, "# Rita") {
		t.Error(text)
	}
}

// No list for a person is shown to a model or written by one, however its name is written.
func TestListsAreTheirOwnersAlone(t *testing.T) {
	for _, p := range []vault.Path{
		vault.ConflictsPath, navigate.UnfiledPath, navigate.UnconfirmedPath, navigate.SkippedPath, "0_inbox/unconfirmed.MD",
	} {
		if !isList(p) {
			t.Errorf("%s is taken for a page", p)
		}
	}
	if isList("0_Inbox/Notes.md") {
		t.Error("a page is taken for a list")
	}
}

// A page that links to logs or lists would go to, or that not every system can store, is refused.
func TestNewPagePath(t *testing.T) {
	for _, s := range []string{
		"1_Projects/2026-06-09.md", "3_Personal/CON.md", "3_Personal/nul.x.md", "2_Wiki/index.md", "1_Projects/MEMORY.md",
		"1_Projects/Conflicts.md", "1_Projects/a\u200bb.md",
	} {
		if _, err := newPagePath(s); err == nil {
			t.Errorf("%q was taken", s)
		}
	}
	for _, s := range []string{
		"1_Projects/Billing.md", "2_Wiki/Concepts/Event sourcing.md",
		"3_Personal/Zoë O'Neil.md", "1_Projects/Reverie 2.0.md",
	} {
		if _, err := newPagePath(s); err != nil {
			t.Errorf("%q: %v", s, err)
		}
	}
}

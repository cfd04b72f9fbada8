package workspace_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/operations"
)

// getTold asks for the texts that assistants get by themselves, and gives their receipts by name.
func getTold(t *testing.T, w operations.Memory) map[string]string {
	t.Helper()
	c, err := w.Context(t.Context(), api.Context{Query: "lighthouse lamp"})
	if err != nil {
		t.Fatal(err)
	}
	s, err := w.SessionContext(t.Context(), api.SessionContext{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := w.Brief(t.Context(), api.Brief{Agent: "claude-code"})
	if err != nil {
		t.Fatal(err)
	}
	return map[string]string{"context": c.Receipt, "session": s.Receipt, "brief": b.Receipt}
}

// TestWhyOfTexts: a context, a session's context and a brief are told again as they were, or exactly how they differ.
func TestWhyOfTexts(t *testing.T) {
	w := open(t, replaying)
	fact := func(text string) string {
		t.Helper()
		r, err := w.WriteFacts(t.Context(), api.Facts{Facts: []api.NewFact{{Content: text}}, Wait: "indexed"})
		if err != nil {
			t.Fatal(err)
		}
		return r.Facts[0].ID
	}
	id := fact("The lighthouse on Amrum has a red lamp")
	receipts := getTold(t, w)
	for name, receipt := range receipts {
		r := why(t, w, receipt)
		if !r.Replayed || !r.Same || len(r.Hits) != 1 || r.Hits[0].RankNow != 1 || len(r.Changes) > 0 ||
			!strings.Contains(r.Hits[0].Text, "red lamp") {
			t.Errorf("%s right after: %+v", name, r)
		}
	}
	if r := why(t, w, receipts["context"]); r.Query != "lighthouse lamp" {
		t.Errorf("%+v", r)
	}

	fact("The lighthouse keeper of Amrum paints the lamp on Sundays")
	for name, receipt := range receipts {
		if r := why(t, w, receipt); r.Same || len(r.New) != 1 || !strings.Contains(r.New[0].Text, "Sundays") {
			t.Errorf("%s after another fact: %+v", name, r)
		}
	}

	second := getTold(t, w)
	user := filepath.Join(w.Options.Vault, "memory", "user.md")
	if err := os.WriteFile(user, []byte("# You\n\nAlice prefers short answers.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := why(t, w, second["context"]); r.Same || len(r.Changes) != 1 || !strings.Contains(r.Changes[0], "core blocks") {
		t.Errorf("after an edit of user.md: %+v", r)
	}

	if _, err := w.Forget(t.Context(), api.Forget{IDs: []string{id}}); err != nil {
		t.Fatal(err)
	}
	for name, receipt := range receipts {
		if r := why(t, w, receipt); r.Same || !strings.Contains(r.Hits[0].Change, "forgotten") || r.Hits[0].Text != "" {
			t.Errorf("%s after it was forgotten: %+v", name, r)
		}
	}
	if _, err := w.Forget(t.Context(), api.Forget{IDs: []string{id}, Purge: true}); err != nil {
		t.Fatal(err)
	}
	for name, receipt := range receipts {
		if r, err := w.Why(t.Context(), api.ReceiptID{ID: receipt}); err == nil && r.Replayed {
			t.Errorf("%s after a purge: %+v", name, r)
		}
	}
}

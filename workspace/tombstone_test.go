package workspace_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/api"
)

// A forgotten sentence does not come back inside a longer message, in Markdown or on a page, and the rest of these stays.
func TestForgottenSentenceWithinLongerTexts(t *testing.T) {
	w := open(t, quiet)
	page := filepath.Join(w.Options.Vault, "3_Personal", "Cellar.md")
	text := "# Cellar\n\nThe walls are damp. I keep a Fjordlamp in the cellar.\n\n- **I keep a Fjordlamp in the cellar.**\n  - below it " +
		"stands a crate\n"
	if err := os.WriteFile(page, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Index.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	say(t, w, "before", "The weather was fine. I keep a Fjordlamp in the cellar. We met a heron.")
	r := say(t, w, "c1", "I keep a Fjordlamp in the cellar.")
	if _, err := w.Forget(t.Context(), api.Forget{IDs: r.Drawers}); err != nil {
		t.Fatal(err)
	}
	say(t, w, "after", "Good morning to you all. **I keep a Fjordlamp in the cellar.** The baker closed early.")
	for range 2 {
		hits := find(t, w, "Fjordlamp cellar heron baker walls crate")
		if tells(hits, "Fjordlamp") {
			t.Errorf("it is back: %v", hits)
		}
		for _, rest := range []string{"met a heron", "The baker closed early", "The walls are damp.", "below it stands a crate"} {
			if !tells(hits, rest) {
				t.Errorf("%q went along: %v", rest, hits)
			}
		}
		verified(t, w)
		if _, err := w.Reindex(t.Context(), api.Reindex{Wait: true, ClearExisting: true}); err != nil {
			t.Fatal(err)
		}
	}
}

// Lost tombstones bring nothing back: they are mended from their copies, or nothing is shown until a person gives them up.
func TestLostTombstonesBringNothingBack(t *testing.T) {
	state := func(dir, name string) string { return filepath.Join(dir, "vault", ".state", name) }
	for name, c := range map[string]struct {
		files func(dir string) []string
		lost  bool
	}{
		"the key":  {func(dir string) []string { return []string{state(dir, "tombstone.key")} }, false},
		"the file": {func(dir string) []string { return []string{state(dir, "tombstones.jsonl")} }, false},
		"all but a key": {func(dir string) []string {
			return []string{state(dir, "tombstones.jsonl"), state(dir, "tombstones.copy.jsonl"), filepath.Join(dir, "data")}
		}, true},
		"the vault's": {func(dir string) []string {
			return []string{state(dir, "tombstones.jsonl"), state(dir, "tombstones.copy.jsonl"), state(dir, "tombstone.key")}
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			w := prepare(t, dir, quiet)
			if err := w.Open(t.Context()); err != nil {
				t.Fatal(err)
			}
			r := say(t, w, "c1", "I keep a Fjordlamp in the cellar.")
			say(t, w, "c2", "I own a blue teapot.")
			if _, err := w.Forget(t.Context(), api.Forget{IDs: r.Drawers}); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(t.Context()); err != nil {
				t.Fatal(err)
			}
			for _, f := range c.files(dir) {
				if err := os.RemoveAll(f); err != nil {
					t.Fatal(err)
				}
			}
			w = reopen(t, dir, quiet)
			if tells(find(t, w, "Fjordlamp teapot"), "Fjordlamp") {
				t.Error("it is back")
			}
			verified(t, w)
			st, err := w.Status(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			said := slices.ContainsFunc(st.Degraded, func(s string) bool { return strings.Contains(s, "tombstones are lost") })
			if said != c.lost || tells(find(t, w, "teapot"), "teapot") == c.lost {
				t.Errorf("lost %v, but status says %v", c.lost, st.Degraded)
			}
			say(t, w, "c3", "I own a green kettle.") // is kept all the same
			if len(inVault(t, w, "green kettle")) == 0 {
				t.Error("a turn was not stored")
			}
		})
	}
}

package workspace_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/vault"
)

// slowToSettle lets the watcher report nothing by itself while a test runs.
func slowToSettle(c *config.Config) { c.Watcher.Quiet, c.Watcher.MaxWait = 600_000, 600_000 }

// until asks again and again: the system's news of an edit need not have arrived when the first question does.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !ok(); {
		if time.Now().After(end) {
			t.Fatal("it never came true: " + what)
		}
	}
}

func TestAQuestionKnowsTheEditOfAMomentAgo(t *testing.T) {
	w := open(t, slowToSettle)
	page := filepath.Join(w.Options.Vault, "3_Personal", "Home.md")
	edit := func(text string) {
		if err := os.WriteFile(page, []byte("# Home\n\n- "+text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	edit("The spare key is at the bakery")
	until(t, "the new page is found", func() bool { return tells(find(t, w, "where is the spare key"), "bakery") })
	edit("The spare key is under the flower pot")
	until(t, "the change is found", func() bool { return tells(find(t, w, "where is the spare key"), "flower pot") })
	if err := os.Rename(filepath.Dir(page), filepath.Join(w.Options.Vault, "5_Archives", "Old")); err != nil {
		t.Fatal(err)
	}
	until(t, "the folder is found under its new name", func() bool {
		hits := find(t, w, "where is the spare key")
		return len(hits) > 0 && strings.HasPrefix(hits[0].SourceFile, "5_Archives/Old/")
	})
	verified(t, w)
}

// What waits for a dream to finish its pages is not read, and answers say so.
func TestALateEditIsSaid(t *testing.T) {
	w := open(t, slowToSettle)
	degraded := func() []string {
		st, err := w.Status(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return st.Degraded
	}
	late := func() bool {
		return slices.ContainsFunc(degraded(), func(why string) bool { return strings.Contains(why, "edits are read when") })
	}
	if late() {
		t.Fatal("said before anything was edited")
	}
	w.Watcher().Pause()
	if err := os.WriteFile(filepath.Join(w.Options.Vault, "3_Personal", "Home.md"), []byte("# Home\n\n- The key is blue\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	until(t, "the held back edit is said", late)
	w.Watcher().Resume()
	until(t, "it is found and no longer said", func() bool { return tells(find(t, w, "what is blue"), "blue") && !late() })
}

// What the vault itself appended is no edit: questions do not wait for the index to read it.
func TestOwnAppendsAreNoEdits(t *testing.T) {
	w := open(t, slowToSettle)
	say(t, w, "c1", "I am allergic to peanuts.")
	day := vault.LogPath("2026-06-09")
	run := w.Vault.OwnRun(day)
	if run == 0 {
		t.Error("an appended log is taken for edited")
	}
	f, err := os.OpenFile(filepath.Join(w.Options.Vault, filepath.FromSlash(string(day))), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("- Alice likes figs\n"); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if w.Vault.OwnRun(day) != 0 {
		t.Error("a log with a line by hand is taken for our own")
	}
	say(t, w, "c1", "I am allergic to cashews.")
	if now := w.Vault.OwnRun(day); now == 0 || now == run {
		t.Errorf("behind a line by hand the run goes on: %d, before %d", now, run)
	}
	until(t, "the line by hand is found", func() bool { return tells(find(t, w, "figs"), "figs") })
}

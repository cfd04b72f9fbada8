package workspace_test

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/operations"
	"github.com/reverie-memory/reverie/vault"
)

// put writes a file of the vault as a person does.
func put(t *testing.T, w operations.Memory, path, text string) {
	t.Helper()
	file := filepath.Join(w.Options.Vault, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestPagesAreListedByParts(t *testing.T) {
	w := open(t, nil)
	put(t, w, "2_Wiki/Concepts/Tea.md", "---\ntitle: All about tea\n---\n- Tea is hot.\n")
	put(t, w, "Own/Note.md", "# My note\n")
	put(t, w, "memory/diary/claude/2026-06-09.md", "secret\n")
	put(t, w, ".obsidian/x.md", "x\n")
	put(t, w, "picture.txt", "x\n")
	var got []string
	for offset := 0; ; offset++ {
		r, err := w.Pages(t.Context(), api.PageList{Limit: 1, Offset: offset})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Pages) == 0 {
			if offset != r.Total {
				t.Errorf("total %d, listed %d", r.Total, offset)
			}
			break
		}
		got = append(got, r.Pages[0].Path+"="+r.Pages[0].Title)
	}
	if want := []string{"2_Wiki/Concepts/Tea.md=All about tea", "Own/Note.md=My note"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestPageIsReadWithoutWhatWasForgotten(t *testing.T) {
	w := open(t, nil)
	put(t, w, "2_Wiki/Concepts/Tea.md",
		"---\ntitle: Tea\n---\n# Tea\n\n- Alice drinks green tea every morning. %% why? %%\n- Bob drinks coffee at noon.\n\nTea is hot.\n")
	if _, err := w.Index.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Forget(t.Context(), api.Forget{Query: "Bob drinks coffee at noon."}); err != nil {
		t.Fatal(err)
	}
	put(t, w, "2_Wiki/Concepts/Tea.md",
		"---\ntitle: Tea\n---\n# Tea\n\n- Alice drinks green tea every morning. %% why? %%\n- Bob drinks coffee at noon.\n\nTea is hot.\n")
	r, err := w.Page(t.Context(), api.PageQuery{Path: "2_Wiki/Concepts/Tea.md"})
	if err != nil {
		t.Fatal(err)
	}
	if r.Title != "Tea" || !strings.Contains(r.Text, "green tea") || !strings.Contains(r.Text, "Tea is hot.") ||
		strings.Contains(r.Text, "coffee") || strings.Contains(r.Text, "why?") || strings.Contains(r.Text, "title:") {
		t.Errorf("%+v", r)
	}
}

// What is not a page or a core block cannot be read as one, whatever way to it is written down.
func TestOnlyPagesAndCoreBlocksAreRead(t *testing.T) {
	w := open(t, nil)
	put(t, w, "memory/diary/claude/2026-06-09.md", "secret\n")
	put(t, w, "2_Wiki/A.md", "A\n")
	put(t, w, "2_Wiki/.hidden/B.md", "B\n")
	outside := filepath.Join(t.TempDir(), "outside.md")
	if err := os.WriteFile(outside, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	linked := os.Symlink(outside, filepath.Join(w.Options.Vault, "2_Wiki", "Link.md")) == nil // not everywhere may one
	say(t, w, "c1", "I moved to Berlin.")
	for path, want := range map[string]bool{
		"2_Wiki/A.md": true, `2_Wiki\A.md`: true, "2_Wiki/../2_Wiki/A.md": true, "memory/MEMORY.md": true, "memory/persona.md": true,
		"memory/archive/2026-06-09.md": false, "memory/drawers/2026-06-09.md": false, "memory/diary/claude/2026-06-09.md": false,
		"2_Wiki/../memory/drawers/2026-06-09.md": false, "../vault/2_Wiki/A.md": false, outside: false, ".state/tombstones.jsonl": false,
		"2_Wiki/.hidden/B.md": false, "2_Wiki/None.md": false, "2_Wiki": false, "": false, "2_Wiki/A.md\x00": false,
		"MEMORY/diary/claude/2026-06-09.md": false, "memory./diary/claude/2026-06-09.md": false,
	} {
		r, err := w.Page(t.Context(), api.PageQuery{Path: path})
		if (err == nil) != want || !want && api.CodeOf(err) != api.NotFound {
			t.Errorf("%q: %+v, %v", path, r, err)
		}
	}
	if r, err := w.Page(t.Context(), api.PageQuery{Path: "2_Wiki/Link.md"}); linked && (err == nil || strings.Contains(r.Text, "secret")) {
		t.Errorf("a link out of the vault: %+v, %v", r, err)
	}
}

// A link is no way to what may not be read, be it to a file or a folder. What it points to is told at its own place alone.
func TestPagesAreNotReadThroughLinks(t *testing.T) {
	w := open(t, nil)
	put(t, w, "2_Wiki/A.md", "Tea is hot.\n")
	put(t, w, "memory/diary/claude/2026-06-09.md", "secret\n")
	put(t, w, "memory/drawers/2026-06-08.md", "secret\n")
	put(t, w, ".state/pseudonym.key", "secret\n")
	at := func(path string) string { return filepath.Join(w.Options.Vault, filepath.FromSlash(path)) }
	if err := os.Remove(at("memory/persona.md")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ link, to, read string }{
		{"2_Wiki/page.md", "A.md", ""},
		{"2_Wiki/diary.md", "../memory/diary/claude/2026-06-09.md", ""},
		{"2_Wiki/drawer.md", "../memory/drawers/2026-06-08.md", ""},
		{"2_Wiki/key.md", "../.state/pseudonym.key", ""},
		{"2_Wiki/twice.md", "key.md", ""},
		{"2_Wiki/diaries", "../memory/diary", "2_Wiki/diaries/claude/2026-06-09.md"},
		{"Root", ".", "Root/memory/drawers/2026-06-08.md"},
		{"memory/persona.md", "../.state/pseudonym.key", ""},
	} {
		if err := os.Symlink(filepath.FromSlash(c.to), at(c.link)); err != nil {
			t.Skip(err) // not everywhere may one
		}
		path := cmp.Or(c.read, c.link)
		r, err := w.Page(t.Context(), api.PageQuery{Path: path})
		var hint *vault.Error
		if api.CodeOf(err) != api.NotFound || !errors.As(err, &hint) || hint.Hint == "" {
			t.Errorf("%s: %+v, %v", path, r, err)
		}
	}
	if r, err := w.Context(t.Context(), api.Context{Query: "hello"}); err != nil || strings.Contains(r.Text, "secret") {
		t.Errorf("persona.md as a link: %+v, %v", r, err)
	}
}

func TestDays(t *testing.T) {
	w := open(t, nil)
	turn := say(t, w, "c1", "I moved to Berlin. I work at Acme as a nurse.")
	if len(turn.Facts) < 2 {
		t.Fatalf("%+v", turn)
	}
	if _, err := w.Forget(t.Context(), api.Forget{IDs: []string{turn.Facts[0].ID}}); err != nil {
		t.Fatal(err)
	}
	days, err := w.Days(t.Context(), api.Page{Limit: 10})
	if want := (api.DayRef{Day: "2026-06-09", Facts: true, Conversations: true}); err != nil || days.Total != 1 || days.Days[0] != want {
		t.Errorf("%+v, %v", days, err)
	}
	day, err := w.Day(t.Context(), api.DayQuery{Day: "2026-06-09", Limit: 10})
	if err != nil || day.Total != len(turn.Facts)-1 {
		t.Fatalf("%+v, %v", day, err)
	}
	for _, f := range day.Facts {
		if f.ID == turn.Facts[0].ID || f.Text == turn.Facts[0].Content {
			t.Errorf("what was forgotten is listed: %+v", f)
		}
	}
	if day, err := w.Day(t.Context(), api.DayQuery{Day: "2020-01-01"}); err != nil || len(day.Facts) > 0 {
		t.Errorf("%+v, %v", day, err)
	}
	if _, err := w.Day(t.Context(), api.DayQuery{Day: "2026-13-01"}); api.CodeOf(err) != api.Invalid {
		t.Errorf("a day that is none: %v", err)
	}
}

// An isolated project sees its own facts and nobody else does; pages tell of the others.
func TestIsolatedProjectsAndPages(t *testing.T) {
	w := open(t, nil)
	put(t, w, "2_Wiki/A.md", "A\n")
	if _, err := w.Isolate(t.Context(), api.Isolate{Wing: "secret"}); err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 6, 9, 14, 32, 0, 0, time.UTC)
	for _, wing := range []string{"secret", "shop"} {
		_, err := w.WriteFacts(t.Context(), api.Facts{Wing: wing, Facts: []api.NewFact{{Content: "The " + wing + " gateway is slow.", At: &at}}})
		if err != nil {
			t.Fatal(err)
		}
	}
	for wing, want := range map[string]string{
		"secret": "The secret gateway is slow.", "shop": "The shop gateway is slow.",
		"": "The shop gateway is slow.",
	} {
		day, err := w.Day(t.Context(), api.DayQuery{Day: "2026-06-09", Wing: wing, Limit: 10})
		if err != nil || len(day.Facts) != 1 || day.Facts[0].Text != want {
			t.Errorf("%q sees %+v, %v", wing, day, err)
		}
		pages, err := w.Pages(t.Context(), api.PageList{Wing: wing, Limit: 10})
		if err != nil || (pages.Total > 0) != (wing != "secret") {
			t.Errorf("%q sees %+v, %v", wing, pages, err)
		}
		for path, inside := range map[string]bool{"2_Wiki/A.md": false, "memory/MEMORY.md": false, "memory/user.md": true} {
			_, err := w.Page(t.Context(), api.PageQuery{Wing: wing, Path: path})
			if seen := err == nil; seen != (inside || wing != "secret") {
				t.Errorf("%q sees %s: %v", wing, path, err)
			}
		}
	}
}

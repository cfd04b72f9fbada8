package workspace_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/operations"
)

func note(t *testing.T, w operations.Memory, d api.DiaryWrite) api.DiaryWritten {
	t.Helper()
	r, err := w.WriteDiary(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestADiaryIsItsAgentsAlone(t *testing.T) {
	w := open(t, nil)
	say(t, w, "c1", "I keep a kettle in the office.")
	e := note(t, w, api.DiaryWrite{Agent: "Claude Code", Topic: "mood", Entry: "Glimmerotherapy\nworried the user\nbeside the kettle"})
	if e.SourceFile == "" || e.Line == 0 || e.Entry != "Glimmerotherapy worried the user beside the kettle" || e.Topic != "mood" {
		t.Errorf("%+v", e)
	}
	for _, agent := range []string{"", "codex", "claude", "claude-codes", "../claude-code/x", "claude-code", "CLAUDE CODE"} {
		own := strings.Contains(strings.ToLower(agent), "code") && len(agent) == len("claude-code")
		for _, f := range []*api.Filters{nil, {SourceType: []string{"diary"}}} {
			r, err := w.Search(t.Context(), api.Search{Query: "Glimmerotherapy kettle", Agent: agent, Filters: f, K: 50})
			if err != nil || tells(r.Hits, "Glimmerotherapy") != own || f != nil && !own && len(r.Hits) > 0 {
				t.Errorf("a search of %q with %+v: %+v, %v", agent, f, r.Hits, err)
			}
			if own && (r.Hits[0].ID != e.ID || r.Hits[0].Category != "mood" || r.Hits[0].SourceType != "diary" || r.Hits[0].Origin != "agent") {
				t.Errorf("the entry as a hit: %+v", r.Hits[0])
			}
		}
		c, err := w.Context(t.Context(), api.Context{Query: "Glimmerotherapy kettle", Agent: agent})
		if err != nil || strings.Contains(c.Text, "Glimmerotherapy") != own {
			t.Errorf("a context of %q: %v\n%s", agent, err, c.Text)
		}
		if row, err := w.Row(t.Context(), api.RowID{ID: e.ID, Agent: agent}); own != (err == nil) || !own && !errors.Is(err, api.NotFound) {
			t.Errorf("the row for %q: %+v, %v", agent, row, err)
		}
		if d, err := w.ReadDiary(t.Context(), api.DiaryRead{Agent: agent}); (len(d.Entries) == 1) != own || (err != nil) != (agent == "") {
			t.Errorf("the diary of %q: %+v, %v", agent, d, err)
		}
		if agent == "" || own {
			continue
		}
		if f, err := w.Forget(t.Context(), api.Forget{Query: "Glimmerotherapy", Agent: agent}); err != nil || len(f.Forgotten) > 0 {
			t.Errorf("%q forgets it: %+v, %v", agent, f, err)
		}
	}
	if r := dreamNow(t, w); len(pagesWith(t, w, "Glimmerotherapy")) != 1 { // the diary itself
		t.Errorf("a dream read it: %+v", r)
	}
	verified(t, w)
}

func TestADiaryIsReadNewestFirst(t *testing.T) {
	w := open(t, nil)
	hand := filepath.Join(w.Options.Vault, "memory", "diary", "claude")
	if err := errors.Join(os.MkdirAll(hand, 0o755), os.WriteFile(filepath.Join(hand, "2026-06-01.md"),
		[]byte("# Diary\n\n## 09:10\nA long walk of thought, in prose.\n\n- A line by hand\n"), 0o644)); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"one", "two", "three"} {
		note(t, w, api.DiaryWrite{Agent: "claude", Entry: "Entry " + text})
	}
	got, err := w.ReadDiary(t.Context(), api.DiaryRead{Agent: "claude", LastN: 10})
	var said []string
	for _, e := range got.Entries {
		said = append(said, e.Entry)
	}
	if want := "Entry three|Entry two|Entry one|A line by hand"; err != nil || strings.Join(said, "|") != want {
		t.Errorf("%q: %v, want %s", said, err, want)
	}
	if two, err := w.ReadDiary(t.Context(), api.DiaryRead{Agent: "claude", LastN: 2}); err != nil || len(two.Entries) != 2 ||
		two.Entries[0].Entry != "Entry three" {
		t.Errorf("%+v: %v", two, err)
	}
	if _, err := w.Index.Sync(t.Context()); err != nil { // the watcher may not have come by yet
		t.Fatal(err)
	}
	for _, q := range []string{"long walk of thought", "line by hand"} {
		if r, err := w.Search(t.Context(), api.Search{Query: q, Agent: "claude"}); err != nil || len(r.Hits) == 0 {
			t.Errorf("what a person wrote there is not found by %q: %v", q, err)
		}
	}
	verified(t, w)
}

func TestAnEntryIsWrittenOnceRedactedAndForgotten(t *testing.T) {
	w := open(t, nil)
	d := api.DiaryWrite{Agent: "claude", Entry: "Glimmerotherapy with password: hunter2hunter2", EntryID: "turn-7"}
	first := note(t, w, d)
	if first.Redactions == 0 || strings.Contains(first.Entry, "hunter2") {
		t.Errorf("not redacted: %+v", first)
	}
	again := note(t, w, d)
	if again.DiaryEntry != first.DiaryEntry || len(inVault(t, w, "Glimmerotherapy")) != 1 {
		t.Errorf("written twice: %+v, %+v", first, again)
	}
	if other := note(t, w, api.DiaryWrite{Agent: "codex", Entry: "Something else", EntryID: "turn-7"}); other.ID == first.ID {
		t.Error("two agents share an id")
	}
	for _, bad := range []api.DiaryWrite{{Agent: "///", Entry: "x"}, {Agent: "claude", Entry: " \n"}} {
		if r, err := w.WriteDiary(t.Context(), bad); api.CodeOf(err) != api.Invalid {
			t.Errorf("%+v: %+v, %v", bad, r, err)
		}
	}
	// Forgotten and taken back, then purged.
	if f, err := w.Forget(t.Context(), api.Forget{Query: "Glimmerotherapy"}); err != nil || len(f.Forgotten) != 1 || !f.Verified {
		t.Fatalf("%+v: %v", f, err)
	}
	if r, err := w.ReadDiary(t.Context(), api.DiaryRead{Agent: "claude"}); err != nil || len(r.Entries) != 0 {
		t.Errorf("forgotten, it is read: %+v, %v", r, err)
	}
	if _, err := w.WriteDiary(t.Context(), d); api.CodeOf(err) != api.Invalid {
		t.Errorf("what was forgotten is written again: %v", err)
	}
	if back, err := w.Unforget(t.Context(), api.Unforget{IDs: []string{first.ID}}); err != nil || len(back.Restored) != 1 {
		t.Errorf("taken back: %+v, %v", back, err)
	}
	if f, err := w.Forget(t.Context(), api.Forget{IDs: []string{first.ID}, Purge: true, Agent: "claude"}); err != nil || !f.Verified {
		t.Errorf("purged: %+v, %v", f, err)
	}
	if files := left(t, w, "Glimmerotherapy"); len(files) > 0 {
		t.Errorf("left in %v", files)
	}
	verified(t, w)
}

func TestADiaryOfAnIsolatedProject(t *testing.T) {
	w := open(t, nil)
	if _, err := w.Isolate(t.Context(), api.Isolate{Wing: "secret"}); err != nil {
		t.Fatal(err)
	}
	note(t, w, api.DiaryWrite{Agent: "claude", Wing: "secret", Entry: "Glimmerotherapy is on track"})
	for wing, want := range map[string]bool{"": false, "other": false, "secret": true} {
		d, err := w.ReadDiary(t.Context(), api.DiaryRead{Agent: "claude", Wing: wing})
		r, serr := w.Search(t.Context(), api.Search{Query: "Glimmerotherapy", Agent: "claude", Wing: wing})
		if err != nil || serr != nil || (len(d.Entries) == 1) != want || tells(r.Hits, "Glimmerotherapy") != want {
			t.Errorf("from %q: %+v, %+v", wing, d, r.Hits)
		}
	}
}

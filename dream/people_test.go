package dream_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/dream"
)

const foreign = `---
title: Alice
cssclass: wide
# a comment of mine
aliases: [Al]
rating: 5
updated: 2026-06-01
---
# Alice

A paragraph of mine, with a [link](https://example.org).

## Home
- Alice lives in a house with a red door
    - nested by me

| a | b |
|---|---|
| 1 | 2 |

%% a note to myself %%
`

const alice = "3_Personal/Alice.md"

// With a page of Alice there, a run adds a statement to it and makes others.
func withAlice(t *testing.T) *world {
	w := newWorld(t, "2026-06-10 03:00")
	w.write(alice, foreign)
	exampleFacts(w)
	return w
}

// survives checks that every line of a person's text is on the page, in its order.
func (w *world) survives(name, text string) {
	w.t.Helper()
	rest := w.read(name)
	for l := range strings.Lines(text) {
		if strings.HasPrefix(l, "updated:") {
			continue
		}
		_, after, ok := strings.Cut(rest, l)
		if !ok {
			w.t.Fatalf("%s: the line %q of a person is gone or moved:\n%s", name, l, w.read(name))
		}
		rest = after
	}
}

func TestForeignBytesSurvive(t *testing.T) {
	for name, text := range map[string]string{
		"plain": foreign, "no final newline": strings.TrimSuffix(foreign, "\n"), "CRLF": strings.ReplaceAll(foreign, "\n", "\r\n"),
		"byte order mark": "\ufeff" + foreign, "no frontmatter": foreign[strings.Index(foreign, "# Alice"):],
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, "2026-06-10 03:00")
			w.write(alice, text)
			exampleFacts(w)
			w.run()
			w.survives(alice, strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r"))
			w.has(alice, "Alice moved to Berlin")
			w.account()
			if strings.Contains(text, "\r\n") && strings.Count(w.read(alice), "\n") != strings.Count(w.read(alice), "\r\n") {
				t.Error("line endings are mixed now")
			}
		})
	}
}

// A page that changes under the run stays as the person left it, and the next run does what this one meant to.
func TestEditedUnderTheRun(t *testing.T) {
	edited := strings.Replace(foreign, "red door", "green door", 1) + "\n## Mine\n- Written while the dream ran\n"
	for name, tt := range map[string]struct {
		do        func(w *world)
		want      string // text of a person that must stand
		replanned int
	}{
		"edited":          {func(w *world) { w.write(alice, edited) }, edited, 1},
		"edited by temp":  {func(w *world) { w.save(alice, edited) }, edited, 1},
		"saved unchanged": {func(w *world) { w.save(alice, foreign) }, foreign, 0},
		"emptied":         {func(w *world) { w.write(alice, "") }, "", 1},
		"deleted":         {func(w *world) { w.remove(alice) }, "", 1},
		"made": {func(w *world) {
			w.write("3_Personal/Noor.md", "# Noor\n\nMade while the dream ran.\n")
		}, foreign, 1},
		"renamed": {func(w *world) {
			if err := os.Rename(filepath.Join(w.dir, alice), filepath.Join(w.dir, "3_Personal/Alice A.md")); err != nil {
				w.t.Fatal(err)
			}
		}, "", 1},
	} {
		t.Run(name, func(t *testing.T) {
			w := withAlice(t)
			w.at("apply", func() { tt.do(w) })
			rep := w.run()
			if rep.Status != dream.Consolidated || rep.Replanned != tt.replanned {
				t.Fatalf("%+v", rep)
			}
			if tt.replanned > 0 {
				if name != "deleted" && name != "renamed" && name != "made" && w.read(alice) != tt.want {
					t.Errorf("it was written:\n%s", w.read(alice))
				}
				w.run()
			}
			switch name {
			case "renamed":
				w.survives("3_Personal/Alice A.md", foreign)
				if w.exists(alice) {
					t.Errorf("the old name is back:\n%s", w.read(alice))
				}
			case "made":
				w.survives("3_Personal/Noor.md", "Made while the dream ran.\n")
				w.has("3_Personal/Noor.md", "14 March")
				fallthrough
			default:
				w.survives(alice, tt.want)
				w.has(alice, "Alice moved to Berlin")
			}
			w.account()
			if rep := w.run(); rep.Status != dream.NothingPending {
				t.Errorf("once more: %+v", rep)
			}
			if name == "emptied" || name == "renamed" {
				return
			}
			before := w.read(alice)
			for range tt.replanned + 1 {
				w.undo("")
			}
			if name == "deleted" {
				if w.exists(alice) {
					t.Errorf("the undo brought a deleted page back:\n%s", w.read(alice))
				}
				return
			}
			if tt.want != w.read(alice) {
				t.Errorf("undo left\n%s\nof\n%s", w.read(alice), before)
			}
		})
	}
}

// Somebody who writes to a page all the time is not overwritten either.
func TestEditedAgainAndAgain(t *testing.T) {
	w := withAlice(t)
	n := 0
	w.during = func(p dream.Progress) {
		if p.Phase == "apply" {
			n++
			w.write(alice, foreign+strings.Repeat("- once more\n", n))
		}
	}
	rep := w.run()
	if rep.Status != dream.Consolidated || w.read(alice) != foreign+strings.Repeat("- once more\n", n) ||
		w.placeOf("Alice moved to Berlin") != "nowhere" {
		t.Errorf("%+v\n%s", rep, w.read(alice))
	}
	w.during = nil
	w.run()
	w.survives(alice, foreign+strings.Repeat("- once more\n", n))
	w.has(alice, "Alice moved to Berlin")
	w.account()
}

// A run that is rolled back takes its own lines away, not those that a person wrote meanwhile.
func TestRollBackKeepsEdits(t *testing.T) {
	edited := foreign + "\n- Written while the dream ran\n"
	w := withAlice(t)
	w.losing = true
	w.at("apply", func() { w.write(alice, edited) })
	rep := w.run()
	if rep.Status != dream.RolledBack || w.read(alice) != edited {
		t.Fatalf("%+v\n%s", rep, w.read(alice))
	}
	if w.exists("3_Personal/Noor.md") || w.mark() != "" {
		t.Error("something of the run stayed")
	}
	w.losing, w.during = false, nil
	w.at("index", func() { w.edit(alice, "green", "blue") })
	w.during = nil
	w.run()
	w.survives(alice, edited)
	w.account()
}

// What a person wrote stands: facts that say the same leave it as it is, facts that come later move it to History.
func TestPersonsLines(t *testing.T) {
	w := newWorld(t, "2026-06-10 03:00")
	w.write(alice, "# Alice\n\n## Health\n- Alice is allergic to peanuts\n")
	w.tell("2026-06-09", "Alice", "c", "[health] Alice is allergic to peanuts #food", "[personal] Alice plays the cello")
	rep := w.run()
	w.has(alice, "- Alice is allergic to peanuts\n")
	if rep.Ledger[dream.Duplicate] != 1 || rep.Ledger[dream.Kept] != 1 {
		t.Errorf("%+v", rep)
	}
	w.account()

	// All that is new is said by the person already: that is no failure.
	w.tell("2026-06-10", "Alice", "c", "[health] Alice is allergic to peanuts #food")
	w.set("2026-06-11 03:00")
	rep = w.run()
	if rep.Status != dream.Consolidated || w.mark() != "2026-06-10" {
		t.Errorf("%+v", rep)
	}
	w.has(alice, "- Alice is allergic to peanuts\n")
	w.account()
}

// A line of ours that a person changed is theirs from then on.
func TestChangedLineIsAPersons(t *testing.T) {
	w := newWorld(t, "2026-06-10 03:00")
	w.tell("2026-06-09", "Alice", "c", "[personal] Alice plays the cello", "[personal] Alice plays chess")
	w.run()
	w.edit(alice, "Alice plays the cello", "Alice plays the viola, not the cello")
	before := w.read(alice)
	w.set("2026-06-11 03:00")
	w.tell("2026-06-10", "Alice", "c", "[personal] Alice swims on Mondays")
	w.run()
	w.survives(alice, before)
	w.has(alice, "Alice swims on Mondays")
	w.account()
}

func TestRunningHoldsTheLock(t *testing.T) {
	w := withAlice(t)
	w.at("apply", func() {
		if _, err := w.r.Run(t.Context(), dream.Request{Forced: true}); !errors.Is(err, dream.ErrRunning) {
			t.Errorf("a second run: %v", err)
		}
		if _, err := w.r.Undo(t.Context(), ""); !errors.Is(err, dream.ErrRunning) {
			t.Errorf("an undo: %v", err)
		}
		if _, err := w.r.Recover(t.Context()); !errors.Is(err, dream.ErrRunning) {
			t.Errorf("a recovery: %v", err)
		}
		if p, ok := w.r.Running(); !ok || p.Phase != "apply" {
			t.Errorf("running: %+v %v", p, ok)
		}
	})
	w.run()
	if _, ok := w.r.Running(); ok {
		t.Error("the run is over")
	}
}

// The line of a person that is a side of a question stays theirs.
func TestALineInQuestionStaysAPersons(t *testing.T) {
	w := newWorld(t, "2026-06-10 03:00")
	w.write("3_Personal/Noor.md", "# Noor\n\n- Noor's birthday is on 4 March\n")
	w.tell("2026-06-08", "Alice", "c", "[personal] Noor's birthday is on 14 March")
	w.run()
	if !strings.Contains(w.read("3_Personal/Noor.md"), "[!warning] Conflict") {
		t.Fatal("the two are not seen as a conflict")
	}
	w.set("2026-06-12 03:00")
	w.tell("2026-06-11", "Alice", "c", "[personal] Noor's birthday is on 4 March and she bakes her own cake")
	w.run()
	if text := w.read("3_Personal/Noor.md"); !strings.Contains(text, "\n- Noor's birthday is on 4 March\n") {
		t.Errorf("the line of a person was changed:\n%s", text)
	}
}

package dream_test

import (
	"regexp"
	"testing"

	"github.com/reverie-memory/reverie/dream"
)

// skippedDay is a vault whose first day was given up.
func skippedDay(t *testing.T) *world {
	w := newWorld(t, "2026-06-09 03:00")
	w.write("memory/archive/2026-06-08.md", "# Daily Log - 2026-06-08\n\n## 10:00 — a\n- [personal] Alice plays the cello ^fsame\n")
	w.losing = true
	w.tell("2026-06-08", "Alice", "b", "[personal] Alice moved to Berlin",
		"[personal] Alice speaks Danish", "[personal] Alice has a dog named Rex")
	for range 4 {
		w.run()
	}
	w.losing = false
	w.has("0_Inbox/Skipped.md", "cello")
	w.set("2026-06-10 03:00")
	w.write("memory/archive/2026-06-09.md", "# Daily Log - 2026-06-09\n\n## 10:00 — a\n- [personal] Alice plays the oboe ^fsame\n")
	return w
}

// Ids of facts are their day's own: one that was skipped on another day has nothing to do with this one.
func TestSkippedOnAnotherDay(t *testing.T) {
	w := skippedDay(t)
	if d, err := w.r.Decide(t.Context(), true); err != nil || !d.Run || len(d.Days) != 1 {
		t.Errorf("%+v %v", d, err)
	}
	if rep := w.run(); rep.Facts != 1 || rep.Ledger[dream.Kept] != 1 {
		t.Errorf("%+v", rep)
	}
	w.has("3_Personal/The user.md", "oboe")
	w.lacks("3_Personal/The user.md", "cello")
	w.account()
}

// Lines of versions that noted no day and no words count for every day.
func TestSkippedWithoutDay(t *testing.T) {
	w := skippedDay(t)
	text := w.read(".state/dream_skipped.jsonl")
	w.write(".state/dream_skipped.jsonl", regexp.MustCompile(`"day":"2026-06-08",|,"version":"[0-9a-f]*"`).ReplaceAllString(text, ""))
	if text == w.read(".state/dream_skipped.jsonl") {
		t.Fatal(text)
	}
	if rep := w.run(); rep.Status != dream.NothingPending {
		t.Errorf("%+v", rep)
	}
}

// Once the run that gave the batch up is undone, its facts are pending again.
func TestUndoOfASkip(t *testing.T) {
	w := skippedDay(t)
	w.undo("")
	if w.mark() != "" {
		t.Errorf("the watermark is %s", w.mark())
	}
	w.drain()
	w.has(alice, "cello")
	w.has(alice, "oboe")
	w.has(alice, "Berlin")
	w.account()
}

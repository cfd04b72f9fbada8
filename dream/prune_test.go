package dream_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/reverie-memory/reverie/dream"
)

// runs makes so many runs of a fact each, a minute apart.
func (w *world) runs(n int) (ids []string) {
	for i := range n {
		w.set(fmt.Sprintf("2026-06-10 03:%02d", i))
		w.tell("2026-06-09", "Alice", fmt.Sprint("b", i), fmt.Sprintf("[personal] Alice met number %d", i))
		ids = append(ids, w.run().Run)
	}
	return ids
}

// Where the copies would be larger than the vault allows, the oldest go first, and the newest five never.
func TestCopiesStaySmallBesideTheVault(t *testing.T) {
	for _, times := range []int{0, 1000} {
		w := newWorld(t, "2026-06-10 03:00")
		w.opt.KeepRuns, w.opt.KeepCopies = 90, times
		w.open()
		runs := w.runs(10)
		for i, run := range runs {
			_, err := os.Stat(filepath.Join(w.dir, ".state", "dreams", run, "pre"))
			if kept := err == nil; kept != (times > 0 || i >= len(runs)-5) {
				t.Errorf("at %d times the vault run %d keeps its copies: %v", times, i, kept)
			}
		}
	}
}

// The newest runs keep their copies of pages; an older one can be looked at, and is not taken back.
func TestOldCopiesAreDropped(t *testing.T) {
	w := newWorld(t, "2026-06-10 03:00")
	w.opt.KeepRuns, w.opt.KeepCopies = 2, 1000
	w.open()
	runs := w.runs(4)
	for i, run := range runs {
		_, err := os.Stat(filepath.Join(w.dir, ".state", "dreams", run, "pre"))
		if kept := err == nil; kept != (i >= 2) {
			t.Errorf("run %d keeps its copies: %v", i, kept)
		}
		if _, err := w.r.Show(t.Context(), run); err != nil {
			t.Errorf("run %d cannot be looked at: %v", i, err)
		}
	}
	if _, err := w.r.Undo(t.Context(), runs[1]); !errors.Is(err, dream.ErrPruned) {
		t.Errorf("undo of a run without copies: %v", err)
	}
	w.undo("")
	w.undo("")
	if _, err := w.r.Undo(t.Context(), ""); !errors.Is(err, dream.ErrPruned) {
		t.Errorf("undo of the run before those that can be taken back: %v", err)
	}
}

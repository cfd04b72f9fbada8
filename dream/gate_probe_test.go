package dream_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/dream"
)

// Facts that the pages answer worse for keep their lines in search; the others are consumed, at once and for good.
func TestRecallGateLeavesOutSingleFacts(t *testing.T) {
	for _, tt := range []struct{ facts, lost, asked int }{
		{10, 2, 10},    // few enough to be noise, and known by name
		{10, 4, 10},    // a batch of ten
		{200, 60, 200}, // more than the sample can be told from: all are asked for
	} {
		t.Run(fmt.Sprint(tt), func(t *testing.T) {
			w := newWorld(t, "2026-06-10 03:00")
			var facts []string
			for i := range tt.facts {
				facts = append(facts, fmt.Sprintf("[personal] Alice read book number %d", i))
			}
			ids := w.tell("2026-06-09", "Alice", "c", facts...)
			for i := range tt.lost {
				w.unfound = append(w.unfound, ids[i*len(ids)/tt.lost])
			}
			rep := w.run()
			if rep.Status != dream.Consolidated || rep.Facts != tt.facts || rep.Gate.Probes != tt.asked || len(rep.Notes) != 1 {
				t.Fatalf("%+v %+v", rep, rep.Gate)
			}
			for id, l := range w.outcomes() {
				if l.Indexed != slices.Contains(w.unfound, id) {
					t.Errorf("%+v", l)
				}
			}
			w.account()
			w.set("2026-06-11 03:00")
			if again := w.run(); again.Status != dream.NothingPending {
				t.Errorf("once more: %+v", again)
			}
			w.unfound = nil
			f := w.facts()[0] // one that stays in search is corrected: it is a fact of its own again
			w.edit("memory/archive/2026-06-09.md", f.Text, "Alice plays the cello")
			if again := w.run(); again.Facts != 1 || again.Status != dream.Consolidated {
				t.Errorf("corrected: %+v", again)
			}
			if w.lacks(alice, f.Text+" ("); !strings.Contains(w.read(alice), "cello") {
				t.Error(w.read(alice))
			}
			w.undo("")
			w.undo("")
			if d, err := w.r.Decide(t.Context(), true); err != nil || len(d.Days) != 1 {
				t.Errorf("after an undo nothing is pending: %+v %v", d, err)
			}
		})
	}
}

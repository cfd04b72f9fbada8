package dream_test

import (
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/dream"
	"github.com/reverie-memory/reverie/project"
)

const nachtfalter = "1_Projects/Nachtfalter.md"

// night tells facts of a day, and has the next night dream of them.
func (w *world) night(day, next string, facts ...string) dream.Report {
	w.t.Helper()
	w.set(next + " 03:00")
	w.tell(day, "Alice", day, facts...)
	rep := w.run()
	w.account()
	return rep
}

// firstNight files a line on the page of Alice that belongs to a project of which nobody knows yet.
func firstNight(t *testing.T) *world {
	w := newWorld(t, "2026-06-02 03:00")
	w.night("2026-06-01", "2026-06-02", "[fact] Nachtfalter deadline: 3 July", "[personal] Alice plays the cello")
	w.has(alice, "Nachtfalter")
	return w
}

const secondDay, secondNight, secondFact = "2026-06-02", "2026-06-03", "[fact] Our project Nachtfalter is written in Rust"

// A project of which one fact is told each night has a page as soon as it would have one were all told in one night. What was filed with a
// person before stands there, so that a later fact ends it.
func TestAProjectOfManyNights(t *testing.T) {
	w := firstNight(t)
	w.night(secondDay, secondNight, secondFact)
	w.has(nachtfalter, "## Now\n- Nachtfalter deadline: 3 July ([[2026-06-01#")
	w.has(nachtfalter, "written in Rust")
	w.lacks(alice, "Nachtfalter")
	w.has(alice, "Alice plays the cello")

	w.night("2026-06-03", "2026-06-04", "[fact] Nachtfalter deadline: 10 July")
	w.has(nachtfalter, "## Now\n- Nachtfalter deadline: 10 July")
	if now, past := w.standing(nachtfalter); strings.Contains(now, "3 July") || !strings.Contains(past, "3 July") {
		t.Errorf("the old day stands:\n%s", w.read(nachtfalter))
	}
	w.lacks("memory/MEMORY.md", "3 July")

	w = firstNight(t)
	before := w.read(alice)
	rep := w.night(secondDay, secondNight, secondFact)
	w.undo(rep.Run)
	if w.exists(nachtfalter) || w.read(alice) != before {
		t.Errorf("taken back:\n%s", w.read(alice))
	}
}

// Lines stay where a person wrote or changed them, where they rest on something else as well, and where they wait for an answer.
func TestLinesThatDoNotMove(t *testing.T) {
	for name, change := range map[string]func(w *world){
		"changed":     func(w *world) { w.edit(alice, "Nachtfalter deadline: 3 July", "Nachtfalter deadline: the 3rd of July") },
		"with a line": func(w *world) { w.edit(alice, "|1 Jun 2026]])\n", "|1 Jun 2026]])\n  - which is late\n") },
		"another's fact": func(w *world) {
			w.edit(alice, "deadline: 3 July (", "deadline: 3 July ([[2026-05-01#^f000000000|1 May 2026]], ")
		},
		"under a heading": func(w *world) { w.edit(alice, "- Nachtfalter deadline", "## History\n- Nachtfalter deadline") },
	} {
		t.Run(name, func(t *testing.T) {
			w := firstNight(t)
			change(w)
			w.night(secondDay, secondNight, secondFact)
			w.has(nachtfalter, "written in Rust")
			w.lacks(nachtfalter, "deadline")
			w.has(alice, "Nachtfalter deadline")
		})
	}
}

// A line leaves its page only when it stands on the other. Who makes that page at the same moment keeps theirs, and nothing is lost.
func TestLinesMoveLast(t *testing.T) {
	w := firstNight(t)
	w.at("apply", func() { w.write(nachtfalter, "# Nachtfalter\n\nMine.\n") })
	w.set(secondNight + " 03:00")
	w.tell(secondDay, "Alice", secondDay, secondFact)
	w.run() // which leaves both pages to the next
	w.has(nachtfalter, "Mine.")
	w.has(alice, "Nachtfalter deadline: 3 July")
	w.set(secondNight + " 04:00")
	w.run()
	w.account()
	w.has(nachtfalter, "Mine.")
	w.has(nachtfalter, "written in Rust")
	w.has(alice, "Nachtfalter deadline: 3 July")
}

// Wherever the run is cut off, the line stands on one of the pages, and on one alone when the run was taken up again.
func TestMovedLinesSurviveCrashes(t *testing.T) {
	start := firstNight(t)
	start.set(secondNight + " 03:00")
	start.tell(secondDay, "Alice", secondDay, secondFact)
	for n := 1; ; n++ {
		w := start.clone()
		w.crashAt(n)
		_, _ = w.r.Run(t.Context(), dream.Request{Forced: true})
		over := !w.crashed()
		w.restart()
		if !w.exists(nachtfalter) || !strings.Contains(w.read(nachtfalter), "3 July") {
			w.has(alice, "3 July")
		}
		if _, err := w.r.Run(t.Context(), dream.Request{Forced: true}); err != nil {
			t.Fatal(err)
		}
		w.account()
		w.has(nachtfalter, "3 July")
		w.lacks(alice, "3 July")
		w.drop()
		if over {
			return
		}
	}
}

// What was filed before its project was set apart stays where it is, and tells nothing to the pages that everybody sees.
func TestLinesOfIsolatedProjects(t *testing.T) {
	w := newWorld(t, "2026-06-02 03:00")
	w.write("memory/archive/2026-06-01.md", "# Daily Log - 2026-06-01\n\n## 09:00 — a\n<!-- speaker=Alice origin=user wing=work/quiet -->\n"+
		"- [fact] Nachtfalter deadline: 3 July ^f000000001\n")
	w.run()
	w.opt.Isolated = func() (project.Isolation, error) { return project.Isolation{"work/quiet"}, nil }
	w.r = dream.New(w.opt)
	w.night(secondDay, secondNight, secondFact, "[fact] Nachtfalter has two users")
	w.lacks(nachtfalter, "3 July")
}

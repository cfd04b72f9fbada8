package dream_test

import (
	"strings"
	"testing"
)

// section is what a page has under a heading.
func (w *world) section(name, heading string) string {
	_, rest, _ := strings.Cut(w.read(name)+"\n", "\n## "+heading+"\n")
	text, _, _ := strings.Cut(rest, "\n## ")
	return text
}

// What holds today of what has one value at a time stands under Now, once; what it was is in History.
func TestNow(t *testing.T) {
	w := newWorld(t, "2026-06-09 03:00")
	w.tell("2026-06-08", "Alice", "a", "[personal] Alice lives in Paris", "[personal] Alice works at Northwind",
		"[personal] Alice is allergic to peanuts", "[personal] Alice's brother lives in Rome")
	w.run()
	w.set("2026-06-10 03:00")
	w.tell("2026-06-09", "Alice", "b", "[personal] Alice moved to Berlin")
	w.run()
	now := w.section(alice, "Now")
	for text, want := range map[string]bool{"Berlin": true, "Northwind": true, "Paris": false, "peanuts": false, "Rome": false} {
		if strings.Contains(now, text) != want {
			t.Errorf("%s: %v, want %v in\n%s", text, !want, want, w.read(alice))
		}
	}
	if n := strings.Count(w.read(alice), "Berlin"); n != 1 || !strings.Contains(w.section(alice, "History"), "Paris") {
		t.Errorf("Berlin is there %d times:\n%s", n, w.read(alice))
	}
	w.account()
}

// The first statement that says who or what a page is about stands below its title.
func TestWhoStandsAtTheTop(t *testing.T) {
	w := newWorld(t, "2026-06-09 03:00")
	w.tell("2026-06-08", "Alice", "a", "[personal] Alice has a lot of energy", "[personal] Alice is a big fan of tea",
		"[personal] Alice is a nurse from Leeds",
		"[personal] Alice is the treasurer of the choir", "[personal] Alice speaks Danish")
	w.run()
	if _, top, _ := strings.Cut(w.read(alice), "\n# Alice\n"); !strings.HasPrefix(top, "\n- Alice is a nurse from Leeds ([[2026-06-08#^") ||
		strings.Count(top[:strings.Index(top, "\n## ")], "\n- ") != 1 {
		t.Error(w.read(alice))
	}
	w.account()
}

// A wish gets no box to tick.
func TestWishesAreNoTasks(t *testing.T) {
	w := newWorld(t, "2026-06-09 03:00")
	w.tell("2026-06-08", "Alice", "a", "[personal] Alice lives in Paris", "[task] Alice wants to see the sea",
		"[task] Alice has to renew the passport")
	w.run()
	w.has(alice, "- Alice wants to see the sea")
	w.has(alice, "- [ ] Alice has to renew the passport")
	w.account()
}

// An imported year has its own time: what was open at its end is, whenever it is imported.
func TestTasksOfAnImportStayOpen(t *testing.T) {
	w := newWorld(t, "2026-06-09 03:00")
	w.tell("2025-03-01", "Alice", "a", "[task] Alice has to tidy the cellar")
	w.run()
	w.tell("2025-03-20", "Alice", "b", "[personal] Alice speaks Danish")
	w.run()
	if open := w.section(alice, "Tasks"); !strings.Contains(open, "cellar") {
		t.Error(w.read(alice))
	}
	w.account()
}

// Tasks that nobody speaks of any more do not stay open; one with a day to come does, and a person's own.
func TestTasksLapse(t *testing.T) {
	w := newWorld(t, "2026-06-09 03:00")
	w.tell("2026-06-08", "Alice", "a", "[personal] Alice lives in Paris", "[task] Alice has to tidy the cellar",
		"[task] Alice has to paint the fence",
		"[task] Alice has to renew the passport by 1 December 2026", "[task] Alice has to call the bank by 10 June 2026")
	w.run()
	w.edit(alice, "- [ ] Alice has to renew", "- [ ] Sort my stamps\n- [ ] Alice has to renew")
	w.set("2026-08-10 03:00")
	w.tell("2026-08-09", "Alice", "b", "[task] Alice has to paint the fence", "[personal] Alice speaks Danish")
	w.run()
	open, past := w.section(alice, "Tasks"), w.section(alice, "History")
	for text, want := range map[string]bool{"cellar": false, "fence": true, "passport": true, "bank": false, "stamps": true} {
		if strings.Contains(open, text) != want || strings.Contains(past, text) == want {
			t.Errorf("%s is open: %v, want %v", text, !want, want)
		}
	}
	if !strings.Contains(past, "- [ ] Alice has to tidy the cellar (open, not spoken of since 8 Jun 2026)") || t.Failed() {
		t.Error(w.read(alice))
	}
	w.account()
}

// What was planned for a day stands among what is over once the day is; what is planned for a later one stays, and so does a deed of that
// day.
func TestPlansLapse(t *testing.T) {
	w := newWorld(t, "2026-09-02 03:00")
	w.tell("2026-09-01", "Alice", "a", "[personal] Alice's flight to Oslo is booked for 14 September 2026", "[personal] Alice lives in Paris",
		"[personal] Alice's operation is scheduled for 3 December 2026", "[personal] Alice started at the clinic on 1 September 2026")
	w.run()
	w.set("2026-09-21 03:00")
	w.tell("2026-09-20", "Alice", "b", "[personal] Alice speaks Danish")
	w.run()
	current, history, _ := strings.Cut(w.read(alice), "\n## History\n")
	if strings.Contains(current, "14 September") || !strings.Contains(history, "14 September 2026 (its day is over") ||
		!strings.Contains(current, "3 December") || !strings.Contains(current, "1 September") {
		t.Error(w.read(alice))
	}
	w.account()
}

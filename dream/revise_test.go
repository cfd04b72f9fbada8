package dream_test

import (
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/dream"
)

// consolidated is a world where Alice has a page that rests on the log of 8 June.
func consolidated(t *testing.T) *world {
	t.Helper()
	w := newWorld(t, "2026-06-09 03:00")
	w.tell("2026-06-08", "Alice", "c",
		"[personal] Alice lives in Hamburg #home", "[personal] Alice plays the cello", "[health] Alice is allergic to peanuts")
	w.run()
	w.has(alice, "Hamburg")
	w.set("2026-06-10 03:00")
	return w
}

const june8 = "memory/archive/2026-06-08.md"

// A line that a person changes in a log is a new version of its fact.
func TestCorrectedLines(t *testing.T) {
	for name, tt := range map[string]struct {
		before       func(w *world)
		from, to     string
		page         string
		current      []string
		past, nobody string // in History; nowhere on the page
	}{
		"another value": {from: "Hamburg", to: "Kiel", page: alice, current: []string{"Kiel", "cello"}, nobody: "Hamburg"},
		"says more":     {from: "the cello", to: "the cello and the flute", page: alice, current: []string{"flute"}, nobody: "cello ("},
		"says less":     {from: "peanuts", to: "nuts", page: alice, current: []string{"to nuts"}, nobody: "peanuts"},
		"about someone else": {
			before: func(w *world) { w.write(noor, "# Noor\n") }, from: "Alice lives in Hamburg",
			to: "Noor lives in Hamburg", page: noor, current: []string{"Hamburg"},
		},
		"says nothing now": {from: "Alice lives in Hamburg", to: "Ok then", page: alice, current: []string{"cello"}, nobody: "Hamburg"},
		"in History": {
			before: func(w *world) {
				w.tell("2026-06-09", "Alice", "d", "[personal] Alice moved to Lisbon #home")
				w.run()
				w.set("2026-06-11 03:00")
			},
			from: "Hamburg", to: "Kiel", page: alice, current: []string{"Lisbon"}, past: "Kiel", nobody: "Hamburg",
		},
		"said by another line too": {
			before: func(w *world) {
				w.tell("2026-06-09", "Alice", "d", "[personal] Alice lives in Hamburg #home")
				w.run()
				w.set("2026-06-11 03:00")
			},
			from: "plays the cello", to: "sold the cello", page: alice, current: []string{"Hamburg", "sold the cello"}, nobody: "plays",
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := consolidated(t)
			if tt.before != nil {
				tt.before(w)
			}
			w.edit(june8, tt.from, tt.to)
			before := w.pages()
			rep := w.run()
			if rep.Facts != 1 {
				t.Errorf("%+v", rep)
			}
			current, past := w.standing(tt.page)
			for _, text := range tt.current {
				if !strings.Contains(current, text) {
					t.Errorf("%q does not stand:\n%s", text, w.read(tt.page))
				}
			}
			if !strings.Contains(past, tt.past) || tt.nobody != "" && strings.Contains(w.read(tt.page), tt.nobody) {
				t.Errorf("want %q in History and %q nowhere:\n%s", tt.past, tt.nobody, w.read(tt.page))
			}
			w.account()
			if again := w.run(); again.Status != dream.NothingPending {
				t.Errorf("once more: %+v", again)
			}
			w.undo(rep.Run)
			same(t, "undone", w.pages(), before, "log.md", "index.md", "memory/MEMORY.md")
		})
	}
}

// What rests on another line as well stays, on that line alone.
func TestCorrectedLineLeavesTheOthers(t *testing.T) {
	w := consolidated(t)
	w.tell("2026-06-09", "Alice", "d", "[personal] Alice lives in Hamburg #home")
	w.run()
	w.set("2026-06-11 03:00")
	w.edit(june8, "Hamburg", "Kiel")
	w.run()
	for line := range strings.Lines(w.read(alice)) {
		if strings.Contains(line, "Hamburg") && (strings.Contains(line, "2026-06-08") || !strings.Contains(line, "2026-06-09")) {
			t.Error(line)
		}
	}
	w.has(alice, "Hamburg")
	w.account()
}

// The words of a person on a page, and a ledger that did not keep the words, are left alone.
func TestCorrectedLineAndWhatIsNotOurs(t *testing.T) {
	w := consolidated(t)
	w.edit(alice, "lives in Hamburg", "lives in lovely Hamburg")
	w.edit(june8, "the cello", "the viola")
	w.run()
	w.has(alice, "lives in lovely Hamburg")
	w.has(alice, "viola")
	w.lacks(alice, "cello")

	w = consolidated(t)
	runs, err := w.v.ListState("dreams")
	if err != nil {
		t.Fatal(err)
	}
	ledger := ".state/dreams/" + runs[0] + "/ledger.jsonl"
	var old []string
	for line := range strings.Lines(w.read(ledger)) {
		head, _, _ := strings.Cut(line, `,"version"`)
		old = append(old, head+"}\n")
	}
	w.write(ledger, strings.Join(old, ""))
	w.restart()
	w.edit(june8, "Hamburg", "Kiel")
	if rep := w.run(); rep.Status != dream.NothingPending {
		t.Errorf("%+v", rep)
	}
}

// A statement whose line was taken out of the log is asked about.
func TestDeletedLines(t *testing.T) {
	item := "- [ ] [[Alice]]: Alice lives in Hamburg"
	for name, tt := range map[string]struct {
		answer        func(w *world)
		current, past string // of the page in the end
		open          bool
	}{
		"not answered": {answer: func(*world) {}, open: true},
		"kept": {
			answer:  func(w *world) { w.edit(conflicts, item, strings.Replace(item, "[ ]", "[x]", 1)) },
			current: "Alice lives in Hamburg\n",
		},
		"dropped":   {answer: func(w *world) { w.dropLine(conflicts, item) }, past: "Alice lives in Hamburg (not so"},
		"corrected": {answer: func(w *world) { w.edit(conflicts, "in Hamburg", "in Kiel") }, current: "Alice lives in Kiel\n", past: "Hamburg"},
		"line is back": {answer: func(w *world) {
			w.write(june8, strings.Replace(w.read(june8), "- [personal] Alice plays", w.lost+"- [personal] Alice plays", 1))
		}, current: "Alice lives in Hamburg\n"},
		"other things forgotten": {answer: func(w *world) { w.forget("Alice plays the cello") }, open: true},
	} {
		t.Run(name, func(t *testing.T) {
			w := consolidated(t)
			for line := range strings.Lines(w.read(june8)) {
				if strings.Contains(line, "Hamburg") {
					w.lost = line
				}
			}
			w.edit(june8, w.lost, "")
			ran, rep, err := w.tick()
			if !ran || err != nil || rep.Conflicts != 1 {
				t.Fatalf("%v %v %+v", ran, err, rep)
			}
			w.has(alice, "> Its line in the log of 8 Jun 2026 is gone. Is it still so?\n> - Alice lives in Hamburg (")
			w.has(conflicts, item)
			w.has("memory/MEMORY.md", "Is it still so?")
			if rep := w.run(); rep.Status != dream.NothingPending {
				t.Errorf("asked twice: %+v", rep)
			}
			w.set("2026-06-11 03:00")
			tt.answer(w)
			w.run()
			current, past := w.standing(alice)
			if !strings.Contains(current, tt.current) || !strings.Contains(past, tt.past) || tt.past == "" && past != "" {
				t.Errorf("want %q now and %q before:\n%s", tt.current, tt.past, w.read(alice))
			}
			if asked := strings.Contains(w.read(alice), "[!warning]"); asked != tt.open {
				t.Errorf("asked: %v\n%s", asked, w.read(alice))
			}
			if w.restart(); w.run().Status != dream.NothingPending {
				t.Errorf("asked again:\n%s", w.read(alice))
			}
		})
	}
}

// A line by hand has an id that is made of its words: a changed one is another line of the same day about the same thing.
func TestLineByHandIsCorrected(t *testing.T) {
	w := newWorld(t, "2026-06-09 03:00")
	w.write(june8, "# Daily Log - 2026-06-08\n\n## 09:00 — notes\n- Alice lives in Hamburg\n- Alice plays the cello\n- Alice "+
		"sings in a choir\n")
	w.run()
	w.has(alice, "Hamburg")
	w.set("2026-06-10 03:00")
	w.edit(june8, "Hamburg", "Kiel")
	w.run()
	w.lacks(alice, "Hamburg")
	w.has(alice, "Alice lives in Kiel")
	w.lacks(alice, "[!warning]")
}

// A line that a person moves to the log of another day, with its id or without, is filed from there, and nobody is asked.
func TestMovedLines(t *testing.T) {
	w := newWorld(t, "2026-06-10 03:00")
	const june9 = "memory/archive/2026-06-09.md"
	w.write(june8, boxHead+"- Alice is allergic to peanuts ^f000000002\n"+
		"- Alice plays the cello\n- Alice has a dog called Rex ^f000000003\n")
	w.write(june9, "# Daily Log - 2026-06-09\n\n## 09:00 — b\n<!-- speaker=Alice origin=user -->\n- Alice has a dog called Rex ^f000000005\n")
	w.run()
	w.set("2026-06-11 03:00")
	for _, line := range []string{"- Alice is allergic to peanuts ^f000000002\n", "- Alice plays the cello\n"} {
		w.edit(june8, line, "")
		w.write(june9, w.read(june9)+line)
	}
	w.edit(june8, "- Alice has a dog called Rex ^f000000003\n", "")
	w.run()
	w.lacks(alice, "gone. Is it still so?")
	w.lacks(alice, "2026-06-08")
	for _, says := range []string{"peanuts", "cello", "Rex"} {
		w.has(alice, says)
	}
}

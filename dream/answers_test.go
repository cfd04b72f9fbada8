package dream_test

import (
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/dream"
	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/vault"
)

const (
	noor      = "3_Personal/Noor.md"
	conflicts = "0_Inbox/Conflicts.md"
	fourth    = "- [ ] [[Noor]]: birthday on 4 March"
	other     = "- [ ] [[Noor]]: birthday on 14 March"
)

// asked is a world with one open question.
func asked(t *testing.T) *world {
	w := newWorld(t, "2026-06-10 03:00")
	exampleFacts(w)
	if rep := w.run(); rep.Conflicts != 1 || rep.Ledger[dream.Conflicted] != 2 {
		t.Fatalf("%+v", rep)
	}
	w.has(noor, "> [!warning] Conflict\n")
	w.has(noor, "4 March ([[2026-06-08#")
	w.has(noor, "14 March ([[2026-06-09#")
	w.has(conflicts, fourth)
	w.has(conflicts, other)
	w.set("2026-06-11 03:00")
	return w
}

// dropLine takes the line that begins so out of a file.
func (w *world) dropLine(name, start string) {
	w.t.Helper()
	text := w.read(name)
	_, rest, ok := strings.Cut(text, start)
	if !ok {
		w.t.Fatalf("%s lacks %q:\n%s", name, start, text)
	}
	line, _, _ := strings.Cut(rest, "\n")
	w.write(name, strings.Replace(text, start+line+"\n", "", 1))
}

// standing are the statements of a page that are current, and past.
func (w *world) standing(name string) (current, past string) {
	w.t.Helper()
	for _, st := range page.Parse(vault.Path(name), []byte(w.read(name))).Statements() {
		switch {
		case st.History:
			past += st.Text + "\n"
		case !st.Callout:
			current += st.Text + "\n"
		}
	}
	return current, past
}

// An answer settles the question on the next run, also when nothing else is pending.
func TestAnswers(t *testing.T) {
	for name, tt := range map[string]struct {
		answer        func(w *world)
		current, past []string
	}{
		"ticked": {
			func(w *world) { w.edit(conflicts, other, strings.Replace(other, "[ ]", "[x]", 1)) },
			[]string{"14 March"},
			[]string{"on 4 March"},
		},
		"ticked big X": {
			func(w *world) { w.edit(conflicts, fourth, strings.Replace(fourth, "[ ]", "[X]", 1)) },
			[]string{"on 4 March"},
			[]string{"14 March"},
		},
		"deleted": {func(w *world) { w.dropLine(conflicts, other) }, []string{"on 4 March"}, []string{"14 March"}},
		"corrected": {
			func(w *world) { w.edit(conflicts, other, "- [ ] [[Noor]]: birthday on 15 March") },
			[]string{"15 March"},
			[]string{"on 4 March", "14 March"},
		},
		"corrected and ticked": {
			func(w *world) { w.edit(conflicts, other, "- [x] [[Noor]]: her birthday is the 15 March") },
			[]string{"15 March"},
			[]string{"on 4 March", "14 March"},
		},
		"both ticked": {func(w *world) {
			w.edit(conflicts, fourth, strings.Replace(fourth, "[ ]", "[x]", 1))
			w.edit(conflicts, other, strings.Replace(other, "[ ]", "[x]", 1))
		}, []string{"on 4 March", "14 March"}, nil},
		"both deleted": {
			func(w *world) { w.dropLine(conflicts, fourth); w.dropLine(conflicts, other) },
			[]string{"on 4 March", "14 March"},
			nil,
		},
		"list deleted": {func(w *world) { w.remove(conflicts) }, []string{"on 4 March", "14 March"}, nil},
		"one ticked, one out": {
			func(w *world) { w.dropLine(conflicts, other); w.edit(conflicts, "[ ]", "[x]") },
			[]string{"on 4 March"},
			[]string{"14 March"},
		},
		"settled on the page": {func(w *world) {
			text := w.read(noor)
			from := strings.Index(text, "> [!warning]")
			w.write(noor, text[:from]+"- Noor was born on 14 March\n")
		}, []string{"14 March"}, nil},
		"the page is gone": {func(w *world) { w.remove(noor) }, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			w := asked(t)
			tt.answer(w)
			ran, rep, err := w.tick()
			if strings.Contains(name, "page") {
				if ran || err != nil { // seen by the next run, whenever that is
					t.Logf("%v %v", ran, err)
				}
				rep = w.run()
			} else if !ran || err != nil {
				t.Fatalf("the gate stayed shut: %v", err)
			}
			if rep.Settled != 1 || rep.Conflicts != 0 {
				t.Errorf("%+v", rep)
			}
			if w.exists(conflicts) {
				w.lacks(conflicts, "Noor")
			}
			w.lacks("memory/MEMORY.md", "Open question")
			if name == "the page is gone" {
				if w.exists(noor) {
					t.Error("a page that a person deleted is back")
				}
				return
			}
			w.lacks(noor, "[!warning]")
			current, past := w.standing(noor)
			for _, text := range tt.current {
				if !strings.Contains(current, text) || strings.Contains(past, text) {
					t.Errorf("%q does not stand:\n%s", text, w.read(noor))
				}
			}
			for _, text := range tt.past {
				if !strings.Contains(past, text) || strings.Contains(current, text) {
					t.Errorf("%q is not past:\n%s", text, w.read(noor))
				}
			}
			if name == "settled on the page" {
				return // they took the sources off as well
			}
			w.account()
			before := w.pages()
			if rep := w.run(); rep.Status != dream.NothingPending {
				t.Errorf("once more: %+v", rep)
			}
			same(t, "once more", w.pages(), before)
			// What was settled stays so when it is said again.
			w.tell("2026-06-11", "Alice", "c", "[personal] Noor likes cake")
			w.set("2026-06-12 03:00")
			w.run()
			w.lacks(noor, "[!warning]")
			w.account()
		})
	}
}

// An answer counts also where the state was lost.
func TestAnswerWithoutState(t *testing.T) {
	for _, text := range []string{"", "{"} {
		w := asked(t)
		w.write(".state/dream.json", text)
		if text == "" {
			w.remove(".state/dream.json")
		}
		w.edit(conflicts, other, strings.Replace(other, "[ ]", "[x]", 1))
		w.run()
		w.lacks(noor, "[!warning]")
		w.lacks(conflicts, "Noor")
		w.account()
	}
}

// A question goes with its page to a new name, whether the links were renamed with it or not.
func TestQuestionOfARenamedPage(t *testing.T) {
	for _, links := range []bool{false, true} {
		for _, untitled := range []bool{false, true} {
			w := asked(t)
			text := w.read(noor)
			if untitled {
				text = strings.Replace(text, "title: Noor\n", "", 1)
			}
			w.remove(noor)
			w.write("3_Personal/Noor Ali.md", text)
			if links {
				w.write(conflicts, strings.ReplaceAll(w.read(conflicts), "[[Noor]]", "[[Noor Ali]]"))
			}
			before := w.read(conflicts)
			w.tell("2026-06-10", "Alice", "c", "[personal] Alice plays the cello")
			if rep := w.run(); rep.Conflicts != 1 || rep.Settled != 0 || w.read(conflicts) != before {
				t.Fatalf("%+v\n%s", rep, w.read(conflicts))
			}
			if ran, rep, err := w.tick(); ran || err != nil {
				t.Fatalf("%+v %v", rep, err)
			}
			w.edit(conflicts, "- [ ]", "- [x]")
			w.set("2026-06-12 03:00")
			if rep := w.run(); rep.Conflicts != 0 || rep.Settled != 1 {
				t.Fatalf("%+v\n%s", rep, w.read(conflicts))
			}
			w.lacks("3_Personal/Noor Ali.md", "[!warning]")
			w.lacks(conflicts, "March")
			if w.exists(noor) {
				t.Error("the old name is back")
			}
			w.account()
		}
	}
}

// Items that a person wrote to the list for themselves, and their notes, stay.
func TestListOfAPerson(t *testing.T) {
	w := asked(t)
	w.write(conflicts, w.read(conflicts)+"\n## Mine\n- [ ] Ask Noor\n\nA note.\n")
	w.edit(conflicts, other, strings.Replace(other, "[ ]", "[x]", 1))
	w.run()
	w.has(conflicts, "\n## Mine\n- [ ] Ask Noor\n\nA note.\n")
	w.lacks(conflicts, "March")
	w.account()
}

// A question that nobody answers stays, through other runs, and is not asked twice.
func TestOpenQuestion(t *testing.T) {
	w := asked(t)
	for i, day := range []string{"2026-06-10", "2026-06-11", "2026-06-12"} {
		w.tell(day, "Alice", "c", "[personal] Noor visited place number "+day, "[personal] Noor's birthday is on 14 March #family")
		w.set(string(vault.DayOf(vault.Day(day).Time().AddDate(0, 0, 1))) + " 03:00")
		rep := w.run()
		if rep.Conflicts != 1 || strings.Count(w.read(conflicts), "[[Noor]]") != 2 || strings.Count(w.read(noor), "[!warning]") != 1 {
			t.Fatalf("%d: %+v\n%s\n%s", i, rep, w.read(conflicts), w.read(noor))
		}
		w.account()
	}
	// A third side joins the question.
	w.tell("2026-06-13", "Alice", "c", "[personal] Noor's birthday is on 24 March #family")
	w.set("2026-06-14 03:00")
	rep := w.run()
	if rep.Conflicts != 1 || strings.Count(w.read(conflicts), "[[Noor]]") != 3 || strings.Count(w.read(noor), "[!warning]") != 1 {
		t.Fatalf("%+v\n%s\n%s", rep, w.read(conflicts), w.read(noor))
	}
	w.account()
	// One side is out, two stay.
	w.dropLine(conflicts, "- [ ] [[Noor]]: birthday on 24 March")
	w.set("2026-06-15 03:00")
	w.run()
	_, past := w.standing(noor)
	if !strings.Contains(past, "24 March") || strings.Count(w.read(noor), "[!warning]") != 1 ||
		strings.Count(w.read(conflicts), "[[Noor]]") != 2 {
		t.Errorf("%s\n%s", w.read(conflicts), w.read(noor))
	}
	w.account()
	w.edit(conflicts, other, strings.Replace(other, "[ ]", "[x]", 1))
	w.run()
	w.lacks(noor, "[!warning]")
	w.account()
}

// The line of a person takes part in a conflict where it stands; only their own answer moves it.
func TestConflictWithAPersonsLine(t *testing.T) {
	const line = "- Noor's birthday is on 4 March, of course\n"
	for _, tick := range []string{"14 March", "4 March"} {
		w := newWorld(t, "2026-06-10 03:00")
		w.write(noor, "# Noor\n\n## Family\n"+line)
		w.tell("2026-06-09", "Alice", "c", "[personal] Noor's birthday is on 14 March #family")
		rep := w.run()
		if rep.Conflicts != 1 {
			t.Fatalf("the two are not seen as a conflict: %+v\n%s", rep, w.read(noor))
		}
		w.has(noor, line)
		w.has(noor, "[!warning]")
		items := w.read(conflicts)
		at := strings.Index(items, tick)
		start := strings.LastIndex(items[:at], "- [ ]")
		w.write(conflicts, items[:start]+"- [x]"+items[start+5:])
		w.set("2026-06-11 03:00")
		w.run()
		w.lacks(noor, "[!warning]")
		current, past := w.standing(noor)
		if tick == "4 March" {
			w.has(noor, line)
			if !strings.Contains(past, "14 March") {
				t.Errorf("%s", w.read(noor))
			}
		} else if !strings.Contains(past, "of course") || !strings.Contains(current, "14 March") {
			t.Errorf("%s", w.read(noor))
		}
		w.account()
	}
}

// A statement of a person is authority: only a later fact supersedes it, and then it moves to History.
func TestPersonsStatementIsSuperseded(t *testing.T) {
	w := newWorld(t, "2026-06-10 03:00")
	w.write(alice, "# Alice\n\n## Home\n- Alice lives in Madrid\n")
	w.tell("2026-06-09", "Alice", "c", "[personal] Alice plays the cello")
	w.run()
	w.set("2099-06-10 03:00") // long after anybody touched the page
	w.tell("2099-06-09", "Alice", "c", "[personal] Alice moved to Berlin #home")
	w.run()
	current, past := w.standing(alice)
	if !strings.Contains(current, "Berlin") || strings.Contains(current, "Madrid") || !strings.Contains(past, "Alice lives in Madrid") {
		t.Errorf("%s", w.read(alice))
	}
	w.account()

	// A fact from before the person wrote does not.
	w = newWorld(t, "2026-06-10 03:00")
	w.write(alice, "# Alice\n\n## Home\n- Alice lives in Madrid\n") // today by the clock of this machine
	w.tell("2020-06-09", "Alice", "c", "[personal] Alice moved to Berlin #home")
	w.run()
	w.has(alice, "## Home\n- Alice lives in Madrid\n")
	if current, _ := w.standing(alice); strings.Contains(current, "Berlin") {
		t.Errorf("%s", w.read(alice))
	}
	w.account()
}

// A page may ask the same of several lines. What tells the questions apart is a number, and no longer tail of marks.
func TestQuestionsOfOneWordingAreNumbered(t *testing.T) {
	w := newWorld(t, "2026-06-10 03:00")
	lines := []string{"Noor plays the oboe", "Noor keeps two goats", "Noor is allergic to peanuts", "Noor works at a bakery"}
	w.tell("2026-06-09", "Noor", "chat", lines...)
	w.run()
	for _, l := range lines {
		for name := range w.files() {
			if strings.HasPrefix(name, "memory/archive/") && strings.Contains(w.read(name), l) {
				w.dropLine(name, w.lineWith(name, l))
			}
		}
	}
	w.set("2026-06-11 03:00")
	w.run()
	text := w.read(noor)
	for _, want := range []string{"Is it still so?\n", "Is it still so? (2)\n", "Is it still so? (3)\n", "Is it still so? (4)\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no question ends with %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "??") {
		t.Errorf("a question grew:\n%s", text)
	}
}

// lineWith is the first line of a file that holds the text.
func (w *world) lineWith(name, text string) string {
	w.t.Helper()
	for l := range strings.Lines(w.read(name)) {
		if strings.Contains(l, text) {
			return strings.TrimSuffix(l, "\n")
		}
	}
	w.t.Fatalf("%s has no line with %q", name, text)
	return ""
}

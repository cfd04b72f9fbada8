package dream_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/dream"
	"github.com/reverie-memory/reverie/vault"
)

// What a person put into the box of a question stays when the question is settled.
func TestCalloutLinesOfAPersonStay(t *testing.T) {
	for name, add := range map[string]string{
		"prose":  "> Mum says it is in spring, ask her.\n",
		"apart":  ">\n> Mum says so.\n",
		"option": "> - on the Ides of March, says Bob\n",
		"nested": ">   - she told me so on the phone\n",
	} {
		for how, answer := range map[string]func(w *world){
			"ticked": func(w *world) { w.edit(conflicts, other, strings.Replace(other, "[ ]", "[x]", 1)) },
			"fact": func(w *world) {
				w.tell("2026-06-10", "Alice", "z", "[personal] Noor's birthday is on 4 March, not on 14 March #family")
			},
			"forgotten": func(w *world) { w.forget("Noor's birthday is on 14 March") },
		} {
			if name == "prose" && how == "forgotten" {
				continue // it is a part of the line that was forgotten
			}
			t.Run(name+" "+how, func(t *testing.T) {
				w := asked(t)
				text := w.read(noor)
				at := strings.Index(text, "> - ")
				at += strings.Index(text[at+1:], "> - ") + 1
				at += strings.Index(text[at:], "\n") + 1
				w.write(noor, text[:at]+add+text[at:])
				answer(w)
				w.run()
				w.has(noor, strings.TrimSpace(strings.TrimLeft(add, "> -")))
				w.account()
			})
		}
	}
}

// A side that a person worded anew on the page keeps their words.
func TestCalloutEditedOnPage(t *testing.T) {
	w := asked(t)
	w.edit(noor, "on 14 March", "on 14 March, at midnight")
	w.edit(conflicts, other, strings.Replace(other, "[ ]", "[x]", 1))
	w.run()
	w.has(noor, "at midnight")
	w.account()
}

// What was forgotten is not listed when its batch is given up.
func TestSkipForgets(t *testing.T) {
	w := newWorld(t, "2026-06-10 03:00")
	exampleFacts(w)
	w.forget("Alice is allergic to peanuts")
	w.losing = true
	for range 4 {
		w.run()
	}
	for fact, l := range w.outcomes() { // the others stay as they are
		if l.Outcome != dream.Dropped || !strings.Contains(l.Reason, "forgotten") || len(w.outcomes()) != 1 {
			t.Errorf("%s: %+v", fact, l)
		}
	}
	if len(w.outcomes()) == 0 {
		t.Error("what was forgotten has no outcome")
	}
	w.has("0_Inbox/Skipped.md", "Noor")
	w.clean("allergic")
	w.account()
}

// Where several states followed, the first of them ended a fact that came late.
func TestPastNote(t *testing.T) {
	w := newWorld(t, "2026-06-10 03:00")
	w.tell("2026-06-01", "Alice", "a", "[personal] Alice lives in Paris #home")
	w.tell("2026-06-05", "Alice", "b", "[personal] Alice moved to Berlin #home")
	w.tell("2026-06-09", "Alice", "c", "[personal] Alice moved to Lisbon #home")
	w.run()
	w.set("2026-06-11 03:00")
	w.tell("2026-06-03", "Alice", "d", "[personal] Alice lives in Rome #home")
	w.run()
	w.has(alice, "Rome (until 5 Jun 2026)")

	w = newWorld(t, "2026-06-10 03:00")
	w.tell("2026-06-05", "Alice", "b", "[personal] Alice moved to Berlin #home")
	w.tell("2026-06-09", "Alice", "c", "[personal] Alice moved to Berlin #home")
	w.run()
	w.set("2026-06-11 03:00")
	w.tell("2026-06-03", "Alice", "d", "[personal] Alice lives in Rome #home")
	w.run()
	w.has(alice, "Rome (until 5 Jun 2026)")
}

// A fact from before a later word ends what stood before it, and is past itself.
func TestReplacedAndNewer(t *testing.T) {
	w := newWorld(t, "2026-06-10 03:00")
	w.tell("2026-06-01", "Alice", "a", "[personal] Alice lives in Paris #home")
	w.run()
	w.write(alice, w.read(alice)+"- Alice lives in Lisbon\n")
	w.set("2026-06-11 03:00")
	w.tell("2026-06-03", "Alice", "d", "[personal] Alice moved to Rome #home")
	w.run()
	current, past := w.standing(alice)
	if current != "Alice lives in Lisbon\n" || !strings.Contains(past, "Paris (until 3 Jun 2026)") || !strings.Contains(past, "Rome (until ") {
		t.Errorf("%s", w.read(alice))
	}
	w.account()
}

// A side that a person wrote themselves and then rejects moves to History once.
func TestNarrowPersonsLine(t *testing.T) {
	w := newWorld(t, "2026-06-10 03:00")
	w.write(noor, "# Noor\n\n## Family\n- Noor's birthday is on 2 March, of course\n")
	exampleFacts(w)
	w.run()
	w.set("2026-06-11 03:00")
	w.dropLine(conflicts, "- [ ] [[Noor]]: birthday on 2 March")
	w.run()
	if strings.Count(w.read(noor), "2 March") != 1 {
		t.Errorf("%s", w.read(noor))
	}
	if current, past := w.standing(noor); strings.Contains(current, "2 March") || !strings.Contains(past, "2 March") {
		t.Errorf("%s", w.read(noor))
	}
	w.account()
}

// Both sides of a question are forgotten at once.
func TestForgottenQuestion(t *testing.T) {
	w := asked(t)
	w.forget("Noor's birthday is on 14 March", "Alice's sister Noor has her birthday on 4 March")
	w.run()
	w.clean("4 march")
	w.account()
}

// A page that cannot be changed as forgetting asks is looked at again.
func TestForgottenOnRefusedPage(t *testing.T) {
	w := newWorld(t, "2026-06-10 03:00")
	exampleFacts(w)
	w.run()
	text := w.read(alice)
	at := strings.Index(text, "peanut")
	at += strings.Index(text[at:], "\n") + 1
	w.write(alice, text[:at]+"  and to walnuts\n"+text[at:])
	w.forget("Alice is allergic to peanuts", "Alice has a peanut allergy")
	for range 2 {
		if rep := w.run(); strings.Contains(w.read(alice), "peanut") &&
			!strings.Contains(strings.Join(rep.Notes, "\n"), "still holds something forgotten") {
			t.Errorf("%+v\n%s", rep, w.read(alice))
		}
	}
}

// An estimate may be asked for while a run is under way, and leaves no trace in what runs tell.
func TestEstimateBesideARun(t *testing.T) {
	w := newWorld(t, "2026-06-10 03:00")
	exampleFacts(w)
	modelled(t, w, 1<<20)
	if _, err := w.r.Estimate(t.Context()); err != nil {
		t.Fatal(err)
	}
	time.Sleep(300 * time.Millisecond)
	w.at("navigate", func() {
		if _, err := w.r.Estimate(t.Context()); err != nil {
			t.Error(err)
		}
		if _, running := w.r.Running(); !running {
			t.Error("the run seems to be over")
		}
	})
	start := time.Now()
	rep := w.run()
	took, booked := time.Since(start).Seconds(), 0.0
	for _, s := range rep.Phases {
		booked += s
	}
	if booked > took {
		t.Errorf("%.3f s of %.3f s: %v", booked, took, rep.Phases)
	}
}

// A page that somebody wrote to keeps its question when the run is rolled back: the next run asks it again.
func TestQuestionAfterRollback(t *testing.T) {
	w := newWorld(t, "2026-06-10 03:00")
	exampleFacts(w)
	w.losing = true
	w.at("gate", func() { w.write(noor, w.read(noor)+"\nMine.\n") })
	w.run()
	w.losing = false
	w.set("2026-06-11 03:00")
	w.tell("2026-06-10", "Alice", "c", "[personal] Alice plays the cello")
	if rep := w.run(); rep.Conflicts != 1 || strings.Count(w.read(conflicts), "[[Noor]]: ") != 2 {
		t.Errorf("%+v\n%s", rep, w.read(conflicts))
	}
	w.has(noor, "[!warning]")
	w.account()
	w.set("2026-06-12 03:00")
	if rep := w.run(); rep.Conflicts != 1 && rep.Status != dream.NothingPending {
		t.Errorf("%+v", rep)
	}
	w.has(noor, "[!warning]")
	text := w.read(conflicts)
	at := strings.Index(text, "14 March")
	at = strings.LastIndex(text[:at], "- [ ]")
	w.write(conflicts, text[:at]+"- [x]"+text[at+5:])
	w.run()
	w.lacks(noor, "[!warning]")
	w.lacks(conflicts, "March")
	w.account()
}

// A page that was renamed and is planned again keeps its question.
func TestQuestionOfARenamedPageThatChanged(t *testing.T) {
	w := asked(t)
	text := w.read(noor)
	w.remove(noor)
	w.write("3_Personal/Noor Ali.md", text)
	w.tell("2026-06-10", "Alice", "c", "[personal] Noor Ali plays the cello #Noor")
	w.at("apply", func() { w.write("3_Personal/Noor Ali.md", w.read("3_Personal/Noor Ali.md")+"\nMine.\n") })
	if rep := w.run(); rep.Conflicts != 1 || rep.Replanned != 1 {
		t.Errorf("%+v", rep)
	}
	w.edit(conflicts, "- [ ]", "- [x]")
	w.set("2026-06-12 03:00")
	w.run()
	w.account()
	w.lacks("3_Personal/Noor Ali.md", "[!warning]")
}

// A plan whose bytes went bad in any way blocks no later run.
func TestPlanThatIsNone(t *testing.T) {
	for _, bad := range []string{
		`{"version":"x"}`, `{"version":1,"run":5}`, `[]`,
		`{"version":1,"run":"r-20260610-0300","pages":[{"path":"a","before":"zz"}]}`, `null`, `{}`, `{"version":1}`,
	} {
		w := newWorld(t, "2026-06-10 03:00")
		exampleFacts(w)
		w.fail = func(vault.Path) error { return errors.New("broken") }
		_, _ = w.r.Run(t.Context(), dream.Request{Forced: true})
		w.fail = nil
		w.write(".state/dreams/r-20260610-0300/plan.json", bad)
		var err error
		for range 5 {
			_, err = w.r.Run(t.Context(), dream.Request{Forced: true})
		}
		if err != nil || w.mark() != "2026-06-09" {
			t.Error(bad, err)
		}
		w.account()
	}
}

// A question that a person wrote is taken up with all its sides: none counts as rejected because it was on no list.
func TestAdoptedQuestion(t *testing.T) {
	w := newWorld(t, "2026-06-10 03:00")
	w.write(noor, "# Noor\n\n> [!warning] Conflict\n> When is Noor's birthday?\n> - Noor's birthday is on 2 March\n> - Noor's "+
		"birthday is on 3 March\n")
	w.tell("2026-06-09", "Alice", "phone-13", "[personal] Noor's birthday is on 14 March #family")
	rep := w.run()
	if rep.Conflicts != 1 {
		t.Fatalf("%+v\n%s", rep, w.read(noor))
	}
	w.set("2026-06-11 03:00")
	w.run()
	for _, text := range []string{"2 March", "3 March", "14 March"} {
		w.has(noor, text)
		w.has(conflicts, text)
	}
	w.has(noor, "[!warning]")
	w.lacks(noor, "## History")
	w.account()
}

// A side that an undone run added to an open question was not rejected by anybody: the next run adds it again.
func TestUndoOfAThirdSide(t *testing.T) {
	w := asked(t)
	w.tell("2026-06-10", "Alice", "c", "[personal] Noor's birthday is on 24 March #family")
	w.run()
	before := w.read(noor)
	w.undo("")
	w.lacks(noor, "24 March")
	if rep := w.run(); rep.Conflicts != 1 || w.read(noor) != before {
		t.Errorf("%+v\n%s", rep, w.read(noor))
	}
	w.account()

	// A side that a person had rejected is back in its box; their answer stands, and the next run carries it out again.
	w.dropLine(conflicts, "- [ ] [[Noor]]: birthday on 24 March")
	w.set("2026-06-12 03:00")
	w.run()
	w.lacks(conflicts, "24 March")
	w.undo("")
	w.has(noor, "> - Noor's birthday is on 24 March")
	w.account()
}

// What answers a question and is ended by another fact of the same run is history, on the page and in the ledger.
func TestAnswerEndedInItsRun(t *testing.T) {
	w := newWorld(t, "2026-06-10 03:00")
	w.tell("2026-06-01", "Alice", "a", "[personal] Alice moved to Paris #home", "[personal] Alice lives in Cairo #home")
	w.run()
	w.has("0_Inbox/Conflicts.md", "Paris")
	w.set("2026-06-11 03:00")
	ended := w.tell("2026-06-10", "Alice", "b", "[personal] Alice lives in Lisbon #home", "[personal] Alice moved to Cairo #home")[0]
	w.run()
	if _, past := w.standing("3_Personal/Alice.md"); !strings.Contains(past, "Lisbon") || w.outcomes()[ended].Outcome != dream.Superseded {
		t.Errorf("%+v\n%s", w.outcomes()[ended], w.dump())
	}
	w.account()
}

// A fact that a page names already, from a run that nobody knows of, is ended by a later one.
func TestStandingFactEndedInItsRun(t *testing.T) {
	w := newWorld(t, "2026-06-10 03:00")
	first := w.tell("2026-06-01", "Alice", "a", "[personal] Alice lives in Lisbon #home")[0]
	w.run()
	w.remove(".state/dreams")
	w.remove(".state/dream.json")
	w.remove("log.md")
	w.restart()
	w.set("2026-06-11 03:00")
	w.tell("2026-06-10", "Alice", "b", "[personal] Alice moved to Cairo #home")
	w.run()
	if _, past := w.standing("3_Personal/Alice.md"); !strings.Contains(past, "Lisbon") || w.outcomes()[first].Outcome != dream.Superseded {
		t.Errorf("%+v\n%s", w.outcomes()[first], w.dump())
	}
}

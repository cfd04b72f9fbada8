package dream_test

import (
	"strings"
	"testing"
	"time"
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
		if rep := w.run(); strings.Contains(w.read(alice), "peanut") && !strings.Contains(strings.Join(rep.Notes, "\n"), "still holds something forgotten") {
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
	if rep := w.run(); rep.Phases["collect"] > 0.25 {
		t.Errorf("%v", rep.Phases)
	}
}

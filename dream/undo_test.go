package dream_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/dream"
	"github.com/reverie-memory/reverie/vault"
)

// twoRuns consolidates the example day by day.
func twoRuns(t *testing.T) (w *world, first, second dream.Report) {
	w = newWorld(t, "2026-06-09 03:00")
	exampleFacts(w)
	first = w.run()
	w.set("2026-06-10 03:00")
	second = w.run()
	if first.Status != dream.Consolidated || second.Status != dream.Consolidated {
		t.Fatal(first, second)
	}
	w.account()
	return w, first, second
}

func TestUndoRestores(t *testing.T) {
	w := newWorld(t, "2026-06-10 03:00")
	w.write(alice, foreign)
	w.write("index.md", "# Index\n\nMy own words.\n")
	before := w.pages()
	exampleFacts(w)
	logs := w.pages()
	for name, text := range logs {
		if strings.HasPrefix(name, "memory/archive") {
			before[name] = text
		}
	}
	w.run()
	once := w.pages()
	rep := w.undo("")
	same(t, "undo", w.pages(), before, "log.md", "memory/MEMORY.md")
	w.lacks("memory/MEMORY.md", "#^") // what is left of it is a person's
	if rep.Watermark != "" || w.mark() != "" || len(rep.Restored) == 0 {
		t.Errorf("%+v, watermark %s", rep, w.mark())
	}
	if _, err := w.r.Undo(t.Context(), ""); !errors.Is(err, dream.ErrNoRun) {
		t.Errorf("a second undo: %v", err)
	}
	if _, err := w.r.Undo(t.Context(), rep.Run); !errors.Is(err, dream.ErrUndone) {
		t.Errorf("the same undo: %v", err)
	}
	if _, err := w.r.Undo(t.Context(), "r-20000101-0000"); !errors.Is(err, dream.ErrNoRun) {
		t.Errorf("a run that never was: %v", err)
	}
	if d, err := w.r.Decide(t.Context(), true); err != nil || len(d.Days) != 2 {
		t.Errorf("pending after the undo: %+v %v", d, err)
	}
	w.run()
	same(t, "run again", w.pages(), once, "log.md")
	w.account()
	w.undo("")
	w.run()
	same(t, "and again", w.pages(), once, "log.md")
	w.account()
}

func TestUndoNewestThenOlder(t *testing.T) {
	w, first, second := twoRuns(t)
	after := w.pages()
	if rep := w.undo(""); rep.Run != second.Run || rep.Watermark != first.Watermark || w.mark() != "2026-06-08" {
		t.Errorf("%+v, watermark %s", rep, w.mark())
	}
	w.account()
	if rep := w.undo(""); rep.Run != first.Run || w.mark() != "" {
		t.Errorf("%+v", rep)
	}
	for name := range w.pages() {
		if strings.HasPrefix(name, "3_") || strings.HasPrefix(name, "1_") {
			t.Errorf("%s is left", name)
		}
	}
	w.run()
	w.account()
	got := w.said()
	_ = after
	if len(got) == 0 {
		t.Error("nothing was said again")
	}
}

// An older run can be undone where later ones wrote elsewhere; its facts are late then.
func TestUndoOlder(t *testing.T) {
	w := newWorld(t, "2026-06-09 03:00")
	w.tell("2026-06-08", "Alice", "c", "[personal] Alice plays the cello", "[personal] Alice collects stamps")
	first := w.run()
	w.tell("2026-06-09", "Alice", "c", "[personal] Alice lives in Berlin", "[decision] The billing service uses Redis for queues #billing")
	w.set("2026-06-10 03:00")
	w.run()
	want := w.said()
	rep := w.undo(first.Run)
	if rep.Watermark != "2026-06-09" || w.mark() != "2026-06-09" {
		t.Errorf("%+v, watermark %s", rep, w.mark())
	}
	w.lacks(alice, "cello")
	w.has(alice, "lives in Berlin")
	w.has(alice, "title: Alice")
	late := w.run()
	if late.Late != 2 || w.mark() != "2026-06-09" {
		t.Errorf("%+v", late)
	}
	got := w.said()
	for text, section := range want {
		if got[text] != section {
			t.Errorf("%q stands under %q, not %q", text, got[text], section)
		}
	}
	w.account()
}

// A heading that an older run made stays over what came below it since, of a later run or of a person.
func TestUndoLeavesHeadingsOfLaterLines(t *testing.T) {
	for _, eol := range []string{"\n", "\r\n"} {
		w := newWorld(t, "2026-06-10 03:00")
		w.write(alice, strings.ReplaceAll("# Alice\n\n## Home\n- A red door\n", "\n", eol))
		w.tell("2026-06-09", "Alice", "a", "[health] Alice is allergic to peanuts", "[personal] Alice plays the cello")
		first := w.run()
		w.tell("2026-06-10", "Alice", "b", "[health] Alice is allergic to latex", "[personal] Alice plays the oboe")
		w.set("2026-06-11 03:00")
		w.run()
		want := w.said()
		w.undo(first.Run)
		got := w.said()
		if len(want) != 5 || len(got) != 3 {
			t.Errorf("%v, and after the undo %v", want, got)
		}
		for text, section := range got {
			if want[text] != section {
				t.Errorf("%q stood under %q and stands under %q:\n%s", text, want[text], section, w.read(alice))
			}
		}
	}
}

// A page that was moved since is left where it is, and said so; what stands on it is found there again.
func TestUndoOfAMovedPage(t *testing.T) {
	w := newWorld(t, "2026-06-10 03:00")
	exampleFacts(w)
	w.run()
	moved := w.read("3_Personal/Noor.md")
	w.write("5_Archives/Noor.md", moved)
	w.remove("3_Personal/Noor.md")
	rep := w.undo("")
	if !slices.Equal(rep.Gone, []vault.Path{"3_Personal/Noor.md"}) || w.read("5_Archives/Noor.md") != moved {
		t.Errorf("%+v", rep)
	}
	w.run()
	w.account()
	if w.exists("3_Personal/Noor.md") {
		t.Errorf("told twice:\n%s\n%s", w.read("3_Personal/Noor.md"), w.read("5_Archives/Noor.md"))
	}
}

// Edits elsewhere stand: other lines of the same page, other pages, MEMORY.md.
func TestUndoLeavesEdits(t *testing.T) {
	w := newWorld(t, "2026-06-10 03:00")
	w.write(alice, foreign)
	exampleFacts(w)
	w.run()
	w.edit(alice, "red door", "blue door")
	w.write("2_Wiki/Mine.md", "# Mine\n")
	w.edit("1_Projects/Billing.md", "# Billing\n", "# Billing\n\nA word of mine.\n")
	w.write("memory/MEMORY.md", w.read("memory/MEMORY.md")+"\n## Mine\n- Always be kind\n")
	rep := w.undo("")
	if got, want := w.read(alice), strings.Replace(foreign, "red door", "blue door", 1); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	w.has("2_Wiki/Mine.md", "# Mine\n")
	w.has("memory/MEMORY.md", "- Always be kind")
	w.lacks("memory/MEMORY.md", "Berlin")
	w.has("1_Projects/Billing.md", "A word of mine.")
	w.lacks("1_Projects/Billing.md", "PostgreSQL")
	if w.exists("3_Personal/Noor.md") {
		t.Error("a page of the run is left")
	}
	if len(rep.Kept) == 0 || len(rep.Clashes) > 0 {
		t.Errorf("%+v", rep)
	}
	w.run()
	w.has("1_Projects/Billing.md", "A word of mine.")
	w.has("1_Projects/Billing.md", "PostgreSQL")
	w.account()
}

// Where a person edited the very lines, nothing is undone, and the report says where.
func TestUndoRefuses(t *testing.T) {
	w := newWorld(t, "2026-06-10 03:00")
	w.write(alice, foreign)
	exampleFacts(w)
	w.run()
	w.edit(alice, "Alice moved to Berlin", "Alice moved to Berlin-Wedding")
	before := w.pages()
	rep, err := w.r.Undo(t.Context(), "")
	if !errors.Is(err, dream.ErrClash) || len(rep.Clashes) == 0 ||
		!strings.Contains(rep.Clashes[0], alice) || !strings.Contains(rep.Clashes[0], "Wedding") {
		t.Fatalf("%v %+v", err, rep)
	}
	same(t, "a refused undo", w.pages(), before)
	line := 1 + strings.Count(before[alice][:strings.Index(before[alice], "Wedding")], "\n")
	if !strings.HasPrefix(rep.Clashes[0], fmt.Sprintf("%s:%d: ", alice, line)) {
		t.Errorf("it stands in line %d: %s", line, rep.Clashes[0])
	}
	w.account()
	w.edit(alice, "Alice moved to Berlin-Wedding", "Alice moved to Berlin")
	w.undo("")
	if w.read(alice) != foreign {
		t.Errorf("got\n%s", w.read(alice))
	}
}

// An undo that was cut off is done by the next one.
func TestUndoCutOff(t *testing.T) {
	ran := newWorld(t, "2026-06-10 03:00")
	ran.write(alice, foreign)
	exampleFacts(ran)
	ran.run()
	for n := 0; ; n += 5 { // a step of a write that stands is five
		w := ran.clone()
		w.crashAt(n)
		_, err := w.r.Undo(t.Context(), "")
		if err == nil && !w.crashed() {
			if n < 10 {
				t.Errorf("an undo writes only %d times", n)
			}
			return
		}
		w.restart()
		if _, err := w.r.Recover(t.Context()); err != nil {
			t.Fatal(n, err)
		}
		if _, err := w.r.Undo(t.Context(), ""); err != nil && !errors.Is(err, dream.ErrNoRun) {
			t.Fatal(n, err)
		}
		if w.read(alice) != foreign || w.exists("3_Personal/Noor.md") || w.mark() != "" {
			t.Fatalf("cut off at step %d: %s\n%s", n, w.mark(), w.dump())
		}
		w.run()
		w.account()
		if t.Failed() {
			t.Fatal(n)
		}
	}
}

// A run without pages of its own, one that a person answered, and a batch that was skipped can be undone too.
func TestUndoOfAnswers(t *testing.T) {
	w := newWorld(t, "2026-06-10 03:00")
	exampleFacts(w)
	w.run()
	w.edit("0_Inbox/Conflicts.md", "- [ ] [[Noor]]: birthday on 14 March", "- [x] [[Noor]]: birthday on 14 March")
	before := w.pages()
	w.set("2026-06-11 03:00")
	rep := w.run()
	if rep.Settled != 1 {
		t.Fatalf("%+v", rep)
	}
	w.lacks("3_Personal/Noor.md", "[!warning]")
	w.undo("")
	same(t, "undo of an answer", w.pages(), before, "log.md")
	if w.mark() != "2026-06-09" {
		t.Errorf("watermark %s", w.mark())
	}
	w.account()
	w.edit("0_Inbox/Conflicts.md", "- [ ] [[Noor]]: birthday on 4 March", "- [x] [[Noor]]: birthday on 4 March")
	if rep := w.run(); rep.Settled != 1 {
		t.Errorf("%+v", rep)
	}
	w.account()
}

// What a person answered outlives the run that asked, and the one that carried it out: the next run carries it out.
func TestAnswersOutliveAnUndo(t *testing.T) {
	for name, tt := range map[string]struct {
		answer        func(w *world)
		answers       []string // of the list, as they stand after the undo
		current, past string
	}{
		"ticked": {
			func(w *world) { w.edit(conflicts, other, strings.Replace(other, "[ ]", "[x]", 1)) },
			[]string{strings.Replace(other, "[ ]", "[x]", 1)},
			"14 March", "on 4 March",
		},
		"corrected": {
			func(w *world) { w.edit(conflicts, other, "- [ ] [[Noor]]: birthday on 15 March") },
			[]string{"[[Noor]]: birthday on 15 March"},
			"15 March", "on 14 March",
		},
		"deleted": {func(w *world) { w.dropLine(conflicts, other) }, nil, "on 4 March", "14 March"},
	} {
		for _, carried := range []bool{false, true} {
			if name == "deleted" && !carried {
				continue // there is nothing that would tell it from a list that was not made yet
			}
			t.Run(fmt.Sprint(name, " carried out: ", carried), func(t *testing.T) {
				w := asked(t)
				tt.answer(w)
				if carried {
					w.run()
				}
				w.undo("")
				for _, line := range tt.answers {
					w.has(conflicts, line)
				}
				if ran, _, err := w.tick(); ran || err != nil {
					t.Errorf("what was taken back came at once: %v", err)
				}
				for range 2 { // the first asks, where the question is gone
					w.run()
				}
				current, past := w.standing(noor)
				if !strings.Contains(current, tt.current) || !strings.Contains(past, tt.past) {
					t.Errorf("%s\n%s", w.read(noor), w.read(conflicts))
				}
				if strings.Contains(w.read(conflicts), "Noor") {
					t.Errorf("%s", w.read(conflicts))
				}
				w.account()
			})
		}
	}
}

// The last run is the one made last, whatever its clock said.
func TestUndoTakesTheLastRun(t *testing.T) {
	w := newWorld(t, "2027-06-10 03:00") // a clock that is ahead
	w.tell("2026-06-08", "Alice", "a", "[personal] Alice plays the cello")
	first := w.run().Run
	runs := []string{first}
	for i := range 120 { // more than two digits of numbers
		w.set(fmt.Sprintf("2026-06-10 %02d:%02d", i/60, i%60))
		w.tell("2026-06-09", "Alice", fmt.Sprint("b", i), fmt.Sprintf("[personal] Alice met number %d", i))
		runs = append(runs, w.run().Run)
	}
	if !slices.IsSorted(runs) || len(slices.Compact(slices.Clone(runs))) != len(runs) {
		t.Fatal(runs)
	}
	if rep := w.undo(""); rep.Run != runs[len(runs)-1] {
		t.Errorf("%s was undone, and %s was the last", rep.Run, runs[len(runs)-1])
	}
}

// The name of a run comes from outside: it leads to no other folder.
func TestRunsAreNoPaths(t *testing.T) {
	w := newWorld(t, "2026-06-10 03:00")
	exampleFacts(w)
	rep := w.run()
	if err := os.CopyFS(filepath.Join(w.dir, ".state", "elsewhere"), os.DirFS(filepath.Join(w.dir, ".state", "dreams", rep.Run))); err != nil {
		t.Fatal(err)
	}
	for _, run := range []string{"../elsewhere", "..", rep.Run + "/../../elsewhere", "./" + rep.Run, `r-\..\elsewhere`} {
		if u, err := w.r.Undo(t.Context(), run); !errors.Is(err, dream.ErrNoRun) {
			t.Errorf("undo %q: %+v: %v", run, u, err)
		}
		if _, err := w.r.Show(t.Context(), run); !errors.Is(err, dream.ErrNoRun) {
			t.Errorf("show %q: %v", run, err)
		}
	}
}

// Somebody who takes a dream back does not get it again half an hour later, even while much is pending. A day later, or when they
// ask, they do.
func TestTheScheduleWaitsAfterAnUndo(t *testing.T) {
	w := newWorld(t, "2026-06-20 03:00")
	for day := 1; day <= 18; day++ {
		w.tell(fmt.Sprintf("2026-06-%02d", day), "Mara", "a", fmt.Sprintf("Mara bought book number %d", day))
	}
	tick := func(at string, want bool) {
		t.Helper()
		w.set(at)
		if ran, rep, err := w.tick(); err != nil || ran != want {
			t.Errorf("the schedule at %s: ran %v: %+v %v", at, ran, rep, err)
		}
	}
	tick("2026-06-20 03:00", true)
	w.undo("")
	tick("2026-06-20 03:30", false)
	if d, err := w.r.Decide(t.Context(), false); err != nil || !strings.Contains(strings.Join(d.Reasons, "\n"), "taken back") {
		t.Errorf("%+v %v", d, err)
	}
	tick("2026-06-21 03:00", true)
	w.undo("")
	w.run()
	w.tell("2026-06-19", "Mara", "b", "Mara sold all her books")
	for day := 1; day <= 15; day++ {
		w.tell(fmt.Sprintf("2026-05-%02d", day), "Mara", "b", fmt.Sprintf("Mara read book number %d", day))
	}
	tick("2026-06-21 03:30", true) // they asked for one, so it goes on as before
	w.run()
	w.account()
}

// A page that was away for the moment in which the run saved it, as it is while a program syncs it, is no page of the run.
func TestUndoKeepsPageThatWasAwayForAMoment(t *testing.T) {
	w := newWorld(t, "2026-06-10 03:00")
	w.tell("2026-06-08", "Alice", "a", "[personal] Alice plays the cello", "[personal] Alice collects stamps")
	w.run()
	w.edit(alice, "# Alice\n", "# Alice\n\nWords of mine.\n")
	text := w.read(alice)
	w.set("2026-06-11 03:00")
	w.tell("2026-06-09", "Alice", "b", "[personal] Alice likes rain")
	away := false
	w.ask = func(op string, p vault.Path) error {
		if op == "rename" && strings.HasSuffix(string(p), "/plan.json") && !away {
			away = true
			w.remove(alice)
		}
		return nil
	}
	w.at("apply", func() { w.write(alice, text) })
	rep := w.run()
	w.has(alice, "likes rain")
	w.undo(rep.Run)
	if got := w.read(alice); got != text {
		t.Errorf("%s", got)
	}
	w.account()
}

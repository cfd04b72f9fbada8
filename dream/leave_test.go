package dream_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/dream"
	"github.com/reverie-memory/reverie/forget"
	"github.com/reverie-memory/reverie/vault"
)

const aliceHome = "3_Personal/Alice - Home.md"

// twoHomes is a vault where two pages of one group say where Alice lives. A fact is about to end both.
func twoHomes(t *testing.T) *world {
	w := newWorld(t, "2026-06-09 03:00")
	ids := w.tell("2026-06-02", "Alice", "a", "[personal] Alice lives in Rome #home", "[personal] Alice lives in Paris #home")
	w.write(alice, "# Alice\n\n## Home\n- Alice lives in Rome ([[2026-06-02#^"+ids[0]+"|2 Jun 2026]])\n")
	w.write(aliceHome, "# Alice - Home\n\n## Home\n- Alice lives in Paris ([[2026-06-02#^"+ids[1]+"|2 Jun 2026]])\n")
	w.run()
	w.set("2026-06-10 03:00")
	w.tell("2026-06-09", "Alice", "b", "[personal] Alice moved to Berlin #home")
	return w
}

// Where a page changes under the run, its group waits for the next: what a fact ended on either page goes to History then.
func TestChangedPageWaitsWithItsGroup(t *testing.T) {
	for _, name := range []string{alice, aliceHome} {
		t.Run(name, func(t *testing.T) {
			w := twoHomes(t)
			w.at("apply", func() { w.write(name, w.read(name)+"\n## Mine\n- A word of mine\n") })
			before := w.read(alice) + w.read(aliceHome)
			if rep := w.run(); rep.Status != dream.Consolidated || rep.Replanned != 2 || rep.Facts != 0 {
				t.Fatalf("%+v", rep)
			}
			if after := w.read(alice) + w.read(aliceHome); len(after) != len(before)+len("\n## Mine\n- A word of mine\n") {
				t.Errorf("more than the person's words came:\n%s", after)
			}
			if rep := w.run(); rep.Status != dream.Consolidated || rep.Facts != 1 {
				t.Fatalf("%+v", rep)
			}
			w.has(name, "## Mine\n- A word of mine\n")
			ended(t, w)
		})
	}
}

func ended(t *testing.T, w *world) {
	t.Helper()
	said := w.said()
	for text, section := range map[string]string{
		alice + ": Alice lives in Rome (until 9 Jun 2026)":      "History",
		aliceHome + ": Alice lives in Paris (until 9 Jun 2026)": "History",
	} {
		if said[text] != section {
			t.Errorf("%q is under %q", text, said[text])
		}
	}
	if len(said) == 0 || said[alice+": Alice moved to Berlin"]+said[aliceHome+": Alice moved to Berlin"] == "" {
		t.Errorf("%v", said)
	}
	w.account()
	before := w.pages()
	if rep := w.run(); rep.Status != dream.NothingPending {
		t.Errorf("once more: %+v", rep)
	}
	same(t, "once more", w.pages(), before)
	if t.Failed() {
		t.Log(w.dump())
	}
}

// A page that somebody writes to is done by the next run: what was forgotten leaves it, and the answer to its question counts.
func TestChangedPageIsDoneNextTime(t *testing.T) {
	w := asked(t)
	w.tell("2026-06-10", "Alice", "y", "[personal] Noor bakes bread")
	w.run()
	w.has(noor, "bakes bread")
	w.forget("Noor bakes bread")
	w.edit(conflicts, other, strings.Replace(other, "[ ]", "[x]", 1))
	w.tell("2026-06-11", "Alice", "z", "[personal] Noor plays the oboe")
	n := 0
	w.during = func(p dream.Progress) {
		if p.Phase == "apply" {
			n++
			w.write(noor, w.read(noor)+"- once more\n")
		}
	}
	w.set("2026-06-12 03:00")
	w.run()
	w.lacks(noor, "oboe")
	w.has(noor, "bakes bread")
	w.during = nil
	w.run()
	w.has(noor, "oboe")
	w.lacks(noor, "bakes bread")
	w.lacks(noor, "[!warning]")
	w.lacks(conflicts, "Noor")
	w.account()
	if t.Failed() {
		t.Log(n, w.dump())
	}
}

// A link from a page to its new overflow page is made also where that page changes under the run.
func TestChangedPageIsLinkedToItsParts(t *testing.T) {
	w := newWorld(t, "2026-06-09 03:00")
	said := func(from, to int) (facts []string) {
		for i := from; i < to; i++ {
			facts = append(facts, fmt.Sprintf("[personal] Alice is allergic to substance number %d", i))
		}
		return facts
	}
	w.tell("2026-06-08", "Alice", "a", said(0, 150)...)
	w.run()
	w.set("2026-06-10 03:00")
	w.tell("2026-06-09", "Alice", "b", said(150, 160)...)
	w.at("apply", func() { w.write(alice, w.read(alice)+"\n## Mine\n- A word of mine\n") })
	if rep := w.run(); rep.Replanned != 2 || len(rep.Pages) != 0 {
		t.Fatalf("%+v", rep)
	}
	if rep := w.run(); rep.Facts != 10 || len(rep.Pages) != 2 {
		t.Fatalf("%+v", rep)
	}
	part := ""
	for name := range w.pages() {
		if strings.HasPrefix(name, "3_Personal/Alice - ") {
			part = strings.TrimSuffix(strings.TrimPrefix(name, "3_Personal/"), ".md")
		}
	}
	w.has(alice, "## Parts\n- [["+part+"]]")
	w.has(alice, "## Mine\n- A word of mine\n")
	w.account()
}

// An undo that was cut off is finished by the next start: no fact counts as filed on a page that is back already.
func TestUndoCutOffIsFinished(t *testing.T) {
	start := busyWorld(t)
	start.run()
	calm := start.clone()
	calm.undo("")
	calm.drain()
	for n := 0; ; n += 3 {
		w := start.clone()
		w.crashAt(n)
		_, err := w.r.Undo(t.Context(), "")
		done := err == nil && !w.crashed()
		w.restart()
		if _, err := w.r.Recover(t.Context()); err != nil {
			t.Fatal(n, err)
		}
		if w.grepRun("undoing") != w.grepRun("undone") {
			t.Errorf("step %d: the undo was not finished", n)
		}
		undone := w.grepRun("undone") > 0
		w.drain()
		w.account()
		if undone {
			same(t, fmt.Sprint("cut off at step ", n), w.pages(), calm.pages(), "log.md")
		}
		if t.Failed() {
			t.Fatal("at step", n)
		}
		w.drop()
		if done {
			return
		}
	}
}

// grepRun counts the runs that have a file.
func (w *world) grepRun(file string) int {
	n := 0
	for name := range w.files() {
		if strings.HasPrefix(name, ".state/dreams/") && strings.HasSuffix(name, "/"+file) {
			n++
		}
	}
	return n
}

// What a person writes into MEMORY.md and the map while a run is under way stays when the run is undone.
func TestUndoKeepsWhatWasWrittenMeanwhile(t *testing.T) {
	for _, phase := range []string{"plan", "apply", "index", "navigate"} {
		for _, name := range []string{"memory/MEMORY.md", "index.md"} {
			w := busyWorld(t)
			w.at(phase, func() { w.write(name, w.read(name)+"- A person added this\n") })
			w.run()
			w.has(name, "- A person added this\n")
			w.undo("")
			w.has(name, "- A person added this\n")
			w.drain()
			w.has(name, "- A person added this\n")
			if t.Failed() {
				t.Fatal(phase, name)
			}
		}
	}
}

// A purge that is cut off leaves no run that an undo would take back with holes in it.
func TestPurgeCutOff(t *testing.T) {
	start := secretWorld(t)
	start.forget(secrets...)
	if _, err := start.r.Unmention(t.Context()); err != nil {
		t.Fatal(err)
	}
	gone := func(text string) bool {
		return slices.ContainsFunc(secretWords, func(word string) bool { return strings.Contains(strings.ToLower(text), word) })
	}
	for n := 0; ; n++ {
		w := start.clone()
		w.crashAt(n)
		err := w.r.Purge(t.Context(), &forget.Purge{Tells: gone})
		done := err == nil && !w.crashed()
		w.restart()
		if rep, err := w.r.Undo(t.Context(), ""); err != nil && !errors.Is(err, dream.ErrSealed) && !errors.Is(err, dream.ErrClash) {
			t.Errorf("step %d: %v %+v", n, err, rep)
		}
		w.drain()
		w.clean(secretWords...)
		w.account()
		if t.Failed() {
			t.Fatal("at step", n)
		}
		w.drop()
		if done {
			return
		}
	}
}

// What a person wrote into MEMORY.md goes as well from the copy that older programs kept of it, though no fact told it.
func TestPurgeReachesCopiesOfOlderPrograms(t *testing.T) {
	w := newWorld(t, "2026-06-10 03:00")
	w.tell("2026-06-09", "Alice", "c", "[personal] Alice plays the cello")
	old := ".state/dreams/" + w.run().Run + "/pre/post-MEMORY.md"
	w.write(old, "- Alice collects zithers\n")
	if err := w.r.Purge(t.Context(), &forget.Purge{Tells: func(text string) bool { return strings.Contains(text, "zither") }}); err != nil {
		t.Fatal(err)
	}
	if left := w.grep("zither"); len(left) > 0 {
		t.Errorf("left in %v", left)
	}
}

// A box that keeps what a person wrote above it apart from what they wrote below can be settled as well.
func TestSettleBetweenALineAndItsLikes(t *testing.T) {
	w := asked(t)
	w.edit(noor, "> [!warning] Conflict", "- mine, above\n\n> [!warning] Conflict")
	text := w.read(noor)
	at := strings.LastIndex(text, "\n> - ") + 1
	at += strings.Index(text[at:], "\n") + 1
	w.write(noor, text[:at]+"\n    - mine, below\n"+text[at:])
	w.edit(conflicts, other, strings.Replace(other, "[ ]", "[x]", 1))
	w.run()
	w.lacks(noor, "[!warning]")
	w.has(noor, "- mine, above\n")
	w.has(noor, "\n    - mine, below\n")
	w.account()
}

// A claim that a run wrote before it was cut off is known as ours when the page has changed since.
func TestMemoryCutOffBehindTheFile(t *testing.T) {
	w := newWorld(t, "2026-06-10 03:00")
	w.tell("2026-06-09", "Alice", "c", "[personal] Alice works as a cello teacher", "[personal] Alice lives in Odense")
	written := false
	w.ask = func(op string, p vault.Path) error {
		if written {
			return errCrash
		}
		written = op == "rename" && p == "memory/MEMORY.md"
		return nil
	}
	if _, err := w.r.Run(t.Context(), dream.Request{Forced: true}); err == nil {
		t.Fatal("it was not cut off")
	}
	w.restart()
	w.has("memory/MEMORY.md", "cello")
	text := w.read(alice)
	at := strings.Index(text, "Alice works as a cello teacher")
	at += strings.Index(text[at:], "\n") + 1
	w.write(alice, text[:at]+"  with friends\n"+text[at:])
	w.write("memory/MEMORY.md", w.read("memory/MEMORY.md")+"- A person added this\n")
	w.drain()
	if text := w.read("memory/MEMORY.md"); strings.Count(text, "cello") != 1 {
		t.Errorf("%s", text)
	}
	w.has("memory/MEMORY.md", "Odense")
	w.has("memory/MEMORY.md", "- A person added this\n")
}

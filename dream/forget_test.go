package dream_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/dream"
	"github.com/reverie-memory/reverie/forget"
)

// secretWorld has a secret on pages in every way that there is: as a statement, under History, in a conflict, on the lists for a
// person, in MEMORY.md and in the map.
func secretWorld(t *testing.T) *world {
	w := newWorld(t, "2026-06-10 03:00")
	w.write("2_Wiki/Concepts/Shut.md", "# Shut\n")
	w.chmod("2_Wiki/Concepts/Shut.md", 0o400)
	w.tell("2026-06-08", "Alice", "a", "[personal] Alice lives in Zanzibar #home",
		"[personal] Alice collects zithers", "[personal] Alice plays the cello",
		"[personal] Noor's birthday is on 4 March #family", "[fact] Shut is about zeppelins #Shut", "[personal] Noor plays chess")
	w.tell("2026-06-09", "Alice", "b", "[personal] Alice moved to Berlin #home",
		"[personal] Noor's birthday is on 14 March #family", "[personal] Alice collects zithers")
	w.run()
	w.account()
	return w
}

var secrets = []string{"Alice lives in Zanzibar", "Alice collects zithers", "Noor's birthday is on 14 March", "Shut is about zeppelins"}

var secretWords = []string{"zanzibar", "zither", "14 march", "zeppelin"}

// clean checks that no file that a person sees tells a secret, but for the logs.
func (w *world) clean(words ...string) {
	w.t.Helper()
	for name, text := range w.pages() {
		for _, word := range words {
			if !strings.HasPrefix(name, "memory/archive/") && strings.Contains(strings.ToLower(text), word) {
				w.t.Errorf("%s tells of %q:\n%s", name, word, text)
			}
		}
	}
}

// A person's own line stays on their page, whatever is forgotten. MEMORY.md and the map do not tell it.
func TestWhatAPersonKeepsAndForgotIsNotToldElsewhere(t *testing.T) {
	w := newWorld(t, "2026-06-10 03:00")
	w.write("3_Personal/Rita.md", "---\ntype: person\n---\n# Rita\n\n- Rita is allergic to zucchini\n- Rita works as a nurse in Kiel\n")
	w.tell("2026-06-09", "Alice", "a", "[personal] Alice lives in Berlin #home")
	w.run()
	if !strings.Contains(w.read("memory/MEMORY.md")+w.read("index.md"), "zucchini") {
		t.Fatalf("the line is nowhere:\n%s", w.dump())
	}
	w.forget("Rita is allergic to zucchini")
	w.set("2026-06-11 03:00")
	w.run()
	for _, name := range []string{"memory/MEMORY.md", "index.md"} {
		if strings.Contains(w.read(name), "zucchini") {
			t.Errorf("%s tells it:\n%s", name, w.read(name))
		}
	}
	if !strings.Contains(w.read("3_Personal/Rita.md"), "zucchini") {
		t.Error("the person's line is gone from their page")
	}
}

func TestForgottenLeavesOnTheNextRun(t *testing.T) {
	w := secretWorld(t)
	for _, word := range secretWords {
		found := false
		for name, text := range w.pages() {
			found = found || !strings.HasPrefix(name, "memory/archive/") && strings.Contains(strings.ToLower(text), word)
		}
		if !found {
			t.Errorf("no page told of %q:\n%s", word, w.dump())
		}
	}
	w.forget(secrets...)
	w.set("2026-06-11 03:00")
	rep := w.run()
	if rep.Forgotten < 4 {
		t.Errorf("%+v", rep)
	}
	w.clean(secretWords...)
	w.has(alice, "moved to Berlin")
	w.has(alice, "cello")
	w.has("3_Personal/Noor.md", "4 March")
	w.lacks("3_Personal/Noor.md", "[!warning]")
	w.lacks("0_Inbox/Conflicts.md", "Noor")
	w.account()
	before := w.pages()
	if rep := w.run(); rep.Status != dream.NothingPending {
		t.Errorf("%+v", rep)
	}
	same(t, "once more", w.pages(), before)
}

func TestForgottenStaysForgotten(t *testing.T) {
	w := secretWorld(t)
	w.forget(secrets...)
	w.run()
	w.tell("2026-06-10", "Alice", "c", "[personal] Alice collects zithers.",
		"[personal] alice  Collects ZITHERS", "[personal] Alice lives in Zanzibar #home",
		"[personal] Alice swims")
	w.set("2026-06-11 03:00")
	rep := w.run()
	w.clean(secretWords...)
	w.has(alice, "swims")
	if rep.Facts != 4 || rep.Ledger[dream.Dropped] != 3 {
		t.Errorf("%+v", rep)
	}
	w.account()
	// What was forgotten does not come back by an undo.
	for {
		rep, err := w.r.Undo(t.Context(), "")
		if errors.Is(err, dream.ErrNoRun) || errors.Is(err, dream.ErrClash) { // the lines of a question that was dissolved
			break
		}
		if err != nil {
			t.Fatalf("%v %+v", err, rep)
		}
		w.clean(secretWords...)
	}
	w.drain()
	w.clean(secretWords...)
	w.account()
}

func TestUnmention(t *testing.T) {
	w := secretWorld(t)
	w.forget(secrets...)
	changed, err := w.r.Unmention(t.Context())
	if err != nil || len(changed) == 0 {
		t.Fatal(changed, err)
	}
	w.clean(secretWords...)
	w.has(alice, "cello")
	before := w.pages()
	if changed, err = w.r.Unmention(t.Context()); err != nil || len(changed) > 0 {
		t.Errorf("twice: %v %v", changed, err)
	}
	if rep := w.run(); rep.Status != dream.NothingPending {
		t.Errorf("%+v", rep)
	}
	same(t, "a run after it", w.pages(), before)
	w.account()
}

func TestUnmentionCutOff(t *testing.T) {
	start := secretWorld(t)
	start.forget(secrets...)
	for n := 0; ; n++ {
		w := start.clone()
		w.crashAt(n)
		_, err := w.r.Unmention(t.Context())
		done := err == nil && !w.crashed()
		w.restart()
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

// The pages are done when it stops, MEMORY.md and the map are not: the next run makes them follow.
func TestUnmentionCutOffBehindPages(t *testing.T) {
	w := newWorld(t, "2026-06-10 03:00")
	w.tell("2026-06-09", "Alice", "c", "[personal] Alice plays the cello", "[personal] Alice works at the zither museum")
	w.run()
	w.has("memory/MEMORY.md", "zither")
	w.set("2026-06-11 03:00")
	w.forget("Alice works at the zither museum")
	w.crashAfterPages(1)
	if _, err := w.r.Unmention(t.Context()); err == nil {
		t.Fatal("it was not cut off")
	}
	w.restart()
	w.lacks(alice, "zither")
	w.drain()
	w.clean("zither")
	w.account()
}

// Purging leaves no byte of a secret anywhere in the vault, once the logs have lost it too.
func TestPurge(t *testing.T) {
	w := secretWorld(t)
	w.set("2026-06-11 03:00")
	w.tell("2026-06-10", "Alice", "c", "[personal] Alice swims on Mondays")
	w.run() // a run after it has the pages with the secret as they were
	w.edit(alice, "- Alice plays the cello", "- Alice plays the cello\n    - a thought about it")
	w.set("2026-06-12 03:00")
	w.tell("2026-06-11", "Alice", "c", "[personal] Noor swims on Mondays")
	w.run()
	w.forget(secrets...)
	if _, err := w.r.Unmention(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, day := range []string{"2026-06-08", "2026-06-09"} {
		var kept strings.Builder
		for l := range strings.Lines(w.read("memory/archive/" + day + ".md")) {
			low := strings.ToLower(l)
			if !strings.Contains(low, "zanzibar") && !strings.Contains(low, "zither") &&
				!strings.Contains(low, "14 march") && !strings.Contains(low, "zeppelin") {
				kept.WriteString(l)
			}
		}
		w.write("memory/archive/"+day+".md", kept.String())
	}
	tombs, err := w.v.Tombstones()
	if err != nil {
		t.Fatal(err)
	}
	p := &forget.Purge{Tells: func(text string) bool { _, ok := tombs.Match(text); return ok }}
	if err := w.r.Purge(t.Context(), p); err != nil || len(p.Changed) == 0 {
		t.Fatal(p.Changed, err)
	}
	for _, word := range secretWords {
		if left := w.grep(word); len(left) > 0 {
			t.Errorf("%q is left in %v", word, left)
		}
	}
	w.has(alice, "a thought about it")
	runs, err := w.r.Runs(t.Context())
	if err != nil || len(runs) != 3 {
		t.Fatal(runs, err)
	}
	for _, rep := range runs {
		if _, err := w.r.Show(t.Context(), rep.Run); err != nil {
			t.Error(err)
		}
	}
	if _, err := w.r.Undo(t.Context(), runs[2].Run); !errors.Is(err, dream.ErrSealed) {
		t.Errorf("undo of a run that lost something: %v", err)
	}
	before := w.pages()
	w.run()
	same(t, "a run after it", w.pages(), before)
}

// Lines in odd places go as well; what a person wrote without a source stays.
func TestForgottenInOddPlaces(t *testing.T) {
	w := newWorld(t, "2026-06-10 03:00")
	w.tell("2026-06-09", "Alice", "c", "[personal] Alice collects zithers",
		"[personal] Alice plays the cello", "[personal] Alice likes Zanzibar")
	w.run()
	text := w.read(alice)
	line := text[strings.Index(text, "- Alice collects zithers"):]
	line = line[:strings.Index(line, "\n")+1]
	w.write(alice, strings.Replace(text, line, line+"    - nested by a person\n  going on\n"+line, 1)+
		"\n## Mine\n- I never liked zithers\n"+line+"- [ ] "+line[2:])
	w.chmod(alice, 0o400)
	w.forget("Alice collects zithers")
	w.set("2026-06-11 03:00")
	rep := w.run()
	if !strings.Contains(strings.Join(rep.Notes, " "), "read-only") {
		t.Errorf("%+v", rep)
	}
	w.has(alice, "collects zithers")
	w.chmod(alice, 0o600)
	rep = w.run()
	w.clean("collects zithers")
	w.has(alice, "I never liked zithers")
	w.has(alice, "nested by a person")
	w.has(alice, "cello")
	if t.Failed() {
		t.Logf("%+v\n%s", rep, w.read(alice))
	}
	w.account()
}

// An answer and something forgotten on the same page, in the same run.
func TestForgottenAndAnswered(t *testing.T) {
	for _, tick := range []string{"4 March", "14 March"} {
		w := secretWorld(t)
		w.edit("0_Inbox/Conflicts.md", "- [ ] [[Noor]]: birthday on "+tick, "- [x] [[Noor]]: birthday on "+tick)
		w.forget("Noor plays chess", "Noor's birthday is on 14 March")
		w.set("2026-06-11 03:00")
		w.run()
		w.clean("chess", "14 march")
		w.lacks("3_Personal/Noor.md", "[!warning]")
		w.lacks("0_Inbox/Conflicts.md", "Noor")
		w.has("3_Personal/Noor.md", "4 March")
		w.account()
		w.drain()
	}
}

func TestForgetBeforeAnyRun(t *testing.T) {
	w := newWorld(t, "2026-06-10 03:00")
	exampleFacts(w)
	w.forget("Alice moved to Berlin")
	rep := w.run()
	w.lacks(alice, "Berlin")
	w.lacks("memory/MEMORY.md", "Berlin")
	w.has(alice, "lives in Paris")
	if rep.Ledger[dream.Dropped] != 1 {
		t.Errorf("%+v", rep)
	}
	w.account()
}

// Forgetting goes on with what was cut off, and leaves nothing behind that looks like a run; it does not wait for one for ever.
func TestForgettingIsNoRun(t *testing.T) {
	for name, do := range map[string]func(context.Context, *world) error{
		"unmention": func(ctx context.Context, w *world) error {
			_, err := w.r.Unmention(ctx)
			return err
		},
		"purge": func(ctx context.Context, w *world) error {
			return w.r.Purge(ctx, &forget.Purge{Tells: func(string) bool { return false }})
		},
	} {
		w := cutOff(t)
		if err := do(t.Context(), w); err != nil {
			t.Fatal(name, err)
		}
		if p, running := w.r.Running(); running {
			t.Errorf("%s: %+v seems to run", name, p)
		}
		w.account()
		w.tell("2026-06-10", "Alice", "c9", "[personal] Alice plays the oboe")
		w.set("2026-06-12 03:00")
		w.at("apply", func() {
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
			defer cancel()
			if err := do(ctx, w); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s while a run is under way: %v", name, err)
			}
		})
		w.run()
	}
}

// A side of a question that was forgotten stays forgotten also where its page was renamed and nobody asked since.
func TestForgottenSideOnRenamedPage(t *testing.T) {
	w := asked(t)
	w.save("3_Personal/Noor Haddad.md", w.read(noor))
	w.remove(noor)
	w.forget("Noor's birthday is on 14 March")
	if _, err := w.r.Unmention(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.clean("14 march")
	if strings.Contains(w.read(conflicts), "- [ ]") {
		t.Errorf("there is nothing left to be asked:\n%s", w.read(conflicts))
	}
	w.run()
	w.clean("14 march")
	w.has("3_Personal/Noor Haddad.md", "4 March")
}

// A line of ours that a person took out of its list is forgotten as a whole, also with a bar in it.
func TestForgottenLineWithBarOutOfItsList(t *testing.T) {
	w := newWorld(t, "2026-06-10 03:00")
	w.tell("2026-06-08", "Alice", "a", "[personal] Alice pays with zlotys | or zinc", "[personal] Alice plays the cello")
	w.run()
	text := w.read(alice)
	w.write(alice, strings.Replace(text, "- Alice pays", "\nAlice pays", 1))
	w.forget("Alice pays with zlotys | or zinc")
	w.set("2026-06-11 03:00")
	w.run()
	w.clean("zloty", "zinc")
	w.has(alice, "plays the cello")
}

// What is forgotten is not told again in the words of the map or of MEMORY.md, which say "lives in Lisbon" of whoever moved there.
func TestGlossesDoNotTellWhatWasForgotten(t *testing.T) {
	w := newWorld(t, "2026-06-10 03:00")
	w.tell("2026-06-08", "Alice", "a", "Alice lives in Lisbon", "Alice is allergic to nuts")
	w.run()
	w.has("index.md", "lives in Lisbon")
	w.forget("Alice lives in Lisbon")
	w.tell("2026-06-10", "Alice", "b", "Alice moved to Lisbon", "Alice plays chess")
	w.set("2026-06-11 03:00")
	w.run()
	w.has("3_Personal/Alice.md", "moved to Lisbon")
	for _, name := range []string{"index.md", "memory/MEMORY.md"} {
		if text := strings.ToLower(w.read(name)); strings.Contains(text, "lives in lisbon") {
			t.Errorf("%s tells it again:\n%s", name, text)
		}
	}
	w.account()
}

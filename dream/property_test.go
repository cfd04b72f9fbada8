package dream_test

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/dream"
	"github.com/reverie-memory/reverie/vault"
)

var seed = flag.Uint64("seed", 0, "of the random lives; 0: another one each time")

// A life makes up facts.
type life struct{ *rand.Rand }

func (l life) pick(list ...string) string { return list[l.IntN(len(list))] }

func (l life) fact() string {
	who := l.pick("Alice", "Alice", "Noor", "Omar", "The billing service", "The search service", "Rex")
	switch l.IntN(14) {
	case 0:
		return fmt.Sprintf("[personal] %s lives in %s #home", who, l.pick("Paris", "Berlin", "Lisbon", "Cairo"))
	case 1:
		return fmt.Sprintf("[personal] %s moved to %s #home", who, l.pick("Paris", "Berlin", "Lisbon", "Cairo"))
	case 2:
		return fmt.Sprintf("[personal] %s's birthday is on %d March #family", who, 1+l.IntN(4))
	case 3:
		return fmt.Sprintf("[fact] %s runs on port %d", who, 8000+l.IntN(3))
	case 4:
		return fmt.Sprintf("[decision] %s uses %s for %s #tools", who, l.pick("Redis", "PostgreSQL", "MongoDB"), l.pick("queues", "invoices"))
	case 5:
		return fmt.Sprintf("[decision] %s switched from %s to %s #tools", who, l.pick("Redis", "MongoDB"), l.pick("PostgreSQL", "SQLite"))
	case 6:
		return fmt.Sprintf("[health] %s is allergic to %s", who, l.pick("peanuts", "dust", "cats"))
	case 7:
		return fmt.Sprintf("[health] %s has a %s allergy", who, l.pick("peanut", "dust", "cat"))
	case 8:
		return fmt.Sprintf("[task] %s: call the %s by %d June", who, l.pick("doctor", "bank"), 10+l.IntN(9))
	case 9:
		return fmt.Sprintf("[personal] %s likes %s", who, l.pick("tea", "coffee", "rain", "tea in the morning"))
	case 10:
		return fmt.Sprintf("[personal] %s doesn't like %s", who, l.pick("tea", "coffee", "rain"))
	case 11:
		return l.pick("[chat] Ok", "[chat] Thanks a lot", "[chat] 42", "[odd] - [ ] ## [[x]] `y` | ^z",
			"[odd] > [!warning] Conflict", "[odd] 日本語の事実 🎉", "[odd] <b>bold</b> %% hidden %%")
	case 12:
		return fmt.Sprintf("[personal] Actually, %s works as a %s", who, l.pick("nurse", "baker"))
	}
	return fmt.Sprintf("[fact] %s said something about number %d", who, l.IntN(1000))
}

// meddle does what people do to a vault between two runs.
func (l life) meddle(w *world) {
	var pages []string
	for name := range w.pages() {
		if strings.HasPrefix(name, "1_") || strings.HasPrefix(name, "2_") || strings.HasPrefix(name, "3_") {
			pages = append(pages, name)
		}
	}
	slices.Sort(pages)
	if len(pages) == 0 {
		return
	}
	name := pages[l.IntN(len(pages))]
	lines := strings.SplitAfter(w.read(name), "\n")
	i := l.IntN(len(lines))
	switch l.IntN(8) {
	case 6, 7: // a line of a log is corrected, or taken out
		facts := w.facts()
		if len(facts) == 0 {
			return
		}
		f := facts[l.IntN(len(facts))]
		log := "memory/archive/" + string(f.Day) + ".md"
		from := strings.Split(w.read(log), "\n")[f.Line-1] + "\n"
		if to := strings.Replace(from, " is ", " was ", 1); to != from && l.IntN(2) == 0 {
			w.edit(log, from, to)
		} else {
			w.edit(log, from, "")
		}
		return
	case 0: // a line of their own
		lines = slices.Insert(lines, i, fmt.Sprintf("- A person wrote line %d\n", l.IntN(100)))
		if strings.HasPrefix(strings.Join(lines[:i], ""), "---") && strings.Count(strings.Join(lines[:i], ""), "---\n") < 2 {
			return // not into the frontmatter
		}
	case 1: // other words, the sources stay
		lines[i] = strings.Replace(lines[i], " is ", " surely is ", 1)
	case 2:
		lines = append(lines, "\n## Notes of mine\n\nText.\n")
	case 3: // an answer
		if w.exists(conflicts) {
			text := w.read(conflicts)
			w.write(conflicts, strings.Replace(text, "- [ ]", "- [x]", 1))
		}
	case 4:
		if w.exists(conflicts) && strings.Contains(w.read(conflicts), "- [ ]") {
			w.dropLine(conflicts, "- [ ]")
		}
	case 5:
		if w.exists("memory/MEMORY.md") {
			w.write("memory/MEMORY.md", w.read("memory/MEMORY.md")+"- A person added this\n")
		}
	}
	w.save(name, strings.Join(lines, ""))
}

// undo takes a run back, the newest or another; where that is refused, nothing changes.
func (l life) undo(w *world) {
	w.t.Helper()
	run := ""
	if runs, err := w.r.Runs(w.t.Context()); err == nil && len(runs) > 0 && l.IntN(2) == 0 {
		run = runs[l.IntN(len(runs))].Run
	}
	before := w.pages()
	rep, err := w.r.Undo(w.t.Context(), run)
	switch {
	case errors.Is(err, dream.ErrClash), errors.Is(err, dream.ErrUndone), errors.Is(err, dream.ErrNoRun):
		same(w.t, "a refused undo", w.pages(), before)
		if errors.Is(err, dream.ErrClash) && len(rep.Clashes) == 0 {
			w.t.Error("refused without a reason")
		}
	case err != nil:
		w.t.Errorf("undo of %q: %v", run, err)
	}
	w.drain() // what was undone is pending again
	w.account()
}

// Whatever is said, in whatever order, and whatever people do meanwhile: every fact has one outcome, and stands where that says.
func TestBooks(t *testing.T) {
	lives := 40
	if testing.Short() {
		lives = 6
	}
	for range lives {
		s := *seed
		if s == 0 {
			s = rand.Uint64()
		}
		l := life{rand.New(rand.NewPCG(s, 1))}
		w := newWorld(t, "2026-06-02 03:00")
		day := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
		mark := vault.Day("")
		for range 8 {
			for chat := range 1 + l.IntN(3) {
				var facts []string
				for range l.IntN(6) {
					facts = append(facts, l.fact())
				}
				on := day
				if l.IntN(4) == 0 { // late
					on = on.AddDate(0, 0, -l.IntN(5))
				}
				if len(facts) > 0 {
					w.tell(on.Format(time.DateOnly), l.pick("Alice", "Noor", ""), fmt.Sprint(day.Format("0102"), "-", chat), facts...)
				}
			}
			day = day.AddDate(0, 0, 1)
			w.set(day.Format(time.DateOnly) + " 03:00")
			if l.IntN(3) == 0 {
				phase := l.pick("plan", "apply", "index", "navigate")
				w.at(phase, func() { l.meddle(w) })
			}
			if l.IntN(6) == 0 {
				w.crashAt(l.IntN(150))
				_, _ = w.r.Run(t.Context(), dream.Request{Forced: true})
				w.restart()
			}
			w.drain()
			w.during = nil
			w.drain() // what was changed in the last of those runs, which had found nothing pending
			if now := w.mark(); now < mark {
				t.Errorf("the watermark went from %s to %s", mark, now)
			} else {
				mark = now
			}
			w.account()
			before := w.pages()
			if rep := w.run(); rep.Status != dream.NothingPending {
				t.Errorf("once more: %+v", rep)
			}
			same(t, "once more", w.pages(), before)
			if t.Failed() {
				t.Fatalf("-seed %d on %s\n%s", s, day, w.dump())
			}
			if l.IntN(4) == 0 {
				l.undo(w)
				mark = w.mark()
			}
			if facts := w.facts(); len(facts) > 0 && l.IntN(6) == 0 {
				// Only what no other fact says in other words: that would go with it.
				if text := facts[l.IntN(len(facts))].Text; strings.Contains(text, "said something") {
					w.forget(text)
				}
			}
			for range l.IntN(3) {
				l.meddle(w)
			}
		}
		w.drop()
	}
}

// Late facts are consolidated by the next run, and the watermark never goes back.
func TestLateFacts(t *testing.T) {
	w := newWorld(t, "2026-06-10 03:00")
	exampleFacts(w)
	w.run()
	w.tell("2026-06-08", "Alice", "late", "[personal] Alice lives in Madrid #home", "[personal] Alice plays the cello")
	w.tell("2026-06-01", "Alice", "later", "[personal] Alice collects stamps")
	w.write("memory/archive/2026-06-09.md", w.read("memory/archive/2026-06-09.md")+"- [personal] Alice speaks Portuguese\n")
	w.set("2026-06-11 03:00")
	rep := w.run()
	if rep.Late != 4 || w.mark() != "2026-06-09" {
		t.Errorf("%+v, watermark %s", rep, w.mark())
	}
	for _, text := range []string{"cello", "stamps", "Portuguese"} {
		w.has(alice, text)
	}
	if current, past := w.standing(alice); !strings.Contains(current, "Berlin") ||
		strings.Contains(current, "Madrid") || !strings.Contains(past, "Madrid") {
		t.Errorf("%s", w.read(alice))
	}
	w.account()
}

// The same facts in one batch or day by day give the same current statements.
func TestBatchesDoNotMatter(t *testing.T) {
	tell := func(w *world) {
		exampleFacts(w)
		w.tell("2026-06-10", "Alice", "c", "[personal] Alice moved to Lisbon #home",
			"[personal] Alice plays the cello", "[personal] Alice's brother Omar lives in Cairo #family",
			"[personal] Omar has a dog", "[personal] Omar works as a nurse", "[fact] The billing service runs on port 9000 #billing")
		w.tell("2026-06-11", "Alice", "c", "[personal] Alice plays the cello",
			"[personal] Omar moved to Lisbon #home", "[task] Call Omar by 20 June")
	}
	once := newWorld(t, "2026-06-12 03:00")
	tell(once)
	once.run()
	once.account()
	daily := newWorld(t, "2026-06-09 03:00")
	tell(daily)
	for _, now := range []string{"2026-06-09 03:00", "2026-06-10 03:00", "2026-06-11 03:00", "2026-06-12 03:00"} {
		daily.set(now)
		daily.run()
		daily.account()
	}
	if a, b := current(once), current(daily); !slices.Equal(a, b) {
		t.Errorf("in one batch\n%s\n\nday by day\n%s", strings.Join(a, "\n"), strings.Join(b, "\n"))
	}
}

// current are the statements that stand, on whatever page: a name earns its page by being mentioned, and a batch that knows more
// mentions gives it one earlier.
func current(w *world) []string {
	var out []string
	for key, section := range w.said() {
		_, text, _ := strings.Cut(key, ": ")
		if section != "History" && !strings.HasPrefix(key, "0_Inbox") {
			out = append(out, text)
		}
	}
	return slices.Sorted(slices.Values(out))
}

// A second run with nothing new changes no byte, hidden files but the state included.
func TestNothingNew(t *testing.T) {
	w := busyWorld(t)
	w.drain()
	before := w.files()
	for _, now := range []string{"2026-06-11 04:00", "2026-06-20 03:00"} {
		w.set(now)
		if rep := w.run(); rep.Status != dream.NothingPending {
			t.Errorf("%+v", rep)
		}
		after := w.files()
		delete(after, ".state/dream.json")
		delete(after, ".state/dream_lines.jsonl")
		maps.DeleteFunc(after, func(name, _ string) bool { return strings.HasPrefix(name, ".state/") && before[name] == "" })
		for name, text := range after {
			if before[name] != text {
				t.Errorf("%s changed", name)
			}
		}
	}
	if dry, err := w.r.Run(t.Context(), dream.Request{DryRun: true}); err != nil || dry.Status != dream.NothingPending || dry.Diff != "" {
		t.Errorf("%+v %v", dry, err)
	}
}

// A dry run shows what a run would do, and does nothing.
func TestDryRun(t *testing.T) {
	w := busyWorld(t)
	before := w.files()
	dry, err := w.r.Run(t.Context(), dream.Request{DryRun: true})
	if err != nil || dry.Status != dream.Planned || !strings.Contains(dry.Diff, "+- Alice moved to Lisbon") {
		t.Errorf("%+v %v", dry, err)
	}
	after := w.files()
	delete(before, ".state/daemon.lock")
	same(t, "a dry run", after, before)
	rep := w.run()
	if rep.Facts != dry.Facts || !maps.Equal(rep.Ledger, dry.Ledger) || !slices.Equal(rep.Pages, dry.Pages) {
		t.Errorf("shown\n%+v\ndone\n%+v", dry, rep)
	}
}

package dream_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/reverie-memory/reverie/dream"
	"github.com/reverie-memory/reverie/vault"
)

// tick lets the gate decide.
func (w *world) tick() (bool, dream.Report, error) {
	w.t.Helper()
	return w.r.Tick(w.t.Context())
}

// A full disk stops a run with a message that says so; when there is room again, the pages are those of an undisturbed run.
func TestDiskFull(t *testing.T) {
	start := busyWorld(t)
	calm := start.clone()
	calm.crashAt(1 << 30)
	calm.drain()
	for _, lasting := range []bool{true, false} {
		for _, n := range points(calm.steps) {
			if n%5 != 0 {
				continue
			}
			w := start.clone()
			w.ask = func(string, vault.Path) error {
				if w.steps++; w.steps == n+1 || lasting && w.steps > n {
					return syscall.ENOSPC
				}
				return nil
			}
			_, err := w.r.Run(t.Context(), dream.Request{Forced: true})
			var e *vault.Error
			if err == nil && lasting && n < calm.steps-20 ||
				err != nil && (!errors.Is(err, vault.ErrDiskFull) || !errors.As(err, &e) || e.Hint == "") {
				t.Fatalf("step %d: %v", n, err)
			}
			w.ask = nil
			w.drain()
			w.account()
			same(t, fmt.Sprintf("room again after step %d", n), w.pages(), calm.pages())
			if t.Failed() {
				return
			}
			w.drop()
		}
	}
}

// A page that may not be written keeps its bytes; its facts wait in 0_Inbox, and a note says so.
func TestPageThatCannotBeWritten(t *testing.T) {
	for name, spoil := range map[string]func(w *world){
		"read-only": func(w *world) {
			if err := os.Chmod(filepath.Join(w.dir, alice), 0o400); err != nil {
				w.t.Fatal(err)
			}
		},
		"a folder": func(w *world) {
			w.remove(alice)
			w.write(alice+"/x.txt", "mine")
		},
		"a link out": func(w *world) {
			out := filepath.Join(scratch(w.t), "out.md")
			w.remove(alice)
			if err := errors.Join(os.WriteFile(out, []byte(foreign), 0o600), os.Symlink(out, filepath.Join(w.dir, alice))); err != nil {
				w.t.Fatal(err)
			}
		},
	} {
		for _, during := range []bool{false, true} {
			t.Run(fmt.Sprint(name, during), func(t *testing.T) {
				w := withAlice(t)
				if during {
					w.at("apply", func() { spoil(w) })
				} else {
					spoil(w)
				}
				rep := w.run()
				if rep.Status != dream.Consolidated {
					t.Fatalf("%+v", rep)
				}
				switch {
				case name == "a folder":
					w.has(alice+"/x.txt", "mine")
				case name == "read-only" && during: // its mode does not bind who may replace it; a person's bytes stay in any case
					w.survives(alice, foreign)
				case w.read(alice) != foreign:
					t.Errorf("it was written:\n%s", w.read(alice))
				}
				if !(name == "read-only" && during) && w.placeOf("Alice moved to Berlin") == alice {
					t.Error("the fact is on the page")
				}
				if name == "read-only" && !during {
					w.has("0_Inbox/Unfiled.md", "Alice moved to Berlin")
					if !strings.Contains(strings.Join(rep.Notes, "\n"), alice) {
						t.Errorf("no note says so: %q", rep.Notes)
					}
				}
				w.has("1_Projects/Billing.md", "PostgreSQL")
				if during && name != "read-only" { // it changed: its facts wait for the next run
					w.run()
				}
				w.account()
			})
		}
	}
}

// placeOf is where the fact went, by the ledgers.
func (w *world) placeOf(text string) string {
	w.t.Helper()
	runs, err := w.r.Runs(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	for _, f := range w.facts() {
		if f.Text != text {
			continue
		}
		for _, rep := range runs {
			d, err := w.r.Show(w.t.Context(), rep.Run)
			if err != nil {
				w.t.Fatal(err)
			}
			for _, l := range d.LedgerOf {
				if l.Fact == f.ID && l.Day == f.Day && !rep.Undone {
					return string(l.Page)
				}
			}
		}
	}
	return "nowhere"
}

// On a disk where case does not count, two names that differ in it are one file.
func TestCaseOfNames(t *testing.T) {
	w := newWorld(t, "2026-06-10 03:00")
	w.write("3_Personal/alice.md", "- Something of mine\n")
	w.write("1_Projects/BILLING.MD", "# BILLING\n")
	exampleFacts(w)
	w.tell("2026-06-09", "Alice", "x", "[fact] The NOOR project has a deadline #noor", "[fact] The noor project has a budget #Noor")
	w.run()
	w.has("3_Personal/alice.md", "Alice moved to Berlin")
	w.survives("3_Personal/alice.md", "- Something of mine\n")
	seen := map[string]string{}
	for name := range w.pages() {
		if other, ok := seen[strings.ToLower(name)]; ok {
			t.Errorf("%s and %s are one file on some disks", name, other)
		}
		seen[strings.ToLower(name)] = name
	}
	w.account()
}

func TestSmallDays(t *testing.T) {
	w := newWorld(t, "2026-06-10 03:00")
	if rep := w.run(); rep.Status != dream.NothingPending || w.exists(".state/dreams") && len(w.grep("r-2026")) > 0 {
		t.Errorf("nothing at all: %+v", rep)
	}
	w.write("memory/archive/2026-06-05.md", "# Daily Log - 2026-06-05\n")
	w.write("memory/archive/2026-06-06.md", "")
	if rep := w.run(); rep.Status != dream.NothingPending {
		t.Errorf("empty days: %+v", rep)
	}
	w.tell("2026-06-07", "Alice", "c", "[personal] Alice plays the cello")
	if rep := w.run(); rep.Status != dream.Consolidated || rep.Facts != 1 || w.mark() != "2026-06-07" {
		t.Errorf("one fact: %+v", rep)
	}
	w.account()
	before := w.files()
	w.tell("2026-06-08", "Alice", "c", "[personal] Alice collects stamps")
	w.forget("Alice collects stamps")
	w.set("2026-06-11 03:00")
	rep := w.run()
	w.lacks(alice, "stamps")
	if got := w.read(alice); got != before[alice] {
		t.Errorf("only forgotten facts: %+v\n%s", rep, got)
	}
	if ran, rep, err := w.tick(); ran || err != nil {
		t.Errorf("%+v %v", rep, err)
	}
	w.account()
}

// Whatever a person does to log.md, nothing is lost and nothing is consolidated twice.
func TestJournalInHands(t *testing.T) {
	for name, spoil := range map[string]func(w *world){
		"deleted":       func(w *world) { w.remove("log.md") },
		"emptied":       func(w *world) { w.write("log.md", "") },
		"words of mine": func(w *world) { w.write("log.md", w.read("log.md")+"\nNothing but words.") },
		"an open fence": func(w *world) { w.write("log.md", w.read("log.md")+"\n```\n") },
		"in the future": func(w *world) { w.edit("log.md", "watermark=2026-06-09", "watermark=2036-06-09") },
		"future entry too": func(w *world) {
			w.write("log.md", w.read("log.md")+"\n## 2036-01-02 03:00 — dream r-20360102-0300\nwatermark=2036-01-01\n")
		},
		"not a day": func(w *world) { w.edit("log.md", "watermark=2026-06-09", "watermark=yesterday") },
		"earlier":   func(w *world) { w.edit("log.md", "watermark=2026-06-09", "watermark=2026-06-01") },
		"cut off":   func(w *world) { w.write("log.md", strings.SplitAfter(w.read("log.md"), "watermark=")[0]) },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, "2026-06-10 03:00")
			exampleFacts(w)
			w.run()
			want := w.said()
			spoil(w)
			mine := w.pages()["log.md"]
			w.set("2026-06-11 03:00")
			w.drain()
			for text := range want {
				if _, ok := w.said()[text]; !ok {
					t.Errorf("%q is gone", text)
				}
			}
			if len(w.said()) != len(want) {
				t.Errorf("more is said than before:\n%s", w.dump())
			}
			w.account()
			if d, err := w.r.Decide(t.Context(), false); err != nil || len(d.Days) > 0 {
				t.Errorf("pending: %+v %v", d, err)
			}
			w.tell("2026-06-10", "Alice", "c", "[personal] Alice plays the cello")
			w.drain()
			w.has(alice, "cello")
			w.account()
			if name != "future entry too" && w.mark() != "2026-06-10" && name != "in the future" {
				t.Errorf("the watermark is %q:\n%s", w.mark(), w.read("log.md"))
			}
			if !strings.HasPrefix(w.read("log.md"), mine) {
				t.Errorf("the words of a person are gone:\n%s", w.read("log.md"))
			}
			if d, err := w.r.Decide(t.Context(), false); err != nil || len(d.Days) > 0 {
				t.Errorf("still pending: %+v %v", d, err)
			}
		})
	}
}

// State that was cut off by a program that syncs folders costs no fact.
func TestStateCutOff(t *testing.T) {
	half := func(w *world, name string) { text := w.read(name); w.write(name, text[:len(text)/2]) }
	for name, spoil := range map[string]func(w *world, run string){
		"dream.json":   func(w *world, _ string) { half(w, ".state/dream.json") },
		"no state":     func(w *world, _ string) { w.remove(".state/dream.json") },
		"base":         func(w *world, _ string) { half(w, ".state/dream/MEMORY.md") },
		"plan.json":    func(w *world, run string) { half(w, ".state/dreams/"+run+"/plan.json") },
		"report.json":  func(w *world, run string) { half(w, ".state/dreams/"+run+"/report.json") },
		"written.txt":  func(w *world, run string) { half(w, ".state/dreams/"+run+"/written.txt") },
		"all of it":    func(w *world, _ string) { w.remove(".state") },
		"plan.json 0":  func(w *world, run string) { w.write(".state/dreams/"+run+"/plan.json", "") },
		"images.json":  func(w *world, run string) { half(w, ".state/dreams/"+run+"/pre/images.json") },
		"ledger.jsonl": func(w *world, run string) { half(w, ".state/dreams/"+run+"/ledger.jsonl") },
	} {
		for _, phase := range []string{"", "apply", "navigate"} { // "": the run was done
			t.Run(name+phase, func(t *testing.T) {
				w := newWorld(t, "2026-06-10 03:00")
				exampleFacts(w)
				if phase == "" {
					spoil(w, w.run().Run)
				} else {
					w.at(phase, func() {
						if w.crashAt(0); phase == "apply" {
							w.crashAfterPages(2)
						}
					})
					_, err := w.r.Run(t.Context(), dream.Request{Forced: true})
					if err == nil {
						t.Fatal("it was not cut off")
					}
					w.restart()
					if (name == "report.json" || name == "ledger.jsonl" || name == "base") && !w.exists(".state/dream/MEMORY.md") {
						return // not there yet
					}
					spoil(w, "r-20260610-0300")
				}
				w.restart()
				if _, err := w.r.Recover(t.Context()); err != nil {
					t.Fatal(err)
				}
				w.tell("2026-06-10", "Alice", "c", "[personal] Alice plays the cello")
				w.set("2026-06-11 03:00")
				w.drain()
				for _, text := range []string{"cello", "moved to Berlin", "lives in Paris", "allergic"} {
					w.has(alice, text)
				}
				w.has("3_Personal/Noor.md", "4 March")
				w.has("3_Personal/Noor.md", "14 March")
				w.saysOnce(alice)
				w.saysOnce("1_Projects/Billing.md")
				if name != "ledger.jsonl" {
					w.account()
				}
				if t.Failed() {
					t.Log(w.dump())
				}
			})
		}
	}
}

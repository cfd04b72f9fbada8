package dream_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/dream"
	"github.com/reverie-memory/reverie/vault"
)

// failing are worlds in which every run of a batch fails, each in another way.
var failing = map[string]struct {
	break_ func(w *world)
	mend   func(w *world)
}{
	"the index does not follow": {
		func(w *world) { w.fail = func(vault.Path) error { return errors.New("the index is broken") } },
		func(w *world) { w.fail = nil },
	},
	"recall is worse": {func(w *world) { w.losing = true }, func(w *world) { w.losing = false }},
}

// A batch that fails three times is skipped: its facts stay indexed and are listed for a person, and the watermark passes them.
func TestSkippedBatch(t *testing.T) {
	for name, how := range failing {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, "2026-06-10 03:00")
			w.write(alice, foreign)
			exampleFacts(w)
			before := w.pages()
			how.break_(w)
			var rep dream.Report
			for i, now := range []string{"2026-06-10 03:00", "2026-06-11 03:00", "2026-06-12 03:00", "2026-06-13 03:00"} {
				w.set(now)
				d, err := w.r.Decide(t.Context(), true)
				if err != nil || len(d.Days) != 2 || w.mark() != "" || d.Skip != (i == 3) {
					t.Errorf("before try %d: %+v %v, watermark %q", i, d, err, w.mark())
				}
				if rep, err = w.r.Run(t.Context(), dream.Request{Forced: true}); err == nil && rep.Status != dream.RolledBack {
					break
				}
				if rep.Status == dream.RolledBack {
					same(t, "rolled back", w.pages(), before)
				}
				if i == 1 && rep.Status != dream.RolledBack { // the third failure is the last: it is skipped at once
					how.mend(w)
					w.fail = func(p vault.Path) error {
						if strings.HasPrefix(string(p), "3_Personal") {
							return errors.New("the index is broken")
						}
						return nil
					}
				}
			}
			how.mend(w)
			if rep.Status != dream.SkippedBatch || rep.Facts != 10 || w.mark() != "2026-06-09" {
				t.Fatalf("%+v, watermark %q", rep, w.mark())
			}
			w.has("log.md", "2 days, 10 facts: skipped")
			if w.read(alice) != foreign {
				t.Error("a page of a batch that was skipped changed")
			}
			known, err := w.v.Accounted()
			if err != nil || known.Len() > 0 {
				t.Errorf("%d facts are accounted for, %v", known.Len(), err)
			}
			for _, f := range w.facts() {
				w.has("0_Inbox/Skipped.md", f.ID)
			}
			w.account()
			if d, _ := w.r.Decide(t.Context(), false); len(d.Days) > 0 {
				t.Errorf("still pending: %+v", d)
			}
			w.set("2026-06-13 03:00")
			w.tell("2026-06-12", "Alice", "c", "[personal] Alice plays the cello")
			if rep := w.run(); rep.Status != dream.Consolidated || rep.Facts != 1 {
				t.Errorf("afterwards: %+v", rep)
			}
			w.account()
		})
	}
}

// Skipping can be cut off anywhere, too.
func TestSkipCutOff(t *testing.T) {
	start := newWorld(t, "2026-06-10 03:00")
	exampleFacts(start)
	start.losing = true
	for range 3 {
		start.run()
	}
	calm := start.clone()
	calm.crashAt(1 << 30)
	if rep := calm.run(); rep.Status != dream.SkippedBatch {
		t.Fatalf("%+v", rep)
	}
	for n := 0; n < calm.steps; n += 3 {
		w := start.clone()
		w.crashAt(n)
		_, _ = w.r.Run(t.Context(), dream.Request{Forced: true})
		w.restart()
		if _, err := w.r.Recover(t.Context()); err != nil {
			t.Fatal(err)
		}
		w.drain()
		w.account()
		same(t, "skipped", w.pages(), calm.pages())
		if t.Failed() {
			t.Fatal("at step", n)
		}
		w.drop()
	}
}

// One failure, and then all is well: nothing is left of it.
func TestFailureThenSuccess(t *testing.T) {
	calm := newWorld(t, "2026-06-10 03:00")
	exampleFacts(calm)
	calm.run()
	for name, how := range failing {
		w := newWorld(t, "2026-06-10 03:00")
		exampleFacts(w)
		how.break_(w)
		rep, err := w.r.Run(t.Context(), dream.Request{Forced: true})
		if err == nil && rep.Status != dream.RolledBack {
			t.Errorf("%s: %+v", name, rep)
		}
		how.mend(w)
		w.drain()
		w.account()
		same(t, name, w.pages(), calm.pages(), "log.md")
		if d, _ := w.r.Decide(t.Context(), true); strings.Contains(strings.Join(d.Reasons, " "), "failed") {
			t.Errorf("%s: %v", name, d.Reasons)
		}
	}
}

// Facts whose page cannot be written are for a person to file; that is a change too.
func TestOnlyUnfiled(t *testing.T) {
	w := newWorld(t, "2026-06-10 03:00")
	w.write(alice, foreign)
	w.tell("2026-06-09", "Alice", "c", "[personal] Alice plays the cello")
	w.run()
	w.chmod(alice, 0o400)
	w.tell("2026-06-10", "Alice", "c", "[personal] Alice collects stamps")
	before := w.read(alice)
	w.set("2026-06-11 03:00")
	if rep := w.run(); rep.Status != dream.Consolidated || rep.Ledger[dream.Unfiled] != 1 || w.mark() != "2026-06-10" {
		t.Errorf("%+v", rep)
	}
	w.has("0_Inbox/Unfiled.md", "Alice collects stamps")
	if w.read(alice) != before {
		t.Error("a page that is read-only was written")
	}
	w.account()
}

// The gate's conditions, on the way from the vault to a run.
func TestTick(t *testing.T) {
	w := newWorld(t, "2026-06-10 03:00")
	exampleFacts(w)
	if ran, _, err := w.tick(); ran || err != nil {
		t.Errorf("ten facts of twenty: %v %v", ran, err)
	}
	w.opt.Gate.MinFacts = 5
	w.restart()
	if ran, rep, err := w.tick(); !ran || err != nil || rep.Mode != dream.ModeSteady {
		t.Errorf("%v %+v %v", ran, rep, err)
	}
	w.tell("2026-06-10", "Alice", "c", "[a] One is here", "[a] Two is here", "[a] Three is here", "[a] Four is here", "[a] Five is here")
	w.set("2026-06-11 02:00")
	if ran, _, err := w.tick(); ran || err != nil {
		t.Errorf("too soon: %v %v", ran, err)
	}
	w.set("2026-06-11 03:00")
	if ran, _, err := w.tick(); !ran || err != nil {
		t.Errorf("in time: %v %v", ran, err)
	}
	w.account()
}

// More days than a batch holds are caught up with, batch by batch.
func TestCatchUp(t *testing.T) {
	w := newWorld(t, "2026-07-20 03:00")
	for day := vault.Day("2026-06-01"); day < "2026-07-20"; day = vault.DayOf(day.Time().AddDate(0, 0, 1)) {
		w.tell(string(day), "Alice", "c", "[personal] Alice met number "+string(day)+" in the park")
	}
	runs := 0
	for {
		ran, rep, err := w.tick()
		if err != nil {
			t.Fatal(err)
		}
		if !ran {
			break
		}
		if runs++; rep.Mode != dream.ModeCatchUp || len(rep.Days) != 14 {
			t.Fatalf("%+v", rep)
		}
		w.account()
	}
	if d, _ := w.r.Decide(t.Context(), true); runs != 3 || len(d.Days) != 7 {
		t.Errorf("%d runs, %+v", runs, d)
	}
}

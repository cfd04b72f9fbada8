package dream_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/dream"
	"github.com/reverie-memory/reverie/dream/agent"
	"github.com/reverie-memory/reverie/dreams"
)

var statementID = regexp.MustCompile(`\{(\w+)\}`)

// op makes up something to propose for the facts of a sheet: good, bad or both.
func (l life) op(s agent.Sheet) map[string]any {
	f, g, p := s.Facts[l.IntN(len(s.Facts))], s.Facts[l.IntN(len(s.Facts))], s.Pages[l.IntN(len(s.Pages))]
	target := "s000000000"
	if found := statementID.FindAllStringSubmatch(p.Text, -1); len(found) > 0 {
		target = found[l.IntN(len(found))][1]
	}
	kind := l.pick("add", "add", "add_source", "reword", "supersede", "conflict", "drop", "create_page")
	op := map[string]any{"op": kind, "page": p.Path, "facts": []string{f.ID}}
	switch kind {
	case "create_page":
		op["title"], op["facts"] = p.Title, nil
		return op
	case "drop":
		return map[string]any{"op": kind, "reason": "nothing", "facts": []string{f.ID}}
	case "add":
		op["page"] = f.Page
	case "conflict":
		op["question"] = "Which is right?"
	}
	if kind != "add" {
		op["target"] = target
	}
	if kind != "add_source" {
		op["text"] = l.pick(f.Text, f.Text, g.Text, f.Text+" and "+g.Text, "Alice lives on the moon", f.Text+" at 17:00")
	}
	if l.IntN(4) == 0 {
		op["facts"] = []string{f.ID, g.ID}
	}
	return op
}

// steps has a client dream, who may do anything and may stop at any step, while the vault changes.
func (l life) steps(w *world, day time.Time) {
	w.t.Helper()
	d := w.room()
	run := ""
	check := func(err error) {
		w.t.Helper()
		if err != nil && !errors.Is(err, dreams.ErrNoSteps) {
			w.t.Error(err)
		}
	}
	for range l.IntN(10) {
		id, sheet, _, err := d.Next(w.t.Context(), run, "client")
		if check(err); id == "" {
			return
		}
		run = id
		var ops []json.RawMessage
		for range l.IntN(12) {
			if len(sheet.Facts) > 0 {
				raw, _ := json.Marshal(l.op(sheet))
				ops = append(ops, raw)
			}
		}
		_, err = d.Propose(w.t.Context(), run, ops)
		check(err)
		switch l.IntN(12) {
		case 0, 1:
			l.meddle(w)
		case 2:
			w.tell(day.Format(time.DateOnly), "Noor", fmt.Sprint("late-", l.IntN(1000)), l.fact())
		case 3:
			if f := sheet.Facts; len(f) > 0 && l.IntN(3) == 0 {
				w.forget(f[0].Text)
			}
		case 4:
			w.restart()
			d = w.room()
		case 5:
			w.now = w.now.Add(time.Hour)
		case 6:
			l.undo(w) // of an earlier run, while this one is open
		}
	}
	if run != "" && l.IntN(4) > 0 {
		_, err := d.Finish(w.t.Context(), run, false)
		check(err)
	}
}

// Whatever clients propose, and whatever happens between their steps: every fact has one outcome, and stands where that says.
func TestBooksOfSteps(t *testing.T) {
	lives := 40
	if testing.Short() {
		lives = 5
	}
	for range lives {
		s := *seed
		if s == 0 {
			s = rand.Uint64()
		}
		l := life{rand.New(rand.NewPCG(s, 2))}
		w := newWorld(t, "2026-06-02 03:00")
		day := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
		for range 6 {
			var facts []string
			for range 3 + l.IntN(12) {
				facts = append(facts, l.fact())
			}
			w.tell(day.Format(time.DateOnly), l.pick("Alice", "Noor", ""), day.Format("0102"), facts...)
			w.set(day.AddDate(0, 0, 1).Format(time.DateOnly) + " 03:00")
			l.steps(w, day)
			w.drain()
			w.account()
			before := w.pages()
			if rep := w.run(); rep.Status != dream.NothingPending {
				t.Errorf("once more: %+v", rep)
			}
			same(t, "once more", w.pages(), before)
			if t.Failed() {
				t.Fatalf("-seed %d on %s\n%s", s, day, w.dump())
			}
			day = day.AddDate(0, 0, 1)
		}
		w.drop()
	}
}

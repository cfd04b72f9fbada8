package palace

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/vault"
)

// waiting are the drawers that an intake would take up.
func waiting(in *Intake) []string {
	var ids []string
	for _, turns := range in.backlog.turns {
		for _, e := range turns {
			ids = slices.AppendSeq(ids, maps.Keys(e.drawers))
		}
	}
	slices.Sort(ids)
	return ids
}

// restarted is what an intake finds when its program starts, whose last one was killed.
func (r *rig) restarted(t *testing.T, dir string) *Intake {
	t.Helper()
	opt := r.options
	opt.Vault, opt.Dir = r.vault, dir
	in := NewIntake(opt)
	if err := in.recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	return in
}

// age makes a file look as if nobody had written to it for an hour.
func age(t *testing.T, file string) {
	t.Helper()
	then := time.Now().Add(-time.Hour)
	if err := os.Chtimes(file, then, then); err != nil {
		t.Fatal(err)
	}
}

// Whatever was stored, extracted, purged or edited between two starts, in whatever order and on whatever day, a start that remembers what
// settled finds what one finds that reads everything.
func TestSettledDaysHideNothingThatWaits(t *testing.T) {
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 19))
		r := newRig(t, nil)
		_ = r.Intake.Close(context.Background()) // that of the rig takes up what it finds
		data := t.TempDir()
		var stored []vault.Drawer
		done := map[string]bool{}
		for step := range 60 {
			day := at.AddDate(0, 0, -rng.IntN(5))
			file := filepath.Join(r.dir, filepath.FromSlash(string(vault.DrawerPath(vault.DayOf(day)))))
			_, missing := os.Stat(file)
			switch n := rng.IntN(10); {
			case n < 3: // a turn comes, perhaps of long ago
				d := vault.Drawer{
					ID: fmt.Sprintf("d%d", step), At: day, ChatID: "c1", Origin: vault.OriginUser, Turn: fmt.Sprintf("t%d", step),
					Text: "I like tea.",
				}
				if _, err := r.vault.AppendDrawers(t.Context(), []vault.Drawer{d}); err != nil {
					t.Fatal(err)
				}
				stored = append(stored, d)
			case n < 6 && len(stored) > 0: // one is extracted
				d := stored[rng.IntN(len(stored))]
				done[d.ID] = true
				if err := r.record(t.Context(), job{turn: turnKey{d.ChatID, d.Turn}, drawers: []vault.Drawer{d}},
					extraction{}); err != nil {
					t.Fatal(err)
				}
			case n == 6 && missing == nil: // a person adds a line
				text, _ := os.ReadFile(file)
				if err := os.WriteFile(file, append(text, "\nA note.\n"...), 0o644); err != nil {
					t.Fatal(err)
				}
			case n == 7 && missing == nil: // time passes
				age(t, file)
			case n == 8 && rng.IntN(4) == 0: // the data folder is lost, or its file is damaged
				if err := os.WriteFile(filepath.Join(data, settledFile), []byte(`{"2026-06-09":{"si`), 0o600); err != nil {
					t.Fatal(err)
				}
			case n == 9: // the program is killed and starts again
				var want []string
				for _, d := range stored {
					if !done[d.ID] {
						want = append(want, d.ID)
					}
				}
				slices.Sort(want)
				if got := waiting(r.restarted(t, data)); !slices.Equal(got, want) {
					t.Fatalf("seed %d, step %d: %q is taken up, %q waits", seed, step, got, want)
				}
			}
		}
	}
}

// A day in which nothing waits is read once more after its last write, and then never.
func TestSettledDaysAreNotReadAgain(t *testing.T) {
	r := newRig(t, nil)
	_ = r.Intake.Close(context.Background()) // that of the rig takes up what it finds
	data := t.TempDir()
	d := vault.Drawer{ID: "d1", At: at, ChatID: "c1", Origin: vault.OriginUser, Turn: "t1", Text: "I like tea."}
	if _, err := r.vault.AppendDrawers(t.Context(), []vault.Drawer{d}); err != nil {
		t.Fatal(err)
	}
	if err := r.record(t.Context(), job{turn: turnKey{"c1", "t1"}, drawers: []vault.Drawer{d}}, extraction{}); err != nil {
		t.Fatal(err)
	}
	open := func() int {
		in := r.restarted(t, data)
		_, open, err := in.unsettled()
		if err != nil {
			t.Fatal(err)
		}
		return len(open)
	}
	if n := open(); n != 1 {
		t.Errorf("a day that was written to a moment ago has settled: %d open", n)
	}
	age(t, filepath.Join(r.dir, filepath.FromSlash(string(vault.DrawerPath(vault.DayOf(at))))))
	if n := open(); n != 0 {
		t.Errorf("%d days are read at every start", n)
	}
}

// A turn that is underway waits as well: its program may be killed.
func TestADayWithATurnUnderwayDoesNotSettle(t *testing.T) {
	r := newRig(t, nil)
	_ = r.Intake.Close(context.Background()) // that of the rig takes up what it finds
	data := t.TempDir()
	d := vault.Drawer{ID: "d1", At: at, ChatID: "c1", Origin: vault.OriginUser, Turn: "t1", Text: "I like tea."}
	if _, err := r.vault.AppendDrawers(t.Context(), []vault.Drawer{d}); err != nil {
		t.Fatal(err)
	}
	age(t, filepath.Join(r.dir, filepath.FromSlash(string(vault.DrawerPath(vault.DayOf(at))))))
	opt := r.options
	opt.Vault, opt.Dir = r.vault, data
	in := NewIntake(opt)
	in.claim(turnKey{"c1", "t1"}, 1)
	if err := in.recover(context.Background()); err != nil || len(waiting(in)) > 0 {
		t.Fatalf("%q, %v", waiting(in), err)
	}
	if got := waiting(r.restarted(t, data)); !slices.Equal(got, []string{"d1"}) {
		t.Errorf("%q is taken up", got)
	}
}

package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/api"
)

// copied is another place with the same files.
func (p place) copied(t *testing.T) place {
	t.Helper()
	dir := t.TempDir()
	q := place{filepath.Join(dir, "vault"), filepath.Join(dir, "data")}
	if err := errors.Join(os.CopyFS(q.vault, os.DirFS(p.vault)), os.CopyFS(q.data, os.DirFS(p.data))); err != nil {
		t.Fatal(err)
	}
	return q
}

// undoing is an undo in a process of its own, without a daemon.
func (p place) undoing(t *testing.T, id string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, "import", "undo", id, "--no-daemon", "--json")
	cmd.Env = p.env(t)
	return cmd
}

// An undo is killed at random moments. The next start ends it, or nothing of it was done: then it is asked for again. What is left is what
// an undo without a kill leaves, with the facts of messages that another import told as well.
func TestUndoKilledAtAnyMoment(t *testing.T) {
	rounds, messages := 12, 1600
	if testing.Short() {
		rounds, messages = 4, 800
	}
	dir := exportsToKill(t, messages)
	p := newPlace(t)
	id := p.imported(t, dir).IDs[0]
	p.imported(t, filepath.Join(dir, "a.jsonl")) // tells a quarter of it again, and the facts of that
	whole := p.copied(t)
	began := time.Now()
	if out, err := whole.undoing(t, id).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v", out, err)
	}
	took := time.Since(began)
	want := whole.brought(t)
	if len(want) < messages/4 || len(want) > messages {
		t.Fatalf("an undo leaves %d things", len(want))
	}
	rng := rand.New(rand.NewPCG(7, 16))
	cut := 0
	for range rounds {
		q := p.copied(t)
		if killed(t, q.undoing(t, id), took/8+time.Duration(rng.Int64N(int64(took)))) {
			cut++
		}
		d := q.start(t)
		for state := ""; state != "undone"; {
			if state = d.importState(t, id); state == "done" {
				var u api.Unimported
				if status, err := d.send(t.Context(), "POST", "/memory/imports/"+id+"/undo", struct{}{}, &u); err != nil || status != http.StatusOK {
					t.Fatalf("undo: status %d: %v\n%s", status, err, d.log)
				}
			}
		}
		d.takenIn(t)
		verifyOK(t, d)
		d.kill()
		if diff := cmp.Diff(want, q.brought(t)); diff != "" {
			t.Errorf("(-without a kill +with):\n%s", diff)
		}
	}
	if cut == 0 {
		t.Error("no undo was cut off: the test did not test")
	}
	t.Logf("%d of %d undos were cut off; %d things are left; without a kill it took %s", cut, rounds, len(want), took)
}

// takenIn waits until no turn waits for its facts any more.
func (d *process) takenIn(t *testing.T) {
	t.Helper()
	for waits := 1; waits > 0; time.Sleep(20 * time.Millisecond) {
		var s api.Status
		if status, err := d.send(t.Context(), "GET", "/memory/status", nil, &s); err != nil || status != http.StatusOK {
			t.Fatalf("status %d: %v\n%s", status, err, d.log)
		}
		waits = s.Intake.Queued + s.Intake.Deferred
	}
}

// importState says how an import stands.
func (d *process) importState(t *testing.T, id string) string {
	t.Helper()
	var l api.Imports
	if status, err := d.send(t.Context(), "GET", "/memory/imports", nil, &l); err != nil || status != http.StatusOK {
		t.Fatalf("imports: status %d: %v\n%s", status, err, d.log)
	}
	for _, i := range l.Imports {
		switch {
		case i.ID != id:
		case i.Undone != nil:
			return "undone"
		case i.Undoing:
			time.Sleep(20 * time.Millisecond)
			return "undoing"
		default:
			return "done"
		}
	}
	t.Fatal(fmt.Errorf("%s is not among %+v", id, l))
	return ""
}

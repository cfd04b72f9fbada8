package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/internal/nasty"
)

// The daemon is killed at random moments while it mines a folder that changes between the kills. After a restart the index must equal the
// files, with every file in it.
func TestKilledWhileMining(t *testing.T) {
	rounds := 20
	if testing.Short() {
		rounds = 5
	}
	p, notes := newPlace(t), filepath.Join(t.TempDir(), "notes")
	put := func(name, text string) {
		t.Helper()
		name = filepath.Join(notes, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 400 {
		put(fmt.Sprintf("f%d/n%d.md", i%7, i), fmt.Sprintf("# Note %d\n\nPump number p%dq hums.\n", i, i))
	}
	put("papers/sound.pdf", string(nasty.PDF("The cellar is damp.")))
	put("papers/nasty.pdf", string(nasty.PDFs()["stream in itself"]))
	rng := rand.New(rand.NewPCG(7, 7))
	cut := 0
	for round := range rounds {
		for range 40 {
			i := rng.IntN(400)
			put(fmt.Sprintf("f%d/n%d.md", i%7, i), fmt.Sprintf("# Note %d\n\nPump number p%dq hums, round %d.\n", i, i, round))
		}
		gone := fmt.Sprintf("f0/gone%d.md", round)
		put(gone, "Soon gone.\n")
		if round > 0 {
			if err := os.Remove(filepath.Join(notes, fmt.Sprintf("f0/gone%d.md", round-1))); err != nil {
				t.Fatal(err)
			}
		}
		d := p.start(t)
		answered := make(chan error, 1)
		go func() {
			var m api.Mined
			status, err := d.send(t.Context(), "POST", "/memory/mine", api.Mine{Path: notes, Wait: true}, &m)
			if err == nil && status >= http.StatusBadRequest {
				err = fmt.Errorf("status %d", status)
			}
			answered <- err
		}()
		// The moment of death is what the test varies; it waits for nothing.
		time.Sleep(time.Duration(rng.IntN(400)) * time.Millisecond)
		d.kill()
		if <-answered != nil {
			cut++
		}
	}
	d := p.start(t)
	var m api.Mined
	status, err := d.send(t.Context(), "POST", "/memory/mine", api.Mine{Path: notes, Wait: true}, &m)
	if err != nil || status >= http.StatusBadRequest {
		t.Fatalf("mine: status %d: %v\n%s", status, err, d.log)
	}
	if m.Folder.Files != 403 || m.Folder.Drawers != 402 || len(m.Folder.LeftOut) != 1 {
		t.Errorf("after %d kills: %+v", rounds, m.Folder)
	}
	v := verifyOK(t, d)
	if cut == 0 {
		t.Error("no mining was cut off: the test did not test")
	}
	t.Logf("%d kills, %d of them before the answer, %d rows", rounds, cut, v.Rows)
}

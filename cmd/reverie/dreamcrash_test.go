package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/config"
)

// writeLogs fills the vault with daily logs and returns the ids of their facts.
func writeLogs(t *testing.T, p place, days, each int) map[string]bool {
	t.Helper()
	people := []string{"Mara", "Tomas", "Priya", "Noor", "Ben", "Ida", "Jonas", "Lucia"}
	deeds := []string{
		"repairs clocks in", "teaches chess in", "bought a house in", "sings in a choir in", "runs a bakery in",
		"studies bridges in",
	}
	ids := map[string]bool{}
	n := 0
	for day := range days {
		at := time.Date(2026, 5, 1+day, 0, 0, 0, 0, time.UTC)
		var b strings.Builder
		fmt.Fprintf(&b, "# Daily Log - %s\n\n## 10:00 — chat-%d\n", at.Format(time.DateOnly), day)
		for range each {
			id := fmt.Sprintf("f%09d", n)
			fmt.Fprintf(&b, "- [fact] %s %s town number %d ^%s\n", people[n%len(people)], deeds[n/len(people)%len(deeds)], n, id)
			ids[id], n = true, n+1
		}
		path := filepath.Join(p.vault, "memory", "archive", at.Format(time.DateOnly)+".md")
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return ids
}

// The daemon is killed at random moments while it dreams, and clients go away. In the end every fact is accounted for exactly
// once and stands where the ledger says, the index equals the files, and taking all dreams back leaves no page of theirs.
func TestKilledInADreamLosesNothing(t *testing.T) {
	rounds, days := 24, 60
	if testing.Short() {
		rounds, days = 6, 20
	}
	p := newPlace(t)
	facts := writeLogs(t, p, days, 12)
	before := pagesOf(t, p)
	rng := rand.New(rand.NewPCG(7, 7))
	const small, keep = "REVERIE_CONSOLIDATION_MAX_DAYS=2", "REVERIE_CONSOLIDATION_KEEP_COPIES=1000" // all runs are taken back at the end
	for round := range rounds {
		d := p.start(t, small, keep)
		ctx, gone := context.WithCancel(t.Context())
		info, err := readDaemon(p.data)
		if err != nil {
			t.Fatal(err)
		}
		events := newClient(info, d.token, config.DefaultWorkspace).Events(ctx)
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			for status := 409; status == 409 && ctx.Err() == nil; { // while what was left is gone on with
				status, _ = d.send(ctx, "POST", "/memory/consolidate", api.Consolidate{}, nil)
			}
		}()
		awaitPhase(events, ended, phases[rng.IntN(len(phases))])
		time.Sleep(time.Duration(rng.IntN(20)) * time.Millisecond) // the moment of death varies; it waits for nothing
		if round%3 == 2 {
			gone()
			time.Sleep(time.Duration(rng.IntN(20)) * time.Millisecond)
		}
		d.kill()
		gone()
		<-ended
	}

	d := p.start(t, small, keep)
	var runs []string
	for len(runs) < 100 {
		var r api.Consolidation
		status, err := d.send(t.Context(), "POST", "/memory/consolidate", api.Consolidate{}, &r)
		if status == 409 { // what was left is gone on with in the background
			time.Sleep(20 * time.Millisecond)
			continue
		}
		if err != nil || status != 200 {
			t.Fatalf("status %d: %+v: %v\n%s", status, r, err, d.log)
		}
		if r.Status == "nothing_pending" {
			break
		}
		runs = append(runs, r.RunID)
	}
	accounted, resumed := map[string]api.FactOutcome{}, 0
	var list api.DreamRuns
	if _, err := d.send(t.Context(), "GET", "/memory/dreams?limit=1000", nil, &list); err != nil {
		t.Fatal(err)
	}
	for _, run := range list.Runs {
		if run.Status != "consolidated" {
			t.Errorf("run %s: %s", run.RunID, run.Status)
		}
		if run.Resumed {
			resumed++
		}
		var det api.DreamDetail
		if _, err := d.send(t.Context(), "GET", "/memory/dreams/"+run.RunID, nil, &det); err != nil {
			t.Fatal(err)
		}
		for _, f := range det.Facts {
			if old, twice := accounted[f.Fact]; twice {
				t.Errorf("%s is accounted for twice: %+v and %+v", f.Fact, old, f)
			}
			accounted[f.Fact] = f
		}
	}
	for id := range facts {
		f, ok := accounted[id]
		if !ok {
			t.Errorf("%s is lost: no ledger has it", id)
			continue
		}
		page, err := os.ReadFile(filepath.Join(p.vault, filepath.FromSlash(f.Page)))
		if f.Outcome != "dropped" && (err != nil || !strings.Contains(string(page), "#^"+id)) {
			t.Errorf("%s is %s, but not on %q: %v", id, f.Outcome, f.Page, err)
		}
	}
	verifyOK(t, d)
	t.Logf("%d deaths, %d dreams, %d of them gone on with", rounds, len(list.Runs), resumed)
	if resumed < rounds/8 {
		t.Error("no dream was interrupted after its plan was saved: the test did not test")
	}
	for range list.Runs {
		var answer json.RawMessage
		if status, err := d.send(t.Context(), "POST", "/memory/dreams/latest/undo", nil, &answer); err != nil || status != 200 {
			t.Fatalf("undo: status %d: %s: %v\n%s", status, answer, err, d.log)
		}
	}
	after := pagesOf(t, p)
	maps.DeleteFunc(after, func(name, text string) bool { // a list for a person may stay, without an item
		return strings.HasPrefix(name, "0_Inbox/") && before[name] == "" && !strings.Contains(text, "\n- ")
	})
	if !maps.Equal(after, before) {
		for _, name := range slices.Sorted(maps.Keys(after)) {
			if after[name] != before[name] {
				t.Errorf("after all dreams are taken back, %s is\n%s", name, after[name])
			}
		}
	}
	verifyOK(t, d)
}

var phases = []string{"collect", "plan", "apply", "index", "gate", "navigate"}

// awaitPhase waits until the dream is so far, or over.
func awaitPhase(events <-chan api.Event, ended <-chan struct{}, phase string) {
	for {
		select {
		case <-ended:
			return
		case e, ok := <-events:
			if !ok || e.Kind == "dream" && e.Job != nil && e.Job.Phase == phase {
				return
			}
		}
	}
}

func verifyOK(t *testing.T, d *process) (v api.VerifyResult) {
	t.Helper()
	if status, err := d.send(t.Context(), "POST", "/memory/verify", struct{}{}, &v); err != nil || status != 200 || !v.OK {
		t.Errorf("verify: status %d: %+v: %v\n%s", status, v, err, d.log)
	}
	return v
}

// pagesOf reads the pages of the wiki and MEMORY.md; the journal keeps what was taken back.
func pagesOf(t *testing.T, p place) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(p.vault, func(path string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(p.vault, path)
		rel = filepath.ToSlash(rel)
		if e.IsDir() && (rel == ".state" || rel == "memory/archive" || rel == "memory/drawers") {
			return filepath.SkipDir
		}
		if e.IsDir() || !strings.HasSuffix(rel, ".md") || rel == "log.md" {
			return nil
		}
		data, err := os.ReadFile(path)
		out[rel] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

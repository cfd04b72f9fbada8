package spool

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"
)

// appends in the environment makes this test binary a hook that appends so many events.
const appends = "SPOOL_TEST_APPENDS"

func TestMain(m *testing.M) {
	if n, err := strconv.Atoi(os.Getenv(appends)); err == nil {
		for i := range n {
			if err := Append(os.Args[1], Event{Event: "stop", Session: fmt.Sprintf("%s-%d", os.Args[2], i)}); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// takeAll takes until stop is closed and nothing is left, and lets go of every second batch only after it has taken it twice.
func takeAll(t *testing.T, dir string, stop <-chan struct{}) map[string]bool {
	got := map[string]bool{}
	for n := 0; ; n++ {
		ended := false
		select {
		case <-stop:
			ended = true
		default:
		}
		list, err := Take(dir)
		if err != nil && ended {
			t.Error(err)
			return got
		}
		for _, e := range list {
			got[e.Session] = true
		}
		if n%2 == 0 && len(list) > 0 { // the daemon died here
			continue
		}
		if err := Done(dir); err != nil {
			t.Error(err)
		}
		if ended && !Waiting(dir) {
			return got
		}
	}
}

// Nothing that was appended is lost, whoever takes meanwhile.
func TestManyAtOnceLoseNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "spool")
	stop := make(chan struct{})
	var got map[string]bool
	var taker, hooks sync.WaitGroup
	taker.Go(func() { got = takeAll(t, dir, stop) })
	const programs, routines, each = 8, 200, 5
	for p := range programs {
		hooks.Go(func() {
			c := exec.Command(os.Args[0], dir, fmt.Sprintf("p%d", p))
			c.Env = append(os.Environ(), appends+"=100")
			if out, err := c.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	for r := range routines {
		hooks.Go(func() {
			for i := range each {
				if err := Append(dir, Event{Event: "stop", Session: fmt.Sprintf("r%d-%d", r, i)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	hooks.Wait()
	close(stop)
	taker.Wait()
	if want := programs*100 + routines*each; len(got) != want {
		t.Errorf("%d events arrived, want %d", len(got), want)
	}
}

// Whoever is cut off between taking and letting go gets the same events again, and later ones come after.
func TestTakenStaysUntilDone(t *testing.T) {
	dir := t.TempDir()
	at := time.Date(2026, 6, 9, 14, 32, 0, 0, time.UTC)
	if list, err := Take(dir); err != nil || list != nil || Waiting(dir) {
		t.Fatalf("an empty spool gives %v, %v", list, err)
	}
	first := Event{Event: "stop", Host: "codex", At: at, Session: "s", Transcript: "/t.jsonl", Dir: "/d"}
	second := Event{Event: "prompt", Host: "codex", At: at}
	add := func(e Event) {
		t.Helper()
		if err := Append(dir, e); err != nil {
			t.Fatal(err)
		}
	}
	take := func(want ...Event) {
		t.Helper()
		if list, err := Take(dir); err != nil || !slices.Equal(list, want) {
			t.Fatalf("took %+v, want %+v: %v", list, want, err)
		}
	}
	add(first)
	take(first)
	add(second)
	take(first)
	for range 2 {
		if err := Done(dir); err != nil {
			t.Fatal(err)
		}
	}
	take(second)
}

// What a full disk or a power cut has left of a line costs that line alone.
func TestBrokenLines(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, events), []byte("{\"event\":\"st"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Append(dir, Event{Event: "stop", Session: "whole"}); err != nil {
		t.Fatal(err)
	}
	if list, err := Take(dir); err != nil || len(list) != 1 || list[0].Session != "whole" {
		t.Errorf("took %+v, %v", list, err)
	}
}

func TestLimits(t *testing.T) {
	dir := t.TempDir()
	if err := Append(dir, Event{Event: "stop", Dir: string(make([]byte, maxLine))}); err == nil {
		t.Error("an event without bounds was taken")
	}
	if err := os.Truncate(create(t, filepath.Join(dir, events)), maxFile+1); err != nil {
		t.Fatal(err)
	}
	if err := Append(dir, Event{Event: "stop"}); !errors.Is(err, ErrFull) {
		t.Errorf("a file without bounds: %v", err)
	}
	if err := Append(create(t, filepath.Join(dir, "file")), Event{Event: "stop"}); err == nil {
		t.Error("a folder that is a file")
	}
}

func create(t *testing.T, path string) string {
	t.Helper()
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

package reads

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/recall"
	"github.com/reverie-memory/reverie/vault"
)

// running gives a log over a new vault. stop ends its writer and waits for that.
func running(t *testing.T) (l *Log, stop func()) {
	t.Helper()
	v, err := vault.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	l = New(v, slog.New(slog.DiscardHandler), 30)
	ctx, cancel := context.WithCancel(context.Background())
	go l.Run(ctx)
	stop = func() { cancel(); <-l.ended }
	t.Cleanup(func() {
		stop()
		if err := v.Close(); err != nil {
			t.Error(err)
		}
	})
	return l, stop
}

func TestFoldedReadsStayCounted(t *testing.T) {
	l, stop := running(t)
	for range 3 {
		l.Record(recall.Record{Time: time.Now(), Rows: []string{"f1", "f2"}})
	}
	stop() // writes what is buffered
	for range 2 {
		if err := l.fold(); err != nil {
			t.Fatal(err)
		}
		counts, err := l.Counts()
		if err != nil || len(counts) != 2 || counts["f1"].Count != 3 || counts["f1"].Last == "" {
			t.Errorf("counts %v: %v", counts, err)
		}
		if data, err := l.vault.ReadFile(statePath(LogFile)); err != nil || len(data) > 0 {
			t.Errorf("the log holds %q after folding: %v", data, err)
		}
	}
}

func TestEraseTakesRecordsAndCounts(t *testing.T) {
	l, _ := running(t)
	l.Record(recall.Record{Rows: []string{"f1"}})
	l.Record(recall.Record{Rows: []string{"f2"}, Snippet: "the code is xylophone"})
	l.Record(recall.Record{Rows: []string{"f3"}})
	err := l.Erase(t.Context(), map[string]bool{"f1": true}, func(s string) bool { return s != "" })
	if err != nil {
		t.Fatal(err)
	}
	if counts, err := l.Counts(); err != nil || len(counts) != 1 || counts["f3"].Count != 1 {
		t.Errorf("counts %v: %v", counts, err)
	}
}

func TestEraseEndsWithTheWriter(t *testing.T) {
	l, stop := running(t)
	stop()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := l.Erase(ctx, map[string]bool{"f1": true}, func(string) bool { return false }); err == nil || errors.Is(err,
		context.DeadlineExceeded) {
		t.Errorf("erasing after the end: %v", err)
	}
}

// What is recorded counts at once, and what a context showed unasked does not; what is erased is not counted any more.
func TestReadsAreCountedInMemory(t *testing.T) {
	l, _ := running(t)
	l.Record(recall.Record{Rows: []string{"f1", "f2"}})
	if err := l.Erase(t.Context(), nil, func(string) bool { return false }); err != nil { // writes what is buffered
		t.Fatal(err)
	}
	if n := l.Read("f1", "f3"); n != 1 {
		t.Errorf("%d reads", n)
	}
	for range 2 {
		l.Record(recall.Record{Rows: []string{"f2"}, Shown: []string{"f4"}})
	}
	if err := l.Erase(t.Context(), map[string]bool{"f1": true}, func(string) bool { return false }); err != nil {
		t.Fatal(err)
	}
	if often := l.Often(5); len(often) != 1 || often[0] != "f2" || l.Read("f2") != 2 || l.Read("f4") != 0 {
		t.Errorf("often %q, %d and %d reads", often, l.Read("f2"), l.Read("f4"))
	}
	if err := l.Erase(t.Context(), map[string]bool{"f4": true}, func(string) bool { return false }); err != nil {
		t.Fatal(err)
	}
	if data, err := l.vault.ReadFile(statePath(LogFile)); err != nil || len(data) > 0 || l.Read("f2") != 0 {
		t.Errorf("left: %q, %v", data, err)
	}
}

func TestVisits(t *testing.T) {
	l, _ := running(t)
	v := &Visits{Vault: l.vault}
	day := time.Date(2026, 6, 9, 14, 32, 0, 5, time.UTC)
	if last, err := v.Last("claude"); err != nil || !last.IsZero() {
		t.Errorf("before the first visit: %v, %v", last, err)
	}
	for i, agent := range []string{"claude", "", "codex", "claude"} {
		if err := v.Note(t.Context(), agent, day.AddDate(0, 0, i)); err != nil {
			t.Fatal(err)
		}
	}
	again := &Visits{Vault: l.vault}
	for agent, days := range map[string]int{"claude": 3, "": 1, "codex": 2} {
		if last, err := again.Last(agent); err != nil || !last.Equal(day.AddDate(0, 0, days)) {
			t.Errorf("%q came %v, %v", agent, last, err)
		}
	}
	data, err := l.vault.ReadFile(statePath(VisitsFile))
	if err != nil || bytes.Contains(data, []byte("claude")) {
		t.Errorf("the file holds %s, %v", data, err)
	}
	if err := l.vault.Replace(statePath(VisitsFile), []byte("torn {"), vault.AnyHash); err != nil {
		t.Fatal(err)
	}
	if last, err := again.Last("claude"); err != nil || !last.IsZero() {
		t.Errorf("of a damaged file: %v, %v", last, err)
	}
	many := map[string]time.Time{}
	for i := range maxVisits {
		many[fmt.Sprint(i)] = day.AddDate(0, 0, i)
	}
	if data, err = json.Marshal(many); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(l.vault.Replace(statePath(VisitsFile), data, vault.AnyHash), again.Note(t.Context(), "claude", day)); err != nil {
		t.Fatal(err)
	}
	all, err := again.read()
	if _, oldest := all["0"]; err != nil || oldest || len(all) != maxVisits {
		t.Errorf("%d of too many visitors are left, with the oldest: %v, %v", len(all), oldest, err)
	}
}

// Whoever has gone when a visit is noted, or while it is, has seen nothing and did not come.
func TestAVisitThatWasCutOffIsNone(t *testing.T) {
	leave := func() {}
	disk, err := vault.Open(t.TempDir(), vault.WithFaults(func(string, vault.Path) error { leave(); return nil }))
	if err != nil {
		t.Fatal(err)
	}
	defer disk.Close()
	v := &Visits{Vault: disk}
	day := time.Date(2026, 6, 9, 14, 32, 0, 0, time.UTC)
	for i, since := range []time.Time{{}, day} {
		ctx, cancel := context.WithCancel(t.Context())
		leave = cancel
		for range 2 { // as it is noted, and before
			if err := v.Note(ctx, "claude", day.AddDate(0, 0, 1)); !errors.Is(err, context.Canceled) {
				t.Errorf("a visit that was cut off: %v", err)
			}
		}
		if last, err := v.Last("claude"); err != nil || !last.Equal(since) {
			t.Errorf("%d: the last visit was %v, %v; want %v", i, last, err, since)
		}
		leave = func() {}
		if err := v.Note(t.Context(), "claude", day); err != nil {
			t.Fatal(err)
		}
	}
}

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

	"github.com/google/go-cmp/cmp"

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

// A long drawer, of which an answer has several rows, was read once.
func TestADrawerIsReadOnceAnAnswer(t *testing.T) {
	l, stop := running(t)
	l.Record(recall.Record{Time: time.Now(), Rows: []string{"d1.3", "f1", "d1", "d1.2", "d10"}})
	l.Record(recall.Record{Time: time.Now(), Rows: []string{"d1.2"}})
	stop()
	if n, last := l.Since("d1", "d1.2", "d1.3"); n != 2 || last.IsZero() {
		t.Errorf("the drawer was read %d times, last %s; want 2", n, last)
	}
	if n, _ := l.Since("f1"); n != 1 {
		t.Errorf("another row was read %d times", n)
	}
	if n, _ := l.Since("d10"); n != 1 {
		t.Errorf("another drawer was read %d times", n)
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

// A read fades, and what is folded fades on just as from the log: a window of reads survives the folding.
func TestLatelySurvivesFolding(t *testing.T) {
	l, stop := running(t)
	at := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	var want map[string]Count
	stop() // nothing but this test writes
	for i := range 40 {
		r := recall.Record{Time: at.Add(time.Duration(i) * 31 * time.Hour), Rows: []string{"f1", fmt.Sprint("f", 2+i%12), "f20"}}
		want = map[string]Count{}
		if err := l.vault.AppendState(t.Context(), LogFile, r); err != nil {
			t.Fatal(err)
		}
		if i%7 == 3 {
			if err := l.fold(); err != nil {
				t.Fatal(err)
			}
		}
		for j := range i + 1 {
			count(want, &recall.Record{Time: at.Add(time.Duration(j) * 31 * time.Hour), Rows: []string{"f1", fmt.Sprint("f", 2+j%12), "f20"}})
		}
	}
	got, err := l.Counts()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("folded (-want +got):\n%s", diff)
	}
	if c := got["f1"]; len(c.With) != partners || c.With["f20"] < 10 {
		t.Errorf("read together with f1: %v", c.With)
	}
	now := at.AddDate(0, 0, 60)
	use, later := l.Use(now, "f1"), l.Use(now.AddDate(0, 0, 30), "f1")
	if ratio := later.Lately / use.Lately; ratio < 0.3678 || ratio > 0.3680 || use.Lately < 10 || use.Last.IsZero() {
		t.Errorf("after 30 days %v of %v is left", later.Lately, use.Lately)
	}
	if never := l.Use(now, "f99"); never.Lately != 0 || !never.Last.IsZero() || never.With != nil {
		t.Errorf("a row that was never read: %+v", never)
	}
}

// Lines that an older version folded count as one read, and what is erased is no partner of others any more.
func TestCountsOfOlderVersionsAndErasedPartners(t *testing.T) {
	l, _ := running(t)
	old := `{"row":"f1","count":12,"last":"2026-06-09T14:32:01Z"}` + "\n" +
		`{"row":"f2","count":1,"last":"2026-06-09T14:32:01Z","lately":1,"with":{"f1":2,"f3":1}}` + "\n"
	if err := l.vault.Replace(statePath(CountsFile), []byte(old), vault.AnyHash); err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 6, 9, 14, 32, 1, 0, time.UTC)
	if use := l.Use(at, "f1"); use.Lately != 1 {
		t.Errorf("of an older version: %+v", use)
	}
	if err := l.Erase(t.Context(), map[string]bool{"f1": true}, func(string) bool { return false }); err != nil {
		t.Fatal(err)
	}
	if use := l.Use(at, "f1", "f2"); use.Lately != 1 || len(use.With) != 1 || use.With["f3"] != 1 {
		t.Errorf("after erasing: %+v", use)
	}
	data, err := l.vault.ReadFile(statePath(CountsFile))
	if err != nil || bytes.Contains(data, []byte("f1")) {
		t.Errorf("%s %v", data, err)
	}
}

// What was read later does not count, whether the log still tells the reads apart or they were folded to one number.
func TestReadsBefore(t *testing.T) {
	l, stop := running(t)
	stop() // nothing but this test writes
	at := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	read := func(day int, rows ...string) {
		t.Helper()
		if err := l.vault.AppendState(t.Context(), LogFile, recall.Record{Time: at.AddDate(0, 0, day), Rows: rows}); err != nil {
			t.Fatal(err)
		}
	}
	read(0, "f1", "f2")
	read(1, "f3")
	if err := l.fold(); err != nil {
		t.Fatal(err)
	}
	read(2, "f1")
	read(9, "f1", "f4")
	now, then := l.Before(at.AddDate(0, 0, 9)), l.Before(at.AddDate(0, 0, 8))
	for _, c := range []struct {
		reads recall.Reads
		row   string
		want  int
	}{{now, "f1", 3}, {now, "f4", 1}, {then, "f1", 2}, {then, "f3", 1}, {then, "f4", 0}, {l.Before(at), "f1", 1}, {l.Before(at), "f3", 0}} {
		if n := c.reads.Read(c.row); n != c.want {
			t.Errorf("%s: %d reads, want %d", c.row, n, c.want)
		}
	}
	if often := then.Often(9); len(often) != 3 || often[0] != "f1" {
		t.Errorf("often read: %q", often)
	}
	if use := then.Use(at.AddDate(0, 0, 8), "f1"); !use.Last.Equal(at.AddDate(0, 0, 2)) || use.With["f4"] > 0 || use.With["f2"] == 0 {
		t.Errorf("%+v", use)
	}
}

package dream_test

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/dream"
	"github.com/reverie-memory/reverie/vault"
)

// Many facts are a matter of batches and seconds, not of memory or of hours.
func TestManyFacts(t *testing.T) {
	if testing.Short() {
		t.Skip("50,000 facts")
	}
	const perDay, days, perRun = 2000, 25, 14
	w := newWorld(t, "2026-07-01 03:00")
	day := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	n := 0
	for range days {
		var facts []string
		for range perDay {
			n++
			facts = append(facts, fmt.Sprintf("[fact] Person%d saw number %d at place %d #p%d", n%400, n, n%97, n%400))
		}
		w.tell(day.Format(time.DateOnly), "Alice", "c", facts...)
		day = day.AddDate(0, 0, 1)
	}
	start := time.Now()
	for w.mark() < vault.Day("2026-06-25") {
		rep := w.run()
		if rep.Status != dream.Consolidated || rep.Facts != perDay*len(rep.Days) || len(rep.Days) > perRun {
			t.Fatalf("%s, %d facts of %d days: %v", rep.Status, rep.Facts, len(rep.Days), rep.Notes)
		}
		t.Logf("%d facts in %.1f s, %v, %d pages", rep.Facts, rep.Seconds, rep.Ledger, len(rep.Pages))
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	t.Logf("%d facts in %s, %d MB from the system", n, time.Since(start).Round(time.Second), m.Sys>>20)
	known, err := w.v.Accounted()
	if err != nil || known.Len() != n {
		t.Errorf("%d facts of %d are accounted for, %v", known.Len(), n, err)
	}
	w.account()
}

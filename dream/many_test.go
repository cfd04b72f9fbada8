package dream_test

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/dream"
	"github.com/reverie-memory/reverie/vault"
)

// earlierRuns leaves what n finished runs of so many facts leave, without their pages and plans.
func (w *world) earlierRuns(n, facts int) {
	w.t.Helper()
	day := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	for r := range n {
		run := "r-" + day.Format("20060102") + "-0300"
		var ledger, written strings.Builder
		for i := range facts {
			line, err := json.Marshal(dream.LedgerLine{
				Fact: vault.DeriveID('f', fmt.Sprint(r, i)), Day: vault.DayOf(day),
				Outcome: dream.Kept, Run: run, Page: "3_Personal/Alice.md", By: "rules",
				Speaker: "Alice", Chat: fmt.Sprint("chat-", i%20), Origin: "user", At: day,
			})
			if err != nil {
				w.t.Fatal(err)
			}
			ledger.Write(append(line, '\n'))
			fmt.Fprintf(&written, "%016x\n", uint64(r)<<32|uint64(i)*2654435761)
		}
		w.write(".state/dreams/"+run+"/ledger.jsonl", ledger.String())
		w.write(".state/dreams/"+run+"/written.txt", written.String())
		w.write(".state/dreams/"+run+"/done", "\n")
		day = day.AddDate(0, 0, 1)
	}
}

// Years of earlier runs do not make the next one slow or large.
func TestManyRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("500,000 facts")
	}
	w := newWorld(t, "2026-06-10 03:00")
	w.earlierRuns(500, 1000)
	exampleFacts(w)
	w.restart()
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	allocated := func() uint64 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.TotalAlloc
	}
	before := heap()
	var first uint64
	for n := range 3 { // the first reads all ledgers, once for each start of a program; what it allocates for that tells it from later ones
		start := allocated()
		if rep := w.run(); rep.Status != dream.Consolidated {
			t.Fatalf("%+v", rep)
		}
		took := (allocated() - start) >> 20
		t.Logf("run %d: %d MB", n+1, took)
		if n == 0 {
			first = took
		} else if took > first/4 {
			t.Errorf("the first run allocated %d MB, a later one %d", first, took)
		}
		w.tell("2026-06-09", "Alice", fmt.Sprint(n), fmt.Sprintf("[personal] Alice likes tune %d", n))
	}
	if held := int64(heap()-before) >> 20; held > 100 {
		t.Errorf("%d MB are held", held)
	} else {
		t.Logf("%d MB are held", held)
	}
}

package dream_test

import (
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/dream"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// The example of the docs, from facts to pages.
func TestExampleVault(t *testing.T) {
	w := newWorld(t, "2026-06-10 03:00")
	exampleFacts(w)
	rep := w.run()
	for o, n := range map[dream.Outcome]int{dream.Kept: 5, dream.Duplicate: 1, dream.Superseded: 2, dream.Conflicted: 2} {
		if rep.Ledger[o] != n {
			t.Errorf("%d %s, not %d", rep.Ledger[o], o, n)
		}
	}
	w.account()
	const golden = "testdata/dream.golden"
	got := w.dump()
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("-want +got, -update rewrites it:\n%s", d)
	}
}

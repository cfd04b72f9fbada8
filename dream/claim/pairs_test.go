package claim

import (
	_ "embed"
	"strings"
	"testing"
)

//go:embed testdata/apart.txt
var apartPairs string

//go:embed testdata/open.txt
var openPairs string

// pairs reads lines of two statements with a bar between them.
func pairs(t *testing.T, text string, each func(earlier, now *Claim)) {
	t.Helper()
	for line := range strings.Lines(text) {
		a, b, ok := strings.Cut(strings.TrimSpace(line), " | ")
		if !ok {
			t.Fatalf("no pair: %q", line)
		}
		each(Parse(a, "", "2026-06-02"), Parse(b, "", "2026-06-09"))
	}
}

// Both statements of a pair stay true.
func TestApartPairs(t *testing.T) {
	pairs(t, apartPairs, func(earlier, now *Claim) {
		if got := Compare(earlier, now); got != Unrelated {
			t.Errorf("%q, then %q: %v", earlier.Text, now.Text, got)
		}
	})
}

// The statement leaves the task open.
func TestOpenPairs(t *testing.T) {
	pairs(t, openPairs, func(task, now *Claim) {
		if Done(task, now) {
			t.Errorf("%q is done by %q", task.Text, now.Text)
		}
	})
}

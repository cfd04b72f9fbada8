package claim

import (
	_ "embed"
	"strings"
	"testing"
)

//go:embed testdata/overtaken.txt
var overtakenPairs string

// What ends a part of a statement, denies it, counts anew, or says that somebody was wrong.
func TestOvertakenPairs(t *testing.T) {
	for line := range strings.Lines(overtakenPairs) {
		want, rest, _ := strings.Cut(strings.TrimSpace(line), " | ")
		a, b, _ := strings.Cut(rest, " | ")
		if got := Compare(Parse(a, "Rosa", "2026-06-02"), Parse(b, "Rosa", "2026-06-09")); got.String() != want {
			t.Errorf("%q, then %q: %v, want %s", a, b, got, want)
		}
	}
}

package claim

import (
	_ "embed"
	"strings"
	"testing"
)

//go:embed testdata/long.txt
var longPairs string

//go:embed testdata/unseen.txt
var unseenPairs string

// Long statements, as assistants write them. None may end what stays true; those of unseen.txt were not looked at while the rules were
// written.
func TestLongChanges(t *testing.T) {
	for _, set := range []struct {
		name, lines string
		least       int
	}{{"long", longPairs, 55}, {"unseen", unseenPairs, 11}} {
		t.Run(set.name, func(t *testing.T) {
			ended, changes := 0, strings.Count(set.lines, "change | ")
			for line := range strings.Lines(set.lines) {
				want, rest, _ := strings.Cut(strings.TrimSpace(line), " | ")
				pairs(t, rest, func(earlier, now *Claim) {
					got := Compare(earlier, now)
					switch {
					case want == "apart" && got != Unrelated:
						t.Errorf("%q, then %q: %v", earlier.Text, now.Text, got)
					case want == "change" && got == Change:
						ended++
					case want == "change" && set.name == "long":
						t.Logf("%q, then %q: %v", earlier.Text, now.Text, got)
					}
				})
			}
			t.Logf("%d of %d changes seen", ended, changes)
			if ended < set.least {
				t.Errorf("only %d of %d changes seen", ended, changes)
			}
		})
	}
}

package claim

import (
	_ "embed"
	"slices"
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

// A word is cut at each apostrophe, and folded once however many these are.
func TestWordOfManyApostrophes(t *testing.T) {
	for word, want := range map[string][]string{
		"d'l'Eau":   {"d", "l", "eau"},
		"L’D’Ami's": {"l", "d", "ami", "'s"},
		"l'don't":   {"l'do", "not"},
		"D'L'Été's": {"d", "l", "ete", "'s"},
		"ami'l'eau": {"ami'l'eau"},
	} {
		var got []string
		for _, tok := range addWord(nil, word) {
			got = append(got, tok.fold)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q is cut into %q, want %q", word, got, want)
		}
	}
	word := strings.Repeat("A'", 1000) + "B"
	if n := testing.AllocsPerRun(1, func() { addWord(nil, word) }); n > 50 {
		t.Errorf("a word of 1,000 apostrophes takes %v allocations", n)
	}
}

package lexis

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"testing"
)

// occasionSums has one sum for each version of [Occasion]: of its words, and of what it tells of sentences that are made of them.
var occasionSums = []string{
	"65babc44eb00d31f",
}

// Rows of an index know what Occasion told of them: whoever changes it raises its version, so that they are told anew.
func TestOccasionHasItsVersion(t *testing.T) {
	words := [][]string{}
	for _, set := range []map[string]bool{wishing, opening, doing, wanting, asking} {
		words = append(words, slices.Sorted(maps.Keys(set)))
	}
	h := sha256.New()
	fmt.Fprintln(h, words, askingStems)
	wish, open, who, want, ask := words[0], words[1], words[2], words[3], words[4]
	told := 0
	tell := func(format string, args ...any) {
		text := fmt.Sprintf(format, args...)
		when := Occasion(text)
		if when != "" {
			told++
		}
		fmt.Fprintf(h, "%q %q\n", text, when)
	}
	for i := range max(len(wish), len(open), len(who), len(want), len(ask)) {
		of := func(list []string) string { return list[i%len(list)] }
		for _, w := range []string{of(wish), "Always", "today"} {
			tell("%s name the price %s I %s about bicycles.", w, of(open), of(ask))
			tell("%s I %s about bicycles, %s name the price", of(open), of(ask), w)
			tell("Thanks! %s %s go when %s ask about taxes; bye.", of(who), w, of(who))
			tell("%s %s %s sing if I talk about taxes.", of(who), of(want), w)
			tell("%s %s %s %s about taxes, %s stop", of(open), of(who), w, of(ask), w)
			tell("%s laughed %s %s %s about them?", of(who), w, of(open), of(ask))
			tell("%s: nenne die Quelle – %s ich nach Studien %s", w, of(open), of(ask))
		}
	}
	sum := fmt.Sprintf("%x", h.Sum(nil)[:8])
	if len(occasionSums) != OccasionVersion || occasionSums[len(occasionSums)-1] != sum {
		t.Errorf("Occasion has version %d and the sum %s, of which %v knows nothing: raise the version, and add its sum", OccasionVersion, sum,
			occasionSums)
	}
	if told < 50 {
		t.Errorf("it tells of %d of the sentences only", told)
	}
}

package trust

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// An expression is asked of each text that it matches: of words of the questions themselves, in any order, so that many do.
func TestTheSieveLetsThroughWhatMatches(t *testing.T) {
	q := asked()
	words := regexp.MustCompile(`[a-z']+`).FindAllString(languageFile, -1)
	words = append(words, ".", ":", "|", "sh", "<|", "|>", "</", "[inst]", "###", "a@b.example", "https://x", "www.x", "c.dev", "--yolo",
		"rm -rf")
	rnd := rand.New(rand.NewPCG(1, 2))
	matched := map[int]bool{}
	for range 4000 {
		var text []string
		for range 1 + rnd.IntN(12) {
			text = append(text, words[rnd.IntN(len(words))])
		}
		l := q.line(strings.Join(text, " "))
		for _, e := range q.all {
			if !e.MatchString(l.text) {
				continue
			}
			if matched[e.n] = true; !l.may[e.n] {
				t.Fatalf("%q matches %v, which is not asked", l.text, e)
			}
		}
	}
	if len(matched) < len(q.all)*2/3 {
		t.Errorf("%d of %d expressions matched anything", len(matched), len(q.all))
	}
	for _, e := range q.all {
		if e.always {
			t.Errorf("%v has no literals: it is asked of every text", e)
		}
	}
}

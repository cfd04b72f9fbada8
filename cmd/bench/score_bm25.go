package main

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/reverie-memory/reverie/lexis"
)

// The baseline: plain BM25 over turns as "speaker: text", with its own stop words and light
// stemming, so that a change of ours never moves the line that we are compared with.

func bm25Stop() map[string]bool {
	return lexis.Set(`a an and are as at be been but by did do does for from had has have he her his how i if in is it
		its me my of on or our she so that the their them they this to was we were what when where which who whom whose why will with you
		your`)
}

func bm25Terms(text string, stop map[string]bool) []string {
	text = strings.NewReplacer("'s", "", "\u2019s", "").Replace(strings.ToLower(text))
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
	out := words[:0]
	for _, w := range words {
		if !stop[w] {
			out = append(out, bm25Stem(w))
		}
	}
	return out
}

// bm25Stem strips common English endings.
func bm25Stem(w string) string {
	for _, rule := range [][2]string{{"ies", "y"}, {"ing", ""}, {"ed", ""}, {"es", ""}, {"ly", ""}, {"s", ""}} {
		suffix, keep := rule[0], rule[1]
		if !strings.HasSuffix(w, suffix) || runes(w)-len(suffix) < 3 {
			continue
		}
		w = w[:len(w)-len(suffix)] + keep
		if r := []rune(w); (suffix == "ing" || suffix == "ed") && len(r) > 3 && r[len(r)-1] == r[len(r)-2] && r[len(r)-1] != 's' &&
			r[len(r)-1] != 'l' {
			return string(r[:len(r)-1])
		}
		return w
	}
	if strings.HasSuffix(w, "e") && runes(w) > 4 {
		return w[:len(w)-1]
	}
	return w
}

func runes(s string) int { return len([]rune(s)) }

// runBM25 ranks the turns of each conversation for each of its questions.
func runBM25(convs []conversation) ranking {
	const k1, b = 1.2, 0.75
	type post struct{ doc, n int }
	stop := bm25Stop()
	out := ranking{}
	for _, c := range convs {
		posts := map[string][]post{}
		lengths := make([]float64, len(c.Turns))
		total := 0.0
		for i, t := range c.Turns {
			counts := map[string]int{}
			terms := bm25Terms(t.Speaker+": "+t.Text, stop)
			for _, w := range terms {
				counts[w]++
			}
			for w, n := range counts {
				posts[w] = append(posts[w], post{i, n})
			}
			lengths[i] = float64(len(terms))
			total += lengths[i]
		}
		mean := total / max(1, float64(len(c.Turns)))
		for _, q := range c.Queries {
			terms := bm25Terms(q.Question, stop)
			slices.Sort(terms)
			scores := map[int]float64{}
			for _, w := range slices.Compact(terms) {
				p := posts[w]
				idf := math.Log(1 + (float64(len(c.Turns))-float64(len(p))+0.5)/(float64(len(p))+0.5))
				for _, x := range p {
					n := float64(x.n)
					scores[x.doc] += idf * n * (k1 + 1) / (n + k1*(1-b+b*lengths[x.doc]/mean))
				}
			}
			out[q.ID] = best(&c, func(i int) float64 { return scores[i] })
		}
	}
	return out
}

package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/reverie-memory/reverie/extract/thread"
)

// A verdict is how probable a model finds something, and whether it is so.
type verdict struct {
	p   float64
	yes bool
}

// measure judges the conversations of each author by models that learnt from all others, and prints how precise they are where they find
// some shares of what there is: of turns worth a line, and of messages that are needed.
func measure(out io.Writer, all examples) {
	parts := [thread.Heads]map[string][]verdict{{}, {}, {}}
	for _, author := range all.authors() {
		var test examples
		for h := range all {
			for _, e := range all[h] {
				if e.author == author {
					test[h] = append(test[h], e)
				}
			}
		}
		weights := train(all.without(author))
		for h := range test {
			for i, e := range test[h] {
				v := verdict{thread.Probability(weights, h, e.Features), e.Yes}
				if h == thread.Keep && i > 0 && test[h][i-1].turn == e.turn { // a turn is judged by its best sentence
					for _, part := range []string{e.style, "author " + author, "all"} {
						last := &parts[h][part][len(parts[h][part])-1]
						last.p, last.yes = max(last.p, v.p), last.yes || v.yes
					}
					continue
				}
				for _, part := range []string{e.style, "author " + author, "all"} {
					parts[h][part] = append(parts[h][part], v)
				}
			}
		}
	}
	for h, what := range [thread.Heads]string{"turns", "messages before", "lines"} {
		for _, part := range slices.Sorted(maps.Keys(parts[h])) {
			list := parts[h][part]
			fmt.Fprintf(out, "%-16s %5d %s, AUC %.3f;  precision (threshold) at recall", part, len(list), what, auc(list))
			for _, recall := range []float64{0.3, 0.4, 0.5, 0.6, 0.7, 0.8} {
				threshold, precision := at(list, recall)
				fmt.Fprintf(out, "  %.0f: %.0f (%.2f)", 100*recall, precision, threshold)
			}
			fmt.Fprintln(out)
		}
	}
}

// auc sorts verdicts and returns how probably one that is so is judged higher than one that is not.
func auc(list []verdict) float64 {
	slices.SortStableFunc(list, func(a, b verdict) int { return cmp.Compare(b.p, a.p) })
	above, pairs := 0, 0
	for _, v := range list {
		if v.yes {
			above++
		} else {
			pairs += above
		}
	}
	return float64(pairs) / float64(max(1, above*(len(list)-above)))
}

// at tells, for the threshold that finds a share of what there is in a sorted list, that threshold and how many percent of what is found
// are right.
func at(list []verdict, recall float64) (threshold, precision float64) {
	need, right := 0.0, 0
	for _, v := range list {
		if v.yes {
			need += recall
		}
	}
	for i, v := range list {
		if v.yes {
			right++
		}
		if float64(right) >= need {
			return v.p, 100 * float64(right) / float64(i+1)
		}
	}
	return 0, 0
}

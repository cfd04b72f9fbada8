package main

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/reverie-memory/reverie/extract/thread"
	"github.com/reverie-memory/reverie/internal/linear"
)

// measure judges the conversations of each author by models that learnt from all others, and prints how precise they are where they find
// some shares of what there is: of turns worth a line, and of messages that are needed.
func measure(out io.Writer, all examples) {
	parts := [thread.Heads]map[string]linear.Verdicts{{}, {}, {}}
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
				v := linear.Verdict{P: thread.Probability(weights, h, e.Features), Yes: e.Yes}
				if h == thread.Keep && i > 0 && test[h][i-1].turn == e.turn { // a turn is judged by its best sentence
					for _, part := range []string{e.style, "author " + author, "all"} {
						last := &parts[h][part][len(parts[h][part])-1]
						last.P, last.Yes = max(last.P, v.P), last.Yes || v.Yes
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
			list.Sort()
			fmt.Fprintf(out, "%-16s %5d %s, AUC %.3f;  precision (threshold) at recall", part, len(list), what, list.AUC())
			for _, recall := range []float64{0.3, 0.4, 0.5, 0.6, 0.7, 0.8} {
				threshold, precision := list.At(recall)
				fmt.Fprintf(out, "  %.0f: %.0f (%.2f)", 100*recall, precision, threshold)
			}
			fmt.Fprintln(out)
		}
	}
}

package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/extract/worth"
	"github.com/reverie-memory/reverie/internal/linear"
	"github.com/reverie-memory/reverie/internal/slice"
)

// judge trains on the sentences of all authors but one and judges those of that one, for each author. The verdicts are by style and
// language, by author, and all together under "all".
func judge(examples []example) map[string]linear.Verdicts {
	by := map[string][]example{}
	for _, e := range examples {
		by[e.author] = append(by[e.author], e)
	}
	out := map[string]linear.Verdicts{}
	for author, test := range by {
		weights := train(slice.Keep(examples, func(e example) bool { return e.author != author })).bytes()
		for _, e := range test {
			v := linear.Verdict{P: worth.Probability(weights, worth.Worth, e.features), Yes: e.labels[worth.Worth]}
			for _, part := range []string{e.style, "author " + e.author, "all"} {
				out[part] = append(out[part], v)
			}
		}
	}
	for _, vs := range out {
		vs.Sort()
	}
	return out
}

// measure prints, for each style and author, how precise the model is where it finds some shares of what is worth a line.
func measure(out io.Writer, examples []example) {
	parts := judge(examples)
	for _, part := range slices.SortedFunc(maps.Keys(parts), strings.Compare) {
		vs := parts[part]
		fmt.Fprintf(out, "%-15s %5d sentences, %4d worth a line, AUC %.3f;  precision (threshold) at recall",
			part, len(vs), vs.Wanted(), vs.AUC())
		for _, recall := range []float64{0.5, 0.6, 0.7, 0.8, 0.9} {
			threshold, precision := vs.At(recall)
			fmt.Fprintf(out, "  %.0f: %.0f (%.2f)", 100*recall, precision, threshold)
		}
		fmt.Fprintln(out)
	}
}

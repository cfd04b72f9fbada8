package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/extract/worth"
)

// A verdict is how probably a sentence is worth a line, and whether it is.
type verdict struct {
	p    float64
	keep bool
}

type verdicts []verdict

// judge trains on the sentences of all authors but one and judges those of that one, for each author. The verdicts are by style and
// language, by author, and all together under "all".
func judge(examples []example) map[string]verdicts {
	by := map[string][]example{}
	for _, e := range examples {
		by[e.author] = append(by[e.author], e)
	}
	out := map[string]verdicts{}
	for author, test := range by {
		var learn []example
		for _, e := range examples {
			if e.author != author {
				learn = append(learn, e)
			}
		}
		weights := train(learn).bytes()
		for _, e := range test {
			v := verdict{worth.Probability(weights, worth.Worth, e.features), e.labels[worth.Worth]}
			for _, part := range []string{e.style, "author " + e.author, "all"} {
				out[part] = append(out[part], v)
			}
		}
	}
	for _, vs := range out {
		slices.SortFunc(vs, func(a, b verdict) int {
			if d := cmp.Compare(b.p, a.p); d != 0 || a.keep == b.keep {
				return d
			} else if a.keep {
				return 1
			}
			return -1
		})
	}
	return out
}

// wanted counts the sentences that are worth a line.
func (vs verdicts) wanted() (n int) {
	for _, v := range vs {
		if v.keep {
			n++
		}
	}
	return n
}

// auc is how probably a sentence that is worth a line is judged higher than one that is not.
func (vs verdicts) auc() float64 {
	above, pairs := 0, 0 // sentences worth a line so far; pairs in the right order
	for _, v := range vs {
		if v.keep {
			above++
		} else {
			pairs += above
		}
	}
	return float64(pairs) / float64(max(1, above*(len(vs)-above)))
}

// at tells, for the threshold that finds a share of what is worth a line, that threshold and how many percent of what is found are.
func (vs verdicts) at(recall float64) (threshold, precision float64) {
	need, right := recall*float64(vs.wanted()), 0
	for i, v := range vs {
		if v.keep {
			right++
		}
		if float64(right) >= need {
			return v.p, 100 * float64(right) / float64(i+1)
		}
	}
	return 0, 0
}

// measure prints, for each style and author, how precise the model is where it finds some shares of what is worth a line.
func measure(out io.Writer, examples []example) {
	parts := judge(examples)
	for _, part := range slices.SortedFunc(maps.Keys(parts), strings.Compare) {
		vs := parts[part]
		fmt.Fprintf(out, "%-15s %5d sentences, %4d worth a line, AUC %.3f;  precision (threshold) at recall", part, len(vs), vs.wanted(), vs.auc())
		for _, recall := range []float64{0.5, 0.6, 0.7, 0.8, 0.9} {
			threshold, precision := vs.at(recall)
			fmt.Fprintf(out, "  %.0f: %.0f (%.2f)", 100*recall, precision, threshold)
		}
		fmt.Fprintln(out)
	}
}

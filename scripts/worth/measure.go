package main

import (
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"slices"

	"github.com/reverie-memory/reverie/extract/worth"
)

const folds = 5

// A verdict is how probably a sentence is worth a line, and whether it is.
type verdict struct {
	p    float64
	keep bool
}

type verdicts []verdict

// A score counts sentences: worth a line, taken for that, and both.
type score struct{ wanted, taken, right int }

func (s score) precision() float64 { return 100 * float64(s.right) / float64(max(1, s.taken)) }
func (s score) recall() float64    { return 100 * float64(s.right) / float64(max(1, s.wanted)) }

// at counts with a threshold.
func (vs verdicts) at(threshold float64) (s score) {
	for _, v := range vs {
		take := v.p >= threshold
		if v.keep {
			s.wanted++
		}
		if take {
			s.taken++
		}
		if v.keep && take {
			s.right++
		}
	}
	return s
}

// judge trains on the conversations of all folds but one and judges those of that one, for each fold. The verdicts are by style and
// language, and all together under "all".
func judge(examples []example) map[string]verdicts {
	styles := map[string]verdicts{}
	for fold := range folds {
		var learn, test []example
		for _, e := range examples {
			h := fnv.New32a()
			h.Write([]byte(e.conv))
			if int(h.Sum32()>>8)%folds == fold {
				test = append(test, e)
			} else {
				learn = append(learn, e)
			}
		}
		weights := train(learn).bytes()
		for _, e := range test {
			p := worth.Probabilities(weights, e.features)
			v := verdict{p[worth.Lasting] * p[worth.Alone], e.labels[worth.Lasting] && e.labels[worth.Alone]}
			styles[e.style] = append(styles[e.style], v)
			styles["all"] = append(styles["all"], v)
		}
	}
	return styles
}

// measure prints precision and recall for some thresholds.
func measure(out io.Writer, examples []example) {
	styles := judge(examples)
	for _, style := range slices.Sorted(maps.Keys(styles)) {
		fmt.Fprintf(out, "%-14s %5d sentences:", style, len(styles[style]))
		for _, threshold := range []float64{0.25, 0.3, 0.35, 0.4, 0.5} {
			s := styles[style].at(threshold)
			fmt.Fprintf(out, "  %.2f: %2.0f/%2.0f", threshold, s.precision(), s.recall())
		}
		fmt.Fprintln(out)
	}
}

package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/dream/start"
	"github.com/reverie-memory/reverie/internal/linear"
)

// verdicts are what models say of the lines of authors whom neither has seen, by kind of conversation and all together under "all".
func (all examples) verdicts() map[string]linear.Verdicts {
	lines, out := all.judged(), map[string]linear.Verdicts{}
	for n := range folds {
		authors := all.fold(n)
		seen := func(l line) bool { return !slices.Contains(authors, authorOf(l.Conv)) }
		table := fit(slices.DeleteFunc(slices.Clone(lines), func(l line) bool { return !seen(l) }))
		for _, l := range lines {
			if seen(l) {
				continue
			}
			odds, terms := 0.0, l.Terms()
			for i := range start.Terms {
				odds += table[i] * terms[i]
			}
			kind := strings.Split(l.Conv, "-")[1]
			for _, key := range []string{kind, "all"} {
				out[key] = append(out[key], linear.Verdict{P: linear.Sigmoid(odds), Yes: l.Want == 1})
			}
		}
	}
	for _, v := range out {
		v.Sort()
	}
	return out
}

// measure tells, for a few bars, how many lines are above them and how many of these are wanted.
func (all examples) measure(out io.Writer) {
	by := all.verdicts()
	for _, kind := range []string{"assistant", "coding", "friends", "messenger", "all"} {
		v := by[kind]
		fmt.Fprintf(out, "%-10s %4d lines, %2d %% wanted, AUC %.2f; above:", kind, len(v), 100*v.Wanted()/max(1, len(v)), v.AUC())
		for _, bar := range []float64{0.4, 0.5, 0.6, 0.65, 0.7, 0.75, 0.8} {
			n := slices.IndexFunc(v, func(x linear.Verdict) bool { return x.P < bar })
			if n < 0 {
				n = len(v)
			}
			fmt.Fprintf(out, "  %.2f: %d of %d (%d %%)", bar, v[:n].Wanted(), n, 100*v[:n].Wanted()/max(1, n))
		}
		fmt.Fprintln(out)
	}
}

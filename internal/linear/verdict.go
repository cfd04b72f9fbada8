package linear

import (
	"cmp"
	"slices"

	"github.com/reverie-memory/reverie/internal/slice"
)

// A Verdict is how probable a model finds something, and whether it is so.
type Verdict struct {
	P   float64
	Yes bool
}

// Verdicts are those about examples that the model has not seen.
type Verdicts []Verdict

// Sort puts the most probable first, and of equal ones those that are not so.
func (vs Verdicts) Sort() {
	slices.SortFunc(vs, func(a, b Verdict) int {
		if d := cmp.Compare(b.P, a.P); d != 0 || a.Yes == b.Yes {
			return d
		} else if a.Yes {
			return 1
		}
		return -1
	})
}

// Wanted counts what is so.
func (vs Verdicts) Wanted() (n int) {
	return slice.Count(vs, func(v Verdict) bool { return v.Yes })
}

// AUC is how probably, of sorted verdicts, one that is so stands before one that is not.
func (vs Verdicts) AUC() float64 {
	above, pairs := 0, 0 // those that are so, up to here; pairs in the right order
	for _, v := range vs {
		if v.Yes {
			above++
		} else {
			pairs += above
		}
	}
	return float64(pairs) / float64(max(1, above*(len(vs)-above)))
}

// At tells, of sorted verdicts, for the threshold that finds a share of what there is, that threshold and how many percent of what is found
// are right.
func (vs Verdicts) At(recall float64) (threshold, precision float64) {
	need, right := recall*float64(vs.Wanted()), 0
	for i, v := range vs {
		if v.Yes {
			right++
		}
		if float64(right) >= need {
			return v.P, 100 * float64(right) / float64(i+1)
		}
	}
	return 0, 0
}

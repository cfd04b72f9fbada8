package redact

import (
	"strings"
	"sync"

	"github.com/reverie-memory/reverie/internal/linear"
)

// topicExamples are the words around each secret of a sample, or where none is told, around a place every sixty words.
func (s sample) topicExamples() (out []linear.Example) {
	ts, _ := terms(s.text)
	put := func(first, last int, yes bool, weight float64) {
		var e linear.Example
		before := uint32(0)
		from, to := max(0, first-topicAhead), min(len(ts), last+topicBehind)
		if from > 0 {
			before = ts[from-1].hash
		}
		for i := from; i < to; i++ {
			h := ts[i].hash
			if i < first || i >= last {
				one, two := topicOf(h, before)
				e.Features = append(e.Features, one, two)
			}
			before = h
		}
		e.Yes, e.Weight = yes, weight
		out = append(out, e)
	}
	if s.near {
		n := (len(ts) + 59) / 60
		for i := range n {
			at := len(ts) * 2 / 3
			if n > 1 {
				at = i*60 + 30
			}
			at = min(at, i*60+topicAhead, len(ts))
			put(at, at, false, s.weight/float64(n))
		}
		return out
	}
	for _, m := range s.marks {
		first := 0
		for first < len(ts) && int(ts[first].to) <= m.start {
			first++
		}
		last := first
		for last < len(ts) && int(ts[last].from) < m.stop {
			last++
		}
		put(first, last, true, s.weight/float64(len(s.marks)))
	}
	return out
}

const topicFolds = 5

// foldOf is the fold of a sample: that of its author, or for ours and talk by turns, all of a line in one.
func foldOf(s sample, i int) int {
	if s.author != "" {
		for n, f := range folds {
			if strings.Contains(f, s.author) {
				return n
			}
		}
	}
	if s.group > 0 {
		i = s.group / 4
	}
	return i % topicFolds
}

// topicModels are trained without a fold each, and the last one on all samples.
func topicModels(samples []sample) []linear.Weights {
	var ex [][]linear.Example
	for _, s := range samples {
		ex = append(ex, s.topicExamples())
	}
	out := make([]linear.Weights, topicFolds+1)
	var training sync.WaitGroup
	for k := range out {
		training.Go(func() {
			var in []linear.Example
			for i, s := range samples {
				if foldOf(s, i) != k {
					in = append(in, ex[i]...)
				}
			}
			out[k] = linear.Train(in, 1<<topicBits)
		})
	}
	training.Wait()
	return out
}

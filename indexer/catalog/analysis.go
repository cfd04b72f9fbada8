package catalog

import (
	"cmp"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"

	"github.com/reverie-memory/reverie/lexis"
)

// An analysis is a row as the full text sees it.
type analysis struct {
	counts     []termCount
	body, cntx int  // how many terms, repeated ones counted
	wish       bool // see Meta
}

func analyse(context, text string) analysis {
	body, cntx := lexis.Terms(text), lexis.Terms(context)
	a := analysis{
		body: len(body), cntx: len(cntx), counts: make([]termCount, 0, len(body)+len(cntx)), wish: lexis.Occasion(text) != "",
	}
	for _, t := range body {
		a.counts = append(a.counts, termCount{term: t, body: 1})
	}
	for _, t := range cntx {
		a.counts = append(a.counts, termCount{term: t, cntx: 1})
	}
	slices.SortFunc(a.counts, func(x, y termCount) int { return cmp.Compare(x.term, y.term) })
	n := 0
	for i, c := range a.counts {
		if i > 0 && a.counts[n-1].term == c.term {
			last := &a.counts[n-1]
			last.body, last.cntx = clampAdd(last.body, c.body), clampAdd(last.cntx, c.cntx)
			continue
		}
		a.counts[n] = c
		n++
	}
	a.counts = a.counts[:n]
	return a
}

func clampAdd(a, b uint16) uint16 { return uint16(min(int(a)+int(b), math.MaxUint16)) }

// analyseAll analyses n rows, on all processors when there are many.
func analyseAll(n int, at func(i int) (context, text string)) []analysis {
	out := make([]analysis, n)
	workers := min(runtime.GOMAXPROCS(0), n/16+1)
	if workers == 1 {
		for i := range out {
			out[i] = analyse(at(i))
		}
		return out
	}
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w; i < n; i += workers {
				out[i] = analyse(at(i))
			}
		})
	}
	wg.Wait()
	return out
}

// analysisID changes when lexis cuts text another way: the terms of old rows would then neither be found nor be deletable. analysisID
// changes as well when lexis tells wishes otherwise.
func analysisID() string {
	const probe = "The Café's HTTPServer_name was running; Bäume & Häuser, élèves; мама мыла раму; 東京都に行きました。 " +
		"2026-06-09 v1.2.3 don't e-mail naïve ﬁnally Straße running_quickly 3,141.59 걸었습니다 users' studies"
	all := fmt.Sprintln(lexis.OccasionVersion)
	for _, t := range lexis.Terms(probe) {
		all += t + "\n"
	}
	h := TextHash("analysis", all)
	return h.String()
}

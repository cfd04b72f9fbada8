package main

import (
	"fmt"
	"hash/fnv"
	"io"
	"slices"

	"github.com/reverie-memory/reverie/palace/tier"
)

// A verdict is what was made of a text.
type verdict struct {
	example
	got        tier.Type
	confidence float64
}

func (v verdict) sure() bool { return v.Sure == nil || *v.Sure }

func judge(examples []example, classify func(string) (tier.Type, float64)) (out []verdict) {
	for _, e := range examples {
		got, confidence := classify(e.Text)
		out = append(out, verdict{e, got, confidence})
	}
	return out
}

const folds = 8

// crossed judges each text by weights that were trained on the other folds.
func crossed(examples []example) (out []verdict) {
	var parts [folds][]example
	for _, e := range examples {
		h := fnv.New32a()
		h.Write([]byte(e.Text))
		fold := h.Sum32() % folds
		parts[fold] = append(parts[fold], e)
	}
	for fold, part := range parts {
		others := parts
		others[fold] = nil
		weights := train(slices.Concat(others[:]...))
		out = append(out, judge(part, func(text string) (tier.Type, float64) { return tier.Judge(weights, text) })...)
	}
	return out
}

// share is how many of the verdicts that are meant are right.
func share(vs []verdict, meant func(verdict) bool) (right, all int) {
	for _, v := range vs {
		if meant(v) {
			all++
			if v.got == v.Type {
				right++
			}
		}
	}
	return right, all
}

// report prints how many verdicts are right, by type and language and by how confident they are.
func report(w io.Writer, vs []verdict) {
	line := func(name string, meant func(verdict) bool) {
		if right, all := share(vs, meant); all > 0 {
			fmt.Fprintf(w, "%-18s %4d of %4d right, %3.0f %%\n", name, right, all, 100*float64(right)/float64(all))
		}
	}
	line("all", func(verdict) bool { return true })
	line("sure labels", verdict.sure)
	for _, t := range tier.Types {
		line(t, func(v verdict) bool { return v.Type == t })
		line("  said to be", func(v verdict) bool { return v.got == t })
	}
	for _, lang := range []string{"en", "de", "es", "fr"} {
		line(lang, func(v verdict) bool { return v.Lang == lang })
	}
	for band := range 10 {
		line(fmt.Sprintf("confidence %.1f", float64(band)/10), func(v verdict) bool { return min(int(v.confidence*10), 9) == band })
	}
}

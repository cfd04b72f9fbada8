package main

import (
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/dream/sense"
)

const folds = 5

// A tally counts statements, and those of which the best side is right.
type tally struct{ all, right, sure, sureRight int }

// A verdict is the tallies by side, by language, author or fold, and all together under "all"; and what was taken for what.
type verdict struct {
	sides, groups map[string]*tally
	mistakes      map[string]int
}

// judge measures statements by what others teach: by those of other conversations, or of other authors.
func judge(examples []example, authors bool) verdict {
	v := verdict{map[string]*tally{}, map[string]*tally{}, map[string]int{}}
	for _, part := range parts(examples, authors) {
		weights := train(part.learn)
		for _, e := range part.test {
			r := sense.Read(weights, e.features)
			best, p := r.Best()
			right := slices.Contains(e.sides, best)
			if !right {
				v.mistakes[e.sides[0].String()+" as "+best.String()]++
			}
			for _, t := range []*tally{at(v.sides, e.sides[0].String()), at(v.groups, e.Lang), at(v.groups, "all"), at(v.groups, part.name)} {
				t.count(right, p >= 0.5)
			}
		}
	}
	return v
}

// measure prints how often the best side is right.
func measure(out io.Writer, examples []example, authors bool) {
	v := judge(examples, authors)
	for _, by := range []map[string]*tally{v.sides, v.groups} {
		for _, name := range slices.Sorted(maps.Keys(by)) {
			fmt.Fprintf(out, "%-14s %s\n", name, by[name])
		}
		fmt.Fprintln(out)
	}
	worst := slices.SortedFunc(maps.Keys(v.mistakes), func(x, y string) int { return v.mistakes[y] - v.mistakes[x] })
	for _, m := range worst[:min(20, len(worst))] {
		fmt.Fprintf(out, "%3d %s\n", v.mistakes[m], m)
	}
}

func at(m map[string]*tally, name string) *tally {
	if m[name] == nil {
		m[name] = &tally{}
	}
	return m[name]
}

func (t *tally) count(right, sure bool) {
	one := func(b bool) int {
		if b {
			return 1
		}
		return 0
	}
	t.all++
	t.right += one(right)
	t.sure += one(sure)
	t.sureRight += one(sure && right)
}

func (t *tally) String() string {
	return fmt.Sprintf("%5d: right %3d %%, sure of %3d %%, then right %3d %%", t.all, percent(t.right, t.all),
		percent(t.sure, t.all), percent(t.sureRight, t.sure))
}

func percent(a, b int) int { return (100*a + b/2) / max(1, b) }

// A part of the statements is judged by what the others teach.
type part struct {
	name        string
	learn, test []example
}

func parts(examples []example, authors bool) []part {
	name := func(e example) string {
		if authors {
			author, _, _ := strings.Cut(e.Conv, "/")
			return author
		}
		h := fnv.New32a()
		h.Write([]byte(e.Conv))
		return fmt.Sprint("fold ", int(h.Sum32()>>8)%folds)
	}
	tests := map[string][]example{}
	for _, e := range examples {
		if e.Conv != "" {
			tests[name(e)] = append(tests[name(e)], e)
		}
	}
	var out []part
	for _, n := range slices.Sorted(maps.Keys(tests)) {
		p := part{name: n, test: tests[n]}
		for _, e := range examples {
			if e.Conv == "" || name(e) != n {
				p.learn = append(p.learn, e)
			}
		}
		out = append(out, p)
	}
	return out
}

package watcher

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var t0 = time.Date(2026, 6, 9, 14, 0, 0, 0, time.UTC)

func ms(n int) time.Time { return t0.Add(time.Duration(n) * time.Millisecond) }

// step is one thing that happens to a coalescer with the clocks 200 ms and 2 s.
type step struct {
	at     int // ms
	add    string
	rescan string
	want   string // of take: "-" nothing, else paths joined by spaces, or "rescan: why"
}

func describe(b Batch, ok bool) string {
	switch {
	case !ok:
		return "-"
	case b.RootGone:
		return "gone: " + b.Reason
	case b.Rescan:
		return "rescan: " + b.Reason
	}
	return strings.Join(b.Paths, " ")
}

func TestCoalescer(t *testing.T) {
	busy := func(from, to int, path string) (steps []step) {
		for at := from; at <= to; at += 100 {
			steps = append(steps, step{at: at, add: path})
		}
		return steps
	}
	for name, steps := range map[string][]step{
		"nothing":                    {{at: 0, want: "-"}, {at: 9999, want: "-"}},
		"one change waits for quiet": {{at: 0, add: "a"}, {at: 199, want: "-"}, {at: 200, want: "a"}, {at: 5000, want: "-"}},
		"a second change starts quiet again": {{at: 0, add: "a"}, {at: 150, add: "a"}, {at: 200, want: "-"}, {at: 349, want: "-"}, {
			at:   350,
			want: "a",
		}},
		"sorted, each once": {{at: 0, add: "b"}, {at: 1, add: "a"}, {at: 2, add: "b"}, {at: 300, want: "a b"}},
		"each path has its own clock": {
			{at: 0, add: "a"}, {at: 150, add: "b"}, {at: 200, want: "a"}, {at: 349, want: "-"}, {at: 350, want: "b"},
		},
		"constant writing is reported after max wait": append(busy(0, 1900, "log"), step{at: 1999, want: "-"}, step{at: 2000, want: "log"}),
		"a busy file does not hold up its neighbour": append(append([]step{{at: 0, add: "page"}}, busy(0, 150, "log")...), step{
			at:   200,
			want: "page",
		}, step{at: 300, want: "log"}),
		"after a report both clocks start anew": append(append(busy(0, 1900, "log"), step{at: 2000, want: "log"}),
			step{at: 2050, add: "log"}, step{at: 2249, want: "-"}, step{at: 2250, want: "log"}),
		"a rescan stands for all paths": {
			{at: 0, add: "a"},
			{at: 10, rescan: "lost"},
			{at: 20, add: "b"},
			{at: 219, want: "-"},
			{at: 220, want: "rescan: lost"},
			{at: 9999, want: "-"},
		},
		"reasons are kept, each once": {{at: 0, rescan: "x"}, {at: 1, rescan: "y"}, {at: 2, rescan: "x"}, {
			at:   300,
			want: "rescan: x; y",
		}},
		"a rescan is not put off beyond max wait": append(append([]step{{at: 0, rescan: "x"}}, busy(100, 1900, "a")...), step{
			at:   2000,
			want: "rescan: x",
		}),
		"a rescan is as old as the paths in it": append(append(busy(0, 1900, "a"), step{at: 1950, rescan: "x"}), step{
			at:   1999,
			want: "-",
		}, step{at: 2000, want: "rescan: x"}),
		"paths after a rescan are paths again": {{at: 0, rescan: "x"}, {at: 200, want: "rescan: x"}, {at: 201, add: "a"}, {
			at:   401,
			want: "a",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			c := coalescer{quiet: 200 * time.Millisecond, maxWait: 2 * time.Second}
			for i, s := range steps {
				if s.add != "" {
					c.add(s.add, ms(s.at))
				}
				if s.rescan != "" {
					c.rescan(s.rescan, ms(s.at))
				}
				if s.want != "" {
					if got := describe(c.take(ms(s.at))); got != s.want {
						t.Fatalf("step %d at %d ms: got %q, want %q", i, s.at, got, s.want)
					}
				}
			}
		})
	}
}

func TestCoalescerIsBounded(t *testing.T) {
	c := coalescer{quiet: 200 * time.Millisecond, maxWait: 2 * time.Second}
	for i := range MaxPaths {
		c.add(fmt.Sprint(i), ms(0))
	}
	c.add("0", ms(1)) // known already
	if got, ok := c.take(ms(300)); !ok || len(got.Paths) != MaxPaths {
		t.Fatalf("%d paths, rescan %v; want %d paths", len(got.Paths), got.Rescan, MaxPaths)
	}
	for i := range 3 * MaxPaths {
		c.add(fmt.Sprint(i), ms(400))
		if len(c.paths) > MaxPaths {
			t.Fatalf("%d paths wait", len(c.paths))
		}
	}
	if got := describe(c.take(ms(700))); got != "rescan: more than 10000 files changed at once" {
		t.Fatal(got)
	}
}

// Whatever the order of events, the same files are reported, no file waits longer than it may, and none
// is reported while it is still changing.
func TestCoalescerProperty(t *testing.T) {
	const quiet, maxWait = 200, 2000
	for seed := range uint64(300) {
		rnd := rand.New(rand.NewPCG(seed, 7))
		type event struct {
			at   int
			path string
		}
		events := make([]event, 1+rnd.IntN(60))
		want := map[string]bool{}
		for i := range events {
			events[i] = event{rnd.IntN(6000), fmt.Sprintf("p%d", rnd.IntN(6))}
			want[events[i].path] = true
		}
		for range 2 { // two orders of the same events, at their own times and at shuffled ones
			slices.SortFunc(events, func(a, b event) int { return a.at - b.at })
			c := coalescer{quiet: quiet * time.Millisecond, maxWait: maxWait * time.Millisecond}
			got := map[string]bool{}
			open := map[string][2]int{} // path to first and last change since its last report
			i := 0
			for at := 0; at <= 6000+maxWait; at++ {
				for ; i < len(events) && events[i].at == at; i++ {
					p := events[i].path
					c.add(p, ms(at))
					first := at
					if s, ok := open[p]; ok {
						first = s[0]
					}
					open[p] = [2]int{first, at}
				}
				b, ok := c.take(ms(at))
				if b.Rescan || ok != (len(b.Paths) > 0) {
					t.Fatalf("seed %d: batch %+v, %v", seed, b, ok)
				}
				for _, p := range b.Paths {
					s := open[p]
					if at-s[1] < quiet && at-s[0] < maxWait {
						t.Fatalf("seed %d: %s reported %d ms after its last change", seed, p, at-s[1])
					}
					got[p] = true
					delete(open, p)
				}
				for p, s := range open {
					if at-s[1] >= quiet || at-s[0] >= maxWait {
						t.Fatalf("seed %d at %d: %s is late: %v", seed, at, p, s)
					}
				}
				if wake, pending := c.next(); pending != (len(open) > 0) || pending && !wake.After(ms(at)) {
					t.Fatalf("seed %d at %d: next %v %v with %d open", seed, at, wake, pending, len(open))
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("seed %d: %s", seed, diff)
			}
			times := make([]int, len(events))
			for i, e := range events {
				times[i] = e.at
			}
			rnd.Shuffle(len(times), func(i, j int) { times[i], times[j] = times[j], times[i] })
			for i := range events {
				events[i].at = times[i]
			}
		}
	}
}

func TestMerge(t *testing.T) {
	paths := func(p ...string) Batch { return Batch{Paths: p} }
	rescan := func(why string) Batch { return Batch{Rescan: true, Reason: why} }
	gone := Batch{RootGone: true, Reason: "gone"}
	many := func(prefix string) (b Batch) {
		for i := range MaxPaths {
			b.Paths = append(b.Paths, fmt.Sprintf("%s%05d", prefix, i))
		}
		return b
	}
	for name, tt := range map[string]struct{ a, b, want Batch }{
		"paths":                  {paths("a", "c"), paths("b", "c"), paths("a", "b", "c")},
		"rescan after paths":     {paths("a"), rescan("x"), rescan("x")},
		"paths after rescan":     {rescan("x"), paths("a"), rescan("x")},
		"a change after a sweep": {rescan("sweep"), Batch{Paths: []string{"a"}, Seen: true}, Batch{Rescan: true, Seen: true, Reason: "sweep"}},
		"a sweep after a change": {Batch{Paths: []string{"a"}, Seen: true}, rescan("sweep"), Batch{Rescan: true, Seen: true, Reason: "sweep"}},
		"two rescans":            {rescan("x; y"), rescan("y; z"), rescan("x; y; z")},
		"gone":                   {rescan("x"), gone, gone},
		"back":                   {gone, rescan("back"), rescan("back")},
		"same paths stay":        {many("a"), many("a"), many("a")},
		"too many become rescan": {many("a"), many("b"), rescan("more than 10000 files changed before the last changes were taken")},
	} {
		t.Run(name, func(t *testing.T) {
			a := slices.Clone(tt.a.Paths)
			if diff := cmp.Diff(tt.want, merge(tt.a, tt.b)); diff != "" {
				t.Error(diff)
			}
			if !slices.Equal(a, tt.a.Paths) {
				t.Error("merge changed its argument")
			}
		})
	}
}

func TestDefaultIgnore(t *testing.T) {
	files := map[string]bool{
		"log.md": false, "2_Wiki/Concepts/Käse 🧀.md": false, "memory/archive/2026-06-09.md": false, "4_Assets/x.png": false,
		".obsidian/workspace.json": true, "a/.obsidian/x": true, ".trash/a.md": true, ".git/index": true, ".DS_Store": true, "a/.b.md.swp": true,
		"a.md~": true, "a.md.tmp": true, "a.md.swp": true, "a/.#a.md": true, "#a.md#": true, "#": false, "4913": true, "~$a.docx": true,
		"2026": false, "a.tmp.md": false, "4913.md": false,
		".state/tombstones.jsonl": false, ".state/recall_log.jsonl": true, ".state/graph.jsonl": true, ".state/dream.json": true,
		".state/dreams/r-1/ledger.jsonl": false, ".state/dreams/r-1/done": false, ".state/dreams/r-1/plan.json": true,
		".state/dreams/r-1/pre/a.md": true, ".state/dreams/x": true, ".state/dreams/r-1/pre/ledger.jsonl": true, ".state": true,
		"a/.state/tombstones.jsonl": true,
	}
	for rel, want := range files {
		if got := DefaultIgnore(rel, false); got != want {
			t.Errorf("file %s: ignored %v", rel, got)
		}
	}
	dirs := map[string]bool{
		"2_Wiki": false, "a/b": false, "a.tmp": false, ".git": true, "a/.git": true, ".state": false, ".state/dreams": false,
		".state/dreams/r-1": false, ".state/dreams/.r-2": true, ".state/dreams/r-1/pre": true, ".state/other": true,
		".state/tombstones.jsonl": true,
	}
	for rel, want := range dirs {
		if got := DefaultIgnore(rel, true); got != want {
			t.Errorf("folder %s: ignored %v", rel, got)
		}
	}
	for rel, ignored := range files { // what is wanted must be reachable
		for i := range rel {
			if rel[i] == '/' && !ignored && DefaultIgnore(rel[:i], true) {
				t.Errorf("%s lies in the ignored folder %s", rel, rel[:i])
			}
		}
	}
}

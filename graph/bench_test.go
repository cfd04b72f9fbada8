package graph

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// crowd is a graph of so many triples: people who moved and changed jobs.
func crowd(n int) []Event {
	events := make([]Event, 0, n)
	for i := range n {
		who, at := fmt.Sprintf("Person%d Surname%d", i%(n/8), i%(n/8)), at("2020-01-01").Add(time.Duration(i)*time.Minute)
		predicate, object := "lives_in", fmt.Sprintf("Town %d", i%977)
		if i%2 == 0 {
			predicate, object = "works_at", fmt.Sprintf("Firm %d", i%1999)
		}
		events = append(events, Event{Kind: Assert, At: at, Subject: who, Predicate: predicate, Object: object})
	}
	return events
}

// hub is a graph of 50,000 triples of which 20,000 are of one.
func hub() []Event {
	events := crowd(30_000)
	for i := range 20_000 {
		e := Event{
			Kind: Assert, At: at("2021-01-01").Add(time.Duration(i) * time.Minute), Subject: "user", Predicate: "uses",
			Object: fmt.Sprintf("Tool %d", i),
		}
		switch {
		case i%20 == 1:
			e.Kind, e.Object = Invalidate, fmt.Sprintf("the Tool %d", i-1)
		case i%20 == 2:
			e.Kind, e.Was = Replace, fmt.Sprintf("Tool %d", i-2)
		}
		events = append(events, e)
	}
	return events
}

// What is asked of a hub costs no more than its triples.
func BenchmarkQuery(b *testing.B) {
	g := Build(hub(), nil)
	today := at("2022-01-01")
	for name, ask := range map[string]func(i int){
		"hub":      func(int) { g.Of(g.Lookup("user", Spelling), Query{AsOf: "2021-06-01", Limit: 200}) },
		"hub-all":  func(int) { g.Of(g.Lookup("user", Spelling), Query{}) },
		"other":    func(i int) { g.Of(g.Lookup(fmt.Sprintf("person%d surname%d", i%3000, i%3000), Spelling), Query{}) },
		"unknown":  func(i int) { g.Lookup(fmt.Sprintf("persom%d zurname%d", i%3000, i%3000), Spelling) },
		"ask":      func(i int) { g.Ask(fmt.Sprintf("Which tool do we use besides Tool %d?", i), today, "") },
		"timeline": func(int) { g.Timeline(Found{}, 200) },
		"path":     func(i int) { g.Path(g.Lookup("user"), g.Lookup(fmt.Sprintf("Town %d", i%977)), "2022-01-01") },
	} {
		b.Run(name, func(b *testing.B) {
			var took []time.Duration
			for i := 0; b.Loop(); i++ {
				start := time.Now()
				ask(i)
				took = append(took, time.Since(start))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)*95/100].Microseconds()), "p95-µs")
		})
	}
}

// worst are graphs of one name: of whom there is much to tell, who took turns, what took the place of what, and what many are called.
func worst(n int) map[string][]Event {
	out := map[string][]Event{}
	for name, of := range map[string]func(i int) Event{
		"uses": func(i int) Event {
			return Event{Kind: Assert, Subject: "user", Predicate: "uses", Object: fmt.Sprintf("Tool %d", i)}
		},
		"married": func(i int) Event {
			return Event{Kind: Assert, Subject: "user", Predicate: "married to", Object: fmt.Sprintf("Eva %d", i)}
		},
		"replaced": func(i int) Event {
			return Event{Kind: Replace, Subject: "user", Predicate: "uses", Was: fmt.Sprintf("Tool %d", i), Object: fmt.Sprintf("Tool %d", i+1)}
		},
		"namesakes": func(i int) Event {
			return Event{Kind: Assert, Subject: fmt.Sprintf("Anna (of %d)", i), Predicate: "uses", Object: fmt.Sprintf("Tool %d", i)}
		},
		"speakers": func(i int) Event {
			who := fmt.Sprintf("Kim %d", i)
			return Event{Kind: Assert, Speaker: who, Subject: who, Predicate: "uses", Object: "backend"}
		},
	} {
		for i := range n {
			e := of(i)
			e.At = at("2020-01-01").Add(time.Duration(i) * time.Minute)
			out[name] = append(out[name], e)
		}
	}
	return out
}

// Twice as many events take little more than twice as long.
func BenchmarkWorst(b *testing.B) {
	for _, n := range []int{12_500, 25_000, 50_000} {
		for name, events := range worst(n) {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				for b.Loop() {
					Build(events, nil)
				}
			})
		}
	}
}

func BenchmarkBuild(b *testing.B) {
	for name, events := range map[string][]Event{"crowd": crowd(50_000), "hub": hub()} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				Build(events, nil)
			}
		})
	}
}

// One event more, one fewer, and one with a new name, of 50,000 that are known.
func BenchmarkChange(b *testing.B) {
	for name, events := range map[string][]Event{"crowd": crowd(50_000), "hub": hub()} {
		var all []*Event
		for i := range events {
			all = append(all, &events[i])
		}
		for what, change := range map[string]func(i int) []*Event{
			"said": func(i int) []*Event {
				e := Event{Kind: Assert, At: at("2030-01-01"), Subject: "user", Predicate: "uses", Object: fmt.Sprintf("Tool %d", i*7)}
				return append(all[:len(all):len(all)], &e)
			},
			"forgotten": func(i int) []*Event { return slices.Delete(slices.Clone(all), 40_000-i%30_000, 40_001-i%30_000) },
		} {
			b.Run(name+"/"+what, func(b *testing.B) {
				k := NewKeeper(nil)
				k.Say("a", all)
				k.Graph()
				var took []time.Duration
				for i := 0; b.Loop(); i++ {
					start := time.Now()
					k.Say("a", change(i))
					k.Graph()
					took = append(took, time.Since(start))
				}
				slices.Sort(took)
				b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
				b.ReportMetric(float64(took[len(took)*95/100].Microseconds()), "p95-µs")
			})
		}
	}
}

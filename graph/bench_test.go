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

// A graph does not depend on how often it was built, and its look-ups touch the triples of an entity alone.
func BenchmarkQuery(b *testing.B) {
	g := Build(crowd(50_000), nil)
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		start := time.Now()
		g.Of(g.Lookup(fmt.Sprintf("person%d surname%d", i%6000, i%6000), Spelling), Query{AsOf: "2021-01-01"})
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds()), "p95-µs")
}

func BenchmarkBuild(b *testing.B) {
	events := crowd(50_000)
	for b.Loop() {
		Build(events, nil)
	}
}

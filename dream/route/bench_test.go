package route

import (
	"fmt"
	"testing"

	"github.com/reverie-memory/reverie/vault"
)

func made(n int) []Item {
	texts := []string{
		"%s moved to a new flat near the river in the week of 8 June 2026",
		"The billing service answers on port 8443 since the last release",
		"On the weekend of 16 May 2026 %s went hiking with Noor and two friends from the choir",
		"%s's sister Noor is a violinist in the city orchestra and plays in Hamburg",
		"%s has to send the signed lease to the landlord by 5 June 2026",
		"%s lernt seit drei Wochen Deutsch und geht zweimal in der Woche zum Kurs",
		"%s is really happy about the weather and hopes that it stays like this until Sunday",
	}
	people := []string{"Alice", "Tomasz", "Priya"}
	out := make([]Item, n)
	for i := range out {
		p := people[i%len(people)]
		t := texts[i%len(texts)]
		if i%len(texts) != 1 {
			t = fmt.Sprintf(t, p)
		}
		out[i] = Item{
			Text: t, Category: []string{"fact", "task", "preference", "decision"}[i%4], Tags: []string{"home", "work"}[:i%3%2+1],
			Speaker: p, Wing: []string{"billing", "personal", ""}[i%3], Day: vault.Day(fmt.Sprintf("2026-0%d-%02d", i%6+1, i%28+1)),
		}
	}
	return out
}

func manyPages(n int) *Directory {
	d := NewDirectory(vault.Layout{})
	for i := range n {
		title := fmt.Sprintf("%s %s", []string{"Apollo", "Berlin", "Noor", "Garden", "River"}[i%5], fmt.Sprint("Page ", i))
		d.Add(Entry{Path: d.Free(vault.Entities, title), Title: title, Aliases: []string{fmt.Sprint("alias of ", i)}, Type: typeEntity})
	}
	for _, p := range []string{"Alice", "Noor", "Tomasz"} {
		d.Add(Entry{Path: d.Free(vault.Personal, p), Title: p, Type: typePerson})
	}
	return d
}

func BenchmarkPlace(b *testing.B) {
	r, items := &Router{Dir: manyPages(10_000)}, made(2000)
	b.ReportAllocs()
	for b.Loop() {
		r.Place(items)
	}
	b.ReportMetric(float64(len(items))*float64(b.N)/b.Elapsed().Seconds(), "items/s")
}

func BenchmarkLink(b *testing.B) {
	r, items := &Router{Dir: manyPages(10_000)}, made(2000)
	b.ReportAllocs()
	for b.Loop() {
		for _, it := range items {
			r.Link(it.Text, "3_Personal/Alice.md")
		}
	}
	b.ReportMetric(float64(len(items))*float64(b.N)/b.Elapsed().Seconds(), "items/s")
}

func BenchmarkStatement(b *testing.B) {
	items := made(2000)
	for b.Loop() {
		for _, it := range items {
			Statement(it.Text, it.Speaker)
		}
	}
	b.ReportMetric(float64(len(items))*float64(b.N)/b.Elapsed().Seconds(), "items/s")
}

func BenchmarkDirectory(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		manyPages(10_000)
	}
}

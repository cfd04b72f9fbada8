package recall

import (
	"math"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/lexis"
)

func TestRelevance(t *testing.T) {
	at := func(y int, m time.Month, d int) int64 { return time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix() }
	for _, c := range []struct {
		name, question, row string
		absent              string               // words that no row has
		near                catalog.WeightedTerm // what a misspelt one may mean
		at                  int64
		above               float64
		want                bool
	}{
		{
			name: "common words alone", question: "What is the time complexity of quicksort?",
			row: "It is a complex story each time.", absent: "quicksort",
		},
		{
			name: "others know the rest", question: "What is the time complexity of quicksort?",
			row: "It is a complex story each time.", above: 0.13, want: true,
		},
		{name: "half the words", question: "Where did she get her cats?", row: "The cats are two years old."},
		{
			name: "and a near vector", question: "Where did she get her cats?",
			row: "The cats are two years old.", above: 0.33, want: true,
		},
		{
			name: "a date is no word", question: "What food did she cook on 22.01.2024?",
			row: "Emi cooked pasta.", absent: "22.01.2024", at: at(2024, 1, 22), want: true,
		},
		{
			name: "nor is a month", question: "What food did she cook in January 2024?",
			row: "Emi cooked pasta.", absent: "January 2024", at: at(2024, 1, 9), want: true,
		},
		{
			name: "another day", question: "What food did she cook on 22.01.2024?",
			row: "Emi cooked pasta.", absent: "22.01.2024", at: at(2023, 3, 1),
		},
		{
			name: "the time alone", question: "What happened in May 2023?",
			row: "Emi cooked pasta.", at: at(2023, 5, 3), above: 0.13, want: true,
		},
		{
			name: "misspelt", question: "Where is my pasport?", row: "The passport lies in the drawer.", absent: "pasport",
			near: catalog.WeightedTerm{Term: "passport", Weight: 0.6, For: "pasport"}, above: 0.26, want: true,
		},
		{name: "of oneself", question: "Where did I get the cats?", row: "The cats are two years old.", above: 0.13, want: true},
		{name: "of somebody", question: "Where did he get the cats?", row: "The cats are two years old.", above: 0.13},
		{name: "of one's own", question: "Where did he get my cats?", row: "The cats are two years old.", above: 0.13},
		{name: "how it is done", question: "How do I get the cats?", row: "The cats are two years old.", above: 0.26},
		{name: "how it was", question: "How did I get the cats?", row: "The cats are two years old.", above: 0.26, want: true},
		{name: "keywords", question: "quicksort complexity", row: "Its complexity is low.", absent: "quicksort", above: 0.45, want: true},
		{name: "asked", question: "what is quicksort complexity", row: "Its complexity is low.", absent: "quicksort", above: 0.45},
		{name: "nothing is asked", question: "What was it?", row: "Emi cooked pasta.", want: true},
	} {
		q := parseQuestion(c.question, time.Time{})
		f := newFloor(&q)
		var terms []catalog.WeightedTerm
		for _, w := range lexis.Terms(c.absent) {
			terms = append(terms, catalog.WeightedTerm{Term: w, Weight: 1, Absent: true})
		}
		if c.near.For != "" {
			terms = append(terms, c.near)
		}
		f.meant(terms)
		got := f.relevance([]*scoredRow{{row: catalog.Row{Text: c.row}}}, q.closeness(c.at), gaugeAny, &candidate{above: c.above}, 640)
		if (got >= defaultFloor) != c.want {
			t.Errorf("%s: relevance %.2f", c.name, got)
		}
	}
}

// What is far from enough among many rows is enough among few, where less is near by chance.
func TestAnswersAmongFewNeedLess(t *testing.T) {
	q := parseQuestion("What breed is the dog?", time.Time{})
	f := newFloor(&q)
	rows := []*scoredRow{{row: catalog.Row{Text: "We have a beagle called Pip."}}}
	for name, c := range map[string]struct {
		gauge
		candidate
	}{
		"built-in": {gaugeBuiltin, candidate{cosine: 0.42, above: 0.2}}, "of others": {gaugeAny, candidate{cosine: 0.6, above: 0.4}},
	} {
		last := math.Inf(1)
		for _, among := range []int{1, 20, 200, 2000, 200_000} {
			got := f.relevance(rows, 0, c.gauge, &c.candidate, among)
			if got > last || (got >= defaultFloor) != (among <= 20) {
				t.Errorf("%s: %.2f among %d rows, %.2f among fewer", name, got, among, last)
			}
			last = got
		}
	}
}

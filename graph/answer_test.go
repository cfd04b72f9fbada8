package graph

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A question is answered by what has all that it asks for, and by nothing that merely comes near.
func TestAnswers(t *testing.T) {
	g := Build([]Event{
		says("2026-01-02", "Kim", "lives in", "Oslo", "", ""),
		says("2026-06-09", "Kim", "lives in", "Lisbon", "2026-06-01", ""),
		says("2026-06-09", "Kim", "works at", "Nordwind", "", ""),
		says("2026-06-09", "Tom", "husband of", "Kim", "", ""),
		says("2026-06-09", "Kim", "allergic to", "peanuts", "", ""),
		says("2026-06-09", "Lotte", "lives in", "Ghent", "", ""),
	}, nil)
	for question, want := range map[string][]string{
		"Where do I live?":                       {"Kim|lives_in|Lisbon|2026-06-01|"},
		"Where does Kim live?":                   {"Kim|lives_in|Lisbon|2026-06-01|"},
		"Where did Kim live before Lisbon?":      {"Kim|lives_in|Oslo||2026-06-01"},
		"Who is my husband?":                     {"Tom|husband_of|Kim||"},
		"Where does Lotte live?":                 {"Lotte|lives_in|Ghent||"},
		"What does Kim do for a living?":         {"Kim|works_at|Nordwind||"},
		"Where does Kim live with the new cats?": {},
		"What does Kim think of Lisbon?":         {},
		"Tell me about Kim":                      {},
		"Where is the spare key?":                {},
		"Where does Peter live?":                 {},
	} {
		if diff := cmp.Diff(want, lines(g.Answers(question, at("2026-07-01"), func() string { return "Kim" }))); diff != "" {
			t.Errorf("%s\n%s", question, diff)
		}
	}
}

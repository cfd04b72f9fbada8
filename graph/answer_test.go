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
		says("2026-06-09", "Bo", "captain of", "chess club", "", "2026-06-20"),
		says("2026-06-20", "Di", "captain of", "chess club", "2026-06-20", ""),
		says("2026-06-09", "chess club", "meets on", "Mondays", "", ""), says("2026-06-09", "Lotte", "role", "pilot", "", ""),
		says("2026-06-09", "Rex", "is a", "dog", "", ""), says("2026-06-09", "Kim", "has pet", "Rex", "", ""),
		says("2026-06-09", "Rex", "allergic to", "wheat", "", ""),
	}, nil)
	for question, want := range map[string][]string{
		"Where do I live?":                          {"Kim|lives_in|Lisbon|2026-06-01|"},
		"Where does Kim live?":                      {"Kim|lives_in|Lisbon|2026-06-01|"},
		"Where did Kim live before Lisbon?":         {"Kim|lives_in|Oslo||2026-06-01"},
		"Who is my husband?":                        {"Tom|husband_of|Kim||"},
		"Where does Lotte live?":                    {"Lotte|lives_in|Ghent||"},
		"What does Kim do for a living?":            {"Kim|works_at|Nordwind||"},
		"Where did Kim live in March 2026?":         {"Kim|lives_in|Oslo||2026-06-01"},
		"Where did Kim live in spring 2026?":        {"Kim|lives_in|Oslo||2026-06-01"},
		"Wo hat Kim im April 2026 gewohnt?":         {"Kim|lives_in|Oslo||2026-06-01"},
		"¿Dónde vivía Kim en mayo de 2026?":         {"Kim|lives_in|Oslo||2026-06-01"},
		"Who was captain of the chess club before?": {"Bo|captain_of|chess club||2026-06-20"},
		"Who is captain of the chess club?":         {"Di|captain_of|chess club|2026-06-20|"},
		"Who was the captain before Di?":            {"Bo|captain_of|chess club||2026-06-20"},
		"On which day does the chess club meet?":    {"chess club|meets_on|Mondays||"},
		"An welchem Tag ist chess club?":            {"chess club|meets_on|Mondays||"},
		"What is my dog allergic to?":               {"Rex|allergic_to|wheat||"},
		"Where does Lotte work?":                    {},
		"Where does Kim live with the new cats?":    {},
		"What does Kim think of Lisbon?":            {},
		"Tell me about Kim":                         {},
		"Where is the spare key?":                   {},
		"Where does Peter live?":                    {},
	} {
		if diff := cmp.Diff(want, lines(g.Answers(question, at("2026-07-01"), func() string { return "Kim" }))); diff != "" {
			t.Errorf("%s\n%s", question, diff)
		}
	}
}

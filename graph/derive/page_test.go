package derive_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/graph"
	"github.com/reverie-memory/reverie/graph/derive"
)

// What a line by hand says, as sentences of the triples; "" for nothing.
func TestLinesOfPages(t *testing.T) {
	person, project := derive.Page{Title: "Anna Berg", Kind: "person"}, derive.Page{Title: "Ibis", Kind: "project"}
	other := derive.Page{Title: "Soup"}
	for _, c := range []struct {
		page       derive.Page
		text, want string
	}{
		{person, "Employer: Bosch", "Anna Berg works at Bosch (undated)"},
		{person, "employer:: Bosch, Stuttgart", "Anna Berg works at Bosch (undated)"},
		{person, "works_at: Bosch since March 2020", "Anna Berg works at Bosch (since 2020-03-01)"},
		{person, "Home: Oslo (2015 until 2019)", "Anna Berg lives in Oslo (2015-01-01 until before 2020-01-01)"},
		{person, "Wohnort: Ulm", "Anna Berg lives in Ulm (undated)"},
		{person, "Role: senior welder", "Anna Berg role senior welder (undated)"},
		{person, "Languages: Dutch, Welsh", "Anna Berg speaks Dutch (undated); Anna Berg speaks Welsh (undated)"},
		{person, "Boss: Otto", "Otto (Anna Berg's boss) boss of Anna Berg (undated)"},
		{person, "Dog: Rex", "Anna Berg has pet Rex (undated)"},
		{person, "works at Bosch", "Anna Berg works at Bosch (undated)"},
		{person, "She lives in Oslo.", "Anna Berg lives in Oslo (undated)"},
		{person, "Tom Adler works at Fiat.", "Tom Adler works at Fiat (undated)"},
		{person, "Anna Berg moved to Lima on 2021-02-06.", "Anna Berg lives in Lima (since 2021-02-06)"},
		{person, "Employer: Bosch\nHome: Ulm", "Anna Berg works at Bosch (undated); Anna Berg lives in Ulm (undated)"},
		{person, "Anna Berg works\nat Bosch.", "Anna Berg works at Bosch (undated)"},
		{person, "Anna Berg works at Bosch\nTom lives in Oslo", "Anna Berg works at Bosch (undated); Tom lives in Oslo (undated)"},
		{project, "Database: PostgreSQL", "Ibis stored in PostgreSQL (undated)"},
		{project, "uses: Redis, Kafka", "Ibis uses Redis (undated); Ibis uses Kafka (undated)"},
		{project, "due: 2027-03-01", "Ibis due 2027-03-01 (undated)"},
		{project, "Maintainer: Kim", "Kim runs Ibis (undated)"},
		{project, "used by: Lego", "Lego uses Ibis (undated)"},
		{project, "Ibis is hosted on Fly.", "Ibis hosted on Fly (undated)"},
		// What is not sure:
		{person, "Home: unknown", ""},
		{person, "Home: /home/anna", ""},
		{person, "Notes: Bosch", ""},
		{person, "Employer:", ""},
		{person, "Employer: Bosch?", ""},
		{person, "I work at Bosch.", ""},
		{person, "My boss is Otto.", ""},
		{person, "Anna Berg moved to Lima last week.", ""},
		{person, "Home: Lima since last week", ""},
		{person, "Anna Berg used to live in Oslo.", ""},
		{person, "Anna Berg no longer works at Bosch.", ""},
		{person, "Anna Berg switched from Vim to Nano.", ""},
		{project, "Employer: Bosch", ""},
		{project, "She lives in Oslo.", ""},
		{person, "Coach: Otto", "Otto (Anna Berg's coach) coach of Anna Berg (undated)"},
		{person, "Head: Otto", ""},
		{person, "Anna Berg's employer is Bosch.", "Anna Berg works at Bosch (undated)"},
		{person, "Anna Berg has a dog named Rex.", "Anna Berg has pet Rex (undated); Rex is a dog (undated)"},
		{project, "Maintainer: the docs team", ""},
		{other, "Database: PostgreSQL", ""},
		{person, "Tom came by. He works at Fiat.", ""},
		{other, "Takes: 30 minutes", ""},
		{other, "https://example.org/role: x", ""},
	} {
		var got []string
		events := c.page.Events(derive.PageText{Row: "n1", Text: c.text, Own: true})
		for _, tr := range graph.Build(events, nil).Triples() {
			got = append(got, tr.Sentence())
		}
		if got := strings.Join(got, "; "); got != c.want {
			t.Errorf("%s: %q: %q, want %q", c.page.Title, c.text, got, c.want)
		}
		for _, e := range events {
			if e.Source != "n1" || !e.At.IsZero() {
				t.Errorf("%+v", e)
			}
		}
	}
	// Below a heading that may name something else, what does not name its subject says nothing.
	for text, want := range map[string]int{"Employer: Bosch": 0, "works at Bosch": 0, "She lives in Oslo.": 0, "Tom Adler works at Fiat.": 1} {
		if got := person.Events(derive.PageText{Row: "n1", Text: text}); len(got) != want {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

// Scenarios of pages beside what was said: lines without a day displace nothing, and lines with one do as what was said does.
func TestScenariosOfPages(t *testing.T) {
	for name, c := range map[string]struct {
		said  []string
		lines []string
		want  map[string]string
	}{
		"an old line and a move": {
			[]string{"2022-01-02 Anna Berg: I live in Oslo.", "2023-01-02 Anna Berg: I moved to Lima."},
			[]string{"Home: Bari"},
			map[string]string{
				"Anna Berg / lives in /": "Bari, Lima", "Anna Berg / lives in / 2022-06-01": "Bari, Oslo", "Lima / lives in /": "Anna Berg",
			},
		},
		"a line that says the same": {
			[]string{"2022-01-02 Anna Berg: I live in Oslo."},
			[]string{"Home: Oslo", "Employer: Bosch"},
			map[string]string{"Anna Berg / lives in /": "Oslo", "Where does Anna Berg work?": "Anna Berg | Bosch"},
		},
		"a line with a day": {
			[]string{"2022-01-02 Anna Berg: I live in Oslo."},
			[]string{"Home: Bari since 2024-05-01"},
			map[string]string{"Anna Berg / lives in /": "Bari", "Anna Berg / home / 2023-01-01": "Oslo"},
		},
		"a first name in what was said": {
			[]string{"2022-01-02 Kim: Anna drives a van."},
			[]string{"Employer: Bosch"},
			map[string]string{"Anna / works at /": "Bosch", "Anna Berg / drives /": "van"},
		},
	} {
		var events []graph.Event
		for _, line := range c.lines {
			events = append(events, derive.Page{Title: "Anna Berg", Kind: "person"}.Events(derive.PageText{Row: "n1", Text: line, Own: true})...)
		}
		for i, line := range c.said {
			day, rest, _ := strings.Cut(line, " ")
			speaker, text, _ := strings.Cut(rest, ": ")
			at, _ := time.Parse(time.DateOnly, day)
			events = append(events, derive.Events(derive.Fact{ID: "f" + string(rune('0'+i)), Text: text, Speaker: speaker, At: at})...)
		}
		for _, list := range [][]graph.Event{events, reversedEvents(events)} {
			g := graph.Build(list, nil)
			for ask, want := range c.want {
				if got := answer(g, ask); got != want {
					t.Errorf("%s: %s: got %q, want %q\n%+v", name, ask, got, want, g.Triples())
				}
			}
		}
	}
}

func reversedEvents(events []graph.Event) []graph.Event {
	out := slices.Clone(events)
	slices.Reverse(out)
	return out
}

func FuzzLinesOfPages(f *testing.F) {
	f.Add("Employer: Bosch (since 2020)\nShe lives in Oslo.", "person")
	f.Fuzz(func(t *testing.T, text, kind string) {
		page, line := derive.Page{Title: "Anna Berg", Kind: kind}, derive.PageText{Row: "n1", Text: text, Own: true}
		events := page.Events(line)
		for _, e := range events {
			if err := e.Validate(); err != nil {
				t.Errorf("%q: %v", text, err)
			}
		}
		if d := cmp.Diff(events, page.Events(line)); d != "" {
			t.Error(d)
		}
		graph.Build(events, nil)
	})
}

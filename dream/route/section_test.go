package route

import (
	"slices"
	"testing"

	"github.com/reverie-memory/reverie/vault"
)

// What a statement is about has its section, and not what one of its words is about.
func TestSections(t *testing.T) {
	quote := func(words string) string { return vault.Quote("Joanna", words) }
	for _, tt := range []struct{ category, text, want string }{
		{"fact", "Joanna is allergic to peanuts", "Health"},
		{"fact", "Joanna uses a library for sessions in Flask", "Work"},
		{"fact", "Joanna reads a novel in the library", "Leisure"},
		{"fact", "Joanna is drawing a card", "Leisure"},
		{"fact", "Joanna takes a Dutch course", "Work"},
		{"fact", "Joanna met Dov Katz and Mr. Baker", "People"},
		{"fact", "Joanna moved to Lisbon", "Home"},
		{"fact", "Joanna moved to PostgreSQL", "Work"},
		{"fact", "Joanna visited Japan in 2019", "Leisure"},
		{"fact", "Joanna works at Zeiss", "Work"},
		{"preference", "Joanna loves fish", "Leisure"},
		{"preference", "Joanna prefers tabs in Go code", "Preferences"},
		{"preference", "Joanna wants short answers on health", "Preferences"},
		{"decision", "Joanna decided to rent a flat", "Home"},
		{"problem", "Joanna gets a timeout from the API", "Work"},
		{"fact", "Joanna has become more patient with age", "About"},
		{"task", "Joanna has to call the bank", "Tasks"},
		{"task", "Joanna wants to see the sea", "Leisure"},
		{"fact", "Joanna's sister lives in Leeds", "People"},
		{"fact", "Joanna's mother's birthday is on 17 June", "People"},
		{"fact", "Joanna's dog Rex sleeps on the sofa", "People"},
		{"fact", "Joanna's neighbour Hana plays the cello", "People"},
		{"fact", quote("I'm allergic to most reptiles"), "Timeline"},
		{"fact", quote("My sister Noor lives in Leeds"), "People"},
		{"fact", quote("Last Friday [20 January 2023] I won my second tennis tournament"), "Leisure"},
		{"fact", quote("Ich wohne seit 2019 in Graz und suche nach einer Wohnung"), "Home"},
		{"fact", quote("Trabajo en una empresa de riego"), "Work"},
	} {
		p := (&Router{Dir: NewDirectory(vault.Layout{})}).Place([]Item{{Text: tt.text, Category: tt.category, Speaker: "Joanna"}})[0]
		if p.Page != "3_Personal/Joanna.md" || p.Section != tt.want {
			t.Errorf("%s: %q goes to %s %q, want %q", tt.category, tt.text, p.Page, p.Section, tt.want)
		}
	}
}

// TestPages files small batches: what is talked of for days has a page, and nothing else.
func TestPages(t *testing.T) {
	const jo, user = "3_Personal/Jo.md", "3_Personal/The user.md"
	by := func(speaker string, texts ...string) (items []Item) {
		for i, text := range texts {
			items = append(items, Item{Text: text, Category: "fact", Speaker: speaker, Chat: "c", Day: vault.Day("2026-03-0" + string(rune('1'+i)))})
		}
		return items
	}
	for _, tt := range []struct {
		name  string
		items []Item
		want  []string // in the order of the items
	}{
		{
			"a relative of two days", by("Jo", "Jo's sister Noor lives in Leeds", vault.Quote("Jo", "Noor plays the oboe")),
			[]string{"3_Personal/Noor.md", "3_Personal/Noor.md"},
		},
		{"a relative of one", by("Jo", "Jo's sister Noor lives in Leeds", "Jo met Noor"), []string{jo, jo}},
		{"a pet", by("Jo", "Jo's dog Rex is three", "Rex is afraid of thunder"), []string{"3_Personal/Rex.md", "3_Personal/Rex.md"}},
		{
			"a quote about a thing", by("Jo", "Lumo runs on SvelteKit", vault.Quote("Jo", "Lumo uses Postgres"), vault.Quote("Jo", "I like Lumo")),
			[]string{"2_Wiki/Entities/Lumo.md", "2_Wiki/Entities/Lumo.md", jo},
		},
		{
			"a service", by("", "The ticket service is down", "The ticket service has two users"),
			[]string{"1_Projects/Ticket.md", "1_Projects/Ticket.md"},
		},
		{
			"a project that the user has", by("user", "The user is building a weather app", "The user tests their weather app",
				"The user deployed their weather app",
				"The user's weather app has users", "The user fixed the API timeout on the server", "The user has a cat"),
			[]string{
				"1_Projects/Weather app.md", "1_Projects/Weather app.md", "1_Projects/Weather app.md", "1_Projects/Weather app.md",
				"1_Projects/Weather app.md", user,
			},
		},
		{
			"a wing",
			[]Item{{Text: "Tests are red", Wing: "github.com/acme/hermes", Speaker: "Jo"}, {Text: "Jo has a cold", Wing: "hermes", Speaker: "Jo"}},
			[]string{"1_Projects/Hermes.md", jo},
		},
		{"a side of life", []Item{{Text: "The beans are up", Wing: "garden", Speaker: "Jo"}}, []string{jo}},
		{"interjections", by("Jo", "Nah Jo likes tea", "Ohh Jo likes milk", "Haha Jo likes rum"), []string{jo, jo, jo}},
		{"log words", by("Jo", "INFO DELETE failed", "INFO DELETE done", "INFO DELETE again"), []string{jo, jo, jo}},
		{
			"letters, days and months", by("Jo", "P is high", "P is low", "P is zero", "Monday is free", "Monday is long", "May is warm",
				"May is wet"),
			[]string{jo, jo, jo, jo, jo, jo, jo},
		},
		{"contractions", by("Jo", "We're away", "We’re here", "We're late", "I’ve a cold", "I've left", "I've been"), []string{
			jo, jo, jo,
			jo, jo, jo,
		}},
		{"a library", by("Jo", "Flask is small", "Jo likes Flask", "Jo uses Flask"), []string{jo, jo, jo}},
		{"with and without a title", by("Jo", "Dr. Lee works until six", "Lee's office moved"), []string{
			"3_Personal/Dr. Lee.md",
			"3_Personal/Dr. Lee.md",
		}},
		{
			"what somebody says of a thing", by("Jo", "Mara says the launch of Atlas is on 4 March",
				"Tomas thinks that the launch of Atlas is later"),
			[]string{"2_Wiki/Entities/Atlas.md", "2_Wiki/Entities/Atlas.md"},
		},
		{"nobody's", by("", "The boiler was serviced", "The API rate limit is 100"), []string{user, user}},
	} {
		var got []string
		for _, p := range (&Router{Dir: NewDirectory(vault.Layout{})}).Place(tt.items) {
			got = append(got, string(p.Page))
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// The page of the user stays the page of the user, once it is there; before, the owner's name is on it.
func TestTheUsersPage(t *testing.T) {
	d := NewDirectory(vault.Layout{})
	r := Router{Dir: d, Owner: "Jo"}
	item := []Item{{Text: "The user prefers tabs", Category: "preference"}}
	if p := r.Place(item)[0]; p.Page != "3_Personal/Jo.md" {
		t.Errorf("went to %s", p.Page)
	}
	d.Add(Entry{Path: "3_Personal/The user.md", Title: "The user", Type: "person"})
	if p := r.Place(item)[0]; p.Page != "3_Personal/The user.md" {
		t.Errorf("went to %s", p.Page)
	}
}

// What a page has a section of stands there, and not in the one that several sides of life share. What is of no side for certain stands by
// its day.
func TestOwnSections(t *testing.T) {
	d := NewDirectory(vault.Layout{})
	d.Add(Entry{Path: "3_Personal/Joanna.md", Title: "Joanna", Type: "person", Sections: map[string]int{"Films": 6}})
	for words, want := range map[string]string{
		"I watched both films at the cinema": "Films",
		"I keep a jar of buttons":            "Timeline",
		"I'm allergic to peanuts":            "Health",
	} {
		p := (&Router{Dir: d}).Place([]Item{{Text: vault.Quote("Joanna", words), Category: "fact", Speaker: "Joanna"}})[0]
		if p.Section != want {
			t.Errorf("%q goes to %q, want %q", words, p.Section, want)
		}
	}
}

package route

import (
	"testing"

	"github.com/reverie-memory/reverie/vault"
)

// TestMeet files small batches: what is said of one thing stands on one page, whoever says it and however they call it.
func TestMeet(t *testing.T) {
	user := func(speaker, wing, text string, tags ...string) Item {
		return Item{Text: text, Category: "fact", Speaker: speaker, Wing: wing, Tags: tags, Day: "2026-03-02"}
	}
	const atlas = "1_Projects/Atlas.md"
	tests := []struct {
		name  string
		owner string
		items []Item
		want  []string // pages with sections
	}{
		{"what two say of a launch", "", []Item{
			user("Jo", "atlas", "Mara says the launch of Atlas is on 4 March"),
			user("Jo", "atlas", "Tomas thinks that the launch is on 9 March"),
			user("Jo", "atlas", "Atlas runs on port 80"),
			user("Jo", "atlas", "The tests are red"),
		}, []string{atlas + "#Facts", atlas + "#Facts", atlas + "#Facts", atlas + "#Facts"}},
		{"two speakers of a thing with a name", "", []Item{
			{Text: "The launch of Zephyrion is on 4 March", Speaker: "Mara", Chat: "c1"},
			{Text: "Zephyrion's launch is on 9 March", Speaker: "Tomas", Chat: "c1"},
			{Text: "The launch is on 12 March", Speaker: "Mara", Chat: "c1"},
			{Text: "The launch is on 13 March", Speaker: "Mara", Chat: "c2"}, // of whatever
		}, []string{
			"2_Wiki/Entities/Zephyrion.md#Facts", "2_Wiki/Entities/Zephyrion.md#Facts",
			"2_Wiki/Entities/Zephyrion.md#Facts", "3_Personal/Mara.md#Work",
		}},
		{"two speakers of an event with a name", "", []Item{
			{Text: "The Nimbus workshop is in Graz", Speaker: "Mara"},
			{Text: "The Nimbus workshop is in Linz", Speaker: "Tomas"},
		}, []string{"2_Wiki/Entities/Nimbus.md#Facts", "2_Wiki/Entities/Nimbus.md#Facts"}},
		{"one speaker of a thing with a name", "", []Item{
			{Text: "The launch of Zephyrion is on 4 March", Speaker: "Mara", Chat: "c1"},
			{Text: "Zephyrion's launch is on 9 March", Speaker: "Mara", Chat: "c1"},
		}, []string{"3_Personal/Mara.md#Work", "3_Personal/Mara.md#Work"}},
		{"what somebody says of the speaker", "", []Item{
			{Text: "Dr. Lee says Jo needs a crown", Speaker: "Jo"},
		}, []string{"3_Personal/Jo.md#People"}},
		{"common words said by two", "", []Item{
			{Text: "Happy Hour starts at six", Speaker: "Mara"},
			{Text: "Happy Hour ends at nine", Speaker: "Tomas"},
		}, []string{"3_Personal/Mara.md#Facts", "3_Personal/Tomas.md#Facts"}},
		{"a project is no entity or person as well", "", []Item{
			user("Jo", "kiwi", "Kiwi talks to the heating"),
			user("Jo", "kiwi", "Kiwi keeps its state in SQLite"),
			user("Jo", "kiwi", "Kiwi is offline"),
		}, []string{"1_Projects/Kiwi.md#Facts", "1_Projects/Kiwi.md#Facts", "1_Projects/Kiwi.md#Facts"}},
		{"a wing with words of no kind", "", []Item{
			user("Jo", "reef", "Larvae settle four nights after full moon"),
			user("Jo", "reef", "The pilot had six tiles"),
			user("Jo", "reef", "Plot 12 is shaded"),
		}, []string{"1_Projects/Reef.md#Facts", "1_Projects/Reef.md#Facts", "1_Projects/Reef.md#Facts"}},
		{"a wing of life", "", []Item{
			user("Jo", "garden", "The beans are up"),
			user("Jo", "garden", "The shed is green"),
			user("Jo", "garden", "The pond has frogs"),
		}, []string{"3_Personal/Jo.md#Facts", "3_Personal/Jo.md#Facts", "3_Personal/Jo.md#Facts"}},
		{"what programs do", "", []Item{
			user("", "", "Grafana runs at grafana.internal:3000"),
			user("", "", "Grafana's admin is Tomas"),
			user("", "", "Grafana was upgraded to version 11"),
		}, []string{"2_Wiki/Entities/Grafana.md#Facts", "2_Wiki/Entities/Grafana.md#Facts", "2_Wiki/Entities/Grafana.md#Facts"}},
		{"with and without a title", "", []Item{
			user("Jo", "", "Dr. Lee works until six"),
			user("Jo", "", "Lee's office moved"),
		}, []string{"3_Personal/Dr. Lee.md#Work", "3_Personal/Dr. Lee.md#Work"}},
		{"a pet of two statements", "", []Item{
			user("Jo", "", "Jo's dog Bruno sleeps on the sofa"),
			user("Jo", "", "The vet says Bruno should only eat rice"),
		}, []string{"3_Personal/Bruno.md#Health", "3_Personal/Bruno.md#Food"}},
		{"others have no page", "", []Item{
			user("Jo", "", "Felix works for Airbus"),
			user("Jo", "", "Jo met Felix"),
			user("Jo", "", "Jo's mother's birthday is on 17 June"),
		}, []string{"3_Personal/Jo.md#People", "3_Personal/Jo.md#Facts", "3_Personal/Jo.md#Family"}},
		{"relatives of others", "", []Item{
			user("Jo", "", "Mara's daughter Lina goes to school"),
			user("Jo", "", "Mara likes tea"),
			user("Jo", "", "Mara works at night"),
			user("Jo", "", "Mara's desk is by the window"),
		}, []string{"3_Personal/Mara.md#Family", "3_Personal/Mara.md#Food", "3_Personal/Mara.md#Work", "3_Personal/Mara.md#Work"}},
		{"a person of two statements in the memory of one", "Jo", []Item{
			user("Jo", "", "Mara thinks so"),
			user("Jo", "", "Mara works at night"),
			user("Jo", "", "Software works at night"),
			user("Jo", "", "Software thinks so"),
		}, []string{"3_Personal/Mara.md#Facts", "3_Personal/Mara.md#Work", "3_Personal/Jo.md#Work", "3_Personal/Jo.md#Work"}},
		{"a correction is of its subject", "Jo", []Item{
			user("Jo", "", "Noor's birthday is on 4 March"),
			user("Jo", "", "Correction: Noor's birthday is on 14 March"),
		}, []string{"3_Personal/Noor.md#", "3_Personal/Noor.md#"}},
		{"what the user has is no fact of the project", "Jo", []Item{
			user("", "atlas", "The user's desk is by the window"),
			user("", "atlas", "Atlas runs on port 80"),
			user("", "atlas", "Atlas needs Go 1.24"),
		}, []string{"3_Personal/Jo.md#Work", "1_Projects/Atlas.md#Facts", "1_Projects/Atlas.md#Facts"}},
		{"the user is the owner", "Jo", []Item{
			{Text: "The user prefers tabs over spaces", Category: "preference", Tags: []string{"style"}},
			{Text: "Prefers short answers at work", Category: "preference", Speaker: "user"},
			{Text: "Team meets on Mondays", Tags: []string{"work"}},
			{Text: "Dough rests for a day", Tags: []string{"baking"}},
		}, []string{"3_Personal/Jo.md#Preferences", "3_Personal/Jo.md#Preferences", "3_Personal/Jo.md#Work", "3_Personal/Jo.md#Food"}},
		{"a tag of several facts", "Jo", []Item{
			{Text: "Mixed models need a random effect", Tags: []string{"statistics"}},
			{Text: "A null hypothesis is never proved", Tags: []string{"statistics"}},
		}, []string{"2_Wiki/Concepts/Statistics.md#Facts", "2_Wiki/Concepts/Statistics.md#Facts"}},
		{"a road is no person", "", []Item{
			{Text: "Silk Road towns were rich", Speaker: "Jo"},
			{Text: "Silk Road traders crossed deserts", Speaker: "Jo"},
			{Text: "Silk Road connected cities", Speaker: "Jo"},
		}, []string{"2_Wiki/Entities/Silk Road.md#Facts", "2_Wiki/Entities/Silk Road.md#Facts", "2_Wiki/Entities/Silk Road.md#Facts"}},
		{"a paper and its year", "", []Item{
			{Text: "Hughes 2018: Global warming transforms coral reefs", Category: "paper", Speaker: "Jo"},
			{Text: "Randall 2020 reviews the sexual production of corals", Category: "paper", Speaker: "Jo"},
		}, []string{"2_Wiki/Literature/Hughes 2018.md#Facts", "2_Wiki/Literature/Randall 2020.md#Facts"}},
		{"one wish makes no page", "Jo", []Item{
			user("Jo", "", "Nordwind wants single sign-on"),
			user("Jo", "", "Nordwind has 40 users"),
		}, []string{"3_Personal/Jo.md#People", "3_Personal/Jo.md#People"}},
	}
	for _, tt := range tests {
		for i, p := range (&Router{Dir: NewDirectory(vault.Layout{}), Owner: tt.owner}).Place(tt.items) {
			if got := string(p.Page) + "#" + p.Section; got != tt.want[i] {
				t.Errorf("%s: %q goes to %s, want %s", tt.name, tt.items[i].Text, got, tt.want[i])
			}
		}
	}
}

// A page that bears the name of the user stays the page of the user, once it is there.
func TestTheUsersPageStays(t *testing.T) {
	d := NewDirectory(vault.Layout{})
	d.Add(Entry{Path: "3_Personal/The user.md", Title: "The user", Type: "person"})
	p := (&Router{Dir: d, Owner: "Jo"}).Place([]Item{{Text: "The user prefers tabs", Category: "preference"}})[0]
	if p.Page != "3_Personal/The user.md" {
		t.Errorf("went to %s", p.Page)
	}
}

// A person without a first name goes by both names.
func TestTitledPersons(t *testing.T) {
	p := (&Router{Dir: NewDirectory(vault.Layout{})}).Place([]Item{
		{Text: "Dr. Lee works until six", Speaker: "Jo"},
		{Text: "Lee's office moved", Speaker: "Jo"},
	})[0]
	if p.Entry.Title != "Dr. Lee" || len(p.Entry.Aliases) != 1 || p.Entry.Aliases[0] != "Lee" {
		t.Errorf("%+v", p.Entry)
	}
}

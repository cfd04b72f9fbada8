package route

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/vault"
)

// placesOf maps each text to its page and section.
func placesOf(r *Router, items []Item) map[string]string {
	out := map[string]string{}
	for i, p := range r.Place(items) {
		out[items[i].Text+"|"+items[i].Speaker] = string(p.Page) + "#" + p.Section + "#" + fmt.Sprint(p.New, p.Entry, p.Tags, p.Up)
	}
	return out
}

func TestOrderHasNoInfluence(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	long := made(700)
	for i := range long {
		long[i].Text += fmt.Sprint(" number ", i)
	}
	for name, items := range map[string][]Item{"weeks": weeks(t), "long": long} {
		want := placesOf(&Router{Dir: NewDirectory(vault.Layout{})}, items)
		for range 20 {
			rnd.Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
			if got := placesOf(&Router{Dir: NewDirectory(vault.Layout{})}, items); !reflect.DeepEqual(got, want) {
				for k, w := range want {
					if got[k] != w {
						t.Fatalf("%s: %q: %s, in another order %s", name, k, w, got[k])
					}
				}
			}
		}
	}
}

// TestLaterBatch routes the same facts again, all and one by one, with the pages that the first time made.
func TestLaterBatch(t *testing.T) {
	items := weeks(t)
	r := &Router{Dir: NewDirectory(vault.Layout{})}
	first := r.Place(items)
	take(r.Dir, first)
	for i, p := range r.Place(items) {
		if p.Page != first[i].Page || p.Section != first[i].Section || p.New {
			t.Errorf("%q: %s %q, again %s %q (new %v)", items[i].Text, first[i].Page, first[i].Section, p.Page, p.Section, p.New)
		}
	}
	for i, it := range items {
		if p := r.Place([]Item{it})[0]; p.Page != first[i].Page || p.Section != first[i].Section {
			t.Errorf("%q: %s %q, alone %s %q", it.Text, first[i].Page, first[i].Section, p.Page, p.Section)
		}
	}
}

func TestPlace(t *testing.T) {
	d := NewDirectory(vault.Layout{})
	for _, e := range []Entry{
		{Path: "3_Personal/Alice.md", Title: "Alice", Type: "person"},
		{Path: "3_Personal/Noor.md", Title: "Noor", Type: "person"},
		{Path: "2_Wiki/Entities/Acme.md", Title: "Acme", Type: "entity"},
		{Path: "1_Projects/Apollo.md", Title: "Apollo", Type: "project"},
		{Path: "1_Projects/Mark.md", Title: "Mark", Type: "project"},
		{Path: "5_Archives/Zeus.md", Title: "Zeus", Type: "project"},
		{Path: "0_Inbox/Lena.md", Title: "Lena"},
		{Path: "2_Wiki/Syntheses/Sleep.md", Title: "Sleep"},
		{Path: "notes/Tim.md", Title: "Tim"},
	} {
		d.Add(e)
	}
	tests := []struct {
		name string
		it   Item
		want string
	}{
		{"nothing to hold on to", Item{Text: "The kettle is broken"}, "3_Personal/The user.md#Timeline"},
		{"empty", Item{}, "3_Personal/The user.md#Timeline"},
		{"assistant", Item{Text: "The kettle is broken", Speaker: "Assistant"}, "3_Personal/The user.md#Timeline"},
		{"side of life alone", Item{Text: "The kettle is broken", Wing: "personal"}, "3_Personal/The user.md#Timeline"},
		{"speaker", Item{Text: "The kettle is broken", Speaker: "Alice"}, "3_Personal/Alice.md#Timeline"},
		{"new speaker", Item{Text: "The kettle is broken", Speaker: "Bo"}, "3_Personal/Bo.md#Timeline"},
		{"lower-case speaker", Item{Text: "the kettle is broken", Speaker: "bo"}, "3_Personal/Bo.md#Timeline"},
		{"subject before speaker", Item{Text: "Noor lives in Hamburg", Speaker: "Alice"}, "3_Personal/Noor.md#Home"},
		{"subject before mention", Item{Text: "Alice met Noor", Speaker: "Noor"}, "3_Personal/Alice.md#People"},
		{"relative before owner", Item{Text: "Alice's older sister Noor plays chess", Speaker: "Alice"}, "3_Personal/Noor.md#Leisure"},
		{"owner of an unknown relative", Item{Text: "Alice's uncle Per plays chess", Speaker: "Alice"}, "3_Personal/Alice.md#People"},
		{"relation", Item{Text: "Noor is the sister of Alice", Speaker: "Alice"}, "3_Personal/Noor.md#"},
		{"born", Item{Text: "Noor was born on 4 March 1991", Speaker: "Alice"}, "3_Personal/Noor.md#"},
		{"party", Item{Text: "Noor's party is on 4 March", Speaker: "Alice"}, "3_Personal/Noor.md#Timeline"},
		// Noor does not speak in this batch
		{"called", Item{Text: `Alice: "Noor! I repaired the kettle"`, Speaker: "Alice"}, "3_Personal/Alice.md#Timeline"},
		{"spoken to", Item{Text: "Noor, the kettle is broken", Speaker: "Alice"}, "3_Personal/Noor.md#Timeline"},
		{"lead", Item{Text: "On 4 March 2026 Noor went to the dentist", Speaker: "Alice"}, "3_Personal/Noor.md#Timeline"},
		{"lead clause", Item{Text: "When it rains, Noor takes the train", Speaker: "Alice"}, "3_Personal/Noor.md#Leisure"},
		{"entity", Item{Text: "Acme closes at six", Speaker: "Alice"}, "2_Wiki/Entities/Acme.md#"},
		{"named project", Item{Text: "The Apollo project is late", Speaker: "Alice"}, "1_Projects/Apollo.md#Status"},
		{"wing", Item{Text: "The tests are red", Wing: "apollo", Category: "problem", Speaker: "Alice"}, "1_Projects/Apollo.md#Problems"},
		{"wing with mark", Item{Text: "The tests are red", Wing: "wing_apollo", Speaker: "Alice"}, "1_Projects/Apollo.md#Status"},
		{"room of work", Item{Text: "The tests are red", Wing: "work", Room: "apollo", Speaker: "Alice"}, "1_Projects/Apollo.md#Status"},
		{"life in a project", Item{Text: "Alice's sister called", Wing: "apollo", Speaker: "Alice"}, "3_Personal/Alice.md#People"},
		{
			"task in a project",
			Item{Text: "Alice has to write the tests", Wing: "apollo", Category: "task", Speaker: "Alice"},
			"1_Projects/Apollo.md#Tasks",
		},
		{
			"feeling in a project",
			Item{Text: "Alice is proud of the tests", Wing: "apollo", Category: "emotional", Speaker: "Alice"},
			"3_Personal/Alice.md#About",
		},
		{"speaker of a project's name", Item{Text: "Mark likes tea", Speaker: "Mark"}, "3_Personal/Mark (person).md#Leisure"},
		{"archived", Item{Text: "Zeus ran on two servers", Speaker: "Alice"}, "5_Archives/Zeus.md#Stack"},
		{"not into the inbox", Item{Text: "Lena sings", Speaker: "Alice"}, "3_Personal/Alice.md#People"},
		{"not into conclusions", Item{Text: "Sleep is short in June", Speaker: "Alice"}, "3_Personal/Alice.md#Health"},
		{"not out of the zones", Item{Text: "Tim sings", Speaker: "Alice"}, "3_Personal/Alice.md#People"},
		{"wing of a clone", Item{Text: "The tests are red", Wing: "github.com/acme/apollo", Speaker: "Alice"}, "1_Projects/Apollo.md#Status"},
		{"wing without speaker", Item{Text: "The tests are red", Wing: "hermes"}, "1_Projects/Hermes.md#Status"},
		{"tag alone", Item{Text: "Dough rests for a day", Tags: []string{"baking"}}, "3_Personal/The user.md#Timeline"},
		{
			"idea",
			Item{Text: "A trie finds all words with a prefix", Category: "idea", Tags: []string{"search"}, Speaker: "Alice"},
			"2_Wiki/Concepts/Search.md#",
		},
		{"the user", Item{Text: "The user likes tea"}, "3_Personal/The user.md#Timeline"},
		{"owner speaks", Item{Text: "Prefers metric units", Speaker: "user", Category: "preference"}, "3_Personal/The user.md#Preferences"},
		{"owner as subject", Item{Text: "User prefers metric units", Category: "preference"}, "3_Personal/The user.md#Preferences"},
		{"not the user", Item{Text: "The user table has nine columns", Wing: "apollo", Speaker: "Alice"}, "1_Projects/Apollo.md#Overview"},
		{"title", Item{Text: "Mr. Acme closes at six", Speaker: "Alice"}, "2_Wiki/Entities/Acme.md#"},
		{
			"words of life in a project",
			Item{Text: "The library is running on one server", Wing: "apollo", Speaker: "Alice"},
			"1_Projects/Apollo.md#Stack",
		},
		{
			"tag of life in a project",
			Item{Text: "The flight was an hour late", Wing: "apollo", Tags: []string{"travel"}, Speaker: "Alice"},
			"3_Personal/Alice.md#Leisure",
		},
		{
			"category is a topic",
			Item{Text: "Alice takes a pill every day in the kitchen", Category: "health", Speaker: "Alice"},
			"3_Personal/Alice.md#Health",
		},
		{"german", Item{Text: "Alices Schwester Noor hat Zahnschmerzen", Speaker: "Alice"}, "3_Personal/Noor.md#Timeline"},
		{"german nouns", Item{Text: "Der Kessel in der Küche ist seit Montag kaputt", Speaker: "Alice"}, "3_Personal/Alice.md#Timeline"},
		{"spanish", Item{Text: "La hermana de Alice, Noor, vive en Hamburgo", Speaker: "Alice"}, "3_Personal/Noor.md#Timeline"},
		{"german title", Item{Text: "Frau Acme wohnt nebenan", Speaker: "Alice"}, "2_Wiki/Entities/Acme.md#"},
		{"come is not eating", Item{Text: "Alice will come on Sunday, that is kind", Speaker: "Alice"}, "3_Personal/Alice.md#Timeline"},
		{"task by hand", Item{Text: "Buy milk", Category: "task", Speaker: "Alice"}, "3_Personal/Alice.md#Tasks"},
		{"wish", Item{Text: "Alice wants to see the sea", Category: "task", Speaker: "Alice"}, "3_Personal/Alice.md#Leisure"},
		{"picture", Item{Text: "Alice shared a picture: a cat", Speaker: "Alice"}, "3_Personal/Alice.md#People"},
		{"signs only", Item{Text: "?!", Speaker: "Alice"}, "3_Personal/Alice.md#Timeline"},
	}
	r := &Router{Dir: d}
	for _, tt := range tests {
		p := r.Place([]Item{tt.it})[0]
		got := string(p.Page) + "#" + p.Section
		if got != tt.want {
			t.Errorf("%s: %q goes to %s, want %s", tt.name, tt.it.Text, got, tt.want)
		}
	}
	if len(d.entries) != 9 {
		t.Error("Place changed the directory")
	}
}

// TestNamesEarnPages counts statements about a name, not mentions.
func TestNamesEarnPages(t *testing.T) {
	say := func(texts ...string) []string {
		var items []Item
		for _, s := range texts {
			items = append(items, Item{Text: s, Speaker: "Alice"})
		}
		var out []string
		for _, p := range (&Router{Dir: NewDirectory(vault.Layout{})}).Place(items) {
			if !slices.Contains(out, string(p.Page)) {
				out = append(out, string(p.Page))
			}
		}
		slices.Sort(out)
		return out
	}
	const alice = "3_Personal/Alice.md"
	tests := []struct {
		name  string
		texts []string
		want  []string
	}{
		{"mentions only", []string{"Alice met Priya", "Alice called Priya", "Alice likes Priya", "Alice lives with Priya"}, []string{alice}},
		{"two statements", []string{"Priya thinks so", "Priya works at night"}, []string{alice}},
		{
			"three statements",
			[]string{"Priya thinks so", "Priya works at night", "Priya's desk is by the window"},
			[]string{"3_Personal/Priya.md"},
		},
		{
			"place",
			[]string{"Alice flew to Bergen", "Bergen is a city in Norway", "Bergen has seven mountains", "Bergen's port is old"},
			[]string{"2_Wiki/Entities/Bergen.md", alice},
		},
		{"book", []string{
			"Alice is reading Middlemarch", "Middlemarch is a novel by George Eliot", "Middlemarch has 86 chapters",
			"Middlemarch's ending is sad",
		}, []string{"2_Wiki/Literature/Middlemarch.md", alice}},
		{
			"tool",
			[]string{"PostgreSQL keeps the rows", "PostgreSQL runs on one server", "PostgreSQL has transactions"},
			[]string{"2_Wiki/Entities/PostgreSQL.md"},
		},
		{"plain words", []string{
			"Pictures help", "Pictures bring back memories", "Pictures are nice",
			"Family is a word", "Family comes first", "Family helps",
		}, []string{alice}},
		{"months and days", []string{"May is warm", "May was cold", "May will be nice"}, []string{alice}},
		{"pronouns", []string{"She sings", "She lives here", "She works"}, []string{alice}},
		{"german nouns", []string{"Käse ist teuer und nicht gut", "Käse ist zu teuer", "Käse wird nicht teurer"}, []string{alice}},
		{
			"system",
			[]string{"The ticket service is down", "The ticket service runs on port 80", "The ticket service has two users"},
			[]string{"1_Projects/Ticket.md"},
		},
		{"product", []string{"The Mint app syncs with the bank", "The Mint app costs nothing", "The Mint app has a dark theme"}, []string{alice}},
		{
			"app of one's own",
			[]string{
				"Alice's Mint app syncs with the bank", "The Mint app costs nothing", "The Mint app has a dark theme", "The Mint app sends mails",
			},
			[]string{"1_Projects/Mint.md"},
		},
	}
	for _, tt := range tests {
		if got := say(tt.texts...); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestLongPages files a thousand facts about one person in batches: no page grows without end, and what moves does so by topic.
func TestLongPages(t *testing.T) {
	texts := []string{
		"ran a marathon", "read a novel", "cooked a soup", "saw the doctor",
		"thought about it", "plays the violin", "flew abroad", "watched a movie",
	}
	r := &Router{Dir: NewDirectory(vault.Layout{})}
	n := 0
	for year := 2022; year <= 2024; year++ {
		for m := 1; m <= 12; m++ {
			var items []Item
			for range 18 {
				day := vault.Day(fmt.Sprintf("%d-%02d-%02d", year, m, n%28+1))
				items = append(items, Item{Text: fmt.Sprintf("Alice %s, take %d", texts[n%len(texts)], n), Speaker: "Alice", Day: day})
				n++
			}
			places := r.Place(items)
			for i, p := range places {
				if title := p.Entry.Title; title != "Alice" && (p.Entry.Type != typeTopic || p.Entry.zone != vault.Personal ||
					!strings.HasPrefix(title, "Alice - ") || p.Up.Title != "Alice" || p.Up.Path != "3_Personal/Alice.md") {
					t.Fatalf("%q: %+v", items[i].Text, p)
				}
			}
			take(r.Dir, places)
		}
	}
	total := 0
	for _, p := range r.Dir.Paths() {
		e, _ := r.Dir.Get(p)
		if sum := statements(&e); sum > maxPage+minMoved { // short sections stay
			t.Errorf("%s: %d", p, sum)
		}
		total += statements(&e)
	}
	if e, _ := r.Dir.Get("3_Personal/Alice - Sport.md"); total != n || e.Sections["Sport"] == 0 {
		t.Errorf("%d of %d on %v: %+v", total, n, r.Dir.Paths(), e)
	}
}

package navigate

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/vault"
)

// Statements by what they are to MEMORY.md: who Alice is, what else holds of her, what she is at, and what happened.
var ofAlice = map[string][]string{
	"who": strings.Split(`Alice lives in a dorm on her own
Alice studies at NYU, a bit away from home
Alice currently works as the social media manager of a marketing firm
Alice's mom is a hairdresser
Alice is from Los Angeles, born and raised
Alice is allergic to peanuts
Alice has two kids
Alice plays the clarinet
Alice is majoring in economics
Alice: "Currently I have a job on campus"
Alice is married
Alice's sister's birthday is on 4 March
Alice: "I'm allergic to most reptiles"
Alice: "I work as a nurse in Oslo"
Alice: "My sister Clara works at the zoo"
Alice: Ich wohne in Berlin`, "\n"),
	"changed": strings.Split(`Alice moved to Utrecht
Alice: "Last week [the week of 1 May 2023], I adopted a dog from a shelter"
Alice has recently joined a choir`, "\n"),
	"holds": strings.Split(`Alice loves live music
Alice is a big fan of chamomile tea
Alice doesn't eat meat
Alice never drinks coffee
Alice prefers tea
Alice's favorite team is Inter-Milan`, "\n"),
	"goes on": strings.Split(`Alice is building a habit tracker
Alice has been looking into counseling
Alice: "I'm training for a half marathon"`, "\n"),
	"happened": strings.Split(`Alice is glad about the trip
Alice had some what Alice calls magic medicine
Alice left and made their way home
Alice took the bus
Alice would love to see another painting
Alice never asked Kate
Alice thinks the plan works
Alice will call on 8 January
Alice wants to see the sea
Alice wasn't expecting that
Alice's team won the cup
The room was electric with energy
Alice and others went to Rome
Alice: "I got a great pic"
Alice: "That was fun"
Bob: "I'm a nurse"`, "\n"),
}

func TestReading(t *testing.T) {
	for want, texts := range ofAlice {
		for _, text := range texts {
			r := read(text, []string{"Alice", theUser})
			if got := r.about && r.lasts; got != (want != "goes on" && want != "happened") {
				t.Errorf("%s: %v, of what %s (%+v)", text, got, want, r)
			}
		}
	}
}

func TestDefines(t *testing.T) {
	for text, want := range map[string]bool{
		"Alice is a nurse from Leeds": true, `Alice: "I'm a nurse"`: true, `Alice: "I'm Alice Lind, a cellist"`: true,
		"Alice is a big fan of tea": false, "Alice's dog is a poodle": false, "Alice was a nurse": false,
		`Bob: "I'm building a small web shop called Alice"`: true, `Bob: "I'm building a shop and Alice has to wait"`: false,
		`Bob: "I'm building a bridge"`: false, "Bob told Alice of a boat": false,
	} {
		if got := Defines(text, []string{"Alice"}); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// TestMemoryOfFriends is a conversation of two people, of whom none is "you": who they are is told, yesterday and years ago.
func TestMemoryOfFriends(t *testing.T) {
	for who := range slices.Chunk(ofAlice["who"], mostAlone) {
		p := PageInfo{Path: "3_Personal/Alice.md", Title: "Alice", Type: "person"}
		for i, s := range slices.Concat(who, ofAlice["goes on"], ofAlice["happened"]) {
			p.Lines = append(p.Lines, Line{
				Text: s, Section: []string{"Home", "Work", "Family", "About", "Health", "Study", "Music"}[i%7], Trusted: true,
				Sources: said("2024-01-09", fmt.Sprintf("f%09d", i)),
				At:      "2024-01-09",
			})
		}
		for _, today := range []vault.Day{"2024-01-10", "2026-11-21"} {
			got := string(memory(MemoryInput{Today: today, Pages: slices.Values([]PageInfo{p})}))
			missing := slices.DeleteFunc(slices.Clone(who), func(s string) bool { return strings.Contains(got, s) })
			if len(missing) > 2 || strings.Count(got, "\n- ") > mostAlone {
				t.Errorf("%s: missing\n%s\nin\n%s", today, strings.Join(missing, "\n"), got)
			}
			for _, s := range ofAlice["happened"] {
				if strings.Contains(got, s) {
					t.Errorf("%s is there", s)
				}
			}
		}
	}
}

// TestMemoryOfAUser has of everything what an assistant wants at every start, and as much that it does not.
func TestMemoryOfAUser(t *testing.T) {
	at := func(section, text string, day vault.Day, id string) Line {
		return Line{Text: text, Section: section, Trusted: true, Sources: said(day, id), At: day, Task: section == "Tasks"}
	}
	user := PageInfo{Path: "3_Personal/The user.md", Title: "The user", Type: "person", Lines: []Line{
		at("Facts", "The user is Mara Lind, a cellist, and is trying to build an app, but is stuck", "2024-01-01", "f0000000001"),
		at("Work", "The user works at Northwind", "2024-01-01", "f0000000002"),
		at("Preferences", "The user wants assistants to always answer in metric units", "2024-01-01", "f0000000003"),
		at("Preferences", "The user loves live music", "2024-01-01", "f0000000004"),
		at("Preferences", "The user prefers short answers", "2024-01-01", "f0000000022"),
		at("Preferences", `The user: "I'm trying to cover HTTP responses"`, "2024-01-01", "f0000000023"),
		at("Preferences", "The user is stressed about Greg, an assistant editor", "2024-01-01", "f0000000024"),
		at("Work", "The user is trying to fix the cache", "2024-01-01", "f0000000005"),
		at("Work", "The user is seeing errors", "2026-06-01", "f0000000020"),
		at("Work", "The user is learning Rust", "2026-06-01", "f0000000006"),
		at("Tasks", "Renew the passport by 30 June 2026", "2026-01-01", "f0000000007"),
		at("Tasks", "Tidy the cellar", "2026-01-01", "f0000000008"),
		at("Hobbies", "The user's all time favorite is Banana-Blueberry", "2024-01-01", "f0000000021"),
		at("Parts", "The user - Work", "", ""),
	}}
	lumo := PageInfo{Path: "1_Projects/Lumo.md", Title: "Lumo", Type: "project", Lines: []Line{
		at("", "Lumo is a habit tracker", "2026-01-01", "f0000000010"), at("Facts", "Lumo has 65 beta testers", "2026-06-01", "f0000000011"),
	}}
	old := PageInfo{Path: "1_Projects/Old.md", Title: "Old", Type: "project", Lines: []Line{at("", "Old is a game", "2024-01-01",
		"f0000000012")}}
	clara := PageInfo{Path: "3_Personal/Clara.md", Title: "Clara", Type: "person", Lines: []Line{
		at("Family", "Clara is the wife of Mara", "2024-01-01", "f0000000013"), at("Hobbies", "Clara loves tea", "2024-01-01", "f0000000014"),
	}}
	got := string(memory(MemoryInput{Today: "2026-06-10", Pages: slices.Values([]PageInfo{user, lumo, old, clara})}))
	var lines []string
	for l := range strings.Lines(got) {
		l, _, _ = strings.Cut(strings.TrimSpace(l), " ([[")
		lines = append(lines, l)
	}
	want := `# Memory

## About you
- Mara Lind, a cellist
- Works at Northwind

## Preferences
- Prefers short answers
- Wants assistants to always answer in metric units

## People
- Clara is the wife of Mara

## Projects
- Lumo: a habit tracker; has 65 beta testers

## Now
- To do: Renew the passport by 30 June 2026`
	if strings.Join(lines, "\n") != want {
		t.Errorf("got\n%s", strings.Join(lines, "\n"))
	}
}

// TestMemorySaysNothingOver leaves out what something newer on another page of the same person ended.
func TestMemorySaysNothingOver(t *testing.T) {
	page := func(name, text string, day vault.Day) PageInfo {
		return PageInfo{Path: vault.Path("3_Personal/" + name + ".md"), Title: name, Type: "person", Lines: []Line{
			{Text: text, Section: "Home", Trusted: true, Sources: said(day, "f0000000001"), At: day},
		}}
	}
	got := string(memory(MemoryInput{Owner: "Jonas", Today: "2026-06-10", Pages: slices.Values([]PageInfo{
		page("The user", "The user lives in Ghent", "2024-01-01"), page("Jonas", "Jonas moved to Bruges", "2026-01-01"),
	})}))
	if !strings.Contains(got, "Moved to Bruges") || strings.Contains(got, "Ghent") {
		t.Error(got)
	}
	noor := page("Noor", "Noor works at Northwind", "2024-01-01")
	noor.Lines[0].Reads = 100 // it ranks before what ended it
	noor.Lines = append(noor.Lines, page("", "Noor joined Lumo", "2026-01-01").Lines...)
	got = string(memory(MemoryInput{Owner: "Jonas", Today: "2026-06-10", Pages: slices.Values([]PageInfo{noor})}))
	if !strings.Contains(got, "Lumo") || strings.Contains(got, "Northwind") {
		t.Error(got)
	}
}

// TestMemoryOfLittle: where nothing is sure, nothing is there; an appointment is due or over; a name counts wherever it was said.
func TestMemoryOfLittle(t *testing.T) {
	p := PageInfo{Path: "3_Personal/Alice.md", Title: "Alice", Type: "person", Lines: []Line{
		{Text: "Alice loves live music", Section: "Hobbies", Trusted: true, Sources: said("2026-06-01", "f0000000001"), At: "2026-06-01"},
		{Text: "Alice went to Rome", Section: "Travel", Trusted: true, Sources: said("2026-06-01", "f0000000002"), At: "2026-06-01"},
	}}
	got := string(memory(MemoryInput{Today: "2026-06-10", Pages: slices.Values([]PageInfo{p})}))
	if got != EmptyMemory {
		t.Error(got)
	}
	p.Lines = append(p.Lines,
		Line{Text: "Alice has a meeting with Hana on 20 June 2026", Trusted: true, Sources: said("2026-06-01", "f0000000003"), At: "2026-06-01"},
		Line{Text: "Alice has a meeting with Omar on 2 March 2026", Trusted: true, Sources: said("2026-02-01", "f0000000004"), At: "2026-02-01"})
	app := PageInfo{Path: "1_Projects/App.md", Title: "App", Type: "project", Lines: []Line{
		{
			Text: `Alice: "I'm Alice Lind, a cellist, and I'm trying to build an app"`, Section: "Overview", Trusted: true,
			Sources: said("2026-06-01", "f0000000005"), At: "2026-06-01",
		},
	}}
	got = string(memory(MemoryInput{Owner: "Alice", Today: "2026-06-10", Pages: slices.Values([]PageInfo{p, app})}))
	if !strings.HasPrefix(got, "# Memory\n\n## About you\n- Alice Lind, a cellist (") || !strings.Contains(got, "Hana") ||
		strings.Contains(got, "Omar") || strings.Contains(got, "music") {
		t.Error(got)
	}
}

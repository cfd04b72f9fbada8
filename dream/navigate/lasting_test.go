package navigate

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/vault"
)

// Statements as the rules take them from conversations: what belongs in the memory of every conversation, and what does not.
var (
	lastsOfAlice = strings.Split(`Alice lives in a dorm on her own
Alice studies at NYU, a bit away from home but totally worth the experience
Alice currently works as the social media manager of a marketing firm
Alice's mom is a hairdresser so Alice has quite a lot of hair tips
Alice is from Los Angeles, born and raised
Alice is a big fan of chamomile tea, especially in the evenings
Alice and others have got a pup and a kitty
Alice and others enjoy hiking in the mountains
Alice has always been an introvert by nature
Alice loves live music
Alice started playing acoustic guitar about 2018; it's been a great way to escape
Alice's favorite team is Inter-Milan
Blue's Alice's fave, it makes them feel relaxed
Tom Brady is Alice's personal favorite
Alice mentors a teen
Alice joined an online group in the week of 19 December 2022
Alice is a fan of pottery - the skill is awesome
Alice doesn't eat meat
Alice never drinks coffee
Alice: Ich wohne in Berlin`, "\n")
	passesOfAlice = strings.Split(`Alice is swamped with the kids & work
Alice had some what Alice calls magic medicine
Alice left and made their way home
Alice is really intrigued to see how the characters develop
Alice loves that it teaches them to accept imperfections
Alice loves all the yellow leaves, it looks so cozy
Alice really likes the steam rooms and saunas included in the service
Alice has been a busy week since Alice and others talked
Alice and others don't go often, usually only once or twice a year
Alice and others have their different paths
Alice's family's been great - their love and support helped
Alice would love to see another painting
Alice never knew where the show would end up
Alice never asked Kate
Alice likes to play it with their friends because it is fun
Alice is quite tired from the game
Alice got a surge of energy and purpose
Alice worked on a project with others
Alice's first class is on 17 January 2024 at 5:00pm
The room was electric with energy and support
Alice made something like this
Alice does enjoy both`, "\n")
)

func TestLasting(t *testing.T) {
	names := []string{"Alice", "The user"}
	in := func(text string) bool {
		rest, ok := aboutPage(text, names)
		return ok && lasting(rest) && !vague(text)
	}
	for _, s := range lastsOfAlice {
		if !in(s) {
			t.Errorf("does not last: %s", s)
		}
	}
	for _, s := range passesOfAlice {
		if in(s) {
			t.Errorf("lasts: %s", s)
		}
	}
}

// TestMemoryOfMainPeople is a conversation of two people, years ago and yesterday: what lasts is there in either case, and nothing else.
func TestMemoryOfMainPeople(t *testing.T) {
	for lasts := range slices.Chunk(lastsOfAlice, 10) {
		mainPeople(t, lasts)
	}
	own := string(memory(MemoryInput{Owner: "Alice", Today: "2024-01-10", Pages: slices.Values([]PageInfo{alicesTastes()})}))
	if !strings.Contains(own, "## Preferences\n- Prefers tea (") && !strings.Contains(own, "## Preferences\n- Alice prefers tea (") {
		t.Errorf("an overflow page of the owner's:\n%s", own)
	}
}

func alicesTastes() PageInfo {
	return PageInfo{Path: "3_Personal/Alice - Preferences.md", Title: "Alice - Preferences", Type: "topic", Lines: []Line{
		{Text: "Alice prefers tea", Section: "January 2024", Trusted: true, Sources: said("2024-01-08", "f000000099"), At: "2024-01-08"},
	}}
}

func mainPeople(t *testing.T, lasts []string) {
	t.Helper()
	p := PageInfo{Path: "3_Personal/Alice.md", Title: "Alice", Type: "person"}
	sections := []string{"Home", "Music", "Health", "Work", "Facts", "Sport"}
	for i, s := range slices.Concat(lasts, passesOfAlice) {
		p.Lines = append(p.Lines, Line{
			Text: s, Section: sections[i%len(sections)], Trusted: true,
			Sources: said("2024-01-09", fmt.Sprintf("f%09d", i)), At: "2024-01-09",
		})
	}
	for _, text := range []string{
		"Alice has to renew the passport", "Rotate the signing keys", "Apparently Dua's dress was supposed to reference a mermaid",
		"Alice will talk to Emi on 8 January 2024",
	} {
		p.Lines = append(p.Lines, Line{
			Text: text, Section: "Tasks", Task: true,
			Trusted: true, Sources: said("2024-01-09", "fx"), At: "2024-01-09",
		})
	}
	for _, today := range []vault.Day{"2024-01-10", "2026-11-21"} {
		got := string(memory(MemoryInput{Today: today, Pages: slices.Values([]PageInfo{p, alicesTastes()})}))
		for _, s := range lasts {
			if !strings.Contains(got, "- "+s+" (") {
				t.Errorf("%s: not there: %s", today, s)
			}
		}
		for _, s := range slices.Concat(passesOfAlice, []string{"Apparently", "will talk to Emi"}) {
			if strings.Contains(got, s) {
				t.Errorf("%s: there: %s", today, s)
			}
		}
		if people := got[strings.Index(got, "## People"):]; !strings.Contains(people, "- Alice prefers tea (") ||
			strings.Contains(got, "## Preferences") {
			t.Errorf("%s: what an overflow page of somebody else says is not the owner's:\n%s", today, got)
		}
		if n := strings.Count(got, "To do: "); today == "2024-01-10" && n != 2 {
			t.Errorf("%d tasks of two:\n%s", n, got)
		}
	}
}

func TestMemoryTellsNoDayThatNobodyNamed(t *testing.T) {
	p := PageInfo{Path: "3_Personal/Mara.md", Title: "Mara", Type: "person", Lines: []Line{
		{Text: "Mara lives in Utrecht", Section: "Home", Trusted: true, Sources: said("2026-10-05", "f1"), At: "2026-10-05"},
		{
			Text: "Mara Lind is a backend engineer at Northwind", Section: "Work",
			Trusted: true, Sources: said("2020-10-05", "f3"), At: "2020-10-05",
		},
		{Text: "Tomas's birthday is on 4 March", Section: "Family", Trusted: true, Sources: said("2020-10-05", "f4"), At: "2020-10-05"},
		{Text: "Mara was stuck in traffic this morning", Section: "Facts", Trusted: true, Sources: said("2026-10-05", "f2"), At: "2026-10-05"},
	}}
	got := string(memory(MemoryInput{Owner: "Mara", Today: "2026-10-06", Pages: slices.Values([]PageInfo{p})}))
	if !strings.Contains(got, "- Lives in Utrecht (") || !strings.Contains(got, "backend engineer") ||
		!strings.Contains(got, "Tomas's birthday") || strings.Contains(got, "traffic") {
		t.Errorf("got\n%s", got)
	}
}

func TestGlossOfTalk(t *testing.T) {
	lines := func(section string, texts ...string) (out []Line) {
		for _, s := range texts {
			out = append(out, Line{Text: s, Section: section, Sources: said("2023-10-22", "f1"), At: "2023-10-22", Trusted: true})
		}
		return out
	}
	for _, c := range []struct {
		name, want string
		lines      []Line
	}{
		{"Caroline", "loves creating art", slices.Concat(lines("Work", "Since Caroline's last chat, Caroline has been looking into counseling"),
			lines("Art", "Caroline loves creating art"))},
		{"Melanie", "loves live music", slices.Concat(lines("Family", "Melanie's kids and Melanie just finished another painting"),
			lines("Music", "Melanie loves live music"))},
		{"Noor", "Since Alice's sister Noor moved, they meet often", lines("Home", "Since Alice's sister Noor moved, they meet often")},
		{"Emi", "works at a firm in New York, a big fan of smoothies", slices.Concat(lines("Work", "Emi works at a firm in New York"),
			lines("Food", "Emi is a big fan of smoothies"), lines("Facts", "Emi is sure Elise's painting will be unique"))},
		{"Anna", "has a pendant", lines("Home", "Anna also has a pendant")},
	} {
		got := Gloss(c.lines, GlossLength, c.name)
		if !strings.HasPrefix(got, c.want) || strings.Contains(got, ",,") || strings.Contains(got, "and,") {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestMemoryWithoutOwner: in a log by hand nobody says who speaks. What somebody prefers is told even so.
func TestMemoryWithoutOwner(t *testing.T) {
	p := PageInfo{Path: "3_Personal/Mara.md", Title: "Mara", Type: "person"}
	for i, s := range []string{
		"Mara prefers short answers", "Mara uses Neovim", "Mara plays the cello", "Mara commutes by bicycle", "Mara likes tea", "Mara runs",
		"Mara had lunch with Hana", "Mara owns a boat",
	} {
		p.Lines = append(p.Lines, Line{
			Text: s, Section: []string{"Preferences", "Facts"}[i%2],
			Trusted: true, Sources: said("2026-10-05", fmt.Sprint("f", i)), At: "2026-10-05",
		})
	}
	for owner, want := range map[string]bool{"": true, "Tomas": false} {
		got := string(memory(MemoryInput{Owner: owner, Today: "2026-10-06", Pages: slices.Values([]PageInfo{p})}))
		if strings.Contains(got, "prefers short answers") != want || strings.Contains(got, "lunch") {
			t.Errorf("owner %q:\n%s", owner, got)
		}
	}
}

package route

import (
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/vault"
)

// FuzzPlace files whatever a fact may hold: the path is legal, and the same facts go to the same page once it is there.
func FuzzPlace(f *testing.F) {
	for _, s := range []string{
		"Alice's sister Noor", "The billing service", "The", "A", "As for", "On 4 March Noor", "Noor, Alice's", "project X", "La hermana de",
		"Alice and others", "x-service", "Mr. No. X", "in Bergen", "Noor is a",
		"named X", "the user", "Alices Schwester", "-", "A. B. C. D. E. F.",
	} {
		f.Add(s, "fact", "billing", "Alice", "wing", "room")
	}
	f.Add("x", "idea", "a b", "user", "work", "x")
	f.Add("The Overstory: x", "book", "", "../..", "personal", "CON")
	f.Fuzz(func(t *testing.T, text, category, tag, speaker, wing, room string) {
		it := Item{Text: text, Category: category, Tags: []string{tag}, Speaker: speaker, Wing: wing, Room: room, Day: "2026-03-04"}
		other := Item{Text: "Noor sings", Speaker: "Noor"}
		items := []Item{it, it, other, it}
		d := linkDirectory()
		d.Remove("3_Personal/Noor.md")
		r := &Router{Dir: d}
		places := r.Place(items)
		for _, p := range places {
			if p.Page == "" {
				continue
			}
			if q, err := vault.ParsePath(string(p.Page)); err != nil || q != p.Page ||
				!strings.HasPrefix(string(q), p.Entry.zone+"/") || !strings.HasSuffix(string(q), ".md") {
				t.Fatalf("%+v: %v", p, err)
			}
			if strings.ContainsAny(p.Section, "\n#") || strings.ContainsAny(p.Entry.Title, "\n\r") {
				t.Fatalf("%+v", p)
			}
		}
		take(d, places)
		for i, p := range r.Place(items) {
			if p.New && places[i].New && p.Page != places[i].Page {
				t.Fatalf("%q: first %s, then %s", items[i].Text, places[i].Page, p.Page)
			}
		}
		r.Link(text, places[0].Page)
	})
}

func FuzzLink(f *testing.F) {
	for _, s := range []string{
		"Alice", "[[Alice|x]] Noor", "`Alice", "[a](b) Alice", "<Alice>",
		"\\Alice", "Alice]] [[Noor", "a|Alice|b", "Big\nSur", "[Alice]", "[[Alice",
	} {
		f.Add(s)
	}
	r := &Router{Dir: linkDirectory()}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "[[") || strings.Contains(text, "]]") {
			r.Link(text, "")
			return // then the text shows other things than it holds
		}
		once := r.Link(text, "")
		if shown := wikilink.ReplaceAllString(once, "$1"); shown != text {
			t.Fatalf("%q reads %q (%q)", text, shown, once)
		}
		if twice := r.Link(once, ""); twice != once {
			t.Fatalf("%q: once %q, twice %q", text, once, twice)
		}
	})
}

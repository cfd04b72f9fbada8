package route

import (
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/vault"
)

// Of what is said in one conversation with a project, its page gets what is about such work, and no dentist, no boss and no tiles.
func TestAConversationIsMoreThanItsProject(t *testing.T) {
	d := NewDirectory(vault.Layout{})
	d.Add(Entry{Path: "1_Projects/Kindergarten site.md", Title: "Kindergarten site", Type: "project"})
	d.Add(Entry{Path: "3_Personal/The user.md", Title: "The user", Type: "person"})
	its := []string{
		"The kindergarten site moved from WordPress to Hugo", "Deploys run by GitHub Actions", "The tests fail on Windows",
		"We decided to host at Hetzner", "The user has to fix the contact form",
	}
	others := []string{
		"The user booked the dentist for Emil on 24 November 2026 at 9:15",
		`The user: "My boss is called Annegret Lorenz; she wants me to lead the back-pain group from January"`,
		"Paid the tiles, Fliesen Maier delivers on 18 January", "The user works at the Reha-Zentrum",
	}
	var items []Item
	for _, text := range append(append([]string(nil), its...), others...) {
		items = append(items, Item{Text: text, Chat: "c1", Day: "2026-11-17", Category: "fact"})
	}
	for i, p := range (&Router{Dir: d}).Place(items) {
		if on := strings.HasPrefix(string(p.Page), "1_Projects/"); on != (i < len(its)) {
			t.Errorf("%q is on %s", items[i].Text, p.Page)
		}
	}
}

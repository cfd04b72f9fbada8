package dream_test

import (
	"strings"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/vault"
)

// The page of a user who speaks under no name bears the name that they told, a new page and one that is there.
func TestThePageOfTheUserBearsTheirName(t *testing.T) {
	w := newWorld(t, "2026-06-10 03:00")
	say := func(day vault.Day, facts ...string) {
		sec := vault.Section{At: day.Time().Add(9 * time.Hour), ChatID: string(day), Turn: string(day), Origin: vault.OriginUser}
		var all []vault.Fact
		for _, text := range facts {
			all = append(all, vault.Fact{ID: vault.DeriveID('f', string(day), text), Category: vault.DefaultCategory, Text: text})
		}
		if _, err := w.v.AppendFacts(t.Context(), []vault.SectionFacts{{Section: sec, Facts: all}}); err != nil {
			t.Fatal(err)
		}
	}
	const named, unnamed = "3_Personal/Judith Brandt.md", "3_Personal/The user.md"
	say("2026-06-08", "The user's name is Judith Brandt", "The user lives in Leipzig")
	w.run()
	w.has(named, "# Judith Brandt")
	w.has(named, "The user lives in Leipzig")
	w.set("2026-06-12 03:00")
	say("2026-06-11", "The user plays the cello")
	w.run()
	w.has(named, "The user plays the cello")
	if got := w.read(memory); !strings.Contains(got, "- Judith Brandt ([[Judith Brandt]])") {
		t.Errorf("MEMORY.md:\n%s", got)
	}
	w.account()

	w = newWorld(t, "2026-06-10 03:00")
	say("2026-06-08", "The user lives in Leipzig")
	w.run()
	w.set("2026-06-12 03:00")
	say("2026-06-11", "The user's name is Judith Brandt")
	told := w.pages()
	w.run()
	w.has(unnamed, "title: Judith Brandt")
	w.has(unnamed, "The user lives in Leipzig")
	w.account()
	w.undo("")
	same(t, "undone", w.pages(), told, "log.md")
}

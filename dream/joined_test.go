package dream_test

import (
	"testing"
	"time"

	"github.com/reverie-memory/reverie/forget"
	"github.com/reverie-memory/reverie/vault"
)

// tellBeside writes a fact of a drawer, whose words stand beside those of another one.
func (w *world) tellBeside(day vault.Day, drawer, beside, text string) {
	w.t.Helper()
	sec := vault.Section{
		At: day.Time().Add(9 * time.Hour), ChatID: "c1", Speaker: "Callum", Origin: vault.OriginUser, Ref: drawer, Drawer: drawer, Beside: beside,
	}
	f := vault.Fact{ID: vault.DeriveID('f', drawer), Category: vault.DefaultCategory, Text: text}
	if _, err := w.v.AppendFacts(w.t.Context(), []vault.SectionFacts{{Section: sec, Facts: []vault.Fact{f}}}); err != nil {
		w.t.Fatal(err)
	}
}

// Two quotations that share a message, and the drawers that they are of.
const (
	first  = `Callum: "my dad sent it too … [Shazia: how is your dad?] Got it on Wednesday, the right hip"`
	second = `Callum: "got it on Wednesday, the right hip … [Shazia: is he home?] He's at Kirsty's for six weeks"`
)

var one, two = vault.DeriveID('d', "1"), vault.DeriveID('d', "2")

// What was told in overlapping pieces of one conversation stands on the page once, with the sources of all, whether one night or two read
// them. The same words of another time stay apart.
func TestQuotationsThatShareMessagesAreOne(t *testing.T) {
	const whole = "my dad sent it too … [Shazia: how is your dad?] Got it on Wednesday, the right hip … " +
		"[Shazia: is he home?] He's at Kirsty's for six weeks"
	for _, nights := range []int{1, 2} {
		for _, beside := range []string{one, vault.DeriveID('d', "other")} {
			w := newWorld(t, "2026-06-10 03:00")
			w.tellBeside("2026-06-07", one, "", first)
			if nights == 2 {
				w.run()
			}
			w.tellBeside("2026-06-08", two, beside, second)
			w.run()
			if joined := vault.Quote("Callum", whole) + " ([[2026-06-07#"; beside == one {
				w.has("3_Personal/Callum.md", joined)
				w.lacks("3_Personal/Callum.md", `- Callum: "got it`)
			} else {
				w.lacks("3_Personal/Callum.md", joined)
				w.has("3_Personal/Callum.md", `- Callum: "got it`)
			}
			w.account()
			w.drop()
		}
	}
}

// A purge that knows no more than the words of one of two facts takes what both were made into as well.
func TestPurgeOfHalfOfAQuotation(t *testing.T) {
	for gone, word := range map[string]string{first: "my dad sent it", second: "at Kirsty's"} {
		for _, nights := range []int{1, 2} {
			w := newWorld(t, "2026-06-10 03:00")
			w.tellBeside("2026-06-07", one, "", first)
			if nights == 2 {
				w.run()
			}
			w.tellBeside("2026-06-08", two, one, second)
			w.run()
			w.forget(gone)
			w.remove("memory/archive/2026-06-07.md") // a person
			w.remove("memory/archive/2026-06-08.md")
			if _, err := w.r.Unmention(t.Context()); err != nil {
				t.Fatal(err)
			}
			stones, err := w.v.Tombstones()
			if err != nil {
				t.Fatal(err)
			}
			p := &forget.Purge{Tells: func(text string) bool { return stones.Cut(text) != text }}
			if err := w.r.Purge(t.Context(), p); err != nil {
				t.Fatal(err)
			}
			if left := w.grep(word); len(left) > 0 {
				t.Errorf("%d nights, %s: %q is left in %v", nights, gone, word, left)
			}
			w.drop()
		}
	}
}

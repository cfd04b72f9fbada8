package dream_test

import (
	"testing"

	"github.com/reverie-memory/reverie/vault"
)

// What was told in overlapping pieces of one conversation stands on the page once, with the sources of all, in whatever order the pieces
// come.
func TestQuotationsThatShareMessagesAreOne(t *testing.T) {
	const whole = "my dad sent it too … [Shazia: how is your dad?] Got it on Wednesday, the right hip … [Shazia: is he home?] He's at Kirsty's for six weeks"
	first := vault.Quote("Callum", "my dad sent it too … [Shazia: how is your dad?] Got it on Wednesday, the right hip")
	second := vault.Quote("Callum", "got it on Wednesday, the right hip … [Shazia: is he home?] He's at Kirsty's for six weeks")
	for _, facts := range [][2]string{{first, second}, {second, first}} {
		w := newWorld(t, "2026-06-10 03:00")
		w.tell("2026-06-07", "Callum", "c1", facts[0])
		w.run()
		w.tell("2026-06-08", "Callum", "c1", facts[1])
		w.run()
		w.has("3_Personal/Callum.md", vault.Quote("Callum", whole)+" ([[2026-06-07#")
		w.lacks("3_Personal/Callum.md", "- Callum: \"got it")
		w.account()
		w.drop()
	}
}

package drawers

import (
	"strings"
	"testing"
)

func TestTellsOne(t *testing.T) {
	long := strings.Repeat("The greenhouse needs new panes. ", 20)
	linked := strings.Repeat("The [[Cellar]] is *damp* again. ", 20)
	summary := "Said before 2026-06-09, and told by newer words since:\n\n- 2026-06-01, Mara: The\n" +
		"- 2026-06-02: We meet at six\n- 2026-06-03: " + Summed(long) + "\n" +
		"- 2026-06-04, Mara: The **boiler** of Ash &amp; Sons leaks, see [[Boiler]]\n- 2026-06-05: It costs 3\\*4 crowns\n" +
		"- 2026-06-06: " + Summed("**"+linked+"**")
	for text, want := range map[string]bool{
		"The heating is broken.": false, "We meet at six": true, "We meet at six on Sunday": false, "The": true, long: true,
		long + "And the door sticks.": true, "The greenhouse needs paint.": false,
		"The boiler of Ash & Sons leaks, see Boiler": true, "The **boiler** of Ash &amp; Sons leaks, see [[Boiler]]": true,
		"The boiler of Ash leaks": false, "It costs 3*4 crowns": true, `It costs 3\*4 crowns`: true, "**" + linked + "**": true,
	} {
		if tellsOne(summary, tellables([]string{text})) != want {
			t.Errorf("%.40q: want %v", text, want)
		}
	}
}

package drawers

import (
	"strings"
	"testing"
)

func TestTellsOne(t *testing.T) {
	long := strings.Repeat("The greenhouse needs new panes. ", 20)
	summary := "Said before 2026-06-09, and told by newer words since:\n\n- 2026-06-01, Mara: The\n" +
		"- 2026-06-02: We meet at six\n- 2026-06-03: " + Summed(long)
	for text, want := range map[string]bool{
		"The heating is broken.": false, "We meet at six": true, "We meet at six on Sunday": false, "The": true, long: true,
		long + "And the door sticks.": true, "The greenhouse needs paint.": false,
	} {
		if tellsOne(summary, []string{text}) != want {
			t.Errorf("%.40q: want %v", text, want)
		}
	}
}

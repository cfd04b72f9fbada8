package agent

import "testing"

// A page that links to logs or lists would go to, or that not every system can store, is refused.
func TestNewPagePath(t *testing.T) {
	for _, s := range []string{
		"1_Projects/2026-06-09.md", "3_Personal/CON.md", "3_Personal/nul.x.md", "2_Wiki/index.md", "1_Projects/MEMORY.md",
		"1_Projects/Conflicts.md", "1_Projects/a\u200bb.md",
	} {
		if _, err := newPagePath(s); err == nil {
			t.Errorf("%q was taken", s)
		}
	}
	for _, s := range []string{
		"1_Projects/Billing.md", "2_Wiki/Concepts/Event sourcing.md",
		"3_Personal/Zoë O'Neil.md", "1_Projects/Reverie 2.0.md",
	} {
		if _, err := newPagePath(s); err != nil {
			t.Errorf("%q: %v", s, err)
		}
	}
}

package claim

import (
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/internal/nasty"
)

// Texts of any shape are read and compared; what is no statement is compared as a whole.
func TestAnyShapeIsCompared(t *testing.T) {
	a := Parse("Alice lives in Berlin", "Alice", "2026-06-09")
	for _, s := range nasty.Shapes() {
		text := s.Make(maxText)[:maxText]
		c := Parse(text, "Alice", "2026-06-09")
		if got := Compare(c, Parse(text, "Alice", "2026-06-09")); got != Duplicate && strings.TrimSpace(c.fold) != "" {
			t.Errorf("%s: the same text is %v", s.Name, got)
		}
		Compare(a, c)
	}
	if c := Parse(strings.Repeat("& ", maxTokens+1), "Alice", "2026-06-09"); len(c.clauses) > 0 {
		t.Errorf("a text of signs has %d clauses", len(c.clauses))
	}
}

package page

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestNestedEdits edits lists in lists, with all that may stand in and behind them.
func TestNestedEdits(t *testing.T) {
	parts := []string{
		"- a", "- b", "- c ([[2026-06-08#^fa]])", "* d", "-", "- ", "  - e", "  - f ([[2026-06-08#^fb]])", "  - g", "    - h", "    i", "  j",
		"  ```", "", "", "",
		"> r", "1. k", "  2. l", "para", "## S", "## History", "---", "===", "  ---", "\tm", "  - [ ] o",
	}
	r := rand.New(rand.NewPCG(3, 4))
	n := 2000
	if testing.Short() {
		n = 300
	}
	for i := range n {
		var b strings.Builder
		b.WriteString("# T\n\n## S\n")
		for range 4 + r.IntN(14) {
			part := parts[r.IntN(len(parts))]
			if i%2 == 0 { // mostly lists
				part = parts[r.IntN(14)]
			}
			b.WriteString(part + "\n")
		}
		d := Parse("a.md", []byte(b.String()))
		for range 6 {
			moves(t, d, r)
			check(t, d)
		}
	}
}

// moves takes a statement from where it stands; all others stay as they are.
func moves(t *testing.T, d *Doc, r *rand.Rand) {
	before, text := d.Statements(), string(d.Bytes())
	if len(before) == 0 {
		return
	}
	s := before[r.IntN(len(before))]
	others := func(list []Statement, except string) map[string]int {
		n := map[string]int{}
		for _, st := range list {
			if st.ID != except {
				n[st.Section+"\x00"+st.Text]++
			}
		}
		return n
	}
	switch r.IntN(2) {
	case 0:
		if !d.Remove(s.ID) {
			return
		}
		if want, got := others(before, s.ID), others(d.Statements(), ""); !maps.Equal(want, got) {
			t.Fatalf("without %+v: %v, want %v\n%s\n---\n%s", s, got, want, text, d.Bytes())
		}
	case 1:
		if id, ok := d.Retire(s.ID, "until 9 Jun 2026"); ok {
			if got, found := d.Find(id); !found || !got.History || !slices.Equal(got.Sources, s.Sources) || len(d.Statements()) != len(before) {
				t.Fatalf("retired %+v: %+v\n%s\n---\n%s", s, got, text, d.Bytes())
			}
		}
	}
}

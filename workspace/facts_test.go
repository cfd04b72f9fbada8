package workspace_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/operations"
)

// allFacts reads the list page by page; between is called after each.
func allFacts(t *testing.T, w operations.Memory, q api.FactQuery, between func()) (texts []string) {
	t.Helper()
	for {
		p, err := w.FactList(t.Context(), q)
		if err != nil || len(p.Facts) > q.Limit {
			t.Fatalf("%+v, %v", p, err)
		}
		for _, f := range p.Facts {
			texts = append(texts, f.Text)
		}
		if q.After = p.Next; p.Next == "" {
			return texts
		}
		between()
	}
}

// A dream takes the rows of facts away, and the list still has them; what was forgotten it has not.
func TestFactsThatADreamTookAreListed(t *testing.T) {
	w, _ := dreamt(t, "I moved to Lisbon in May.", "I play the cello on Sundays.", "My sister Noor repairs clocks.")
	if n := w.Index.Reader().Count(catalog.Filter{Source: []catalog.SourceType{catalog.ArchiveLog}}); n != 0 {
		t.Fatalf("%d facts are left in the index", n)
	}
	all := allFacts(t, w, api.FactQuery{Limit: 2}, func() {})
	if len(all) != 3 {
		t.Errorf("%q", all)
	}
	if _, err := w.Forget(t.Context(), api.Forget{Query: "cello"}); err != nil {
		t.Fatal(err)
	}
	if left := allFacts(t, w, api.FactQuery{Limit: 2}, func() {}); len(left) != 2 || slices.Contains(left, all[1]) {
		t.Errorf("%q", left)
	}
}

// Pages of facts have each fact once, the newest first, whatever is written and forgotten between them.
func TestPagesOfFacts(t *testing.T) {
	w := open(t, nil)
	write := func(text, wing string, at time.Time) {
		t.Helper()
		if _, err := w.WriteFacts(t.Context(), api.Facts{Wing: wing, Facts: []api.NewFact{{Content: text, At: &at}}}); err != nil {
			t.Fatal(err)
		}
	}
	var want, home []string
	for i := range 20 {
		text, wing := fmt.Sprintf("Fact number %d is about tea.", i), []string{"work", "home"}[i%2]
		write(text, wing, time.Date(2026, 6, 1+i/4, 9, i, 0, 0, time.UTC))
		want = slices.Insert(want, 0, text)
		if wing == "home" {
			home = slices.Insert(home, 0, text)
		}
	}
	for _, n := range []int{1, 3, 4, 20, 100} {
		late := 0
		got := allFacts(t, w, api.FactQuery{Limit: n}, func() {
			late++
			write(fmt.Sprintf("What comes late is number %d of %d.", late, n), "late", time.Date(2026, 6, 20, 9, 0, 0, 0, time.UTC))
		})
		got = slices.DeleteFunc(got, func(s string) bool { return s[0] == 'W' }) // of the run before
		if !slices.Equal(got, want) {
			t.Errorf("by %d: %q", n, got)
		}
	}
	if got := allFacts(t, w, api.FactQuery{Limit: 3, Wing: "home"}, func() {}); !slices.Equal(got, home) {
		t.Errorf("of one wing: %q", got)
	}
	p, err := w.FactList(t.Context(), api.FactQuery{Limit: 2, Wing: "home"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Forget(t.Context(), api.Forget{IDs: []string{p.Facts[1].ID}}); err != nil {
		t.Fatal(err)
	}
	if got := allFacts(t, w, api.FactQuery{Limit: 2, Wing: "home", After: p.Next}, func() {}); !slices.Equal(got, home[2:]) {
		t.Errorf("behind one that is gone: %q", got)
	}
	if _, err := w.FactList(t.Context(), api.FactQuery{Limit: 2, After: "yesterday"}); api.CodeOf(err) != api.Invalid {
		t.Errorf("%v", err)
	}
}

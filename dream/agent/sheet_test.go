package agent_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/dream/agent"
	"github.com/reverie-memory/reverie/extract"
)

// Of a page that is too long the lines are shown that have to do with the facts, with their headings, wherever they stand.
func TestSheetCutsALongPage(t *testing.T) {
	wiki := newNotebook()
	page := "# Alice\n"
	for s := range 6 {
		page += fmt.Sprintf("\n## Part %d\n\n", s)
		for i := range 40 {
			page += fmt.Sprintf("- Alice likes the number %d of list %d\n", i, s)
		}
	}
	wiki.pages[alicePath] = page + "\n## Music\n\n- Alice plays the cello\n\n## Last\n\n- Alice likes <b>tea</b> & scones\n"
	c := agent.NewCaller("client", agent.Bounds{Facts: 20, Chars: 4_000})
	draft := agent.Draft{
		Groups: aliceGroup(fact("f1", "Alice likes the number of a list of cello pieces")), Wiki: wiki,
		Propose: (&verifier{}).propose,
	}
	s := c.Next(t.Context(), draft)
	if len(s.Facts) != 1 || len(s.Pages) != 1 || s.Left != 0 {
		t.Fatalf("%+v", s)
	}
	text := s.Pages[0].Text
	for _, want := range []string{"} Alice plays the cello\n", "## Music", "## Last", "## Part 5", "…\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q:\n%s", want, text)
		}
	}
	if n := len([]rune(text)); n > 4_000+len(extract.FenceOpen)+len(extract.FenceClose) || n < 2_000 {
		t.Errorf("the page has %d characters", n)
	}
}

// A fact that takes too much of a sheet, and one of a page outside the wiki, are the rules' to file.
func TestSheetLeavesFactsToTheRules(t *testing.T) {
	c := agent.NewCaller("client", agent.Bounds{Facts: 20, Chars: 4_000})
	groups := aliceGroup(fact("f1", strings.Repeat("a long letter ", 100)), fact("f2", "Alice likes tea"))
	groups = append(groups, aliceGroup(fact("f3", "Alice sails"))...)
	groups[1].Page = "References/Alice.md"
	s := c.Next(t.Context(), agent.Draft{Groups: groups, Wiki: newNotebook(), Propose: (&verifier{}).propose})
	if len(s.Facts) != 1 || s.Facts[0].ID != "f2" || s.Left != 0 {
		t.Errorf("%+v", s)
	}
}

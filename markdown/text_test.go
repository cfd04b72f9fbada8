package markdown_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/markdown"
)

func TestRead(t *testing.T) {
	a, b := markdown.Source{Day: "2026-06-09", ID: "fa1"}, markdown.Source{Day: "2026-06-10", ID: "fb2"}
	for src, want := range map[string]markdown.Reading{
		"Mara *likes* `a*b` and **tea** &amp; milk":                         {Text: "Mara likes a*b and tea & milk"},
		"[[Alice]] met [[1_Projects/Acme.md|the firm]] at [[Acme#Goals]]":   {Text: "Alice met the firm at Acme > Goals"},
		"Said once ([[2026-06-09#^fa1|9 Jun 2026]]).":                       {Text: "Said once.", Sources: []markdown.Source{a}, Ends: true},
		"Said ([[2026-06-09#^fa1]], [[memory/archive/2026-06-10.md#^fb2]])": {Text: "Said", Sources: []markdown.Source{a, b}, Ends: true},
		"As [[2026-06-09#^fa1]] says, so it is":                             {Text: "As says, so it is", Sources: []markdown.Source{a}},
		"Likes tea ([[Alice]]) ([[2026-06-09#^fa1]]) ^note1": {
			Text: "Likes tea", Page: "Alice", BlockID: "note1",
			Sources: []markdown.Source{a}, Ends: true,
		},
		"Likes tea ([[Alice]])":                           {Text: "Likes tea (Alice)"},
		"A line ^block-1":                                 {Text: "A line", BlockID: "block-1"},
		`Two to the power of \^n`:                         {Text: "Two to the power of ^n"},
		`Not a \[\^note\] and \[\[\^00\]\]`:               {Text: "Not a [^note] and [[^00]]"},
		"no  double\tspaces, ==marked== and a note[^1]":   {Text: "no double spaces, marked and a note"},
		"first\nsecond  \nthird<br>fourth":                {Text: "first second\nthird\nfourth"},
		"![[image.png]] ~~gone~~ see https://example.org": {Text: "gone see https://example.org"},
		"[[a]] and [b, ![c [[d `[e` \\[f":                 {Text: "a and [b, ![c [[d [e [f"},
		"[[2026-02-31#^fa1]] is no day":                   {Text: "2026-02-31 is no day"},
		"":                                                {},
	} {
		if diff := cmp.Diff(want, markdown.Read(src, nil)); diff != "" {
			t.Errorf("%q (-want +got)\n%s", src, diff)
		}
	}
}

func TestTags(t *testing.T) {
	got := markdown.Read("about #work/home and C#sharp", nil)
	if diff := cmp.Diff(markdown.Reading{Text: "about #work/home and C#sharp", Tags: []string{"work/home"}}, got); diff != "" {
		t.Error(diff)
	}
}

func TestLink(t *testing.T) {
	s := markdown.Source{Day: "2026-06-09", ID: "f7q2c81xk0"}
	if got := s.Link(); got != "[[2026-06-09#^f7q2c81xk0|9 Jun 2026]]" {
		t.Error(got)
	}
}

func TestBlankComments(t *testing.T) {
	for src, want := range map[string]string{
		"a %%b%% c":           "a       c",
		"a %%b\n\nc":          "a %%b\n\nc",
		"%%\na\n\nb\n%%\nc":   "  \n \n\n \n  \nc",
		"`%%` a %%b%%":        "`%%` a      ",
		"```\n%%\n```\n%%a%%": "```\n%%\n```\n     ",
	} {
		if got := string(markdown.BlankComments([]byte(src))); got != want {
			t.Errorf("%q gives %q, want %q", src, got, want)
		}
	}
}

package navigate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	claims "github.com/reverie-memory/reverie/dream/claim"
	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/vault"
)

// What ends another claim takes its place although its words are nearly the same, and one other word may be the whole difference.
func TestMemoryOfNearlyTheSameWords(t *testing.T) {
	for _, tt := range []struct{ old, new, want string }{
		{
			"The user works at the city hospital as a nurse", "The user no longer works at the city hospital as a nurse",
			"No longer works at the city hospital as a nurse",
		},
		{
			"The user takes statin pills every evening", "The user stopped taking the statin pills every evening",
			"Stopped taking the statin pills every evening",
		},
		{
			"The user's sister works as a nurse", "The user's brother works as a nurse",
			"Brother works as a nurse, Sister works as a nurse",
		},
		{
			"The user takes the blue pill in the morning", "The user takes the white pill in the morning",
			"Takes the blue pill in the morning, Takes the white pill in the morning",
		},
		{ // what an older sentence says more is not what holds
			"The user works as a nurse at the city hospital in the night shift of the children's ward",
			"The user works as a nurse at the city hospital on day shifts", "Works as a nurse at the city hospital on day shifts",
		},
		{
			"The user works as a nurse at the city hospital in the night shift of the children's ward",
			"The user works as a nurse at the city hospital in the night shift",
			"Works as a nurse at the city hospital in the night shift of the children's ward",
		},
		{"The user does not eat gluten", "The user avoids gluten", "Does not eat gluten"},
		{"The user can't eat dairy because of an allergy", "The user does not eat dairy products", "Can't eat dairy because of an allergy"},
		{"The user does not eat fish", "The user avoids nuts", "Avoids nuts, Does not eat fish"},
	} {
		lines := []Line{
			{Text: tt.old, Section: "About", At: "2026-01-01", Trusted: true, Sources: []page.Source{{Day: "2026-01-01", ID: "f1"}}},
			{Text: tt.new, Section: "About", At: "2026-04-01", Trusted: true, Sources: []page.Source{{Day: "2026-04-01", ID: "f2"}}},
		}
		in := MemoryInput{Layout: vault.Layout{}, Today: "2026-05-02", Pages: slices.Values([]PageInfo{{
			Path: "3_Personal/The user.md", Title: "The user", Type: "person", Lines: lines,
		}})}
		_, got, _ := MergeMemory(nil, nil, in)
		var said []string
		for line := range strings.Lines(string(got)) {
			if text, ok := strings.CutPrefix(line, "- "); ok {
				text, _, _ = strings.Cut(text, " ([[")
				said = append(said, text)
			}
		}
		slices.Sort(said)
		if s := strings.Join(said, ", "); s != tt.want {
			t.Errorf("says %q, want %q", s, tt.want)
		}
	}
}

// What ends a claim is worth as much, and takes its place, whatever the order of the pages.
func TestStandingKnowsNoOrder(t *testing.T) {
	var list []memoryClaim
	for i, s := range []struct {
		text  string
		worth float64
	}{
		{"The user takes statin pills every evening", 2},
		{"The user stopped taking the statin pills every evening", -0.5},
		{"The user takes statin pills every evening again", -2},
		{"The user plays the cello", -1.5},
	} {
		at := vault.Day("2026-01-0" + strconv.Itoa(i+1))
		list = append(list, memoryClaim{of: theUser, text: s.text, worth: s.worth, at: at, said: claims.Parse(s.text, theUser, at)})
	}
	worths := func(list []memoryClaim) string {
		var out []string
		for _, c := range standing(list) {
			out = append(out, fmt.Sprint(c.text, " ", c.worth))
		}
		slices.Sort(out)
		return strings.Join(out, "\n")
	}
	other := slices.Clone(list)
	slices.Reverse(other)
	got := worths(list)
	if reversed := worths(other); got != reversed {
		t.Errorf("in one order\n%s\nin the other\n%s", got, reversed)
	}
	if strings.Contains(got, "user takes statin pills every evening 2") ||
		!strings.Contains(got, "stopped taking the statin pills every evening 2") || !strings.Contains(got, "cello -1.5") {
		t.Error(got)
	}
}

// While the page is short, the best two of each person are there although they are below the bar; what is less likely wanted than not is
// never there.
func TestAShortMemoryHasAFewOfEachPerson(t *testing.T) {
	claim := func(of, text string, worth float64, part int) memoryClaim {
		return memoryClaim{part: part, worth: worth, of: of, text: text}
	}
	below := []memoryClaim{
		claim("Ann", "a1", -0.1, partPeople), claim("Ann", "a2", -0.2, partPeople), claim("Ann", "a3", -0.3, partPeople),
		claim("Ann", "a4", -0.3, partPeople), claim("Ann", "a5", -0.3, partPeople), claim("Ann", "a6", -0.3, partPeople),
		claim("Bo", "b1", -0.4, partPeople), claim("Bo", "b2", even-0.1, partPeople), claim("Loom", "p1", -0.1, partProjects),
	}
	var sure []memoryClaim
	for i := range shortPage {
		sure = append(sure, claim("Cy", fmt.Sprint("c", i), 1, partPeople))
	}
	for _, tt := range []struct {
		list []memoryClaim
		want string
	}{
		{below, "a1 a2 b1"},
		{slices.Concat(sure[:shortPage-1], below), "c0 c1 c2 c3 c4 a1"},
		{slices.Concat(sure, below), "c0 c1 c2 c3 c4 c5"},
	} {
		c := &collector{in: MemoryInput{}, list: tt.list}
		c.spread()
		var got []string
		for _, t := range c.list {
			got = append(got, t.text)
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%s, want %s", s, tt.want)
		}
	}
}

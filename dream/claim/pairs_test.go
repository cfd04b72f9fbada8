package claim

import (
	_ "embed"
	"slices"
	"strings"
	"testing"
)

//go:embed testdata/apart.txt
var apartPairs string

//go:embed testdata/changed.txt
var changedPairs string

//go:embed testdata/open.txt
var openPairs string

// pairs reads lines of two statements with a bar between them.
func pairs(t *testing.T, text string, each func(earlier, now *Claim)) {
	t.Helper()
	for line := range strings.Lines(text) {
		a, b, ok := strings.Cut(strings.TrimSpace(line), " | ")
		if !ok {
			t.Fatalf("no pair: %q", line)
		}
		each(Parse(a, "", "2026-06-02"), Parse(b, "", "2026-06-09"))
	}
}

// Both statements of a pair stay true.
func TestApartPairs(t *testing.T) {
	pairs(t, apartPairs, func(earlier, now *Claim) {
		if got := Compare(earlier, now); got != Unrelated {
			t.Errorf("%q, then %q: %v", earlier.Text, now.Text, got)
		}
	})
}

// The statement leaves the task open.
func TestOpenPairs(t *testing.T) {
	pairs(t, openPairs, func(task, now *Claim) {
		if Done(task, now) {
			t.Errorf("%q is done by %q", task.Text, now.Text)
		}
	})
}

// The second statement ends what the first one says.
func TestChangedPairs(t *testing.T) {
	pairs(t, changedPairs, func(earlier, now *Claim) {
		if got := Compare(earlier, now); got != Change {
			t.Errorf("%q, then %q: %v", earlier.Text, now.Text, got)
		}
		if why := Veto(earlier, now, false); why != "" {
			t.Errorf("%q, then %q: a model may not say so: %s", earlier.Text, now.Text, why)
		}
	})
}

func TestDone(t *testing.T) {
	for _, x := range [][2]string{
		{"Rotate the signing keys before 1 December", "The signing keys were rotated on 9 June"},
		{"The user has to write the report", "The report is finished"},
		{"The user needs to book flights to Lisbon before the end of May", "The user has booked the flights to Lisbon"},
		{"Der Nutzer muss den Antrag abgeben", "Der Nutzer hat den Antrag abgegeben"},
		{"El usuario tiene que renovar el carnet", "El usuario renovó el carnet"},
		{"The user needs to call the dentist", "The user called the dentist"},
		{"The user has to pay the electricity bill", "The user paid the electricity bill today"},
		{`The user: "I need to renew my passport"`, `The user: "I renewed my passport yesterday [8 June 2026]"`},
		{"The user needs to renew their passport", "The user renewed their passport yesterday"},
		{"The user has to call the landlord", `The user: "[I] called the landlord, done"`},
		{"I need to renew my passport", "My passport was renewed"},
	} {
		task, now := Parse(x[0], "", "2026-06-02"), Parse(x[1], "", "2026-06-09")
		if !Done(task, now) || !slices.Contains(now.Words(), task.Errand()) {
			t.Errorf("%q is not done by %q", x[0], x[1])
		}
	}
}

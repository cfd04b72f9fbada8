package extract

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The names of a triple stand in the text, or are the speaker's; what tells them apart stands there word by word.
func TestNamesOfTriplesStandInTheText(t *testing.T) {
	const text = "My dentist Mehmet lives in Izmir, and uncle Mehmet in Bursa"
	for name, want := range map[string]bool{
		"Mehmet": true, "selin": true, "Selin's uncle": true, "Mehmet (Selin's uncle)": true, "Selin's uncle Mehmet": true,
		"Mehmet (dentist)": true, "Mehmet (Selins uncle)": true,
		"Mehmet (plumber)": false, "Anna": false, "": false, "Anna's uncle": false, "(dentist)": false,
	} {
		list := []Triple{{Subject: name, Predicate: "lives_in", Object: "Bursa"}}
		got := CheckTriples(list, text, "Selin")
		if d := cmp.Diff(want, len(got) == 1); d != "" {
			t.Errorf("%q:\n%s", name, d)
		}
	}
	if got := CheckTriples([]Triple{{Subject: "'s uncle", Predicate: "lives_in", Object: "Bursa"}}, text, ""); len(got) > 0 {
		t.Errorf("nobody's uncle: %+v", got)
	}
}

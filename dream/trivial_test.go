package dream

import "testing"

func TestTrivial(t *testing.T) {
	for _, s := range []string{"", "...", "Thanks!", "ok thanks", "Olga: Danke!", `Alice: "Thanks!"`, "Alice said hi"} {
		if !trivial(s, "Olga") {
			t.Errorf("%q should be trivial", s)
		}
	}
	for _, s := range []string{
		"Alice lives in Berlin", "Call me Nico", "Alice is happy", "Port 8443", "Noor", "Thanks to Noor Alice has a flat",
		"Dog: Buddy", "Vegan: certainly", "Married: yes", "The doctor said no",
	} {
		if trivial(s, "Olga") {
			t.Errorf("%q is not trivial", s)
		}
	}
}

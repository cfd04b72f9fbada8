package dream

import "testing"

func TestTrivial(t *testing.T) {
	for _, s := range []string{"", "...", "Thanks!", "ok thanks", "Olga: Danke!", "Alice said hi"} {
		if !trivial(s) {
			t.Errorf("%q should be trivial", s)
		}
	}
	for _, s := range []string{"Alice lives in Berlin", "Call me Nico", "Alice is happy", "Port 8443", "Noor", "Thanks to Noor Alice has a flat"} {
		if trivial(s) {
			t.Errorf("%q is not trivial", s)
		}
	}
}

package project

import "testing"

func TestAround(t *testing.T) {
	is := Isolation{"a", "a/b", "host/o/r"}
	for wing, want := range map[string]string{
		"": "", "b": "", "ab": "", "A": "", "a": "a", "a/c": "a", "a/b": "a/b", "a/b/c": "a/b", "a/bc": "a", "host/o": "", "host/o/r": "host/o/r",
		"host/o/r/x": "host/o/r", "host/o/rx": "",
	} {
		if got := is.Around(wing); got != want {
			t.Errorf("%q: %q, want %q", wing, got, want)
		}
	}
}

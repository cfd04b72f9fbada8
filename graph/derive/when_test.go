package derive

import (
	"testing"

	"github.com/reverie-memory/reverie/vault"
)

// When a thing was made is no time of what is said of it.
func TestWhenAThingWasMade(t *testing.T) {
	for text, want := range map[string]vault.Day{
		"The user bought a used VW Caddy, built 2019": "2026-11-21",
		"The user bought a house built in 1920":       "",
		"The user bought a house in 2019":             "2019-01-01",
	} {
		var got vault.Day
		for _, e := range Events(Fact{ID: "f", Text: text, At: vault.Day("2026-11-21").Time()}) {
			got = e.ValidFrom
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

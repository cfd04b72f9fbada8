package redact

import "testing"

func TestHollow(t *testing.T) {
	for text, want := range map[string]bool{
		"The user's api key is [redacted: api key]":                           true,
		"Alice's wifi password at home is [redacted: password].":              true,
		"The user: \"my api key is [redacted: api key]\"":                     true,
		"Fact: my token is [redacted: github token]":                          true,
		"GitHub token: [redacted:github-token#s7q2c81xk0]":                    true,
		"Das Passwort der Datenbank lautet [redacted: password]":              true,
		"Alice changed the router password to [redacted: password]":           true,
		"The login is bob and the password is [redacted: password]":           true,
		"[redacted: private]":                                                 true,
		"Alice lives in Porto and her password is [redacted: password]":       false,
		"The user rotated the key [redacted: github token] on Friday":         false,
		"Alice pays the rent of the flat from [redacted: account] each month": false,
		"Alice's api key is in the drawer":                                    false,
		"":                                                                    false,
	} {
		if got := Hollow(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

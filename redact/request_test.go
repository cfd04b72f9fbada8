package redact

import (
	"strings"
	"testing"
)

func TestSecretsThatOneMessageNamesAndTheNextHolds(t *testing.T) {
	for _, c := range []struct {
		texts []string
		want  string
	}{
		{[]string{"My password is", "Xk29!vbQ8zz"}, "My password is|[redacted: password]"},
		{[]string{"Please send me the API key:", "k9Jx2mQv8RtY4wZp7LsN3bHc"}, "Please send me the API key:|[redacted: secret]"},
		{[]string{"a <private>b", "c"}, "a [redacted: private]|c"},
		{
			[]string{"-----BEGIN " + "PRIVATE KEY-----", strings.Repeat("Ab3d", 16) + "\n-----END PRIVATE KEY----- ok"},
			"-----BEGIN PRIVATE KEY-----|[redacted: private key] ok",
		},
		{[]string{"What is the password?", "Windows95 is old"}, "What is the password?|Windows95 is old"},
		{[]string{"I forgot the password", "Then reset it"}, "I forgot the password|Then reset it"},
		{[]string{"hunter", "", "x"}, "hunter||x"},
	} {
		clean, n := Each(c.texts)
		if got := strings.Join(clean, "|"); got != c.want || n != strings.Count(c.want, "[redacted") {
			t.Errorf("%q → %q (%d), want %q", c.texts, got, n, c.want)
		}
		if again, n := Each(clean); n != 0 || strings.Join(again, "|") != c.want {
			t.Errorf("twice is not once: %q → %q", c.want, again)
		}
	}
}

func TestNamesStayApartAndAreRedactedOnce(t *testing.T) {
	rules, texts := secrets(t)
	for i, text := range texts {
		name := func(s string) string {
			clean, _ := Name(s, func(secret string) string { return "s" + strings.Repeat("7q", len(secret)%4+2) })
			return clean
		}
		once := name("c " + unmark(text).text)
		if !strings.Contains(once, "[redacted:"+strings.ReplaceAll(rules[i], " ", "-")+"#s7q") && !modelled(rules[i]) ||
			!strings.Contains(once, "#s7q") {
			t.Errorf("%q → %q", text, once)
		}
		if twice := name(once); twice != once {
			t.Errorf("twice is not once: %q → %q", once, twice)
		}
	}
	a, _ := Name("AKIA"+"5XTPLPFT7V4SEH2K", strings.ToLower)
	b, _ := Name("AKIA"+"VJ72CEUVW75EFR6E", strings.ToLower)
	if a == b {
		t.Errorf("two ids became %q", a)
	}
}

package start

import "testing"

// What nobody would keep is left out at the edges, and what answers something stays with it.
func TestTrim(t *testing.T) {
	for text, want := range map[string]string{
		`Ana: "Listen, one more thing. I have started with the diabetes tablets … [Jo: Since when?] Since June"`: "" +
			`Ana: "I have started with the diabetes tablets … [Jo: Since when?] Since June"`,
		`The user: "When you give me code only the diff, not whole files. I keep losing the place in it"`: "" +
			`The user: "When you give me code only the diff, not whole files"`,
		`The user: "One request, give me SQL with lower case keywords. Don't add dependencies without asking me"`: "" +
			`The user: "One request, give me SQL with lower case keywords. Don't add dependencies without asking me"`,
		`The user is a nurse. It was a nice day in the garden`: "" +
			`The user is a nurse. It was a nice day in the garden`,

		`Jo: "we laughed so much about it"`: `Jo: "we laughed so much about it"`,
		`Jo: ""`:                            `Jo: ""`,
	} {
		if got := Trim(text); got != want {
			t.Errorf("%s\n gives %s\n want %s", text, got, want)
		}
	}
}

func TestSigns(t *testing.T) {
	for text, want := range map[string]Signs{
		`Jo: "they say its coeliac"`:                    {Health: true},
		`Jo: "[Al: are you allergic?] no, just tired"`:  {},
		`The user: "careful: never touch prod.py"`:      {Rule: true},
		`The user: "ask first. I never heard of it"`:    {},
		`The user: "we use Postgres 16 and Django 5.2"`: {Version: true},
	} {
		if got := SignsOf(text); got != want {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
}

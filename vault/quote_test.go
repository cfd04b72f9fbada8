package vault

import "testing"

func TestQuote(t *testing.T) {
	for _, c := range []struct{ name, words, want string }{
		{"Joanna", "I'm allergic to most reptiles", `Joanna: "I'm allergic to most reptiles"`},
		{"The user", ` my "best" friend moved to “Rome” `, `The user: "my 'best' friend moved to 'Rome'"`},
	} {
		got := Quote(c.name, c.words)
		if got != c.want {
			t.Errorf("Quote(%q, %q) is %q, not %q", c.name, c.words, got, c.want)
		}
		name, words, ok := CutQuote(got)
		if !ok || name != c.name || Quote(name, words) != got {
			t.Errorf("CutQuote(%q) is %q, %q, %v", got, name, words, ok)
		}
	}
	for _, text := range []string{
		"", "Joanna is allergic", `Joanna: I'm allergic`, `: "x"`, `Joanna: ""`, `Joanna: "a" and "b"`,
		`She said "no": "x"`,
	} {
		if name, words, ok := CutQuote(text); ok {
			t.Errorf("CutQuote(%q) is %q, %q", text, name, words)
		}
	}
}

func TestCutQuoteLeavesOutWhatOthersSaid(t *testing.T) {
	for _, c := range []struct{ quoted, want string }{
		{Heard("Margo", "How [old]: is he?") + " Thirteen", "Thirteen"},
		{Heard("Margo", "And?") + " " + Heard("Eli", "Well?") + " yesterday [8 June 2026]", "yesterday [8 June 2026]"},
		{"they bought it … " + Heard("Margo", "When?") + " opening … in May", "they bought it … opening … in May"},
		{"I set [log: debug] in [the: file]", "I set [log: debug] in [the: file]"},
		{"I have [ two … " + Heard("Margo", "What?") + " cats", "I have [ two … cats"},
		{"[redacted: token] is mine", "[redacted: token] is mine"},
		{"[deploy: failed]", "[deploy: failed]"},
	} {
		if _, words, ok := CutQuote(Quote("Dell", c.quoted)); !ok || words != c.want {
			t.Errorf("the words of %q are %q, %v", c.quoted, words, ok)
		}
	}
}

package vault

import (
	"slices"
	"strings"
	"testing"
)

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

func TestJoinQuotes(t *testing.T) {
	for _, tt := range []struct{ first, second, want string }{
		{
			`Callum: "my dad sent it too … [Shazia: how is your dad?] Got it on Wednesday! Right hip"`,
			`Callum: "got it on Wednesday! Right hip … [Shazia: is he home?] He's at Kirsty's for six weeks"`,
			`Callum: "my dad sent it too … [Shazia: how is your dad?] Got it on Wednesday! Right hip … ` +
				`[Shazia: is he home?] He's at Kirsty's for six weeks"`,
		},
		{
			`Callum: "Got it on Wednesday. Right hip. … [Shazia: where?] At the Golden Jubilee"`,
			`Callum: "At the Golden Jubilee … he walked next morning"`,
			`Callum: "Got it on Wednesday. Right hip. … [Shazia: where?] At the Golden Jubilee … he walked next morning"`,
		},
		{`Callum: "one … At the Golden Jubilee"`, `Shazia: "At the Golden Jubilee … he walked"`, ""}, // another's words
		{`Callum: "my dad has a new hip … Yes"`, `Callum: "Yes … we moved to Perth in May"`, ""},     // says too little
		{`Callum: "I went to the dentist"`, `Callum: "I went to the dentist … it hurt"`, ""},         // maybe on another day
		{
			`Callum: "do you? … [Shazia: do you run?] Yes, each and every morning"`,
			`Callum: "[Shazia: do you eat?] Yes, each and every morning … rolls"`, "",
		},
		{
			`Callum: "[Shazia: and Gareth?] We finished in November. I thought that I had told you, I told so many people"`,
			`Callum: "we finished in November. I thought that I had told you, I told so many people … [Shazia: no] Nobody did anything awful"`,
			`Callum: "[Shazia: and Gareth?] We finished in November. I thought that I had told you, I told so many people … ` +
				`[Shazia: no] Nobody did anything awful"`,
		},
		{`Callum: "my dad has a new hip"`, `Callum: "my dad has a new knee"`, ""},
		{`Callum moved to Perth`, `Callum: "I moved to Perth … in May"`, ""},
	} {
		got, ok := JoinQuotes(tt.first, tt.second)
		if got != tt.want || ok != (tt.want != "") {
			t.Errorf("%s and %s are %s, want %s", tt.first, tt.second, got, tt.want)
		}
		for _, part := range []string{tt.first, tt.second} {
			same := func(s string) bool { return strings.EqualFold(s, part) }
			if ok && !strings.EqualFold(part, got) && !slices.ContainsFunc(QuotesWithin(got), same) {
				t.Errorf("%s is not within %s", part, got)
			}
		}
	}
}

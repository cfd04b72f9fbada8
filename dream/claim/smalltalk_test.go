package claim

import "testing"

func TestSmallTalk(t *testing.T) {
	for text, want := range map[string]bool{
		"Caroline totally agrees, Melanie":               true,
		"Caroline is so happy for you, Melanie":          true,
		"Caroline is super thankful":                     true,
		"Melanie loves it":                               true,
		"Alice can't wait":                               true,
		"Alice is so excited":                            true,
		"Caroline will keep ya posted":                   true,
		"Alice is happy with Bob":                        false,
		"Alice is excited for the trip":                  false,
		"Alice loves coconut":                            false,
		"Alice hopes to win":                             false,
		"Alice is proud of her daughter":                 false,
		"Alice agrees to the price of 40 euros":          false,
		"Alice is happy in Berlin":                       false,
		"Alice does not agree":                           false,
		"Alice is not happy":                             false,
		"Alice never agrees":                             false,
		"Alice wishes you were her sister":               false,
		"Alice thanks Noor":                              false,
		"Alice will see the lovely garden on 3 May":      false,
		"The demo went great":                            false,
		"Alice is a beautiful singer":                    false,
		"Alice made it":                                  false,
		"Alice loves Melanie":                            false,
		"Alice's dog is cute":                            false,
		"Alice has a lot of luck":                        true,
		"Alice: I love it":                               true,
		"Alice is glad that it was not cancer, she says": false,
	} {
		if _, got := Trivial(text); got != want {
			t.Errorf("%q: trivial %v, want %v", text, got, want)
		}
	}
}

package extract

import "testing"

// Whatever a model answers, a fact lies under the turn of its message, rests on words that stand there, and never on those of an assistant.
func FuzzCheckAnswer(f *testing.F) {
	f.Add(answer(about(1, fact(1, "Alice moved to Berlin", "moved to Berlin")), about(2, fact(3, "cat", "a cat")), about(3)))
	f.Add(answer(about(3, fact(4, "Alice has a dog", "a dog"), fact(3, "cat", "a cat")), about(3), about(-1), about(1, fact(2, "Nice",
		"Nice"))))
	f.Add(`{"facts":[],"turns":null}`)
	f.Add(`{"turns":[{"turn":1,"facts":[{"message":-9223372036854775808}]}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		for _, parts := range [][]part{
			{{0, threeTurns[0]}, {1, threeTurns[1]}, {2, threeTurns[2]}},
			{{0, threeTurns[2]}},
		} {
			answers, _ := checkAnswer(text, parts)
			if answers != nil && len(answers) != len(parts) {
				t.Fatalf("%d answers for %d turns", len(answers), len(parts))
			}
			for i, a := range answers {
				for _, got := range a.facts {
					of := -1
					for k, m := range parts[i].messages {
						if m.Drawer == got.Drawer {
							of = k
						}
					}
					if of < 0 || !eligible(parts[i].messages[of]) || got.Text == "" {
						t.Errorf("turn %d has %+v", i+1, got)
					}
				}
			}
		}
	})
}

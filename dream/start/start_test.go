package start

import "testing"

// What says who somebody is, or how they want things done, is worth more than what passes.
func TestWords(t *testing.T) {
	for better, worse := range map[string]string{
		`The user: "I'm a nurse at the children's hospital in Leeds, 12 years now"`: `The user: "I had a nice walk in the rain today"`,
		`The user: "never push to main, always open a PR first"`:                    `The user: "push it then, I'll look after lunch"`,
		`Noor: "My daughter Mia is 7 and allergic to nuts"`: "" +
			`Noor: "She laughed so hard the milk came out of her nose"`,
		`The user: "we use Postgres 16 and Django 5.2, deployed with Ansible to two servers"`: `The user: "why does it say connection refused"`,
	} {
		if high, low := Words(better), Words(worse); high < low+1 {
			t.Errorf("%.2f %s, and %.2f %s", high, better, low, worse)
		}
	}
}

func TestOdds(t *testing.T) {
	s := Sight{Words: -1, Age: 10}
	for name, other := range map[string]Sight{
		"yours": {Words: -1, Age: 10, Yours: true}, "who": {Words: -1, Age: 10, Identifies: true}, "words": {Words: 1, Age: 10},
	} {
		if other.Odds() <= s.Odds() {
			t.Errorf("%s: %.2f, without %.2f", name, other.Odds(), s.Odds())
		}
	}
	for name, other := range map[string]Sight{
		"over": {Words: -1, Age: 10, Over: true}, "again": {Words: -1, Age: 10, Again: 1}, "older": {Words: -1, Age: 300},
	} {
		if other.Odds() >= s.Odds() {
			t.Errorf("%s: %.2f, without %.2f", name, other.Odds(), s.Odds())
		}
	}
}

// Empty and odd texts are of some worth.
func TestNothingToRead(t *testing.T) {
	for _, text := range []string{"", " ", `Jo: ""`, `Jo: "[Al: and?] "`, "…"} {
		s := Sight{Words: Words(text), Keep: Keep(text)}
		if odds := s.Odds(); odds != odds || odds > 5 {
			t.Errorf("%q: %v", text, odds)
		}
	}
}

func BenchmarkSight(b *testing.B) {
	for b.Loop() {
		const text = `Jo: "[Al: and the new job?] since march, dispatcher at the harbour. my back said no to ` +
			`the crane … Kim is 7 now, second grade"`
		_ = Sight{Words: Words(text), Keep: Keep(text)}.Odds()
	}
}

func TestWishesForAlways(t *testing.T) {
	for text, want := range map[string]bool{
		`The user wants assistants to never push to main`:                                true,
		`The user wants assistants to never have since the army`:                         false,
		`The user wants assistants to always do`:                                         false,
		`The user: "Don't add dependencies without asking me, for anything"`:             true,
		`The user: "[Assistant: Shall I?] But careful: never touch settings/production"`: true,
		`The user: "Also please no comments that repeat what the code says"`:             true,
		`The user: "Always answer in German"`:                                            true,
		`The user: "Never again"`:                                                        false,
		`The user: "never heard of it"`:                                                  false,
		`The user: "He is nice. never late"`:                                             false,
	} {
		if got := Wish(text); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

func TestHealthIsAlsoWhatSomebodyMayNotHave(t *testing.T) {
	for text, want := range map[string]bool{
		`Ada: "I cant have ibuprofen anymore, because of the kidney value"`: true,
		`Ada can't eat shellfish`:                                true,
		`Ada: "mum cannot tolerate aspirin since the operation"`: true,
		`Ada: "I can't take it anymore."`:                        false,
		`Ada can't have her parents over in May`:                 false,
		`Ada: "can't drink all of that tea"`:                     false,
	} {
		if got := SignsOf(text).Health; got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

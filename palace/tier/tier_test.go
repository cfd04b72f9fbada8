package tier

import (
	"strings"
	"testing"
)

func TestClassify(t *testing.T) {
	for text, want := range map[string]Type{
		"We decided on PostgreSQL, we agreed to it after the call.":   Decision,
		"Wir haben uns entschieden, ab sofort nehmen wir das Rad.":    Decision,
		"I prefer short answers and I hate long ones.":                Preference,
		"Prefiero el tren, me gusta mirar por la ventana.":            Preference,
		"I passed my driving test, for the first time in my life!":    Milestone,
		"Ça y est, j'ai mon permis !":                                 Milestone,
		"The build fails with an error and I'm stuck.":                Problem,
		"I feel so sad and lonely, I cried all evening.":              Emotional,
		"Je suis triste, tu me manques.":                              Emotional,
		"Remind me to call the bank tomorrow, don't forget.":          Task,
		"The library has three floors.":                               Fact,
		"":                                                            Fact,
		"\xff\xfe":                                                    Fact,
		"The login crashes with an error. Finally it is fixed, great": Milestone,
		"The login crashes with an error. Fixed it, and again broken": Problem,
	} {
		if got, confidence := Classify(text); got != want || confidence < 0 || confidence > 1 {
			t.Errorf("%q: %s %.2f, want %s", text, got, confidence, want)
		}
	}
}

func TestLengthSpeaksForATypeInCharacters(t *testing.T) {
	const text = "Я решил. decided "
	_, short := Classify(text)
	_, longer := Classify(text + strings.Repeat("д", 190))
	_, long := Classify(text + strings.Repeat("д", 490))
	if short != 0.4 || longer-short < 0.19 || long-short < 0.39 {
		t.Errorf("%v, %v, %v", short, longer, long)
	}
}

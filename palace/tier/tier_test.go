package tier

import (
	"math"
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

func TestLengthCountsInCharacters(t *testing.T) {
	for n, want := range map[int]float64{0: 0, 200: 0, 201: 1, 500: 1, 501: 2} {
		if got := bonus(strings.Repeat("д", n)); got != want {
			t.Errorf("%d characters: %v, want %v", n, got, want)
		}
	}
	half := make([]byte, len(weights)) // by which each text is a decision, as likely as not
	half[0] = 57
	p := math.Exp(57.0/32) / (math.Exp(57.0/32) + 6)
	for text, want := range map[string]float64{"x": p, strings.Repeat("x ", 120): (1 + 4*p) / 5, strings.Repeat("x ", 300): (2 + 3*p) / 5} {
		if got, confidence := Judge(half, text); math.Abs(confidence-want) > 1e-5 || got != Decision {
			t.Errorf("%d bytes: %s %v, want %v", len(text), got, confidence, want)
		}
	}
}

// A text whose words say nothing, such as one in a language that nobody labelled, is a fact, however long it is.
func TestLengthMakesNoType(t *testing.T) {
	for _, text := range []string{"Собака бежит по дороге. ", "今日はとても良い天気でした。", "我们决定下周搬到新办公室。", "x "} {
		for _, n := range []int{1, 20, 100} {
			if got, confidence := Classify(strings.Repeat(text, n)); got != Fact || confidence >= least {
				t.Errorf("%d times %q: %s %.2f", n, text, got, confidence)
			}
		}
	}
}

package extract

import "testing"

func TestWhatIsReportedAsDoneIsAFact(t *testing.T) {
	for text, want := range map[string]string{
		"Called the landlord, done.":   `The user: "[I] called the landlord, done"`,
		"I called the landlord, done.": "The user called the landlord, done",
		"Fixed it, done.":              "",
		"Ok, done.":                    "",
	} {
		if got := only(t, text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// only is the text of the fact that a message gives, "" for none.
func only(t *testing.T, text string) string {
	t.Helper()
	facts, err := Rules{}.Extract(t.Context(), []Message{{Role: "user", Text: text}})
	if err != nil {
		t.Fatal(err)
	}
	if len(facts) == 0 {
		return ""
	}
	return facts[0].Text
}

// What does harm when nobody remembers it is a fact, however sure the model of worth is.
func TestWhatIsVitalIsAFact(t *testing.T) {
	for text, want := range map[string]string{
		"Emil has a peanut allergy, so no nuts in any recipe you suggest.": "Emil has a peanut allergy",
		"I can't eat shellfish, it makes my throat swell.":                 "The user can't eat shellfish",
		"I'm vegetarian.":                         "The user is vegetarian",
		"I'm on warfarin.":                        "The user is on warfarin",
		"I'm taking sertraline these days.":       `The user: "I'm taking sertraline these days"`,
		"My doctor put me on a low-salt diet.":    `The user: "My doctor put me on a low-salt diet"`,
		"I'm pregnant.":                           "The user is pregnant",
		"Nele is having twins!":                   "Nele is having twins",
		"I'm getting divorced.":                   "The user is getting divorced",
		"I can't stand coriander.":                "The user can't stand coriander",
		"I like figs.":                            "The user likes figs",
		"I'm 41.":                                 "The user is 41",
		"My name's Judith Brandt.":                `The user: "My name's Judith Brandt"`,
		"We have three cats.":                     `The user: "We have three cats"`,
		"The plumber is Herr Kowalski.":           "The plumber is Herr Kowalski",
		"I have to hand in the form by Tuesday.":  "The user has to hand in the form by Tuesday",
		"I can't stand this bug anymore.":         "",
		"I like the second one better.":           "",
		"I like that.":                            "",
		"I'm on it.":                              "",
		"I'm on line 42.":                         "",
		"I'm 100% sure.":                          "",
		"I have depression charts to draw.":       "",
		"We have three options.":                  "",
		"The server is deaf to requests.":         "",
		"The doctor is here.":                     "",
		"If I were vegan, what would I eat?":      "",
		"I have to go now.":                       "",
		"Is ramipril safe with ibuprofen?":        "",
		"I need this medication list translated.": "",
	} {
		if got := only(t, text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// An order about what answers are like is a standing wish; one about what is at hand is none.
func TestOrdersAboutAnswersAreWishes(t *testing.T) {
	for text, want := range map[string]string{
		"Don't use emojis.":                 `The user: "Don't use emojis"`,
		"Write in British English.":         "The user wants assistants to write in British English",
		"Stop apologising all the time.":    `The user: "Stop apologising all the time"`,
		"No bullet points, please, ever.":   `The user: "No bullet points, please, ever"`,
		"Don't use that function here.":     "",
		"Write a poem about autumn.":        "",
		"Translate this into English.":      "",
		"Skip the units.":                   "",
		"Write in a more formal tone here.": "",
		"Use fewer sentences in this text.": "",
	} {
		if got := only(t, text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	facts, err := Rules{}.Extract(t.Context(), []Message{{Role: "user", Text: "I prefer short answers, and please always use metric units."}})
	if err != nil || len(facts) != 2 || facts[0].Text != "The user prefers short answers" ||
		facts[1].Text != "The user wants assistants to always use metric units" || facts[1].Category != Preference {
		t.Errorf("%+v: %v", facts, err)
	}
}

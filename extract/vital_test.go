package extract

import (
	"slices"
	"testing"
)

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
		"I'm vegetarian.":                               "The user is vegetarian",
		"I'm on warfarin.":                              "The user is on warfarin",
		"I'm taking sertraline these days.":             `The user: "I'm taking sertraline these days"`,
		"My doctor put me on a low-salt diet.":          `The user: "My doctor put me on a low-salt diet"`,
		"I'm pregnant.":                                 "The user is pregnant",
		"Nele is having twins!":                         "Nele is having twins",
		"I'm getting divorced.":                         "The user is getting divorced",
		"I can't stand coriander.":                      "The user can't stand coriander",
		"I like figs.":                                  "The user likes figs",
		"I'm 41.":                                       "The user is 41",
		"My name's Judith Brandt.":                      `The user: "My name's Judith Brandt"`,
		"We have three cats.":                           `The user: "We have three cats"`,
		"The plumber is Herr Kowalski.":                 "The plumber is Herr Kowalski",
		"I have to hand in the form by Tuesday.":        "The user has to hand in the form by Tuesday",
		"The Skoda went to the scrapyard.":              "The Skoda went to the scrapyard",
		"Sorry, I was wrong: my flight leaves at 9:15.": `The user: "I was wrong: my flight leaves at 9:15"`,
		"I can't stand this bug anymore.":               "",
		"I like the second one better.":                 "",
		"I like that.":                                  "",
		"I'm on it.":                                    "",
		"I'm on line 42.":                               "",
		"I'm 100% sure.":                                "",
		"I have depression charts to draw.":             "",
		"We have three options.":                        "",
		"The server is deaf to requests.":               "",
		"The doctor is here.":                           "",
		"If I were vegan, what would I eat?":            "",
		"I have to go now.":                             "",
		"Is ramipril safe with ibuprofen?":              "",
		"I need this medication list translated.":       "",
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
		"Avoid miles in the table.":         "",
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

// How people introduce themselves is taken apart: each fact says one thing of them.
func TestAnIntroductionIsSeveralFacts(t *testing.T) {
	for text, want := range map[string][]string{
		"Hi! I'm Judith Brandt, 41, I live in Leipzig with my husband Tobias and our kids Emil (7) and Frieda (4).": {
			"The user's name is Judith Brandt", "The user is 41", "The user lives in Leipzig", "The user's husband is Tobias",
			"The user's kids are Emil and Frieda", "Emil is 7 years old", "Frieda is 4 years old",
		},
		"I'm Tom, 29, and I work at Bosch as a welder.": {
			"The user's name is Tom", "The user is 29", "The user works at Bosch as a welder",
		},
		"I'm Kim Lee, 30 years old, from Oslo.": {"The user's name is Kim Lee", "The user is 30 years old", "The user is from Oslo"},
		"I live in Ulm with my wife Sara.":      {"The user lives in Ulm", "The user's wife is Sara"},
		"I live in Ulm with my dog Rex, two cats and my wife.": {
			`The user: "I live in Ulm with my dog Rex, two cats and my wife"`,
		},
		"I'm German, 41, I live in Ulm.":             {`The user: "I'm German, 41, I live in Ulm"`},
		"If I'm Karl, 41, I would be dead.":          nil,
		"I'm sorry, I live in Ulm.":                  {"The user lives in Ulm"},
		"I'm Karl and I'm tired.":                    {"The user's name is Karl"},
		"I'm Alice, can you tell me the time there?": {"The user is Alice"},
	} {
		facts, err := Rules{}.Extract(t.Context(), []Message{{Role: "user", Text: text}})
		if got := texts(facts); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q: %v", text, got, want, err)
		}
	}
}

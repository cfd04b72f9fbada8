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

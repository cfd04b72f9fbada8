package extract_test

import (
	"context"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/extract"
)

// What is a triple for certain gives a fact, whoever it is about and in whichever of the languages; what is asked, planned or of an
// assistant does not.
func TestTriplesAreFacts(t *testing.T) {
	for text, want := range map[string]string{
		"Olga lives in Riga.":              "Olga lives in Riga",
		"Laura Becker works at Lufthansa.": "Laura Becker works at Lufthansa",
		"The website is hosted on Heroku.": "The website is hosted on Heroku",
		"Sabine ist mit Uwe verheiratet.":  `The user: "Sabine ist mit Uwe verheiratet"`,
		"Pilar está casada con Jorge.":     `The user: "Pilar está casada con Jorge"`,
		"Does Olga live in Riga?":          "",
		"Maybe Olga lives in Riga.":        "",
	} {
		facts, err := extract.Rules{}.Extract(context.Background(), []extract.Message{{Role: "user", Text: text, At: time.Unix(1780000000, 0)}})
		got := ""
		for _, f := range facts {
			got += f.Text
		}
		if got != want || err != nil {
			t.Errorf("%s: %q, want %q: %v", text, got, want, err)
		}
	}
	said := []extract.Message{{Role: "assistant", Text: "Olga lives in Riga.", At: time.Unix(1780000000, 0)}}
	if facts, err := (extract.Rules{}).Extract(context.Background(), said); err != nil || len(facts) > 0 {
		t.Errorf("%+v: %v", facts, err)
	}
}

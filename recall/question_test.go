package recall

import (
	"testing"
	"time"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/vault"
)

func TestSpokenBy(t *testing.T) {
	cases := map[string]struct {
		question string
		row      catalog.Row
		want     bool
	}{
		"the person named":       {"Where does Ana live?", catalog.Row{Speaker: "Ana", Origin: vault.OriginImport}, true},
		"in any case":            {"where does ana live", catalog.Row{Speaker: "ANA", Origin: vault.OriginImport}, true},
		"by a part of the name":  {"Where does Ana live?", catalog.Row{Speaker: "Ana Lima", Origin: vault.OriginImport}, true},
		"in the genitive":        {"What is Ana's address?", catalog.Row{Speaker: "Ana", Origin: vault.OriginImport}, true},
		"somebody else":          {"Where does Ana live?", catalog.Row{Speaker: "Bo", Text: "Ana!", Origin: vault.OriginImport}, false},
		"a page that names them": {"Where does Ana live?", catalog.Row{Text: "Ana lives in Porto.", Origin: vault.OriginImport}, true},
		"a page titled after them": {"Where does Ana live?", catalog.Row{
			Context: "Ana", Text: "Lives in Porto.",
			Origin: vault.OriginImport,
		}, true},
		"a page about another":   {"Where does Ana live?", catalog.Row{Text: "Bo lives in Porto.", Origin: vault.OriginImport}, false},
		"a stop word is no name": {"Where is it?", catalog.Row{Speaker: "It", Origin: vault.OriginImport}, false},
		"my own words":           {"What did I say?", catalog.Row{Speaker: "user", Origin: vault.OriginUser}, true},
		"not the assistant's":    {"What did I say?", catalog.Row{Speaker: "assistant", Origin: vault.OriginAssistant}, false},
		"what you said":          {"What did you tell me?", catalog.Row{Speaker: "assistant", Origin: vault.OriginAssistant}, true},
		"what you would say": {"What would you suggest for my trip?", catalog.Row{
			Speaker: "assistant",
			Origin:  vault.OriginAssistant,
		}, false},
		"what I told of another":    {"Where do I live?", catalog.Row{Text: "Ana lives in Porto", Origin: vault.OriginUser}, false},
		"what I told of us":         {"Where do I live?", catalog.Row{Text: "Ana lives with the user", Origin: vault.OriginUser}, true},
		"what begins with a noun":   {"When do I travel?", catalog.Row{Text: "Passport expires in 2031", Origin: vault.OriginUser}, true},
		"what is mine has a name":   {"Where does my aunt live?", catalog.Row{Text: "Ana lives in Porto", Origin: vault.OriginUser}, true},
		"a page is the user's":      {"What is my address?", catalog.Row{Text: "Rua Augusta 1"}, true},
		"nobody asks about anybody": {"What is the capital of Peru?", catalog.Row{Speaker: "user", Origin: vault.OriginUser}, false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			q := parseQuestion(c.question, time.Now())
			if got := q.spokenBy(&c.row); got != c.want {
				t.Errorf("%q, %+v: %v", c.question, c.row, got)
			}
		})
	}
}

func TestAsksBack(t *testing.T) {
	cases := map[string]float64{
		"":                                    0,
		"I paint.":                            0,
		"What do you paint?":                  1,
		"Shall I show you my work?":           0,
		"Malst du gern?":                      1,
		"Darf ich dir etwas zeigen?":          0,
		"你喜欢画画吗？":                             1,
		"What about you? [image: a painting]": 0.41,
	}
	for text, want := range cases {
		if got := asksBack(text); got < want-0.05 || got > want+0.05 {
			t.Errorf("%q: %.2f, want %.2f", text, got, want)
		}
	}
}

func TestWhenQuestions(t *testing.T) {
	cases := map[string]bool{
		"When did Ana move?": true, "What year did she move?": true, "On which date was it?": true, "Wann war das?": true,
		"Who was there when Ana moved?": false, "What is whenever?": false,
	}
	for text, want := range cases {
		if q := parseQuestion(text, time.Now()); q.when != want {
			t.Errorf("%q: %v", text, q.when)
		}
	}
}

func TestAsksHow(t *testing.T) {
	cases := map[string]bool{
		"How do I descale a kettle?": true, "how to bleed a radiator": true, "Wie entkalkt man einen Kessel?": true,
		"¿Cómo se hace una tortilla?":   true,
		"How did I descale the kettle?": false, "How much do I pay?": false, "Wie heißt unser Auto?": false, "¿Cómo se llama mi tía?": false,
		"how": false,
	}
	for text, want := range cases {
		if q := parseQuestion(text, time.Now()); q.how != want {
			t.Errorf("%q: %v", text, q.how)
		}
	}
}

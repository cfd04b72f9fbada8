package derive

import (
	"testing"
	"time"
	"unicode"

	"github.com/reverie-memory/reverie/internal/nasty"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/vault"
)

// A head is found in text by its letters alone, and no word that only stands in text as a part of another is one.
func TestHeadsAreLetters(t *testing.T) {
	for w := range headWords().words {
		for _, r := range w {
			if !unicode.IsLetter(r) {
				t.Errorf("%q", w)
			}
		}
		switch w {
		case "not", "can", "will", "'s", timeMark:
			t.Errorf("%q is read where it does not stand", w)
		}
	}
}

// What is refused at a look says nothing when it is read, as a fact or on a page.
func FuzzRefused(f *testing.F) {
	for _, s := range nasty.Shapes() {
		f.Add(s.Make(200))
	}
	f.Add("I went with my sister Hester, we sneezed.")
	f.Add("Anna (Marek's sister) sneezed. Bob (my boss) sneezed. Cleo (accounting) and Bo (from Ulm) sneezed.")
	f.Add("It's Ada's. She doesn't live there, I hasn\u0301't; wir lebe\u0301n in Rom (called Ulm).")
	f.Fuzz(func(t *testing.T, text string) {
		if mayTell(text) {
			return
		}
		at := time.Date(2024, 5, 6, 7, 0, 0, 0, time.UTC)
		for _, undated := range []bool{false, true} {
			r := &reader{fact: Fact{ID: "f", Text: text, At: at}, said: vault.DayOf(at), speaker: "Ada", last: "Ben", undated: undated}
			for _, s := range lexis.Sentences(text) {
				r.sentence(text[s.Start:s.End])
			}
			if len(r.events) > 0 {
				t.Errorf("%q: %+v", text, r.events)
			}
		}
	})
}

package extract

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"
)

// Whoever writes a note wants it remembered: every statement of it gives a fact, and none loses a word.
func TestNotes(t *testing.T) {
	const quoted = "as it stands"
	for text, want := range map[string]string{
		"I like my coffee black":                                        quoted,
		"I hate cilantro":                                               "The user hates cilantro",
		"The boiler is fixed by Jonas Weber":                            "The boiler is fixed by Jonas Weber",
		"Our dog Pip is a border collie and he is afraid of thunder":    quoted,
		"Shopping list: milk, eggs (free range), bread, and two lemons": quoted,
		"The key to the shed is under the blue pot":                     "The key to the shed is under the blue pot",
		"Passport expires 2031-08-14":                                   quoted,
		"Neighbour: Mrs. Petrov, third floor, has a spare key":          "Neighbour: Mrs. Petrov, third floor, has a spare key",
		"The printer only works over cable because its wifi is broken":  quoted,
		"Favorite wine: Grüner Veltliner":                               quoted,
		"Mara is a vet. She works in Bonn, mostly with horses.":         quoted,
		"Ich mag meinen Kaffee schwarz":                                 quoted,
		"Not a fan of opera":                                            quoted,
		"If the alarm goes off, press the green button and call Iva":    quoted,
		"Call the plumber because the tap drips":                        "The user has to call the plumber because the tap drips",
		"The lease ends in May and we must give notice in February":     "The lease ends in May\nThe user: \"We must give notice in February\"",
		"What is the meaning of life?":                                  "",
	} {
		if want == quoted {
			want = `The user: "` + strings.TrimSuffix(text, ".") + `"`
		}
		note := Message{Drawer: "d1", Role: "user", Text: text, At: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC), Note: true}
		earlier := Message{Role: "user", Text: "I moved to Graz in May", At: note.At.Add(-time.Minute), Note: true, Before: true}
		for _, before := range [][]Message{nil, {earlier}} {
			facts, err := Rules{}.Extract(context.Background(), append(slices.Clone(before), note))
			var got []string
			for _, f := range facts {
				if got = append(got, f.Text); f.Drawer != "d1" || f.Quote == "" || f.Category == "" {
					t.Errorf("%q: %+v", text, f)
				}
			}
			if s := strings.Join(got, "\n"); err != nil || s != want {
				t.Errorf("%q behind %d: %s, want %s (%v)", text, len(before), s, want, err)
			}
		}
	}
}

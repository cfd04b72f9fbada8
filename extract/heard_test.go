package extract

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"
)

// What was heard before changes no fact, whoever asks at the same time, and it does not grow without end.
func TestHeard(t *testing.T) {
	var heard Heard
	said := []string{
		"Do you still work at the hospital?", "Yes, since March. I am a nurse there.", "And where do you live now?",
		"In Lüneburg, with my sister.",
		"What about the marathon?", "I want to run it in October. My knee hurts though.", "Which knee?", "The left one, since the fall in May.",
	}
	var talk []Message
	for i, s := range said {
		talk = append(talk, Message{
			Drawer: fmt.Sprint("d", i), Role: "user", Speaker: []string{"Bob", "Alice"}[i%2], Text: s,
			At: time.Unix(1780000000+int64(i)*60, 0), Before: true,
		})
	}
	var wg sync.WaitGroup
	all := 0
	for i := range talk {
		turn := append([]Message{}, talk[:i+1]...)
		turn[i].Before = false
		want, err := Rules{}.Extract(context.Background(), turn)
		if err != nil {
			t.Fatal(err)
		}
		all += len(want)
		for range 3 {
			wg.Go(func() {
				if got, _ := (Rules{Heard: &heard}).Extract(context.Background(), turn); !reflect.DeepEqual(got, want) {
					t.Errorf("%q\n got %+v\nwant %+v", turn[i].Text, got, want)
				}
			})
		}
	}
	wg.Wait()
	if all == 0 || len(heard.young) == 0 {
		t.Errorf("%d facts, %d sentences heard", all, len(heard.young))
	}
	for i := range 3 * heardCount {
		heard.sentence(fmt.Sprint("I live in house ", i), false)
	}
	if n := len(heard.young) + len(heard.old); n > 2*heardCount {
		t.Errorf("%d sentences are kept", n)
	}
	before := len(heard.young)
	if heard.sentence(strings.Repeat("I live in a house ", maxSentence), false); len(heard.young) != before {
		t.Error("what is no sentence is kept")
	}
}

// In a talk that was imported the other one goes by their name, and what they say is heard as in any talk of people.
func TestImportedTalk(t *testing.T) {
	ask := func(role string) string {
		facts, err := Rules{}.Extract(t.Context(), []Message{
			{Drawer: "d1", Role: role, Speaker: "Noor", Text: "Where do you live now?", At: time.Unix(1780000000, 0), Before: true},
			{Drawer: "d2", Role: "user", Speaker: "Alice", Text: "In Lüneburg, since March. My sister lives here.", At: time.Unix(1780000060, 0)},
		})
		if err != nil || len(facts) == 0 {
			t.Fatal(facts, err)
		}
		var all []string
		for _, f := range facts {
			all = append(all, f.Text)
		}
		return strings.Join(all, "\n")
	}
	if got, want := ask("import"), ask("user"); got != want || !strings.Contains(got, "[Noor: Where do you live now?]") {
		t.Errorf("imported %q, want %q", got, want)
	}
}

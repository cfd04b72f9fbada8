package dream_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/vault"
)

// What is said on two nights, and what a page and MEMORY.md say then: what stands where, "" for what stands nowhere there.
func TestWhatLaterFactsEndInPart(t *testing.T) {
	const memory = "memory/MEMORY.md"
	for _, tt := range []struct {
		name, page    string
		before, after []string
		under         map[string]string // by text, the heading of the page
		tells         map[string]bool   // MEMORY.md
	}{
		{
			"a lump", alice,
			[]string{`Alice: "I live in Paris, but I got an offer for a flat in Berlin … [Assistant: Where?] It's in Neukölln"`},
			[]string{"Alice moved to Berlin"},
			map[string]string{"I live in Paris": "Timeline", "moved to Berlin": "Now"},
			map[string]bool{"live in Paris": false, "Moved to Berlin": true},
		},
		{
			"two things in one", "3_Personal/Eva.md",
			[]string{"Alice's daughter Eva is 5 and plays the flute", "Eva was born in Leeds", "Eva is in a choir"},
			[]string{"Eva gave up the flute"},
			map[string]string{"is 5 and plays the flute": "Timeline"},
			map[string]bool{"plays the flute": false},
		},
		{
			"a marriage", "3_Personal/Tom.md",
			[]string{"Alice's husband Tom is a pilot", "Tom plays chess", "Tom was born in Leeds", "Alice is married to Tom"},
			[]string{`Alice: "My husband Tom and I separated"`},
			map[string]string{"is a pilot": "Timeline"},
			map[string]bool{"husband Tom is a pilot": false, "Married to Tom": false},
		},
		{
			"the opposite", alice,
			[]string{"Alice is allergic to peanuts"},
			[]string{"Alice is not allergic to peanuts"},
			map[string]string{"- Alice is allergic": "", "- Alice is not allergic": ""},
			map[string]bool{"- Allergic": false, "Open question": true},
		},
		{
			"a correction", "1_Projects/Falcon.md",
			[]string{
				"[task] The Falcon project is due on 20 June", "[decision] The Falcon project uses Rust",
				"[decision] The Falcon project has a logo",
			},
			[]string{"[problem] Alice was wrong, the Falcon project is due on 22 June"},
			map[string]string{"- [ ] The Falcon project is due on 22 June": "Tasks", "due on 20 June (corrected 9 Jun 2026)": "History"},
			map[string]bool{"was wrong": false, "20 June": false, "To do: The Falcon project is due on 22 June": true},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, "2026-06-09 03:00")
			for i, f := range tt.before {
				w.tell("2026-06-08", "Alice", fmt.Sprint("a", i), f)
			}
			w.run()
			w.set("2026-06-10 03:00")
			for i, f := range tt.after {
				w.tell("2026-06-09", "Alice", fmt.Sprint("b", i), f)
			}
			w.run()
			for text, want := range tt.under {
				n, under := strings.Count(w.read(tt.page), "\n"+text), strings.Contains(w.section(tt.page, want), text)
				if want == "" && n > 0 || want != "" && !under {
					t.Errorf("%q is not under %q", text, want)
				}
			}
			for text, want := range tt.tells {
				if strings.Contains(w.read(memory), text) != want {
					t.Errorf("MEMORY.md says %q: %v, want %v", text, !want, want)
				}
			}
			if t.Failed() {
				t.Log(w.read(tt.page) + w.read(memory))
			}
			w.account()
		})
	}
}

// What is told a day late of a day before stands for that day at once.
func TestALateFactThatIsOverInPart(t *testing.T) {
	w := newWorld(t, "2026-06-10 03:00")
	w.tell("2026-06-09", "Alice", "a", "Alice moved to Berlin")
	w.run()
	w.set("2026-06-11 03:00")
	w.tell("2026-06-08", "Alice", "b", `Alice: "I live in Paris … [Assistant: Alone?] My sister lives next door"`)
	w.tell("2026-06-10", "Alice", "c", "Alice plays chess")
	w.run()
	if !strings.Contains(w.section(alice, "Timeline"), "I live in Paris") {
		t.Error(w.read(alice))
	}
	w.account()
}

// A conversation that begins with another project tells nothing of the only one that has a page.
func TestAnotherProjectOfTheConversation(t *testing.T) {
	for _, first := range []string{"In the Elbpark project, which database should we use?", "Which database should we use?"} {
		w := newWorld(t, "2026-06-09 03:00")
		w.tell("2026-06-08", "Alice", "a", "The Altona project uses React", "The Altona project runs on Debian", "The Altona project has a logo")
		w.tell("2026-06-08", "Alice", "b", `[decision] Alice: "We decided to use PostGIS because of the geo queries of the backend"`)
		d := vault.Drawer{At: vault.Day("2026-06-08").Time(), ChatID: "b", Origin: vault.OriginUser, Turn: "t", Speaker: "Alice", Text: first}
		if _, err := w.v.AppendDrawers(t.Context(), []vault.Drawer{d}); err != nil {
			t.Fatal(err)
		}
		w.run()
		if got, want := strings.Contains(w.read("1_Projects/Altona.md"), "PostGIS"), !strings.Contains(first, "Elbpark"); got != want {
			t.Errorf("after %q: %v\n%s", first, got, w.read("1_Projects/Altona.md"))
		}
		w.drop()
	}
}

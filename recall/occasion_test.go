package recall_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/recall"
	"github.com/reverie-memory/reverie/vault"
)

func TestOccasion(t *testing.T) {
	for _, c := range []struct {
		name, text, question, want string
		least, most                float64
	}{
		{"all of it", "Always give the price when I ask about bicycles.", "Which bicycle is good?", "about bicycles", 1, 1},
		{"none of it", "Always give the price when I ask about bicycles.", "Who lives in Porto?", "about bicycles", 0, 0},
		{"a word of the same kind", "Please say who it is when I mention physicians.", "What does my doctor say?", "physicians", 0.5, 0.9},
		{"in front", "Whenever I ask for recipes, leave the nuts out.", "a recipe for bread", "for recipes", 1, 1},
		{"among others", "Thanks! Never use jargon if I talk about taxes. See you.", "taxes", "about taxes", 1, 1},
		{"German", "Nenne immer die Quelle, wenn ich nach Studien frage.", "Studien", "nach studien", 1, 1},
		{"French", "Réponds toujours en français quand je parle de voyages.", "voyages", "de voyages", 1, 1},
		{"Spanish", "Da siempre las horas cuando pregunto por trenes.", "trenes", "", 0, 0}, // the subject is in the verb
		{"asked", "Do you always laugh when I ask about taxes?", "taxes", "", 0, 0},
		{"told", "He laughed when I asked about taxes.", "taxes", "", 0, 0},
		{"of others", "They always laugh when you ask about taxes.", "taxes", "", 0, 0},
		{"a habit", "I always cry when I talk about my dad.", "my dad", "", 0, 0},
		{"a habit, behind", "When I talk about the accident I still never sleep.", "the accident", "", 0, 0},
		{"a habit in German", "Ich weine immer, wenn ich von Oma spreche.", "Oma", "", 0, 0},
		{"a habit in French", "Je pleure toujours quand je parle de lui.", "lui", "", 0, 0},
		{"what I want", "I always want the price when I ask about bicycles.", "Which bicycle is good?", "about bicycles", 1, 1},
		{"what you do", "I said that you should always give the price when I ask about bicycles.", "bicycles", "about bicycles", 1, 1},
		{"no asking", "I always sing when I cook.", "What do I cook?", "", 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			when, share := recall.Occasion(c.text, c.question)
			if when != c.want || share < c.least || share > c.most {
				t.Errorf("occasion %q, share %.2f; want %q, %.1f to %.1f", when, share, c.want, c.least, c.most)
			}
		})
	}
}

// A wish whose occasion is asked for is told where nothing answers, and nothing else is.
func TestAWishIsToldWhereNothingAnswers(t *testing.T) {
	rows := append(chatRows(48),
		catalog.Row{
			ID: "wish", Source: catalog.DrawerText, File: "memory/drawers/x.md",
			Text: "Always convert measurements to metric when I ask about recipes.", Speaker: "Mira", Chat: "w", Drawer: "wish",
			Origin: vault.OriginUser, At: noon,
		},
		catalog.Row{
			ID: "other", Source: catalog.DrawerText, File: "memory/drawers/x.md", Text: "Never suggest pork when I ask about dinner.",
			Speaker: "Mira", Chat: "v", Drawer: "other", Origin: vault.OriginUser, At: noon,
		})
	s := newSearcher(t, rows)
	for question, want := range map[string][]string{
		"Can you give me recipes with pumpkin?": {"wish"}, "What is the capital of Mongolia?": {},
	} {
		res, err := s.Search(t.Context(), recall.Query{Text: question})
		must(t, err)
		if got := ids(res); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", question, got, want)
		}
		for _, profile := range []string{"palace", "synapse", "cosine"} {
			_, err := s.Search(t.Context(), recall.Query{Text: question, Profile: profile})
			must(t, err)
		}
	}
}

// A wish comes along where its occasion is asked for, behind the first three, and changes nothing else.
func TestAWishComesAlong(t *testing.T) {
	at := noon.AddDate(0, 0, -90)
	rows := append(chatRows(48), catalog.Row{
		ID: "wish", Source: catalog.DrawerText, File: "memory/drawers/x.md", Text: "Always give the price when I ask about a lesson.",
		Context: "Mira", Speaker: "Mira", Chat: "w", Drawer: "wish", Origin: vault.OriginUser, At: at, Refs: []string{"rwish"},
		Session: "w", Seq: 1,
	})
	s := newSearcher(t, rows)
	ask := func(question string, on bool) []recall.Hit {
		res, err := s.Search(context.Background(), recall.Query{
			Text: question, K: 50, Explain: true, Flags: map[string]any{"occasions": on, "min_score": 0.0, "variety": false},
		})
		must(t, err)
		for i, h := range res.Hits {
			sum := 0.0
			for _, v := range h.Breakdown {
				sum += v
			}
			if math.Abs(sum-h.Score) > 1e-9 || i > 0 && h.Score > res.Hits[i-1].Score {
				t.Errorf("%s at %d: parts %v, score %v", h.Row.ID, i, sum, h.Score)
			}
		}
		return res.Hits
	}
	place := func(hits []recall.Hit) int {
		return slices.IndexFunc(hits, func(h recall.Hit) bool { return h.Row.ID == "wish" })
	}
	rest := func(hits []recall.Hit) (ids []string) {
		for _, h := range hits {
			if h.Row.ID != "wish" {
				ids = append(ids, h.Row.ID)
			}
		}
		return ids
	}
	question := "Did the violin lesson go well, and did the teacher of Ines smile?"
	off, on := ask(question, false), ask(question, true)
	if place(off) < 10 || place(on) < 3 || place(on) >= 10 {
		t.Errorf("the wish stands at %d with the phase and at %d without, want 3 to 9 and further behind", place(on), place(off))
	}
	if !slices.Equal(rest(on), rest(off)) {
		t.Errorf("the others are %v with the phase, %v without", rest(on), rest(off))
	}
	if other := "What did Nadia open?"; place(ask(other, true)) != place(ask(other, false)) {
		t.Error("the wish moved where nothing of its occasion was asked")
	}
}

// However many answer better than a wish does, it comes along: it is asked for by its occasion.
func TestAWishComesAlongFromFarBehind(t *testing.T) {
	rows := []catalog.Row{{
		ID: "wish", Source: catalog.DrawerText, File: "memory/drawers/x.md", Text: "Always give the price when I ask about a lesson.",
		Context: "Mira", Speaker: "Mira", Chat: "w", Drawer: "wish", Origin: vault.OriginUser, At: noon, Session: "w", Seq: 1,
	}}
	say := func(id, text string, i int) catalog.Row {
		return catalog.Row{
			ID: id, Source: catalog.DrawerText, File: "memory/drawers/x.md", Text: text, Context: "Ines", Speaker: "Ines", Chat: "c", Drawer: id,
			Origin: vault.OriginUser, At: noon.AddDate(0, 0, -i), Session: id, Seq: 1,
		}
	}
	for i := range 400 {
		rows = append(rows, say(fmt.Sprintf("o%03d", i), "The bees survived the winter.", i))
		if i < 70 {
			rows = append(rows, say(fmt.Sprintf("d%03d", i), "The lesson went on for an hour.", i))
		}
	}
	res, err := newSearcher(t, rows).Search(t.Context(), recall.Query{
		Text: "How was the lesson?", Flags: map[string]any{"min_score": 0.0},
	})
	must(t, err)
	if !slices.Contains(ids(res), "wish") {
		t.Errorf("no wish among %v", ids(res))
	}
}

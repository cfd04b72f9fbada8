package recall

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/lexis"
)

// statement prefers texts that tell something to short ones and to those that only ask back.
var statement = &Phase{
	Name: "statement", Step: Scoring, Stage: "rank", Switch: "text",
	Flags: []Flag{{Name: "text", Default: true, Doc: "length and questions, judged from the text"}},
	Parts: []string{"length", "statement"},
	Run: eachRow(func(_ *search, row *scoredRow) {
		if !fromLog(&row.row) { // a fact stands for itself, however short
			row.scale("length", -math.Exp(-float64(len(lexis.Terms(row.row.Text)))/fullLength))
		}
		row.scale("statement", -weightQuestion*asksBack(row.row.Text))
	}),
}

// The terms at which a text counts 63 %, and what is taken off a text that only asks back.
const (
	fullLength     = 4
	weightQuestion = 0.4
)

// fromLog says whether the row tells one fact: as a line of a daily log, or as a statement on a page that took its place.
func fromLog(row *catalog.Row) bool {
	switch row.Source {
	case catalog.ArchiveLog:
		return true
	case catalog.Notebook, catalog.CoreFile:
		return row.Chat != "" || row.Drawer != ""
	}
	return false
}

// asksBack is the share of the text that asks somebody else something. What somebody asks while telling of
// themselves ("I paint since May, shall I show you?") is no such question.
func asksBack(text string) float64 {
	if !strings.ContainsAny(text, "?？؟") {
		return 0
	}
	asked, all := 0, 0
	for _, s := range lexis.Sentences(text) {
		t := text[s.Start:s.End]
		n := utf8.RuneCountInString(t)
		all += n
		if lexis.IsQuestion(t) && !ownWords(t) {
			asked += n
		}
	}
	if all == 0 {
		return 0
	}
	return float64(asked) / float64(all)
}

func ownWords(sentence string) bool {
	return slices.ContainsFunc(lexis.Words(sentence), func(w string) bool {
		return lexis.FirstPerson(w) || w == "us" || w == "uns" || w == "mine"
	})
}

package recall

import (
	"context"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/vault"
)

// weightSpeaker is what a row gains that is by the person whom the question is about.
const weightSpeaker = 1

// speaker prefers rows by the person whom the question is about.
var speaker = &Phase{
	Name: "speaker", Step: Scoring, Stage: "rank", Switch: "speaker",
	Flags: []Flag{{Name: "speaker", Default: true, Doc: "rows by the person that the question names"}},
	Parts: []string{"speaker"},
	Run: eachRow(func(r *search, row *scoredRow) {
		if r.question.spokenBy(&row.row) {
			row.scale("speaker", weightSpeaker)
		}
	}),
}

// guessSpeaker estimates the same before rows are read: by the speakers alone whom the question names by one word.
var guessSpeaker = &Phase{
	Name: "guess_speaker", Step: Pooling, Stage: "read", Switch: "speaker",
	Run: func(_ context.Context, r *search) error {
		var speakers []func(catalog.Key) bool
		for _, w := range r.question.words {
			if len(speakers) == 16 {
				break
			}
			if !lexis.IsStop(w) {
				if by := r.s.Index.Allow(catalog.Filter{Speaker: w}); by != nil {
					speakers = append(speakers, by)
				}
			}
		}
		for i := range r.pool.groups {
			for _, by := range speakers {
				if by(r.pool.firstKey(i)) {
					r.pool.groups[i].rank *= 1 + weightSpeaker
					break
				}
			}
		}
		return nil
	},
}

// spokenBy says whether the row is by the person whom the question is about. A text without a
// speaker, such as a page, is when it names them.
func (q *question) spokenBy(row *catalog.Row) bool {
	switch row.Origin {
	case vault.OriginAssistant:
		if q.yours {
			return true
		}
	case vault.OriginUser, "":
		if q.mine && !q.yours {
			return !q.self || !q.ofAnother(row)
		}
	}
	if row.Speaker == "" {
		return q.namedIn(row.Context) || q.namedIn(row.Text)
	}
	return q.namesSpeaker(row.Speaker)
}

// ofAnother says whether a text is about somebody else alone: it begins with a name, and speaks of the asker nowhere. "Alice lives in
// Hamburg" does not answer "where do I live", though the asker said it.
func (q *question) ofAnother(row *catalog.Row) bool {
	words := lexis.Words(row.Text)
	if len(words) == 0 || q.set[words[0]] || slices.Contains(lexis.Words(row.Speaker), words[0]) {
		return false
	}
	first, _ := utf8.DecodeRuneInString(row.Text)
	terms := lexis.Terms(words[0])
	return unicode.IsUpper(first) && len(terms) == 1 && lexis.Frequency(terms[0]) == lexis.FrequencyFloor &&
		!slices.ContainsFunc(words, func(w string) bool { return w == "user" || lexis.FirstPerson(w) })
}

package derive

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/graph"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/vault"
)

// A Page is what the lines on it may be about.
type Page struct {
	Title string
	Kind  string // of what that names: person, pet, project, …; "" where nobody said
}

// A PageText is a piece of a page that somebody wrote by hand.
type PageText struct {
	Row  string // it is the source of what is read
	Text string
	Own  bool // it stands where it may tell of the page without naming it
}

// Events is what a text on the page says of the graph: attributes of what the page is called after, one a line ("Employer: Bosch"), and
// statements. Nobody knows when it was written, so that it holds since a day that it names itself, or since nobody knows when; a time that
// counts from today says nothing. Nor is it known who wrote it: "I" is nobody.
func (p Page) Events(t PageText) []graph.Event {
	r := &reader{fact: Fact{ID: t.Row}, undated: true}
	if t.Own && p.Kind == "person" {
		r.last, r.about = p.Title, p.Title
	}
	var prose strings.Builder
	for line := range strings.Lines(t.Text) {
		key, value, ok := strings.Cut(strings.TrimSpace(line), ":")
		if value = strings.TrimLeft(value, ": \t"); !ok || !t.Own || strings.HasPrefix(value, "//") || !r.attribute(p, key, value) {
			if first, _ := utf8.DecodeRuneInString(line); unicode.IsLower(first) { // a sentence goes on
				line = " " + line
			} else {
				line = "\n" + line
			}
			prose.WriteString(strings.TrimRight(line, "\r\n"))
		}
	}
	for _, at := range lexis.Sentences(prose.String()) {
		if s := prose.String()[at.Start:at.End]; tells(s) {
			r.sentence(s)
		} else {
			r.last = "" // it may name somebody else
		}
	}
	return r.events
}

// attribute reads a line that says by a key what is so of a page, and says whether the key is one that is known for pages of the kind.
// An object is a name, or, where nothing of the kind of name is asked for, whatever stands there.
func (r *reader) attribute(p Page, key, value string) bool {
	key = strings.TrimSpace(strings.ReplaceAll(key, "_", " "))
	a, known := graph.AttributeOf(key, p.Kind)
	if !known && (p.Kind != "person" || core().people[lexis.Fold(key)] == "" && !core().is("pets", lexis.Fold(key))) {
		return false
	}
	rest, times, sure := r.times(value)
	if !sure || strings.ContainsAny(value, "?¿") {
		return true
	}
	var v view
	for _, p := range times {
		v.when = v.when.join(p)
	}
	for part := range strings.SplitSeq(rest, ", ") {
		words := strings.Fields(part)
		if at := slices.IndexFunc(words, func(w string) bool { return strings.Contains(w, timeMark) }); at >= 0 {
			words = words[:at]
		}
		if len(words) == 0 && len(times) > 0 && a.Object == "" { // a time is what is told
			words, v.when = strings.Fields(value), period{}
		}
		name := strings.Join(words, " ")
		switch head := lexis.Fold(key); {
		case len(words) == 0 || len(words) > 6 || blanks[lexis.Fold(name)]:
		case core().people[head] != "":
			if capital(name) {
				r.kin(graph.Qualified(name, p.Title+"'s "+head), core().people[head], p.Title)
			}
		case core().is("pets", head):
			if capital(name) {
				r.say(v, "hold", p.Title, "has_pet", name)
			}
		case (a.Object != "" || a.Reversed) && !capital(name):
		case a.Reversed:
			r.say(v, "hold", name, a.Predicate, p.Title)
		default:
			r.say(v, "hold", p.Title, a.Predicate, name)
		}
		if a.One {
			break
		}
	}
	return true
}

// tells says whether a sentence has words that may tell something: most of the sentences of pages have none, and are not read any further.
func tells(sentence string) bool {
	if !mayTell(sentence) {
		return false
	}
	words := strings.FieldsFunc(sentence, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("'’-", r)
	})
	owned, naming := false, false
	for _, w := range words {
		_, of := owner(w)
		owned, naming = owned || of, naming || named[lexis.Fold(w)]
	}
	lost, folds := misses{}, folded(words)
	for i, f := range folds {
		if len(matches(words[i:], folds[i:], lost)) > 0 || owned && is[f] || naming && has[f] != "" {
			return true
		}
	}
	return false
}

// blanks are values by which a template says that there is none.
var blanks = lexis.Set("none unknown tbd tba todo n/a na no yes true false null nil")

// undatedDays are two days on which a time that is sure reads alike.
var undatedDays = [2]vault.Day{"2001-02-03", "2094-11-20"}

// times takes the times out of words, and says whether all of them are sure: of an undated text those are not that count from today.
func (r *reader) times(text string) (rest string, told []period, sure bool) {
	if !r.undated {
		rest, told = cutTimes(text, r.said)
		return rest, told, true
	}
	if !timed(text) {
		return text, nil, true
	}
	words := timeWords(text)
	if rest, told = cutTimesOf(text, words, undatedDays[0]); len(told) == 0 {
		return rest, nil, true
	}
	_, others := cutTimesOf(text, words, undatedDays[1])
	return rest, told, slices.Equal(told, others)
}

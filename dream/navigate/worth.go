package navigate

import (
	"math/bits"
	"regexp"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	claims "github.com/reverie-memory/reverie/dream/claim"
	"github.com/reverie-memory/reverie/dream/start"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/lexis/calendar"
	"github.com/reverie-memory/reverie/vault"
)

// What a claim of MEMORY.md is worth is by how much the logarithm of the odds that an assistant wants it at every start, as package start
// judges them, is above the bar. From 0 on it is there, and while little is there some from even on.
const (
	bar       = 0.6  // where three of four judged lines of authors left out are wanted, and nearly all others
	even      = -bar // where as many are wanted as not: what is worth it is there while the page is short,
	shortPage = 6    // lines,
	few       = 2    // of each person
	least     = -2.5 // what is worth less ends nothing either
	wellAbove = 1.5  // beyond the usual length
	usual     = 40   // lines
	sure      = 5    // what is to be done, and in short who somebody is
	certain   = 10   // a name, a standing wish, what a person wrote on the page
	asked     = 0.1  // each time that recall brought it twice as often
)

// short tells a clause, or a quotation of a single short message that answers nobody: it says one thing.
func short(text string) bool {
	_, words, quoted := vault.CutTalk(text)
	return !quoted || utf8.RuneCountInString(words) <= 80 && words[0] != '[' && !strings.Contains(words, vault.Next)
}

// age is how many days ago something was said.
func (c *collector) age(at vault.Day) float64 {
	if at == "" || c.in.Today == "" {
		return 0
	}
	return c.in.Today.Time().Sub(at.Time()).Hours() / 24
}

var (
	named = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:(?:full )?name is|is called|is \p{Lu}\p{Ll}[\p{L}-]*(?: \p{Lu}[\p{L}-]+)*(?:[,;]|$))`)
	})
	nameOf  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)^(?:my )?(?:full |first |real )?name\b`) })
	answers = sync.OnceValue(func() *regexp.Regexp { // of a predicate: how somebody wants to be answered
		return regexp.MustCompile(`(?i)^(?:always |really |usually |also )*(?:prefers?|wants?|likes?|loves?|needs?|hates?|dislikes?|` +
			`appreciates?|asks? for)\b.*\b(?:answers?|repl(?:y|ies)|respon(?:d|ses?)|explanations?|suggestions?)\b`)
	})
	wishes = lexis.Set("preferences preference wishes") // as dreams and people name their heading
)

// judge tells what a statement of a page is worth, and where in MEMORY.md it stands. human says that the page is somebody's, yours that it
// is the owner's. seen is what that was judged by, where it was.
func (c *collector) judge(l Line, r reading, names []string, human, yours bool) (part int, worth float64, seen start.Sight) {
	part = map[bool]int{true: partPeople, false: partProjects}[human]
	wish := yours && wishes[strings.ToLower(l.Section)]
	if yours {
		part = map[bool]int{true: partWishes, false: partYou}[wish]
	}
	due, dated := Due(l.Text, l.At)
	days := due.Sub(c.in.Today.Time()).Hours() / 24
	ahead, own := dated && (c.in.Today == "" || days >= -1), len(l.Sources) == 0
	soon := ahead && days <= 90 && !strings.Contains(l.Text, "birthday")
	_, _, quoted := vault.CutQuote(l.Text)
	said := claims.Parse(l.Text, names[0], l.At)
	switch {
	case l.Task && (soon || own && !dated):
		return partNow, sure, seen
	case l.Task && dated:
		return partNow, least, seen
	case yours && (said.Gives("name", names) || r.about && r.names()):
		return partName, certain + 1, seen
	case yours && (start.Wish(l.Text) || wish && answers().MatchString(r.pred)):
		return partWishes, certain, seen
	case own && !l.Task: // whoever wrote it on the page meant it
		return part, certain, seen
	}
	if l.Task || soon && !wish {
		part = partNow
	}
	seen = start.Sight{
		Signs: start.SignsOf(l.Text),
		Words: start.Words(l.Text), Keep: start.Keep(l.Text), Age: c.age(l.At), Yours: yours, Quoted: quoted, Ahead: ahead,
		Over:       dated && !ahead && !begun().MatchString(l.Text),
		Identifies: r.about && r.lasts && identifies().MatchString(r.pred),
	}
	known := human && short(l.Text) && (r.who() || !quoted && (said.Identifies(names) || r.about && seen.Health))
	promised := !quoted && (l.Task && (yours || !human) && c.age(l.At) <= 30 || !l.Task && soon && yours && r.about)
	if known && !l.Task || promised {
		seen.Age = 0
		return part, sure + max(-1, min(seen.Odds()/10, 1)), start.Sight{} // the surer ones first
	}
	return part, seen.Odds() - bar + min(0.8, asked*float64(bits.Len(uint(max(0, l.Reads))))), seen
}

// begun tells of what holds since its day.
var begun = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:starts?|started|starting|since|as of|seit|fange?n? .* an|empiezo|commence)\b`)
})

// Due is the last day that a text names. One without a year is the first that comes after the text was said.
func Due(text string, said vault.Day) (due time.Time, ok bool) {
	var last calendar.Span
	words := lexis.Words(text)
	for i := 0; i < len(words); i++ {
		if s, n := calendar.Date(words, i); n > 0 {
			if i += n - 1; s.From.Equal(s.To) {
				last, ok = s, true
			}
		}
	}
	switch from := said.Time(); {
	case !ok || last.Year:
		return last.From, ok
	case said == "":
		return due, false
	default:
		due = time.Date(from.Year(), last.From.Month(), last.From.Day(), 0, 0, 0, 0, time.UTC)
		if due.Before(from) {
			due = due.AddDate(1, 0, 0)
		}
		return due, true
	}
}

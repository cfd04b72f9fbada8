package navigate

import (
	"math"
	"math/bits"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	claims "github.com/reverie-memory/reverie/dream/claim"
	"github.com/reverie-memory/reverie/dream/sense"
	"github.com/reverie-memory/reverie/extract/worth"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/vault"
)

// What a claim of MEMORY.md is worth is the logarithm of the odds that an assistant wants it at every start: what [sense] and [worth]
// guess and what is known besides add up. From 0 on it is there; of each person whose best does not reach that, a few are from low on.
const (
	low       = -0.6
	few       = 3
	least     = -2.5 // where nothing else is known
	wellAbove = 1.5  // beyond the usual length
	usual     = 40   // lines
)

// What is known of a statement besides, found on labelled conversations.
const (
	outset     = -1.9 // nothing is
	itself     = 0.7  // the page is what it speaks of
	attribute  = 0.5  // it gives a home, a job, an age, …
	identity   = 1.1  // it says what somebody is or has, and where they belong
	life       = 1.4  // it is about home, family, health, work and the like
	taste      = -1.5 // it is about what somebody likes or saw
	over       = -2.0 // its day is over, or nobody spoke of it for weeks
	task       = 2.5  // it is to be done
	atTask     = -0.9 // what the models say of a task at the least
	perLetter  = -0.012
	sure       = 5    // a task is due
	certain    = 10   // a name, a standing wish, what a person wrote on the page
	repetition = -0.6 // for each better one under the same heading
)

// settled is how often a statement was confirmed, by further days and by being asked for.
func settled(l Line) float64 {
	days := map[vault.Day]bool{}
	for _, s := range l.Sources {
		days[s.Day] = true
	}
	return min(0.8, 0.3*float64(max(0, len(days)-1))) + min(0.8, 0.1*float64(bits.Len(uint(max(0, l.Reads)))))
}

// age is how many days ago something was said.
func (c *collector) age(at vault.Day) float64 {
	if at == "" || c.in.Today == "" {
		return 0
	}
	return c.in.Today.Time().Sub(at.Time()).Hours() / 24
}

// attributes are what says who somebody is, in whatever form and under whatever heading.
var attributes = [...]string{"home", "job", "employer", "age", "birthday", "marital", "diet", "timezone"}

var (
	named = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:(?:full )?name is|is called|is \p{Lu}\p{Ll}[\p{L}-]*(?: \p{Lu}[\p{L}-]+)*(?:[,;]|$))`)
	})
	nameOf = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)^(?:my )?(?:full |first |real )?name\b`) })
	wished = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\bassistants? (?:to|should|must|may|can|needs? to)\b|: "(?:always|never|please|from now on)\b`)
	})
	answers = sync.OnceValue(func() *regexp.Regexp { // of a predicate: how somebody wants to be answered
		return regexp.MustCompile(`(?i)^(?:always |really |usually |also )*(?:prefers?|wants?|likes?|loves?|needs?|hates?|dislikes?|appreciates?|asks? for)\b` +
			`.*\b(?:answers?|repl(?:y|ies)|respon(?:d|ses?)|explanations?|suggestions?)\b`)
	})
	wishes = lexis.Set("preferences preference wishes") // as dreams and people name their heading
)

// judge tells what a statement of a page is worth, and where in MEMORY.md it stands. human says that the page is somebody's, yours that it
// is the owner's.
func (c *collector) judge(l Line, r reading, names []string, human, yours bool) (part int, odds float64) {
	part = map[bool]int{true: partPeople, false: partProjects}[human]
	wish := yours && wishes[strings.ToLower(l.Section)]
	if yours {
		part = map[bool]int{true: partWishes, false: partYou}[wish]
	}
	due, dated := Due(l.Text, l.At)
	dated = dated && !strings.Contains(l.Text, "birthday")
	days := due.Sub(c.in.Today.Time()).Hours() / 24
	ahead, own := dated && (c.in.Today == "" || days >= -1 && days <= 90), len(l.Sources) == 0
	said := claims.Parse(l.Text, names[0], l.At)
	gives := func(attr string) bool { return said.Gives(attr, names) }
	switch {
	case l.Task && (ahead || own && !dated):
		return partNow, sure
	case l.Task && dated:
		return partNow, outset
	case yours && (gives("name") || r.about && r.names()):
		return partName, certain + 1
	case yours && (wished().MatchString(l.Text) || wish && answers().MatchString(r.pred)):
		return partWishes, certain
	}
	odds = settled(l) + guess(l.Text, l.Task)
	if r.about || l.Task {
		odds += itself + forms[r.form]
	}
	if r.about && r.form == holds && identifies().MatchString(r.pred) {
		odds += identity
	}
	if human && slices.ContainsFunc(attributes[:], gives) {
		odds += attribute
	}
	switch {
	case own && !l.Task: // whoever wrote it on the page meant it
		odds += certain
	case l.Task && c.age(l.At) > 30, dated && days < 0 && r.form != changed, !dated && r.form != changed && c.passed(l):
		odds += over
	case l.Task && (yours || !human):
		odds += task
	}
	if l.Task || dated && ahead && !wish && !own {
		part = partNow
	}
	return part, odds
}

// forms is what the form of a statement adds.
var forms = [...]float64{happened: 0, goesOn: 1.2, changed: 2.1, holds: 0.8}

// A scale is what the models and the length of a statement count for.
type scale struct {
	outset, start, lasting float64
	letter, most           float64 // of each rune, and how many of them count
	sides                  [sense.Count]float64
}

var (
	// ofClauses is the scale of clauses.
	ofClauses = scale{outset: outset, start: 0.2, lasting: 0.5, letter: perLetter, most: math.Inf(1), sides: [sense.Count]float64{
		sense.Home: life, sense.Family: life, sense.People: life, sense.Pets: life, sense.Health: life, sense.Work: life, sense.Study: life,
		sense.Community: life, sense.Food: taste, sense.Travel: taste, sense.Music: taste, sense.Books: taste, sense.Films: taste,
		sense.Art: taste, sense.Games: taste, sense.Style: taste, sense.Things: taste, sense.Events: taste,
	}}
	// ofQuotes is the scale of quotations, which are whole thoughts: the longer ones are the better understood. It is a logistic regression on
	// 3,000 statements that readers marked with whether a session should start with them, and on 3,000 lines of which they did not find all
	// true, understood and lasting. Of what is above the bar 47 % are wanted, and of all 16 %.
	ofQuotes = scale{outset: -1.6, start: 0.23, lasting: 0.36, letter: 0.0048, most: 240, sides: [sense.Count]float64{
		sense.About: -0.7, sense.Home: 0.4, sense.Family: -0.1, sense.People: -1.1, sense.Pets: -0.6, sense.Health: 1.2, sense.Work: 0.4,
		sense.Money: -0.7, sense.Food: 0.3, sense.Travel: -0.1, sense.Sport: -0.4, sense.Music: -0.3, sense.Books: -0.4, sense.Films: -0.1,
		sense.Art: -0.4, sense.Games: -0.3, sense.Nature: -0.4, sense.Hobbies: -0.5, sense.Community: -0.3, sense.Style: -0.5,
		sense.Things: -0.6, sense.Wishes: 1.9, sense.Plans: -0.2, sense.Events: -0.4, sense.Stack: 2.1, sense.Decision: 1.6,
		sense.Status: 0.1, sense.Problem: -0.4, sense.Overview: 0.2,
	}}
)

// guess is what the models and the length of a statement say of it.
func guess(text string, task bool) float64 {
	words, by := text, &ofClauses
	if _, said, ok := vault.CutQuote(text); ok {
		words, by = said, &ofQuotes
	}
	logit := func(p float64) float64 { p = min(max(p, 0.01), 0.99); return math.Log(p / (1 - p)) }
	lasting, _ := worth.Judge(words)
	s := sense.Of(text)
	odds := by.start*logit(s.Start) + by.lasting*logit(lasting)
	for side, p := range s.Sides {
		odds += by.sides[side] * p
	}
	if task { // the models learnt from statements
		odds = max(odds, atTask)
	}
	return by.outset + odds + by.letter*min(float64(utf8.RuneCountInString(text)), by.most)
}

var dates = sync.OnceValue(func() *regexp.Regexp {
	month := `(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?`
	return regexp.MustCompile(`(?i)\b(\d{4}-\d\d-\d\d)\b|\b(\d{1,2})(?:st|nd|rd|th)?(?: of)? ` + month +
		`(?:,? (\d{4}))?\b|\b` + month + ` (\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4}))?\b`)
})

// part finds a month or a season in which something was to be: "in March", "this spring".
var part = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:in|by|until|before|during|this|next|early|mid|late)(?: in)?(?: the)? (?:(jan|feb|mar|apr|may|jun|jul|aug|sep|` +
		`oct|nov|dec)(?:[a-z]*)\b\.?|(spring|summer|autumn|fall|winter)\b)(?: (?:of )?(\d{4})\b)?`)
})

var again = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:every|each|always|usually|annual|yearly|born|birthday|anniversary)\b`)
})

// lastMonths are those with which seasons end.
var lastMonths = map[string]time.Month{
	"spring": time.May, "summer": time.August, "autumn": time.November, "fall": time.November, "winter": time.February,
}

// passed tells whether the month or the season that a statement names is over, the first one since it was said. What comes every year does
// not pass.
func (c *collector) passed(l Line) bool {
	m := part().FindStringSubmatch(l.Text)
	if m == nil || l.At == "" || c.in.Today == "" || again().MatchString(l.Text) {
		return false
	}
	month, said := lastMonths[strings.ToLower(m[2])], l.At.Time()
	if m[1] != "" {
		first, _ := time.Parse("Jan", strings.ToUpper(m[1][:1])+strings.ToLower(m[1][1:]))
		month = first.Month()
	}
	year, _ := strconv.Atoi(m[3])
	if year == 0 {
		if year = said.Year(); month < said.Month() {
			year++
		}
	}
	return !c.in.Today.Time().Before(time.Date(year, month+1, 1, 0, 0, 0, 0, time.UTC))
}

// Due is the last date that a task names. One without a year is the first that comes after the task was said.
func Due(text string, said vault.Day) (time.Time, bool) {
	all := dates().FindAllStringSubmatch(text, -1)
	if len(all) == 0 {
		return time.Time{}, false
	}
	m := all[len(all)-1]
	if m[1] != "" {
		t, err := time.Parse(time.DateOnly, m[1])
		return t, err == nil
	}
	day, month, year := m[2]+m[6], m[3]+m[5], m[4]+m[7]
	mon, err := time.Parse("Jan", strings.ToUpper(month[:1])+strings.ToLower(month[1:3]))
	d, _ := strconv.Atoi(day)
	y, _ := strconv.Atoi(year)
	if err != nil || d < 1 || d > 31 || y == 0 && said == "" {
		return time.Time{}, false
	}
	if y > 0 {
		return time.Date(y, mon.Month(), d, 0, 0, 0, 0, time.UTC), true
	}
	from := said.Time()
	t := time.Date(from.Year(), mon.Month(), d, 0, 0, 0, 0, time.UTC)
	if t.Before(from) {
		t = t.AddDate(1, 0, 0)
	}
	return t, true
}

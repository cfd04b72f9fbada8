package navigate

import (
	"math/bits"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	claims "github.com/reverie-memory/reverie/dream/claim"
	"github.com/reverie-memory/reverie/vault"
)

// What a claim of MEMORY.md is worth is the sum of what kind it is, how well settled it is, and, where it is of the kind that passes, how
// lately it was said. Below the bar it stays on its page, unless nothing in the vault reaches the bar; beyond the usual length only what is worth much more gets in.
const (
	bar       = 40
	low       = 30 // where nothing reaches the bar
	wellAbove = 55
	usual     = 40 // lines
)

// The kinds of claims.
const (
	worthName     = 100
	worthIdentity = 60 // home, work, family, health of the owner
	worthWish     = 56 // a standing wish or preference
	worthDue      = 52 // a task or plan whose day is near
	worthQuestion = 50
	worthWho      = 48 // who somebody else is
	worthProject  = 45
	worthOther    = 42 // home, work, family, health of somebody else
	worthActivity = 38 // what the owner is at, a task without a day
	worthTrait    = 32 // what else holds of the owner
	worthLittle   = 10
)

// settled is how often a statement was confirmed, by further days and by being asked for.
func settled(l Line) int {
	days := map[vault.Day]bool{}
	for _, s := range l.Sources {
		days[s.Day] = true
	}
	return min(12, 4*max(0, len(days)-1)) + min(12, 2*bits.Len(uint(max(0, l.Reads))))
}

// recency is for what passes: -10 for what nobody spoke of in a quarter.
func recency(at, today vault.Day) int {
	if at == "" || today == "" {
		return 0
	}
	switch age := int(today.Time().Sub(at.Time()).Hours() / 24); {
	case age <= 7:
		return 10
	case age <= 30:
		return 6
	case age <= 90:
		return 0
	}
	return -10
}

// near tells whether the day that a statement names is at most two weeks ago and three months ahead. ok says whether it names one.
func near(l Line, today vault.Day) (is, ok bool) {
	due, ok := Due(l.Text, l.At)
	days := due.Sub(today.Time()).Hours() / 24
	return ok && (today == "" || days >= -14 && days <= 90), ok
}

// A topic is what a section is about, as far as the navigation weighs it.
type topic int

const (
	other   topic = iota
	about         // home, work, family, …
	wishes        // and preferences
	passing       // how somebody felt, what a picture showed
)

// topicOf knows the sections that dreams make, and close names that a person may give. The top of a page says who or what it is.
func topicOf(section string) topic {
	switch strings.ToLower(strings.TrimSpace(section)) {
	case "", "now", "home", "work", "job", "career", "family", "pets", "friends", "people", "identity", "life", "overview",
		"status", "profile", "personal", "health", "allergies", "medical", "diet", "languages":
		return about
	case "preferences", "preference", "wishes", "standing wishes", "habits":
		return wishes
	case "feelings", "pictures":
		return passing
	}
	return other
}

// attributes are what says who the owner is, in whatever form and under whatever heading.
var attributes = [...]string{"home", "job", "employer", "age", "birthday", "marital", "diet", "timezone"}

var (
	named = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:(?:full )?name is|is called|is \p{Lu}\p{Ll}[\p{L}-]*(?: \p{Lu}[\p{L}-]+)*(?:[,;]|$))`)
	})
	wished = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(?:assistants?|answers?|repl(?:y|ies)|respon(?:d|ses?)|explanations?|suggestions?)\b|: "(?:always|never|please)\b`)
	})
	tastes = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:[a-z]+ly )*(?:(?:is|are) (?:an? |the )(?:\w+ ){0,3}(?:fan|lover|sucker|drinker|person)|likes?|loves?|enjoys?)\b`)
	})
	vague = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:[a-z]+ly |also |still |now )*(?:(?:is|are) (?:[a-z]+ly |also |still |now )*(?:an? |the |in |at |\d)|has |have )`)
	})
	busy = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:is|are) (?:[a-z]+ly |also |still |now )*(?:building|learning|studying|training|writing|preparing|renovating|developing|researching|` +
			`designing|creating|organi[sz]ing|moving|saving|applying|launching|recovering|looking for|working on an? [\p{L}-]+ (?:app|book|thesis|game|site))\b`)
	})
	owning  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:[a-z]+ly |also |still |now )*(?:has|have) `) })
	called  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b(?:called|named) \p{Lu}`) })
	prefers = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:[a-z]+ly )*(?:prefers?|avoids?|hates?|dislikes?) `)
	})
)

// ofOwner is what a line of the owner's page is worth, and where in MEMORY.md it stands.
func (c *collector) ofOwner(l Line, r reading, names []string) (part, worth int) {
	of := topicOf(l.Section)
	if len(l.Sources) == 0 && of != passing && !l.Task { // whoever wrote it on the page meant it
		r.form, r.about = holds, true
	}
	said := claims.Parse(l.Text, names[0], l.At)
	gives := func(attr string) bool { return said.Gives(attr, names) }
	identity := r.about && slices.ContainsFunc(attributes[:], gives)
	standing := r.about && r.form == holds
	_, dated := Due(l.Text, l.At)
	switch {
	case l.Task:
		return partNow, c.task(l)
	case gives("name"):
		return partName, worthName + 1
	case r.about && named().MatchString(r.pred):
		return partName, worthName
	case of == passing:
		return partYou, 0
	case standing && owning().MatchString(r.pred) && dated: // an appointment
		return partNow, c.task(l)
	case wished().MatchString(l.Text) && (of == wishes || strings.Contains(l.Text, "assistant")),
		standing && prefers().MatchString(r.pred), standing && of == wishes && !tastes().MatchString(r.pred):
		return partWishes, worthWish + settled(l) - long(l)
	case standing && (len(l.Sources) == 0 || who(r, of)), identity:
		return partYou, worthIdentity + settled(l) - long(l)
	case standing:
		return partYou, worthTrait + settled(l) - long(l)
	case r.about && r.form == goesOn && busy().MatchString(r.pred):
		return partBusy, worthActivity + recency(l.At, c.in.Latest) + settled(l)/2 - long(l)
	}
	return partYou, worthLittle + settled(l)
}

// who tells a reading that says who somebody is. What they are and have says so under a heading of their life.
func who(r reading, of topic) bool {
	if tastes().MatchString(r.pred) || of != about && (r.owns || vague().MatchString(r.pred) && !called().MatchString(r.pred)) {
		return false
	}
	return identifies().MatchString(r.pred) || strings.Contains(r.rest, "birthday is ")
}

// ofOther is the same of a line of any other page. alone is what is added where nobody in the vault is "you": what people then wish and
// like is all that there is.
func (c *collector) ofOther(l Line, r reading, human bool) (part, worth, alone int) {
	of := topicOf(l.Section)
	switch {
	case l.Task && human:
		return partNow, c.task(l) - worthActivity/2, worthActivity / 2
	case l.Task:
		return partNow, c.task(l), 0
	case !human:
		return partProjects, 0, 0
	case !r.about || r.form != holds || of == passing:
		return partPeople, worthLittle + settled(l), 0
	case who(r, of) && defines().MatchString(r.pred):
		return partPeople, worthWho + settled(l) - long(l), 0
	case who(r, of):
		return partPeople, worthOther + settled(l) - long(l), 0
	case of == wishes && prefers().MatchString(r.pred) && wished().MatchString(l.Text):
		return partPeople, worthLittle + settled(l), worthTrait - long(l)
	case tastes().MatchString(r.pred):
		return partPeople, worthLittle + settled(l), worthTrait - worthLittle - long(l)
	}
	return partPeople, worthLittle + settled(l), 0
}

// long is taken off a statement that tells a story.
func long(l Line) int {
	if len(l.Sources) == 0 {
		return 0
	}
	return max(0, utf8.RuneCountInString(l.Text)-140) / 4
}

// task is what an open task is worth: with a day while that is near, else for as long as people speak of it.
func (c *collector) task(l Line) int {
	switch is, dated := near(l, c.in.Today); {
	case is, !dated && len(l.Sources) == 0: // a person wrote it on the page
		return worthDue
	case dated:
		return 0
	}
	return worthActivity + recency(l.At, c.in.Latest)
}

var dates = sync.OnceValue(func() *regexp.Regexp {
	month := `(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?`
	return regexp.MustCompile(`(?i)\b(\d{4}-\d\d-\d\d)\b|\b(\d{1,2})(?:st|nd|rd|th)?(?: of)? ` + month +
		`(?:,? (\d{4}))?\b|\b` + month + ` (\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4}))?\b`)
})

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

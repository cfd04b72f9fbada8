package navigate

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// What the form of a claim takes off its score. Whoever wrote a line on a page themselves meant it: nothing is taken off that.
const (
	lessMood   = 60 // how somebody felt, and what a picture showed: of the day, not of the life
	lessOther  = 25 // on a person's page, a sentence about something else: "the room was full of people"
	lessEvent  = 10 // what somebody did once, or does now: it counts for a while
	lessVague  = 30 // a wish of somebody else without a date: "will let you know"
	lessOld    = 15 // a task without a date that nobody spoke of for a quarter
	oldForTask = 90 // days
)

// less is what is taken off a claim's score. names are those of the page; human pages are the ones where that matters.
func (c *collector) less(l Line, names []string, human, yours, main bool) int {
	if len(l.Sources) == 0 {
		return 0
	}
	section := strings.ToLower(l.Section)
	switch {
	case section == "feelings" || section == "pictures":
		return lessMood
	case l.Task:
		return c.lessTask(l, section, names, yours, main)
	case !human, yours && topicOf(l.Section) == preference: // "Keep answers short" names nobody
		return 0
	}
	rest, ok := aboutPage(l.Text, names)
	switch {
	case birthdays().MatchString(l.Text):
		return 0
	case !ok:
		return lessOther
	case main && !yours && vague(l.Text):
		return lessMood
	case !lasting(rest) && main && !yours: // of somebody who talks much there is enough that lasts
		return lessOther
	case !lasting(rest) && topicOf(l.Section) == other && ofTheDay().MatchString(rest):
		return lessOther
	case !lasting(rest):
		return lessEvent
	}
	return 0
}

// birthdays tells whose day it is: of whom, does not matter.
var birthdays = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\p{Lu}[\p{L} '’-]{1,40}['’]s? birthday is (?:on |in )`)
})

// ofTheDay tells what is over by tomorrow.
var ofTheDay = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:this morning|this afternoon|this evening|tonight|today|yesterday|last night|heute` +
		`|gestern|hoy|ayer|esta mañana)\b`)
})

// How many statements make somebody a main person of the vault, of whom more than home, work and family gets in. Where nobody is known to
// be the owner, anybody may be.
const (
	mainFrom    = 40
	mainUnowned = 8
)

func (c *collector) mainFrom() int {
	if c.in.Owner == "" {
		return mainUnowned
	}
	return mainFrom
}

// lastingOf tells whether a line says of the page what holds for a while.
func lastingOf(l Line, names []string) bool {
	rest, ok := aboutPage(l.Text, names)
	return ok && lasting(rest)
}

func (c *collector) lessTask(l Line, section string, names []string, yours, main bool) int {
	if main && !yours {
		due, dated := dueDate(l.Text, l.At)
		if vague(l.Text) || dated && c.in.Today != "" && due.Before(c.in.Today.Time()) || !dated && !duty(l.Text, names) {
			return lessMood
		}
	}
	if main && vague(l.Text) {
		return lessVague
	}
	if _, dated := dueDate(l.Text, l.At); dated {
		return 0
	}
	n := 0
	if section == "plans" {
		n = lessVague
		if yours {
			n = lessVague / 2
		}
	}
	if c.in.Today != "" && l.At != "" && c.in.Today.Time().Sub(l.At.Time()).Hours() > 24*oldForTask {
		n += lessOld
	}
	return n
}

// aboutPage takes the name of the page off a statement that is about it; "Alice: Ich wohne in Berlin" is one as well.
func aboutPage(text string, names []string) (string, bool) {
	for _, name := range names {
		if rest, ok := strings.CutPrefix(text, name+": "); ok && name != "" {
			return rest, true
		}
		if rest, ok := strings.CutPrefix(text, name+" and "); ok && name != "" {
			return strings.TrimPrefix(rest, "others "), true // "Alice and others" said "we"
		}
		for _, is := range []string{" is ", " are ", "'s "} { // "Blue is Alice's favourite", but not "The one by the door is Alice's favourite"
			if what, tail, ok := strings.Cut(text, is+name+"'s "); ok && name != "" &&
				len(strings.Fields(what)) <= 3 && favourite().MatchString(tail) {
				return "'s " + tail, true
			}
		}
	}
	if _, rest, ok := relative(text, names); ok {
		return rest, true
	}
	if rest, ok := fullName(text, names); ok {
		return rest, true
	}
	rest, ok := dropSubject(text, names)
	if ok && strings.HasSuffix(text[:len(text)-len(rest)], "'s ") {
		return "'s " + rest, true
	}
	return rest, ok
}

// Most of one kind in MEMORY.md, of one page.
const (
	mostYours = 40
	mostTasks = 12
	mostMain  = 12
	mostPart  = 3 // of an overflow page
	mostOf    = 10
)

// fewer keeps the best claims of a page: what an assistant reads at every start is not the place for all of one thing.
func fewer(list []memoryClaim, mostOf int) []memoryClaim {
	type kind struct{ part, class int }
	count := map[kind]int{}
	out := list[:0]
	for _, t := range list {
		k := kind{t.part, t.class}
		most := mostOf
		switch {
		case t.class == 1:
			most = mostTasks
		case t.yours:
			most = mostYours
		}
		if count[k]++; count[k] <= most {
			out = append(out, t)
		}
	}
	return out
}

// kin are what people and animals can be to somebody.
var kin = sync.OnceValue(func() map[string]bool {
	return set(`sister brother mother father mom mum dad son daughter wife husband partner girlfriend boyfriend fiancé fiancée
		cousin aunt uncle niece nephew grandmother grandfather grandma grandpa twin friend neighbour neighbor boss manager colleague
		coworker roommate teacher doctor dentist therapist landlord coach mentor student customer dog cat puppy kitten hamster rabbit
		parrot horse`)
})

// relative cuts "Alice's sister Noor plays chess", on Noor's page, into who she is and what is said of her.
func relative(text string, names []string) (who, rest string, ok bool) {
	for _, mark := range []string{"'s ", "’s "} {
		owner, tail, found := strings.Cut(text, mark)
		if !found || !ownerName(owner) {
			continue
		}
		for _, n := range names {
			i := strings.Index(tail, " "+n+" ")
			if n == "" || i <= 0 || strings.Count(tail[:i], " ") > 2 || !kin()[tail[strings.LastIndexByte(tail[:i], ' ')+1:i]] {
				continue
			}
			if rest = tail[i+len(n)+2:]; upperFirst(rest) != rest && !strings.HasPrefix(rest, "and ") {
				return owner + mark + tail[:i], rest, true
			}
		}
	}
	return "", "", false
}

// joins are words before a name that are none of it.
var joins = sync.OnceValue(func() map[string]bool {
	return set(`since because when while after before if although though and but so for with without like as until once at in on to
		from seit weil wenn nach vor bei mit für desde porque cuando con para de the`)
})

// ownerName tells "Alice" and "Mara Lind" from "Since Alice".
func ownerName(s string) bool {
	words := strings.Fields(s)
	if len(words) == 0 || len(words) > 2 || len(words) == 2 && joins()[strings.ToLower(words[0])] {
		return false
	}
	for _, w := range words {
		if upperFirst(w) != w {
			return false
		}
	}
	return true
}

// fullName takes "Mara Lind" off a statement of the page of a person called Mara.
func fullName(text string, names []string) (string, bool) {
	if !slices.Contains(names, "The user") {
		return "", false
	}
	for _, n := range names {
		tail, ok := strings.CutPrefix(text, n+" ")
		family, rest, more := strings.Cut(tail, " ")
		if ok && more && n != "" && rest != "" && strings.ToLower(family) != family &&
			!strings.ContainsAny(family, ",.:;'’") && unicode.IsLower([]rune(rest)[0]) {
			return rest, true
		}
	}
	return "", false
}

// mentions tells whether a statement names the page at all.
func mentions(text string, names []string) bool {
	folded := strings.ToLower(text)
	for _, n := range names {
		if n != "" && strings.Contains(folded, strings.ToLower(n)) {
			return true
		}
	}
	return false
}

// namesOf are the names under which the statements of a page speak of it. Those of an overflow page speak of the page it belongs to.
func namesOf(p PageInfo, title string, human bool) []string {
	names := append([]string{title}, p.Aliases...)
	if owner, _, ok := strings.Cut(title, " - "); ok && p.Type == "topic" {
		names[0] = owner
		names = append(names, title)
	}
	if human {
		names = append(names, "The user", "User")
	}
	return names
}

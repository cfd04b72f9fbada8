package navigate

import (
	"strings"
	"sync"
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
func (c *collector) less(l Line, names []string, human, yours bool) int {
	if len(l.Sources) == 0 {
		return 0
	}
	section := strings.ToLower(l.Section)
	switch {
	case section == "feelings" || section == "pictures":
		return lessMood
	case l.Task:
		return c.lessTask(l, section, yours)
	case !human, yours && topicOf(l.Section) == preference: // "Keep answers short" names nobody
		return 0
	}
	rest, ok := aboutPage(l.Text, names)
	switch {
	case !ok:
		return lessOther
	case !lasting(rest):
		return lessEvent
	}
	return 0
}

func (c *collector) lessTask(l Line, section string, yours bool) int {
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
			return rest, true
		}
	}
	if _, rest, ok := relative(text, names); ok {
		return rest, true
	}
	rest, ok := dropSubject(text, names)
	if ok && strings.HasPrefix(text, names[0]+"'s ") {
		return "'s " + rest, true
	}
	return rest, ok
}

// Verbs that say what holds for longer than a day, and what has to follow some of them. Glad and the like say of an "is" that it does not.
var (
	lastingVerbs = sync.OnceValue(func() map[string]bool {
		return set(`is are was were lives works worked has have owns prefers likes loves hates dislikes uses keeps speaks plays studies teaches runs
			drives moved married switched weighs wants doesn't don't never always eats drinks goes grew knows avoids needs wears writes
			collects volunteers swims trains commutes
			lebt wohnt arbeitet mag liebt hasst trinkt isst spielt studiert hat ist sind heißt wohne arbeite habe bin liebe trinke esse lerne spiele
			vive trabaja tiene es son gusta bebe come prefiere estudia juega odia habla vivo trabajo tengo soy como bebo`)
	})
	passingWords = sync.OnceValue(func() map[string]bool {
		return set(`glad happy excited sure sorry proud thankful grateful curious thrilled tired busy lucky ready so just here off gonna not about
			out in on over done going`)
	})
	lastingForms = sync.OnceValue(func() map[string]bool { return set(`living working studying learning called named based moving`) })
	born         = sync.OnceValue(func() map[string]bool { return set(`born raised diagnosed named called a an the`) })
	things       = sync.OnceValue(func() map[string]bool {
		return set(`a an the no his her their its two three four five six seven eight nine ten twelve some many several`)
	})
	adverbs = sync.OnceValue(func() map[string]bool {
		return set(`also usually often currently still now really only both mostly regularly sometimes very`)
	})
)

func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// lasting tells whether a statement, its subject left out, says what holds for a while: "lives in Berlin", not "went out".
func lasting(rest string) bool {
	words := strings.Fields(strings.ToLower(rest))
	for i := range words {
		words[i] = strings.Trim(words[i], ",.;")
	}
	owns := len(words) > 0 && words[0] == "'s"
	if owns { // "'s mother's birthday is on 17 June"
		words = words[1:]
	}
	for i, w := range words[:min(len(words), 7)] {
		switch {
		case owns && (w == "is" || w == "are") && i+1 < len(words) && (words[i+1] == "on" || words[i+1] == "in"): // a birthday, an office
			return true
		case lastingVerbs()[w] && !(owns && w == "was"):
			return holds(w, words[i+1:])
		case !owns && i > 2:
			return false
		}
	}
	return false
}

// holds tells whether what follows a verb is true for longer than a day.
func holds(verb string, words []string) bool {
	for len(words) > 0 && adverbs()[words[0]] {
		words = words[1:]
	}
	if len(words) == 0 {
		return true
	}
	next := words[0]
	switch verb {
	case "was", "were":
		return born()[next]
	case "has", "have":
		return things()[next] || next[0] >= '0' && next[0] <= '9'
	case "is", "are":
		return !passingWords()[next] && (!strings.HasSuffix(next, "ing") || lastingForms()[next])
	}
	return true
}

// Most of one kind in MEMORY.md, of one page.
const (
	mostYours = 40
	mostTasks = 12
	mostOf    = 10
)

// fewer keeps the best claims of a page: what an assistant reads at every start is not the place for all of one thing.
func fewer(list []told) []told {
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
	return set(`sister brother mother father mom mum dad son daughter wife husband partner girlfriend boyfriend fiancé fiancée cousin aunt uncle
		niece nephew grandmother grandfather grandma grandpa twin friend neighbour neighbor boss manager colleague coworker roommate teacher
		doctor dentist therapist landlord coach mentor student customer dog cat puppy kitten hamster rabbit parrot horse`)
})

// relative cuts "Alice's sister Noor plays chess", on Noor's page, into who she is and what is said of her.
func relative(text string, names []string) (who, rest string, ok bool) {
	for _, mark := range []string{"'s ", "’s "} {
		owner, tail, found := strings.Cut(text, mark)
		if !found || len(strings.Fields(owner)) > 2 || upperFirst(owner) != owner {
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

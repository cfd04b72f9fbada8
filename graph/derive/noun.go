package derive

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/graph"
	"github.com/reverie-memory/reverie/lexis"
)

var (
	selves   = set("i me we us myself ourselves")
	ownings  = set("my our")
	others   = set("his her their its")
	pronouns = set("he she they it him her them")
	articles = set("the a an this that these those some any another")
	traits   = set("old little young big elder older younger eldest youngest dear best good close former new late own dear poor great " +
		"first second oldest lovely beloved only favourite current")
	kin = set(`sister brother sibling twin mother father mum mom dad parent son daughter child children kid husband wife spouse partner
		girlfriend boyfriend fiance fiancee grandmother grandfather grandma grandpa granny grandson granddaughter aunt uncle niece nephew cousin
		sister-in-law brother-in-law mother-in-law father-in-law stepmother stepfather stepson stepdaughter stepsister stepbrother
		godmother godfather godson goddaughter ex-wife ex-husband`)
	fellows = set(`friend colleague neighbour neighbor boss manager coworker co-worker flatmate roommate housemate landlord landlady mentor
		mentee assistant supervisor student pupil client customer tenant classmate teammate bandmate godparent secretary successor predecessor
		intern apprentice`)
	trades = set(`dentist doctor teacher tutor coach trainer adviser advisor lawyer solicitor accountant therapist hairdresser barber plumber
		electrician gardener babysitter nanny cleaner professor physiotherapist vet caretaker carpenter mechanic baker butcher nurse cook driver
		guide editor agent banker director contractor architect painter florist optician surgeon cardiologist postman instructor notary`)
	animals = set(`dog cat puppy kitten rabbit hamster parrot canary budgie budgerigar tortoises horse pony goldfish fish tortoise turtle
		guinea pig bird ferret rat mouse greyhound labrador terrier spaniel poodle beagle collie retriever dachshund mutt tabby cockatiel
		snake lizard gecko donkey goat hen chicken tomcat whippet husky corgi pug bulldog setter pointer shepherd sheepdog pet cockatoo
		mare gelding stallion foal chinchilla iguana bunny lovebird`)
	cuts = set(`because since so that which who whom whose where while although though but if when as with without despite during
		instead rather until before after than along together via per including except besides`)
	places = set("in at on near from into onto over by for about under inside outside around against through across to")
)

// person says whether a noun tells what somebody is to somebody.
func person(noun string) bool {
	n := strings.TrimSuffix(lexis.Fold(noun), "s")
	return kin[n] || fellows[n] || trades[n] || kin[n+"s"] || fellows[n+"s"]
}

func capital(w string) bool {
	r, _ := utf8.DecodeRuneInString(w)
	return unicode.IsUpper(r) || unicode.IsDigit(r) && strings.IndexFunc(w, unicode.IsUpper) >= 0
}

// owner takes a possessive off a word: Maria's.
func owner(w string) (string, bool) {
	for _, end := range []string{"'s", "’s", "'", "’"} {
		if name, ok := strings.CutSuffix(w, end); ok && name != "" {
			return name, true
		}
	}
	return w, false
}

// A noun is what a group of words names.
type noun struct {
	name string
	head string // the last word of what it is: sister, cat
	own  string // whose it is, "" for nobody's
}

// name reads a group of words as the name of somebody or something. Who is named beside what he is to somebody gives an event as well.
func (r *reader) name(words []string) noun {
	for len(words) > 0 && (words[0] == "," || words[0] == timeMark || filler[strings.ToLower(words[0])] &&
		!articles[strings.ToLower(words[0])] &&
		!ownings[strings.ToLower(words[0])] && !others[strings.ToLower(words[0])] && !capital(words[0])) {
		words = words[1:]
	}
	words = trimRight(words)
	if len(words) == 0 {
		return noun{}
	}
	first := lexis.Fold(words[0])
	switch {
	case len(words) == 1 && selves[first]:
		return noun{name: r.speaker}
	case len(words) == 1 && pronouns[first]:
		return noun{name: r.last}
	case ownings[first] && len(words) > 1:
		return r.owned(r.speaker, words[1:])
	case others[first] && len(words) > 1:
		if r.last == "" {
			return noun{}
		}
		return r.owned(r.last, words[1:])
	}
	for i, w := range words[:min(len(words), 5)] { // Maria's brother Tom
		if w == "," { // Jette, Piet's daughter
			break
		}
		if name, ok := owner(w); ok && i+1 < len(words) {
			before := r.name(append(slices.Clone(words[:i]), name))
			if before.name == "" {
				return noun{}
			}
			return r.owned(before.name, words[i+1:])
		}
	}
	if articles[first] && len(words) > 1 {
		words = words[1:]
	}
	if at := slices.IndexFunc(words, func(w string) bool { return w == "called" || w == "named" }); at > 0 && at+1 < len(words) &&
		capital(words[at+1]) {
		return noun{name: run(words[at+1:]), head: lexis.Fold(words[at-1])}
	}
	return r.named(words)
}

// run is the name that words begin with.
func run(words []string) string {
	n := 0
	for n < len(words) && (capital(words[n]) || n > 0 && n+1 < len(words) && linking[words[n]] && capital(words[n+1])) {
		n++
	}
	return strings.Join(words[:n], " ")
}

var linking = set("of de van von der den la le di da del & the and")

// named reads a name with what tells it from others of the name: Peter the plumber; Peter, my tax adviser; Anna from accounting.
func (r *reader) named(words []string) noun {
	for len(words) > 1 && traits[lexis.Fold(words[0])] && capital(words[1]) { // Old Jonas
		words = words[1:]
	}
	if len(words) == 2 && kin[lexis.Fold(words[0])] && capital(words[0]) && capital(words[1]) { // Granny Eva, of whom others say Eva
		r.alias(words[1], words[0]+" "+words[1])
		return noun{name: words[1]}
	}
	if at := slices.IndexFunc(words, capital); at > 0 && at < 4 && run(words[at:]) == strings.Join(words[at:], " ") {
		switch name := run(words[at:]); { // the goat Bianca, the schoolteacher Sarah
		case animals[lexis.Fold(words[at-1])]:
			return noun{name: name, head: lexis.Fold(words[at-1])}
		case roleLike(words[:at]):
			return noun{name: graph.Qualified(name, strings.Join(words[:at], " "))}
		}
	}
	if !capital(words[0]) {
		return noun{name: strings.Join(words, " "), head: lexis.Fold(words[len(words)-1])}
	}
	name := words[0]
	n := 1
	for n < len(words) && (capital(words[n]) || n+1 < len(words) && words[n] != "and" && words[n] != "the" && linking[words[n]] &&
		capital(words[n+1])) {
		name += " " + words[n]
		n++
	}
	rest := words[n:]
	if len(rest) == 0 {
		return noun{name: name}
	}
	what := rest
	if what[0] == "," {
		what = what[1:]
		if at := slices.Index(what, ","); at >= 0 {
			what = what[:at]
		}
	}
	if len(what) == 0 {
		return noun{name: name}
	}
	switch lead := lexis.Fold(what[0]); {
	case (lead == "the" || rest[0] != "," && lead == "from") && len(what) > 1 && len(what) < 6:
		return noun{name: graph.Qualified(name, strings.Join(what[1:], " ")), head: lexis.Fold(what[len(what)-1])}
	case rest[0] == "," && (ownings[lead] || others[lead] || strings.HasSuffix(what[0], "'s")) && len(what) > 1 && len(what) < 6:
		of, noun0 := r.speaker, what[1:]
		if o, ok := owner(what[0]); ok {
			of = o
		} else if others[lead] {
			of = r.last
		}
		return r.owned(of, append(slices.Clone(noun0), strings.Fields(name)...))
	case rest[0] == "," && (lead == "a" || lead == "an") && len(what) > 1:
		r.add(graph.Event{Kind: graph.Assert, Subject: name, Predicate: "is_a", Object: strings.Join(what[1:], " "), Also: true})
		return noun{name: name}
	case rest[0] != "," && !places[lead]:
		return noun{name: name + " " + strings.Join(rest, " "), head: lexis.Fold(rest[len(rest)-1])}
	}
	return noun{name: strings.Join(words, " ")}
}

// owned reads what belongs to somebody: sister Anna, cat named Figaro, team. A relative without a name is named after whose he is.
func (r *reader) owned(of string, words []string) noun {
	if of == "" {
		return noun{}
	}
	words = slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "called" || w == "named" || w == "," })
	at := slices.IndexFunc(words, capital)
	what := words
	if at >= 0 {
		what = words[:at]
	}
	for len(what) > 1 && traits[lexis.Fold(what[0])] {
		what = what[1:]
	}
	role := strings.Join(what, " ")
	head := ""
	if len(what) > 0 {
		head = lexis.Fold(what[len(what)-1])
	}
	whose := of + "'s " + role
	switch {
	case len(what) == 0 && of != r.speaker: // St Mary's Hospital
		return noun{name: of + "'s " + strings.Join(words, " ")}
	case len(what) == 0:
		return noun{name: strings.Join(words, " "), own: of}
	case at < 0:
		return noun{name: whose, head: head, own: of}
	}
	name := run(words[at:])
	switch {
	case animals[head]:
		r.add(graph.Event{Kind: graph.Assert, Subject: of, Predicate: "has_pet", Object: name})
		return noun{name: name, head: head, own: of}
	case person(head):
		full := graph.Qualified(name, whose)
		r.kinship(full, role, of)
		return noun{name: full, head: head, own: of}
	}
	return noun{name: name, head: head, own: of}
}

// kinship says what somebody is to somebody.
func (r *reader) kinship(who, role, of string) {
	if words := strings.Fields(role); who == "" || who[0] == ' ' || len(words) == 0 {
		return
	}
	words := strings.Fields(role)
	predicate := strings.ToLower(words[len(words)-1])
	if predicate == "kid" || predicate == "kids" || predicate == "children" {
		predicate = "child"
	}
	if !kin[lexis.Fold(predicate)] {
		predicate = strings.ToLower(strings.Join(words, " "))
	}
	r.add(graph.Event{Kind: graph.Assert, Subject: who, Predicate: predicate + " of", Object: of, Also: !sole[lexis.Fold(predicate)]})
	if trades[lexis.Fold(words[len(words)-1])] {
		r.add(graph.Event{Kind: graph.Assert, Subject: who, Predicate: "role", Object: strings.ToLower(role), Also: true})
	}
}

// sole are those of whom one has one at a time.
var sole = set("husband wife spouse partner girlfriend boyfriend fiance fiancee mother father boss dentist landlord landlady doctor")

func trimRight(words []string) []string {
	if n := len(words); n > 2 && words[n-1] == "days" && words[n-2] == "these" {
		words = words[:n-2]
	}
	for len(words) > 0 && (words[len(words)-1] == "," || words[len(words)-1] == timeMark ||
		trailing[strings.ToLower(words[len(words)-1])]) {
		words = words[:len(words)-1]
	}
	return words
}

var trailing = set(`now too also instead again anymore already and or there here today currently together myself himself herself
	themselves still last as well more any longer by then full-time part-time altogether for good officially either`)

// objects are the names that the words after a verb phrase give. Only what is several by nature is taken apart at and.
func (r *reader) objects(words []string, several bool) []noun {
	var out []noun
	if !several {
		words = object(words)
	}
	if several && slices.ContainsFunc(words, func(w string) bool { return w == "," || w == "and" }) {
		start := 0
		for i := 0; i <= len(words); i++ {
			if i == len(words) || words[i] == "," || words[i] == "and" || words[i] == "&" {
				if n := r.name(object(words[start:i])); n.name != "" {
					out = append(out, n)
				}
				start = i + 1
			}
		}
		return out
	}
	if n := r.name(object(words)); n.name != "" {
		out = append(out, n)
	}
	return out
}

// object cuts off what follows an object. What begins with an article goes on over a place, as in "the library in Mainz"; a name does not.
func object(words []string) []string {
	start := 0
	for start < len(words) && (words[start] == "," || words[start] == timeMark) {
		start++
	}
	words = words[start:]
	if len(words) == 0 {
		return nil
	}
	article := articles[lexis.Fold(words[0])] && lexis.Fold(words[0]) != "that"
	for i, w := range words {
		f := lexis.Fold(w)
		switch {
		case w == timeMark && i > 0, i > 0 && cuts[f], i > 0 && !article && places[f] && f != "of",
			i > 0 && places[f] && i+1 < len(words) && others[lexis.Fold(words[i+1])]:
			return words[:i]
		case i > 0 && article && (f == "to" && strings.ToLower(words[i-1]) != "next" || f == "for" || f == "by" || f == "about"),
			i > 0 && article && f == "from" && slices.Contains(words[:i], "called"):
			return words[:i]
		case w == "," && i > 0 && !(i+1 < len(words) && (ownings[lexis.Fold(words[i+1])] || capital(words[i+1]) ||
			slices.Contains(words[i:], "and"))):
			return words[:i]
		}
	}
	return words
}

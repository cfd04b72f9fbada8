package navigate

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/dream/sense"
	"github.com/reverie-memory/reverie/extract/worth"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/vault"
)

// A reading is what the grammar of a statement tells of a page.
type reading struct {
	about bool   // the page is what it speaks of
	rest  string // what a reader sees of it where the page's name goes without saying
	pred  string // what is said, from its verb on
	owns  bool   // of what is theirs: their mother, their bike
	lasts bool   // it holds until something else is said: "lives in Rome", "moved to Rome"
}

// read reads a statement of a page that has these names. A quotation is read as its speaker's own words.
func read(text string, names []string) reading {
	r := reading{rest: text}
	who, words, quoted := vault.CutQuote(text)
	if !quoted { // words of another language after the name of who said them
		who, words, quoted = strings.Cut(text, ": ")
	}
	if quoted = quoted && slices.ContainsFunc(names, func(n string) bool { return n != "" && strings.EqualFold(n, who) }); quoted {
		r.about = true
		r.pred, r.owns = spoken(words)
		if !strings.HasSuffix(text, `"`) {
			r.rest = words
		}
	} else if rest, owns, ok := dropSubject(text, names); ok {
		r = reading{about: true, rest: rest, pred: rest, owns: owns}
		if owns {
			r.pred = behindNoun(rest)
		}
	} else if head, tail, ok := apposed(text, names); ok && strings.Contains(head,
		"'s ") { // "Alice's sister Noor lives in Oslo", on Noor's page
		r.about, r.pred = true, tail
	}
	r.lasts = lasts(r.pred)
	return r
}

// names tells whether a reading says what its page is called, and not what something of theirs is called: no smoothie that is their
// favourite.
func (r reading) names() bool {
	return named().MatchString(r.pred) && (!r.owns || nameOf().MatchString(r.rest))
}

// apposed cuts a statement at a name of the page that stands behind other words and before its verb.
func apposed(text string, names []string) (head, tail string, ok bool) {
	for _, n := range names {
		head, tail, ok = strings.Cut(text, " "+n+" ")
		if w := fields(tail); ok && n != "" && strings.Count(head, " ") < 4 && len(w) > 0 && (strings.HasSuffix(w[0], "s") || past[w[0]]) {
			return head, tail, true
		}
	}
	return "", "", false
}

// behindNoun cuts "mother lives in Rome", what somebody's is, at its verb.
func behindNoun(rest string) string {
	words := strings.Fields(rest)
	for i, w := range words[:min(len(words), 6)] {
		v := strings.ToLower(w)
		if i > 0 && (v == "are" || v == "have" || past[v] ||
			len(v) > 3 && strings.HasSuffix(v, "ed") || strings.HasSuffix(v, "s") && !strings.HasSuffix(v, "'s") && v != "as") {
			return strings.Join(words[i:], " ")
		}
	}
	return ""
}

var firstPerson = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(?:[^,]{1,60}(?:,| -) |(?:currently|now|also|well|so|and|but|actually|yes) )?` +
		`(?:(i'm|i am|we're|we are|ich bin|wir sind|yo soy|soy|je suis|sono) |(i've|we've) |((?:i|we|ich|wir|yo|je) )|` +
		`((?:my|our|meine?|unsere?|mis?|mon|ma|mes) ))`)
})

// spoken makes of somebody's own words what is said of them: "is a nurse" of "I'm a nurse".
func spoken(words string) (pred string, owns bool) {
	words = strings.ReplaceAll(words, "’", "'")
	m := firstPerson().FindStringSubmatch(words)
	if m == nil {
		return "", false
	}
	switch rest := words[len(m[0]):]; {
	case m[1] != "":
		return "is " + rest, false
	case m[2] != "":
		return "has " + rest, false
	case m[4] != "":
		return behindNoun(rest), true
	default:
		return rest, false
	}
}

// fields are the words of a text in lower case, without the marks around them and without adverbs.
func fields(text string) []string {
	out := strings.Fields(strings.ToLower(strings.ReplaceAll(text, "’", "'")))
	for i := range out {
		out[i] = strings.Trim(out[i], ",.;:!?()\"")
	}
	return slices.DeleteFunc(out, func(w string) bool { return strings.HasSuffix(w, "ly") && len(w) > 4 || adverbs[w] })
}

// lasts tells a predicate of what holds from one of what happens or is only somebody's view: in English the present tense is for what
// holds, all other tenses and moods are for what happens.
func lasts(pred string) bool {
	w := fields(pred)
	if len(w) == 0 {
		return false
	}
	w = append(w, "", "")
	verb, next, after := w[0], w[1], w[2]
	switch verb {
	case "is", "are", "am":
		return next != "" && !moods[next] && !(articles[next] && moods[after]) &&
			(!strings.HasSuffix(next, "ing") || identifies().MatchString(pred))
	case "has", "have":
		return next != "" && next != "to" && !moods[after] && (changes[next] || !passes(next))
	case "was", "were":
		return next == "born" || next == "raised" || next == "diagnosed"
	}
	return changes[verb] || verb == "doesn't" || verb == "don't" || !passes(verb) && (next != "to" || verb == "uses")
}

// passes tells a verb of what happened, or of a view.
func passes(verb string) bool {
	return past[verb] || views[verb] ||
		slices.ContainsFunc([]string{"n't", "ed", "ing"}, func(end string) bool { return strings.HasSuffix(verb, end) })
}

// The closed classes of words that the grammar goes by. A few words of each are the frequent ones.
var (
	adverbs = lexis.Set(`always never not yet also still now just often sometimes usually currently already even quite very pretty
		too so kinda`)
	articles = lexis.Set(`a an the`)
	past     = lexis.Set(`was were had been got went did made took came saw said told bought met found gave left felt ran won thought knew
		kept began wrote read spent sold sent built broke held heard led let put sat slept spoke stood taught wore grew drew drove ate fell
		flew chose done gone seen taken given become set begun written`)
	changes = lexis.Set(`moved migrated switched retired married divorced graduated became started joined adopted accepted enrolled
		applied quit lost decided`)  // and what they led to holds
	views = lexis.Set(`will would can could may might should shall must wants needs plans hopes tries thinks feels believes says
		wonders agrees asks
		seems looks sounds wishes finds remembers want need think feel hope guess know mean`)
	moods = lexis.Set(`glad happy excited sure unsure sorry proud thankful grateful curious thrilled tired busy lucky ready here off
		about out over going stoked
		sad upset ok okay fine good great back such like up down there able not aware amazing awesome cool nice wonderful fun hard
		tough sweet right wrong more less eager keen hopeful better worse open worried stressed confused concerned bored scared stuck
		bit lot little few way huge kind blast thing pleasure relief looking gonna feeling trying struggling having`)
)

// namesOf are the names under which the statements of a page speak of it. Those of an overflow page speak of the page it belongs to.
func namesOf(p PageInfo, title string, human bool) []string {
	names := append([]string{title}, p.Aliases...)
	if owner, _, ok := strings.Cut(title, " - "); ok && p.Type == "topic" {
		names[0] = owner
		names = append(names, title)
	}
	if human {
		names = append(names, theUser, "User")
	} else if strings.EqualFold(p.Type, "project") {
		names = append(names, title+" project", title+" Projekt")
	}
	return names
}

// dropSubject takes a name of the page off the start of a statement; owns tells that it speaks of what is theirs.
func dropSubject(text string, names []string) (rest string, owns, ok bool) {
	for _, article := range []string{"The ", "the ", "Our ", "our "} {
		text = strings.TrimPrefix(text, article)
	}
	long := slices.SortedFunc(slices.Values(names), func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	for _, name := range long {
		name = strings.TrimPrefix(name, "The ")
		if name == "" || len(text) <= len(name) || !strings.EqualFold(text[:len(name)], name) {
			continue
		}
		tail := strings.ReplaceAll(text[len(name):], "’", "'")
		if t, ok := strings.CutPrefix(tail, "'s "); ok {
			return t, true, true
		}
		// A verb follows; "Billing UI is …" speaks of something else, "Alice and Bob …" of others as well.
		t, ok := strings.CutPrefix(tail, " ")
		if r, _ := utf8.DecodeRuneInString(t); ok && unicode.IsLower(r) && !strings.HasPrefix(t, "and ") {
			return t, false, true
		}
	}
	return text, false, false
}

// Parts of a predicate that says who somebody is.
const (
	between = `(?:[a-z]+ly |also |still |now )*`
	states  = `married|engaged|divorced|single|widowed|retired|allergic|intolerant|vegan|vegetarian|pregnant|diabetic|majoring|` +
		`working (?:as|at|for)|self-employed|unemployed|allergisch|verheiratet|vegetarisch|alérgic[oa]`
)

// identifies tells a predicate that says who somebody is: what they are and have, and where they live, work and belong.
var identifies = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^` + between + `(?:(?:is|are) ` + between + `(?:an? |the |from |in |at |based |born |\d|` +
		`(?:` + states + `|dyslexic|blind|living|deaf|left-handed)\b)|` +
		`(?:lives?|works? (?:as|at|for|in|from|on|with|night|part|full)|plays?|mentors|volunteers|coaches|practi[cs]es|collects|` +
		`stud(?:y|ies)|teach(?:es)?|speaks?|has|have|owns?|runs|attends?|belongs?|leads?|manages?|carries|suffers|` +
		`moved to|retired|married|divorced|graduated|became|grew up|was born|were born|` +
		`wohne|lebe|arbeite|studiere|habe|vivo|trabajo|tengo|estudio|habite|travaille) )`)
})

// who tells a statement that says who somebody is, or one of their family: what they are, whom they have, where they live, work and learn.
func (r reading) who() bool {
	if r.owns {
		kin, _, _ := strings.Cut(lexis.Fold(r.rest), " ")
		size := strings.IndexAny(r.pred, "0123456789") == len("is ") // "is 6 foot"
		if size || worth.Kind(strings.TrimSuffix(kin, "'s")) != "kin" {
			return false
		}
	}
	return r.about && (r.lasts && whoever().MatchString(r.pred) || only().MatchString(r.pred))
}

var whoever = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^` + between + `(?:(?:is|are) ` + between + `(?:an? |the |from |based |born |(?:on )?\d|` +
		`(?:` + states + `)\b)|(?:lives?|works?) (?:as|at|for|in|with) |` +
		`(?:stud(?:y|ies)|teach(?:es)?|moved to|retired|married|was born|were born|` +
		`wohne|lebe|arbeite|studiere|vivo|trabajo|estudio|habite|travaille) |` +
		`takes? (?:[a-z]+ ){0,3}(?:pills?|tablets?|insulin)\b|ha(?:s|ve) (?:[a-z]+ ){1,2}(?:called|named) \p{Lu}|` +
		`ha(?:s|ve) (?:[a-z]+ )?(?:kids|children|sons?|daughters?|(?:grand)?child|twins|brothers?|sisters?|husband|wife)\b)`)
})

// Defines tells a statement that says who or what the page is that has these names, or by whom it is made.
func Defines(text string, names []string) bool { return read(text, names).defines(text, names) }

func (r reading) defines(text string, names []string) bool {
	if r.about {
		if r.owns || !r.lasts || !defines().MatchString(r.pred) && !r.names() {
			return false
		}
		best, _ := sense.Of(text).Best()
		return !tastes[best]
	}
	for _, m := range making().FindAllStringIndex(text, -1) {
		of, _, _ := strings.Cut(joint().ReplaceAllString(strings.ToLower(text[m[1]:]), "\n"), "\n")
		if slices.ContainsFunc(names, func(n string) bool { return n != "" && strings.Contains(of, strings.ToLower(n)) }) {
			return true
		}
	}
	return false
}

// tastes are the sides of life of what somebody likes or saw.
var tastes = [sense.Count]bool{
	sense.Food: true, sense.Travel: true, sense.Music: true, sense.Books: true, sense.Films: true, sense.Art: true, sense.Games: true,
	sense.Style: true, sense.Things: true, sense.Events: true,
}

// joint is where what is made ends.
var joint = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[,.;:!?"]| (?:and|or|but|for|with|to|that|which|using|in|on) `)
})

// making finds what somebody makes.
var making = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:build(?:ing)?|built|creat(?:ed?|ing)|develop(?:ed|ing)?|making|writing|launch(?:ed|ing)?|` +
		`working on) (?:an?|my|our) `)
})

// defines tells a predicate that says what its subject is: "is our invoicing app", "is Alice's sister".
var defines = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:is|are) (?:the |an? |our |my |\p{Lu}\p{L}*(?: \p{Lu}\p{L}*)?'s )[\p{L}-]+`)
})

// phrase says a statement of a page in few words: without the subject where that is the page.
func phrase(text string, names []string) string {
	text = strings.TrimRight(claim(text), ".")
	r := read(text, names)
	for _, verb := range []string{"is ", "are "} {
		if s, ok := strings.CutPrefix(r.rest, verb); ok {
			return s
		}
	}
	return r.rest
}

// upperFirst makes a phrase start a line.
func upperFirst(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if first, _, _ := strings.Cut(s, " "); n == 0 || strings.ToLower(first) != first { // iPhone stays
		return s
	}
	return string(unicode.ToUpper(r)) + s[n:]
}

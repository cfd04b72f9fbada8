package derive

import (
	"regexp"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/graph"
	"github.com/reverie-memory/reverie/lexis"
)

// opening stands before a statement without a comma, and says nothing of it.
var opening = regexp.MustCompile(`^(?i:(?:as it )?turns out (?:that )?|por fin |al final |de hecho |resulta que |` +
	`this (?:school )?(?:year|term|season) |este (?:curso|año) |dieses (?:jahr|schuljahr) |(?:good to know|scratch that)[:,] |` +
	`(?:just so you know|for the record|as you know|as of now|these days)[:,]? |nowadays[:,]? |übrigens |außerdem |zum glück |endlich |` +
	`finally |luckily |además |update: |reminder: |note to self: )+`)

// openers are the words that [opening] begins with.
var openers = words("as it turns por al de resulta this este dieses good just for these nowadays übrigens außerdem zum endlich finally " +
	"luckily además scratch update: reminder: note")

func words(list string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		out[w] = true
	}
	return out
}

// fresher tells what is new without a verb: New deadline: 6 May; New GP, Dr. Vale.
var fresher = regexp.MustCompile(`^(?:New|Neuer|Neue|Nuevo|Nueva) (\p{L}+(?: \p{Ll}+)?)(?:,|:| is| ist| es) (\p{Lu})`)

// otherWays are in which a sentence of its own tells another name, behind what it has to have. N is a name, W a word.
var otherWays = func() (out []otherWay) {
	for _, w := range [][2]string{
		{" real name is ", `^N[’']s (?:real|full|proper) name is N`},
		{" eigentlich ", `^N heißt eigentlich N`},
		{" nur ", `^N (?:heißt|ist) (?:bei|für) uns (?:alle )?nur (?:der |die )?N`},
		{" nennen ", `^N nennen (?:wir|alle) (?:alle |nur )?N`},
		{"cimos ", `^A N (?:todos )?le decimos N`},
		{" llama", `^A N (?:todos )?le (?:llaman|llamamos) N`},
		{" goes by ", `^N (?:just |mostly |usually )?goes by N`},
		{" says ", `(?:is|are) called W,? but (?:everyone|everybody|we all|the team) (?:just )?says W[.!]*$`},
		{" call", `^(?:We|Everyone|Everybody) (?:all |just )*calls? N (?:just |simply )?["“']?N["”']?[.!]*$`},
	} {
		re := strings.NewReplacer("N", properName, "W", `([\p{L}\p{N}.-]+)`).Replace(w[1])
		out = append(out, otherWay{w[0], regexp.MustCompile(re)})
	}
	return out
}()

type otherWay struct {
	sign string
	re   *regexp.Regexp
}

// renamed takes in another name that a sentence tells, and says whether it did.
func (r *reader) renamed(text string) bool {
	if r := text[0]; r >= 'a' && r <= 'z' {
		return false
	}
	for _, w := range otherWays {
		if !strings.Contains(text, w.sign) {
			continue
		}
		if m := w.re.FindStringSubmatch(text); m != nil {
			r.add(graph.Event{Kind: graph.Alias, Subject: strings.TrimRight(m[1], "."), Object: strings.TrimRight(m[2], ".")})
			return true
		}
	}
	return false
}

// spoken forms of what the table says in one way.
var wordings = strings.NewReplacer(
	"looks after", "maintains", "look after", "maintain", "looking after", "maintaining", "looked after", "maintained",
	" to head of ", " to the head of ", "I've got ", "I have ", "We've got ", "We have ", " has got ", " has ", "’ve got ", "’ve ",
)

// there is a place that the clause before names.
var there = regexp.MustCompile(`(?:\bI(?:['’]ve| have)? s|^S)igned (?:a contract |on )?with ` + properName + ` and (?:start|begin) there`)

// divorce is told as an event of both.
var divorce = regexp.MustCompile(`^` + properName + ` and ` + properName +
	`[’']s divorce (?:(?:came|went) through|is (?:final|done)|was final(?:ised|ized)?)`)

// apposed is what somebody has with its name behind a comma: our choir, the Millbrook Singers, meets on Fridays.
var apposed = regexp.MustCompile(`(?i:^| )((?i:our|my|unser[e]?|mein[e]?|nuestr[oa]|mi) \p{L}+), (?:[a-zäöü]+ )?` + properName + `,`)

// apposed takes in the name that stands behind what is ours, and returns the sentence without it. Of people it stays.
func (r *reader) apposed(text string) string {
	m := apposed.FindStringSubmatchIndex(text)
	if m == nil {
		return text
	}
	words := strings.Fields(text[m[2]:m[3]])
	if r.speaker == "" || !r.thingly(lexis.Fold(words[1])) {
		return text
	}
	r.add(graph.Event{Kind: graph.Alias, Subject: r.name(words, true), Object: text[m[4]:m[5]]})
	return text[:m[3]] + text[m[1]:]
}

// thingly says whether a word is for a group, a firm or a thing, none of which is anybody.
func (r *reader) thingly(f string) bool {
	t := core()
	return t.is("groups", f) || t.is("clubs", f) || t.is("schools", f) || t.is("possessions", f) || generic[f]
}

// A rewrite puts what is said in other words as the table says it: First day at N, I started at N.
type rewrite struct {
	sign string // stands in whatever it applies to
	re   *regexp.Regexp
	to   string
}

// rewriteOf reads "sign > expression > other words", where N is a name and D a number.
func rewriteOf(line string) rewrite {
	part := strings.Split(line, " > ")
	re := strings.NewReplacer("N", properName, "D", `(v?\d[\d.,]*)`).Replace(part[1])
	return rewrite{strings.Trim(part[0], `"`), regexp.MustCompile(re), part[2]}
}

// mayBeReworded is false where no rewrite applies.
func mayBeReworded(text string) bool {
	return slices.ContainsFunc(core().rewrites, func(w rewrite) bool { return strings.Contains(text, w.sign) })
}

// reworded is a sentence in the words of the table.
func reworded(text string) string {
	for _, w := range core().rewrites {
		if strings.Contains(text, w.sign) {
			text = w.re.ReplaceAllString(text, w.to)
		}
	}
	return text
}

// unwound is a sentence without what only leads to it, in the words of the table.
func unwound(text string) string {
	if first, _, _ := strings.Cut(text, " "); len(first) < 12 && openers[strings.ToLower(first)] {
		if cut := opening.FindString(text); cut != "" && len(cut) < len(text) {
			text = text[len(cut):]
		}
	}
	if strings.Contains(text, "look") || strings.Contains(text, "got ") || strings.Contains(text, " to head ") {
		text = wordings.Replace(text)
	}
	if strings.Contains(text, "igned ") {
		text = there.ReplaceAllString(text, "I start at $1")
	}
	if strings.Contains(text, "divorce ") {
		text = divorce.ReplaceAllString(text, "$1 and $2 divorced")
	}
	if text != "" && text[0] == 'N' && fresher.MatchString(text) {
		own := map[byte]string{'w': "My new", 'u': "Mein neuer"}[text[2]]
		if text[1] == 'u' {
			own = "Mi nuevo"
		}
		text = fresher.ReplaceAllString(text, own+" $1 is $2")
	}
	return text
}

// telling is a verb by which somebody told what follows behind "that".
var telling = lexis.Set("mentioned told announced confirmed erwahnte erzahlte bestatigte menciono conto confirmo")

// told takes off who told what follows: Ana mentioned that she. Whoever told it is whom a pronoun means.
func (r *reader) told(words []string) []string {
	for i := 2; i+1 < len(words) && i < 5; i++ {
		if f := lexis.Fold(words[i]); f != "that" && f != "dass" && f != "que" {
			continue
		}
		verb := i - 1
		if selves[lexis.Fold(words[verb])] && verb > 1 {
			verb--
		}
		if !telling[lexis.Fold(words[verb])] {
			continue
		}
		if name := r.name(words[:verb], true); name != "" && pronouns[lexis.Fold(words[i+1])] {
			r.last = name
		}
		return words[i+1:]
	}
	return words
}

// tellsOf says whether a sentence has one of some words.
func (r *reader) tellsOf(words map[string]bool) bool {
	return slices.ContainsFunc(lexis.Words(r.text), func(w string) bool { return words[w] })
}

var (
	selfish = lexis.Set("i me my family kids wife husband girlfriend boyfriend parents")
	teams   = lexis.Set("team department engineer developer office branch desk company firm")
)

package extract

import (
	"strings"

	"github.com/reverie-memory/reverie/lexis"
)

// name replaces the first and second person by names, lets the verbs agree, and tells whether the
// speaker or the listener came up. Words in quotes keep theirs.
func (p cast) name(c clause) (clause, bool) {
	r := renamer{cast: p, in: c, habit: habitual(c)}
	r.out = clause{make([]word, 0, len(c.words)+1), c.tail}
	for r.i < len(c.words) {
		w := c.words[r.i]
		if w.quoted || w.fixed || !r.pronoun(w) {
			r.copy(w)
		}
	}
	return r.out, r.named > 0
}

// A renamer walks over one clause.
type renamer struct {
	cast
	in    clause
	out   clause
	i     int
	named int    // how often the speaker was named
	lead  bool   // the speaker was the subject of the clause before: "and I" needs no name
	who   string // the name of that subject
	habit bool
}

func (r *renamer) copy(w word) {
	if r.i == 0 && !w.quoted {
		w.text = capital(w.text)
	}
	r.out.words = append(r.out.words, w)
	r.i++
}

// put writes text in place of the next n words.
func (r *renamer) put(n int, text string) {
	w := r.in.words[r.i]
	if r.i > 0 || r.in.words[0].quoted {
		text = inner(text)
	}
	w.text, w.low, w.fixed = text, strings.ToLower(text), true
	r.out.words = append(r.out.words, w)
	r.i += n
}

// inner is how a name is written inside a sentence.
func inner(text string) string {
	if rest, ok := strings.CutPrefix(text, unknownSpeaker); ok {
		return "the user" + rest
	}
	return text
}

func (r *renamer) pronoun(w word) bool {
	low := w.low
	switch low {
	case "im":
		low = "i'm"
	case "ive":
		low = "i've"
	}
	head, verb, _ := strings.Cut(low, "'")
	switch head {
	case "i":
		if w.text == "I." || r.label() {
			return false
		}
		r.subject(r.me, false, verb)
	case "we":
		name, plural := r.group(r.in)
		r.subject(name, plural, verb)
	case "you":
		return r.listener(verb)
	case "my", "our":
		r.owner(r.mine())
	case "mine", "ours":
		r.named++
		r.put(1, r.mine())
	case "me":
		if r.i > 0 && r.in.at(r.i-1) == "like" && strings.Contains(r.in.words[r.i].gap, " ") || r.named == 0 {
			r.named++
			r.put(1, r.me)
		} else {
			r.put(1, "them")
		}
	case "us":
		if r.named == 0 {
			name, _ := r.group(r.in)
			r.named++
			r.put(1, name)
		} else {
			r.put(1, "them")
		}
	case "myself", "ourselves":
		r.put(1, "themselves")
	case "your":
		if r.you == "" {
			return false
		}
		r.put(1, possessive(r.you))
	case "yours":
		if r.you == "" {
			return false
		}
		r.put(1, possessive(r.you))
	default:
		return false
	}
	return true
}

// label tells the I of "Part I" and "type I".
func (r *renamer) label() bool {
	if r.i == 0 {
		return false
	}
	switch r.in.at(r.i - 1) {
	case "part", "type", "phase", "act", "volume", "chapter", "world":
		return true
	}
	return false
}

// owner replaces my: the name the first time, their after that.
func (r *renamer) owner(name string) {
	if r.named > 0 {
		r.put(1, "their")
		return
	}
	r.named++
	r.put(1, name)
}

// subject replaces I, or I with a verb glued to it, and lets the verb behind it agree.
func (r *renamer) subject(name string, plural bool, glued string) {
	compound := r.i > 1 && r.in.at(r.i-1) == "and" && !strings.Contains(r.in.words[r.i-1].gap, ",") && !r.verbBefore() // Noor and I
	switch {
	case r.lead && r.i > 0 && conjoined(r.in, r.i):
		r.drop() // "… and I never drink coffee" needs no second name
	case r.lead && r.in.words[r.i].gap == ", " && !subordinate(r.in.at(0)) && name == r.who:
		r.insert("and") // "I am allergic, I carry a pen"
		r.drop()
	default:
		r.put(1, name)
	}
	r.who = name
	r.named++
	r.lead = true
	if glued != "" {
		r.insert(expand(glued, r.in.at(r.i), plural || compound))
		r.adverbs()
		return
	}
	r.verb(plural || compound)
}

// subordinate tells the conjunctions that make a clause before the comma lean on the one behind it.
func subordinate(w string) bool {
	switch w {
	case "if", "when", "since", "after", "because", "while", "as", "although", "though", "once", "before", "for", "in", "on", "at",
		"with", "until", "whenever", "during", "by", "from":
		return true
	}
	return false
}

// conjoined tells whether only a conjunction stands before word i.
func conjoined(c clause, i int) bool {
	switch c.at(i - 1) {
	case "and", "but", "then":
		return strings.TrimSpace(c.words[i].gap) == ""
	}
	return false
}

// drop leaves the pronoun out; its gap goes with it.
func (r *renamer) drop() { r.i++ }

// insert writes a verb of ours after what was written last.
func (r *renamer) insert(text string) {
	r.out.words = append(r.out.words, word{gap: " ", text: text, low: text, fixed: true})
}

// verbBefore tells whether a verb stands before the pronoun.
func (r *renamer) verbBefore() bool {
	for j := r.i - 2; j >= 0; j-- {
		w := r.in.at(j)
		if finite(w) && w != "will" && w != "may" || selfWord(r.in.at(j-1)) && isBase(w) {
			return true
		}
		if strings.ContainsAny(r.in.words[j].gap, ",;:") {
			return false
		}
	}
	return false
}

// expand spells out a verb that was glued to a pronoun.
func expand(glued, next string, plural bool) string {
	switch glued {
	case "m":
		if plural {
			return "are"
		}
		return "is"
	case "re":
		if plural {
			return "are"
		}
		return "is"
	case "ve":
		if plural {
			return "have"
		}
		return "has"
	case "ll":
		return "will"
	case "d":
		if next == "been" || next == "better" || isPast(next) && !isBase(next) {
			return "had"
		}
		return "would"
	}
	return "'" + glued
}

// adverbs copies the adverbs at the current word.
func (r *renamer) adverbs() {
	for r.i < len(r.in.words) && isAdverb(r.in, r.i) {
		r.copy(r.in.words[r.i])
	}
}

// verb lets the verb at the current word, behind any adverbs, agree with the speaker, and the
// verbs that are joined to it by and.
func (r *renamer) verb(plural bool) {
	r.adverbs()
	if r.i >= len(r.in.words) {
		return
	}
	w := r.in.words[r.i]
	if plural {
		if w.low == "am" {
			r.put(1, "are")
		}
		return
	}
	form := agree(w.low, r.habit)
	present := form != w.low
	if !present {
		return
	}
	r.put(1, form)
	if auxiliaries()[w.low] || w.low == "do" || w.low == "don't" || w.low == "have" || w.low == "am" || w.low == "are" || w.low == "haven't" {
		return
	}
	r.joined()
}

// joined lets the verbs after "and" agree: "I cook and clean".
func (r *renamer) joined() {
	for j := r.i; j < len(r.in.words); j++ {
		switch w := r.in.words[j]; {
		case w.low == "and" || w.low == "but" || w.low == "or":
			k := j + 1
			for k < len(r.in.words) && isAdverb(r.in, k) {
				k++
			}
			if k+1 < len(r.in.words) && isBase(r.in.at(k)) && !nounLike(r.in, k) {
				r.in.words[k].text = thirdOf(r.in.at(k))
				r.in.words[k].low = r.in.words[k].text
			}
		case selfWord(w.low) && w.low != "my" && w.low != "me", w.low == "to", strings.ContainsAny(w.gap, ";:"), w.low == "that",
			w.low == "if", w.low == "when", w.low == "between":
			return
		}
	}
}

func thirdOf(w string) string {
	if s, ok := singular[w]; ok {
		return s
	}
	return thirdPerson(w)
}

// nounLike tells a word that is more likely a noun here: "tea and work" against "cook and work as".
func nounLike(c clause, k int) bool {
	switch c.at(k + 1) {
	case "a", "an", "the", "my", "our", "to", "in", "at", "on", "with", "for", "as", "it", "them", "all", "some", "about", "every",
		"up", "out", "from", "into":
		return false
	}
	return true
}

func isAdverb(c clause, i int) bool {
	switch w := c.at(i); w {
	case "really", "just", "also", "always", "never", "usually", "still", "already", "only", "often", "finally", "currently",
		"recently", "probably", "actually", "sometimes",
		"now", "both", "even", "mostly", "mainly", "rarely", "barely", "hardly", "totally", "definitely", "certainly", "basically",
		"generally", "normally", "typically",
		"almost", "nearly", "simply", "truly", "honestly", "absolutely", "regularly", "occasionally", "personally", "strongly", "deeply",
		"kinda", "quickly", "then", "once",
		"first", "seriously", "clearly", "obviously", "sincerely", "secretly", "kindly", "all", "each", "therefore", "genuinely",
		"firmly", "initially", "originally", "eventually", "apparently", "accidentally", "desperately", "especially", "particularly",
		"previously", "literally", "casually", "constantly", "suddenly", "quite", "ever":
		return true
	case "no":
		return c.at(i+1) == "longer"
	case "longer":
		return c.at(i-1) == "no"
	}
	return false
}

// habitual tells a sentence about what happens usually.
func habitual(c clause) bool {
	for _, w := range c.words {
		switch w.low {
		case "usually", "always", "often", "every", "sometimes", "never", "each", "rarely", "mostly":
			return true
		}
	}
	return false
}

// listener replaces you where it is known who that is.
func (r *renamer) listener(glued string) bool {
	if r.you == "" {
		return false
	}
	r.put(1, r.you)
	if glued != "" {
		r.insert(expand(glued, r.in.at(r.i), false))
		return true
	}
	if r.i < len(r.in.words) {
		if next := r.in.words[r.i]; (isBase(next.low) && !r.objective() || singular[next.low] != "") && next.gap == " " {
			r.put(1, agree(next.low, r.habit))
		}
	}
	return true
}

// objective tells whether the you just written is an object: a verb or preposition stands before it.
func (r *renamer) objective() bool {
	n := len(r.out.words) - 2
	if n < 0 {
		return false
	}
	w := r.out.words[n].low
	return preposition(w) || w == "with" || w == "tell" || w == "told" || w == "see" || w == "miss" || w == "misses" || w == "help" ||
		w == "let"
}

// kin are words for people that stand to someone.
var kin = set(`sister brother mother father mom mum dad mama papa son daughter child wife husband partner girlfriend boyfriend
	fiance fiancee grandmother grandfather grandma grandpa aunt uncle cousin niece nephew friend boss manager colleague coworker
	roommate flatmate neighbour neighbor landlord teacher doctor dentist therapist coach mentor stepmother stepfather stepsister
	stepbrother twin dog cat puppy kitten mother-in-law father-in-law sister-in-law brother-in-law`)

// person finds whom he or she in the next sentence would be: "my sister Noor" or a name that a
// statement is about.
func person(c clause) string {
	for i, w := range c.words {
		if (w.low == "my" || w.low == "our") && !w.quoted {
			for j := i + 1; j <= i+3 && j < len(c.words); j++ {
				if !kin[c.at(j)] {
					continue
				}
				name := "my " + joinWords(c, i+1, j-i)
				for k := j + 1; k < len(c.words) && upperFirst(c.words[k].text) && c.words[k].gap == " "; k++ {
					name += " " + c.words[k].text
				}
				return name
			}
		}
	}
	if len(c.words) > 1 && upperFirst(c.words[0].text) {
		name, owner := strings.CutSuffix(c.words[0].text, "'s")
		if (owner || finite(c.at(1))) && lexis.Frequency(strings.ToLower(name)) <= lexis.FrequencyFloor {
			return name
		}
	}
	return ""
}

// resolve puts a person in place of a leading he or she, or of him and her at the end of a phrase.
func resolve(c clause, who string) (clause, bool) {
	if who == "" || len(c.words) == 0 {
		return c, false
	}
	if selfWord(c.at(0)) && !hasName(c.from(1)) {
		return resolveObject(c, who), false
	}
	head, verb, glued := strings.Cut(c.at(0), "'")
	if head != "he" && head != "she" && head != "his" && head != "her" {
		return c, false
	}
	ref := scan(who)
	if head == "his" || head == "her" {
		ref.words[len(ref.words)-1].text += "'s"
	}
	ws := ref.words
	if glued {
		ws = append(ws, word{gap: " ", text: expandThird(verb, c.at(1)), low: expandThird(verb, c.at(1))})
	}
	return clause{append(ws, c.words[1:]...), c.tail}, true
}

// resolveObject puts a person in place of the first him or her that owns nothing.
func resolveObject(c clause, who string) clause {
	words := strings.Fields(who)
	if last := words[len(words)-1]; upperFirst(last) {
		words = words[len(words)-1:]
	}
	for i, w := range c.words {
		if w.low != "him" && w.low != "her" {
			continue
		}
		if w.low == "her" && i+1 < len(c.words) && !pause(c.words[i+1].gap) && !preposition(c.at(i+1)) && c.at(i+1) != "and" &&
			!isAdverb(c, i+1) {
			continue
		}
		out := clause{append([]word(nil), c.words...), c.tail}
		out.words[i].text = strings.Join(words, " ")
		if words[0] == "my" || words[0] == "our" {
			return c // another "my" there would read oddly
		}
		return out
	}
	return c
}

func expandThird(verb, next string) string {
	if verb == "s" && (next == "been" || next == "got" || isPast(next) && !strings.HasSuffix(next, "ed")) {
		return "has"
	}
	if verb == "s" {
		return "is"
	}
	return expand(verb, next, false)
}

package derive

import (
	"regexp"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/dream/claim"
	"github.com/reverie-memory/reverie/lexis"
)

// A piece of a sentence is what stands behind a colon, semicolon or dash, with what leads to it.
type piece struct{ lead, text string }

// pieces cuts a sentence at colons, semicolons and dashes.
func pieces(text string) (out []piece) {
	lead := ""
	for {
		at, long := -1, 0
		for _, sign := range []string{": ", "; ", " – ", " — ", " - "} {
			if i := strings.Index(text, sign); i >= 0 && (at < 0 || i < at) {
				at, long = i, len(sign)
			}
		}
		if at < 0 {
			return append(out, piece{lead, text})
		}
		out = append(out, piece{lead, text[:at]})
		if lead = ""; text[at] == ':' {
			lead = text[:at]
		}
		text = text[at+long:]
	}
}

// interjection stands before a sentence, and says nothing of it.
var interjection = regexp.MustCompile(`^(?:(?i:no|yes|sorry|actually|oh|well|ok|okay|right|so|anyway|correction|oops|nein|ja|sí|perdón|` +
	`by the way|fyi|` +
	`in fact|good news|big news|bueno|übrigens|also)[,!.:] )+`)

// quotes says whether somebody else's words follow, or what is not meant to be so.
func (p piece) quotes() bool {
	words := lexis.Words(p.lead)
	for i, w := range words {
		if unreal[w] || sayings[w] && i+3 > len(words) {
			return true
		}
	}
	return false
}

// sayings are verbs at the end of what leads to others' words, and unreal what leads to what is not so.
var (
	sayings = lexis.Set("said says told wrote writes asked replied asks tells sagte meinte schrieb fragte dijo escribio pregunto")
	unreal  = lexis.Set(`rumour rumor gossip plan idea dream joke maybe suppose imagine example story novel scene hypothetically option options
		todo question wish draft title headline traum frage titel sueno titulo`)
)

// ifs are words that make a condition.
var ifs = lexis.Set("if wenn si falls")

// alsos are words by which a value stands beside others.
var alsos = lexis.Set("also too another besides auch tambien side")

// plainly are the words of a clause with contractions written out, and in German with the subject before the verb.
func plainly(k *claim.Clause) []string {
	out := make([]string, 0, len(k.Words)+2)
	for i, w := range k.Words {
		switch w = strings.ReplaceAll(w, "’", "'"); {
		case w == "'ve":
			w = "have"
		case w == "'m":
			w = "am"
		case w == "'re":
			w = "are"
		case w == "'s":
			w = isOrHas(k.Words[i+1:])
		case strings.HasSuffix(w, "'s") && (pronouns[lexis.Fold(w[:len(w)-2])] || lexis.Fold(w) == "it's"):
			out, w = append(out, w[:len(w)-2]), isOrHas(k.Words[i+1:])
		}
		if lexis.Fold(w) == timeMark {
			for len(out) > 0 && articles[lexis.Fold(out[len(out)-1])] {
				out = out[:len(out)-1]
			}
		}
		out = append(out, w)
	}
	out = subjectFirst(out)
	for i := 1; i+1 < len(out); i++ {
		if perfect[lexis.Fold(out[i])] && inverted[lexis.Fold(out[i+1])] {
			head := slices.Clone(out[:i])
			turned := append([]string{out[i+1], out[i]}, head...)
			return append(turned, out[i+2:]...)
		}
	}
	return out
}

// subjectFirst puts the subject of a statement in German before its verb, where a circumstance stands there: seit Mai leitet Eva den Chor,
// statt Trello nutzen wir Asana. What has a title as its subject, of which the name was left behind the verb, gets the name back.
func subjectFirst(words []string) []string {
	at := slices.IndexFunc(words, func(w string) bool { return finite[lexis.Fold(w)] })
	if at < 1 || at+1 >= len(words) {
		return words
	}
	end := at + 1
	switch next := lexis.Fold(words[at+1]); {
	case inverted[next]:
		end++
	case ownings[next] || definite[next]:
		for end++; end < len(words) && capital(words[end]) && end < at+4; end++ {
		}
	default:
		for end < len(words) && capital(words[end]) && end < at+4 {
			end++
		}
	}
	lead := words[:at]
	titled := len(lead) == 1 && civil[lexis.Fold(lead[0])]
	aside := !slices.ContainsFunc(lead, func(w string) bool { f := lexis.Fold(w); return f != timeMark && !fillers[f] }) ||
		len(lead) < 4 && circumstances[lexis.Fold(lead[0])]
	if end == at+1 || end == len(words) || !titled && !aside {
		return words
	}
	out := slices.Clone(words[at+1 : end])
	if titled {
		return append(append(append(slices.Clone(lead), out...), words[at]), words[end:]...)
	}
	return append(append(append(out, words[at]), words[end:]...), lead...)
}

var (
	finite = lexis.Set(`arbeitet arbeite arbeiten wohnt wohne wohnen lebt leitet leite nutzt nutze nutzen benutzt benutze benutzen verwendet
		verwenden ist sind heisst hat macht ubernimmt betreut unterrichtet studiert spielt trainiert fahrt`)
	civil         = lexis.Set("frau herr dr")
	circumstances = lexis.Set("statt anstatt seit ab nach")
	perfect       = lexis.Set("habe hat haben bin ist sind wurde")
	inverted      = lexis.Set("ich wir er sie")
)

// isOrHas writes a shortened verb out by the words behind it.
func isOrHas(next []string) string {
	for _, w := range next[:min(len(next), 3)] {
		if f := lexis.Fold(w); f == "been" || f == "got" || f == "had" || strings.HasSuffix(f, "ed") && f != "employed" && f != "married" {
			return "has"
		} else if !fillers[f] {
			break
		}
	}
	return "is"
}

// overs are words by which something is no longer so.
var overs = [][]string{{"no", "longer"}, {"nicht", "mehr"}, {"ya", "no"}}

// noLonger takes the words out by which something is no longer so, and says whether there were any.
func noLonger(words []string) ([]string, bool) {
	over := false
	for i := 0; i < len(words); i++ {
		f := lexis.Fold(words[i])
		next := ""
		if i+1 < len(words) {
			next = lexis.Fold(words[i+1])
		}
		for _, o := range overs {
			if f == o[0] && next == o[1] {
				return slices.Delete(words, i, i+2), true
			}
		}
		n := 1
		switch {
		case f == "anymore":
		case f == "any" && (next == "more" || next == "longer"):
			n = 2
		default:
			continue
		}
		for at, w := range words[:i] {
			if lexis.Fold(w) == "not" {
				words = slices.Delete(words, i, i+n)
				from := at
				if at > 0 && (words[at-1] == "do" || words[at-1] == "does") {
					from--
				}
				return slices.Delete(words, from, at+1), true
			}
		}
	}
	return words, over
}

// sure says whether what a clause says up to words[:end] is said for certain, although something in the clause is denied or in doubt: what
// follows behind a comma or a conjunction bears on it only where it is a condition, or says that the whole is in doubt.
func (r *reader) sure(words []string, end int, over bool) bool {
	for end < len(words) && words[end] != "," && !joints[lexis.Fold(words[end])] {
		end++
	}
	if known, ok := r.judged[end]; ok {
		return known
	}
	if r.judged == nil {
		r.judged = map[int]bool{}
	}
	is := r.judge(words, end, over)
	r.judged[end] = is
	return is
}

// judge is sure of words[:end] of a clause, whose answers are kept.
func (r *reader) judge(words []string, end int, over bool) bool {
	tail := words[end:]
	for i, w := range tail {
		f := lexis.Fold(w)
		whoever := ifs[f] && i+1 < len(tail) && anybody[lexis.Fold(tail[i+1])]
		if ifs[f] && !whoever || doubts[f] {
			return false
		}
	}
	return !slices.ContainsFunc(claim.Clauses(strings.Join(words[:end], " "), r.fact.Speaker), func(k claim.Clause) bool {
		return k.Negated && !over || k.Hedged && !slices.Contains(words[:end], "used") ||
			slices.ContainsFunc(k.Words, func(w string) bool { return ifs[lexis.Fold(w)] })
	})
}

var (
	joints = lexis.Set("and but because so which who where while whereas though although und aber weil denn y pero porque")
	// anybody are those for whom what a condition seems to make uncertain is only of use.
	anybody = lexis.Set("you anyone anybody someone somebody")
	doubts  = lexis.Set(`unless provided maybe perhaps apparently supposedly allegedly guess think believe reckon heard rumour rumor
		hope hopefully
		probably likely unsure vielleicht angeblich wahrscheinlich vermutlich glaube quizas quiza creo supongo dicen`)
)

// mentions takes in whom words name beside what they are to somebody: with my sister Hester and my brother Angus.
func (r *reader) mentions(words []string) {
	for i, w := range words {
		f := strings.Trim(lexis.Fold(w), "(")
		of := ""
		switch name, ok := owner(w); {
		case ownings[f]:
			of = r.speaker
		case ok && capital(w) && !ownings[lexis.Fold(name)]:
			of = name
		}
		if of == "" {
			continue
		}
		at := i + 1
		for at < len(words) && akin[lexis.Fold(words[at])] {
			at++
		}
		if at+1 >= len(words) {
			continue
		}
		head := lexis.Fold(strings.TrimRight(words[at], ","))
		if core().people[head] == "" && (!core().is("pets", head) || of != r.speaker) {
			continue
		}
		var name []string
		for _, n := range words[at+1 : min(at+4, len(words))] {
			bare := strings.TrimRight(n, ",.;:!?)")
			own, possessive := owner(bare)
			if !capital(own) || lexis.IsStop(lexis.Fold(own)) {
				break
			}
			name = append(name, own)
			if possessive || bare != n {
				break
			}
		}
		if len(name) > 0 {
			r.owned(of, append([]string{words[at]}, name...))
		}
	}
}

// akin are words between whose somebody is and what, which do not change that.
var akin = lexis.Set(`new little big elder older younger eldest oldest youngest twin dear best good only other current lovely
	kleine kleiner große grosse großer ältere alterer altere jüngere jungere neue neuer beste bester
	mayor menor mejor nuevo nueva hermano hermana`)

// spoken takes in who is spoken of in a sentence that says nothing else, so that a pronoun may mean them: nobody where it may be several.
func (r *reader) spoken(words []string) {
	found := ""
	for i := 0; i < len(words); i++ {
		bare := strings.Trim(words[i], ",.;:!?()\"“”")
		if !capital(bare) || lexis.IsStop(lexis.Fold(bare)) || strings.EqualFold(bare, r.speaker) || selves[lexis.Fold(bare)] {
			continue
		}
		name := []string{bare}
		from := i
		for i+1 < len(words) && words[i] == bare {
			if bare = strings.Trim(words[i+1], ",.;:!?()\"“”"); !capital(bare) {
				break
			}
			name = append(name, bare)
			i++
		}
		if from == 0 && !strings.HasSuffix(words[i], ",") || from > 0 && places[lexis.Fold(words[from-1])] {
			if from == 0 {
				continue
			}
			continue
		}
		if last, ok := owner(name[len(name)-1]); ok {
			name[len(name)-1] = last
		}
		if one := strings.Join(name, " "); found == "" || found == one {
			found = one
		} else {
			return
		}
	}
	if found != "" {
		r.last = found
	}
}

// places are prepositions behind which a name is no person's.
var places = lexis.Set("in at to near into onto on from of over during until before after since via by through bei in aus nach en de a")

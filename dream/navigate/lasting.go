package navigate

import (
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"
)

// Verbs that say what holds for longer than a day, and what has to follow some of them. Glad and the like say of an "is" that it does not.
var (
	lastingVerbs = sync.OnceValue(func() map[string]bool {
		return set(`is are was were lives works worked has have owns prefers likes loves hates dislikes uses keeps speaks plays studies
			studied teaches runs drives moved married switched weighs wants doesn't don't never always eats drinks goes grew knows avoids
			needs wears writes collects volunteers swims trains commutes enjoys enjoy love like prefer mentors manages leads owes smokes
			cooks bakes gardens sings paints joined adopted became passed won practices practises graduated retired divorced founded
			started quit got bought sold lebt wohnt arbeitet mag liebt hasst trinkt isst spielt studiert hat ist sind heißt wohne arbeite
			habe bin liebe trinke esse lerne spiele vive trabaja tiene es son gusta bebe come prefiere estudia juega odia habla vivo
			trabajo tengo soy como bebo`)
	})
	passingWords = sync.OnceValue(func() map[string]bool {
		return set(`glad happy excited sure sorry proud thankful grateful curious thrilled tired busy lucky ready so just here off gonna
			not about out in on over done going stoked sad upset okay ok fine good great back such too always never all both like up down
			there with able aware amazing awesome cool nice wonderful fun hard tough kind sweet right wrong way more less getting able game
			eager keen home hopeful glad better worse ill feel open made full their his her them asleep awake late early away alone hungry
			thirsty`)
	})
	lastingForms = sync.OnceValue(func() map[string]bool {
		return set(`living working studying learning called named based moving researching training raising expecting building
			renovating writing teaching running married engaged divorced retired widowed left-handed right-handed colour-blind color-blind
			red-haired self-employed unemployed employed trained diagnosed born raised interested vaccinated gifted`)
	})
	born   = sync.OnceValue(func() map[string]bool { return set(`born raised diagnosed named called a an the`) })
	things = sync.OnceValue(func() map[string]bool {
		return set(`a an no two three four five six seven eight nine ten twelve some many several lots`)
	})
	adverbs = sync.OnceValue(func() map[string]bool {
		return set(`also usually often currently still now really only both mostly regularly sometimes very actually definitely
			absolutely always just totally truly already finally even constantly pretty quite super fully`)
	})
	begun = sync.OnceValue(func() map[string]bool {
		return set(`a an his her their my working playing learning studying teaching running training writing piano guitar violin school
			college university therapy work at as`)
	})
	gotten = sync.OnceValue(func() map[string]bool {
		return set(`married engaged divorced promoted fired hired pregnant diagnosed a an two three`)
	})
)

func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// favourite tells what somebody likes best.
var favourite = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:absolute |all-time |\p{L}+ )?(?:favou?rites?|faves?)\b`)
})

// lasting tells whether a statement, its subject left out, says what holds for a while: "lives in Berlin", not "went out".
func lasting(rest string) bool {
	words := strings.Fields(strings.ToLower(strings.ReplaceAll(rest, "’", "'")))
	for i := range words {
		words[i] = strings.Trim(words[i], ",.;:")
	}
	owns := len(words) > 0 && words[0] == "'s"
	if owns { // "'s mother's birthday is on 17 June"
		words = words[1:]
		if favourite().MatchString(strings.Join(words, " ")) {
			return true
		}
	}
	if !owns && !foreign()[first(words)] {
		for len(words) > 0 && (adverbs()[words[0]] && words[0] != "always" || words[0] == "others" || words[0] == "however") {
			words = words[1:]
		}
		return len(words) > 0 && lastingVerbs()[words[0]] && holds(words[0], words[1:])
	}
	for i, w := range words[:min(len(words), 7)] {
		switch {
		case owns && (w == "is" || w == "are") && i+1 < len(words) && (words[i+1] == "on" || words[i+1] == "in"): // a birthday, an office
			return words[0] == "birthday" || i > 0 && words[i-1] == "birthday" || !year().MatchString(rest)
		case owns && (i == 0 || w == "was" || bare()[w]): // what is owned: a love, a like
		case lastingVerbs()[w]:
			return holds(w, words[i+1:])
		}
	}
	return false
}

func first(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return words[0]
}

var (
	year    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b(?:19|20)\d\d\b`) })
	bare    = sync.OnceValue(func() map[string]bool { return set(`love like prefer enjoy needs works plays`) })
	foreign = sync.OnceValue(func() map[string]bool {
		return set(`ich wir mein meine unser unsere i my our yo mi mis nosotros nuestro nuestra der die das el la`)
	})
	denied = sync.OnceValue(func() map[string]bool { // doesn't …
		return set(`eat drink smoke drive own work live speak use ski play cook like want`)
	})
	past = sync.OnceValue(func() map[string]bool {
		return set(`been know knew thought forget remember had saw got went did say said`)
	})
)

// holds tells whether what follows a verb is true for longer than a day.
func holds(verb string, words []string) bool {
	for len(words) > 0 && adverbs()[words[0]] {
		words = words[1:]
	}
	next, after := first(words), ""
	if next == "" {
		return len(words) == 0
	}
	if len(words) > 1 {
		after = words[1]
	}
	switch verb {
	case "was", "were":
		return born()[next] && !vagueNoun(words)
	case "has", "have":
		if next == "had" || next == "got" || next == "been" {
			return things()[after] && !vagueNoun(words[1:])
		}
		return (things()[next] || after == "own" || next[0] >= '0' && next[0] <= '9') && !vagueNoun(words)
	case "is", "are":
		if next == "building" && !things()[after] && after != "the" {
			return false
		}
		return !passingWords()[next] &&
			(!strings.HasSuffix(next, "ing") && !strings.HasSuffix(next, "ed") || lastingForms()[next]) && !vagueNoun(words)
	case "doesn't", "don't":
		return denied()[next] && (next == "want" || next != "like" || holds(next, words[1:])) && after != "to"
	case "wants", "needs":
		return next != "to"
	case "knows", "keeps":
		return next != "how" && next != "that" && next != "what" && next != "it" && next != "if" && !strings.HasSuffix(next, "ing")
	case "loves", "likes", "love", "like", "enjoys", "enjoy", "hates", "prefers", "prefer": // "loves the theme": the one at hand
		if next == "all" {
			next, words = after, words[1:]
		}
		return next != "it" && next != "that" && next != "how" && next != "when" && next != "seeing" && (next != "the" || len(words) <= 3)
	case "worked":
		return next == "as" || next == "at" || next == "for" || next == "in"
	case "started":
		return begun()[next] && (!strings.HasSuffix(next, "ing") || after != "" && after != "but" && after != "and")
	case "got", "bought", "sold":
		return (gotten()[next] || verb != "got" && things()[next]) && !vagueNoun(words)
	case "never", "always":
		return !past()[next] && !strings.HasSuffix(next, "ed")
	}
	return true
}

// vagueNoun tells "a bit", "the best part": an article before what says nothing.
func vagueNoun(words []string) bool {
	for _, w := range words[:min(len(words), 4)] {
		switch w {
		case "bit", "lot", "best", "way", "thing", "things", "stuff", "blast", "chance", "moment",
			"moments", "experience", "idea", "point", "time", "reminder", "day", "kind",
			"plan", "plans", "great", "amazing", "fantastic", "hit", "one", "look", "feeling", "opportunity", "ton", "tons", "few",
			"while", "relief", "week", "weekend", "success", "fun", "surge", "more", "picture", "photo", "vibe":
			return true
		}
	}
	return false
}

// maxLasting is how long a statement of somebody else is at most: what is longer tells a story.
const maxLasting = 140

// vague tells a statement that can only be understood with what was said before, or that praises rather than tells. What follows a comma
// or a dash is beside the point.
func vague(text string) bool {
	text = unpictured(text)
	if utf8.RuneCountInString(text) > maxLasting || strings.HasSuffix(text, "?") {
		return true
	}
	for _, aside := range []string{", ", " - ", " – ", " — ", "; ", ". ", "—"} {
		if i := strings.Index(text, aside); i > 20 {
			text = text[:i]
		}
	}
	it, last := false, "" // whether the word before is "it"; that word
	for w := range strings.FieldsSeq(text) {
		w = strings.ToLower(strings.Trim(w, ",.;:!()\"'"))
		if pointers()[w] || it && behindIt()[w] {
			return true
		}
		it, last = w == "it" || w == "that" || w == "there", w
	}
	return it || last == "them" && strings.HasSuffix(text, "to "+verbBefore(text)+" them")
}

// verbBefore is the last word but one.
func verbBefore(text string) string {
	words := strings.Fields(text)
	if len(words) < 2 {
		return ""
	}
	return words[len(words)-2]
}

var (
	pointers = sync.OnceValue(func() map[string]bool {
		return set(`this these those such stuff something someone somewhere thing things haha lol honestly awesome incredible amazing
			insane crazy wow`)
	})
	behindIt = sync.OnceValue(func() map[string]bool { return set(`too with and for as now`) })
)

// duty tells what somebody has to do from what they talked of: "has to renew the passport", "Renew the passport".
func duty(text string, names []string) bool {
	rest, ok := aboutPage(text, names)
	if ok {
		return owes().MatchString(rest)
	}
	head := first(strings.Fields(text))
	return !mentions(text, names) && orderly().MatchString(text) && !strings.HasSuffix(head, "ly")
}

var (
	owes = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:still |also |really )?(?:has|have|needs?|is supposed|ought|must|should)(?: got)?(?: to)? (?:[a-z]+)`)
	})
	orderly = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\p{Lu}\p{Ll}+ (?:the|a|an|my|our|\p{Lu}\p{L}+|\d+)\b`)
	})
)

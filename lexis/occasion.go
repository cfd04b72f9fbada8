package lexis

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// OccasionVersion is raised when [Occasion] tells of a text otherwise whether it has a wish: rows of an index know it.
const OccasionVersion = 1

// Occasion is what a text says that has to be asked for its wish to hold: "the API" of "always give the error codes when I ask about the
// API". Occasion is "" for a text without a wish that names its occasion.
func Occasion(text string) string {
	if !slices.ContainsFunc(askingStems, func(s string) bool { return strings.Contains(text, s) }) { // it spares the rest for nearly all
		return ""
	}
	for _, s := range Sentences(text) {
		t := text[s.Start:s.End]
		words := Words(t)
		if IsQuestion(t) || !slices.ContainsFunc(words, func(w string) bool { return wishing[w] }) || habit(words) {
			continue
		}
		for clause := range strings.FieldsFuncSeq(t, func(c rune) bool { return strings.ContainsRune(",;:–—", c) }) {
			words := Words(clause)
			for i := range len(words) - 1 {
				if !opening[words[i]] || !FirstPerson(words[i+1]) {
					continue
				}
				said := words[i+2:]
				if about := slices.DeleteFunc(slices.Clone(said), func(w string) bool { return asking[w] }); len(about) < len(said) {
					return strings.Join(about, " ")
				}
			}
		}
	}
	return ""
}

// habit tells whether a sentence says what its speaker does: "I always cry when I talk about it". What they want of others is a wish.
func habit(words []string) bool {
	does := false
	for i, w := range words {
		if wanting[w] {
			return false
		}
		next := words[i+1 : min(len(words), i+3)]
		does = does || doing[w] && (i == 0 || !opening[words[i-1]]) && slices.ContainsFunc(next, func(w string) bool { return wishing[w] })
	}
	return does
}

// Words of which a wish that names its occasion has one each, in English, German, French and Spanish, without accents.
var (
	wishing = Set("always never only please whenever every each anytime immer nie niemals nur bitte toujours jamais siempre nunca")
	opening = Set("when whenever if time anytime wenn falls sobald quand si lorsque cuando")
	doing   = Set("i we ich wir je nous yo nosotros")
	wanting = Set("you want like love prefer need expect wish please du mochte will willst sie bitte tu vous veux voudrais quiero prefiero")
	asking  = Set("ask asking mention talk request inquire frage erwahne spreche demande parle pregunto pregunte hablo hable " +
		"menciono mencione")
	askingStems = []string{
		"ask", "mention", "talk", "request", "inquire", "frage", "erwähne", "spreche", "demande", "parle", "pregunt", "habl", "mencion",
	}
)

// FirstPerson tells the words by which people speak of themselves, in English, German, French and
// Spanish. Words that are also something else ("us", "mine") are left out.
func FirstPerson(w string) bool {
	switch w {
	case "i", "me", "my", "myself", "we", "our", "ours",
		"ich", "mir", "mich", "mein", "meine", "meinen", "meinem", "meiner", "wir", "unser", "unsere",
		"je", "moi", "mon", "mes", "nous", "notre", "nos",
		"yo", "mi", "mis", "nosotros", "nuestro", "nuestra":
		return true
	}
	return false
}

// Kin tells what somebody's own parents and grandparents are called, who need no name and no "my".
func Kin(w string) bool { return kin[w] }

var kin = Set("mum mom dad mama papa grandma grandpa oma opa granny gran nana mutti vati")

// IsQuestion says whether a sentence is asked.
func IsQuestion(sentence string) bool {
	sentence = strings.TrimRight(sentence, " \t\r\n\"'”’»)]*_!")
	r, _ := utf8.DecodeLastRuneInString(sentence)
	return r == '?' || r == '？' || r == '؟'
}

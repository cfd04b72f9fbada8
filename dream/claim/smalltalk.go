package claim

import (
	"slices"
	"strings"
	"unicode"

	"github.com/reverie-memory/reverie/lexis"
)

// smallTalk tells a reaction that says nothing of the world: "Caroline totally agrees, Melanie", "Alice is so happy for you". Every
// word must be the subject, the one spoken to, a function word or a word of such reactions. One word more, a number or
// another name, and the text is kept.
func smallTalk(text string) bool {
	head, spoken := cutAddressee(text)
	words := strings.Fields(head)
	if len(words) < 2 {
		return false
	}
	for _, w := range words[1:] { // a name is told by its capital letter, the first word by its place
		r := []rune(strings.TrimLeft(w, `"'“‘(`))
		if len(r) > 0 && unicode.IsUpper(r[0]) && w != "I" && !strings.HasPrefix(w, "I'") && w != "LOL" && !spoken[w] && w != words[0] {
			return false
		}
	}
	folded := lexis.Words(head)
	subject := map[string]bool{}
	for _, w := range lexis.Words(words[0]) {
		subject[w] = true
	}
	reacts, meant := false, len(spoken) > 0
	for _, w := range folded {
		meant = meant || pointers[w]
		switch {
		case negations[w] && !slices.Contains(folded, "wait"): // "can't wait" alone denies nothing
			return false
		case reactions[w]:
			reacts = true
		case subject[w], lexis.IsStop(w), fillers[w]:
		default:
			return false
		}
	}
	return reacts && meant
}

// cutAddressee cuts ", Melanie" and ", you guys" off the end.
func cutAddressee(text string) (head string, spoken map[string]bool) {
	text = strings.TrimRight(strings.TrimSpace(text), ".!")
	i := strings.LastIndexByte(text, ',')
	if i < 0 {
		return text, nil
	}
	tail := strings.Fields(text[i+1:])
	if len(tail) == 0 || len(tail) > 2 || strings.ContainsFunc(text[i+1:], unicode.IsDigit) {
		return text, nil
	}
	spoken = map[string]bool{}
	for _, w := range tail {
		if r := []rune(w); !unicode.IsUpper(r[0]) && w != "guys" && w != "you" {
			return text, nil
		}
		spoken[w] = true
	}
	return text[:i], spoken
}

func wordSet(s string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(s) {
		m[w] = true
	}
	return m
}

var (
	// reactions carry such a text.
	reactions = wordSet(`agree agrees agreed agreeing thankful grateful happy glad excited thrilled stoked pumped proud pleased
		relieved touched honored blessed lucky inspired impressed amazed appreciate appreciates appreciated thank thanks thanking
		congrats congratulations congratulates hope hopes wish wishes wishing luck love loves loved awesome amazing great wonderful
		fantastic cool nice incredible perfect inspiring beautiful lovely adorable cute sweet fun posted wait stimmt freut froh dankbar
		glücklich contento contenta feliz agradecido agradecida`)
	negations = wordSet("not no never nicht kein keine nie nunca jamás nada ni")
	// pointers make a reaction of it: "Alice is happy" alone tells of Alice.
	pointers = wordSet(`you your ya u it that this these those so super really very totally absolutely definitely completely wait
		posted lot lots sehr so dich dir muy te`)
	// fillers may stand beside them.
	fillers = wordSet(`you your ya u it this that these those so really super very totally absolutely definitely completely truly
		just too also much always feels feel feeling felt sounds sound looks look seems hear hearing heard see seeing know knows think
		thinks say says said keep keep s re ve ll can cannot could would will wont not dont lot lots way day time thing things one all
		everything oh wow yes yeah hey well sure guys have has had having been being be get gets got make makes made for about with like
		ab wirklich sehr so auch dich dir mich euch que muy mucho por ti`)
)

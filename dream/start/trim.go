package start

import (
	"regexp"
	"strings"
	"sync"

	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/vault"
)

// A sentence at the edge of a quotation is left out where nobody would keep it, by the odds that [Keep] gives, and nobody wants it at every
// start, by those of [Words], and where it is long enough to tell and has no number.
const (
	unkept   = -1.5
	unwanted = -1
	tells    = 4 // words
)

// opens tells a sentence of which one understands who is spoken of without what stands before it.
var opens = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(?:and |but |so |also |well,? )?(?:i|i'm|im|i've|ive|i'll|we|we're|we've|my|our|` +
		`ich|wir|meine?|unsere?|yo|mis?|je|mon|ma)\b`)
})

// Trim is a quotation without the sentences at its end, and those at its beginning behind which one by itself follows, that nobody would
// keep. Everything else comes back as it is.
func Trim(text string) string {
	name, words, ok := vault.CutTalk(text)
	if !ok {
		return text
	}
	type sentence struct {
		text string
		idle bool
		next bool // a message begins with it
	}
	var list []sentence
	for message := range strings.SplitSeq(words, vault.Next) {
		_, own, _ := vault.CutQuote(vault.Quote(name, message))
		for i, s := range lexis.Sentences(own) {
			words := own[s.Start:s.End]
			alone := vault.Quote(name, words)
			idle := len(strings.Fields(words)) >= tells && !strings.ContainsAny(words, "0123456789") && Keep(alone) < unkept &&
				Words(alone) < unwanted && SignsOf(alone) == (Signs{})
			if i == 0 { // with what it answers
				words = strings.TrimSuffix(message, own) + words
			}
			list = append(list, sentence{words, idle, i == 0})
		}
	}
	whole := len(list)
	for len(list) > 1 && list[len(list)-1].idle {
		list = list[:len(list)-1]
	}
	first := 0
	for i := 1; i < len(list) && list[i-1].idle; i++ {
		if opens().MatchString(list[i].text) {
			first = i
		}
	}
	if list = list[first:]; len(list) == whole {
		return text
	}
	var b strings.Builder
	for i, s := range list {
		if i > 0 {
			b.WriteString(map[bool]string{true: vault.Next, false: " "}[s.next])
		}
		b.WriteString(s.text)
	}
	return vault.Quote(name, strings.TrimRight(b.String(), " ."))
}

package recall

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/lexis/calendar"
)

// A question is what the query's words say about the answer, beside being its search terms.
type question struct {
	words []string        // folded, stop words kept
	set   map[string]bool // of words
	names map[string]bool // folded words that are written like names
	mine  bool            // asks about the asker: I, my, me
	self  bool            // has them as more than owners: I, me, we
	how   bool            // asks how something is done
	own   bool            // asks about the asker, and not what anybody would be told
	the   []string        // what it speaks of as known: "the dog"
	yours bool            // asks what the assistant said: did you, you told
	when  bool            // asks for a time
	spans []calendar.Span // times that it names
	rest  []string        // words, without those of the times
}

func parseQuestion(text string, now time.Time) question {
	q := question{words: lexis.Words(text), set: map[string]bool{}, names: names(text)}
	for _, w := range q.words {
		q.set[w] = true
		q.mine = q.mine || lexis.FirstPerson(w)
		q.self = q.self || lexis.FirstPerson(w) && !owns(w)
	}
	for i, w := range q.words {
		q.when = q.when || i < 3 && asksTime(w, q.words[i+1:])
		q.yours = q.yours || i > 0 && saidByYou(q.words[i-1], w)
	}
	q.how = asksHow(q.words)
	if q.own = !q.how && asksOwn(q.words); !q.how {
		q.the = definite(q.words)
	}
	q.spans, q.rest = calendar.Find(q.words, now)
	return q
}

// closeness is that of the time to those which the question names: 1 within one of them, 0 far from all.
func (q *question) closeness(unix int64) float64 {
	best := 0.0
	for _, s := range q.spans {
		best = max(best, closeness(s, unix))
	}
	return best
}

// saidByYou tells "did you", "have you", "you told": what the assistant did in the past. "Would you" asks for
// something new, which rests on what the user said.
func saidByYou(w, next string) bool {
	switch {
	case next == "you":
		return w == "did" || w == "have" || w == "had"
	case w == "you":
		switch next {
		case "said", "told", "recommended", "suggested", "mentioned", "explained", "advised", "gave", "wrote", "proposed", "showed":
			return true
		}
	case next == "du" || next == "sie":
		return w == "hast" || w == "haben"
	}
	return false
}

// asksTime tells "when …", "what year …", "on which date …", and when in other languages.
func asksTime(w string, rest []string) bool {
	switch w {
	case "when", "wann", "quand", "cuando", "quando", "wanneer":
		return true
	case "what", "which":
		if len(rest) > 0 {
			switch rest[0] {
			case "date", "day", "month", "year", "time":
				return true
			}
		}
	}
	return false
}

// owns tells those of these words that say whose something is. "Where is my …" is asked of the world as well.
func owns(w string) bool {
	switch w {
	case "my", "our", "ours", "mein", "meine", "meinen", "meinem", "meiner", "unser", "unsere", "mon", "mes", "notre", "nos", "mi", "mis",
		"nuestro", "nuestra":
		return true
	}
	return false
}

// asksHow tells "how do I", "how can you", "how to": what is done in general, not what was. German and the Romance languages
// say it with a subject that is nobody.
func asksHow(words []string) bool {
	if len(words) < 2 {
		return false
	}
	switch words[0] + " " + words[1] {
	case "how do", "how does", "how can", "how could", "how should", "how would", "how to",
		"wie kann", "wie mache", "comment je", "comment on", "comment faire", "comment puis", "comment peut",
		"como puedo", "como puede", "como hago", "como hacer":
		return true
	case "como se":
		return len(words) > 2 && !strings.HasPrefix(words[2], "llama") // what somebody is called
	}
	return words[0] == "wie" && slices.Contains(words, "man")
}

// asksOwn tells "what must I avoid" and "how much is my rent", which only the asker's memory knows, from "can I freeze rice" and "write
// me a poem", which name the asker and ask the world.
func asksOwn(words []string) bool {
	for i, w := range words {
		switch {
		case lexis.Kin(w) && (i == 0 || words[i-1] != "a"): // "how old is grandma"
			return true
		case !lexis.FirstPerson(w), i > 0 && !owns(w) && asksAdvice(words[i-1]):
		case w == "me" && (i == 1 || slices.Contains(words, "you")): // "write me", "can you give me"
		default:
			return true
		}
	}
	return false
}

// definite are the nouns that a question speaks of as known, without a word that tells which one it is: behind "the", and at its end or
// before a short word or a verb. In "the world cup" and "the capital of France" it is told.
func definite(words []string) (out []string) {
	for i, w := range words[:max(0, len(words)-1)] {
		if !articles[w] || lexis.IsStop(words[i+1]) {
			continue
		}
		if rest := words[i+2:]; len(rest) == 0 || len(rest) == 1 && i > 0 || lexis.IsStop(rest[0]) && !tells[rest[0]] {
			out = append(out, words[i+1])
		}
	}
	return out
}

var (
	articles = lexis.Set("the der die das den dem le la les el los las")
	tells    = lexis.Set("of that which who whose in from von vom des aus de del du que qui") // which one it is
)

// owned tells whether a text speaks of one of these nouns as somebody's own: "our dog", "Alice's dog".
func owned(text string, nouns []string) bool {
	words := strings.Fields(text)
	for i := range words[:max(0, len(words)-1)] {
		own := strings.ToLower(strings.Trim(words[i], "\"'“”([,."))
		if !owns(own) && !strings.HasSuffix(own, "'s") && !strings.HasSuffix(own, "’s") {
			continue
		}
		if next := lexis.Words(words[i+1]); len(next) > 0 && slices.Contains(nouns, next[0]) {
			return true
		}
	}
	return false
}

// asksAdvice tells the verbs that ask what may or ought to be done, where the asker comes right behind: "should I", "kann ich".
func asksAdvice(w string) bool {
	switch w {
	case "should", "can", "could", "may", "might", "shall", "soll", "sollte", "kann", "darf", "puis", "peux":
		return true
	}
	return false
}

// names returns the words that are capitalised though no sentence begins with them, folded.
func names(text string) map[string]bool {
	out := map[string]bool{}
	begin := true
	for _, f := range strings.Fields(text) {
		w := strings.TrimFunc(f, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if r, _ := utf8.DecodeRuneInString(w); w != "" && unicode.IsUpper(r) {
			for _, x := range lexis.Words(w) {
				if !lexis.IsStop(x) && utf8.RuneCountInString(x) > 1 && !begin {
					out[x] = true
				}
			}
		}
		begin = strings.ContainsAny(f[len(f)-1:], ".!?")
	}
	return out
}

// namesSpeaker says whether the question names the speaker, by any word of the name.
func (q *question) namesSpeaker(speaker string) bool {
	return slices.ContainsFunc(lexis.Words(speaker), func(w string) bool {
		return q.set[w] && utf8.RuneCountInString(w) > 1 && !lexis.IsStop(w)
	})
}

// namedIn says whether the text holds a name of the question.
func (q *question) namedIn(text string) bool {
	return len(q.names) > 0 && slices.ContainsFunc(lexis.Words(text), func(w string) bool { return q.names[w] })
}

package extract

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/reverie-memory/reverie/lexis"
)

//go:embed verbs.txt
var verbList string

// verbForms are the forms of English verbs that the rules know. Lines of verbs.txt are "irregular base past participle" or lists of base
// forms of regular verbs.
type verbForms struct {
	base map[string]bool // go, work
	past map[string]bool // went, gone; also put and read, which are spelt as their base
}

var verbs = sync.OnceValue(func() verbForms {
	v := verbForms{map[string]bool{}, map[string]bool{}}
	for line := range strings.SplitSeq(verbList, "\n") {
		rest, irregular := strings.CutPrefix(line, "irregular ")
		for i, w := range strings.Fields(rest) {
			if irregular && i > 0 {
				v.past[w] = true
			} else {
				v.base[w] = true
			}
		}
	}
	return v
})

// isBase tells the base form of a known verb.
func isBase(w string) bool { return verbs().base[w] }

// isPast tells a past form or participle of a known verb that is not its base as well.
func isPast(w string) bool {
	if verbs().past[w] {
		return !isBase(w)
	}
	stem, ok := strings.CutSuffix(w, "ed")
	return ok && len(stem) > 1 && (isStem(stem) || strings.HasSuffix(stem, "i") && isBase(stem[:len(stem)-1]+"y"))
}

// isStem tells what is left of a known verb before -ed and -ing: walk, mov(e), stop(p).
func isStem(stem string) bool {
	n := len(stem)
	return isBase(stem) || isBase(stem+"e") || n > 2 && stem[n-1] == stem[n-2] && isBase(stem[:n-1])
}

// isThird tells the form of a known verb after he and she.
func isThird(w string) bool {
	stem, ok := strings.CutSuffix(w, "s")
	if !ok || isBase(stem) {
		return ok
	}
	stem, ok = strings.CutSuffix(stem, "e")
	return ok && (isBase(stem) || strings.HasSuffix(stem, "i") && isBase(stem[:len(stem)-1]+"y"))
}

// isIng tells the -ing form of a known verb.
func isIng(w string) bool {
	stem, ok := strings.CutSuffix(w, "ing")
	return ok && len(stem) > 1 && (isStem(stem) || stem == "ly" || stem == "dy")
}

// auxiliaries keep their form whoever the subject is.
var auxiliaries = lexis.Set(`will would can could may might must shall should ought cannot can't won't wouldn't couldn't shouldn't
	mustn't had hadn't
	did didn't was wasn't used better is isn't has hasn't does doesn't going gonna supposed`)

// singular maps the present forms that change more than by an s.
var singular = map[string]string{
	"am": "is", "are": "is", "were": "was", "have": "has", "do": "does", "aren't": "isn't", "weren't": "wasn't", "haven't": "hasn't",
	"don't": "doesn't", "dont": "doesn't", "go": "goes", "gotta": "has to", "wanna": "wants to",
}

// agree gives the form of a verb after a name, in place of the form after I, and "" where that is not certain.
func agree(w string) string {
	switch form := singular[w]; {
	case form != "":
		return form
	case auxiliaries[w], isPast(w):
		return w
	case !isBase(w), verbs().past[w]: // "I put": now or then?
		return ""
	}
	switch n := len(w); {
	case w[n-1] == 'y' && !strings.ContainsRune("aeiou", rune(w[n-2])):
		return w[:n-1] + "ies"
	case strings.ContainsRune("sxzo", rune(w[n-1])), strings.HasSuffix(w, "ch"), strings.HasSuffix(w, "sh"):
		return w + "es"
	}
	return w + "s"
}

// finite tells a word that can be the verb of a statement.
func finite(w string) bool {
	return auxiliary(w) || isPast(w) || isThird(w) || w == "cannot"
}

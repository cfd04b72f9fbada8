package extract

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed verbs.txt
var verbList string

// The forms of English verbs that the rules know. Lines of verbs.txt are "base past participle" for
// irregular verbs and lists of base forms for regular ones.
type verbForms struct {
	base map[string]bool // go, work
	past map[string]bool // went, gone, worked
	same map[string]bool // put, read: past and base are spelt alike
}

var verbs = sync.OnceValue(func() verbForms {
	v := verbForms{map[string]bool{}, map[string]bool{}, map[string]bool{}}
	for line := range strings.SplitSeq(verbList, "\n") {
		if rest, ok := strings.CutPrefix(line, "irregular "); ok {
			f := strings.Fields(rest)
			if len(f) == 0 {
				continue
			}
			v.base[f[0]] = true
			for _, p := range f[1:] {
				if p == f[0] {
					v.same[p] = true
				} else {
					v.past[p] = true
				}
			}
			continue
		}
		for w := range strings.FieldsSeq(line) {
			v.base[w] = true
		}
	}
	return v
})

// isBase tells the base form of a known verb.
func isBase(w string) bool { return verbs().base[w] }

// isPast tells a past form or participle of a known verb.
func isPast(w string) bool {
	v := verbs()
	if v.past[w] {
		return true
	}
	stem, ok := strings.CutSuffix(w, "ed")
	if !ok || len(stem) < 2 {
		return false
	}
	n := len(stem)
	switch {
	case v.base[stem], v.base[stem+"e"]:
		return true
	case stem[n-1] == 'i' && v.base[stem[:n-1]+"y"]:
		return true
	case n > 2 && stem[n-1] == stem[n-2] && v.base[stem[:n-1]]:
		return true
	}
	return false
}

// isThird tells the form of a known verb after he and she.
func isThird(w string) bool {
	stem, ok := strings.CutSuffix(w, "s")
	if !ok {
		return false
	}
	v := verbs()
	if v.base[stem] {
		return true
	}
	if s, ok := strings.CutSuffix(stem, "e"); ok {
		return v.base[s] || strings.HasSuffix(s, "i") && v.base[s[:len(s)-1]+"y"]
	}
	return false
}

// isIng tells the -ing form of a known verb.
func isIng(w string) bool {
	stem, ok := strings.CutSuffix(w, "ing")
	if !ok || len(stem) < 2 {
		return false
	}
	v, n := verbs(), len(stem)
	return v.base[stem] || v.base[stem+"e"] || stem[n-1] == stem[n-2] && v.base[stem[:n-1]] || stem == "ly" || stem == "dy"
}

// auxiliaries keep their form whoever the subject is.
var auxiliaries = sync.OnceValue(func() map[string]bool {
	return set(`will would can could may might must shall should ought cannot can't won't wouldn't couldn't shouldn't mustn't
		had hadn't did didn't was wasn't used better 'll 'd is isn't has hasn't does doesn't going gonna supposed`)
})

// singular maps the present forms that change more than by an s.
var singular = map[string]string{
	"am": "is", "are": "is", "were": "was", "have": "has", "do": "does", "aren't": "isn't", "weren't": "wasn't",
	"haven't": "hasn't", "don't": "doesn't", "'m": "is", "dont": "doesn't", "go": "goes", "gotta": "has to", "wanna": "wants to",
}

// agree gives the form of a verb after a name, in place of the form after I, and "" where that is not certain.
func agree(w string) string {
	if s, ok := singular[w]; ok {
		return s
	}
	v := verbs()
	switch {
	case auxiliaries()[w], isPast(w) && !v.base[w]:
		return w
	case v.same[w], !v.base[w]:
		return ""
	}
	return thirdPerson(w)
}

// thirdPerson adds the s.
func thirdPerson(w string) string {
	switch n := len(w); {
	case n < 2:
		return w
	case w[n-1] == 'y' && !strings.ContainsRune("aeiou", rune(w[n-2])):
		return w[:n-1] + "ies"
	case strings.HasSuffix(w, "s"), strings.HasSuffix(w, "x"), strings.HasSuffix(w, "z"), strings.HasSuffix(w, "ch"),
		strings.HasSuffix(w, "sh"), strings.HasSuffix(w, "o"):
		return w + "es"
	}
	return w + "s"
}

// finite tells a word that can be the verb of a statement.
func finite(w string) bool {
	switch w {
	case "is", "are", "was", "were", "am", "has", "have", "had", "isn't", "aren't", "wasn't", "weren't", "hasn't", "haven't",
		"does", "doesn't", "do", "don't", "did", "didn't", "will", "won't", "can", "can't", "cannot", "could", "must", "should", "may",
		"might", "would", "needs", "fails":
		return true
	}
	return isPast(w) || isThird(w)
}

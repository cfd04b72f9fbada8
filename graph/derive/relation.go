package derive

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/reverie-memory/reverie/lexis"
)

//go:embed relations.txt
var relationsText string

// A relation is a line of relations.txt.
type relation struct {
	kind      string // hold, begin or end
	predicate string
	swap      bool
	also      bool
	object    []string // stems or ends of words of which the object has one; nil: any
	wordings  [][][]string
}

var relations = sync.OnceValue(func() []relation {
	var out []relation
	for line := range strings.Lines(relationsText) {
		head, body, ok := strings.Cut(strings.TrimSpace(line), " : ")
		if !ok || head[0] == '#' {
			continue
		}
		f := strings.Fields(head)
		r := relation{kind: f[0], predicate: f[1]}
		for _, o := range f[2:] {
			words, needs := strings.CutPrefix(o, "object:")
			switch {
			case needs:
				r.object = strings.Split(words, "|")
			case o == "swap":
				r.swap = true
			case o == "also":
				r.also = true
			}
		}
		for w := range strings.SplitSeq(body, ";") {
			var wording [][]string
			for word := range strings.FieldsSeq(w) {
				var forms []string
				for form := range strings.SplitSeq(word, "/") {
					forms = append(forms, stem(form))
				}
				wording = append(wording, forms)
			}
			r.wordings = append(r.wordings, wording)
		}
		out = append(out, r)
	}
	return out
})

// byVerb are the relations by the first word of a wording.
var byVerb = sync.OnceValue(func() map[string][]candidate {
	m := map[string][]candidate{}
	for i := range relations() {
		r := &relations()[i]
		for _, w := range r.wordings {
			for _, form := range w[0] {
				m[form] = append(m[form], candidate{r, w})
			}
		}
	}
	return m
})

type candidate struct {
	*relation
	wording [][]string
}

// stem is the base form of a word, and be for its forms.
func stem(w string) string {
	w = strings.Trim(lexis.Fold(w), ",.;:!?'’\"")
	switch w {
	case "am", "is", "are", "was", "were", "been", "be", "being", "'m", "'re":
		return "be"
	case "has", "had", "'ve", "having":
		return "have"
	case "founded", "founder", "found":
		return w
	case "head", "heads", "headed":
		return "head"
	}
	return lexis.Stem(w)
}

// filler words may stand between the words of a wording.
var filler = set(`a an the now also currently still already recently just finally officially then has have had is are was were am been be
	being do does did 've 's 'm 're 'd both again always usually mostly mainly proudly happily really very even actually soon eventually
	full part time last new old little small big first great happily meanwhile since long everything all his her their my our its as well
	too besides instead longer no not any more secretly briefly temporarily permanently regularly often sometimes together back only`)

// find is the wording that the words say, the longest first: where it begins and ends, and whether it says so by words of its object.
func find(words []string, from int) (best candidate, start, end int) {
	score := 0
	stems := make([]string, len(words))
	for i := from; i < len(words); i++ {
		stems[i] = stem(words[i])
	}
	for i := from; i < len(words); i++ {
		for _, c := range byVerb()[stems[i]] {
			n, ok := matches(c.wording, words, stems, i)
			if !ok || c.object != nil && !hasOne(words[n:], c.object) {
				continue
			}
			s := 10 * len(c.wording)
			if c.object != nil {
				s += 5
			}
			if s > score {
				best, start, end, score = c, i, n, s
			}
		}
		if score > 0 || !filler[strings.ToLower(words[i])] && i > from+1 {
			break
		}
	}
	return best, start, end
}

// matches says whether a wording stands at words[i:], and where it ends.
func matches(wording [][]string, words, stems []string, i int) (int, bool) {
	skipped := 0
	for k, forms := range wording {
		for i < len(words) && !slices.Contains(forms, stems[i]) {
			if k == 0 || !filler[strings.ToLower(words[i])] || skipped > 3 {
				return 0, false
			}
			i++
			skipped++
		}
		if i == len(words) {
			return 0, false
		}
		i++
	}
	return i, true
}

// hasOne says whether one of the words is, or ends with, one of a list.
func hasOne(words, list []string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		w = strings.TrimSuffix(lexis.Fold(w), "s")
		return slices.ContainsFunc(list, func(l string) bool { return strings.HasSuffix(w, strings.TrimSuffix(l, "s")) })
	})
}

// May says whether a text may say anything of the graph. It is cheap, and says yes to some that do not.
func May(text string) bool {
	for _, w := range token.FindAllString(text, -1) {
		if s := stem(w); byVerb()[s] != nil || changing[s] || telling[s] || person(w) {
			return true
		}
	}
	return false
}

// telling are words of the rules that no list has.
var telling = func() map[string]bool {
	m := set("be call know nicknam aka alia name succeed follow die di dead divorc separat engag wed marri togeth give pass hand donat " +
		"gift rehom buy adopt inherit rescu welcom ran put cross goe")
	for w := range animals {
		m[w] = true
	}
	return m
}()

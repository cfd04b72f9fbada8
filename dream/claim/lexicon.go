package claim

import (
	_ "embed"
	"iter"
	"strings"
	"sync"

	"github.com/reverie-memory/reverie/lexis"
)

//go:embed lexicon.txt
var lexiconText string

// An entry is one phrase of the lexicon.
type entry struct {
	class, id string
	past      bool
	part      bool // a participle
	words     []string
}

// A language holds the phrases of one language, by their first word, longest first.
type language struct {
	name    string
	phrases map[string][]entry
}

var languages = sync.OnceValue(func() []language {
	order := []string{"en", "de", "es", "fr"}
	out := make([]language, len(order))
	for i, n := range order {
		out[i] = language{n, map[string][]entry{}}
	}
	at := -1
	for line := range strings.Lines(lexiconText) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if line[0] == '[' {
			at = -1
			for i, n := range order {
				if line == "["+n+"]" {
					at = i
				}
			}
			continue
		}
		head, words, _ := strings.Cut(line, " : ")
		for i := range out {
			if at < 0 || at == i {
				out[i].add(head, words, at >= 0)
			}
		}
	}
	return out
})

// classes tells the class of a value: mongodb is a database.
var classes = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for line := range strings.Lines(lexiconText) {
		head, words, ok := strings.Cut(strings.TrimSpace(line), " : ")
		if id, is := strings.CutPrefix(head, "class "); ok && is {
			for w := range strings.FieldsSeq(words) {
				m[w], m[canonical(token{fold: w})], m[canonical(token{fold: w})+"<"] = id, id, id
			}
		}
	}
	return m
})

func (l *language) add(head, words string, own bool) {
	f := strings.Fields(head)
	if len(f) < 2 || f[0] == "class" {
		return
	}
	class, id := f[0], f[1]
	if class == "attr" {
		class, id = "attr"+f[1], f[2]
	}
	for i, group := range strings.Split(words, ";") {
		for w := range strings.FieldsSeq(group) {
			e := entry{class: class, id: id, past: class == "v" && i > 0 || id == "was" || id == "had", part: class == "v" && i > 0}
			e.words = strings.Split(lexis.Fold(w), "_")
			if own && class == "drop" {
				e.past = false
			}
			first := e.words[0]
			list := l.phrases[first]
			at := 0
			for at < len(list) && len(list[at].words) >= len(e.words) {
				at++
			}
			list = append(list, entry{})
			copy(list[at+1:], list[at:])
			list[at] = e
			l.phrases[first] = list
		}
	}
}

// match finds the longest phrase that begins at toks[i].
func (l *language) match(toks []token, i int) (entry, bool) {
	for e := range l.matches(toks, i) {
		return e, true
	}
	return entry{}, false
}

// matches gives the phrases that begin at toks[i], longest first.
func (l *language) matches(toks []token, i int) iter.Seq[entry] {
	return func(yield func(entry) bool) {
		for _, e := range l.phrases[toks[i].fold] {
			if i+len(e.words) > len(toks) {
				continue
			}
			ok := true
			for k := 1; k < len(e.words) && ok; k++ {
				ok = toks[i+k].fold == e.words[k]
			}
			if ok && !yield(e) {
				return
			}
		}
	}
}

// languageOf is the language most of whose words the text has; English when none wins.
func languageOf(toks []token) *language {
	ls := languages()
	best, at := 0, 0
	for i := range ls {
		n := 0
		for k, t := range toks {
			if t.kind != tokWord || t.upper && k > 0 && ls[i].name != "de" {
				continue
			}
			for _, e := range ls[i].phrases[t.fold] {
				if len(e.words) == 1 && e.class != "alias" && !(t.upper && oneOf(e.class, "v", "past")) {
					n += 2
					break
				}
			}
		}
		if n > best {
			best, at = n, i
		}
	}
	return &ls[at]
}

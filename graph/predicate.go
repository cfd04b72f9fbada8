package graph

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/reverie-memory/reverie/lexis"
)

// PredicateTable is the list of known predicates, as the documentation shows it.
//
//go:embed predicates.txt
var PredicateTable string

// A predicate is what the table knows of one.
type predicate struct {
	functional, sole, both bool
	types                  [2]string // of subject and object, "" for none
	wordings               [][]string
	keys                   []string // of the wordings
	reversed               map[string]bool
}

var known = sync.OnceValues(func() (map[string]*predicate, map[string]string) {
	all, names := map[string]*predicate{}, map[string]string{}
	for line := range strings.Lines(PredicateTable) {
		head, wordings, ok := strings.Cut(strings.TrimSpace(line), " : ")
		if !ok || head[0] == '#' {
			continue
		}
		fields := strings.Fields(head)
		p := &predicate{reversed: map[string]bool{}}
		types := 0
		for _, f := range fields[1:] {
			switch f {
			case "functional":
				p.functional = true
			case "sole":
				p.sole = true
			case "both":
				p.both = true
			default:
				p.types[types] = strings.Trim(f, "-")
				types++
			}
		}
		for w := range strings.SplitSeq(fields[0]+","+wordings, ",") {
			w, back := strings.CutPrefix(strings.TrimSpace(w), "<")
			p.reversed[keyOf(w)] = back
			p.wordings, p.keys = append(p.wordings, stems(w)), append(p.keys, keyOf(w))
			if of, taken := names[keyOf(w)]; taken && of != fields[0] {
				names[keyOf(w)] = "" // of several, so that it is none of them
			} else {
				names[keyOf(w)] = fields[0]
			}
		}
		all[fields[0]] = p
	}
	return all, names
})

// PredicateNames are the names of the known predicates, in the order of the table.
func PredicateNames() (names []string) {
	for line := range strings.Lines(PredicateTable) {
		if head, _, ok := strings.Cut(line, " : "); ok && head[0] != '#' {
			names = append(names, strings.Fields(head)[0])
		}
	}
	return names
}

// keyOf makes "works at", "Works_At" and "works-at" one.
func keyOf(predicate string) string {
	return strings.Join(strings.FieldsFunc(lexis.Fold(predicate), func(r rune) bool { return r == ' ' || r == '_' || r == '-' }), "_")
}

// PredicateKey is the name of a predicate: equal for wordings that mean the same.
func PredicateKey(wording string) string {
	key := keyOf(wording)
	all, names := known()
	if name := names[key]; name != "" && all[key] == nil {
		return name
	}
	return key
}

// Known says whether a wording is one of the predicates of [PredicateTable].
func Known(wording string) bool {
	all, _ := known()
	return all[PredicateKey(wording)] != nil
}

// Reversed says whether a wording is said of the object: the maintainer of something, which somebody runs.
func Reversed(wording string) bool { return traits(PredicateKey(wording)).reversed[keyOf(wording)] }

// A Phrase is a wording of [PredicateTable] that says with a verb such as "is" what holds: written in, in charge of, alojado en.
type Phrase struct {
	Predicate, Words string
	Reversed         bool   // of the object
	Object           string // type of what stands behind it, "" for any
}

// Phrases are the wordings of one predicate alone that end in a preposition, but for what people are to each other.
func Phrases() (out []Phrase) {
	all, names := known()
	for line := range strings.Lines(PredicateTable) {
		head, wordings, ok := strings.Cut(strings.TrimSpace(line), " : ")
		if !ok || head[0] == '#' {
			continue
		}
		name := strings.Fields(head)[0]
		p := all[name]
		for w := range strings.SplitSeq(wordings, ",") {
			w, back := strings.CutPrefix(strings.TrimSpace(w), "<")
			words := strings.Fields(w)
			if n := len(words); n > 1 && prepositions[words[n-1]] && names[keyOf(w)] == name && p.types != [2]string{"person", "person"} {
				ph := Phrase{name, w, back, p.types[1]}
				if back {
					ph.Object = p.types[0]
				}
				out = append(out, ph)
			}
		}
	}
	return out
}

var prepositions = lexis.Set("in on at to with of by for auf bei mit gegen von an en con de a")

// An Attribute is what is said of somebody or something by a wording and a value.
type Attribute struct {
	Predicate string
	Reversed  bool   // the value is the subject: the owner of a thing
	Object    string // type of the value, "" for any
	One       bool   // there is one at a time
}

// AttributeOf reads a wording of [PredicateTable] as that of an attribute, and says whether things of the kind have it; none does of which
// the kind is "". What somebody is to somebody is none: the same noun is used for either side.
func AttributeOf(wording, kind string) (a Attribute, ok bool) {
	all, _ := known()
	key := PredicateKey(wording)
	p := all[key]
	if p == nil || kind == "" {
		return a, false
	}
	of := p.types
	if a = (Attribute{key, Reversed(wording), of[1], p.functional}); a.Reversed {
		a.Object, a.One = of[0], p.sole
		return a, kind != "person" && of[1] != "person"
	}
	return a, (of[0] == "" || of[0] == kind) && (p.both || p.functional || of != [2]string{"person", "person"})
}

// Wording is the predicate in words.
func Wording(predicate string) string { return strings.ReplaceAll(predicate, "_", " ") }

func traits(key string) predicate {
	all, _ := known()
	if p := all[key]; p != nil {
		return *p
	}
	return predicate{sole: strings.HasSuffix(key, "_of") && key != "_of"}
}

// small words say nothing of what a predicate or a name means.
var small = map[string]bool{
	"a": true, "an": true, "the": true, "of": true, "is": true, "at": true, "in": true, "on": true, "to": true, "with": true, "for": true,
	"from": true, "my": true, "our": true, "his": true, "her": true, "their": true, "s": true, "has": true, "by": true, "as": true,
	"called": true, "mein": true, "meine": true, "meiner": true, "unser": true, "unsere": true, "mi": true, "mis": true, "nuestro": true,
	"nuestra": true, "aus": true, "von": true, "de": true,
}

// stems are the words of a text that say something, in their base form.
func stems(text string) []string {
	var out []string
	for _, w := range lexis.Words(Wording(text)) {
		if !small[w] {
			out = append(out, lexis.Stem(w))
		}
	}
	return out
}

// Means says whether a predicate may be called so: by its name, by one of its wordings, or, where the wording is none that is known, by
// words of one concept.
func Means(wording, predicate string) bool {
	all, _ := known()
	key, asked := PredicateKey(predicate), PredicateKey(wording)
	switch {
	case asked == key:
		return true
	case all[asked] == nil && exact(wording):
		k := keyOf(wording)
		return key == k+"_of" || all[key] != nil && slices.Contains(all[key].keys, k)
	case all[asked] == nil:
		return called(key, stems(wording), true)
	case all[key] == nil:
		return called(key, stems(wording), false)
	}
	return slices.Contains(all[key].keys, keyOf(wording))
}

// exact says whether a wording is one of several predicates of the table: a sister is no brother, though either is a sibling.
func exact(wording string) bool {
	_, names := known()
	_, listed := names[keyOf(wording)]
	return listed
}

// called is whether a wording of the predicate has all of the words, or kindred ones.
func called(key string, asked []string, near bool) bool {
	return len(asked) > 0 && slices.ContainsFunc(wordings(key), func(w []string) bool { return covers(w, asked, near) })
}

// wordings are the ways in which a predicate is put, as stems.
func wordings(key string) [][]string {
	own := [][]string{stems(key)}
	all, _ := known()
	if p := all[key]; p != nil {
		return append(own, p.wordings...)
	}
	if use, ok := strings.CutPrefix(key, "uses_for_"); ok { // the CI, the notes app
		own = append(own, all["uses"].wordings...)
		return append(own, stems(use+" app tool program software system service platform provider"))
	}
	if office, ok := strings.CutSuffix(key, "_of"); ok {
		for _, end := range []string{"er", "or"} { // whoever leads is the leader
			if verb, ok := strings.CutSuffix(office, end); ok {
				own = append(own, stems(verb))
			}
		}
		return append(own, stems("role"), stems("position"), stems("office"))
	}
	return own
}

// covers says whether each of the asked words is in the wording, or where near, means the same.
func covers(wording, asked []string, near bool) bool {
	return len(wording) > 0 && !slices.ContainsFunc(asked, func(a string) bool {
		return !slices.ContainsFunc(wording, func(w string) bool { return w == a || near && kindred(w, a) })
	})
}

// kindred says whether two words stand for one everyday concept.
func kindred(a, b string) bool {
	return slices.ContainsFunc(lexis.Concepts(a), func(c uint32) bool { return slices.Contains(lexis.Concepts(b), c) })
}

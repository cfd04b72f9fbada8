package graph

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/lexis"
)

// Qualified is the name of one of several who may share a name: "Anna (Marek's sister)".
func Qualified(name, qualifier string) string {
	if qualifier == "" {
		return name
	}
	return name + " (" + qualifier + ")"
}

// cutName takes the qualifier off a name.
func cutName(name string) (base, qualifier string) {
	name = strings.Join(strings.Fields(name), " ")
	if before, after, ok := strings.Cut(name, " ("); ok && strings.HasSuffix(after, ")") {
		return before, strings.TrimSuffix(after, ")")
	}
	return name, ""
}

// A nameKey is a name for comparing: folded, the qualifier as the sorted words that say something.
type nameKey struct{ base, qualifier string }

func keyOfName(name string) nameKey {
	base, qualifier := cutName(name)
	key := lexis.Fold(base)
	for _, article := range []string{"the ", "a ", "an "} {
		if rest, ok := strings.CutPrefix(key, article); ok && rest != "" {
			key = rest
			break
		}
	}
	return nameKey{key, strings.Join(nameWords(qualifier), " ")}
}

func (k nameKey) id() string {
	if k.qualifier == "" {
		return hashID("e", k.base)
	}
	return hashID("e", k.base, k.qualifier)
}

// EntityID names an entity: equal for names that differ only in case, accents, width or spaces, and another for each qualifier.
func EntityID(name string) string { return keyOfName(name).id() }

// nameWords are the words of a name that tell it from others, sorted.
func nameWords(name string) []string {
	words := slices.DeleteFunc(lexis.Words(name), func(w string) bool { return small[w] })
	slices.Sort(words)
	return slices.Compact(words)
}

// subset says whether all of a sorted list are in another one.
func subset(of, words []string) bool {
	for _, w := range words {
		if _, ok := slices.BinarySearch(of, w); !ok {
			return false
		}
	}
	return true
}

func capital(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r)
}

// A resolver decides which names are one entity. Two people of one name are two: a name with a qualifier is somebody else than the same
// name with another one, and a name alone is one of them only where there is no other that it could be.
type resolver struct {
	qualified map[string][]nameKey // by base: those with a qualifier
	longer    map[string][]nameKey // by first name: the longer names of people
	person    map[string]bool      // by base
	spelt     map[nameKey]string   // as it was first said
	types     map[string]string    // by base
	same      map[nameKey]nameKey  // aliases

	// What a graph on its way asks for again and again; nil in one that is built.
	keys       map[string]nameKey
	predicates map[string]string
}

// key is keyOfName.
func (r *resolver) key(name string) nameKey {
	k, ok := r.keys[name]
	if !ok {
		if k = keyOfName(name); r.keys != nil {
			r.keys[name] = k
		}
	}
	return k
}

// predicate is PredicateKey.
func (r *resolver) predicate(wording string) string {
	key, ok := r.predicates[wording]
	if !ok {
		if key = PredicateKey(wording); r.predicates != nil {
			r.predicates[wording] = key
		}
	}
	return key
}

func newResolver(events []*Event) *resolver {
	r := &resolver{
		qualified: map[string][]nameKey{}, longer: map[string][]nameKey{}, person: map[string]bool{}, spelt: map[nameKey]string{},
		types: map[string]string{}, same: map[nameKey]nameKey{}, keys: map[string]nameKey{}, predicates: map[string]string{},
	}
	for _, e := range events {
		p := traits(r.predicate(e.Predicate))
		if e.Kind == Alias {
			p = predicate{}
		}
		r.note(e.Subject, p.types[0])
		r.note(e.Object, p.types[1])
		r.note(e.Was, p.types[1])
		if e.Speaker != "" {
			k := r.key(e.Speaker)
			r.person[k.base] = true
		}
	}
	for k, name := range r.spelt {
		base, _ := cutName(name)
		first, _, more := strings.Cut(k.base, " ")
		if k.qualifier != "" {
			r.qualified[k.base] = append(r.qualified[k.base], k)
		}
		if more && capital(base) && (r.person[k.base] || k.qualifier != "") {
			r.longer[first] = append(r.longer[first], k)
		}
	}
	for _, m := range []map[string][]nameKey{r.qualified, r.longer} {
		for _, list := range m {
			slices.SortFunc(list, func(a, b nameKey) int { return strings.Compare(a.base+"\x00"+a.qualifier, b.base+"\x00"+b.qualifier) })
		}
	}
	for _, e := range events {
		if e.Kind == Alias {
			a, b := r.resolve(e.Subject, e.Speaker), r.resolve(e.Object, e.Speaker)
			if a != b {
				r.same[b] = a
			}
		}
	}
	return r
}

// note takes in a name, and what kind of thing it is.
func (r *resolver) note(name, kind string) {
	k := r.key(name)
	if k.base == "" {
		return
	}
	if r.spelt[k] == "" {
		r.spelt[k] = strings.Join(strings.Fields(name), " ")
	}
	if kind == "person" {
		r.person[k.base] = true
	}
	if kind != "" && (r.types[k.base] == "" || kind == "person") {
		r.types[k.base] = kind
	}
}

// resolve is the entity that a speaker means by a name.
func (r *resolver) resolve(name, speaker string) nameKey {
	k := r.key(name)
	if speaker != "" {
		if own := r.key(speaker + "'s " + k.base); r.spelt[own] != "" { // the backend of whoever speaks of the backend
			k = own
		}
	}
	if c := r.candidates(k, speaker); len(c) == 1 {
		k = c[0]
	}
	for range len(r.same) {
		next, ok := r.same[k]
		if !ok {
			break
		}
		k = next
	}
	return k
}

// candidates are those who may be meant by a name that is not said in full.
func (r *resolver) candidates(k nameKey, speaker string) []nameKey {
	var out []nameKey
	add := func(c nameKey) {
		if q := r.qualified[c.base]; c.qualifier == "" && len(q) == 1 {
			c = q[0] // the only one of that name
		}
		if !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	longer := r.longer[k.base] // none for a name of several words
	if k.qualifier != "" {
		for _, l := range longer {
			if l.qualifier == k.qualifier {
				add(l)
			}
		}
		return out
	}
	for _, q := range r.qualified[k.base] {
		add(q)
	}
	if r.person[k.base] || len(out) > 0 {
		for _, l := range longer {
			if l.qualifier == "" || !slices.Contains(out, nameKey{k.base, l.qualifier}) {
				add(l)
			}
		}
	}
	if len(out) < 2 || speaker == "" {
		return out
	}
	near := slices.DeleteFunc(slices.Clone(out), func(c nameKey) bool {
		return c.qualifier == "" || !subset(strings.Fields(c.qualifier), nameWords(speaker))
	})
	if len(near) == 1 {
		return near
	}
	return out
}

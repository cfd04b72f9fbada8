package graph

import (
	"cmp"
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
	for _, article := range []string{"the ", "a ", "an ", "project ", "projekt ", "proyecto ", "el proyecto "} {
		if rest, ok := strings.CutPrefix(key, article); ok && rest != "" {
			key = rest
			break
		}
	}
	for _, kind := range []string{"flat ", "apartment ", "wohnung ", "piso ", "parzelle "} {
		if rest, ok := strings.CutPrefix(key, kind); ok && len(rest) < 5 && strings.ContainsAny(rest, "0123456789") {
			key = rest
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

func (k nameKey) compare(o nameKey) int {
	return cmp.Or(strings.Compare(k.base, o.base), strings.Compare(k.qualifier, o.qualifier))
}

// A resolver decides which names are one entity. Two people of one name are two: a name with a qualifier is somebody else than the same
// name with another one, and a name alone is one of them only where there is no other that it could be.
type resolver struct {
	names  table[string, *names]    // by base
	longer table[string, []nameKey] // by first word: the longer names of people, and those that end in what kind it is
	same   map[nameKey]nameKey      // aliases, with what they are in the end
}

// names are all names of one base, as far as they were said.
type names struct {
	person    bool
	kind      string     // "" when unknown
	spelt     []spelling // sorted
	qualified []nameKey  // those with a qualifier
	long      []nameKey  // those that are a person's, where they have several words
}

// kinded says whether a name has two words, of which the second says of what kind it is: who speaks of "billing" may mean the billing
// service, where nothing else has that name with another kind.
func kinded(base string) bool {
	first, last, ok := strings.Cut(base, " ")
	return ok && kindsOf[last] && first != nobody
}

var kindsOf = lexis.Set("service app application project platform website repo repository migration release launch rollout microservice")

// nobody is who speaks where that is not known.
const nobody = "user"

// A spelling is a name as it was first said.
type spelling struct {
	nameKey
	name string
}

var noNames = &names{}

func (r *resolver) base(base string) *names {
	if n := r.names.get(base); n != nil {
		return n
	}
	return noNames
}

// spelt is a name as it was first said, "" where nobody did.
func (r *resolver) spelt(k nameKey) string {
	spelt := r.base(k.base).spelt
	if i, ok := slices.BinarySearchFunc(spelt, k, func(s spelling, k nameKey) int { return s.compare(k) }); ok {
		return spelt[i].name
	}
	return ""
}

// ownKey is a name as something of the speaker's: the backend of whoever speaks of the backend.
func ownKey(base, speaker string) nameKey {
	if speaker == "" {
		return nameKey{}
	}
	return keyOfName(speaker + "'s " + base)
}

// resolve is the entity that a speaker means by a name.
func (r *resolver) resolve(name, speaker string) nameKey {
	k := keyOfName(name)
	return r.meant(k, ownKey(k.base, speaker), speaker)
}

// meant is resolve of a name that was read before.
func (r *resolver) meant(k, own nameKey, speaker string) nameKey {
	if own.base != "" && r.spelt(own) != "" {
		k = own
	}
	if c := r.candidates(k, speaker); len(c) == 1 {
		k = c[0]
	}
	if same, ok := r.same[k]; ok {
		return same
	}
	return k
}

// candidates are those who may be meant by a name that is not said in full.
func (r *resolver) candidates(k nameKey, speaker string) []nameKey {
	var out []nameKey
	add := func(c nameKey) {
		if q := r.base(c.base).qualified; c.qualifier == "" && len(q) == 1 {
			c = q[0] // the only one of that name
		}
		if !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	longer := r.longer.get(k.base) // none for a name of several words
	if r.base(k.base).kind == "pet" {
		longer = nil // the cat Oscar is no Oscar Lindh
	}
	if k.qualifier != "" {
		for _, l := range longer {
			if l.qualifier == k.qualifier {
				add(l)
			}
		}
		return out
	}
	n := r.base(k.base)
	for _, q := range n.qualified {
		add(q)
	}
	if !n.person && len(out) == 0 {
		for _, l := range longer {
			if l.qualifier == "" && kinded(l.base) {
				add(l)
			}
		}
	} else {
		for _, l := range longer {
			if kinded(l.base) {
				continue
			}
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

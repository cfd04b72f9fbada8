package derive

import (
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/graph"
	"github.com/reverie-memory/reverie/lexis"
)

// noun says whether words are what one thing or person is to another: tech lead, piano teacher, Ausbilder.
func noun(words []string, german bool) bool {
	if len(words) == 0 || len(words) > 3 {
		return false
	}
	for i, w := range words {
		f, last := lexis.Fold(w), i == len(words)-1
		named := capital(w) && strings.ToUpper(w) != w && !german
		superlative := !last && strings.HasSuffix(f, "est") || f == "most" || f == "best"
		empty := core().is("vague", f) && last || last && strings.HasSuffix(f, "ing")
		if f == "de" && i > 0 && !last {
			continue // médico de cabecera
		}
		if named || superlative || empty || lexis.IsStop(f) || cuts[f] || former[f] || fresh[f] || articles[f] ||
			strings.ContainsAny(w, "0123456789,'’") {
			return false
		}
	}
	return true
}

// inGerman says whether words begin as in German, where a noun has a capital.
func (r *reader) inGerman(words []string) bool {
	f := lexis.Fold(words[0])
	return r.german || strings.HasPrefix(f, "mein") || strings.HasPrefix(f, "unser") || f == "der" || f == "die" || f == "das" ||
		lexis.Kin(strings.TrimSuffix(f, "s"))
}

// proper says whether words are a name: all begin with a capital but for small ones between.
func proper(words []string) bool {
	if len(words) > 1 && definite[lexis.Fold(words[0])] && !capital(words[0]) {
		words = words[1:]
	}
	if len(words) > 1 && honours[lexis.Fold(words[0])] {
		words = words[1:]
	}
	if len(words) == 0 || len(words) > 5 || !capital(words[0]) || lexis.IsStop(lexis.Fold(words[0])) {
		return false
	}
	for _, w := range words {
		if _, of := owner(w); of || !capital(w) && !small[lexis.Fold(w)] && !digit(w) && w != "&" || unreal[lexis.Fold(w)] {
			return false
		}
	}
	return true
}

// honours are titles that stand without a capital.
var honours = lexis.Set("don dona senor senora doctor doctora profesor profesora")

// valueOf is what stands behind "is" as the value of a noun; "" where it is none.
func valueOf(what, value []string) string {
	head := lexis.Fold(what[len(what)-1])
	for len(value) > 1 && (fillers[lexis.Fold(value[0])] || lexis.Fold(value[0]) == "called") {
		value = value[1:]
	}
	value = object(value)
	switch {
	case len(value) == 0:
		return ""
	case proper(value):
		return strings.Join(value, " ")
	case digit(value[0]) && len(value) < 4 && !strings.ContainsAny(value[0], ":/") && !core().is("measures", lexis.Fold(lastOf(value))),
		capital(value[0]) && len(value) < 3 && core().is("lettered", head),
		core().is("liked", head) && (len(what) > 1 || strings.HasPrefix(head, "lie") || head == "leibgericht") && plainValue(value):
		return strings.Join(value, " ")
	}
	return ""
}

// plainValue says whether words name what somebody likes: lemon drizzle, but not "really great".
func plainValue(words []string) bool {
	return len(words) <= 3 && !articles[lexis.Fold(words[0])] && !slices.ContainsFunc(words, func(w string) bool {
		f := lexis.Fold(w)
		return lexis.IsStop(f) || strings.HasSuffix(f, "ly") || core().is("praises", f)
	})
}

// attributes reads what somebody or something has by a noun that is not in the table: Falke's tech lead is Ines; the registrar of barn.dev
// is Gandi; Ines is Falke's tech lead.
func (r *reader) attributes(v view, subject, value []string, was bool) bool {
	if was && !v.when.told || len(value) == 0 {
		return false
	}
	kind := "hold"
	if was {
		kind = "was"
	}
	tell := func(name string, what []string, of string) bool {
		if name == "" || of == "" || strings.EqualFold(name, of) {
			return false
		}
		head := what[len(what)-1]
		wording := strings.Join(what, " ")
		if role := core().people[lexis.Fold(head)]; role != "" && len(what) == 1 {
			r.kin(graph.Qualified(name, of+"'s "+lexis.Fold(head)), role, of)
			return true
		}
		if plural(lexis.Fold(head)) {
			v.also = true
			wording = strings.TrimSuffix(wording, "s")
		}
		if office := lexis.Fold(head); core().is("offices", office) {
			if leaders[strings.ToLower(wording)] {
				r.say(v, kind, name, "runs", of)
			} else {
				r.say(v, kind, name, strings.ToLower(wording)+" of", of)
			}
			return true
		}
		if graph.Known(wording) && !v.also {
			if graph.Reversed(wording) {
				r.say(v, kind, name, wording, of)
			} else {
				r.say(v, kind, of, wording, name)
			}
			return true
		}
		r.say(v, kind, name, wording+" of", of)
		return true
	}
	self := len(subject) == 1 && lexis.Fold(subject[0]) == "i"
	of, what := r.having(value)
	for len(what) > 1 && fillers[lexis.Fold(what[len(what)-1])] {
		what = what[:len(what)-1]
	}
	for len(what) > 1 && fresh[lexis.Fold(what[0])] {
		what = what[1:]
	}
	if of != "" && noun(what, r.inGerman(value)) && (self || proper(subject)) {
		name := r.name(subject, true)
		r.before = name
		return tell(name, what, of)
	}
	of, what = r.having(subject)
	for len(what) > 1 && fresh[lexis.Fold(what[0])] {
		what = what[1:]
	}
	if of == "" || !noun(what, r.inGerman(subject)) {
		return false
	}
	told := false
	if parts := split(value); plural(lexis.Fold(what[len(what)-1])) && len(parts) > 1 {
		for _, part := range parts {
			if name := valueOf(what, part); name != "" {
				told = tell(name, what, of) || told
			} else {
				break
			}
		}
	} else if name := valueOf(what, value); name != "" {
		told = tell(name, what, of)
	}
	r.before = of
	return told
}

// genitives are words between what somebody is and to what of ours.
var genitives = lexis.Set("meines unseres meiner unserer")

// plural says whether a folded noun means more than one.
func plural(f string) bool {
	return strings.HasSuffix(f, "s") && !strings.HasSuffix(f, "ss") && !strings.HasSuffix(f, "us") && !strings.HasSuffix(f, "is")
}

// having takes words apart that name what somebody or something has: Orchid's tech lead, the tech lead of Orchid, my registrar.
func (r *reader) having(words []string) (of string, what []string) {
	if len(words) < 2 {
		return "", nil
	}
	if end := slices.IndexFunc(words, func(w string) bool { return w == "," || w == timeMark }); end >= 0 {
		words = words[:end]
	}
	if len(words) < 2 || anybody[lexis.Fold(strings.TrimSuffix(words[0], "'s"))] {
		return "", nil
	}
	if of, what := r.whose(words); of != "" {
		return of, what
	}
	first := lexis.Fold(words[0])
	if n := len(words); r.german && n > 2 && genitives[lexis.Fold(words[n-2])] { // Vorsitzender unseres Vereins
		return r.owned(r.speaker, []string{strings.TrimSuffix(words[n-1], "s")}), words[:n-2]
	}
	if name, ok := strings.CutSuffix(words[0], "s"); ok && r.german && len(words) == 2 && capital(name) && capital(words[1]) &&
		len(name) > 2 && !definite[first] && !lexis.Kin(lexis.Fold(name)) { // Maras Hebamme
		return name, words[1:]
	}
	if f := strings.TrimSuffix(first, "s"); lexis.Kin(f) && f != first && len(words) == 2 && capital(words[0]) { // Opas Leibgericht
		return r.owned(r.speaker, []string{f}), words[1:]
	}
	if !definite[first] {
		words = append([]string{"the"}, words...)
	}
	for i := 2; i+1 < len(words) && i < 5; i++ {
		switch f := lexis.Fold(words[i]); f {
		case "der", "des", "vom":
			if rest := words[i+1:]; r.german && len(rest) == 1 && capital(rest[0]) { // der Trainer der Mannschaft
				return strings.TrimSuffix(rest[0], "s"), words[1:i]
			}
		case "of", "von", "de", "del", "for", "fur", "para":
			rest := words[i+1:]
			if f == "del" {
				rest = append([]string{"el"}, rest...)
			}
			if last := lexis.Fold(rest[len(rest)-1]); len(rest) < 4 && (ownings[lexis.Fold(rest[0])] || definite[lexis.Fold(rest[0])]) &&
				r.thingly(last) && !slices.ContainsFunc(rest[1:], capital) {
				return r.name(rest, false), words[1:i]
			}
			if definite[lexis.Fold(rest[0])] && len(rest) > 1 {
				rest = rest[1:]
			}
			if proper(rest) {
				return r.name(rest, false), words[1:i]
			}
			return "", nil
		}
	}
	return "", nil
}

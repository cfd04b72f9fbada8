package navigate

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/trust"
	"github.com/reverie-memory/reverie/vault"
)

// A topic is what a section is about, as far as the navigation weighs it.
type topic int

const (
	other topic = iota
	about       // home, work, family, …
	health
	preference
	decision
)

// topicOf knows the sections that dreams make, and close names that a person may give. The top of a page says who or what it is.
func topicOf(section string) topic {
	switch strings.ToLower(strings.TrimSpace(section)) {
	case "", "home", "work", "job", "career", "study", "family", "pets", "friends",
		"people", "identity", "life", "about", "profile", "personal":
		return about
	case "health", "allergies", "medical", "diet":
		return health
	case "preferences", "preference", "likes", "tastes", "habits":
		return preference
	case "decisions", "decision":
		return decision
	}
	return other
}

// Gloss says in at most max runes what a page is about, from its newest and most telling statements: one or two, and a task that is
// open. names are the page's title and other names: as the subject of a statement they are left out.
func Gloss(lines []Line, limit int, names ...string) string {
	type part struct {
		Line
		rank int
	}
	var parts []part
	for _, l := range lines {
		if l.Done || strings.TrimSpace(l.Text) == "" {
			continue
		}
		p := part{Line: l}
		switch t := topicOf(l.Section); {
		case l.Task:
			p.rank = 1
		case t == decision || t == about || t == health:
			p.rank = 3
		case t == preference:
			p.rank = 2
		}
		rest, about := dropSubject(l.Text, names)
		_, _, akin := relative(l.Text, names)
		switch {
		case about && defines().MatchString(rest) && !keen().MatchString(rest), akin:
			p.rank += 4
		case about && p.rank == 3 && len(l.Sources) > 0 && !lasting(rest):
			p.rank--
			if topicOf(l.Section) != decision { // a hobby says more of somebody than what they did once
				p.rank--
			}
		case about && p.rank == 0 && len(l.Sources) > 0 && !strings.EqualFold(l.Section, "facts") && lasting(rest):
			p.rank += 2
		case len(names) > 0 && len(l.Sources) > 0 && !l.Task && !about: // "With John's help she made it" tells little of John
			p.rank -= 2
		}
		if p.rank > 0 && len(l.Sources) > 0 && !l.Task && vague(l.Text) {
			p.rank--
		}
		switch s := strings.ToLower(l.Section); {
		case s == "feelings" || s == "pictures":
			p.rank -= 2
		case s == "plans" && l.Task && len(l.Sources) > 0:
			if _, dated := dueDate(l.Text, l.At); !dated {
				p.rank = -1
			}
		}
		if !l.Trusted {
			p.rank -= 6
		}
		parts = append(parts, p)
	}
	slices.SortStableFunc(parts, func(a, b part) int {
		return cmp.Or(cmp.Compare(b.rank, a.rank), cmp.Compare(b.At, a.At))
	})
	var facts, tasks []string
	used := 0
	for _, p := range parts {
		if p.Task && (len(tasks) == 1 || len(facts) > 0 && p.rank < 0) ||
			!p.Task && (len(facts) == 2 || len(facts) > 0 && p.rank <= 0) ||
			trust.Bar(trust.Said{Text: p.Text, Loose: !p.Trusted}, trust.Memory) != "" {
			continue
		}
		s := phrase(p.Line, names)
		if slices.Contains(facts, s) {
			continue
		}
		n := utf8.RuneCountInString(s)
		if used > 0 && used+2+n > limit {
			continue
		}
		if used == 0 && n > limit {
			if i := reason().FindStringIndex(s); i != nil { // what is so says more than why
				s = s[:i[0]]
			}
			s = cut(s, limit)
			n = utf8.RuneCountInString(s)
		}
		used += n + min(used, 2)
		if p.Task {
			tasks = append(tasks, s)
		} else {
			facts = append(facts, s)
		}
		if len(facts)+len(tasks) == 3 {
			break
		}
	}
	sep := ", "
	if slices.ContainsFunc(facts, func(s string) bool { return strings.ContainsAny(s, ",;") }) ||
		len(facts) > 1 && upperFirst(facts[1]) == facts[1] {
		sep = "; "
	}
	return strings.Join(append([]string{strings.Join(facts, sep)}[:min(1, len(facts))], tasks...), "; ")
}

// defines tells a statement that says what its subject is: "is our invoicing app".
var defines = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:is|are) (?:the |a |an |our |my |\p{Lu}\p{L}*(?: \p{Lu}\p{L}*)?'s )[\p{L}-]+`)
})

// keen tells what somebody likes, which is not who they are.
var keen = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^is (?:a|an|the)(?: [a-z]+){0,2} (?:fan|lover|sucker|part|bit|lot|little|proponent|member)\b`)
})

var reason = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`,? (?:because|so that|since|although|weil|porque) `) })

// speaks tells a name that somebody's own words follow.
var speaks = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\p{Lu}[\p{L}'-]*(?: \p{Lu}[\p{L}'.-]*){0,2}$`)
})

var (
	switched = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:has )?(?:switched|migrated|moved|changed) (?:from .+? )?to ([^,;]+?)(?: (?:because|so that` +
			`|since|as|due to|after|when|to)\b.*)?$`)
	})
	fromTo   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:has )?(?:switched|migrated)|\bfrom .+ to `) })
	relation = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^is the ([a-z]+(?:[- ][a-z]+)?) of (\p{Lu}[\p{L}'-]*(?: \p{Lu}[\p{L}'-]*)?)$`)
	})
	movedHome = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:has )?(?:just |recently )?moved (?:from .+? )?to (\p{Lu}[\p{L}'-]*(?:,? \p{Lu}[\p{L}'-]*){0,2})$`)
	})
	doBy = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(\p{Lu}\p{Ll}+) (?:the|our|my|your|a|an) ((?:[\p{L}\p{N}'-]+ ){1,4}?)(?:(?:to|into|onto|from` +
			`|on|for|with|in|at|over) [^,;]*? ?)??((?:by|before|until|on) (?:\p{L}+ )?(?:\d.*|\p{L}+))$`)
	})
	nameThere = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\b(?:to|into|onto|from|on|for|with|in|at|over|and|of)\b`)
	})
)

// phrase says a statement of a page in few words: without the subject where that is the page, and a change as what it led to.
func phrase(l Line, names []string) string {
	text := strings.TrimRight(claim(unpictured(l.Text)), ".")
	if l.Task {
		if m := doBy().FindStringSubmatch(text); m != nil && !nameThere().MatchString(m[2]) {
			return strings.TrimSpace(m[2]) + " to " + strings.ToLower(m[1]) + " " + m[3]
		}
		return "to do: " + text
	}
	if head, rest, ok := strings.Cut(text, ": "); ok && (slices.Contains(names, head) || speaks().MatchString(head) && mentions(rest, names)) {
		text = rest // "Alice: Meine Schwester Noor wohnt in Oslo" on the page of either
	}
	if who, rest, ok := relative(text, names); ok {
		return who + ", " + strings.TrimPrefix(rest, "is ")
	}
	rest, ok := dropSubject(text, names)
	if !ok {
		return text
	}
	if m := movedHome().FindStringSubmatch(rest); m != nil && topicOf(l.Section) == about && strings.EqualFold(l.Section, "home") {
		return "lives in " + m[1]
	}
	if m := switched().FindStringSubmatch(rest); m != nil && l.At != "" && fromTo().MatchString(rest) &&
		utf8.RuneCountInString(m[1]) <= 40 && !strings.EqualFold(l.Section, "home") {
		return m[1] + " since " + longDay(l.At)
	}
	if m := relation().FindStringSubmatch(rest); m != nil {
		return m[2] + "'s " + m[1]
	}
	rest = strings.TrimPrefix(rest, "also ")
	for _, verb := range []string{"is ", "are "} {
		if s, cut := strings.CutPrefix(rest, verb); cut {
			return s
		}
	}
	return rest
}

var picture = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\s*\(picture: [^()]*\)`) })

// unpictured leaves out what a picture showed that came with a message: it makes a long line and is no claim.
func unpictured(s string) string { return picture().ReplaceAllString(s, "") }

// dropSubject takes a name of the page off the start of a statement.
func dropSubject(text string, names []string) (string, bool) {
	rest := text
	for _, article := range []string{"The ", "the ", "Our ", "our "} {
		rest = strings.TrimPrefix(rest, article)
	}
	long := slices.Clone(names)
	slices.SortStableFunc(long, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	for _, name := range long {
		if name == "" || len(rest) <= len(name) || !strings.EqualFold(rest[:len(name)], name) {
			continue
		}
		tail := rest[len(name):]
		if strings.HasPrefix(tail, " and ") { // others are the subject too
			return text, false
		}
		for _, s := range []string{"'s ", "’s "} {
			if t, ok := strings.CutPrefix(tail, s); ok {
				return t, true
			}
		}
		t := strings.TrimLeft(tail, " ")
		r, _ := utf8.DecodeRuneInString(t)
		if len(t) < len(tail) && unicode.IsLower(r) { // a verb; "Billing UI is …" speaks of something else
			return t, true
		}
	}
	return text, false
}

// longDay is a day as people write it: 9 June 2026.
func longDay(d vault.Day) string {
	t := d.Time()
	if t.IsZero() {
		return string(d)
	}
	return t.Format("2 January 2006")
}

// upperFirst makes a phrase start a line.
func upperFirst(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if first, _, _ := strings.Cut(s, " "); n == 0 || strings.ToLower(first) != first { // iPhone stays
		return s
	}
	return string(unicode.ToUpper(r)) + s[n:]
}

package derive

import (
	"regexp"
	"strings"
	"sync"

	"github.com/reverie-memory/reverie/graph"
	"github.com/reverie-memory/reverie/lexis"
)

// inBrackets is a name with words in brackets behind it.
var inBrackets = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(properName + ` \(([\p{L}'’. -]+)\)`) })

// fullMark stands in a sentence for a name with what is in brackets behind it, and a letter for which one; no language has such a word.
const fullMark = "Tqzf"

// A full name has what tells it from others in brackets.
type fullName struct{ name, role, of string } // role is what somebody is to whom; "" for other words

// bracketed puts marks in a sentence for full names: Anna (accounting), Anna (Marek's sister). An abbreviation goes, other brackets stay.
func (r *reader) bracketed(text string) string {
	if !strings.Contains(text, " (") {
		return text
	}
	return inBrackets().ReplaceAllStringFunc(text, func(whole string) string {
		m := inBrackets().FindStringSubmatch(whole)
		if strings.ToUpper(m[2]) == m[2] && !strings.Contains(m[2], " ") {
			return m[1]
		}
		lead, name := "", m[1]
		for { // Yesterday Anna
			first, rest, more := strings.Cut(name, " ")
			if !more || !lexis.IsStop(lexis.Fold(first)) {
				break
			}
			lead, name = lead+first+" ", rest
		}
		full := r.distinct(name, strings.Fields(m[2]))
		if full.name == "" || len(r.full) == 26 || lexis.IsStop(lexis.Fold(name)) {
			return whole
		}
		r.full = append(r.full, full)
		return lead + fullMark + string(rune('a'+len(r.full)-1))
	})
}

// distinct is a name with what tells it from others; none where the words do not.
func (r *reader) distinct(name string, words []string) (full fullName) {
	for i, w := range words[:min(len(words), 2)] {
		of, ok := owner(w)
		if i == 0 && ownings[lexis.Fold(w)] {
			of, ok = r.speaker, true
		} else if ok {
			of = strings.Join(append(words[:i:i], of), " ")
		}
		last := lexis.Fold(words[len(words)-1])
		if role := core().people[last]; ok && of != "" && i+1 < len(words) && role != "" {
			return fullName{graph.Qualified(name, of+"'s "+last), role, of}
		}
	}
	for len(words) > 1 && (words[0] == "from" || words[0] == "aus" || definite[lexis.Fold(words[0])]) {
		words = words[1:]
	}
	if len(words) == 0 || len(words) > 3 {
		return full
	}
	for _, w := range words {
		if f := lexis.Fold(w); lexis.IsStop(f) || remarks[f] || doubts[f] || former[f] || strings.HasSuffix(f, "ly") || f == timeMark {
			return full
		}
	}
	return fullName{name: graph.Qualified(name, strings.Join(words, " "))}
}

// remarks are words in brackets that tell nobody from others.
var remarks = lexis.Set(`nee née geborene nacida aged retired deceased late aka alias now soon again too yay lol sadly hurray no yes not
	jetzt bald wieder leider ahora pronto aun`)

// inFull puts the names back that marks stand for.
func (r *reader) inFull(name string) string {
	if !strings.Contains(name, fullMark) {
		return name
	}
	for i, full := range r.full {
		name = strings.ReplaceAll(name, fullMark+string(rune('a'+i)), full.name)
	}
	return strings.ReplaceAll(name, ") (", ", ") // my sister Anna (accounting)
}

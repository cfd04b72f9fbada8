package navigate

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"

	claims "github.com/reverie-memory/reverie/dream/claim"
	"github.com/reverie-memory/reverie/dream/start"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/vault"
)

// standing leaves out what a later claim ends, corrects or contradicts, of the same page or on whichever page it gives what there is one
// of, and makes that claim worth as much: who no longer takes a pill must not be said to take it. The oldest come first, so that the order
// of the list makes no difference.
func standing(list []memoryClaim) []memoryClaim {
	slices.SortFunc(list, func(a, b memoryClaim) int { return cmp.Or(cmp.Compare(a.at, b.at), byRank(a, b)) })
	older, over := map[string][]int{}, map[int]bool{} // by what those have in common of whom one may end the other
	for i := range list {
		t := &list[i]
		if t.said == nil {
			continue
		}
		keys := slices.Clone(t.said.Keys())
		for k, key := range keys {
			if keys[k] = t.of + "/" + key; claims.OneAttribute(key) {
				keys[k] = key
			}
			for _, o := range older[keys[k]] {
				if old := &list[o]; t.at > old.at && !over[o] && claims.Compare(old.said, t.said) >= claims.Correction {
					over[o], t.worth = true, max(t.worth, old.worth)
				}
			}
		}
		for _, key := range keys {
			older[key] = append(older[key], i)
		}
	}
	out := list[:0]
	for i := range list {
		if !over[i] {
			out = append(out, list[i])
		}
	}
	return out
}

// saidAgain makes a claim worth less by as many of its words as one later claim of the same page has as well: it was said anew, or has been
// overtaken.
func saidAgain(list []memoryClaim) {
	pages := map[string][]*memoryClaim{}
	for i := range list {
		pages[string(list[i].path)] = append(pages[string(list[i].path)], &list[i])
	}
	for _, page := range pages {
		for _, t := range page {
			if t.seen == (start.Sight{}) || len(t.terms) == 0 {
				continue
			}
			most := 0
			for _, later := range page {
				if n := 0; later.at > t.at {
					for w := range t.terms {
						if _, ok := later.terms[w]; ok {
							n++
						}
					}
					most = max(most, n)
				}
			}
			before := t.seen.Odds()
			t.seen.Again = float64(most) / float64(len(t.terms))
			t.worth += t.seen.Odds() - before
		}
	}
}

// repeats tells whether two thirds of the words of the shorter claim are in the other, all its names among them, or that both give what
// there is one of. Where but one word stands for another, as in sister and brother, they are two claims.
func (t memoryClaim) repeats(better memoryClaim) bool {
	if t.only != "" && t.only == better.only {
		return true
	}
	few, many := t.terms, better.terms
	if len(few) > len(many) {
		few, many = many, few
	}
	shared := 0
	for w, special := range few {
		if _, ok := many[w]; ok {
			shared++
		} else if special {
			return false
		}
	}
	return shared >= 3 && 3*shared >= 2*len(few) && !oneOther(t.words, better.words)
}

// oneOther tells whether two lists are alike but for one word of each in the same place.
func oneOther(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	n := 0
	for i := range a {
		if a[i] != b[i] {
			n++
		}
	}
	return n == 1
}

// termsOf are the words of a claim that mean something, and whether each is a name or has a digit: two lessons with two teachers are two.
func termsOf(text string) (out map[string]bool, words []string) {
	if _, words, ok := vault.CutQuote(text); ok {
		text = words
	}
	out = map[string]bool{}
	for i, field := range strings.Fields(text) {
		special := i > 0 && strings.ToLower(field) != field && !strings.HasPrefix(field, "I'") && field != "I"
		for _, w := range lexis.Terms(field) {
			out[w] = special || strings.ContainsAny(w, "0123456789")
			words = append(words, w)
		}
	}
	return out, words
}

// minMessage is how many bytes a message has by which two quotations are known to join the same one.
const minMessage = 24

// messagesOf are the longer messages of the speaker that a quotation joins, in small letters: two that follow one another may share one.
func messagesOf(text string) (out []string) {
	_, words, ok := vault.CutQuote(text)
	if !ok {
		return nil
	}
	for m := range strings.SplitSeq(words, vault.Next) {
		if m = strings.TrimRight(strings.ToLower(m), ".!?… "); len(m) >= minMessage {
			out = append(out, m)
		}
	}
	return out
}

// joins tells whether two quotations have a message in common.
func (t memoryClaim) joins(other memoryClaim) bool {
	return slices.ContainsFunc(t.messages, func(m string) bool { return slices.Contains(other.messages, m) })
}

// adds tells whether a claim says something that another does not.
func (t memoryClaim) adds(other memoryClaim) bool {
	return slices.ContainsFunc(t.words, func(w string) bool { _, ok := other.terms[w]; return !ok })
}

// only finds what somebody has one of at a time, and which no attribute of [claims] is: where they are from, and what they study; or what
// they do not eat, which is said in many ways.
var only = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^is (?:[a-z]+ly )*(from|majoring in) |^(?:(?:does not|doesn't|can't|can ?not|never) eats? (?:any )?|` +
		`avoids (?:eating )?)([\pL -]+?)(?:$|[,.;(]| because| since| at all| any ?more| products)`)
})

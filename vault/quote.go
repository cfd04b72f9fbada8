package vault

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Next stands between two messages of the speaker that a quotation joins.
const Next = " … "

// maxQuoted is the length in bytes of the longest name before a quotation.
const maxQuoted = 80

// Quote is the text of a fact that keeps the speaker's own words: `Joanna: "I'm allergic to most reptiles"`. Quotation marks within the
// words become single ones, so that the text has one beginning and one end of a quotation. What stands in square brackets within the
// words was put there by whoever quoted, as an absolute date behind a relative one.
func Quote(name, words string) string {
	return name + `: "` + inQuote.Replace(strings.TrimSpace(words)) + `"`
}

var (
	inQuote    = strings.NewReplacer(`"`, "'", "“", "'", "”", "'")
	inBrackets = strings.NewReplacer("[", "(", "]", ")", "\n", " ")
)

// Heard is what another said before the words of a quotation, as it stands within them: `Dell: "[Margo: How old is he now?] Thirteen"`.
func Heard(name, words string) string {
	return "[" + inBrackets.Replace(name) + ": " + inBrackets.Replace(words) + "]"
}

// CutQuote gives the name and the words of a text that [Quote] made, without those of others that [Heard] put there. Of any other text it
// returns ok == false.
func CutQuote(text string) (name, words string, ok bool) {
	if name, words, ok = CutTalk(text); ok {
		words = cmp.Or(unheard(words), words)
	}
	return name, words, ok
}

// unheard is words without those of others, which stand before the words of a message: at the front, behind each other, and behind what
// the speaker said before. Other brackets are the speaker's own.
func unheard(words string) string {
	parts := strings.Split(words, Next)
	for i, p := range parts {
		for {
			inner, after, closed := strings.Cut(strings.TrimPrefix(p, "["), "]")
			if !closed || p[0] != '[' || !strings.Contains(inner, ": ") || strings.HasPrefix(inner, "redacted") {
				break
			}
			p = strings.TrimPrefix(after, " ")
		}
		parts[i] = p
	}
	return strings.TrimSpace(strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), Next))
}

// CutTalk is CutQuote with the words of others in their brackets.
func CutTalk(text string) (name, words string, ok bool) {
	name, rest, ok := strings.Cut(text, `: "`)
	if !ok || name == "" || len(name) > maxQuoted || strings.ContainsAny(name, "\"\n") || !utf8.ValidString(name) {
		return "", "", false
	}
	words, ok = strings.CutSuffix(rest, `"`)
	if !ok || words == "" || strings.Contains(words, `"`) {
		return "", "", false
	}
	return name, words, true
}

// How many bytes of the same messages tell that two quotations are of one conversation: that one ends as the other begins, or holds it
// whole, which is likelier by chance.
const (
	minShared = 20
	minWhole  = 60
)

// JoinQuotes makes one quotation of two of the same speaker, where second goes on with the messages that first ends with, or begins with
// all of it: what both have stands once, with the words of others before it where either has them. ok is false where it does not.
func JoinQuotes(first, second string) (text string, ok bool) {
	name, words, ok := CutTalk(first)
	other, more, also := CutTalk(second)
	if !ok || !also || !strings.EqualFold(name, other) {
		return "", false
	}
	a, b := strings.Split(words, Next), strings.Split(more, Next)
	for n := min(len(a), len(b)); n > 0; n-- {
		least := minShared
		if n == len(a) || n == len(b) {
			least = minWhole
		}
		if both, size := shared(a[len(a)-n:], b[:n]); size >= least {
			return Quote(name, strings.Join(slices.Concat(a[:len(a)-n], both, b[n:]), Next)), true
		}
	}
	return "", false
}

// maxWithin is of how many messages a quotation is taken apart.
const maxWithin = 16

// QuotesWithin are the quotations of which [JoinQuotes] may have made one: messages that stand behind each other in it, fewer than all, and
// those without what was said before the first. Of any other text there are none.
func QuotesWithin(text string) (out []string) {
	name, words, ok := CutTalk(text)
	parts := strings.Split(words, Next)
	if !ok || len(parts) < 2 || len(parts) > maxWithin {
		return nil
	}
	for from := range parts {
		own := unheard(parts[from])
		for to := from + 1; to <= len(parts); to++ {
			if to-from < len(parts) {
				out = append(out, Quote(name, strings.Join(parts[from:to], Next)))
			}
			if own != "" && own != parts[from] {
				out = append(out, Quote(name, strings.Join(append([]string{own}, parts[from+1:to]...), Next)))
			}
		}
	}
	return out
}

// shared gives messages that stand in two quotations, the fuller of each, and how many bytes of the speaker's own they have: 0 where they
// are not the same, or answer different things.
func shared(a, b []string) (both []string, size int) {
	for i := range a {
		x, y := strings.TrimRight(unheard(a[i]), ".!… "), strings.TrimRight(unheard(b[i]), ".!… ")
		heard, too := strings.TrimSuffix(a[i], unheard(a[i])), strings.TrimSuffix(b[i], unheard(b[i]))
		if !strings.EqualFold(x, y) || heard != "" && too != "" && heard != too {
			return nil, 0
		}
		size += len(x)
		if heard != "" || too == "" {
			both = append(both, a[i])
		} else {
			both = append(both, b[i])
		}
	}
	return both, size
}

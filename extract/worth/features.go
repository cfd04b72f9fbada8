package worth

import (
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/lexis"
)

// features collects the buckets of a sentence.
type features []uint16

const (
	offset = 2166136261
	prime  = 16777619
)

// add puts in the feature that consists of these parts.
func (f *features) add(parts ...string) {
	h := uint32(offset)
	for _, p := range parts {
		for i := range len(p) {
			h = (h ^ uint32(p[i])) * prime
		}
		h = (h ^ 0x1F) * prime
	}
	h ^= h >> 15
	*f = append(*f, uint16(h%Buckets))
}

// flag puts in a feature where it holds, alone and with the subject of the sentence.
func (f *features) flag(holds bool, name, subject string) {
	if holds {
		f.add("flag", name)
		f.add("flag", name, subject)
	}
}

// Features returns the buckets of a sentence in rising order, each once.
func Features(sentence string) []uint16 {
	ts := tokens(sentence)
	f := make(features, 0, 6*len(ts)+80)
	before, last := token{}, token{}
	for _, t := range ts {
		f.add("stem", lexis.Stem(t.word))
		f.add("pair", last.class, t.class)
		f.add("mixed", last.class, t.form)
		f.add("forms", before.form, last.form, t.form)
		before, last = last, t
	}
	f.shape(sentence, ts)
	slices.Sort(f)
	return slices.Compact(f)
}

// shape adds what the sentence is like as a whole.
func (f *features) shape(sentence string, ts []token) {
	subject := subjectOf(ts)
	f.add("subject", subject)
	start := [4]string{"start"}
	for i := range min(3, len(ts)) {
		start[i+1] = ts[i].class
		f.add(start[:i+2]...)
	}
	count := map[string]int{}
	noun, dangling := false, false // a thing was named that a pronoun may stand for; one came before any
	determined := false            // the word before is my, a or the like
	for _, t := range ts {
		count[t.kind]++
		count[t.rarity]++
		dangling = dangling || t.kind == "third" && !noun
		noun = noun || t.kind == "name" || determined && t.rarity != "function"
		determined = t.word == "my" || t.word == "our" || t.word == "a" || t.word == "an"
	}
	for _, k := range kindNames {
		f.flag(count[k] > 0, k, subject)
		f.add("count", k, string(rune('0'+min(count[k], 2))))
	}
	f.flag(dangling, "dangling", subject)
	f.flag(strings.HasSuffix(sentence, "!"), "cries", subject)
	f.flag(strings.ContainsRune(sentence, '?'), "asks", subject)
	f.flag(strings.ContainsAny(sentence, "`{}<>\\|="), "signs", subject)
	content, rare := count["rare"]+count["usual"]+count["common"], count["rare"]
	specific := rare + count["name"] + count["number"] + count["year"] + count["month"]
	f.add("words", bucket(len(ts)))
	f.add("content", bucket(content))
	f.add("content", bucket(content), subject)
	f.add("rare", bucket(rare))
	f.add("specific", bucket(specific), subject)
}

// bucket tells small numbers apart and larger ones roughly.
func bucket(n int) string {
	switch {
	case n < 6:
		return string(rune('0' + n))
	case n < 9:
		return "6+"
	case n < 14:
		return "9+"
	case n < 22:
		return "14+"
	}
	return "22+"
}

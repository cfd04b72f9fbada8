package worth

import (
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/internal/linear"
	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/lexis"
)

// What a feature is about. The numbers keep features apart; the weights depend on their order.
const (
	byStem = iota
	byPair
	byMixed
	byForms
	byConcept
	byConceptAndSubject
	byConceptBehind
	byFlag
	byFlagAndSubject
	byCount
	bySubject
	byStart
	byWords
	byContent
	byContentAndSubject
	byRare
	bySpecific
)

// features collects the buckets of a sentence.
type features []uint32

// add puts in the feature that consists of these parts.
func (f *features) add(parts ...uint32) { *f = append(*f, uint32(linear.Hash(parts...)>>(64-bits))) }

// flag puts in a feature that holds, alone and with the subject of the sentence.
func (f *features) flag(name, subject uint32) {
	f.add(byFlag, name)
	f.add(byFlagAndSubject, name, subject)
}

// kindNumbers are the numbers of the kinds in their order.
var kindNumbers = slice.Map(kindNames, linear.Part)

// Features returns the buckets of a sentence in rising order, each once.
func Features(sentence string) []uint32 {
	f := buckets(sentence)
	slices.Sort(f)
	return f
}

// buckets are those of a sentence, each once, in the order of its words.
func buckets(sentence string) []uint32 {
	ts := tokens(sentence)
	f := make(features, 0, 7*len(ts)+80)
	subject := linear.Part(subjectOf(ts))
	var before, last, class, form uint32 // the forms of the two words before, and the class of the one before
	for _, t := range ts {
		before, last, form = last, form, linear.Part(t.form)
		this := linear.Part(t.class)
		f.add(byStem, linear.Part(t.stem))
		f.add(byPair, class, this)
		f.add(byMixed, class, form)
		f.add(byForms, before, last, form)
		if t.rarity != "function" {
			for _, c := range lexis.Concepts(t.stem) {
				f.add(byConcept, c)
				f.add(byConceptAndSubject, c, subject)
				f.add(byConceptBehind, class, c)
			}
		}
		class = this
	}
	f.shape(sentence, ts, subject)
	var seen [Buckets / 64]uint64
	return slices.DeleteFunc(f, func(b uint32) bool {
		again := seen[b/64]>>(b%64)&1 == 1
		seen[b/64] |= 1 << (b % 64)
		return again
	})
}

// shape adds what the sentence is like as a whole.
func (f *features) shape(sentence string, ts []token, subject uint32) {
	f.add(bySubject, subject)
	start := [4]uint32{byStart}
	for i := range min(3, len(ts)) {
		start[i+1] = linear.Part(ts[i].class)
		f.add(start[:i+2]...)
	}
	content, rare := 0, 0
	noun, dangling := false, false // a thing was named that a pronoun may stand for; one came before any
	determined := false            // the word before is my, a or the like
	for _, t := range ts {
		switch t.rarity {
		case "rare":
			rare++
			content++
		case "usual", "common":
			content++
		}
		dangling = dangling || t.kind == "third" && !noun
		noun = noun || t.kind == "name" || determined && t.rarity != "function"
		determined = t.word == "my" || t.word == "our" || t.word == "a" || t.word == "an"
	}
	specific := rare
	for i, k := range kindNames {
		n, name := 0, kindNumbers[i]
		for j := range ts {
			if ts[j].kind == k {
				n++
			}
		}
		f.add(byCount, name, uint32(min(n, 2)))
		if n > 0 {
			f.flag(name, subject)
		}
		if k == "name" || k == "number" || k == "year" || k == "month" {
			specific += n
		}
	}
	for _, flag := range [...]struct {
		holds bool
		name  string
	}{
		{dangling, "dangling"},
		{strings.HasSuffix(sentence, "!"), "cries"},
		{strings.ContainsRune(sentence, '?'), "asks"},
		{strings.ContainsAny(sentence, "`{}<>\\|="), "signs"},
	} {
		if flag.holds {
			f.flag(linear.Part(flag.name), subject)
		}
	}
	f.add(byWords, size(len(ts)))
	f.add(byContent, size(content))
	f.add(byContentAndSubject, size(content), subject)
	f.add(byRare, size(rare))
	f.add(bySpecific, size(specific), subject)
}

// size tells small numbers apart and larger ones roughly.
func size(n int) uint32 {
	switch {
	case n < 6:
		return uint32(n)
	case n < 9:
		return 6
	case n < 14:
		return 9
	case n < 22:
		return 14
	}
	return 22
}

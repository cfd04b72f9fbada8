package sense

import (
	"math/bits"
	"slices"

	"github.com/reverie-memory/reverie/internal/linear"
	"github.com/reverie-memory/reverie/lexis"
)

// features collects the buckets of a statement.
type features []uint32

// add puts in the feature that consists of these parts.
func (f *features) add(parts ...uint32) { *f = append(*f, linear.Feature(parts...)) }

// number makes a part of a feature from a string.
func number(s string) uint32 {
	h := uint32(2166136261) // FNV-1a
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return h
}

// What a feature is about, and the sides that it may be about.
var (
	bySubject, byStem, byPair, byStart, byCue, byCues, byWho = number("subject"), number("stem"), number("pair"), number("start"),
		number("cue"), number("cues"), number("who")
	byFirst, bySkip, byConcept, byPiece = number("first"), number("skip"), number("concept"), number("piece")

	counts = [...]uint32{number("0"), number("1"), number("2")}
	bySide = func() (all [Count]uint32) {
		for s, name := range names {
			all[s] = number(name)
		}
		return all
	}()
)

// Features returns the buckets of a statement in rising order, each once.
func Features(statement string) []uint32 {
	ts := tokens(statement)
	f := make(features, 0, 16*len(ts)+16)
	none, who := number(""), number(subject(ts))
	f.add(bySubject, who)
	last, content, first, cue := none, none, true, none
	var count [Count]int
	for i, t := range ts {
		stem, class := number(t.stem), number(t.class)
		f.add(byStem, stem)
		f.add(byPair, last, class)
		if i < 3 {
			f.add(byStart, class)
		}
		for cues := t.cues; cues != 0; cues &= cues - 1 {
			s := bits.TrailingZeros32(cues)
			if count[s]++; count[s] < len(counts) {
				f.add(byCue, bySide[s], counts[count[s]])
			}
			f.add(byPair, last, bySide[s])
			f.add(byCues, cue, bySide[s])
			f.add(byWho, who, bySide[s])
		}
		if t.cues != 0 {
			cue = bySide[bits.TrailingZeros32(t.cues)]
		}
		if last = class; lexis.IsStop(t.word) || t.class[0] == '#' {
			continue
		}
		if first {
			first = t.stem == ""
			f.add(byFirst, stem)
		}
		f.add(bySkip, content, stem)
		content = stem
		for _, c := range lexis.Concepts(t.stem) {
			f.add(byConcept, c)
		}
		f.pieces(t.word)
	}
	slices.Sort(f)
	return slices.Compact(f)
}

// pieces adds the parts of a word, by which words are known that no sentence had.
func (f *features) pieces(word string) {
	w := "^" + word + "$"
	for i := 0; i+4 <= len(w); i++ {
		f.add(byPiece, number(w[i:i+4]))
		f.add(byPiece, number(w[i:min(i+5, len(w))]))
	}
}

// subject is who or what a statement begins with: whoever speaks, somebody of theirs, or a name.
func subject(ts []token) string {
	for i, t := range ts[:min(len(ts), 8)] {
		switch {
		case t.class == me, t.class == "#name":
			return t.class
		case t.class == my && i+1 < len(ts):
			return my + ts[i+1].kind()
		}
	}
	return ""
}

package sense

import (
	"math/bits"

	"github.com/reverie-memory/reverie/internal/linear"
	"github.com/reverie-memory/reverie/lexis"
)

// features are the buckets of a statement, a bit each: a long word has more features than there are buckets.
type features [linear.Buckets / 64]uint64

// add puts in the feature that consists of these parts.
func (f *features) add(parts ...uint32) {
	bucket := linear.Feature(parts...)
	f[bucket/64] |= 1 << (bucket % 64)
}

// list returns the buckets in rising order.
func (f *features) list() []uint32 {
	n := 0
	for _, word := range f {
		n += bits.OnesCount64(word)
	}
	out := make([]uint32, 0, n)
	for i, word := range f {
		for ; word != 0; word &= word - 1 {
			out = append(out, uint32(i*64+bits.TrailingZeros64(word)))
		}
	}
	return out
}

// What a feature is about, and the sides that it may be about.
var (
	bySubject, byStem, byPair, byStart  = linear.Part("subject"), linear.Part("stem"), linear.Part("pair"), linear.Part("start")
	byCue, byCues, byWho                = linear.Part("cue"), linear.Part("cues"), linear.Part("who")
	byFirst, bySkip, byConcept, byPiece = linear.Part("first"), linear.Part("skip"), linear.Part("concept"), linear.Part("piece")

	counts = [...]uint32{linear.Part("0"), linear.Part("1"), linear.Part("2")}
	bySide = func() (all [Count]uint32) {
		for s, name := range names {
			all[s] = linear.Part(name)
		}
		return all
	}()
)

// Features returns the buckets of a statement in rising order, each once.
func Features(statement string) []uint32 {
	ts := tokens(statement)
	var f features
	none, who := linear.Part(""), linear.Part(subject(ts))
	f.add(bySubject, who)
	last, content, first, cue := none, none, true, none
	var count [Count]int
	for i, t := range ts {
		stem, class := linear.Part(t.stem), linear.Part(t.class)
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
	return f.list()
}

// pieces adds the parts of a word, by which words are known that no sentence had.
func (f *features) pieces(word string) {
	w := "^" + word + "$"
	for i := 0; i+4 <= len(w); i++ {
		four := linear.Part(w[i : i+4])
		f.add(byPiece, four)
		if i+5 <= len(w) {
			f.add(byPiece, linear.PartOf(four, w[i+4]))
		}
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

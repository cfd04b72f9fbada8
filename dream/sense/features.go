package sense

import (
	"math/bits"
	"slices"

	"github.com/reverie-memory/reverie/internal/linear"
	"github.com/reverie-memory/reverie/lexis"
)

// features collects the buckets of a statement.
type features []uint16

func (f *features) add(parts ...string) {
	var sums [3]uint32
	for i, p := range parts {
		sums[i] = number(p)
	}
	*f = append(*f, linear.Feature(sums[:len(parts)]...))
}

// number makes a part of a feature from a string.
func number(s string) uint32 {
	h := uint32(2166136261) // FNV-1a
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return h
}

// Features returns the buckets of a statement in rising order, each once.
func Features(statement string) []uint16 {
	ts := tokens(statement)
	f := make(features, 0, 12*len(ts)+16)
	who := subject(ts)
	f.add("subject", who)
	last, content, first, cue := "", "", "", ""
	var count [Count]int
	for i, t := range ts {
		f.add("stem", t.stem)
		f.add("pair", last, t.class)
		if i < 3 {
			f.add("start", t.class)
		}
		for s := range Count {
			if t.cues&(1<<s) == 0 {
				continue
			}
			if count[s]++; count[s] < 3 {
				f.add("cue", names[s], string(rune('0'+count[s])))
			}
			f.add("pair", last, names[s])
			f.add("cues", cue, names[s])
			f.add("who", who, names[s])
		}
		if t.cues != 0 {
			cue = names[bits.TrailingZeros32(t.cues)]
		}
		if last = t.class; lexis.IsStop(t.word) || t.class[0] == '#' {
			continue
		}
		if first == "" {
			first = t.stem
			f.add("first", first)
		}
		f.add("skip", content, t.stem)
		content = t.stem
		for _, c := range lexis.Concepts(t.stem) {
			f = append(f, linear.Feature(number("concept"), c))
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
		f.add("piece", w[i:i+4])
		f.add("piece", w[i:min(i+5, len(w))])
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

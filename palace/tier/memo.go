package tier

import (
	"hash/maphash"
	"sync/atomic"
)

// A judgement is what Classify said of a text, which is known by two hashes. A text is classified when it is filed and whenever its file is
// read.
type judgement struct {
	text [2]uint64
	of   Type
	sure float64
}

// judgements are those of recent texts: one place for each hash, the newest wins. The places are bounded, need no lock, and hold only what
// can be computed again.
var (
	judgements [1 << 16]atomic.Pointer[judgement]
	seeds      = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}
)

// Classify gives the type of a text by its words, and from 0 to 1 how sure that is. A text whose words say little is a fact.
func Classify(text string) (Type, float64) {
	key := [2]uint64{maphash.String(seeds[0], text), maphash.String(seeds[1], text)}
	place := &judgements[key[0]%uint64(len(judgements))]
	if j := place.Load(); j != nil && j.text == key {
		return j.of, j.sure
	}
	j := &judgement{text: key}
	j.of, j.sure = Judge(weights, text)
	place.Store(j)
	return j.of, j.sure
}

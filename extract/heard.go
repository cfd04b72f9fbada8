package extract

import (
	"hash/maphash"
	"sync"

	"github.com/reverie-memory/reverie/extract/thread"
)

// Heard keeps what the models see in the last sentences, but none of their text: the sentences of a message are looked at again with the
// next messages of the conversation. The zero value is empty, and nil keeps nothing. Its methods may be called from several goroutines.
type Heard struct {
	mu         sync.Mutex
	young, old map[heardKey]thread.Sentence // the old ones are dropped when the young ones are many
}

type heardKey struct {
	hash uint64
	asks bool
}

// heardCount is of how many sentences a Heard keeps what it has, and at most of as many again.
const heardCount = 512

var heardSeed = maphash.MakeSeed()

// sentence is what the models see in a sentence. Callers share it, and change nothing in it.
func (h *Heard) sentence(text string, asks bool) thread.Sentence {
	if h == nil || len(text) > maxSentence { // which would be many features to keep
		return thread.NewSentence(text, asks)
	}
	key := heardKey{maphash.String(heardSeed, text), asks}
	s, known := h.get(key)
	if !known {
		s = thread.NewSentence(text, asks)
	}
	h.put(key, s)
	return s
}

func (h *Heard) get(key heardKey) (s thread.Sentence, known bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if s, known = h.young[key]; !known {
		s, known = h.old[key]
	}
	return s, known
}

func (h *Heard) put(key heardKey, s thread.Sentence) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.young) >= heardCount || h.young == nil {
		h.old, h.young = h.young, map[heardKey]thread.Sentence{}
	}
	h.young[key] = s
}

package vault

import (
	"cmp"
	"hash/maphash"
	"slices"
	"sync"
)

// A memo knows the trails of texts of which nothing was forgotten, so that a text is looked up once and not by intake, by the index, by its
// next generation and again whenever something else is forgotten. A memo is for any goroutine. The zero memo is empty.
type memo struct {
	mu     sync.Mutex
	seeds  [2]maphash.Seed
	trails map[[2]uint64][]uint32 // by two hashes of the text, of what is asked about it, and of the rules of the look-ups
	size   int                    // marks in all
}

// maxMemo bounds the marks of a memo, to some 20 MB with what belongs to them. Past it a memo begins anew.
const maxMemo = 2 << 20

func (m *memo) find(rules, use, text string) (key [2]uint64, trail []uint32, known bool) {
	m.mu.Lock()
	if m.trails == nil || m.size > maxMemo {
		m.seeds, m.trails, m.size = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}, map[[2]uint64][]uint32{}, 0
	}
	seeds := m.seeds
	m.mu.Unlock()
	for i, seed := range seeds {
		var h maphash.Hash
		h.SetSeed(seed)
		for _, s := range []string{rules, use, text} {
			_, _ = h.WriteString(s)
			_ = h.WriteByte(0)
		}
		key[i] = h.Sum64()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	trail, known = m.trails[key]
	return key, trail, known
}

func (m *memo) keep(key [2]uint64, trail []uint32) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, known := m.trails[key]; !known {
		m.size += len(trail) + 8 // and the entry
	}
	m.trails[key] = slices.Clip(trail)
}

// once calls look, which looks a text up and says whether something of it was forgotten, unless the memo knows that nothing was.
func (t *Tombstones) once(use, text string, look func(*Tombstones) bool) {
	if t.memo == nil {
		look(t)
		return
	}
	key, marks, known := t.memo.find(t.rules, use, text)
	trail := Trail{marks}
	if !known || t.on(marks) {
		trail = Trail{}
		if !look(t.Along(&trail)) && len(trail.marks) <= maxTrail {
			t.memo.keep(key, trail.marks)
		}
	}
	if t.trail != nil {
		t.trail.Join(trail)
	}
}

// on says whether one of the marks may be of something that was forgotten.
func (t *Tombstones) on(marks []uint32) bool {
	return slices.ContainsFunc(marks, func(m uint32) bool {
		_, ok := slices.BinarySearchFunc(t.marks, m, func(s stoneMark, m uint32) int { return cmp.Compare(s.mark, m) })
		return ok
	})
}

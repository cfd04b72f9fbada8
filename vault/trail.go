package vault

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Trail notes what was looked up among tombstones to tell what of some texts may be shown: a mark for each look-up, which is a part of a
// keyed hash. Where a tombstone comes or goes whose mark is not on the trail, the texts are shown as they were. The zero Trail is empty.
type Trail struct{ marks []uint32 } // rising; one more than maxTrail: there were too many

// maxTrail bounds a trail. One with more marks stands for texts that hang on every tombstone.
const maxTrail = 2048

// markDigits is how many hexadecimal digits of a hash make a mark: 3 bytes, so that one file in thousands is concerned by chance.
const markDigits = 6

func markOf(hash string) uint32 {
	n, _ := strconv.ParseUint(hash[:min(markDigits, len(hash))], 16, 32)
	return uint32(n)
}

func (r *Trail) note(mark uint32) {
	if at, ok := slices.BinarySearch(r.marks, mark); !ok && len(r.marks) <= maxTrail {
		r.marks = slices.Insert(r.marks, at, mark)
	}
}

// Join adds what another trail notes.
func (r *Trail) Join(other Trail) {
	for _, m := range other.marks {
		r.note(m)
	}
}

// Has says whether one of the marks is on the trail; of one with too many it says yes.
func (r *Trail) Has(marks []uint32) bool {
	return len(r.marks) > maxTrail || slices.ContainsFunc(marks, func(m uint32) bool {
		_, ok := slices.BinarySearch(r.marks, m)
		return ok
	})
}

// Since lists the marks of what was forgotten or taken back since an earlier picture. ok is false where they do not tell all, because
// other look-ups are made now.
func (t *Tombstones) Since(before *Tombstones) (marks []uint32, ok bool) {
	if t == nil || before == nil || t.rules != before.rules {
		return nil, false
	}
	missing := func(of, in []stoneMark) {
		for _, m := range of {
			if _, known := slices.BinarySearchFunc(in, m, compareMarks); !known {
				marks = append(marks, m.mark)
			}
		}
	}
	missing(t.marks, before.marks)
	missing(before.marks, t.marks)
	return marks, true
}

func compareMarks(a, b stoneMark) int {
	return cmp.Or(cmp.Compare(a.mark, b.mark), cmp.Compare(a.hash, b.hash))
}

// String is the trail in letters, for [ParseTrail]; "" where it stands for texts that hang on every tombstone.
func (r *Trail) String() string {
	if len(r.marks) > maxTrail {
		return ""
	}
	raw := make([]byte, 0, 3*len(r.marks))
	for _, m := range r.marks {
		raw = append(raw, byte(m>>16), byte(m>>8), byte(m))
	}
	return "~" + base64.RawURLEncoding.EncodeToString(raw)
}

// ParseTrail reads what String gives. ok is false for what stands for texts that hang on every tombstone, and for what is no trail.
func ParseTrail(s string) (r Trail, ok bool) {
	letters, ok := strings.CutPrefix(s, "~")
	raw, err := base64.RawURLEncoding.DecodeString(letters)
	if !ok || err != nil || len(raw)%3 != 0 {
		return Trail{}, false
	}
	r.marks = make([]uint32, 0, len(raw)/3)
	for ; len(raw) > 0; raw = raw[3:] {
		r.marks = append(r.marks, uint32(raw[0])<<16|uint32(raw[1])<<8|uint32(raw[2]))
	}
	return r, true
}

// A stoneMark is a hash under which something was forgotten.
type stoneMark struct {
	mark uint32
	hash string
}

// Along is t that notes on the trail what is looked up from now on. The answer is for one goroutine.
func (t *Tombstones) Along(trail *Trail) *Tombstones {
	along := *t
	along.trail = trail
	return &along
}

// VersionAlong changes whenever texts may be shown otherwise that have left such a trail. For "" that is [Tombstones.Version].
func (t *Tombstones) VersionAlong(trail string) string {
	r, ok := ParseTrail(trail)
	if !ok {
		return t.version
	}
	sum := sha256.New()
	fmt.Fprint(sum, t.rules)
	marks := r.marks
	for _, s := range t.marks {
		if len(marks) == 0 {
			break
		}
		at, found := slices.BinarySearch(marks, s.mark)
		if marks = marks[at:]; found {
			fmt.Fprintf(sum, "\n%s", s.hash)
		}
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// mark notes the hashes under which something was forgotten, in an order that hangs on nothing else, and on what it hangs which look-ups
// are made at all: the passages of how many sentences, and the keys.
func (t *Tombstones) mark() {
	t.rules = fmt.Sprintf("%s, lost %d, sentences %v", stoneRules, t.lost, t.lengths)
	for _, k := range t.keys {
		t.rules += " " + keyName(k.key)
	}
	for _, k := range t.keys {
		for _, hashes := range []map[string]string{k.exact, k.sketches} {
			for hash := range hashes {
				t.marks = append(t.marks, stoneMark{markOf(hash), hash})
			}
		}
	}
	slices.SortFunc(t.marks, compareMarks)
}

// find looks a hash up among those of t.
func (t *Tombstones) find(among map[string]string, hash string) (reason string, ok bool) {
	if t.trail != nil {
		t.trail.note(markOf(hash))
	}
	reason, ok = among[hash]
	return reason, ok
}

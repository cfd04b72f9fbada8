package lance

import (
	"encoding/binary"
	"regexp"
	"testing"

	"github.com/reverie-memory/reverie/indexer/vector"
)

var (
	anyOfShape   = regexp.MustCompile(`^key IN \(-?\d+(,-?\d+)*\)$`)
	betweenShape = regexp.MustCompile(`^key >= -?\d+ AND key <= -?\d+$`)
)

// FuzzFilters holds that a filter is digits in a fixed frame, whatever the keys.
func FuzzFilters(f *testing.F) {
	f.Add([]byte("\x01\x00\x00\x00\x00\x00\x00\x00"))
	f.Add([]byte("' OR 1=1; --      "))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var keys []vector.Key
		for ; len(raw) >= 8; raw = raw[8:] {
			keys = append(keys, vector.Key(binary.LittleEndian.Uint64(raw)))
		}
		if len(keys) == 0 {
			return
		}
		if s := anyOf(keys); !anyOfShape.MatchString(s) {
			t.Errorf("anyOf: %s", s)
		}
		if s := between(keys[0], keys[len(keys)-1]); !betweenShape.MatchString(s) {
			t.Errorf("between: %s", s)
		}
		for _, k := range keys {
			if err := checkKey(k); (err == nil) != (vector.Key(float64(k)) == k && k >= 0 && k < 1<<53) && k < 1<<53 {
				t.Errorf("checkKey(%d): %v", k, err)
			}
		}
	})
}

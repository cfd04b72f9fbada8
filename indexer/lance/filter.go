package lance

import (
	"fmt"
	"strconv"

	"github.com/reverie-memory/reverie/indexer/vector"
)

// LanceDB takes filters as SQL and gives numbers back as JSON. Every filter is made here, of digits
// alone, and only keys that JSON numbers carry exactly are taken.
const (
	keyColumn    = "key"
	vectorColumn = "vector"
	distance     = "_distance"
	maxKey       = vector.Key(1)<<53 - 1
)

func checkKey(k vector.Key) error {
	if k < 0 || k > maxKey {
		return fmt.Errorf("key %d is outside 0 to %d", k, maxKey)
	}
	return nil
}

// anyOf is a filter for any of the keys. There must be one at least.
func anyOf(keys []vector.Key) string {
	b := make([]byte, 0, 16+8*len(keys))
	b = append(b, keyColumn+" IN ("...)
	for i, k := range keys {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(k), 10)
	}
	return string(append(b, ')'))
}

// between is a filter for the keys from lo to hi, both included.
func between(lo, hi vector.Key) string {
	b := append([]byte(nil), keyColumn+" >= "...)
	b = strconv.AppendInt(b, int64(lo), 10)
	b = append(b, " AND "+keyColumn+" <= "...)
	return string(strconv.AppendInt(b, int64(hi), 10))
}

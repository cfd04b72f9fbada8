package recall

import "github.com/reverie-memory/reverie/indexer/catalog"

// Without is an index in which some rows are not found, as if they had never been said.
func Without(ix Index, gone map[catalog.Key]bool) Index { return lacking{ix, gone} }

type lacking struct {
	Index
	gone map[catalog.Key]bool
}

// Allow implements Index.
func (l lacking) Allow(f catalog.Filter) func(catalog.Key) bool {
	allow := l.Index.Allow(f)
	return func(key catalog.Key) bool { return !l.gone[key] && (allow == nil || allow(key)) }
}

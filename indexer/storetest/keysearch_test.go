package storetest_test

import (
	"context"
	"slices"
	"testing"

	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/indexer/flat"
	"github.com/reverie-memory/reverie/indexer/storetest"
	"github.com/reverie-memory/reverie/indexer/vector"
)

// keyed is an engine that narrows searches by itself, as one in another process would.
type keyed struct{ indexer.Engine }

func (e keyed) SearchKeys(ctx context.Context, q []float32, k int, keys []vector.Key) ([]vector.Match, error) {
	return e.Search(ctx, q, k, func(key vector.Key) bool {
		_, ok := slices.BinarySearch(keys, key)
		return ok
	})
}

// TestKeySearcher: an engine that is a [indexer.KeySearcher] is held against the same searches.
func TestKeySearcher(t *testing.T) {
	storetest.Run(t, func(ctx context.Context, dir string, dim int) (indexer.Engine, error) {
		e, err := flat.Open(ctx, dir, dim)
		return keyed{e}, err
	})
}

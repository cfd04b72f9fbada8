package recall

import (
	"context"
	"slices"

	"github.com/reverie-memory/reverie/indexer/catalog"
)

// As returns the index as one caller may see it. Of an Index, rows are only found by filters, so that what the view hides is never found.
func As(view catalog.View, ix Index) Index { return seen{ix, view} }

type seen struct {
	Index
	view catalog.View
}

func (s seen) Allow(f catalog.Filter) func(catalog.Key) bool {
	f.View = &s.view
	return s.Index.Allow(f)
}

func (s seen) Wings() []string {
	return slices.DeleteFunc(s.Index.Wings(), func(wing string) bool { return !s.view.Sees(&catalog.Row{Wing: wing}) })
}

func (s seen) Heaviest(f catalog.Filter, n int, weigh catalog.Weight) []catalog.Key {
	f.View = &s.view
	return s.Index.Heaviest(f, n, weigh)
}

func (s seen) Speakers(f catalog.Filter) map[string]int {
	f.View = &s.view
	return s.Index.Speakers(f)
}

func (s seen) List(ctx context.Context, f catalog.Filter, limit, offset int) ([]catalog.Row, error) {
	f.View = &s.view
	return s.Index.List(ctx, f, limit, offset)
}

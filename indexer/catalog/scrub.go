package catalog

import "context"

// Scrub empties the write-ahead log into the file, so that deleted bytes, which the file overwrites with zeros, are not left in
// the log either. Readers that are under way are waited for.
func (g *Generation) Scrub(ctx context.Context) error {
	return g.write(ctx, "scrub", func() error { return g.db.checkpoint(true) })
}

package catalog

import (
	"context"
)

// Pending lists rows whose vectors the engine has not acknowledged, oldest first.
func (g *Generation) Pending(ctx context.Context, limit int) (out []PendingVector, err error) {
	err = g.write(ctx, "read pending vectors", func() error {
		var key Key
		var cntx, body string
		rows, err := ask(context.Background(), g.db.writing, `SELECT r.key, t.context, t.body
			FROM rows r INDEXED BY rows_pending JOIN texts t ON t.key = r.key WHERE r.pending = 1 ORDER BY r.key LIMIT ?`, limit)
		return each(rows, err, func() error {
			out = append(out, PendingVector{key, TextHash(cntx, body), EmbedText(cntx, body)})
			return nil
		}, &key, &cntx, &body)
	})
	return out, err
}

// PendingCount is how many rows wait for their vectors.
func (g *Generation) PendingCount(ctx context.Context) (n int, err error) {
	err = g.write(ctx, "count pending vectors", func() error {
		return g.db.write.QueryRowContext(ctx, `SELECT count(*) FROM rows INDEXED BY rows_pending WHERE pending = 1`).Scan(&n)
	})
	return n, err
}

// MarkVectors notes that the engine has these rows' vectors, durably.
func (g *Generation) MarkVectors(ctx context.Context, keys []Key) error {
	return g.mark(ctx, keys, 0)
}

// MarkPending takes MarkVectors back.
func (g *Generation) MarkPending(ctx context.Context, keys []Key) error {
	return g.mark(ctx, keys, 1)
}

func (g *Generation) mark(ctx context.Context, keys []Key, pending int) error {
	if len(keys) == 0 {
		return nil
	}
	return g.write(ctx, "mark vectors", func() error {
		defer g.afterCommit()
		return g.db.update(func() error {
			for _, k := range keys {
				if err := g.db.exec(`UPDATE rows SET pending = ?1 WHERE key = ?2 AND pending <> ?1`, pending, int64(k)); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// MarkAllPending is for an engine that lost its files.
func (g *Generation) MarkAllPending(ctx context.Context) error {
	return g.write(ctx, "mark all vectors", func() error {
		defer g.afterCommit()
		return g.db.update(func() error { return g.db.exec(`UPDATE rows SET pending = 1 WHERE pending = 0`) })
	})
}

// afterCommit keeps the log short. A failure shows in the next change.
func (g *Generation) afterCommit() { _ = g.db.checkpoint(false) }

// TextHashes calls fn for each row by rising key until it returns false: with the cached vectors, this is the truth
// that an engine can be filled from.
func (g *Generation) TextHashes(ctx context.Context, fn func(Key, Hash) bool) error {
	if g.closed.Load() {
		return wrap("read text hashes", ErrClosed)
	}
	rows, err := g.db.rdb.QueryContext(ctx, `SELECT key, context, body FROM texts ORDER BY key`)
	if err != nil {
		return wrap("read text hashes", err)
	}
	defer rows.Close()
	for rows.Next() {
		var key Key
		var cntx, body string
		if err := rows.Scan(&key, &cntx, &body); err != nil {
			return wrap("read text hashes", err)
		}
		if !fn(key, TextHash(cntx, body)) {
			return nil
		}
	}
	return wrap("read text hashes", rows.Err())
}

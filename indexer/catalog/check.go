package catalog

import (
	"context"

	"github.com/reverie-memory/reverie/vault"
)

// Check reads the whole generation and says whether it is damaged: SQLite's own structure and indexes, every checksum of
// ours, and that rows, texts, postings and memory agree. Check may run beside searches; a change
// waits for it.
func (g *Generation) Check(ctx context.Context) error {
	return g.write(ctx, "check index", func() error {
		if err := g.db.integrity(ctx); err != nil {
			return err
		}
		lengths, err := g.checkHeads(ctx)
		if err != nil {
			return err
		}
		if err := g.checkTexts(ctx, len(lengths)); err != nil {
			return err
		}
		return g.checkPostings(ctx, lengths)
	})
}

type lengths struct{ body, cntx int }

// checkHeads compares the rows with the columns in memory.
func (g *Generation) checkHeads(ctx context.Context) (map[uint32]lengths, error) {
	out := map[uint32]lengths{}
	var (
		key, tie int64
		data     rawBytes
		owned    bool
	)
	rows, err := g.db.write.QueryContext(ctx, `SELECT key, idhash, head, file IN (SELECT id FROM files) FROM rows`)
	err = each(rows, err, func() error {
		h, err := decodeHead(Key(key), data)
		if err != nil {
			return err
		}
		ch, i, ok := g.cols.at(Key(key))
		if !ok || !owned || ch.tie[i] != tie {
			return corrupt("row %d: differs from what was loaded", key)
		}
		out[uint32(key)] = lengths{h.body, h.cntx}
		return nil
	}, &key, &tie, &data, &owned)
	if err == nil && len(out) != g.cols.rows {
		err = corrupt("%d rows, %d in memory", len(out), g.cols.rows)
	}
	return out, err
}

func (g *Generation) checkTexts(ctx context.Context, want int) error {
	var texts, orphans int
	err := g.db.write.QueryRowContext(ctx,
		`SELECT (SELECT count(*) FROM texts), (SELECT count(*) FROM texts WHERE key NOT IN (SELECT key FROM rows))`).Scan(&texts, &orphans)
	if err == nil && (texts != want || orphans > 0) {
		err = corrupt("%d rows, %d texts", want, texts)
	}
	return err
}

// checkPostings adds up the postings of each row: they must give its lengths.
func (g *Generation) checkPostings(ctx context.Context, want map[uint32]lengths) error {
	got := make(map[uint32]lengths, len(want))
	count := func(list []posting) error {
		for _, p := range list {
			if _, ok := want[p.key]; !ok {
				return corrupt("postings of a row that is not there")
			}
			l := got[p.key]
			got[p.key] = lengths{l.body + int(p.body), l.cntx + int(p.cntx)}
		}
		return nil
	}
	var (
		term  string
		block int64
		data  rawBytes
		list  []posting
	)
	rows, err := g.db.write.QueryContext(ctx, `SELECT term, block, data FROM post`)
	err = each(rows, err, func() error {
		var err error
		if list, err = decodeBlock(list[:0], term, block, data); err != nil {
			return err
		}
		return count(list)
	}, &term, &block, &data)
	if err != nil {
		return err
	}
	for _, list := range g.mem.terms {
		if err := count(list); err != nil {
			return err
		}
	}
	for key, l := range want {
		if l != got[key] && l.body <= maxCount && l.cntx <= maxCount {
			return corrupt("row %d: postings do not give its length", key)
		}
	}
	return nil
}

// maxCount is the most that a posting counts; a row with more of one term cannot be checked.
const maxCount = 1<<16 - 1

// CheckRows reads every row, recomputes its digest and calls fn for each whose bytes are not those
// that were written. CheckRows returns an error only where it could not go on.
func (g *Generation) CheckRows(ctx context.Context, fn func(Key, vault.Path)) error {
	r := g.Reader()
	keys := r.Keys(Filter{})
	for len(keys) > 0 {
		n := min(len(keys), 512)
		if err := g.checkRun(ctx, r, keys[:n], fn); err != nil {
			return wrap("check rows", err)
		}
		keys = keys[n:]
	}
	return nil
}

func (g *Generation) checkRun(ctx context.Context, r *Reader, keys []Key, fn func(Key, vault.Path)) error {
	full, err := g.db.rows(ctx, keys)
	if err != nil {
		return err
	}
	if err := g.nameAll(ctx, full); err != nil {
		return err
	}
	for _, k := range keys {
		f := full[k]
		switch {
		case f != nil && Digest(&f.row) != f.head.digest:
			fn(k, f.row.File)
		case f == nil && r.Has(k): // else it was deleted meanwhile
			fn(k, "")
		}
	}
	return nil
}

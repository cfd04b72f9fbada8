package catalog

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"math"
	"slices"
)

func sortGens(list []GenInfo) {
	slices.SortFunc(list, func(a, b GenInfo) int { return cmp.Compare(a.ID, b.ID) })
}

// encodeVector gives float32s in little endian, sealed for their text.
func encodeVector(h Hash, v []float32) []byte {
	b := make([]byte, 0, 4*len(v)+4)
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return seal(b, string(h[:]), int64(len(v)))
}

func decodeVector(h Hash, data []byte) ([]float32, bool) {
	if len(data) < 4 || len(data)%4 != 0 {
		return nil, false
	}
	b, ok := unseal(data, string(h[:]), int64(len(data)/4-1))
	if !ok {
		return nil, false
	}
	v := make([]float32, len(b)/4)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return v, true
}

// fingerprint is the number of an embedder's fingerprint; 0 when it has no vectors.
func (c *Catalog) fingerprint(fp string) (id int64, err error) {
	st, err := c.db.writing(`SELECT id FROM fingerprints WHERE name = ?`)
	if err != nil {
		return 0, err
	}
	if err := st.QueryRow(fp).Scan(&id); err != nil && !errors.Is(err, sql.ErrNoRows) {
		return 0, err
	}
	return id, nil
}

// Vectors gives the cached vectors of texts. One that is damaged counts as absent.
func (c *Catalog) Vectors(ctx context.Context, fp string, hashes []Hash) (map[Hash][]float32, error) {
	out := make(map[Hash][]float32, len(hashes))
	err := c.do(ctx, "read cached vectors", func() error {
		id, err := c.fingerprint(fp)
		if err != nil || id == 0 {
			return err
		}
		return inList(hashes, func(batch []any) error {
			if err := ctx.Err(); err != nil {
				return err
			}
			return c.vectorBatch(id, batch, out)
		})
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

func (c *Catalog) vectorBatch(fp int64, batch []any, out map[Hash][]float32) error {
	args := make([]any, 0, len(batch)+1)
	args = append(args, fp)
	want := make(map[Hash]bool, len(batch))
	for _, b := range batch {
		h := b.(Hash)
		want[h] = true
		args = append(args, h[:6])
	}
	st, err := c.db.writing(`SELECT hash, data FROM vectors WHERE fingerprint = ? AND substr(hash, 1, 6) IN (` + marks(len(batch)) + `)`)
	if err != nil {
		return err
	}
	rows, err := st.Query(args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	var hash, data rawBytes
	for rows.Next() {
		if err := rows.Scan(&hash, &data); err != nil {
			return err
		}
		var h Hash
		if len(hash) != len(h) {
			continue
		}
		copy(h[:], hash)
		if v, ok := decodeVector(h, data); ok && want[h] {
			out[h] = v
		}
	}
	return rows.Err()
}

// PutVectors caches vectors. Those that are there already are kept, unless they are damaged.
func (c *Catalog) PutVectors(ctx context.Context, fp string, vecs []CachedVector) error {
	if len(vecs) == 0 {
		return nil
	}
	hashes := make([]Hash, len(vecs))
	for i, v := range vecs {
		hashes[i] = v.Hash
	}
	have, err := c.Vectors(ctx, fp, hashes)
	if err != nil {
		return err
	}
	return c.do(ctx, "cache vectors", func() error {
		defer func() { _ = c.db.checkpoint(false) }()
		return c.db.update(func() error {
			if err := c.db.exec(`INSERT INTO fingerprints (name) VALUES (?) ON CONFLICT DO NOTHING`, fp); err != nil {
				return err
			}
			id, err := c.fingerprint(fp)
			if err != nil {
				return err
			}
			for _, v := range vecs {
				if _, ok := have[v.Hash]; ok {
					continue
				}
				have[v.Hash] = v.Vector // once, if it comes twice
				if err := c.putVector(id, v); err != nil {
					return err
				}
			}
			return ctx.Err()
		})
	})
}

// putVector replaces whatever is there: it is damaged.
func (c *Catalog) putVector(fp int64, v CachedVector) error {
	if err := c.db.exec(`DELETE FROM vectors WHERE fingerprint = ? AND substr(hash, 1, 6) = ? AND hash = ?`, fp, v.Hash[:6], v.Hash[:]); err != nil {
		return err
	}
	return c.db.exec(`INSERT INTO vectors (fingerprint, hash, data) VALUES (?, ?, ?)`, fp, v.Hash[:], encodeVector(v.Hash, v.Vector))
}

// PruneVectors drops the vectors of fingerprints that are not in keep and, where live is not nil, those of
// texts that it denies. It returns how many went, and gives their disk space back.
func (c *Catalog) PruneVectors(ctx context.Context, keep []string, live func(Hash) bool) (removed int, err error) {
	err = c.do(ctx, "prune cached vectors", func() error {
		err := c.db.update(func() error {
			dead, err := c.deadVectors(ctx, keep, live)
			if err != nil {
				return err
			}
			for _, id := range dead {
				if err := c.db.exec(`DELETE FROM vectors WHERE id = ?`, id); err != nil {
					return err
				}
			}
			removed = len(dead)
			return c.db.script(`DELETE FROM fingerprints WHERE id NOT IN (SELECT fingerprint FROM vectors)`)
		})
		if err != nil || removed == 0 {
			return err
		}
		if err := c.db.script(`PRAGMA incremental_vacuum`); err != nil {
			return err
		}
		return c.db.checkpoint(true)
	})
	return removed, err
}

func (c *Catalog) deadVectors(ctx context.Context, keep []string, live func(Hash) bool) (dead []int64, err error) {
	rows, err := c.db.write.QueryContext(ctx, `SELECT v.id, v.hash, coalesce(f.name, '') FROM vectors v LEFT JOIN fingerprints f ON f.id = v.fingerprint`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		var hash []byte
		var fp string
		if err := rows.Scan(&id, &hash, &fp); err != nil {
			return nil, err
		}
		var h Hash
		copy(h[:], hash)
		if !slices.Contains(keep, fp) || live != nil && !live(h) {
			dead = append(dead, id)
		}
	}
	return dead, rows.Err()
}

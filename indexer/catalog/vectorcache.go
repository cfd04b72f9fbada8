package catalog

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
)

// The cached vectors were paid for, so that they have a file and a version of their own, which no other version touches. Who raises
// it makes the tables of the one before into the new ones.
const (
	vectorsFile    = "vectors.db"
	vectorsVersion = 1
	vectorsSchema  = `
CREATE TABLE fingerprints (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE vectors (id INTEGER PRIMARY KEY, fingerprint INTEGER NOT NULL, hash BLOB NOT NULL, data BLOB NOT NULL);
CREATE INDEX vectors_by_hash ON vectors (fingerprint, substr(hash, 1, 6));
PRAGMA user_version = 1;
`
)

// ofVectors is wrap for the file of the cached vectors: damage of it wraps [ErrVectors] as well.
func ofVectors(doing string, err error) error {
	if err = wrap(doing, err); errors.Is(err, ErrCorrupt) {
		return fmt.Errorf("%w: %w", ErrVectors, err)
	}
	return err
}

func (c *Catalog) loadVectors(ctx context.Context) error {
	db, version, err := openOrCreate(ctx, filepath.Join(c.dir, vectorsFile), vectorsSchema)
	c.vecs = db
	if err == nil && version != vectorsVersion {
		err = outdated("cached vectors of version %d, want %d", version, vectorsVersion)
	}
	return ofVectors("open cached vectors", err)
}

// adopt makes a catalog of version 1, which held the cached vectors as well, their file. The index is then filled anew, with them.
func (c *Catalog) adopt(ctx context.Context) error {
	old, vectors := filepath.Join(c.dir, catalogFile), filepath.Join(c.dir, vectorsFile)
	if _, err := os.Stat(vectors); err == nil {
		return nil
	}
	if _, err := os.Stat(old); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	db, version, err := openOrCreate(ctx, old, catalogSchema)
	if db != nil {
		err = errors.Join(err, db.close())
	}
	if err == nil && version == 1 {
		err = os.Rename(old, vectors)
	}
	return err
}

// checkVectors reads the file of the cached vectors.
func (c *Catalog) checkVectors(ctx context.Context) error {
	db, err := c.vectors()
	if err == nil {
		err = db.integrity(ctx)
	}
	return ofVectors("check cached vectors", err)
}

// vectors is the file of the cached vectors, to read in without the lock.
func (c *Catalog) vectors() (*database, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.vecs == nil {
		return nil, ErrClosed
	}
	return c.vecs, nil
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
func fingerprint(db *database, fp string) (id int64, err error) {
	st, err := db.writing(`SELECT id FROM fingerprints WHERE name = ?`)
	if err != nil {
		return 0, err
	}
	if err := st.QueryRow(fp).Scan(&id); err != nil && !errors.Is(err, sql.ErrNoRows) {
		return 0, err
	}
	return id, nil
}

// Vectors gives the cached vectors of texts. One that is damaged counts as absent. Vectors waits for no writer.
func (c *Catalog) Vectors(ctx context.Context, fp string, hashes []Hash) (map[Hash][]float32, error) {
	const doing = "read cached vectors"
	out := make(map[Hash][]float32, len(hashes))
	db, err := c.vectors()
	if err != nil {
		return nil, ofVectors(doing, err)
	}
	err = inList(hashes, func(batch []any) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return vectorBatch(db, fp, batch, out)
	})
	if err != nil {
		return nil, ofVectors(doing, err)
	}
	return out, nil
}

func vectorBatch(db *database, fp string, batch []any, out map[Hash][]float32) error {
	args := make([]any, 0, len(batch)+1)
	args = append(args, fp)
	want := make(map[Hash]bool, len(batch))
	for _, b := range batch {
		h := b.(Hash)
		want[h] = true
		args = append(args, h[:6])
	}
	var hash, data rawBytes
	rows, err := ask(context.Background(), db.reading, `SELECT hash, data FROM vectors
		WHERE fingerprint = (SELECT id FROM fingerprints WHERE name = ?) AND substr(hash, 1, 6) IN (`+marks(len(batch))+`)`, args...)
	return each(rows, err, func() error {
		var h Hash
		if len(hash) != len(h) {
			return nil
		}
		copy(h[:], hash)
		if v, ok := decodeVector(h, data); ok && want[h] {
			out[h] = v
		}
		return nil
	}, &hash, &data)
}

// PutVectors caches vectors, in the place of those that are there already.
func (c *Catalog) PutVectors(ctx context.Context, fp string, vecs []CachedVector) error {
	if len(vecs) == 0 {
		return nil
	}
	return c.writeVectors(ctx, "cache vectors", func(db *database) error {
		defer func() { _ = db.checkpoint(false) }()
		return db.update(func() error {
			id, err := fingerprint(db, fp)
			if err == nil && id == 0 {
				if err = db.exec(`INSERT INTO fingerprints (name) VALUES (?)`, fp); err == nil {
					id, err = fingerprint(db, fp)
				}
			}
			if err != nil {
				return err
			}
			put := make(map[Hash]bool, len(vecs))
			for _, v := range vecs {
				if put[v.Hash] {
					continue
				}
				put[v.Hash] = true
				if err := putVector(db, id, v); err != nil {
					return err
				}
			}
			return ctx.Err()
		})
	})
}

// writeVectors runs fn as the one writer of the cached vectors.
func (c *Catalog) writeVectors(ctx context.Context, doing string, fn func(*database) error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.vecs == nil {
		return wrap(doing, ErrClosed)
	}
	if err := ctx.Err(); err != nil {
		return wrap(doing, err)
	}
	return ofVectors(doing, fn(c.vecs))
}

// putVector replaces whatever is there.
func putVector(db *database, fp int64, v CachedVector) error {
	if err := db.exec(`DELETE FROM vectors WHERE fingerprint = ? AND substr(hash, 1, 6) = ? AND hash = ?`, fp, v.Hash[:6],
		v.Hash[:]); err != nil {
		return err
	}
	return db.exec(`INSERT INTO vectors (fingerprint, hash, data) VALUES (?, ?, ?)`, fp, v.Hash[:], encodeVector(v.Hash, v.Vector))
}

// PruneVectors drops the vectors of fingerprints that are not in keep and, where live is not nil, those of
// texts that it denies. PruneVectors returns how many went, and gives their disk space back.
func (c *Catalog) PruneVectors(ctx context.Context, keep []string, live func(Hash) bool) (removed int, err error) {
	err = c.writeVectors(ctx, "prune cached vectors", func(db *database) error {
		err := db.update(func() error {
			dead, err := deadVectors(ctx, db, keep, live)
			if err != nil {
				return err
			}
			for _, id := range dead {
				if err := db.exec(`DELETE FROM vectors WHERE id = ?`, id); err != nil {
					return err
				}
			}
			removed = len(dead)
			return db.script(`DELETE FROM fingerprints WHERE id NOT IN (SELECT fingerprint FROM vectors)`)
		})
		if err != nil || removed == 0 {
			return err
		}
		if err := db.script(`PRAGMA incremental_vacuum`); err != nil {
			return err
		}
		return db.checkpoint(true)
	})
	return removed, err
}

func deadVectors(ctx context.Context, db *database, keep []string, live func(Hash) bool) (dead []int64, err error) {
	var (
		id   int64
		hash []byte
		fp   string
	)
	rows, err := db.write.QueryContext(ctx, `SELECT v.id, v.hash, coalesce(f.name, '')
		FROM vectors v LEFT JOIN fingerprints f ON f.id = v.fingerprint`)
	err = each(rows, err, func() error {
		var h Hash
		copy(h[:], hash)
		if !slices.Contains(keep, fp) || live != nil && !live(h) {
			dead = append(dead, id)
		}
		return nil
	}, &id, &hash, &fp)
	return dead, err
}

package catalog

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// earlier makes the catalog of a folder one of version 1, which held the cached vectors as well.
func earlier(t *testing.T, dir string) {
	t.Helper()
	catalog, vectors := filepath.Join(dir, catalogFile), filepath.Join(dir, vectorsFile)
	db, err := openDatabase(context.Background(), vectors, false, catalogPage, catalogCacheKB)
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(db.exec(`ATTACH ? AS c`, catalog), db.script(`CREATE TABLE generations (id INTEGER PRIMARY KEY AUTOINCREMENT, schema INTEGER NOT NULL,
		fingerprint TEXT NOT NULL, dim INTEGER NOT NULL, engine TEXT NOT NULL, made INTEGER NOT NULL, complete INTEGER NOT NULL, current INTEGER NOT NULL);
		INSERT INTO main.generations SELECT * FROM c.generations; DETACH c`), db.close())
	if err := errors.Join(err, os.Rename(vectors, catalog)); err != nil {
		t.Fatal(err)
	}
}

// TestACatalogOfVersionOneIsSplit: rows and cached vectors are what they were, wherever the first start ended.
func TestACatalogOfVersionOneIsSplit(t *testing.T) {
	dir, want := built(t)
	earlier(t, dir)
	same := func(when, dir string) {
		t.Helper()
		if got := damaged(t, dir, want); got != "" {
			t.Errorf("%s: %s", when, got)
		}
		c := mustOpen(t, dir)
		defer c.Close()
		v, err := c.Vectors(t.Context(), "fp", []Hash{TextHash("", "7")})
		if err != nil || len(v) != 1 {
			t.Errorf("%s: %d vectors, %v", when, len(v), err)
		}
	}
	same("at once", copyDir(t, dir))

	ended := copyDir(t, dir)
	mustOpen(t, ended).Close()
	if err := os.Rename(filepath.Join(ended, catalogFile), filepath.Join(ended, catalogFile+".list")); err != nil {
		t.Fatal(err)
	}
	same("after a crash before the last step", ended)
}

// TestNoVersionTakesTheVectors: a catalog and rows of another version are filled anew, with what the embedder was paid for.
func TestNoVersionTakesTheVectors(t *testing.T) {
	ctx := context.Background()
	dir, _ := built(t)
	for name, change := range map[string]string{
		catalogFile:          `PRAGMA user_version = 99`,
		"gen-000001/rows.db": `DELETE FROM state`,
	} {
		work := copyDir(t, dir)
		db, err := openDatabase(ctx, filepath.Join(work, name), false, catalogPage, catalogCacheKB)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(db.script(change), db.close()); err != nil {
			t.Fatal(err)
		}
		c, err := Open(ctx, work)
		if err == nil {
			_, err = c.OpenGeneration(ctx, 1)
			c.Close()
		}
		if !errors.Is(err, ErrCorrupt) || errors.Is(err, ErrVectors) {
			t.Errorf("%s: %v", name, err)
		}
		if err := Clear(work, false); err != nil {
			t.Fatal(err)
		}
		c = mustOpen(t, work)
		v, err := c.Vectors(ctx, "fp", []Hash{TextHash("", "7")})
		if _, ok := c.Current(); ok || err != nil || len(v) != 1 {
			t.Errorf("%s: current %v, %d vectors, %v", name, ok, len(v), err)
		}
		c.Close()
	}
}

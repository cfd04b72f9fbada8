package catalog

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestACatalogOfVersionOneBecomesTheCache: it held the vectors as well, which are all that took money to make.
func TestACatalogOfVersionOneBecomesTheCache(t *testing.T) {
	dir, _ := built(t)
	catalog, vectors := filepath.Join(dir, catalogFile), filepath.Join(dir, vectorsFile)
	db, err := openDatabase(t.Context(), vectors, false, catalogPage, catalogCacheKB)
	if err != nil {
		t.Fatal(err)
	}
	generations, _, _ := strings.Cut(catalogSchema, "PRAGMA")
	if err := errors.Join(db.script(generations), db.close(), os.Rename(vectors, catalog)); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second start finds nothing to do
		c := mustOpen(t, dir)
		v, err := c.Vectors(t.Context(), "fp", []Hash{TextHash("", "7")})
		if _, ok := c.Current(); ok || err != nil || len(v) != 1 {
			t.Errorf("current %v, %d vectors, %v", ok, len(v), err)
		}
		if _, err := c.Create(t.Context(), GenInfo{}); err != nil {
			t.Error(err)
		}
		c.Close()
	}
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

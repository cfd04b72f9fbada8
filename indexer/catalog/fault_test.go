package catalog

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/vault"
)

// crashCopy copies the files of an open catalog as a kill would leave them.
func crashCopy(tb testing.TB, c *Catalog) string {
	tb.Helper()
	return copyDir(tb, c.dir)
}

func copyDir(tb testing.TB, from string) string {
	tb.Helper()
	to := tb.TempDir()
	err := filepath.WalkDir(from, func(p string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, p)
		if err != nil {
			return err
		}
		if e.IsDir() {
			return os.MkdirAll(filepath.Join(to, rel), 0o700)
		}
		if strings.HasSuffix(p, "-shm") { // memory of the killed process
			return nil
		}
		data, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), data, 0o600)
	})
	if err != nil {
		tb.Fatal(err)
	}
	return to
}

// TestCrash kills the catalog after each change: what was applied is there, whole.
func TestCrash(t *testing.T) {
	c, g := mustCreate(t, t.TempDir())
	corp := newCorpus(21, 300)
	m := &model{rows: map[Key]Row{}, files: map[vault.Path]int{}}
	for step := range 8 {
		changes := randomChanges(corp, m)
		m.apply(changes, mustApply(t, g, changes...))
		if step == 3 {
			if err := g.flushMemtable(); err != nil {
				t.Fatal(err)
			}
		}
		after := mustOpen(t, crashCopy(t, c))
		g2, err := after.OpenGeneration(context.Background(), 1)
		if err != nil {
			t.Fatal(err)
		}
		m.verify(t, g2)
		var top Key
		for k := range m.rows {
			top = max(top, k)
		}
		keys := mustApply(t, g2, corp.change("new.md", 1, 30))
		if keys[0][0] <= top+1 && step == 0 {
			t.Errorf("after a crash key %d comes again: others may have been given and lost", keys[0][0])
		}
		if err := after.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestGenerations walks through building, switching and dropping, with a crash at each step.
func TestGenerations(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	c, g := mustCreate(t, dir)
	if _, ok := c.Current(); ok {
		t.Fatal("a generation is current before the first switch")
	}
	mustApply(t, g, newCorpus(1, 300).change("a.md", 20, 50))
	crash := func(wantCurrent int, wantIDs ...int) {
		t.Helper()
		after := mustOpen(t, crashCopy(t, c))
		defer after.Close()
		cur, _ := after.Current()
		var ids []int
		gens, err := after.Generations(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range gens {
			ids = append(ids, g.ID)
			if _, err := after.OpenGeneration(ctx, g.ID); err != nil {
				t.Fatal(err)
			}
		}
		if cur.ID != wantCurrent || !slices.Equal(ids, wantIDs) {
			t.Fatalf("current %d of %v, want %d of %v", cur.ID, ids, wantCurrent, wantIDs)
		}
	}
	crash(0, 1)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(c.Switch(ctx, 1))
	crash(1, 1)
	g2, err := c.Create(ctx, GenInfo{Schema: 2, Fingerprint: "other", Dim: 8, Engine: "flat"})
	must(err)
	crash(1, 1, 2)
	must(c.Switch(ctx, 2))
	crash(2, 1, 2)
	if err := c.Drop(ctx, 2); err == nil {
		t.Fatal("dropped the current generation")
	}
	must(c.Drop(ctx, 1))
	crash(2, 2)
	if _, err := os.Stat(g.Dir()); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("the folder is still there: %v", err)
	}
	if _, err := g.Reader().Lexical(ctx, "word", 5, nil); !errors.Is(err, ErrClosed) {
		t.Fatalf("a dropped generation answers: %v", err)
	}
	if i := g2.Info(); i.Schema != 2 || i.Fingerprint != "other" || i.Dim != 8 {
		t.Fatalf("info %+v", i)
	}
	// What is made but not noted, or noted as half made, is cleared away.
	must(os.MkdirAll(filepath.Join(dir, "gen-000009", "vectors"), 0o700))
	must(c.db.script(`INSERT INTO generations (id, schema, fingerprint, dim, engine, made, complete, current) VALUES (7, 1, '', 1, '', 0, ` +
		`0, 0)`))
	must(c.Close())
	c = mustOpen(t, dir)
	crash(2, 2)
	if _, err := os.Stat(filepath.Join(dir, "gen-000009")); !errors.Is(err, fs.ErrNotExist) {
		t.Fatal("a folder of no generation is still there")
	}
}

// damaged opens files that something was done to and compares all answers. noticed is what the
// first call that noticed said; "" means that nothing was wrong with any answer.
func damaged(t *testing.T, dir string, want []string) (noticed string) {
	t.Helper()
	ctx := context.Background()
	note := func(step string, err error) bool {
		if err == nil {
			return false
		}
		if !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: not an ErrCorrupt: %v", step, err)
		}
		noticed = step
		return true
	}
	c, err := Open(ctx, dir)
	if note("open", err) {
		return noticed
	}
	defer c.Close()
	cur, ok := c.Current()
	if !ok {
		return "no current generation"
	}
	g, err := c.OpenGeneration(ctx, cur.ID)
	if note("open generation", err) {
		return noticed
	}
	check := c.Check(ctx)
	if check == nil {
		check = g.Check(ctx)
	}
	bad := 0
	rows := g.CheckRows(ctx, func(Key, vault.Path) { bad++ })
	if note("check", check) || note("check rows", rows) {
		return noticed
	}
	if bad > 0 {
		return "check rows"
	}
	if d := gocmp.Diff(want, answers(t, g.Reader())); d != "" {
		t.Errorf("nothing was noticed, but the answers differ:\n%s", d)
	}
	if _, err := g.Files(ctx); note("files", err) {
		return noticed
	}
	if _, err := c.Vectors(ctx, "fp", []Hash{TextHash("", "1")}); note("vectors", err) {
		return noticed
	}
	return ""
}

// built makes a catalog with rows and vectors and returns its folder and what it answers.
func built(t *testing.T) (dir string, want []string) {
	ctx, dir := context.Background(), t.TempDir()
	c, g := mustCreate(t, dir)
	corp := newCorpus(31, 300)
	for i := range 5 {
		mustApply(t, g, corp.change(vault.Path(fmt.Sprintf("%d.md", i)), 60, 80))
	}
	var vecs []CachedVector
	for i := range 50 {
		vecs = append(vecs, CachedVector{TextHash("", fmt.Sprint(i)), []float32{float32(i), 1, 2, 3}})
	}
	if err := errors.Join(c.PutVectors(ctx, "fp", vecs), c.Switch(ctx, 1)); err != nil {
		t.Fatal(err)
	}
	want = answers(t, g.Reader())
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	return dir, want
}

// TestFlippedBytes: whatever byte is wrong, the answers are right or the damage is noticed.
func TestFlippedBytes(t *testing.T) {
	dir, want := built(t)
	if got := damaged(t, copyDir(t, dir), want); got != "" {
		t.Fatalf("undamaged, but %s", got)
	}
	rnd := rand.New(rand.NewPCG(8, 8))
	noticed, rounds := 0, 35
	if testing.Short() {
		rounds = 10
	}
	for _, name := range []string{"catalog.db", "vectors.db", "gen-000001/rows.db"} {
		whole, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		for range rounds {
			at, n := rnd.IntN(len(whole)), 1<<rnd.IntN(6)
			if rnd.IntN(4) == 0 {
				at = rnd.IntN(200) // the header
			}
			data := slices.Clone(whole)
			for i := at; i < min(at+n, len(data)); i++ {
				data[i] ^= byte(1 + rnd.IntN(255))
			}
			work := copyDir(t, dir)
			if err := os.WriteFile(filepath.Join(work, name), data, 0o600); err != nil {
				t.Fatal(err)
			}
			if damaged(t, work, want) != "" {
				noticed++
			}
			if t.Failed() {
				t.Fatalf("%s: %d bytes at %d", name, n, at)
			}
		}
	}
	if noticed < rounds/3 {
		t.Errorf("only %d of %d damages were noticed: the test damages nothing", noticed, 2*rounds)
	}
}

// TestPageSize: SQLite takes it only before the first write, and says nothing when it comes late.
func TestPageSize(t *testing.T) {
	c, g := mustCreate(t, t.TempDir())
	for want, db := range map[int]*database{catalogPage: c.db, rowsPage: g.db} {
		var size, vacuum int
		err := errors.Join(db.write.QueryRowContext(context.Background(), "PRAGMA page_size").Scan(&size),
			db.write.QueryRowContext(context.Background(), "PRAGMA auto_vacuum").Scan(&vacuum))
		if err != nil || size != want || vacuum != 2 {
			t.Errorf("page size %d, auto_vacuum %d, %v; want %d and 2", size, vacuum, err, want)
		}
	}
}

func TestBrokenFiles(t *testing.T) {
	dir, want := built(t)
	for _, name := range []string{"catalog.db", "vectors.db", "gen-000001/rows.db"} {
		for what, fn := range map[string]func(p string) error{
			"deleted":     os.Remove,
			"empty":       func(p string) error { return os.Truncate(p, 0) },
			"half":        func(p string) error { st, _ := os.Stat(p); return os.Truncate(p, st.Size()/2) },
			"not a db":    func(p string) error { return os.WriteFile(p, []byte(strings.Repeat("no database ", 999)), 0o600) },
			"short":       func(p string) error { return os.WriteFile(p, []byte("x"), 0o600) },
			"a directory": func(p string) error { return errors.Join(os.Remove(p), os.Mkdir(p, 0o700)) },
		} {
			t.Run(name+" "+what, func(t *testing.T) {
				work := copyDir(t, dir)
				if err := fn(filepath.Join(work, name)); err != nil {
					t.Fatal(err)
				}
				absent := name == vectorsFile && what == "deleted" // which costs nothing but making them again
				if damaged(t, work, want) == "" && !absent {
					t.Error("was not noticed")
				}
				if err := Clear(work, true); err != nil {
					t.Fatal(err)
				}
				c := mustOpen(t, work)
				if _, err := c.Create(context.Background(), GenInfo{}); err != nil {
					t.Fatalf("after Clear: %v", err)
				}
				if err := c.Close(); err != nil {
					t.Fatal(err)
				}
			})
		}
	}
}

// TestDamageWhileOpen drops tables under an open generation: errors, no panics.
func TestDamageWhileOpen(t *testing.T) {
	ctx := context.Background()
	_, g := mustCreate(t, t.TempDir())
	corp := newCorpus(1, 300)
	keys := mustApply(t, g, corp.change("a.md", 30, 50))
	if err := g.flushMemtable(); err != nil {
		t.Fatal(err)
	}
	if err := g.db.script(`DROP TABLE post; DROP TABLE texts`); err != nil {
		t.Fatal(err)
	}
	r := g.Reader()
	_, rowsErr := r.Rows(ctx, keys[0])
	_, lexErr := r.Lexical(ctx, corp.word(), 5, nil)
	_, applyErr := g.Apply(ctx, []Change{corp.change("a.md", 1, 50)})
	for _, err := range []error{rowsErr, lexErr, applyErr, g.Check(ctx)} {
		if !errors.Is(err, ErrCorrupt) {
			t.Errorf("not an ErrCorrupt: %v", err)
		}
	}
}

// TestDiskFull: a change that does not fit leaves nothing behind, and succeeds once there is room.
func TestDiskFull(t *testing.T) {
	ctx := context.Background()
	_, g := mustCreate(t, t.TempDir())
	corp := newCorpus(41, 300)
	m := &model{rows: map[Key]Row{}, files: map[vault.Path]int{}}
	first := []Change{corp.change("a.md", 40, 80)}
	m.apply(first, mustApply(t, g, first...))
	if err := g.db.script(`PRAGMA max_page_count = 1`); err != nil { // no more than there are
		t.Fatal(err)
	}
	big := []Change{corp.change("b.md", 400, 80), {Path: "a.md"}}
	if _, err := g.Apply(ctx, big); !errors.Is(err, ErrFull) {
		t.Fatalf("not an ErrFull: %v", err)
	}
	m.verify(t, g)
	if err := g.db.script(`PRAGMA max_page_count = 1000000`); err != nil {
		t.Fatal(err)
	}
	m.apply(big, mustApply(t, g, big...))
	m.verify(t, g)
}

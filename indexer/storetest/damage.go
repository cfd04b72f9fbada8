package storetest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/indexer/vector"
)

// damage harms each file in each way. An engine may refuse, with ErrCorrupt, or answer as if
// nothing had happened (the file did not matter, or it was mended); it may never answer wrongly.
func (s suite) damage(t *testing.T) {
	for name, n := range map[string]vector.Key{"small": 40, "large": 700} {
		dir, r, m := t.TempDir(), rng(14), model{}
		e := s.engine(t, dir)
		s.put(t, e, m, records(r, s.dim, 1, n))
		s.remove(t, e, m, 2, 4, 8)
		must(t, e.Maintain(t.Context(), m.live))
		s.put(t, e, m, records(r, s.dim, 5000, 10))
		s.remove(t, e, m, 16, 5003)
		must(t, e.Close())

		refused := 0
		for _, file := range listFiles(t, dir) {
			for how, harm := range harms {
				t.Run(fmt.Sprintf("%s/%s %s", name, how, filepath.Base(file)), func(t *testing.T) {
					image := copyDir(t, dir)
					if !harm(t, filepath.Join(image, file)) {
						t.Skip("the file is too small for this")
					}
					if s.survives(t, image, m) {
						return
					}
					refused++
					s.refill(t, image, m)
				})
			}
		}
		if refused == 0 {
			t.Errorf("%s: no damage was ever found", name)
		}
	}
}

// harms damage a file and report whether they could.
var harms = map[string]func(*testing.T, string) bool{
	"gone": func(t *testing.T, p string) bool { must(t, os.Remove(p)); return true },
	"empty": func(t *testing.T, p string) bool {
		must(t, os.Truncate(p, 0))
		return true
	},
	"half":                  func(t *testing.T, p string) bool { return resize(t, p, func(n int64) int64 { return n / 2 }) },
	"clipped":               func(t *testing.T, p string) bool { return resize(t, p, func(n int64) int64 { return n - 1 }) },
	"flipped at the start":  func(t *testing.T, p string) bool { return flip(t, p, 0.02) },
	"flipped in the middle": func(t *testing.T, p string) bool { return flip(t, p, 0.5) },
	"flipped near the end":  func(t *testing.T, p string) bool { return flip(t, p, 0.97) },
}

func resize(t *testing.T, p string, to func(int64) int64) bool {
	info, err := os.Stat(p)
	must(t, err)
	if info.Size() < 2 {
		return false
	}
	must(t, os.Truncate(p, to(info.Size())))
	return true
}

func flip(t *testing.T, p string, at float64) bool {
	b, err := os.ReadFile(p)
	must(t, err)
	if len(b) == 0 {
		return false
	}
	b[int(at*float64(len(b)))] ^= 0x10
	must(t, os.WriteFile(p, b, 0o600))
	return true
}

// survives opens a damaged folder, and reports false when the engine refused it.
func (s suite) survives(t *testing.T, dir string, m model) bool {
	t.Helper()
	e, err := s.open(context.Background(), dir, s.dim)
	if errors.Is(err, indexer.ErrCorrupt) {
		return false
	}
	must(t, err)
	defer func() { must(t, e.Close()) }()
	err = s.answersWell(e, m)
	if errors.Is(err, indexer.ErrCorrupt) {
		return false // found later than at open, but found
	}
	must(t, err)
	m.check(t, e, rng(15), s.dim)
	return true
}

// answersWell touches everything once and returns the first error, for engines that find damage
// only when they read.
func (s suite) answersWell(e indexer.Engine, m model) error {
	ctx := context.Background()
	if _, err := e.Search(ctx, unit(rng(16), s.dim), 5, nil); err != nil {
		return err
	}
	return e.Scan(ctx, func(vector.Record) bool { return true })
}

// refill is what the indexer does with a refused folder.
func (s suite) refill(t *testing.T, dir string, m model) {
	t.Helper()
	must(t, os.RemoveAll(dir))
	e := s.engine(t, dir)
	must(t, m.live(func(r vector.Record) bool {
		must(t, e.Put(t.Context(), []vector.Record{r}))
		return true
	}))
	m.checkContent(t, e)
	must(t, e.Close())
}

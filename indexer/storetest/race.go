package storetest

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/reverie-memory/reverie/indexer/vector"
)

// concurrent searches, counts and scans while the owner writes. A record that is there all the time
// must be found all the time, and nothing that was deleted before a search began may be found by it.
func (s suite) concurrent(t *testing.T) {
	r, m := rng(17), model{}
	e := s.engine(t, t.TempDir())
	s.put(t, e, m, records(r, s.dim, 1, 300))
	fixed := m[7]

	var deletedBelow atomic.Int64 // keys from 1000 up to here are gone
	deletedBelow.Store(1000)
	ctx, stop := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for ctx.Err() == nil {
				gone := vector.Key(deletedBelow.Load())
				got, err := e.Search(context.Background(), fixed, 5, nil)
				if err != nil || len(got) != 5 || got[0].Key != 7 {
					t.Errorf("Search = %v, %v; want key 7 first", got, err)
					return
				}
				for _, g := range got {
					if g.Key >= 1000 && g.Key < gone {
						t.Errorf("key %d was deleted before", g.Key)
					}
				}
				if n, err := e.Count(context.Background()); err != nil || n < 300 {
					t.Errorf("Count = %d, %v", n, err)
				}
			}
		})
	}
	wg.Go(func() {
		for ctx.Err() == nil {
			found := false
			err := e.Scan(context.Background(), func(r vector.Record) bool { found = found || r.Key == 7; return true })
			if err != nil || !found {
				t.Errorf("Scan: key 7 found: %v, %v", found, err)
				return
			}
		}
	})
	for round := range vector.Key(12) {
		from := 1000 + round*100
		s.put(t, e, m, records(r, s.dim, from, 100))
		must(t, e.Flush(t.Context()))
		for k := from; k < from+100; k++ {
			s.remove(t, e, m, k)
			deletedBelow.Store(int64(k) + 1)
		}
		if round%3 == 2 {
			must(t, e.Maintain(t.Context(), m.live))
		}
	}
	stop()
	wg.Wait()
	m.check(t, e, r, s.dim)
}

// random runs long mixes of operations from fixed seeds and compares after each few.
func (s suite) random(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			dir, r, m := t.TempDir(), rng(100+seed), model{}
			e := s.engine(t, dir)
			next := vector.Key(1)
			for step := range 60 {
				switch op := r.IntN(20); {
				case op < 9:
					n := vector.Key(1 + r.IntN(40))
					if r.IntN(8) == 0 {
						n += 400
					}
					s.put(t, e, m, records(r, s.dim, next, n))
					next += n
				case op < 13:
					keys := m.keys()
					var some []vector.Key
					for range min(len(keys), r.IntN(30)) {
						some = append(some, keys[r.IntN(len(keys))])
					}
					s.remove(t, e, m, append(some, next+5)...)
				case op < 15:
					must(t, e.Flush(t.Context()))
				case op < 17:
					must(t, e.Maintain(t.Context(), m.live))
				case op < 18:
					must(t, e.Close())
					e = s.engine(t, dir)
				case op < 19:
					must(t, e.Flush(t.Context()))
					dir = copyDir(t, dir)
					e = s.engine(t, dir)
				default:
					if keys := m.keys(); len(keys) > 0 {
						k := keys[r.IntN(len(keys))]
						s.put(t, e, m, []vector.Record{{Key: k, Vector: m[k]}})
					}
				}
				if step%4 == 0 {
					m.check(t, e, r, s.dim)
				}
			}
			m.check(t, e, r, s.dim)
		})
	}
}

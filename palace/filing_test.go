package palace

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/reverie-memory/reverie/vault"
)

// The same text of the same source in one wing is one drawer, however many file it at once, and also where the index does not follow.
func TestOneTextOfASourceIsFiledOnce(t *testing.T) {
	for name, broken := range map[string]error{"followed": nil, "not followed": errors.New("the index is away")} {
		t.Run(name, func(t *testing.T) {
			var mu sync.Mutex
			indexed := map[string]vault.Path{}
			var r *rig
			r = newRig(t, func(o *Options, _ *stubExtractor) {
				o.Sync = func(context.Context, ...vault.Path) error {
					mu.Lock()
					defer mu.Unlock()
					if broken != nil {
						return broken
					}
					return r.vault.EachDrawer(t.Context(), nil, func(p vault.Path, d *vault.Drawer) { indexed[d.ID] = p })
				}
				o.KnownDrawers = func(_ context.Context, ids []string) (map[string]vault.Path, error) {
					mu.Lock()
					defer mu.Unlock()
					known := map[string]vault.Path{}
					for _, id := range ids {
						if p, ok := indexed[id]; ok {
							known[id] = p
						}
					}
					return known, nil
				}
			})
			var all sync.WaitGroup
			var ids []string
			known := 0
			for range 8 {
				all.Go(func() {
					err := r.File(t.Context(), vault.Drawer{Wing: "home", SourceFile: "/a", Text: "The kettle sings."}, func(f Filed) error {
						mu.Lock()
						defer mu.Unlock()
						if ids = append(ids, f.Drawer.ID); f.Known {
							known++
						}
						if f.Known == (f.Late != nil) && broken != nil {
							t.Errorf("known %v, late %v", f.Known, f.Late)
						}
						return nil
					})
					if err != nil {
						t.Error(err)
					}
				})
			}
			all.Wait()
			if len(slices.Compact(ids)) != 1 || known != 7 {
				t.Errorf("%d were known, of %q", known, ids)
			}
			n := 0
			if err := r.vault.EachDrawer(t.Context(), nil, func(vault.Path, *vault.Drawer) { n++ }); err != nil || n != 1 {
				t.Errorf("%d drawers: %v", n, err)
			}
		})
	}
}

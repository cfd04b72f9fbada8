package dream

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/vault"
)

// A wiki shows a model the zones as they will be, and nothing else of the vault. The model knows pages by their names under the root.
type wiki struct{ p *planner }

// ListPages implements [Wiki].
func (w wiki) ListPages(_ context.Context, zone string) ([]vault.Path, error) {
	var out []vault.Path
	for _, list := range w.p.groupPages {
		for _, name := range list {
			name = w.p.r.where.Name(name)
			if name != "" && (zone == "" || strings.HasPrefix(string(name), strings.TrimSuffix(zone, "/")+"/")) {
				out = append(out, name)
			}
		}
	}
	slices.Sort(out)
	return out, nil
}

// ReadPage implements [Wiki].
func (w wiki) ReadPage(_ context.Context, name vault.Path) ([]byte, error) {
	name = w.p.r.where.At(name)
	if !w.p.r.where.InZone(name) {
		return nil, fmt.Errorf("%q is not a page", clipped(string(name)))
	}
	d, err := w.p.current(name)
	if err != nil {
		return nil, err
	}
	return d.doc.Bytes(), nil
}

// Search implements [Wiki].
func (w wiki) Search(ctx context.Context, query string, k int) ([]string, error) {
	return w.p.r.o.Index.Search(ctx, query, k)
}

package operations

import (
	"context"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/palace"
)

// Isolate has a project keep its memory to itself, or ends that, and lists the isolated ones.
func (m Memory) Isolate(ctx context.Context, i api.Isolate) (api.Isolated, error) {
	i, _, err := admit(m, i)
	if err != nil {
		return api.Isolated{}, err
	}
	if i.Wing == "" {
		return api.Isolated{}, api.Refuse("wing", "must name a project")
	}
	if err := palace.Isolate(ctx, m.Vault(), i.Wing, !i.Release); err != nil {
		return api.Isolated{}, err
	}
	return m.Isolated(ctx)
}

// Isolated lists the isolated projects.
func (m Memory) Isolated(context.Context) (api.Isolated, error) {
	wings, err := palace.Isolated(m.Vault())
	return api.Isolated{Wings: list(wings)}, err
}

package worker

import (
	"context"

	"github.com/reverie-memory/reverie/palace/centroids"
)

// centroids learns what each type looks like from the drawers that a model told.
func (r *Room) centroids(ctx context.Context) (done int, more bool, err error) {
	counts, err := centroids.Store{Vault: r.opt.Vault}.Learn(ctx, r.opt.Reader(), r.opt.Journal.State(), r.opt.Fingerprint(),
		r.writing.RLocker())
	for _, n := range counts {
		done += n
	}
	r.dormant = centroids.Dormant(counts)
	return done, false, err
}

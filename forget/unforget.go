package forget

import (
	"context"
	"slices"

	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/vault"
)

// Restoring is what an unforgetting brings back: the records that no tombstone hides any more.
type Restoring struct {
	Targets []Target

	before, after *vault.Tombstones
}

// Add takes a record, if it was hidden and is not any more.
func (r *Restoring) Add(t Target) {
	if r.before.Cut(t.Text) != r.after.Cut(t.Text) {
		r.Targets = append(r.Targets, t)
	}
}

// Unforget takes back the tombstones of facts, drawers or forgettings with these ids, or of a conversation, or gives up those that
// are lost. Unforget returns how many they were, and what no tombstone hides any more. What was purged is gone.
func (r *Room) Unforget(ctx context.Context, ids []string, chat string, lost bool) (lifted int, shown []Found, err error) {
	back := &Restoring{}
	if back.before, err = r.o.Vault.Tombstones(); err != nil {
		return 0, nil, err
	}
	if lost {
		lifted, err = r.o.Vault.GiveUpLost(ctx)
	} else {
		lifted, err = r.lift(ctx, ids, chat)
	}
	if err != nil || lifted == 0 && len(ids) > 0 {
		return lifted, nil, err
	}
	if err := r.reload(); err != nil {
		return lifted, nil, err
	}
	if back.after, err = r.o.Vault.Tombstones(); err != nil {
		return lifted, nil, err
	}
	for _, k := range slices.Backward(r.o.Kinds) {
		if k.Restore == nil {
			continue
		}
		if err := k.Restore(ctx, back); err != nil {
			return lifted, nil, err
		}
	}
	return lifted, found(back.Targets), r.follow(ctx)
}

// GiveUpPurged takes back the tombstones of forgettings that purged, by their ids: what they name may be remembered anew. GiveUpPurged
// returns how many they were.
func (r *Room) GiveUpPurged(ctx context.Context, ids []string) (n int, err error) {
	for _, id := range ids {
		more, err := r.o.Vault.GiveUpPurged(ctx, id)
		if n += more; err != nil {
			return n, err
		}
	}
	if err := r.reload(); err != nil || n == 0 {
		return n, err
	}
	return n, r.follow(ctx)
}

// lift takes back the tombstones that a request names, and returns how many.
func (r *Room) lift(ctx context.Context, ids []string, chat string) (n int, err error) {
	targets, err := r.find(ctx, Request{IDs: ids, ChatID: chat}, true, nil, newReading())
	if err != nil {
		return 0, err
	}
	texts := slice.Map(stones(targets, vault.Tombstone{}, nil), func(s vault.Tombstone) string { return s.Text })
	for _, t := range targets {
		texts = append(texts, t.lines()...)
	}
	n, err = r.o.Vault.Unforget(ctx, "", texts)
	for i := 0; err == nil && i < len(ids); i++ {
		var more int
		more, err = r.o.Vault.Unforget(ctx, ids[i], nil)
		n += more
	}
	return n, err
}

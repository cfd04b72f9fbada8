package llm

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync"
	"time"
)

// PurposeEmbed marks the usage of embedders, which is counted and has no budget.
const PurposeEmbed = "embed"

// Usage is one line of the usage ledger: what a call was given before it was made, and later, under the same ID,
// what it cost. The later line replaces the earlier one.
type Usage struct {
	ID        string    `json:"id"`
	At        time.Time `json:"at"`
	Purpose   string    `json:"purpose"`
	Provider  string    `json:"provider"`
	Model     string    `json:"model"`
	Input     int       `json:"input"`
	Output    int       `json:"output"`
	Estimated bool      `json:"estimated,omitempty"` // counted by us, not by the provider
	Reserved  bool      `json:"reserved,omitempty"`  // not settled yet
}

// A Ledger keeps usage where a restart finds it.
type Ledger interface {
	// Append returns when u is on disk.
	Append(ctx context.Context, u Usage) error
	// Today returns the tokens of a UTC day (YYYY-MM-DD), those of embedders left out.
	Today(ctx context.Context, day string) (tokens int, err error)
}

// ErrBudget says that a call would go over the daily budget, or that the budget cannot be known.
var ErrBudget = errors.New("daily token budget")

// A Budget bounds the tokens that chat models may cost in a UTC day. A budget fails closed: a call is recorded with the
// most that it may cost before it is made, and a ledger that cannot be read or written means no call.
type Budget struct {
	ledger Ledger
	daily  int

	mu      sync.Mutex // one reservation at a time, so that two cannot both take the rest
	pending map[string]Usage
	flushed time.Time
}

// NewBudget returns a budget of daily tokens. Zero allows nothing; below zero there is no limit, and all is still recorded.
func NewBudget(ledger Ledger, daily int) *Budget {
	return &Budget{ledger: ledger, daily: daily}
}

// A Reservation is the part of the budget that a running call holds.
type Reservation struct {
	budget *Budget
	usage  Usage
}

// Reserve takes u.Input + u.Output tokens from today's budget or refuses with ErrBudget.
func (b *Budget) Reserve(ctx context.Context, u Usage) (*Reservation, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	u.ID, u.At, u.Reserved, u.Estimated = rand.Text(), time.Now().UTC(), true, true
	spent, err := b.ledger.Today(ctx, day(u.At))
	if err != nil {
		return nil, fmt.Errorf("%w: the ledger cannot be read, so no call is made: %w", ErrBudget, err)
	}
	if need := u.Input + u.Output; b.daily >= 0 && spent+need > b.daily {
		return nil, fmt.Errorf("%w: %d of %d tokens are spent or held today, and this call may need %d; it begins anew at 00:00 UTC, "+
			"and llm.daily_token_budget sets it", ErrBudget, spent, b.daily, need)
	}
	if err := b.ledger.Append(ctx, u); err != nil {
		return nil, fmt.Errorf("%w: the ledger cannot be written, so no call is made: %w", ErrBudget, err)
	}
	return &Reservation{b, u}, nil
}

// Settle replaces the reservation by what the call cost. When that fails, the reservation stays in the books.
func (r *Reservation) Settle(ctx context.Context, input, output int, estimated bool) error {
	r.budget.mu.Lock()
	defer r.budget.mu.Unlock()
	r.usage.Input, r.usage.Output, r.usage.Estimated, r.usage.Reserved = input, output, estimated, false
	return r.budget.ledger.Append(context.WithoutCancel(ctx), r.usage)
}

// Spent returns today's tokens and the limit.
func (b *Budget) Spent(ctx context.Context) (spent, daily int, err error) {
	spent, err = b.ledger.Today(ctx, day(time.Now()))
	return spent, b.daily, err
}

// Count records what an embedder read. Embeddings have no budget, so nothing is refused; and as every search makes one,
// they are summed up and written once a minute. Flush writes the rest.
func (b *Budget) Count(ctx context.Context, u Usage) {
	b.mu.Lock()
	u.At = time.Now().UTC()
	if b.pending == nil {
		b.pending = map[string]Usage{}
		b.flushed = u.At
	}
	key := day(u.At) + u.Provider + "/" + u.Model
	if sum, ok := b.pending[key]; ok {
		u.Input += sum.Input
		u.Estimated = u.Estimated || sum.Estimated
	}
	b.pending[key] = u
	due := u.At.Sub(b.flushed) >= time.Minute
	b.mu.Unlock()
	if due {
		_ = b.Flush(ctx) // what cannot be written stays pending
	}
}

// Flush writes the embeddings counted so far.
func (b *Budget) Flush(ctx context.Context) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.flushed = time.Now()
	for key, u := range b.pending {
		u.ID = rand.Text()
		if err := b.ledger.Append(context.WithoutCancel(ctx), u); err != nil {
			return fmt.Errorf("recording embeddings: %w", err)
		}
		delete(b.pending, key)
	}
	return nil
}

func day(t time.Time) string { return t.UTC().Format(time.DateOnly) }

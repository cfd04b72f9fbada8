package llm

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// ErrAllowance says that a call would go over the allowance of its task.
var ErrAllowance = errors.New("token allowance")

// OverAllowance is an [ErrAllowance] with its numbers, in tokens.
type OverAllowance struct{ Spent, Limit, Need int }

func (o *OverAllowance) Error() string {
	return fmt.Sprintf("%v: %d of %d tokens are spent, and this call may need %d", ErrAllowance, o.Spent, o.Limit, o.Need)
}

// Unwrap makes it an ErrAllowance.
func (*OverAllowance) Unwrap() error { return ErrAllowance }

// An Allowance bounds the tokens of one task, such as a dream, within the daily budget, and counts what it cost. An allowance rides
// in a context, so that each attempt of a [GuardedChat] is counted, also one that failed on the way.
type Allowance struct {
	limit int

	mu     sync.Mutex
	held   int
	calls  int
	input  int
	output int
}

// NewAllowance returns an allowance of so many tokens; below zero there is no limit.
func NewAllowance(tokens int) *Allowance { return &Allowance{limit: tokens} }

type allowanceKey struct{}

// WithAllowance returns a context under which calls draw on a.
func WithAllowance(ctx context.Context, a *Allowance) context.Context {
	return context.WithValue(ctx, allowanceKey{}, a)
}

func allowanceOf(ctx context.Context) *Allowance {
	a, _ := ctx.Value(allowanceKey{}).(*Allowance)
	return a
}

// AllowanceLeft is how many tokens calls under ctx may still draw, below zero where nothing bounds them.
func AllowanceLeft(ctx context.Context) int {
	a := allowanceOf(ctx)
	if a == nil || a.limit < 0 {
		return -1
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return max(0, a.limit-a.input-a.output-a.held)
}

// Spent returns what was asked and what it cost. A call whose cost is unknown counts with the most that it may have cost.
func (a *Allowance) Spent() (calls, input, output int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.calls, a.input, a.output
}

// take holds a call's tokens or refuses. A nil Allowance takes everything.
func (a *Allowance) take(need Usage) error {
	if a == nil {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if spent := a.input + a.output + a.held; a.limit >= 0 && spent+need.Input+need.Output > a.limit {
		return &OverAllowance{spent, a.limit, need.Input + need.Output}
	}
	a.held += need.Input + need.Output
	return nil
}

// settle replaces what a call held by what it cost.
func (a *Allowance) settle(held Usage, input, output int) {
	if a == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.held -= held.Input + held.Output
	a.calls++
	a.input += input
	a.output += output
}

// giveBack lets go of what a call held that was not made.
func (a *Allowance) giveBack(held Usage) {
	if a == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.held -= held.Input + held.Output
}

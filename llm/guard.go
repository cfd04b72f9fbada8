package llm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/reverie-memory/reverie/llm/program"
)

// GuardOptions set the limits of a guarded model. Zero values take the defaults.
type GuardOptions struct {
	MaxTries int           // attempts of one call; 0 is 4
	Initial  time.Duration // wait before the second attempt, doubled and jittered from there; 0 is 500 ms
	MaxWait  time.Duration // longest wait, the server's own Retry-After included; 0 is 30 s
	Breaker  *Breaker      // nil: one of its own with the defaults
	Budget   *Budget       // chat: asked before each call, and nil refuses all of them; embedders: only counts
	Log      *slog.Logger
}

// guard is what the two wrappers share.
type guard struct {
	options GuardOptions
	name    string
	what    string // "embedder" or "model", for people
	breaker *Breaker
}

func newGuard(o GuardOptions, what, name string) guard {
	if o.MaxTries <= 0 {
		o.MaxTries = 4
	}
	if o.Initial <= 0 {
		o.Initial = 500 * time.Millisecond
	}
	if o.MaxWait <= 0 {
		o.MaxWait = 30 * time.Second
	}
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	if o.Breaker == nil {
		o.Breaker = &Breaker{}
	}
	return guard{options: o, name: name, what: what, breaker: o.Breaker}
}

// Degraded says why the model is not, or not reliably, asked at the moment; "" when all is well.
func (g *guard) Degraded() string {
	if state := g.breaker.State(); state != "" {
		return g.what + " " + g.name + ": " + state
	}
	return ""
}

// retry runs op until it succeeds, fails for good, or the tries, the context or the breaker end it.
// Only failures that may pass are tried again.
func retry[T any](ctx context.Context, g *guard, op func() (T, error)) (T, error) {
	var last error
	wait := backoff.NewExponentialBackOff()
	wait.InitialInterval = g.options.Initial
	wait.MaxInterval = g.options.MaxWait
	value, err := backoff.Retry(ctx, func() (T, error) {
		var zero T
		if err := ctx.Err(); err != nil {
			return zero, backoff.Permanent(err)
		}
		if err := g.breaker.Allow(); err != nil {
			if last == nil {
				last = err
			}
			return zero, backoff.Permanent(err)
		}
		value, err := op()
		if err == nil {
			g.breaker.Success()
			return value, nil
		}
		last = err
		asked := retryAfterOf(err)
		switch {
		case ctx.Err() != nil || callersFault(err):
			g.breaker.Dropped()
			return zero, backoff.Permanent(err)
		default:
			g.breaker.Failure(err, asked)
		}
		if !temporary(err) || asked > g.options.MaxWait {
			return zero, backoff.Permanent(err)
		}
		if asked > 0 {
			return zero, &backoff.RetryAfterError{Duration: asked}
		}
		return zero, err
	}, backoff.WithBackOff(wait), backoff.WithMaxTries(uint(g.options.MaxTries)), backoff.WithMaxElapsedTime(0),
		backoff.WithNotify(func(err error, next time.Duration) {
			g.options.Log.Warn("model call failed, trying again", "model", g.name, "in", next, "err", last)
		}))
	if err != nil && last != nil && ctx.Err() == nil {
		err = last // backoff's own wrappers say less
	}
	return value, err
}

// callersFault tells failures that lie in this one request and say nothing about the server.
func callersFault(err error) bool {
	var status *StatusError
	if errors.As(err, &status) {
		return status.Code == 400 || status.Code == 413 || status.Code == 422
	}
	var refused budgetRefusal
	return errors.As(err, &refused) || errors.Is(err, ErrNoTools) || errors.Is(err, ErrCutAnswer) || errors.Is(err, ErrNotJSON) ||
		errors.Is(err, ErrEmptyAnswer)
}

func retryAfterOf(err error) time.Duration {
	var status *StatusError
	if errors.As(err, &status) {
		return status.RetryAfter
	}
	return 0
}

// A GuardedEmbedder is an Embedder that retries, stops asking a server that is down, and counts what a remote one reads.
type GuardedEmbedder struct {
	guard
	inner Embedder
}

// NewGuardedEmbedder wraps e.
func NewGuardedEmbedder(e Embedder, o GuardOptions) *GuardedEmbedder {
	return &GuardedEmbedder{guard: newGuard(o, "embedder", e.Name()), inner: e}
}

// Name, Dim and Fingerprint are those of the wrapped embedder.
func (g *GuardedEmbedder) Name() string        { return g.inner.Name() }
func (g *GuardedEmbedder) Dim() int            { return g.inner.Dim() }
func (g *GuardedEmbedder) Fingerprint() string { return g.inner.Fingerprint() }

// Embed implements [Embedder].
func (g *GuardedEmbedder) Embed(ctx context.Context, texts []string, kind Kind) ([][]float32, error) {
	var count tokenCount
	vectors, err := retry(ctx, &g.guard, func() ([][]float32, error) {
		return g.inner.Embed(context.WithValue(ctx, tokenCountKey{}, &count), texts, kind)
	})
	if n := count.tokens.Load(); n > 0 && g.options.Budget != nil {
		provider, model, _ := strings.Cut(g.name, "/")
		g.options.Budget.Count(ctx, Usage{
			Purpose: PurposeEmbed, Provider: provider, Model: model, Input: int(n), Estimated: count.estimated.Load(),
		})
	}
	return vectors, err
}

// A tokenCount rides in the context of a guarded Embed and counts the tokens of its requests.
type tokenCount struct {
	tokens    atomic.Int64
	estimated atomic.Bool
}

type tokenCountKey struct{}

// countTokens adds what the server says it read, or an estimate.
func countTokens(ctx context.Context, said int, texts []string) {
	t, _ := ctx.Value(tokenCountKey{}).(*tokenCount)
	if t == nil {
		return
	}
	if said == 0 {
		for _, text := range texts {
			said += estimate(text)
		}
		t.estimated.Store(true)
	}
	t.tokens.Add(int64(said))
}

// estimate is an upper guess of a text's tokens: a third of its bytes, which holds for English, German and CJK alike.
func estimate(text string) int { return len(text)/3 + 4 }

// A GuardedChat is a Chat that retries, keeps to the budget, and stops asking a server that is down.
type GuardedChat struct {
	guard
	inner Chat
}

// NewGuardedChat wraps c.
func NewGuardedChat(c Chat, o GuardOptions) *GuardedChat {
	return &GuardedChat{guard: newGuard(o, "model", c.Name()), inner: c}
}

// Name is that of the wrapped model.
func (g *GuardedChat) Name() string { return g.inner.Name() }

// Complete implements [Chat]. Each attempt is reserved in the budget before it is made and settled by what it cost.
func (g *GuardedChat) Complete(ctx context.Context, req Request) (Answer, error) {
	if req.MaxTokens <= 0 {
		req.MaxTokens = defaultMaxTokens // an open end could not be reserved
	}
	need := Usage{
		Purpose: req.Purpose, Output: req.MaxTokens,
		Input: estimate(req.System) + estimate(req.Prompt) + estimate(string(req.Schema)),
	}
	return paid(ctx, g, need, func() (Answer, callCost, error) {
		a, err := g.inner.Complete(ctx, req)
		return a, callCost{a.InputTokens, a.OutputTokens, estimate(a.Text)}, err
	})
}

// Talk implements [Talker] where the wrapped model does, as Complete does.
func (g *GuardedChat) Talk(ctx context.Context, c Conversation) (Turn, error) {
	talker, ok := g.inner.(Talker)
	if !ok {
		return Turn{}, fmt.Errorf("%s: %w", g.name, ErrNoTools)
	}
	if c.MaxTokens <= 0 {
		c.MaxTokens = defaultMaxTokens
	}
	need := Usage{Purpose: c.Purpose, Input: c.Tokens(), Output: c.MaxTokens}
	return paid(ctx, g, need, func() (Turn, callCost, error) {
		t, err := talker.Talk(ctx, c)
		said := estimate(t.Text)
		for _, call := range t.Calls {
			said += estimate(call.Name + call.Arguments)
		}
		return t, callCost{t.InputTokens, t.OutputTokens, said}, err
	})
}

// Talks tells whether Talk can be of use: the model's protocol has tools.
func (g *GuardedChat) Talks() bool {
	_, ok := g.inner.(Talker)
	return ok
}

// ContextTokens is the most that a conversation and its answer may have together, where that is known: for Ollama. Otherwise 0.
func (g *GuardedChat) ContextTokens() int {
	if c, ok := g.inner.(interface{ contextTokens() int }); ok {
		return c.contextTokens()
	}
	return 0
}

// A callCost is what a call cost by the provider's count, zero where it gave none, and our own guess of the answer's tokens.
type callCost struct{ input, output, guess int }

// paid makes a call in attempts, each of which is reserved before it is made and settled by what it cost.
func paid[T any](ctx context.Context, g *GuardedChat, need Usage, call func() (T, callCost, error)) (T, error) {
	need.Provider, need.Model, _ = strings.Cut(g.name, "/")
	allowance := allowanceOf(ctx)
	var refused error // by the budget: no fault of the server's
	value, err := retry(ctx, &g.guard, func() (T, error) {
		held, err := g.reserve(ctx, allowance, need)
		if err != nil {
			refused = err
			var zero T
			return zero, budgetRefusal{err}
		}
		value, cost, err := call()
		g.settle(ctx, allowance, held, need, cost, err)
		return value, err
	})
	if refused != nil {
		var zero T
		return zero, refused
	}
	return value, err
}

// budgetRefusal keeps a refused call from counting as the server's failure.
type budgetRefusal struct{ error }

func (b budgetRefusal) Unwrap() error { return b.error }

func (g *GuardedChat) reserve(ctx context.Context, allowance *Allowance, need Usage) (*Reservation, error) {
	if g.options.Budget == nil { // forgotten wiring must not spend money
		return nil, fmt.Errorf("%w: none is set, so no call is made", ErrBudget)
	}
	if err := allowance.take(need); err != nil {
		return nil, err
	}
	held, err := g.options.Budget.Reserve(ctx, need)
	if err != nil {
		allowance.giveBack(need)
	}
	return held, err
}

func (g *GuardedChat) settle(ctx context.Context, allowance *Allowance, held *Reservation, need Usage, cost callCost, err error) {
	input, output, estimated := cost.input, cost.output, false
	var status *StatusError
	switch {
	case errors.As(err, &status) || errors.Is(err, ErrNoTools) || errors.Is(err, program.ErrNotStarted): // which costs nothing
		input, output = 0, 0
	case input == 0 && output == 0 && err != nil:
		allowance.settle(need, need.Input, need.Output)
		return // unknown whether it was worked on: the reservation stands
	case input == 0 && output == 0:
		input, output, estimated = need.Input, cost.guess, true
	}
	allowance.settle(need, input, output)
	if err := held.Settle(ctx, input, output, estimated); err != nil {
		g.options.Log.Error("recording a model's usage failed; the reservation stands", "err", err)
	}
}

package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/llm"
)

// fakeChat fails with the scripted errors, then answers.
type fakeChat struct {
	mu    sync.Mutex
	fails []error
	calls int
	delay time.Duration
}

func (f *fakeChat) Name() string { return "fake/model" }

func (f *fakeChat) Complete(ctx context.Context, req llm.Request) (llm.Answer, error) {
	f.mu.Lock()
	f.calls++
	var err error
	if len(f.fails) > 0 {
		err, f.fails = f.fails[0], f.fails[1:]
	}
	f.mu.Unlock()
	if f.delay > 0 {
		select {
		case <-time.After(f.delay):
		case <-ctx.Done():
			return llm.Answer{}, ctx.Err()
		}
	}
	if err != nil {
		return llm.Answer{}, err
	}
	return llm.Answer{Text: "ok", InputTokens: 100, OutputTokens: 20}, nil
}

func unlimited() *llm.Budget { return llm.NewBudget((&state{}).ledger(), -1) }

func status(code int) error { return fmt.Errorf("asking: %w", &llm.StatusError{Code: code}) }

func times(n int, err error) (out []error) {
	for range n {
		out = append(out, err)
	}
	return out
}

func TestGuardRetriesWhatMayPass(t *testing.T) {
	for name, c := range map[string]struct {
		fails []error
		calls int
		ok    bool
	}{
		"twice busy":       {times(2, status(503)), 3, true},
		"limit":            {times(9, status(503)), 4, false},
		"too many":         {times(1, status(429)), 2, true},
		"bad request":      {times(9, status(400)), 1, false},
		"bad key":          {times(9, status(401)), 1, false},
		"not JSON":         {times(9, llm.ErrNotJSON), 1, false},
		"a mystery":        {times(9, errors.New("odd")), 1, false},
		"not implemented":  {times(9, status(501)), 1, false},
		"asks for an hour": {times(9, &llm.StatusError{Code: 429, RetryAfter: time.Hour}), 1, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			f := &fakeChat{fails: c.fails}
			_, err := llm.NewGuardedChat(f, llm.GuardOptions{Budget: unlimited()}).Complete(context.Background(), llm.Request{})
			if (err == nil) != c.ok || f.calls != c.calls {
				t.Errorf("%s: %d calls, %v", name, f.calls, err)
			}
			if !c.ok && err.Error() != c.fails[0].Error() {
				t.Errorf("%s: the model's error became %v", name, err)
			}
		})
	}
}

func TestGuardWaitsAsLongAsTheServerAsks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeChat{fails: []error{&llm.StatusError{Code: 429, RetryAfter: 7 * time.Second}}}
		start := time.Now()
		if _, err := llm.NewGuardedChat(f, llm.GuardOptions{Budget: unlimited()}).Complete(context.Background(), llm.Request{}); err != nil {
			t.Fatal(err)
		}
		if waited := time.Since(start); waited != 7*time.Second {
			t.Errorf("waited %v", waited)
		}
	})
}

func TestGuardEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeChat{fails: times(99, status(503))}
		g := llm.NewGuardedChat(f, llm.GuardOptions{Budget: unlimited(), MaxTries: 99, Breaker: &llm.Breaker{Failures: 99}})
		ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
		defer cancel()
		start := time.Now()
		if _, err := g.Complete(ctx, llm.Request{}); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != 3*time.Second {
			t.Errorf("%v after %v", err, time.Since(start))
		}
	})
}

func TestBreakerOpensAndHeals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeChat{fails: times(6, status(500))}
		g := llm.NewGuardedChat(f, llm.GuardOptions{Budget: unlimited(), MaxTries: 1})
		ask := func() error { _, err := g.Complete(context.Background(), llm.Request{}); return err }
		if g.Degraded() != "" {
			t.Errorf("degraded before any call: %s", g.Degraded())
		}
		for range 5 {
			ask()
		}
		var open *llm.OpenError
		if err := ask(); !errors.As(err, &open) || f.calls != 5 {
			t.Fatalf("after 5 failures: %d calls, %v", f.calls, err)
		}
		if d := g.Degraded(); !strings.Contains(d, "model fake/model: not asked until") || !strings.Contains(d, "500") {
			t.Errorf("degraded: %q", d)
		}
		time.Sleep(30 * time.Second)
		if ask(); f.calls != 6 { // half-open: one call, which fails
			t.Fatalf("%d calls", f.calls)
		}
		if err := ask(); !errors.As(err, &open) {
			t.Fatalf("not open again: %v", err)
		}
		time.Sleep(30 * time.Second)
		if err := ask(); err != nil || g.Degraded() != "" {
			t.Errorf("not healed: %v, %q", err, g.Degraded())
		}
	})
}

func TestBreakerLetsOneCallThrough(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeChat{fails: times(5, status(500)), delay: time.Second}
		g := llm.NewGuardedChat(f, llm.GuardOptions{Budget: unlimited(), MaxTries: 1})
		for range 5 {
			g.Complete(context.Background(), llm.Request{})
		}
		time.Sleep(time.Minute)
		var wg sync.WaitGroup
		for range 10 {
			wg.Go(func() { g.Complete(context.Background(), llm.Request{}) })
		}
		wg.Wait()
		if f.calls != 6 {
			t.Errorf("%d calls, want 6", f.calls)
		}
	})
}

func TestCancelledProbeDoesNotJamTheBreaker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeChat{fails: times(5, status(500)), delay: time.Second}
		g := llm.NewGuardedChat(f, llm.GuardOptions{Budget: unlimited(), MaxTries: 1})
		for range 5 {
			g.Complete(context.Background(), llm.Request{})
		}
		time.Sleep(time.Minute)
		ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
		defer cancel()
		g.Complete(ctx, llm.Request{})
		if _, err := g.Complete(context.Background(), llm.Request{}); err != nil {
			t.Error(err)
		}
	})
}

// state is a state file in memory that can fail.
type state struct {
	mu             sync.Mutex
	lines          [][]byte
	unread, unfull error
}

func (s *state) write(_ context.Context, name string, recs ...any) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.unfull != nil {
		return s.unfull
	}
	for _, r := range recs {
		raw, err := json.Marshal(r)
		if err != nil {
			return err
		}
		s.lines = append(s.lines, raw)
	}
	return nil
}

func (s *state) read(name string, fn func(int, []byte) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.unread != nil {
		return s.unread
	}
	for i, l := range s.lines {
		if err := fn(i+1, l); err != nil {
			return err
		}
	}
	return nil
}

func (s *state) ledger() *llm.FileLedger { return llm.NewFileLedger(s.write, s.read) }

func TestBudgetBoundsTheDay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &state{}
		f := &fakeChat{}
		req := llm.Request{Purpose: "extract", Prompt: "x", MaxTokens: 100}
		g := llm.NewGuardedChat(f, llm.GuardOptions{Budget: llm.NewBudget(s.ledger(), 300)})
		for range 9 { // each costs 120; the third may need 108 of the 60 that are left
			g.Complete(context.Background(), req)
		}
		_, err := g.Complete(context.Background(), req)
		if !errors.Is(err, llm.ErrBudget) || f.calls != 2 {
			t.Fatalf("%d calls, %v", f.calls, err)
		}
		if g.Degraded() != "" {
			t.Errorf("a refusal of ours counted as the server's failure: %s", g.Degraded())
		}
		// A restart reads the same.
		again := llm.NewGuardedChat(f, llm.GuardOptions{Budget: llm.NewBudget(s.ledger(), 300)})
		if _, err := again.Complete(context.Background(), req); !errors.Is(err, llm.ErrBudget) {
			t.Errorf("after a restart: %v", err)
		}
		days, err := s.ledger().Days(context.Background())
		want := []llm.DayUsage{{Day: "2000-01-01", Purpose: "extract", Provider: "fake", Model: "model", Calls: 2, Input: 200, Output: 40}}
		if diff := cmp.Diff(want, days); diff != "" || err != nil {
			t.Error(diff, err)
		}
		time.Sleep(24 * time.Hour)
		if _, err := g.Complete(context.Background(), req); err != nil {
			t.Errorf("the next day: %v", err)
		}
	})
}

func TestBudgetFailsClosed(t *testing.T) {
	broken := errors.New("disk on fire")
	req := llm.Request{Prompt: "x", MaxTokens: 10}
	for name, c := range map[string]struct {
		state *state
		daily int
	}{
		"unreadable": {&state{unread: broken}, 1000},
		"unwritable": {&state{unfull: broken}, 1000},
		"zero":       {&state{}, 0},
	} {
		f := &fakeChat{}
		g := llm.NewGuardedChat(f, llm.GuardOptions{Budget: llm.NewBudget(c.state.ledger(), c.daily)})
		if _, err := g.Complete(context.Background(), req); !errors.Is(err, llm.ErrBudget) || f.calls != 0 {
			t.Errorf("%s: %d calls, %v", name, f.calls, err)
		}
	}
	f := &fakeChat{}
	if _, err := llm.NewGuardedChat(f, llm.GuardOptions{Budget: llm.NewBudget((&state{}).ledger(), -1)}).Complete(context.Background(),
		req); err != nil {
		t.Errorf("no limit: %v", err)
	}
}

func TestNoBudgetMeansNoCall(t *testing.T) {
	f := &fakeChat{}
	if _, err := llm.NewGuardedChat(f, llm.GuardOptions{}).Complete(context.Background(), llm.Request{}); !errors.Is(err,
		llm.ErrBudget) || f.calls != 0 {
		t.Errorf("%d calls, %v", f.calls, err)
	}
}

func TestBudgetHoldsWhatAnUnfinishedCallMayCost(t *testing.T) {
	s := &state{}
	b := llm.NewBudget(s.ledger(), 1000)
	if _, err := b.Reserve(context.Background(), llm.Usage{Input: 300, Output: 400}); err != nil {
		t.Fatal(err)
	}
	s.lines = append(s.lines, []byte(`{"id":"torn`))
	after := llm.NewBudget(s.ledger(), 1000) // as after a crash
	if spent, _, err := after.Spent(context.Background()); spent != 700 || err != nil {
		t.Errorf("spent %d, %v", spent, err)
	}
	if _, err := after.Reserve(context.Background(), llm.Usage{Input: 300, Output: 1}); !errors.Is(err, llm.ErrBudget) {
		t.Errorf("err = %v", err)
	}
}

func TestBudgetIsNotOvershotTogether(t *testing.T) {
	s := &state{}
	b := llm.NewBudget(s.ledger(), 1000)
	var wg sync.WaitGroup
	var mu sync.Mutex
	got := 0
	for range 50 {
		wg.Go(func() {
			if _, err := b.Reserve(context.Background(), llm.Usage{Output: 90}); err == nil {
				mu.Lock()
				got++
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if got != 11 {
		t.Errorf("%d reservations of 90 in 1000", got)
	}
}

func TestRefusedRequestsCostNothing(t *testing.T) {
	s := &state{}
	b := llm.NewBudget(s.ledger(), 1000)
	f := &fakeChat{fails: []error{status(400), errors.New("odd")}}
	g := llm.NewGuardedChat(f, llm.GuardOptions{Budget: b})
	g.Complete(context.Background(), llm.Request{MaxTokens: 100})
	if spent, _, _ := b.Spent(context.Background()); spent != 0 {
		t.Errorf("a refused request cost %d", spent)
	}
	g.Complete(context.Background(), llm.Request{MaxTokens: 100})
	if spent, _, _ := b.Spent(context.Background()); spent < 100 {
		t.Errorf("a call of unknown outcome cost %d", spent)
	}
}

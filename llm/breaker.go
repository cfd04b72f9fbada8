package llm

import (
	"fmt"
	"sync"
	"time"
)

// A Breaker stops calls to a server that fails again and again. After Failures failures in a row it is open and
// refuses for CoolDown; then it lets one call through, whose outcome closes it or opens it again.
type Breaker struct {
	Failures int           // 0 is 5
	CoolDown time.Duration // 0 is 30 s

	mu     sync.Mutex
	failed int       // in a row
	until  time.Time // when open: the end of the cool-down
	trying bool      // the one call of the half-open state is under way
	last   error
}

// An OpenError is the refusal of an open breaker.
type OpenError struct {
	Until    time.Time
	Failures int
	Last     error
}

func (e *OpenError) Error() string {
	return fmt.Sprintf("not asked until %s after %d failures, the last: %v", e.Until.UTC().Format("15:04:05 UTC"), e.Failures, e.Last)
}

func (e *OpenError) Unwrap() error { return e.Last }

// Allow returns nil or an *OpenError. After nil, the caller reports Success, Failure or Dropped.
func (b *Breaker) Allow() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.failed < b.limit() {
		return nil
	}
	if time.Now().Before(b.until) || b.trying {
		return &OpenError{b.until, b.failed, b.last}
	}
	b.trying = true
	return nil
}

// Success closes the breaker.
func (b *Breaker) Success() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.failed, b.trying, b.last = 0, false, nil
}

// Failure counts a failure; wait, where longer than the cool-down, is how long the server asked to be left alone.
func (b *Breaker) Failure(err error, wait time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.failed++
	b.trying, b.last = false, err
	coolDown := b.CoolDown
	if coolDown <= 0 {
		coolDown = 30 * time.Second
	}
	if b.failed >= b.limit() {
		b.until = time.Now().Add(max(coolDown, wait))
	}
}

// Dropped says that the call ended without telling anything about the server, such as by the caller's wish.
func (b *Breaker) Dropped() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.trying = false
}

// State is for people: "" when all is well.
func (b *Breaker) State() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.failed == 0:
		return ""
	case b.failed < b.limit():
		return fmt.Sprintf("the last call failed: %v", b.last)
	}
	return (&OpenError{b.until, b.failed, b.last}).Error()
}

func (b *Breaker) limit() int {
	if b.Failures <= 0 {
		return 5
	}
	return b.Failures
}

package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/op"
	"github.com/reverie-memory/reverie/operations"
)

// aMemory fails with an error, if it has one, and counts how often it is let go of.
type aMemory struct {
	memory
	err    error
	closed int
}

func (m *aMemory) Call(context.Context, op.Operation, []byte, any) error { return m.err }
func (m *aMemory) close() error                                          { m.closed++; return nil }

// opens is a sharedMemory that opens each of the memories once, and an error where there is none. opened counts.
func opens(t *testing.T, opened *int, wait chan struct{}, each ...*aMemory) *sharedMemory {
	return &sharedMemory{open: func() (memory, func() error, error) {
		<-wait
		m := each[*opened]
		*opened++
		if m == nil {
			return nil, nil, &hintError{errors.New("no vault"), "make one"}
		}
		return m, m.close, nil
	}}
}

func call(ctx context.Context, s *sharedMemory) error {
	return s.Call(ctx, operations.Status, []byte("{}"), new(api.Status))
}

// Calls that come while the memory is being opened wait for it, and whoever goes away takes it from nobody.
func TestCallsShareOneMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		opened, wait, m := 0, make(chan struct{}), &aMemory{}
		s := opens(t, &opened, wait, m)
		gone, leave := context.WithCancel(t.Context())
		errs := make([]error, 10)
		var all sync.WaitGroup
		for i := range errs {
			all.Go(func() {
				ctx := t.Context()
				if i == 0 {
					ctx = gone
				}
				errs[i] = call(ctx, s)
			})
		}
		synctest.Wait()
		leave()
		synctest.Wait()
		close(wait)
		all.Wait()
		for i, err := range errs {
			if (err != nil) != (i == 0) {
				t.Errorf("call %d: %v", i, err)
			}
		}
		if err := s.close(); err != nil || opened != 1 || m.closed != 1 {
			t.Errorf("opened %d times, closed %d times: %v", opened, m.closed, err)
		}
	})
}

// A daemon that is gone is looked for once more; an answer that fails is an answer.
func TestGoneMemoryIsOpenedAnew(t *testing.T) {
	now := make(chan struct{})
	close(now)
	gone := fmt.Errorf("ask the daemon: %w", &net.OpError{Op: "dial", Err: errors.New("refused")})
	other := fmt.Errorf("ask the daemon: %w", errNotProven)
	refused := &api.Error{Code: api.Conflict, Detail: "a dream runs"}

	opened, first, second := 0, &aMemory{err: gone}, &aMemory{}
	s := opens(t, &opened, now, first, second)
	if err := call(t.Context(), s); err != nil || opened != 2 || first.closed != 1 {
		t.Errorf("opened %d times, closed %d times: %v", opened, first.closed, err)
	}

	opened = 0
	s = opens(t, &opened, now, &aMemory{err: other}, &aMemory{})
	if err := call(t.Context(), s); err != nil || opened != 2 {
		t.Errorf("opened %d times: %v", opened, err)
	}

	opened = 0
	s = opens(t, &opened, now, &aMemory{err: gone}, &aMemory{err: gone}, nil)
	if err := call(t.Context(), s); !errors.Is(err, gone) || opened != 2 {
		t.Errorf("opened %d times: %v", opened, err)
	}

	opened = 0
	s = opens(t, &opened, now, &aMemory{err: refused}, nil)
	if err := call(t.Context(), s); !errors.Is(err, refused) || opened != 1 {
		t.Errorf("opened %d times: %v", opened, err)
	}
}

// What could not be opened is tried again by the next call, and its hint reaches the assistant.
func TestMemoryThatCannotBeOpened(t *testing.T) {
	now := make(chan struct{})
	close(now)
	opened := 0
	s := opens(t, &opened, now, nil, &aMemory{})
	var told *api.Error
	if err := call(t.Context(), s); !errors.As(err, &told) || told.Hint != "make one" {
		t.Errorf("%v", err)
	}
	if err := call(t.Context(), s); err != nil || opened != 2 {
		t.Errorf("opened %d times: %v", opened, err)
	}
}

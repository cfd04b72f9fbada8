package model

import (
	"context"
	"fmt"
	"runtime"
	"sync"
)

// lanes share the cores between those who wait for an answer and work in the background. The latter rests, between two layers, until all
// urgent work that had begun by then is done. The zero value is ready.
type lanes struct {
	mu          sync.Mutex
	changed     chan struct{} // closed when urgent work ends; nil while nobody waits
	begun, done int           // urgent pieces of work
}

// cores are those of the machine, which all models share.
var cores lanes

// urgent marks a piece of urgent work, until the function that it returns is called.
func (l *lanes) urgent() func() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.begun++
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.done++
		if l.changed != nil {
			close(l.changed)
			l.changed = nil
		}
	}
}

// rest lets urgent work go first: as many pieces as had begun when rest was called. Later ones do not keep it waiting.
func (l *lanes) rest(ctx context.Context) error {
	l.mu.Lock()
	target := l.begun
	for l.done < target {
		if l.changed == nil {
			l.changed = make(chan struct{})
		}
		changed := l.changed
		l.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		l.mu.Lock()
	}
	l.mu.Unlock()
	return ctx.Err()
}

// each calls work for 0 … n-1 on as many goroutines as there are cores, and returns the first error. A panic is an error too. After an
// error, what has not begun is left out.
func each(ctx context.Context, n int, work func(ctx context.Context, i int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	next := make(chan int, n)
	for i := range n {
		next <- i
	}
	close(next)
	for range min(n, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for i := range next {
				if ctx.Err() != nil {
					return
				}
				if err := held(ctx, i, work); err != nil {
					cancel(err)
					return
				}
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}

// held makes an error of a panic of work: what a model's files say must not end the daemon.
func held(ctx context.Context, i int, work func(ctx context.Context, i int) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("a defect in running the model: %v", p)
		}
	}()
	return work(ctx, i)
}

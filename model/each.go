package model

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	"github.com/reverie-memory/reverie/internal/lanes"
)

// cores are those of the machine, which all models share. Work in the background rests between two layers.
var cores lanes.Lanes

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

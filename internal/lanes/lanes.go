package lanes

import (
	"context"
	"sync"
)

// Lanes are those of one thing that urgent work and work in the background share. The latter rests, before each piece of it, until all
// urgent work that had begun by then is done. The zero value is ready.
type Lanes struct {
	mu          sync.Mutex
	changed     chan struct{} // closed when urgent work ends; nil while nobody waits
	begun, done int           // urgent pieces of work
}

// Urgent marks a piece of urgent work, until the function that it returns is called.
func (l *Lanes) Urgent() func() {
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

// Rest lets urgent work go first: as many pieces as had begun when Rest was called. Later ones do not keep it waiting.
func (l *Lanes) Rest(ctx context.Context) error {
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

package activity

import (
	"context"
	"sync"
	"time"
)

// An Event says that something was written, indexed or moved on.
type Event struct {
	Kind string // write, index, dream or job
	At   string
	Text string
	Job  *Job
}

// News passes events to whoever listens. A listener that does not keep up loses events. Its zero value is ready for use.
type News struct {
	mu        sync.Mutex
	listeners map[*listener]struct{}
	closed    bool
}

type listener struct {
	send func(Event)
	end  func()
}

// Send tells the listeners, and never waits for one. job may be nil.
func (n *News) Send(kind, text string, job *Job) {
	n.mu.Lock()
	defer n.mu.Unlock()
	e := Event{Kind: kind, At: time.Now().UTC().Format(time.RFC3339Nano), Text: text, Job: job}
	for l := range n.listeners {
		l.send(e)
	}
}

// Listen returns a channel that is closed when ctx or the news end. Listen brings the events in the shape of the listener.
func Listen[E any](ctx context.Context, n *News, shape func(Event) E) <-chan E {
	ch := make(chan E, 256)
	l := &listener{end: func() { close(ch) }, send: func(e Event) {
		select {
		case ch <- shape(e):
		default:
		}
	}}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed {
		close(ch)
		return ch
	}
	if n.listeners == nil {
		n.listeners = map[*listener]struct{}{}
	}
	n.listeners[l] = struct{}{}
	context.AfterFunc(ctx, func() {
		n.mu.Lock()
		defer n.mu.Unlock()
		n.leave(l)
	})
	return ch
}

// leave needs n.mu.
func (n *News) leave(l *listener) {
	if _, ok := n.listeners[l]; ok {
		delete(n.listeners, l)
		l.end()
	}
}

// Close ends every listener's channel.
func (n *News) Close() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.closed = true
	for l := range n.listeners {
		n.leave(l)
	}
}

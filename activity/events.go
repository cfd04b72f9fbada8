package activity

import (
	"context"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/palace/tier"
	"github.com/reverie-memory/reverie/vault"
)

// An Event says that something was written, indexed or moved on.
type Event struct {
	Kind  string // write, index, dream, job or memory
	At    string
	Text  string
	Job   *Job
	Filed *Filed // of a memory
}

// Filed tells of a drawer that was filed, without its text.
type Filed struct {
	Drawer, Wing, Room string
	Type               string // of memory
	Agent              string
	Length             int // characters
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
func (n *News) Send(kind, text string, job *Job) { n.send(Event{Kind: kind, Text: text, Job: job}) }

// SendFiled tells the listeners of drawers that were filed.
func (n *News) SendFiled(drawers []vault.Drawer) {
	if !n.heard() { // to read the types takes a while
		return
	}
	for _, d := range drawers {
		kind, _ := tier.Classify(d.Text)
		n.send(Event{Kind: "memory", Filed: &Filed{
			Drawer: d.ID, Wing: d.Wing, Room: d.Room, Type: kind, Agent: d.Agent, Length: utf8.RuneCountInString(d.Text),
		}})
	}
}

// heard says whether there is a listener.
func (n *News) heard() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return len(n.listeners) > 0
}

func (n *News) send(e Event) {
	n.mu.Lock()
	defer n.mu.Unlock()
	e.At = time.Now().UTC().Format(time.RFC3339Nano)
	for l := range n.listeners {
		l.send(e)
	}
}

// waiting is how many events wait for a listener: more than a file that is mined has chunks, which are told of at once.
const waiting = 16_384

// Listen returns a channel that is closed when ctx or the news end. Listen brings the events in the shape of the listener.
func Listen[E any](ctx context.Context, n *News, shape func(Event) E) <-chan E {
	ch := make(chan E, waiting)
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

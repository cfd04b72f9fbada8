package workspace

import (
	"context"
	"sync"
	"time"

	"github.com/reverie-memory/reverie/api"
)

// hub passes events to whoever listens. A listener that does not keep up loses events.
type hub struct {
	mu        sync.Mutex
	listeners map[chan api.Event]struct{}
	closed    bool
}

func newHub() *hub { return &hub{listeners: map[chan api.Event]struct{}{}} }

func (h *hub) send(kind, text string, job *api.Job) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.listeners) == 0 {
		return
	}
	e := api.Event{Kind: kind, At: time.Now().UTC().Format(time.RFC3339Nano), Text: text, Job: job}
	for ch := range h.listeners {
		select {
		case ch <- e:
		default:
		}
	}
}

// listen returns a channel that is closed when ctx or the hub ends.
func (h *hub) listen(ctx context.Context) <-chan api.Event {
	ch := make(chan api.Event, 256)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		close(ch)
		return ch
	}
	h.listeners[ch] = struct{}{}
	context.AfterFunc(ctx, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if _, ok := h.listeners[ch]; ok {
			delete(h.listeners, ch)
			close(ch)
		}
	})
	return ch
}

func (h *hub) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	for ch := range h.listeners {
		delete(h.listeners, ch)
		close(ch)
	}
}

// Events sends what happens in the workspace until ctx ends.
func (w *Workspace) Events(ctx context.Context) <-chan api.Event { return w.events.listen(ctx) }

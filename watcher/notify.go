package watcher

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"
)

// A notifier is the system's change notification for single folders. Tests put a fake here.
type notifier interface {
	Add(dir string) error
	Remove(dir string) error
	Close() error
	Events() <-chan fsnotify.Event // closed after Close
	Errors() <-chan error          // closed after Close
}

type systemNotifier struct{ *fsnotify.Watcher }

func openSystem() (notifier, error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	return systemNotifier{w}, nil
}

func (s systemNotifier) Events() <-chan fsnotify.Event { return s.Watcher.Events }
func (s systemNotifier) Errors() <-chan error          { return s.Watcher.Errors }

// maxQueue bounds the events between fsnotify and the loop; one more counts as overflow.
const maxQueue = 1 << 15

// A pump reads a notifier for as long as it lives, whatever the loop is doing: fsnotify waits inside Add
// and Remove for its own reader on some systems, and that reader waits for whoever takes its events.
type pump struct {
	notifier
	cookies *cookies
	wake    chan struct{} // holds a token while there is something to take
	done    chan struct{} // closed when the notifier has ended

	mu     sync.Mutex
	events []fsnotify.Event
	errs   []error
	lost   bool
}

func startPump(n notifier, c *cookies) *pump {
	p := &pump{notifier: n, cookies: c, wake: make(chan struct{}, 1), done: make(chan struct{})}
	go p.run()
	return p
}

func (p *pump) run() {
	defer close(p.done)
	events, errs := p.Events(), p.Errors()
	for events != nil || errs != nil {
		select {
		case ev, ok := <-events:
			if !ok {
				events = nil
				continue
			}
			if !p.cookies.seen(ev.Name) {
				p.put(func() { p.events = append(p.events, ev) })
			}
		case err, ok := <-errs:
			if !ok {
				errs = nil
				continue
			}
			p.put(func() { p.errs = append(p.errs, err) })
		}
	}
}

func (p *pump) put(store func()) {
	p.mu.Lock()
	if len(p.events)+len(p.errs) < maxQueue {
		store()
	} else {
		p.lost = true
	}
	p.mu.Unlock()
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// take gives what has arrived, in order.
func (p *pump) take() (events []fsnotify.Event, errs []error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	events, errs = p.events, p.errs
	if p.lost {
		errs = append(errs, fsnotify.ErrEventOverflow)
	}
	p.events, p.errs, p.lost = nil, nil, false
	return events, errs
}

// close ends the notifier and waits for the pump.
func (p *pump) close() error {
	err := p.Close()
	<-p.done
	return err
}

// watchError says in a person's words why a folder cannot be watched, and what to do about it.
func watchError(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return "the system's limit of watched folders is reached" + sysctl("max_user_watches", "524288")
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		if text := sysctl("max_user_instances", "512"); strings.Contains(text, "=") {
			return "the system's limit of watchers or open files is reached" + text + " (or the limit of open files: ulimit -n 65536)"
		}
		return "the system's limit of open files is reached; raise it: ulimit -n 65536"
	}
	return err.Error()
}

// sysctl tells how to raise an inotify limit, "" where the system has none.
func sysctl(name, want string) string {
	data, err := os.ReadFile("/proc/sys/fs/inotify/" + name)
	if err != nil {
		return ""
	}
	return fmt.Sprintf(" (fs.inotify.%s is %s); raise it: sudo sysctl fs.inotify.%s=%s", name, strings.TrimSpace(string(data)), name, want)
}

func every(d time.Duration) string { return "every " + d.String() }

package watcher

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Defaults of the clocks.
const (
	DefaultQuiet   = 200 * time.Millisecond
	DefaultMaxWait = 2 * time.Second
	DefaultSweep   = 300 * time.Second
)

// A Batch says what may have changed.
type Batch struct {
	// Paths are files, relative to the root, with slashes, sorted, each once. A file may be gone, may not have
	// changed, and may be named again in the next batch.
	Paths []string
	// Rescan: look everywhere. Paths is empty then.
	Rescan bool
	// RootGone: the folder itself is not there. Nothing can be read, and it must not be taken for an empty one;
	// a Rescan follows when it is back.
	RootGone bool
	// Seen: a change was seen. Without it nothing is known to have changed, and Rescan is a look in case something was missed.
	Seen bool
	// Reason says why, for people, where Rescan or RootGone is set.
	Reason string
}

// A Watcher watches one folder with everything below it. Set its fields before Run.
type Watcher struct {
	Root    string
	Quiet   time.Duration // 0: DefaultQuiet
	MaxWait time.Duration // 0: DefaultMaxWait
	Sweep   time.Duration // 0: DefaultSweep
	Most    int           // folders that are watched; what lies in others is looked for at each Sweep. 0: all
	// Ignore leaves out files and whole folders; nil: DefaultIgnore. Ignore must be pure.
	Ignore func(rel string, dir bool) bool
	Log    *slog.Logger // nil: nothing is logged
	// Cookies is a folder outside Root in which Take changes an empty file, to learn that the system has reported what was changed before.
	// "": Take gives what was reported by then.
	Cookies string

	open func() (notifier, error) // nil: openSystem

	mu       sync.Mutex
	pauses   int
	degraded string
	running  *loop
}

// Run sends batches to out until ctx ends, and then returns nil. Run returns an error when Root is no folder at the start.
//
// The first batch is a Rescan: it is sent when the watches stand, so that a Sync that follows it misses nothing.
// A slow receiver loses nothing: changes gather meanwhile. Run may be called again after it returned, not twice at a time.
func (w *Watcher) Run(ctx context.Context, out chan<- Batch) error {
	l := &loop{
		w: w, log: w.Log, open: w.open, ignore: w.Ignore,
		quiet: or(w.Quiet, DefaultQuiet), maxWait: or(w.MaxWait, DefaultMaxWait), sweep: or(w.Sweep, DefaultSweep),
		cookies: cookies{dir: w.Cookies},
		nudge:   make(chan struct{}), takers: make(chan chan answer), done: make(chan struct{}),
	}
	l.log = cmp.Or(l.log, slog.New(slog.DiscardHandler))
	if l.open == nil {
		l.open = openSystem
	}
	if l.ignore == nil {
		l.ignore = DefaultIgnore
	}
	info, err := os.Stat(w.Root)
	if err != nil {
		return fmt.Errorf("watch folder: %w", err)
	}
	if !info.IsDir() {
		return fmt.Errorf("watch folder: %s is no folder", w.Root)
	}

	w.mu.Lock()
	if w.running != nil {
		w.mu.Unlock()
		return errors.New("watch folder: already running")
	}
	w.running = l
	w.mu.Unlock()
	defer func() {
		w.mu.Lock()
		w.running, w.degraded = nil, ""
		w.mu.Unlock()
		close(l.done)
	}()
	return l.run(ctx, out)
}

// Pause holds batches back. When it has returned, no batch is sent until Resume; what changes meanwhile is kept. Pauses
// are counted: as many Resumes are needed as there were Pauses.
func (w *Watcher) Pause() { w.count(1) }

// Resume takes back one Pause. One too many does nothing.
func (w *Watcher) Resume() { w.count(-1) }

func (w *Watcher) count(n int) {
	w.mu.Lock()
	w.pauses = max(0, w.pauses+n)
	l := w.running
	w.mu.Unlock()
	if l == nil {
		return
	}
	// The loop is either here, in its select, or on its way to it; once it has taken this, it has seen the count.
	select {
	case l.nudge <- struct{}{}:
	case <-l.done:
	}
}

// ErrHeldBack is returned by Take for changes that a Pause holds back.
var ErrHeldBack = errors.New("changes are held back while files are being written")

// Take hands over at once what was seen to change and was not sent yet, without waiting until it has settled: Run sends it
// to nobody else. A question calls it, so that its answer knows the edit of a moment ago. An empty Batch says that nothing
// has changed. The error is ErrHeldBack, or that of ctx where Run was too busy to answer; then Run sends the changes as ever.
func (w *Watcher) Take(ctx context.Context) (Batch, error) {
	w.mu.Lock()
	l := w.running
	w.mu.Unlock()
	if l == nil {
		return Batch{}, nil
	}
	l.cookies.wait(ctx)
	reply := make(chan answer, 1)
	select {
	case l.takers <- reply:
	case <-l.done:
		return Batch{}, nil
	case <-ctx.Done():
		return Batch{}, ctx.Err()
	}
	a := <-reply
	return a.batch, a.err
}

// An answer is what a call of Take returns.
type answer struct {
	batch Batch
	err   error
}

// Degraded says why changes may be seen late, "" when all is well.
func (w *Watcher) Degraded() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.degraded
}

func (w *Watcher) paused() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.pauses > 0
}

// A loop is one Run. Its fields belong to the goroutine of run.
type loop struct {
	w                     *Watcher
	log                   *slog.Logger
	open                  func() (notifier, error)
	ignore                func(string, bool) bool
	quiet, maxWait, sweep time.Duration
	nudge                 chan struct{}    // the count of pauses has changed
	takers                chan chan answer // each call of Take waits on its own
	done                  chan struct{}
	cookies               cookies

	pending coalescer
	offered *Batch // waits for the receiver
	tree    *tree  // nil while nothing can be watched
	gone    bool   // the root was not there when we last looked
	delay   time.Duration
	retry   time.Time // when to try again to watch; zero: nothing to try
}

func (l *loop) run(ctx context.Context, out chan<- Batch) error {
	l.pending = coalescer{quiet: l.quiet, maxWait: l.maxWait}
	defer l.disconnect()
	l.offer(Batch{Rescan: true, Seen: true, Reason: "start"}, time.Now())

	sweep := time.NewTicker(l.sweep)
	defer sweep.Stop()
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		now := time.Now()
		if b, ok := l.pending.take(now); ok {
			l.offer(b, now)
		}
		if wait, ok := l.nextWake(now); ok {
			timer.Reset(wait)
		} else {
			timer.Stop()
		}
		var events, ended <-chan struct{}
		if l.tree != nil {
			events, ended = l.tree.pump.wake, l.tree.pump.done
		}
		var send chan<- Batch
		var batch Batch
		if l.offered != nil && !l.w.paused() {
			send, batch = out, *l.offered
		}
		select {
		case <-ctx.Done():
			return nil
		case send <- batch:
			l.offered = nil
		case <-l.nudge:
		case reply := <-l.takers:
			reply <- l.takeNow(time.Now())
		case <-events:
			l.handle(time.Now())
		case <-ended:
			l.offer(Batch{Rescan: true, Seen: true, Reason: "the system's change notification ended and was started again"}, time.Now())
		case <-sweep.C:
			now := time.Now()
			l.handle(now) // so that what was reported counts as seen
			l.offer(Batch{Rescan: true, Reason: "sweep"}, now)
		case <-timer.C:
			if now := time.Now(); !l.retry.IsZero() && !now.Before(l.retry) {
				l.offer(Batch{Rescan: true, Seen: true, Reason: again}, now)
			}
		}
	}
}

// takeNow gives what is pending, and what the system has reported by now. While batches are held back, or when the root is
// not there, everything stays where it is.
func (l *loop) takeNow(now time.Time) (a answer) {
	l.handle(now)
	if b, ok := l.pending.takeAll(); ok {
		l.offer(b, now)
	}
	switch {
	case l.offered == nil || l.offered.RootGone:
	case !l.w.paused():
		a.batch, l.offered = *l.offered, nil
	case l.offered.Seen:
		a.err = ErrHeldBack
	}
	return a
}

func (l *loop) nextWake(now time.Time) (time.Duration, bool) {
	at, ok := l.pending.next()
	if !l.retry.IsZero() && (!ok || l.retry.Before(at)) {
		at, ok = l.retry, true
	}
	return max(0, at.Sub(now)), ok
}

// offer has b wait for the receiver, joined with what waits already. A look everywhere stands for all that is pending, and
// comes after new watches were put on: what changes from then on is reported, and what changed before it finds.
func (l *loop) offer(b Batch, now time.Time) {
	if b.Rescan {
		if p, ok := l.pending.takeAll(); ok {
			b = merge(p, b)
		}
		var news bool
		if b, news = l.connect(b, now); !news {
			return
		}
	}
	if l.offered != nil {
		b = merge(*l.offered, b)
	}
	l.offered = &b
}

const again = "the folder can be watched again"

// connect puts new watches on the whole tree in place of the old ones. connect returns b, a look everywhere, with what there is to
// say about the watches. Where they cannot be had, it leaves a time for the next try; false: that was said before.
func (l *loop) connect(b Batch, now time.Time) (Batch, bool) {
	l.disconnect()
	l.retry = time.Time{}
	root, err := resolve(l.w.Root)
	if err != nil {
		return l.rootGone(now, err)
	}
	if l.gone {
		l.gone, b.Seen, b.Reason = false, true, fmt.Sprintf("the folder %s is back", l.w.Root)
	}
	n, err := l.open()
	if err != nil {
		retried := b.Reason == again // between two sweeps
		b.Reason = fmt.Sprintf("the folder cannot be watched, so changes are only looked for %s: %s", every(l.sweep), watchError(err))
		l.degrade(b.Reason)
		l.tryLater(now)
		return b, !retried
	}
	l.tree = &tree{
		root: root, pump: startPump(n, &l.cookies), most: l.w.Most, ignore: l.ignore, dirs: map[string]bool{}, failed: map[string]error{},
	}
	l.tree.watch(".", nil)
	l.cookies.watch(l.tree.pump)
	l.delay = 0
	b.Reason = l.withFailures(b.Reason)
	return b, true
}

func resolve(root string) (string, error) {
	path, err := filepath.EvalSymlinks(root)
	if err != nil {
		return "", err
	}
	if path, err = filepath.Abs(path); err != nil {
		return "", err
	}
	info, err := os.Stat(path)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is no folder", path)
	}
	return path, err
}

func (l *loop) disconnect() {
	if l.tree == nil {
		return
	}
	if err := l.tree.pump.close(); err != nil {
		l.log.Warn("ending the watch", "err", err)
	}
	l.tree = nil
}

// rootGone gives the batch that says so; false: it was said before.
func (l *loop) rootGone(now time.Time, err error) (Batch, bool) {
	said := l.gone
	l.gone = true
	l.tryLater(now)
	reason := fmt.Sprintf("the folder %s was moved away or deleted: %v", l.w.Root, err)
	l.degrade(reason)
	return Batch{RootGone: true, Reason: reason}, !said
}

// tryLater plans the next try, each one later than the one before, none later than a sweep.
func (l *loop) tryLater(now time.Time) {
	l.delay = min(max(time.Second, 2*l.delay), l.sweep)
	l.retry = now.Add(l.delay)
}

// handle takes what the system reported.
func (l *loop) handle(now time.Time) {
	tree := l.tree
	if tree == nil {
		return
	}
	events, errs := tree.pump.take()
	failed := len(tree.failed)
	for _, ev := range events {
		l.event(ev, now)
		if l.tree != tree {
			return // a look everywhere is on offer
		}
	}
	for _, err := range errs {
		if errors.Is(err, fsnotify.ErrEventOverflow) {
			err = errors.New("too many changes at once, the system dropped some")
		}
		l.log.Warn("watching", "err", err)
		l.pending.rescan(err.Error(), now)
	}
	if len(tree.failed) != failed {
		l.pending.rescan("a folder was found that cannot be watched", now)
	}
}

func (l *loop) event(ev fsnotify.Event, now time.Time) {
	rel, ok := l.tree.rel(ev.Name)
	if !ok {
		return
	}
	left := ev.Has(fsnotify.Remove) || ev.Has(fsnotify.Rename)
	switch {
	case left && rel == ".":
		l.offer(Batch{Rescan: true, Seen: true, Reason: "the folder was moved away and is back"}, now)
	case left && l.tree.has(rel):
		l.pending.rescan(fmt.Sprintf("the folder %s was moved or removed", rel), now)
	case ev.Has(fsnotify.Create):
		l.arrived(rel, now)
	case l.tree.has(rel): // a folder's own date or mode says nothing about its files
	case !l.ignore(rel, false):
		l.pending.add(rel, now)
	}
}

// arrived looks at a name that is new.
func (l *loop) arrived(rel string, now time.Time) {
	info, err := os.Lstat(l.tree.abs(rel))
	dir := err == nil && info.IsDir()
	switch {
	case l.ignore(rel, dir):
	case dir:
		l.tree.watch(rel, func(file string) { l.pending.add(file, now) })
	default:
		l.pending.add(rel, now)
	}
}

// withFailures adds to a reason how many folders are not watched, and why, and keeps that for Degraded.
func (l *loop) withFailures(why string) string {
	failed := l.tree.failed
	if len(failed) == 0 {
		l.degrade("")
		return why
	}
	dirs := slices.Sorted(maps.Keys(failed))
	text := fmt.Sprintf("%d of %d folders cannot be watched, changes there are looked for %s; the first is %s: %s",
		len(failed), len(failed)+len(l.tree.dirs), every(l.sweep), dirs[0], watchError(failed[dirs[0]]))
	l.degrade(text)
	return why + "; " + text
}

// degrade keeps the state for Degraded and logs it when it changes.
func (l *loop) degrade(text string) {
	l.w.mu.Lock()
	old := l.w.degraded
	l.w.degraded = text
	l.w.mu.Unlock()
	switch {
	case text == old:
	case text != "":
		l.log.Warn("watching is degraded", "reason", text)
	default:
		l.log.Info("watching is whole again")
	}
}

func or(d, def time.Duration) time.Duration {
	if d <= 0 {
		return def
	}
	return d
}

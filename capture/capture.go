package capture

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/reverie-memory/reverie/spool"
	"github.com/reverie-memory/reverie/transcript"
)

// Options are what a [Room] works with.
type Options struct {
	Data    string   // the workspace's data folder
	Own     []string // folders below which programs work that we start ourselves
	Home    string   // the person's
	Hosts   []string
	Folders []string // more of them, each as host=folder
	Enabled bool

	Interval  time.Duration // between two looks at the folders
	Settle    time.Duration // for which a session rests before its last turn is taken as it is
	ToolBytes int

	// Take takes a turn in. The same turn may come again, and longer. After an error it comes again later, but for [ErrUnfit].
	Take func(context.Context, transcript.Turn) error
	// Ended is told that a session ended, by its name, once its turns were taken. Ended may be told again.
	Ended func(session string)
	// Busy tells that turns wait to be worked on: what no hook has told can wait as well.
	Busy func() bool
	Now  func() time.Time
	Log  *slog.Logger
}

// ErrUnfit says of a turn that it can never be taken.
var ErrUnfit = errors.New("the turn cannot be taken")

func (o Options) now() time.Time {
	if o.Now == nil {
		return time.Now()
	}
	return o.Now()
}

// The folders of the captures in a workspace's data folder.
const (
	stateFolder = "capture"
	spoolFolder = "spool"
)

func (o Options) stateDir() string { return filepath.Join(o.Data, stateFolder) }

// SpoolDir is where the hooks report to, in a workspace's data folder.
func SpoolDir(data string) string { return filepath.Join(data, spoolFolder) }

// A Room captures for one vault. One goroutine, in Run, reads the transcripts and owns what is remembered of them.
type Room struct {
	o     Options
	state *state    // of Run
	again time.Time // when the spool is tried again after a failure; of Run

	mu    sync.Mutex
	hosts []Host // as the last look found them
}

// New returns a room that does nothing before Run.
func New(o Options) *Room {
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	return &Room{o: o}
}

const (
	// heartbeat is how often the spool is looked at: one stat.
	heartbeat = time.Second
	// spell is how long transcripts are read before the spool has its turn again.
	spell = 500 * time.Millisecond
	// retry is the pause after a failure.
	retry = 10 * time.Second
)

// Run captures until ctx ends, once ready returns. Run is called once.
func (r *Room) Run(ctx context.Context, ready func(context.Context) error) {
	if ready(ctx) != nil {
		return
	}
	r.state = load(r.o.stateDir())
	defer func() {
		if err := r.state.save(time.Time{}); err != nil {
			r.o.Log.Warn("what was captured will be read again", "err", err)
		}
	}()
	tick := time.NewTicker(heartbeat)
	defer tick.Stop()
	var look time.Time // when the folders are looked at next
	var todo []found
	for {
		now := r.o.now()
		if r.drain(ctx) || !now.Before(look) || look.Sub(now) > r.o.Interval {
			todo, look = r.look(), now.Add(r.o.Interval)
		}
		todo = r.read(ctx, todo)
		if err := r.state.save(now); err != nil {
			r.o.Log.Warn("what was captured may be read again", "err", err)
		}
		var more <-chan struct{}
		if len(todo) > 0 && !r.busy() {
			more = atOnce
		}
		select {
		case <-ctx.Done():
			return
		case <-more:
		case <-tick.C:
		}
	}
}

// atOnce is ready at any time.
var atOnce = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

func (r *Room) busy() bool { return r.o.Busy != nil && r.o.Busy() }

// Status tells how the capture of each host stands, as the last look at the folders found it.
func (r *Room) Status() []Host {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.hosts)
}

// Survey is [Survey] of the room's folders, which Status tells from then on.
func (r *Room) Survey() []Host {
	hosts := Survey(r.o)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.hosts = hosts
	return slices.Clone(hosts)
}

// wants tells whether the settings let a host be captured.
func (o Options) wants(host string) bool { return o.Enabled && slices.Contains(o.Hosts, host) }

// look finds what is to be read in the folders.
func (r *Room) look() (todo []found) {
	var hosts []Host
	for _, h := range transcript.Hosts() {
		if !r.o.wants(h.Name()) {
			continue
		}
		st, more := survey(r.o, r.state, h)
		hosts = append(hosts, st)
		todo = append(todo, more...)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.hosts = hosts
	return todo
}

// drain takes what the hooks have reported. drain tells whether the folders are to be looked at, because a hook named no transcript.
func (r *Room) drain(ctx context.Context) (look bool) {
	dir := SpoolDir(r.o.Data)
	if !spool.Waiting(dir) || r.o.now().Before(r.again) {
		return false
	}
	r.again = r.o.now().Add(retry) // if this fails
	list, err := spool.Take(dir)
	if err != nil {
		r.o.Log.Debug("the spool has to wait", "err", err)
		return false
	}
	for _, e := range list {
		if err := r.met(e); err != nil {
			r.o.Log.Warn("cannot capture", "host", e.Host, "err", err)
			return false
		}
		look = look || e.Transcript == ""
	}
	whole, done := true, map[string]bool{}
	for _, e := range slices.Backward(list) { // the last event of a transcript speaks for those before
		if h := transcript.Named(e.Host); h != nil && r.reads(e.Host) && e.Transcript != "" && !done[e.Transcript] {
			done[e.Transcript] = true
			read := r.hooked(ctx, h, e)
			if whole = whole && read; read && e.Event == "session-end" && r.o.Ended != nil {
				r.o.Ended(e.Session)
			}
		}
	}
	if !whole || ctx.Err() != nil {
		return look // taken again after a pause, or the next start
	}
	if err := spool.Done(dir); err != nil {
		r.o.Log.Warn("events of hooks are taken twice", "err", err)
	}
	r.again = time.Time{}
	return look
}

// met notes an event of a host: from the first one on, its transcripts are read. After its end they are not, until a session begins
// anew; hooks of older ones may still run.
func (r *Room) met(e spool.Event) error {
	if transcript.Named(e.Host) == nil || !r.o.wants(e.Host) {
		return nil
	}
	switch {
	case e.Event == spool.History:
		return r.state.all(e.Host)
	case e.Event == spool.Undo:
		return r.state.end(e.Host)
	case e.Event == spool.Setup:
		return r.state.begin(e.Host, e.At)
	case r.state.begun[e.Host].Ended && e.Event != "session-start":
		return nil
	}
	return errors.Join(r.state.begin(e.Host, e.At.Add(-time.Minute)), r.state.heard(e.Host, e.At))
}

// reads tells whether the transcripts of a host are read.
func (r *Room) reads(host string) bool {
	return r.o.wants(host) && !r.state.begun[host].Since.IsZero()
}

// hooked reads the transcript of an event to its end. false: it has to be tried again. What an event says may come from anybody, so that
// a file outside the host's folders is not read.
func (r *Room) hooked(ctx context.Context, h transcript.Host, e spool.Event) bool {
	target, err := filepath.EvalSymlinks(e.Transcript)
	if err != nil {
		return true // a session that is not written down
	}
	info, err := os.Stat(target)
	if err != nil || !info.Mode().IsRegular() {
		return true
	}
	path, ok := r.o.within(h, target)
	if !ok {
		dir := filepath.Dir(target)
		r.o.Log.Warn("a hook named a file outside the folders with transcripts: it is not read", "host", e.Host, "folder", dir)
		return r.state.refuse(e.Host, dir, r.o.now()) == nil
	}
	f := found{path, h, info, r.state.files[path]}
	rest := e.Event != "session-start" && e.Event != "prompt"
	for {
		err := r.file(ctx, f, rest)
		if !errors.Is(err, errPause) {
			return err == nil
		}
		f.pos = r.state.files[f.path]
	}
}

// read reads transcripts for one spell of time, and returns what is left.
func (r *Room) read(ctx context.Context, todo []found) []found {
	until := r.o.now().Add(spell)
	for i, f := range todo {
		if ctx.Err() != nil || r.busy() || r.o.now().After(until) {
			return todo[i:]
		}
		f.pos = r.state.files[f.path] // a hook may have told of it meanwhile
		rested := r.o.now().Sub(f.info.ModTime()) >= r.o.Settle
		if !f.changed() && !(f.pos.Open && rested) {
			continue
		}
		if err := r.file(ctx, f, rested); errors.Is(err, errPause) {
			return todo[i:]
		}
	}
	return nil
}

// errPause ends the reading of a file for now.
var errPause = errors.New("others wait")

// file reads a transcript from where it was left. The last turn is taken where the session rests.
func (r *Room) file(ctx context.Context, f found, rest bool) error {
	file, err := os.Open(f.path)
	if err != nil {
		return r.failed(f, err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return r.failed(f, err)
	}
	head := make([]byte, min(info.Size(), 4096))
	n, _ := file.ReadAt(head, 0)
	if !f.host.Reads(f.path, head[:n]) {
		r.state.put(f.path, position{Host: f.host.Name(), Size: info.Size(), Mod: info.ModTime()})
		return nil
	}
	pos := f.pos
	if pos.Next > info.Size() || pos.Mark != mark(file, pos.Next) { // it was written anew
		pos = position{}
	}
	pos.Host, pos.Open, pos.Why = f.host.Name(), false, ""
	until := r.o.now().Add(spell)
	since := r.state.begun[f.host.Name()].Since
	reader := transcript.Reader{Host: f.host, Mod: info.ModTime(), ToolBytes: r.o.ToolBytes}
	rep, err := reader.TurnsFrom(ctx, file, info.Size(), pos.Next, func(t transcript.Turn) error {
		if t.Open && !rest {
			pos.Open = true
			return nil
		}
		if t.Empty() || t.At().Before(since) || r.Own(t.Dir) {
			return nil
		}
		switch err := r.o.Take(ctx, t); {
		case errors.Is(err, ErrUnfit):
			r.o.Log.Warn("a turn of a transcript cannot be taken", "file", f.path, "turn", t.ID, "err", err)
		case err != nil:
			return err
		}
		if t.End > pos.Next && !t.Open && r.o.now().After(until) {
			pos.Next = t.End
			return errPause
		}
		return nil
	})
	switch {
	case err == nil:
		pos.Next, pos.Size, pos.Mod = rep.Next, info.Size(), info.ModTime()
		if rep.Broken > 0 {
			pos.Broken, pos.At = rep.Broken, rep.At
		}
	case ctx.Err() != nil:
		return err
	case !errors.Is(err, errPause):
		return r.failed(f, err)
	}
	pos.Mark = mark(file, pos.Next)
	r.state.put(f.path, pos)
	return err
}

// failed notes why a transcript could not be captured. The transcript is read again later, from where it was left.
func (r *Room) failed(f found, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if f.pos.Why != err.Error() {
		r.o.Log.Warn("a transcript is read again later", "file", f.path, "err", err)
	}
	f.pos.Host, f.pos.Why = f.host.Name(), err.Error()
	r.state.put(f.path, f.pos)
	return fmt.Errorf("capture %s: %w", f.path, err)
}

// Own tells whether a session in a folder was of a program that we have started ourselves.
func (r *Room) Own(dir string) bool {
	return slices.ContainsFunc(r.o.Own, func(own string) bool {
		return dir == own || strings.HasPrefix(dir, own+string(filepath.Separator))
	})
}

// mark is a sum of the bytes before an offset, by which a file is known to be the one that was read so far.
func mark(file io.ReaderAt, at int64) string {
	if at == 0 {
		return ""
	}
	buf := make([]byte, min(at, 256))
	if _, err := file.ReadAt(buf, at-int64(len(buf))); err != nil {
		return "?"
	}
	sum := sha256.Sum256(buf)
	return hex.EncodeToString(sum[:8])
}

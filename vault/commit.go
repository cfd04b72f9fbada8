package vault

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// A request is a set of appends that a caller waits for. A request lives for that one call of append, whose context it carries to the
// goroutine that writes.
type request struct {
	parts []*part
	ctx   context.Context
	state atomic.Int32 // waiting, taken or given up
	err   error
	done  chan struct{}
}

const (
	waiting int32 = iota
	taken
	givenUp
)

// A part is what a request appends to one file.
type part struct {
	name string
	kind fileKind
	// render adds to b what the file does not hold yet, and to w the ids of it; render is called again when the append starts again.
	render func(b []byte, w *writing) []byte
	// written is called once, when the bytes are safe; line gives the line of an id.
	written func(line func(id string) int)
}

type fileKind int

const (
	logFile fileKind = iota
	drawerFile
	stateFile
)

// A writing is a file as it will be once the bytes at hand are appended.
type writing struct {
	file    *knownFile
	fresh   map[string]int // line of each new id
	counted int            // bytes at hand whose lines are in lines
	lines   int
}

// line is the number of the line that starts at the end of b.
func (w *writing) line(b []byte) int {
	w.lines += bytes.Count(b[w.counted:], []byte{'\n'})
	w.counted = len(b)
	return w.lines + 1
}

func (w *writing) has(id string) bool {
	if _, ok := w.file.ids[id]; ok {
		return true
	}
	_, ok := w.fresh[id]
	return ok
}

// append queues the parts and waits until they are on disk.
func (v *Vault) append(ctx context.Context, parts []*part) error {
	if len(parts) == 0 {
		return ctx.Err()
	}
	r := &request{parts: parts, ctx: ctx, done: make(chan struct{})}
	v.closing.RLock()
	if v.closed {
		v.closing.RUnlock()
		return failed("appending to", Path(parts[0].name), ErrClosed)
	}
	select {
	case v.queue <- r:
	case <-ctx.Done():
		v.closing.RUnlock()
		return ctx.Err()
	}
	v.closing.RUnlock()
	select {
	case <-r.done:
	case <-ctx.Done():
		if r.state.CompareAndSwap(waiting, givenUp) {
			return ctx.Err()
		}
		<-r.done // being written already: the caller learns how it went
	}
	return r.err
}

// maxBatch bounds the requests that share an fsync.
const maxBatch = 1024

// commit is the goroutine that owns all appends. While it waits for the disk the next batch gathers.
func (v *Vault) commit() {
	defer close(v.done)
	for r := range v.queue {
		batch := []*request{r}
		for more := true; more && len(batch) < maxBatch; {
			select {
			case r, ok := <-v.queue:
				if more = ok; ok {
					batch = append(batch, r)
				}
			default:
				more = false
			}
		}
		v.write(batch)
	}
}

// write appends a batch, one write and one fsync for each file. The files of a batch are flushed side by side, so that the disk can
// do them in one go.
func (v *Vault) write(batch []*request) {
	batch = slices.DeleteFunc(batch, func(r *request) bool {
		if r.ctx.Err() == nil && r.state.CompareAndSwap(waiting, taken) {
			return false
		}
		if r.err = r.ctx.Err(); r.err == nil {
			r.err = context.Canceled
		}
		close(r.done)
		return true
	})
	files := map[string]*fileBatch{}
	for _, r := range batch {
		for _, p := range r.parts {
			f := files[p.name]
			if f == nil {
				f = &fileBatch{}
				files[p.name] = f
			}
			f.parts, f.owners = append(f.parts, p), append(f.owners, r)
		}
	}
	v.files.Lock()
	dirty := v.setDirty()
	var g errgroup.Group
	g.SetLimit(flushers)
	for name, f := range files {
		if f.err = dirty; dirty != nil {
			continue
		}
		g.Go(func() error {
			f.err = v.appendTo(name, f.parts)
			return nil
		})
	}
	_ = g.Wait()
	v.files.Unlock()
	for name, f := range files {
		if err := v.wrote("appending to", Path(name), f.err); err != nil {
			for _, r := range f.owners {
				r.err = err
			}
		}
	}
	for _, r := range batch {
		close(r.done)
	}
}

// A fileBatch is what a batch appends to one file, and for whom.
type fileBatch struct {
	parts  []*part
	owners []*request
	err    error
}

// maxTries bounds how often an append starts again because another program wrote to the file at the same time.
const maxTries = 5

var errRaced = errors.New("another program keeps writing to the file")

// appendTo needs v.files and the mark of setDirty. Several goroutines may call it, each for a file of its own.
func (v *Vault) appendTo(name string, parts []*part) error {
	var err error
	for range maxTries {
		var file *knownFile
		if file, err = v.appendOnce(name, parts); err == nil {
			for _, p := range parts {
				p.written(func(id string) int { return file.ids[id] })
			}
			return nil
		}
		v.known.forget(name)
		v.own.Delete(name)
		if !errors.Is(err, errRaced) {
			return err
		}
	}
	return err
}

func (v *Vault) appendOnce(name string, parts []*part) (*knownFile, error) {
	f, made, err := create(v.disk, name, os.O_RDWR|os.O_APPEND)
	if err != nil {
		return nil, err
	}
	file, err := v.known.load(f, name, parts[0].kind)
	if err == nil {
		err = v.appendOpen(f, file, name, parts)
	}
	err = errors.Join(err, f.Close())
	if err != nil {
		if fi, serr := v.disk.stat(name); made && serr == nil && fi.Size() == 0 {
			err = errors.Join(err, v.disk.remove(name))
		}
		return nil, err
	}
	return file, nil
}

func (v *Vault) appendOpen(f diskFile, file *knownFile, name string, parts []*part) error {
	w := &writing{file: file, fresh: map[string]int{}, lines: file.lines}
	if !file.eol {
		w.lines-- // the first line break at hand ends a line that is counted already
	}
	b := file.lead(name)
	lead := len(b)
	for _, p := range parts {
		b = p.render(b, w)
	}
	if len(b) == lead {
		return f.Sync() // all of it is there already, perhaps from a program that was killed before its fsync
	}
	v.own.Store(name, ownFile{file.info, file.run, true})
	if err := writeOrTakeBack(f, b, file.info.Size()); err != nil {
		return err
	}
	fi, err := f.Stat()
	if err != nil {
		return err
	}
	now, err := v.disk.stat(name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && (!os.SameFile(fi, now) || fi.Size() != file.info.Size()+int64(len(b))) {
		return errRaced // an editor saved over it meanwhile: look what is there, and append what is missing
	}
	if err != nil {
		return err
	}
	file.appended(b, w, now)
	v.own.Store(name, ownFile{info: now, run: file.run})
	return nil
}

// writeOrTakeBack appends b and makes it durable, or leaves the file as it was.
func writeOrTakeBack(f diskFile, b []byte, size int64) error {
	n, err := f.Write(b)
	if err == nil && n < len(b) {
		err = io.ErrShortWrite
	}
	if err == nil {
		if err = f.Sync(); err == nil {
			return nil
		}
	}
	if errors.Is(err, io.ErrShortWrite) {
		err = fmt.Errorf("%w: %w", ErrDiskFull, err)
	}
	fi, serr := f.Stat()
	if serr != nil || fi.Size() != size+int64(n) {
		return errors.Join(err, serr) // somebody else's bytes are behind ours: the next append mends the end
	}
	return errors.Join(err, f.Truncate(size), f.Sync())
}

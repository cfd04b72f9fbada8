package mine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/redact"
	"github.com/reverie-memory/reverie/vault"
)

// Options are what a [Room] works with.
type Options struct {
	Vault    *vault.Vault
	Dir      string   // the vault's folder
	Data     string   // the data folder, where what a start need not find out again is kept
	PDF      []string // the program, with its arguments, that does [PDFText]; none: PDFs are named and not read
	Own      []string // folders of the program, such as the vault and its data: they are not mined
	MaxBytes int64    // of a file
	Ignore   string   // name of the ignore files of ours
	Watch    bool     // follow folders of which the request does not say
	Clocks   Clocks
	Log      *slog.Logger
}

// A Room knows the mined folders of a vault. Its methods may be called from several goroutines.
type Room struct {
	o       Options
	limits  limits
	pdfs    pdfs
	copying sync.Mutex // held while copies are made, purged or taken away, and while folders come and go

	mu      sync.Mutex
	folders []*Folder
	reading map[*func(done, total int)]bool // who wants to know how far the index is
	changed chan struct{}                   // holds one value where the folders changed and Watch has not seen it
}

// New returns a room that knows no folder yet.
func New(o Options) *Room {
	return &Room{o: o, pdfs: pdfs{program: o.PDF, file: filepath.Join(o.Data, Unread)}, changed: make(chan struct{}, 1)}
}

// Open reads which folders were named.
func (r *Room) Open() error {
	r.limits = limits{max: r.o.MaxBytes, ignore: r.o.Ignore}
	for _, dir := range r.o.Own {
		if info, err := os.Stat(dir); err == nil {
			r.limits.own = append(r.limits.own, info)
		}
	}
	return r.reload()
}

// reload reads which folders are mined. A folder that is as it was stays the same value.
func (r *Room) reload() error {
	known, err := registered(r.o.Vault)
	if err != nil {
		return fmt.Errorf("read which folders are mined: %w", err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	var folders []*Folder
	for _, s := range known {
		f := r.folderOf(s)
		if i := slices.IndexFunc(r.folders, func(old *Folder) bool { return old.Source == s }); i >= 0 {
			f = r.folders[i]
		}
		folders = append(folders, f)
	}
	r.folders = folders
	r.tell()
	return nil
}

// registered are the mined folders that the vault's state names. A wing may have been purged.
func registered(v *vault.Vault) ([]vault.Source, error) {
	all, err := v.Sources(vault.SourceMine)
	all = slices.DeleteFunc(all, func(s vault.Source) bool { return s.Undone != nil || s.Path == "" })
	for i := range all {
		all[i].Wing = cmp.Or(all[i].Wing, nameless)
	}
	return all, err
}

// nameless is the wing of what has no better name.
const nameless = "mined"

// Folders are the mined folders, in the order in which they were named.
func (r *Room) Folders() []*Folder {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.folders)
}

// Mounts are the mined folders as places of the index.
func (r *Room) Mounts() []indexer.Mount {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slice.Map(r.folders, func(f *Folder) indexer.Mount { return indexer.Mount{At: f.At(), Tree: f.tree()} })
}

// Where is the name of a file of the index as a person knows it: in the vault, or of a mined folder from the root of the file system.
func (r *Room) Where(p vault.Path) string {
	if f := r.folder(p); f != nil {
		return f.Real(p)
	}
	return string(p)
}

// Since is when the folder that has a file of the index was mined first; no time for a file of the vault.
func (r *Room) Since(p vault.Path) (at time.Time) {
	if f := r.folder(p); f != nil {
		at = f.Source.At
	}
	return at
}

// folder is the mined folder that has a file of the index; nil for a file of the vault.
func (r *Room) folder(p vault.Path) *Folder {
	if id := idOf(p); id != "" {
		for _, f := range r.Folders() {
			if f.ID == id {
				return f
			}
		}
	}
	return nil
}

// Degraded tells which folders cannot be reached.
func (r *Room) Degraded() (out []string) {
	for _, f := range r.Folders() {
		if why := f.Unreachable(); why != "" && f.copy == nil {
			out = append(out, "mine: "+why+"; what is known of it stays until it is back, or `reverie mine remove` takes it away")
		}
		if w := f.watcher.Load(); w != nil && w.Degraded() != "" && f.Unreachable() == "" {
			out = append(out, "mine: "+f.Path+": "+w.Degraded())
		}
	}
	return out
}

// Unreachable says why the last look at the folder failed, "" where it did not.
func (f *Folder) Unreachable() string {
	if why := f.unreachable.Load(); why != nil {
		return *why
	}
	return ""
}

// Look looks whether the folder can be reached, so that [Folder.Unreachable] tells it as it is now. Its files are not looked at.
func (f *Folder) Look() {
	root, _, err := f.reach()
	if err != nil {
		why := err.Error()
		f.unreachable.Store(&why)
		return
	}
	_ = root.Close()
	f.unreachable.Store(nil)
}

// Problems are the files that the last look at the folder left out for a reason that a person may want to know.
func (f *Folder) Problems() []vault.Problem {
	if p := f.problems.Load(); p != nil {
		return *p
	}
	return nil
}

// A Request names a folder or a file to mine. What is empty stays as it was, or is chosen.
type Request struct {
	Path  string // absolute
	Wing  string // default: the folder's name
	Room  string // default: the folder at the top that a file lies in
	Watch *bool
	Copy  *bool
}

// A RefusedError says that a path cannot be mined, and why.
type RefusedError struct{ Path, Reason string }

func (e *RefusedError) Error() string { return e.Path + " cannot be mined: " + e.Reason }

// Add registers a folder, or changes what is registered of it. Its files are read when the index is told of its place.
func (r *Room) Add(ctx context.Context, q Request) (*Folder, error) {
	real, info, err := r.resolve(q.Path)
	if err != nil && !r.knows(q.Path) { // what is away stays registered, and can be changed
		return nil, err
	}
	if err != nil {
		real = filepath.Clean(q.Path)
	}
	r.copying.Lock() // before mu, for which the index waits
	defer r.copying.Unlock()
	r.mu.Lock()
	defer r.mu.Unlock()
	s := vault.Source{
		ID: vault.NewSourceID(), Kind: vault.SourceMine, At: r.o.Vault.Now().UTC(), Path: real, Watch: r.o.Watch,
	}
	i, err := r.place(real, info)
	if err != nil {
		return nil, err
	}
	if i >= 0 {
		s = r.folders[i].Source
	} else {
		s.Wing = wingOf(real, info)
	}
	before := s
	if q.Wing != "" {
		s.Wing = q.Wing
	}
	if q.Room != "" {
		s.Room = q.Room
	}
	if q.Watch != nil {
		s.Watch = *q.Watch
	}
	if q.Copy != nil {
		s.Copy = *q.Copy
	}
	f := r.folderOf(s)
	if i >= 0 && s == before {
		return r.folders[i], nil
	}
	if err := r.o.Vault.PutSource(ctx, s); err != nil {
		return nil, err
	}
	if before.Copy && !s.Copy {
		if err := r.dropCopies(r.folders[i]); err != nil {
			return nil, err
		}
	}
	if i < 0 {
		r.folders = append(slices.Clip(r.folders), f)
	} else {
		r.folders = slices.Clone(r.folders)
		r.folders[i] = f
	}
	r.tell()
	return f, nil
}

// knows says whether a folder is registered under this very name.
func (r *Room) knows(name string) bool {
	return slices.ContainsFunc(r.Folders(), func(f *Folder) bool { return f.Path == filepath.Clean(name) })
}

// wingOf is the folder's name, and for a file that of the folder it lies in.
func wingOf(real string, info os.FileInfo) string {
	if !info.IsDir() {
		real = filepath.Dir(real)
	}
	if name := filepath.Base(real); name != string(filepath.Separator) && name != "." {
		name, _ = redact.Redact(strings.ToValidUTF8(name, "\ufffd"))
		return name
	}
	return nameless
}

// resolve gives the true name of a path that may be mined.
func (r *Room) resolve(name string) (real string, info os.FileInfo, err error) {
	refuse := func(reason string) (string, os.FileInfo, error) { return "", nil, &RefusedError{name, reason} }
	if !filepath.IsAbs(name) {
		return refuse("name it from the root of the file system")
	}
	if real, err = filepath.EvalSymlinks(name); err == nil {
		info, err = os.Stat(real)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return refuse("there is no such folder or file")
	case err != nil:
		return refuse(err.Error())
	case !info.IsDir() && !info.Mode().IsRegular():
		return refuse("it is neither a folder nor a file")
	}
	for dir := real; ; dir = filepath.Dir(dir) {
		if at, err := os.Stat(dir); err == nil &&
			slices.ContainsFunc(r.limits.own, func(own os.FileInfo) bool { return os.SameFile(own, at) }) {
			return refuse("it lies in the vault or its data folder, which is remembered already")
		}
		if filepath.Dir(dir) == dir {
			return real, info, nil
		}
	}
}

// place finds a folder that is registered; -1 for none. Folders that lie in each other are refused: their files would be known twice.
func (r *Room) place(real string, info os.FileInfo) (int, error) {
	for i, f := range r.folders {
		if f.Path == real {
			return i, nil
		}
		if known, err := os.Stat(f.Path); err == nil && os.SameFile(known, info) {
			return i, nil
		}
		switch {
		case within(real, f.Path):
			return -1, &RefusedError{real, "it lies in " + f.Path + ", which is mined: mine that again"}
		case within(f.Path, real):
			return -1, &RefusedError{real, f.Path + " lies in it and is mined: remove that first"}
		}
	}
	return -1, nil
}

// within says whether a path lies in a folder.
func within(name, dir string) bool {
	rel, err := filepath.Rel(dir, name)
	return err == nil && rel != "." && filepath.IsLocal(rel)
}

// ErrUnknown reports a folder that is not mined.
var ErrUnknown = errors.New("it is not mined")

// Remove takes a folder, by its path or id, off the list. Its rows go when the index is told of its place.
func (r *Room) Remove(ctx context.Context, name string) (*Folder, error) {
	real := name
	if filepath.IsAbs(name) {
		if evaluated, err := filepath.EvalSymlinks(name); err == nil {
			real = evaluated
		}
	}
	r.copying.Lock()
	defer r.copying.Unlock()
	r.mu.Lock()
	defer r.mu.Unlock()
	i := slices.IndexFunc(r.folders, func(f *Folder) bool { return f.ID == name || f.Path == real || f.Path == filepath.Clean(name) })
	if i < 0 {
		return nil, fmt.Errorf("%s: %w", name, ErrUnknown)
	}
	f := r.folders[i]
	if err := r.dropCopies(f); err != nil {
		return nil, err
	}
	if err := r.o.Vault.DropSource(f.ID); err != nil {
		return nil, err
	}
	r.folders = slices.Delete(slices.Clone(r.folders), i, i+1)
	r.tell()
	return f, nil
}

// Reading has far told how far the index is with files that it reads, until end is called.
func (r *Room) Reading(far func(done, total int)) (end func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.reading == nil {
		r.reading = map[*func(done, total int)]bool{}
	}
	r.reading[&far] = true
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.reading, &far)
	}
}

// Read is told by the index how far it is. A rebuild is nobody's mining.
func (r *Room) Read(phase string, done, total int) {
	if phase != "sync" {
		return
	}
	r.mu.Lock()
	far := slices.Collect(maps.Keys(r.reading))
	r.mu.Unlock()
	for _, tell := range far {
		(*tell)(done, total)
	}
}

func (r *Room) tell() {
	select {
	case r.changed <- struct{}{}:
	default:
	}
}

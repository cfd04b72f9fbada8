package vault

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

// Vault is an open vault. Methods may be called from several goroutines. Appends go through one goroutine, which shares
// each fsync among all that wait for it.
type Vault struct {
	dir     string
	layout  Layout
	root    *os.Root
	disk    disk
	now     func() time.Time
	repairs []Problem

	queue chan *request
	done  chan struct{} // closed when the goroutine that appends has ended

	closing sync.RWMutex // held for reading while a request is handed over
	closed  bool

	// files guards every write to a file of the vault, and what is remembered of them.
	files   sync.Mutex
	known   knownFiles
	dirty   bool         // uncleanFile stands
	marked  time.Time    // when it was written
	unclean *flock.Flock // our hold on it; nil when another program has it

	own     sync.Map // name of a file that this Vault appended to, to the ownFile that it left
	health  health
	ledgers ledgerCache
	memo    memo

	stones sync.Mutex // held while tombstones are changed
	copies string     // folder of WithCopies
}

// An Option changes how a vault is opened.
type Option func(*Vault)

// WithClock sets the clock; the default is time.Now.
func WithClock(now func() time.Time) Option { return func(v *Vault) { v.now = now } }

// withDisk lets tests make the disk fail.
func withDisk(wrap func(disk) disk) Option { return func(v *Vault) { v.disk = wrap(v.disk) } }

// FileInfo is what tells whether a file may have changed.
type FileInfo struct {
	Size    int64
	ModTime time.Time
	Changed int64 // in Unix nanoseconds, on Linux and macOS: differs after each change, even one that sets ModTime back; else 0
}

// Open opens the vault in dir, which must exist, and mends what a crash left behind; [Vault.Repairs] tells what. Open does not lock the
// vault against other programs: see [Acquire].
func Open(dir string, opts ...Option) (*Vault, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, failed("opening the vault", "", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		e := &Error{Op: "opening the vault " + dir, Err: err, Hint: "make one with: reverie init --vault " + dir}
		return nil, e
	}
	v := &Vault{dir: dir, root: root, disk: rootDisk{root}, now: time.Now, queue: make(chan *request, 256), done: make(chan struct{})}
	for _, o := range opts {
		o(v)
	}
	v.disk = placedDisk{v.disk, func() error { return inPlace(dir, root) }}
	if v.repairs, err = v.mend(); err != nil {
		err = failed("mending the vault", "", err)
		if v.unclean != nil { // the mark stays for the next Open
			err = errors.Join(err, v.unclean.Close())
		}
		return nil, errors.Join(err, root.Close())
	}
	if v.layout, err = ReadLayout(v.ReadFile); err != nil {
		err = failed("reading where the notebook lies", rootFile, err)
		return nil, errors.Join(err, v.clearDirty(), root.Close())
	}
	go v.commit()
	return v, nil
}

// Close waits for the appends that were taken in, and lets go of the vault.
func (v *Vault) Close() error {
	v.closing.Lock()
	if v.closed {
		v.closing.Unlock()
		return nil
	}
	v.closed = true
	close(v.queue)
	v.closing.Unlock()
	<-v.done
	return failed("closing the vault", "", errors.Join(v.clearDirty(), v.root.Close()))
}

// Dir is the vault's folder.
func (v *Vault) Dir() string { return v.dir }

// Layout says where Reverie's own pages lie. The layout never changes while the vault is open.
func (v *Vault) Layout() Layout { return v.layout }

// Now is the time by the vault's clock.
func (v *Vault) Now() time.Time { return v.now() }

// Repairs tells what Open found broken and mended.
func (v *Vault) Repairs() []Problem { return slices.Clone(v.repairs) }

// What is read into memory at once. A day of turns may grow large; nothing else should.
const (
	maxFile  = 64 << 20
	maxDaily = 1 << 30
)

// ReadFile reads a file. As in a walk, no link is followed, be it the file or a folder on the way, and nothing but a regular file is
// opened: the error is [ErrLink] or [ErrNotFile].
func (v *Vault) ReadFile(p Path) ([]byte, error) {
	_, err := v.look(p)
	if err != nil {
		return nil, failed("reading", p, err)
	}
	data, err := readAll(v.disk, string(p), sizeLimit(p))
	return data, failed("reading", p, err)
}

// look tells of a regular file that is reached without a link.
func (v *Vault) look(p Path) (fi fs.FileInfo, err error) {
	for i := range len(p) + 1 {
		if i < len(p) && p[i] != '/' {
			continue
		}
		fi, err = v.disk.lstat(string(p[:i]))
		switch {
		case err != nil:
			return nil, err
		case fi.Mode()&fs.ModeSymlink != 0:
			return nil, fmt.Errorf("%s is a link: %w", p[:i], ErrLink)
		case i < len(p) && !fi.IsDir(), i == len(p) && !fi.Mode().IsRegular():
			return nil, ErrNotFile
		}
	}
	return fi, nil
}

func sizeLimit(p Path) int64 {
	switch path.Dir(string(p)) {
	case ArchiveDir, DrawerDir, StateDir:
		return maxDaily
	}
	return maxFile
}

// Stat tells the size and the time of a file that ReadFile reads.
func (v *Vault) Stat(p Path) (FileInfo, error) {
	fi, err := v.look(p)
	if err != nil {
		return FileInfo{}, failed("looking at", p, err)
	}
	return FileInfo{fi.Size(), fi.ModTime(), changed(fi)}, nil
}

// Days lists the days that have a file in a folder of daily files, the oldest first.
func (v *Vault) Days(dir Path) ([]Day, error) {
	entries, err := v.disk.readDir(string(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, failed("listing", dir, err)
	}
	var days []Day
	for _, e := range entries {
		if d := dayOfPath(Path(e.Name())); d != "" && strings.HasSuffix(e.Name(), ".md") {
			days = append(days, d)
		}
	}
	slices.Sort(days)
	return days, nil
}

// Replace puts data in the place of the file, in one step that a crash either sees or not. want is the hash of what
// is expected there: the zero Hash for no file, [AnyHash] for whatever there is. Else nothing happens and the
// error is [ErrChanged].
func (v *Vault) Replace(p Path, data []byte, want Hash) error {
	if c, err := ParsePath(string(p)); err != nil || c != p {
		return failed("replacing", p, fmt.Errorf("path %q: %w", string(p), ErrPath))
	}
	v.files.Lock()
	defer v.files.Unlock()
	return v.wrote("replacing", p, v.replace(p, data, want))
}

// tempDir holds files on their way to their place, on the vault's disk and out of sight.
const tempDir = StateDir + "/tmp"

// replace needs v.files.
func (v *Vault) replace(p Path, data []byte, want Hash) error {
	name := string(p)
	perm, err := v.expect(name, want)
	if err != nil {
		return err
	}
	temp := tempDir + "/" + NewID('w')
	if err := writeNew(v.disk, temp, data, perm); err != nil {
		return err
	}
	if _, err := v.expect(name, want); err != nil { // an editor saved it while the disk was at work
		return errors.Join(err, v.disk.remove(temp))
	}
	if err := v.moveIn(temp, name); err != nil {
		return err
	}
	return v.disk.syncDir(path.Dir(name))
}

// expect tells the mode of the file that is about to be replaced, or what speaks against that.
func (v *Vault) expect(name string, want Hash) (fs.FileMode, error) {
	fi, err := v.disk.lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if want != (Hash{}) && want != AnyHash {
			return 0, ErrChanged
		}
		return filePerm, nil
	case err != nil:
		return 0, err
	case fi.Mode()&fs.ModeSymlink != 0:
		return 0, fmt.Errorf("a link is in its place: %w", ErrLink)
	case !fi.Mode().IsRegular():
		return 0, ErrNotFile
	case want == Hash{}:
		return 0, ErrChanged
	case want != AnyHash:
		old, err := readAll(v.disk, name, maxDaily)
		if err != nil {
			return 0, err
		}
		if HashOf(old) != want {
			return 0, ErrChanged
		}
	}
	return fi.Mode().Perm(), nil
}

// moveIn puts a file from tempDir in its place, or takes it away. Its name there is not durable yet. The caller holds v.files.
func (v *Vault) moveIn(temp, name string) error {
	err := v.disk.mkdirAll(path.Dir(name))
	if err == nil {
		err = v.disk.rename(temp, name)
	}
	if err != nil {
		return errors.Join(err, v.disk.remove(temp))
	}
	v.known.forget(name)
	return nil
}

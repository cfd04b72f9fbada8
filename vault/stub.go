package vault

import (
	"context"
	"errors"
	"io/fs"
	"time"
)

var errUnfinished = errors.New("unfinished")

// An Option changes how a vault is opened.
type Option func(*Vault)

// WithClock sets the clock.
func WithClock(now func() time.Time) Option { return func(v *Vault) { v.now = now } }

// Vault is an open vault.
type Vault struct {
	now func() time.Time
	dir string
}

// FileInfo is what the index compares to see whether a file changed.
type FileInfo struct {
	Size    int64
	ModTime time.Time
}

// SectionFacts are facts that share a section.
type SectionFacts struct {
	Section Section
	Facts   []Fact
}

// Hash is the SHA-256 of a file's bytes.
type Hash [32]byte

// AnyHash makes Replace write whatever is there.
var AnyHash = Hash{0: 0xff, 31: 0xff}

func HashOf(data []byte) Hash { return Hash{} }

// Log is a parsed daily log.
type Log struct {
	Path     Path
	Day      Day
	Facts    []Fact
	Problems []Problem
	data     []byte
}

func (l *Log) Bytes() []byte { return l.data }

// DrawerFile is a parsed drawer file.
type DrawerFile struct {
	Path     Path
	Day      Day
	Drawers  []Drawer
	Problems []Problem
	data     []byte
}

func (f *DrawerFile) Bytes() []byte { return f.data }

// Page is a parsed page. Front and Body together are the file.
type Page struct {
	Path             Path
	Title            string
	Aliases, Tags    []string
	Type             string
	Created, Updated string
	Front            []byte // raw, with its fences; empty when there is none
	Body             []byte
	BodyLine         int // 1-based line of the body's first byte
	Problems         []Problem
}

// JournalEntry is one entry of log.md.
type JournalEntry struct {
	At        time.Time
	Title     string
	Line      int
	Watermark Day
}

// Journal is the parsed log.md.
type Journal struct {
	Entries   []JournalEntry
	Watermark Day
	Problems  []Problem
}

// Tombstone says what is to be forgotten.
type Tombstone struct{ Text, Reason, Scope string }

// Tombstones answers whether a text was forgotten.
type Tombstones struct{}

func (t *Tombstones) Match(text string) (reason string, ok bool) { return "", false }
func (t *Tombstones) Version() string                            { return "" }
func (t *Tombstones) Problems() []Problem                        { return nil }

// LockInfo says who holds the vault.
type LockInfo struct {
	PID  int    `json:"pid"`
	Addr string `json:"addr,omitempty"`
}

// Lock is the hold on a vault.
type Lock struct{}

func (l *Lock) Update(info LockInfo) error { return errUnfinished }
func (l *Lock) Release() error             { return errUnfinished }

// HeldError says who holds the vault.
type HeldError struct{ LockInfo }

func (e *HeldError) Error() string { return "held" }

// Error is a failed operation on the vault.
type Error struct {
	Op   string
	Path Path
	Err  error
	Hint string
}

func (e *Error) Error() string { return e.Op }
func (e *Error) Unwrap() error { return e.Err }

var (
	ErrChanged  = errors.New("the file is not what was expected")
	ErrDiskFull = errors.New("the disk is full")
	ErrReadOnly = errors.New("the vault cannot be written")
	ErrOutside  = errors.New("a link leads out of the vault")
	ErrTooLarge = errors.New("the file is too large")
	ErrClosed   = errors.New("the vault is closed")
)

func Init(dir string, tmpl fs.FS) (created []Path, err error)     { return nil, errUnfinished }
func Open(dir string, opts ...Option) (*Vault, error)             { return nil, errUnfinished }
func (v *Vault) Close() error                                     { return nil }
func (v *Vault) Dir() string                                      { return v.dir }
func (v *Vault) Now() time.Time                                   { return v.now() }
func (v *Vault) Repairs() []Problem                               { return nil }
func (v *Vault) ReadFile(p Path) ([]byte, error)                  { return nil, errUnfinished }
func (v *Vault) Stat(p Path) (FileInfo, error)                    { return FileInfo{}, errUnfinished }
func (v *Vault) Days(dir Path) ([]Day, error)                     { return nil, errUnfinished }
func (v *Vault) Replace(p Path, data []byte, want Hash) error     { return errUnfinished }
func (v *Vault) Watermark() (Day, []Problem, error)               { return "", nil, errUnfinished }
func (v *Vault) Accounted() (map[string]bool, error)              { return nil, errUnfinished }
func (v *Vault) Tombstones() (*Tombstones, error)                 { return nil, errUnfinished }
func (v *Vault) Forget(ctx context.Context, ts []Tombstone) error { return errUnfinished }
func (v *Vault) Purge(ctx context.Context, ids []string) ([]Path, error) {
	return nil, errUnfinished
}
func (v *Vault) Walk(ctx context.Context, fn func(Path, FileInfo) error) ([]Problem, error) {
	return nil, errUnfinished
}
func (v *Vault) AppendFacts(ctx context.Context, sections []SectionFacts) ([]Fact, error) {
	return nil, errUnfinished
}
func (v *Vault) AppendDrawers(ctx context.Context, ds []Drawer) ([]Drawer, error) {
	return nil, errUnfinished
}
func (v *Vault) AppendState(ctx context.Context, name string, recs ...any) error {
	return errUnfinished
}
func (v *Vault) ReadState(name string, fn func(line int, raw []byte) error) ([]Problem, error) {
	return nil, errUnfinished
}
func NewID(prefix byte) string                         { return "" }
func DeriveID(prefix byte, parts ...string) string     { return "" }
func ParseLog(p Path, data []byte) *Log                { return &Log{} }
func ParseDrawers(p Path, data []byte) *DrawerFile     { return &DrawerFile{} }
func FormatSection(s Section, facts []Fact) []byte     { return nil }
func FormatDrawer(d Drawer) []byte                     { return nil }
func ParsePage(p Path, data []byte) *Page              { return &Page{} }
func ParseJournal(data []byte) Journal                 { return Journal{} }
func Acquire(dir string, info LockInfo) (*Lock, error) { return nil, errUnfinished }

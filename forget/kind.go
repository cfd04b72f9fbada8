package forget

import (
	"context"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/markdown"
	"github.com/reverie-memory/reverie/vault"
)

// A Kind is one kind of record, as the package says it that writes the records. A function that is nil has nothing to do. Each may be
// called again after it failed, and has to find then what it did not get to. An error ends the request; [vault.ErrChanged] from
// Purge is tried again.
type Kind struct {
	Name string // in the singular, for errors

	// Owns says which files are of the kind, by their path in the vault or, behind [Data], in the data folder. Every file that we make is of
	// one kind. Whatever else lies there is a person's, and is looked through all the same.
	Owns func(file string) bool

	// Find adds the records that a request names.
	Find func(context.Context, *Search) error

	// Resting adds the records that rest on those which any kind found.
	Resting func(context.Context, *Search) error

	// Rests are the facts that a line of one of its files rests on. Rests are forgotten with the line.
	Rests func(file vault.Path, line int) ([]markdown.Source, error)

	// Reload is called when tombstones came or went, by kinds that hold a picture of them.
	Reload func() error

	// Sweep takes what tombstones know out of sight, where they alone do not hide it, and returns the files that it changed.
	Sweep func(context.Context) (changed []vault.Path, err error)

	// Shown are records that still show a text when all that was done.
	Shown func(ctx context.Context, text string) ([]Found, error)

	// Purge takes the bytes out. A kind without it tells nothing of anybody.
	Purge func(context.Context, *Purge) error

	// Look has see look through the texts of files that lie outside of both folders and are the person's to change; unseen are those that
	// could not be read. lineAt is the line of an offset.
	Look func(ctx context.Context, see func(file, text string, lineAt func(offset int) int)) (unseen []Found, err error)

	// Restore brings back what no tombstone hides any more. The kind that was registered last comes first.
	Restore func(context.Context, *Restoring) error
}

// Data begins the name of a file of the data folder.
const Data = "data/"

// Files makes a Kind's Owns: files of these names, and those that begin so where a name ends with a star.
func Files(names ...string) func(file string) bool {
	return func(file string) bool {
		return slices.ContainsFunc(names, func(name string) bool {
			start, open := strings.CutSuffix(name, "*")
			return file == name || open && strings.HasPrefix(file, start)
		})
	}
}

// Options are what a [Room] works with.
type Options struct {
	Vault *vault.Vault
	Dir   string // the vault's folder
	Data  string // the data folder
	Kinds []Kind // in the order in which they are asked and purged; where records are found goes last, so that a purge can be asked for again

	// Sync makes the index follow files, as far as it has them.
	Sync func(ctx context.Context, paths ...vault.Path) error

	// Uses says whether a text of the index has one of the words.
	Uses func(ctx context.Context, terms []string) (bool, error)

	// Rows are the rows that a file gives when nothing is hidden. The index may have seen an older state of it.
	Rows func(file vault.Path, data []byte) []Row
}

// A Row is a row of the index, by the line that it stands on.
type Row struct {
	ID    string
	Line  int
	Text  string
	Lines []int // of code or a table: where in the file each line of Text stands, from 1 on; else nil
}

// A Room forgets for one vault. Its methods may be called from several goroutines.
type Room struct{ o Options }

// New returns a room. New touches nothing.
func New(o Options) *Room { return &Room{o} }

// A Request names what to forget, by exactly one of ids, query and chat id.
type Request struct {
	IDs    []string
	Query  string
	ChatID string
	DryRun bool
	Purge  bool // takes the bytes out as well
	Reason string
	May    func(*Target) bool // leaves out what the asker may not see; nil: nothing
}

// Found is a record that tells what was asked for.
type Found struct {
	ID         string
	SourceFile string
	Text       string
	Named      string // the id of the request that stands for it, where that is not its own
}

// An Answer says what was forgotten.
type Answer struct {
	Forgotten []Found
	Verified  bool // nothing of it is found any more; after a purge, no file holds its bytes
	Remaining []Found
	Unknown   []string // ids that no record has
}

// A Target is a record that is to be forgotten: a whole fact, a drawer, or else a line of a page or a diary.
type Target struct {
	ID     string
	File   vault.Path
	Text   string
	Line   int    // of a line
	ByLine bool   // it is of code or a table: each of its lines is forgotten by itself
	Wing   string // the wing that it was said in and keeps to, "" for none
	From   string // id of the drawer with which it moves to another wing, "" for none
	Fact   *vault.Fact
	Drawer *vault.Drawer
	Named  string // the id of the request that stands for it, where that is not its own
}

// A place names one target: a line copied into another file keeps its id, and may tell something else there.
type place struct {
	file vault.Path
	id   string
}

func (t *Target) place() place { return place{t.File, t.ID} }

func found(targets []Target) []Found {
	return slice.Map(targets, func(t Target) Found { return Found{t.ID, string(t.File), t.Text, t.Named} })
}

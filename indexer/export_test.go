package indexer

import (
	"context"
	"errors"

	"github.com/reverie-memory/reverie/vault"
)

// Pieces of the package that tests in package indexer_test look at.

type RowStore = rowStore

// SetWrap puts faults between the indexer and the catalog.
func (ix *Indexer) SetWrap(wrap func(RowStore) RowStore) { ix.wrap = wrap }

// SetPart has files that grew indexed in parts of so many bytes, where that is not 0.
func (ix *Indexer) SetPart(size int) {
	if size > 0 {
		ix.part = size
	}
}

var PartEnd = partEnd

// Remembered is how many of some files are remembered that grew to these sizes, one after the other.
func Remembered(sizes ...int) int {
	var h hotFiles
	for i, n := range sizes {
		h.keep(&hotFile{path: vault.Path(rune('a' + i)), data: make([]byte, n)})
	}
	return len(h.files)
}

// Queued is how many callers wait that the owner has not heard of.
func (ix *Indexer) Queued() int {
	ix.queue.mu.Lock()
	defer ix.queue.mu.Unlock()
	return len(ix.queue.job.waiters)
}

// LoadEnv is what the indexer knows besides the files.
func (ix *Indexer) LoadEnv() (Env, error) {
	env, _, err := loadEnv(ix.o.Vault, ix.o.Facets)
	return env, err
}

// Wanted are the rows that the sources give for all files as they are.
func (ix *Indexer) Wanted(ctx context.Context) (rows []Row, err error) {
	env, err := ix.LoadEnv()
	if err != nil {
		return nil, err
	}
	_, _, werr := ix.walk(ctx, "", func(p vault.Path, _ vault.FileInfo) {
		data, rerr := ix.read(p)
		more, _ := Rows(ix.o.Sources, p, data, env)
		rows, err = append(rows, more...), errors.Join(err, rerr)
	})
	return rows, errors.Join(err, werr)
}

// Uses are the names that a source's rows depend on.
func Uses(s Source, p vault.Path, data []byte) map[string][]string {
	return usesOf([]*Source{&s}, p, data, &vault.Trail{})
}

// Probe runs the integrity probe now.
func (ix *Indexer) Probe(ctx context.Context) error {
	_, err := onOwner(ctx, ix, func(ctx context.Context) (struct{}, error) {
		ix.startProbe(ctx)
		return struct{}{}, nil
	})
	return err
}

// KeepAsking fills the owner's queue again whenever it was emptied, until stop is closed.
func (ix *Indexer) KeepAsking(stop <-chan struct{}) {
	var again func(context.Context)
	again = func(context.Context) {
		select {
		case <-stop:
		default:
			ix.queue.put(func(j *job) { j.calls = append(j.calls, again) })
		}
	}
	again(context.Background())
}

// BytesBehind is how much of files that grow is still to be read.
func (ix *Indexer) BytesBehind() int64 { return ix.behind.Load() }

// Behind is an index that is so far behind.
func Behind(bytes int64) *Indexer {
	ix := &Indexer{}
	ix.behind.Store(bytes)
	return ix
}

package indexer

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/vault"
)

// A Tree is a set of files that sources read besides the Markdown of the vault: state files, a folder elsewhere, or files that are made
// of others, such as one for each conversation. A [vault.Vault] has the same methods.
type Tree interface {
	// Walk calls fn with each file. Where it fails, all rows of the tree stay and the failure is told; those of some places only, where
	// the error is an [*UnreachableError].
	Walk(ctx context.Context, fn func(vault.Path, vault.FileInfo) error) ([]vault.Problem, error)
	// Stat and ReadFile wrap fs.ErrNotExist for a file that Walk does not come by. A file with the size and time that it had is taken to
	// be as it was; for a file that is made of others any time in the past will do that is another whenever the content is.
	Stat(vault.Path) (vault.FileInfo, error)
	ReadFile(vault.Path) ([]byte, error)
}

// A Mount is a tree and its place among the paths of the index. The owner goroutine calls Walk, Stat and Touched; ReadFile may run
// beside them.
type Mount struct {
	Tree
	At vault.Path // a folder whose name begins with a dot, so that no walk over the vault comes by it
	// Touched names the files of the tree that are made of that file of the vault, or were; nil: there are none.
	Touched func(vault.Path) []vault.Path
}

// An UnreachableError is what Walk returns when it came by every file but some, or those under some places.
type UnreachableError struct {
	Places []vault.Path
	Err    error
}

func (e *UnreachableError) Error() string { return e.Err.Error() }

// Unwrap gives the reason.
func (e *UnreachableError) Unwrap() error { return e.Err }

// StateFiles is a tree of files of .state, mounted there. Who writes to them tells the indexer: the watcher does not.
func StateFiles(v *vault.Vault, names ...string) Mount {
	return Mount{At: vault.StateDir, Tree: stateFiles{v, names}}
}

type stateFiles struct {
	*vault.Vault
	names []string
}

func (s stateFiles) Walk(_ context.Context, fn func(vault.Path, vault.FileInfo) error) ([]vault.Problem, error) {
	for _, name := range s.names {
		p := vault.Path(vault.StateDir + "/" + name)
		if info, err := s.Stat(p); err == nil {
			if err := fn(p, info); err != nil {
				return nil, err
			}
		}
	}
	return nil, nil
}

// under says whether p lies under the folder.
func under(p, folder vault.Path) bool { return strings.HasPrefix(string(p), string(folder)+"/") }

// mounts are those that there are now.
func (ix *Indexer) mounts() []Mount {
	if ix.o.Mounted == nil {
		return ix.o.Mounts
	}
	return append(slices.Clip(ix.o.Mounts), ix.o.Mounted()...)
}

// mount is where the file lies; nil for the vault.
func (ix *Indexer) mount(p vault.Path) *Mount {
	mounts := ix.mounts()
	for i := range mounts {
		if m := &mounts[i]; p == m.At || under(p, m.At) {
			return m
		}
	}
	return nil
}

// stat looks at a file as a walk would: what that does not come by is not there. A file is looked at once a job.
func (ix *Indexer) stat(p vault.Path) (vault.FileInfo, error) {
	if was, ok := ix.looks[p]; ok {
		return was.value, was.err
	}
	info, err := ix.lookAt(p)
	if ix.looks != nil {
		ix.looks[p] = result[vault.FileInfo]{info, err}
	}
	return info, err
}

func (ix *Indexer) lookAt(p vault.Path) (vault.FileInfo, error) {
	if m := ix.mount(p); m != nil {
		return m.Stat(p)
	}
	info, err := ix.o.Vault.Stat(p)
	if err == nil && !walked(p) {
		err = fs.ErrNotExist
	}
	return info, err
}

func (ix *Indexer) read(p vault.Path) ([]byte, error) {
	if m := ix.mount(p); m != nil {
		return m.ReadFile(p)
	}
	return ix.o.Vault.ReadFile(p)
}

// walk calls fn with each file under the folder; "" is everything. lost are the places of trees that could not be walked over.
func (ix *Indexer) walk(ctx context.Context, folder vault.Path, fn func(vault.Path, vault.FileInfo)) (
	problems []vault.Problem, lost []vault.Path, err error,
) {
	visit := func(p vault.Path, info vault.FileInfo) error {
		if folder == "" || under(p, folder) {
			fn(p, info)
		}
		return nil
	}
	inside := ix.mount(folder)
	if inside == nil && !strings.HasPrefix(string(folder), ".") {
		if problems, err = ix.o.Vault.Walk(ctx, visit); err != nil {
			return nil, nil, err
		}
	}
	for _, m := range ix.mounts() {
		if folder != "" && (inside == nil || inside.At != m.At) {
			continue
		}
		found, err := m.Walk(ctx, visit)
		problems = append(problems, found...)
		if err == nil {
			continue
		}
		places := []vault.Path{m.At}
		if some := (*UnreachableError)(nil); errors.As(err, &some) {
			places = some.Places
		}
		lost = append(lost, places...)
		for _, at := range places {
			problems = append(problems, vault.Problem{
				Path: at, Reason: "cannot be looked at: " + err.Error(),
				Hint: "its rows stay as they were",
			})
		}
	}
	return problems, lost, ctx.Err()
}

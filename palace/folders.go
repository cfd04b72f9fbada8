package palace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/reverie-memory/reverie/project"
	"github.com/reverie-memory/reverie/redact"
	"github.com/reverie-memory/reverie/vault"
)

// foldersFile, in the vault's state, keeps which folders are of a project that no remote stands for.
const foldersFile = "folders.jsonl"

// folderLine says that a folder is of a project, or that it asked to be of one and nobody has said yes.
type folderLine struct {
	Folder string `json:"folder"` // "~/…" below the home folder
	Wing   string `json:"wing,omitempty"`
	Asks   string `json:"asks,omitempty"`
}

// Folders knows which folders are of which project. A name that no remote stands for may be taken by any folder, as by one that was just
// downloaded: it belongs to the folder that first used it, and to those that a person let in.
type Folders struct {
	Vault *vault.Vault
	Wings func(ctx context.Context) ([]string, error) // under which anything is filed, once the files have been looked at

	mu sync.Mutex // from looking at a name to noting whose it is
}

// A Project is what a folder is of.
type Project struct {
	Wing     string // "" for none
	From     string // as [project.Scope.From]
	Isolated bool   // the folder wants its memory to stay inside
	Asks     string // the project of others that it asks to be of
}

// Of tells the project of a folder, and isolates that where the folder wants it. An override file that cannot be used is not an error but
// unusable, of [project.Resolve]: the project counts all the same.
func (f *Folders) Of(ctx context.Context, dir string) (p Project, unusable, err error) {
	p, unusable, err = f.of(ctx, dir)
	if err == nil && p.Isolated {
		err = Isolate(ctx, f.Vault, p.Wing, true)
	}
	return p, unusable, err
}

func (f *Folders) of(ctx context.Context, dir string) (p Project, unusable, err error) {
	scope, unusable := project.Resolve(dir)
	if scope.Name == "" {
		return Project{}, unusable, nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	notes, err := f.read()
	if err != nil {
		return Project{}, unusable, err
	}
	asks := scope
	for free := false; !free; {
		if free, err = f.free(ctx, notes, scope); err != nil {
			return Project{}, unusable, err
		}
		switch {
		case free:
		case scope.Else != nil:
			scope = *scope.Else
		default:
			scope, free = scope.Apart(), true
		}
	}
	p = Project{From: scope.From, Isolated: scope.Isolated}
	if p.Wing, err = Nameless(f.Vault, scope.Name); err != nil {
		return Project{}, unusable, err
	}
	if scope.Name != asks.Name {
		p.Asks = asks.Base()
		err = f.note(ctx, notes, folderLine{Folder: asks.Folder, Asks: p.Asks})
	}
	if err == nil && scope.From != project.FromRemote {
		err = f.note(ctx, notes, folderLine{Folder: scope.Folder, Wing: scope.Base()})
	}
	return p, unusable, err
}

// free tells whether a folder may have the name: it has had it before, or nobody has.
func (f *Folders) free(ctx context.Context, notes map[folderLine]bool, s project.Scope) (bool, error) {
	mine, err := f.line(folderLine{Folder: s.Folder, Wing: s.Base()})
	if err != nil || notes[mine] {
		return err == nil, err
	}
	for n := range notes {
		if n.Wing == mine.Wing {
			return false, nil
		}
	}
	known, err := f.known(ctx, mine.Wing, s.From != project.FromRemote) // below a host are other repositories
	return !known, err
}

// known tells whether anything is filed under a name, or has been since the index was built, and with below also under one that narrows it.
func (f *Folders) known(ctx context.Context, name string, below bool) (bool, error) {
	isolated, err := Isolated(f.Vault)
	if err != nil {
		return false, err
	}
	wings, err := f.Wings(ctx)
	return slices.ContainsFunc(append(wings, isolated...), func(wing string) bool {
		return wing == name || below && strings.HasPrefix(wing, name+"/")
	}), err
}

// Nameless is a name without the secrets in it: each is replaced by its pseudonym in the vault.
func Nameless(v *vault.Vault, name string) (string, error) {
	var failed error
	clean, _ := redact.Name(name, func(secret string) string {
		id, err := v.Pseudonym(secret)
		failed = errors.Join(failed, err)
		return id
	})
	return clean, failed
}

// Allow lets a folder be of the project that it asks to be of.
func (f *Folders) Allow(ctx context.Context, dir, name string) error {
	scope, err := project.Resolve(dir)
	if err != nil {
		return &InvalidError{"folder", err.Error()}
	}
	for s := &scope; s != nil; s = s.Else {
		if name != "" && (s.Name == name || s.Base() == name) {
			f.mu.Lock()
			defer f.mu.Unlock()
			notes, err := f.read()
			if err != nil {
				return err
			}
			return f.note(ctx, notes, folderLine{Folder: s.Folder, Wing: s.Base()})
		}
	}
	return &InvalidError{"allow", fmt.Sprintf("%s does not ask to be of %s; with a file %s that holds project = %q it would", dir, name,
		project.File, name)}
}

// Asking lists the folders that still ask for a project of others, each with the name that it asks for.
func (f *Folders) Asking() (map[string]string, error) {
	notes, err := f.read()
	out := map[string]string{}
	for n := range notes {
		dir := atHome(n.Folder)
		if n.Asks == "" || notes[folderLine{Folder: n.Folder, Wing: n.Asks}] {
			continue
		}
		if _, err := os.Stat(dir); err != nil {
			continue
		}
		scope, _ := project.Resolve(dir) // what cannot be used asks for nothing
		if scope.Base() == n.Asks {
			out[dir] = n.Asks
		}
	}
	return out, err
}

func (f *Folders) read() (map[folderLine]bool, error) {
	notes := map[folderLine]bool{}
	err := vault.Records[folderLine]{Name: foldersFile}.Each(f.Vault, func(l folderLine) {
		if l.Folder != "" {
			notes[l] = true
		}
	})
	if err != nil {
		return nil, fmt.Errorf("read which folders are of which project: %w", err)
	}
	return notes, nil
}

// note appends a line that is not there yet.
func (f *Folders) note(ctx context.Context, notes map[folderLine]bool, l folderLine) error {
	l, err := f.line(l)
	if err != nil || notes[l] {
		return err
	}
	if err := f.Vault.AppendState(ctx, foldersFile, l); err != nil {
		return fmt.Errorf("note the project of a folder: %w", err)
	}
	return nil
}

// line is a line as it is kept.
func (f *Folders) line(l folderLine) (folderLine, error) {
	var err error
	if home, herr := os.UserHomeDir(); herr == nil {
		if home, herr = filepath.EvalSymlinks(home); herr == nil {
			if rel, rerr := filepath.Rel(home, l.Folder); rerr == nil && filepath.IsLocal(rel) {
				l.Folder = "~/" + filepath.ToSlash(rel)
			}
		}
	}
	if l.Folder, err = Nameless(f.Vault, l.Folder); err != nil {
		return l, err
	}
	l.Wing, err = Nameless(f.Vault, l.Wing)
	return l, err
}

// atHome is the folder that a line names.
func atHome(folder string) string {
	rest, below := strings.CutPrefix(folder, "~/")
	home, err := os.UserHomeDir()
	if !below || err != nil {
		return folder
	}
	return filepath.Join(home, filepath.FromSlash(rest))
}

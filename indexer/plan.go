package indexer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/vault"
)

// racy is how close to each other a change and its reading may be for the file's time to tell them
// apart. A file read within it of its own time is read again at the next Sync.
const racy = 2 * time.Second

// target is a file that must be looked at.
type target struct {
	path  vault.Path
	src   *Source
	key   string // of the source and its Env, as it is now
	gone  bool
	info  vault.FileInfo
	known bool
	old   catalog.FileState // as it was when planned
}

// source is the source that has the file, or nil.
func (ix *Indexer) source(p vault.Path) *Source {
	for i := range ix.o.Sources {
		if ix.o.Sources[i].Match(p) {
			return &ix.o.Sources[i]
		}
	}
	return nil
}

// problemMark ends the key of a file with problems: those are kept in memory only, so that such a
// file is read again when the index is opened.
const problemMark = " !"

// planner finds the files of one generation whose rows may be wrong.
type planner struct {
	ix      *Indexer
	g       *generation
	env     Env
	hash    bool // sizes and times are not trusted
	reread  bool // files with problems are read for their problems
	targets []target
	seen    map[vault.Path]bool
}

// plan returns what must be looked at for a Sync of the paths, or of the whole vault, in the order of
// the paths, and what is wrong with the vault's files as such.
func (ix *Indexer) plan(ctx context.Context, g *generation, j *job) ([]target, []vault.Problem, error) {
	if err := ix.o.Vault.InPlace(); err != nil { // files would look gone
		return nil, nil, err
	}
	p := planner{ix: ix, g: g, env: ix.env, hash: j.hash, reread: ix.reread, seen: map[vault.Path]bool{}}
	if j.all {
		problems, err := p.walk(ctx, "")
		slices.SortFunc(p.targets, func(a, b target) int { return strings.Compare(string(a.path), string(b.path)) })
		return p.targets, problems, err
	}
	for _, name := range sorted(j.paths) {
		if err := p.named(ctx, name); err != nil {
			return nil, nil, err
		}
	}
	if j.env {
		p.rekeyed()
	}
	return p.targets, nil, nil
}

// walk looks at everything under the folder; "" is the vault.
func (p *planner) walk(ctx context.Context, under string) ([]vault.Problem, error) {
	problems, err := p.ix.o.Vault.Walk(ctx, func(name vault.Path, info vault.FileInfo) error {
		if strings.HasPrefix(string(name), under) {
			p.found(name, info)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("walking the vault: %w", err)
	}
	for name := range p.g.files {
		if strings.HasPrefix(string(name), under) && !p.seen[name] {
			p.lost(name)
		}
	}
	return problems, nil
}

// named looks at one path: a file, a folder, or what was one of them.
func (p *planner) named(ctx context.Context, name vault.Path) error {
	if p.ix.source(name) != nil {
		info, err := p.ix.o.Vault.Stat(name)
		switch {
		case err == nil && p.ix.walked(name):
			p.found(name, info)
			return nil
		case err == nil && !p.g.has(name):
			return nil
		case !errors.Is(err, fs.ErrNotExist) && !p.g.has(name):
			return nil // neither readable nor known: a folder named like a page, a link out of the vault
		}
		p.lost(name)
	}
	if strings.EqualFold(path.Ext(string(name)), ".md") && !p.folder(name) || decides(p.ix.o.Vault.Layout(), name) {
		return nil
	}
	_, err := p.walk(ctx, string(name)+"/")
	return err
}

// walked says whether a walk over the vault would come by the file: it leaves out what begins with a
// dot, conflict copies of folder syncs, and links. A path that is named must mean the same.
func (ix *Indexer) walked(name vault.Path) bool {
	at := ix.o.Vault.Dir()
	for part := range strings.SplitSeq(string(name), "/") {
		at = filepath.Join(at, part)
		info, err := os.Lstat(at)
		if err != nil || strings.HasPrefix(part, ".") || info.Mode()&fs.ModeSymlink != 0 {
			return false
		}
	}
	return !vault.IsConflictCopy(path.Base(string(name)))
}

// folder says whether the index knows files under the path.
func (p *planner) folder(name vault.Path) bool {
	for known := range p.g.files {
		if strings.HasPrefix(string(known), string(name)+"/") {
			return true
		}
	}
	return false
}

// found looks at a file that is there.
func (p *planner) found(name vault.Path, info vault.FileInfo) {
	if p.seen[name] {
		return
	}
	p.seen[name] = true
	src := p.ix.source(name)
	if src == nil {
		return
	}
	old, known := p.g.files[name]
	key := src.key(name, p.env, citesOf(old.Env))
	was, marked := strings.CutSuffix(old.Env, problemMark)
	if known && !p.hash && was == key && old.Size == info.Size && old.ModTime == info.ModTime.UnixNano() &&
		!(marked && p.reread) {
		return
	}
	p.targets = append(p.targets, target{path: name, src: src, key: key, info: info, known: known, old: old})
}

// lost looks at a file that is not there any more.
func (p *planner) lost(name vault.Path) {
	old, known := p.g.files[name]
	if p.seen[name] || !known {
		return
	}
	p.seen[name] = true
	p.targets = append(p.targets, target{path: name, gone: true, known: true, old: old})
}

// rekeyed looks at the known files whose rows depend on something that changed elsewhere.
func (p *planner) rekeyed() {
	for _, name := range sorted(p.g.files) {
		src := p.ix.source(name)
		env := strings.TrimSuffix(p.g.files[name].Env, problemMark)
		if src == nil || p.seen[name] || env == src.key(name, p.env, citesOf(env)) {
			continue
		}
		if info, err := p.ix.o.Vault.Stat(name); err == nil {
			p.found(name, info)
		} else {
			p.lost(name)
		}
	}
}

func (g *generation) has(p vault.Path) bool {
	_, ok := g.files[p]
	return ok
}

func sorted[V any](m map[vault.Path]V) []vault.Path {
	names := make([]vault.Path, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

package indexer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
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
	srcs  []*Source
	key   string // of the sources and what they depend on, as it is now
	gone  bool
	info  vault.FileInfo
	known bool
	old   catalog.FileState // as it was when planned
}

// planner finds the files of one generation whose rows may be wrong.
type planner struct {
	ix      *Indexer
	g       *generation
	env     Env
	hash    bool // sizes and times are not trusted
	all     bool // everything is walked over
	targets []target
	seen    map[vault.Path]bool
}

// plan returns what must be looked at for a Sync of the paths, or of the whole vault, in the order of
// the paths, and what is wrong with the vault's files as such.
func (ix *Indexer) plan(ctx context.Context, g *generation, j *job) ([]target, []vault.Problem, error) {
	if err := ix.o.Vault.InPlace(); err != nil { // files would look gone
		return nil, nil, err
	}
	p := planner{ix: ix, g: g, env: ix.env, hash: j.hash, all: j.all, seen: map[vault.Path]bool{}}
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
		p.dependents()
	}
	return p.targets, nil, nil
}

// walk looks at everything under the folder; "" is everything.
func (p *planner) walk(ctx context.Context, folder vault.Path) ([]vault.Problem, error) {
	problems, lost, err := p.ix.walk(ctx, folder, func(name vault.Path, info vault.FileInfo) { p.found(name, info) })
	if err != nil {
		return nil, fmt.Errorf("walking the vault: %w", err)
	}
	for name := range p.g.files {
		switch {
		case folder != "" && !under(name, folder):
		case slices.ContainsFunc(lost, func(at vault.Path) bool { return name == at || under(name, at) }):
			p.away(name)
		default:
			p.lost(name)
		}
	}
	return problems, nil
}

// named looks at one path: a file, a folder, or what was one of them.
func (p *planner) named(ctx context.Context, name vault.Path) error {
	p.touch(name)
	if len(p.ix.sources(name)) > 0 && p.look(name) {
		return nil
	}
	hidden := strings.HasPrefix(string(name), ".") && p.ix.mount(name) == nil && !p.folder(name) // which was mounted once
	if hidden || strings.EqualFold(path.Ext(string(name)), ".md") && !p.folder(name) || p.ix.decides(name) && !p.folder(name) {
		return nil
	}
	_, err := p.walk(ctx, name)
	return err
}

// touch looks at the files that are made of that one. Where everything is walked over they come by themselves.
func (p *planner) touch(name vault.Path) {
	if p.all || p.ix.mount(name) != nil {
		return
	}
	for _, m := range p.ix.o.Mounts {
		if m.Touched == nil {
			continue
		}
		for _, made := range m.Touched(name) {
			p.look(made)
		}
	}
}

// walked says whether a walk over the vault would come by a file of that name: it leaves out what begins with a dot, and conflict
// copies of folder syncs. A path that is named must mean the same.
func walked(name vault.Path) bool {
	return !strings.Contains("/"+string(name), "/.") && !vault.IsConflictCopy(path.Base(string(name)))
}

// folder says whether the index knows files under the path.
func (p *planner) folder(name vault.Path) bool {
	for known := range p.g.files {
		if under(known, name) {
			return true
		}
	}
	return false
}

// look looks at one file, and says whether it is there.
func (p *planner) look(name vault.Path) bool {
	info, err := p.ix.stat(name)
	switch {
	case err == nil:
		p.found(name, info)
	case p.ix.mount(name) == nil || errors.Is(err, fs.ErrNotExist):
		p.lost(name)
	default:
		p.away(name)
	}
	return err == nil
}

// away is a file of a tree that cannot be reached. away keeps its rows until something is forgotten, which they may tell.
func (p *planner) away(name vault.Path) {
	old := p.g.files[name]
	if forgottenSince(old.Env, p.ix.key(p.ix.sources(name), p.env, usesIn(old.Env))) {
		p.lost(name)
	}
}

// found looks at a file that is there.
func (p *planner) found(name vault.Path, info vault.FileInfo) {
	srcs := p.ix.sources(name)
	if p.seen[name] || len(srcs) == 0 { // of no source any more: as good as gone
		return
	}
	p.seen[name] = true
	p.touch(name)
	old, known := p.g.files[name]
	key := p.ix.key(srcs, p.env, usesIn(old.Env))
	if known && !p.hash && old.Env == key && looks(&old, info) {
		return
	}
	p.targets = append(p.targets, target{path: name, srcs: srcs, key: key, info: info, known: known, old: old})
}

// looks says whether a file looks as it did when it was read. Whoever sets its time back hides a change of the same size where the system
// does not tell when the file changed, and all that happens while the program does not run.
func looks(old *catalog.FileState, info vault.FileInfo) bool {
	unmoved := old.Changed == 0 || info.Changed == 0 || old.Changed == info.Changed
	return old.Size == info.Size && old.ModTime == info.ModTime.UnixNano() && unmoved
}

// lost looks at a file that is not there any more.
func (p *planner) lost(name vault.Path) {
	old, known := p.g.files[name]
	if p.seen[name] || !known {
		return
	}
	p.seen[name] = true
	p.touch(name)
	p.targets = append(p.targets, target{path: name, gone: true, known: true, old: old})
}

// dependents looks at the known files whose rows depend on something that changed elsewhere.
func (p *planner) dependents() {
	for _, name := range sorted(p.g.files) {
		srcs, key := p.ix.sources(name), p.g.files[name].Env
		if len(srcs) == 0 || p.seen[name] || key == p.ix.key(srcs, p.env, usesIn(key)) {
			continue
		}
		p.look(name)
	}
}

func sorted[V any](m map[vault.Path]V) []vault.Path {
	names := make([]vault.Path, 0, len(m))
	names = slices.AppendSeq(names, maps.Keys(m))
	slices.Sort(names)
	return names
}

package indexer

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/reverie-memory/reverie/durable"
	"github.com/reverie-memory/reverie/vault"
)

// A Projection is state that changes with time, such as what is known of each drawer or the graph. A Projection is folded from the lines
// of files, events in .state or logs, and lies beside the rows: no generation, and no version but its own, has to do with it. A Sync
// brings a projection up to date while it writes rows, which depend on none. Whatever it was told in whatever pieces, its file has the
// bytes that folding anew gives.
//
// P is the state of one file, S that of all; P is kept as JSON. P and S hold ids and numbers, and no text, so that what is forgotten is
// hidden where the text is read; but for a projection with Shown, whose files are folded again whenever something is forgotten or taken
// back.
type Projection[P, S any] struct {
	Name    string
	Version int // raise it when Fold gives another state from the same bytes: the projection is folded anew, and nothing else is

	// Match says whether the file is folded. The file is one of the vault, or of a mounted tree.
	Match func(vault.Path) bool

	// Fold takes in the next whole lines of a file, and may change the state before it. Fold is pure: folding a file in pieces gives
	// what folding it at once does. Fold begins with the zero P.
	Fold func(before P, p vault.Path, lines []byte) P

	// Shown is set in place of Fold where P holds text: it gets of each text what visible leaves. Shown is given the whole file, and how many
	// bytes of it before was folded from. Where that is 0, before may only be looked up for what is the same: its texts may be others.
	Shown func(before P, p vault.Path, data []byte, from int, visible func(string) string) P

	// Whole says of what files the last line counts though it does not end, and that they may change anywhere: whenever one does it is folded
	// anew. Whole may be nil.
	Whole func(vault.Path) bool

	// Join puts the states of all files together, in the order of their paths. Join is pure, and keeps nothing of what it is given.
	Join func([]P) S

	mu    sync.Mutex
	path  string // of the projection's own file
	files map[vault.Path]*folded[P]
	dirty bool   // the projection's file is behind
	shown string // of Shown: the version of what was forgotten, as of files
	env   Env    // of Shown: as far as what was forgotten goes
	fresh bool   // state is up to date
	state S
}

// folded is one file of a projection.
type folded[P any] struct {
	Lines int            `json:"lines"` // bytes that were folded: whole lines
	Hash  string         `json:"hash"`  // of these
	State P              `json:"state"`
	Trail string         `json:"trail,omitempty"` // of Shown: what was looked up among what was forgotten
	Seen  string         `json:"seen,omitempty"`  // the version of what was forgotten along that trail
	looks vault.FileInfo // of the file when it was folded; zero when that tells nothing
}

// A Projector is a [Projection] of any types.
type Projector interface {
	open(dir string) error
	hide(env Env) (again bool) // says that what was forgotten is another, so that all files are to be folded
	fold(p vault.Path, look look, read func() ([]byte, error)) error
	keep(seen func(vault.Path) bool)
	save() error
}

// look is how a file is looked at.
type look struct {
	info  vault.FileInfo
	trust bool // a file of the same size and time is as it was
	anew  bool // all lines are folded, whatever is known but to a Shown
}

// State is the state as the last Sync left it. State must not be changed.
func (pr *Projection[P, S]) State() S {
	pr.mu.Lock()
	defer pr.mu.Unlock()
	if !pr.fresh {
		states := make([]P, 0, len(pr.files))
		for _, p := range slices.Sorted(maps.Keys(pr.files)) {
			if f := pr.files[p]; f.Hash != "" { // else it may tell what was forgotten since
				states = append(states, f.State)
			}
		}
		pr.state, pr.fresh = pr.Join(states), true
	}
	return pr.state
}

// open reads what the projection knew. A file of another version or a damaged one counts as none.
func (pr *Projection[P, S]) open(dir string) error {
	pr.mu.Lock()
	defer pr.mu.Unlock()
	pr.path = filepath.Join(dir, pr.Name+".json")
	pr.files, pr.dirty, pr.fresh = map[vault.Path]*folded[P]{}, true, false
	data, err := os.ReadFile(pr.path)
	if head, body, ok := bytes.Cut(data, []byte("\n")); err == nil && ok {
		if _, shown, ok := strings.Cut(string(head), " shown "); ok {
			pr.shown = shown
		}
		if string(head) != pr.head(body) {
			return os.MkdirAll(dir, 0o700)
		}
		if json.Unmarshal(body, &pr.files) == nil && pr.files != nil {
			pr.dirty = false
			return nil
		}
		pr.files = map[vault.Path]*folded[P]{}
	}
	return os.MkdirAll(dir, 0o700)
}

// head is the first line of the projection's file.
func (pr *Projection[P, S]) head(body []byte) string {
	head := fmt.Sprintf("%s/%d %s", pr.Name, pr.Version, hashOf(body))
	if pr.Shown != nil {
		head += " shown " + pr.shown
	}
	return head
}

// hide has files with text folded again that were folded before something that concerns them was forgotten or taken back.
func (pr *Projection[P, S]) hide(env Env) bool {
	if pr.Shown == nil {
		return false
	}
	pr.mu.Lock()
	defer pr.mu.Unlock()
	pr.env = env
	version := env.versions[forgottenFacet]
	if pr.shown == version("") {
		return false
	}
	pr.shown, pr.dirty = version(""), true
	again := false
	for _, f := range pr.files {
		if f.Seen != version(f.Trail) {
			f.Lines, f.Hash, f.looks = 0, "", vault.FileInfo{}
			again, pr.fresh = true, false
		}
	}
	return again
}

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// fold looks at one file, and folds the lines that it has not seen; all of them where those before are not as they were.
func (pr *Projection[P, S]) fold(p vault.Path, look look, read func() ([]byte, error)) (err error) {
	if !pr.Match(p) {
		return nil
	}
	pr.mu.Lock()
	defer pr.mu.Unlock()
	defer func() {
		if r := recover(); r != nil { // strange bytes must not take the daemon with them
			delete(pr.files, p)
			err = fmt.Errorf("%w: %s: folding failed: %v", errUnreadable, p, r)
		}
	}()
	f := pr.files[p]
	if f != nil && look.trust && !look.anew && f.looks == look.info {
		return nil
	}
	data, err := read()
	if err != nil {
		return err
	}
	whole := pr.Whole != nil && pr.Whole(p)
	if !whole {
		data = data[:bytes.LastIndexByte(data, '\n')+1]
	}
	sum, same := sha256.New(), false
	if f != nil && f.Lines <= len(data) {
		sum.Write(data[:f.Lines])
		same = hex.EncodeToString(sum.Sum(nil)) == f.Hash && (!whole || f.Lines == len(data))
	}
	if !same || look.anew {
		was := f
		if f = (&folded[P]{}); was != nil && pr.Shown != nil {
			f.State = was.State
		}
		sum.Reset()
	}
	if f.looks = look.info; time.Since(look.info.ModTime) < racy {
		f.looks = vault.FileInfo{}
	}
	if f.Lines < len(data) || pr.files[p] != f {
		if pr.Shown != nil {
			trail, ok := vault.ParseTrail(f.Trail)
			f.State = pr.Shown(f.State, p, data, f.Lines, pr.env.along(&trail).visible)
			if f.Trail = ""; ok || f.Lines == 0 {
				f.Trail = trail.String()
			}
			f.Seen = pr.env.versions[forgottenFacet](f.Trail)
		} else {
			f.State = pr.Fold(f.State, p, data[f.Lines:])
		}
		sum.Write(data[f.Lines:])
		f.Lines, f.Hash = len(data), hex.EncodeToString(sum.Sum(nil))
		pr.files[p], pr.dirty, pr.fresh = f, true, false
	}
	return nil
}

// keep drops the files that are not seen any more.
func (pr *Projection[P, S]) keep(seen func(vault.Path) bool) {
	pr.mu.Lock()
	defer pr.mu.Unlock()
	before := len(pr.files)
	maps.DeleteFunc(pr.files, func(p vault.Path, _ *folded[P]) bool { return !seen(p) })
	if len(pr.files) != before {
		pr.dirty, pr.fresh = true, false
	}
}

// save writes the projection's file. What a crash takes of it is folded again.
func (pr *Projection[P, S]) save() error {
	pr.mu.Lock()
	defer pr.mu.Unlock()
	if !pr.dirty {
		return nil
	}
	body, err := json.Marshal(pr.files)
	if err == nil {
		err = durable.WriteFile(pr.path, append([]byte(pr.head(body)+"\n"), body...), 0o600)
	}
	pr.dirty = err != nil
	return err
}

// project has the projections brought up to date with the paths of a job, beside the owner, who calls wait for it before anybody is
// answered: no row depends on a projection. What cannot be read is said, and looked at again with everything.
func (ix *Indexer) project(ctx context.Context, j *job, anew bool) (wait func()) {
	if len(ix.o.Projections) == 0 || ix.o.Vault.InPlace() != nil {
		return func() {}
	}
	env, err := ix.forgotten()
	if err != nil {
		ix.sayBehind(err)
		return func() {}
	}
	all := j.all
	for _, pr := range ix.o.Projections {
		all = pr.hide(env) || all
	}
	type file struct {
		path vault.Path
		look look
	}
	var files []file
	one := func(p vault.Path, info vault.FileInfo) { files = append(files, file{p, look{info, !j.hash, anew}}) }
	for _, name := range sorted(j.paths) {
		if info, err := ix.stat(name); err == nil {
			one(name, info)
		} else { // gone, or a folder
			all = true
		}
	}
	var failed error
	if all {
		seen := map[vault.Path]bool{}
		_, lost, err := ix.walk(ctx, "", func(p vault.Path, info vault.FileInfo) { seen[p] = true; one(p, info) })
		for _, pr := range ix.o.Projections {
			pr.keep(func(p vault.Path) bool {
				return seen[p] || err != nil || slices.ContainsFunc(lost, func(at vault.Path) bool { return under(p, at) })
			})
		}
		failed = err
	}
	ix.unsaved = true
	done := make(chan error, 1)
	go func() {
		for _, f := range files {
			for _, pr := range ix.o.Projections {
				err := pr.fold(f.path, f.look, func() ([]byte, error) { return ix.read(f.path) })
				failed = errors.Join(failed, err)
			}
		}
		done <- failed
	}()
	return func() { ix.sayBehind(<-done) }
}

// sayBehind says that projections are behind; nil is that they are not.
func (ix *Indexer) sayBehind(err error) {
	reason := ""
	if err != nil {
		reason = "index: what changes with time is behind: " + err.Error()
	}
	ix.notes.say("projections", reason)
}

// forgotten is Env as far as what was forgotten goes.
func (ix *Indexer) forgotten() (Env, error) {
	var stamps []vault.FileInfo
	for _, name := range []vault.Path{vault.TombstonesPath, vault.TombstoneKey} {
		info, _ := ix.o.Vault.Stat(name)
		stamps = append(stamps, info)
	}
	if ix.hidden.versions != nil && slices.Equal(stamps, ix.hiddenAt) && time.Since(stamps[0].ModTime) > racy {
		return ix.hidden, nil
	}
	env := Env{versions: map[string]func(string) string{}}
	version, _, err := loadForgotten(ix.o.Vault, &env)
	if err != nil {
		return Env{}, fmt.Errorf("reading what was forgotten: %w", err)
	}
	env.versions[forgottenFacet] = version
	ix.hidden, ix.hiddenAt = env, stamps
	return env, nil
}

// saveProjections writes those that changed. After a failure the next Sync leads to another try.
func (ix *Indexer) saveProjections() {
	ix.unsaved, ix.saved = false, time.Now()
	for _, pr := range ix.o.Projections {
		if err := pr.save(); err != nil {
			ix.log.Warn("a projection stays unsaved", "error", err)
		}
	}
}

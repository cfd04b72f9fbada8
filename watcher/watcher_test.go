package watcher

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A mirror follows a real folder by batches alone, the way an index does: it looks at the paths that are named, or at all.
type mirror struct {
	t     *testing.T
	dir   string
	w     *Watcher
	out   chan Batch
	files map[string]string
	stamp int
}

// patience is how long a test waits for what must come; it fails long after a healthy machine would have answered.
const patience = time.Minute

func follow(t *testing.T) *mirror {
	t.Helper()
	m := &mirror{t: t, dir: t.TempDir(), out: make(chan Batch), files: map[string]string{}}
	m.w = &Watcher{Root: m.dir, Quiet: 20 * time.Millisecond, MaxWait: 200 * time.Millisecond, Sweep: time.Hour}
	return m
}

func (m *mirror) run() {
	m.t.Helper()
	ctx, cancel := context.WithCancel(m.t.Context())
	ended := make(chan error, 1)
	go func() { ended <- m.w.Run(ctx, m.out) }()
	m.t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			m.t.Errorf("Run: %v", err)
		}
	})
	if b := m.next(); !b.Rescan || b.Reason != "start" {
		m.t.Fatalf("first batch %+v", b)
	}
}

func (m *mirror) next() Batch {
	m.t.Helper()
	select {
	case b := <-m.out:
		m.apply(b)
		return b
	case <-time.After(patience):
		m.t.Fatal("no batch came")
		return Batch{}
	}
}

func (m *mirror) apply(b Batch) {
	m.t.Helper()
	if b.Rescan {
		m.files = m.disk()
		return
	}
	if !slices.IsSorted(b.Paths) || len(slices.Compact(slices.Clone(b.Paths))) != len(b.Paths) {
		m.t.Errorf("paths %v", b.Paths)
	}
	for _, p := range b.Paths {
		data, err := os.ReadFile(m.abs(p))
		if err != nil {
			delete(m.files, p)
			continue
		}
		m.files[p] = string(data)
	}
}

// settle waits until a file written now has been reported: what happened before it has been, too. The file is a new one each
// time, since a batch for an older one that is read only now would find the new text. The last batch is returned.
func (m *mirror) settle() (last Batch) {
	m.t.Helper()
	m.stamp++
	name := fmt.Sprint("zz-stamp-", m.stamp)
	m.write(name, name)
	for m.files[name] != name {
		last = m.next()
	}
	return last
}

func (m *mirror) disk() map[string]string {
	m.t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(m.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(m.dir, path)
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			if rel != "." && DefaultIgnore(rel, true) {
				return fs.SkipDir
			}
			return nil
		}
		if d.Type().IsRegular() && !DefaultIgnore(rel, false) {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			files[rel] = string(data)
		}
		return nil
	})
	if err != nil {
		m.t.Fatal(err)
	}
	return files
}

func (m *mirror) check() {
	m.t.Helper()
	if diff := cmp.Diff(m.disk(), m.files); diff != "" {
		m.t.Fatalf("the mirror differs from the disk (-disk +mirror):\n%s", diff)
	}
}

func (m *mirror) abs(rel string) string { return filepath.Join(m.dir, filepath.FromSlash(rel)) }

func (m *mirror) write(rel, text string) {
	m.t.Helper()
	m.must(os.WriteFile(m.abs(rel), []byte(text), 0o644))
}

func (m *mirror) mkdir(rel string)       { m.t.Helper(); m.must(os.MkdirAll(m.abs(rel), 0o755)) }
func (m *mirror) rename(from, to string) { m.t.Helper(); m.must(os.Rename(m.abs(from), m.abs(to))) }
func (m *mirror) remove(rel string)      { m.t.Helper(); m.must(os.RemoveAll(m.abs(rel))) }

func (m *mirror) must(err error) {
	m.t.Helper()
	if err != nil {
		m.t.Fatal(err)
	}
}

func TestRealFolder(t *testing.T) {
	for name, script := range map[string]func(m *mirror){
		"write":          func(m *mirror) { m.write("a.md", "1"); m.write("p/b.md", "2") },
		"remove":         func(m *mirror) { m.remove("p/old.md") },
		"rename":         func(m *mirror) { m.rename("p/old.md", "q/new.md") },
		"rename over":    func(m *mirror) { m.write("q/x.md", "x"); m.rename("p/old.md", "q/x.md") },
		"truncate":       func(m *mirror) { m.must(os.Truncate(m.abs("p/old.md"), 0)) },
		"save by rename": func(m *mirror) { m.write("p/old.md.tmp", "saved"); m.rename("p/old.md.tmp", "p/old.md") },
		"vim": func(m *mirror) {
			m.write("p/4913", "")
			m.remove("p/4913")
			m.rename("p/old.md", "p/old.md~")
			m.write("p/old.md", "vim")
			m.remove("p/old.md~")
		},
		"deep new folders":    func(m *mirror) { m.mkdir("n/e/w"); m.write("n/e/w/a.md", "deep"); m.write("n/b.md", "b") },
		"folder moved within": func(m *mirror) { m.rename("p", "moved") },
		"folder moved and used": func(m *mirror) {
			m.rename("p", "moved")
			m.settle()
			m.write("moved/old.md", "after the move")
			m.write("moved/sub/x.md", "in its sub folder")
		},
		"folder moved twice": func(m *mirror) { m.rename("p", "r"); m.rename("r", "s"); m.settle(); m.write("s/sub/x.md", "x") },
		"folder moved into a new one": func(m *mirror) {
			m.mkdir("n/er")
			m.rename("p", "n/er/x")
			m.settle()
			m.write("n/er/x/old.md", "after the move")
			m.write("n/er/x/sub/x.md", "in its sub folder")
		},
		"folder moved there and back": func(m *mirror) {
			m.rename("p", "r")
			m.rename("r", "p")
			m.settle()
			m.write("p/sub/deep.md", "back")
			m.write("p/old.md", "back")
		},
		"folder moved, another in its place": func(m *mirror) {
			m.rename("p", "q/p")
			m.mkdir("p/sub")
			m.settle()
			m.write("p/sub/new.md", "new")
			m.write("q/p/sub/deep.md", "moved")
		},
		"folder moved, gone": func(m *mirror) { m.rename("p", "r"); m.remove("r") },
		"folders swapped": func(m *mirror) {
			m.rename("p", "tmp")
			m.rename("q", "p")
			m.rename("tmp", "q")
			m.settle()
			m.write("q/y.md", "y")
		},
		"folder removed": func(m *mirror) { m.remove("p") },
		"folder made again": func(m *mirror) {
			m.remove("p")
			m.mkdir("p")
			m.write("p/a.md", "a")
			m.settle()
			m.write("p/b.md", "b")
		},
		"folder becomes file": func(m *mirror) { m.remove("p"); m.write("p", "a file") },
		"file becomes folder": func(m *mirror) { m.remove("p/old.md"); m.mkdir("p/old.md"); m.write("p/old.md/a.md", "a") },
		"odd names":           func(m *mirror) { m.mkdir("ü 🧀"); m.write("ü 🧀/日本 語.md", "x"); m.write("a\nb.md", "y") },
		"state": func(m *mirror) {
			m.mkdir(".state/dreams/r-1/pre")
			m.write(".state/tombstones.jsonl", "{}")
			m.write(".state/dreams/r-1/ledger.jsonl", "{}")
			m.write(".state/dreams/r-1/done", "")
		},
		"folder from outside": func(m *mirror) {
			o := m.t.TempDir()
			m.must(os.WriteFile(filepath.Join(o, "a.md"), []byte("in"), 0o644))
			m.must(os.Rename(o, m.abs("in")))
			m.settle()
			m.write("in/a.md", "changed")
		},
		"folder to the outside": func(m *mirror) { m.must(os.Rename(m.abs("p"), filepath.Join(m.t.TempDir(), "p"))) },
		"append many times": func(m *mirror) {
			f, err := os.OpenFile(m.abs("p/old.md"), os.O_APPEND|os.O_WRONLY, 0)
			m.must(err)
			for i := range 500 {
				_, err := fmt.Fprintln(f, i)
				m.must(err)
			}
			m.must(f.Close())
		},
		"many files": func(m *mirror) {
			m.mkdir("many")
			for i := range 2000 {
				m.write(fmt.Sprintf("many/%d.md", i), "x")
			}
		},
		"while paused": func(m *mirror) {
			m.w.Pause()
			m.write("p/old.md", "dreamt")
			m.rename("q", "p/q")
			m.write("p/q/late.md", "late")
			m.w.Resume()
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := follow(t)
			m.mkdir("p/sub")
			m.mkdir("q")
			m.write("p/old.md", "old")
			m.write("p/sub/deep.md", "deep")
			m.run()
			script(m)
			m.settle()
			m.check()
		})
	}
}

// A random life of a folder, followed by batches alone, ends in the same files.
func TestRandomLife(t *testing.T) {
	for seed := range uint64(8) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			rnd := rand.New(rand.NewPCG(seed, 1))
			m := follow(t)
			m.run()
			for step := range 150 {
				randomStep(m, rnd, step)
				if rnd.IntN(40) == 0 {
					m.settle()
					m.check()
				}
			}
			m.settle()
			m.check()
		})
	}
}

var (
	moves = flag.Int("moves", 1000, "how many folders TestRandomMoves moves")
	seed  = flag.Uint64("seed", 7, "where the random moves of TestRandomMoves begin")
)

// Whatever folders were moved where, half of them into folders made in the same moment, an edit after the last move is seen. A
// watch that got lost shows as a file that is never reported.
func TestRandomMoves(t *testing.T) {
	const together = 25
	t.Parallel()
	total := *moves
	if testing.Short() {
		total = min(total, 250)
	}
	t.Logf("%d moves from seed %d", total, *seed)
	rnd := rand.New(rand.NewPCG(*seed, 7))
	m := follow(t)
	m.w.Quiet, m.w.MaxWait = time.Millisecond, 10*time.Millisecond
	for _, dir := range []string{"a/b/c", "a/d", "e/f", "g"} {
		m.mkdir(dir)
	}
	m.run()
	for round := range total / together {
		for step, moved := 0, 0; moved < together; step++ {
			dirs := m.folders()
			from, to := dirs[rnd.IntN(len(dirs))], dirs[rnd.IntN(len(dirs))]
			if rnd.IntN(2) == 0 {
				to = fmt.Sprintf("%s/n%d", to, step)
				_ = os.MkdirAll(m.abs(to), 0o755)
			}
			if os.Rename(m.abs(from), m.abs(fmt.Sprintf("%s/%c", to, 'a'+rnd.IntN(8)))) == nil { // not into itself
				moved++
			}
			if rnd.IntN(8) == 0 {
				m.settle()
			}
		}
		edit := func(when string) {
			for _, dir := range m.folders() {
				m.write(dir+"/x.md", fmt.Sprint(round, dir, when))
			}
		}
		edit("at once")
		for m.settle().Rescan { // until the watches alone report
		}
		m.check()
		edit("when the moves were reported")
		m.settle()
		m.check()
		for _, dir := range m.folders()[min(12, len(m.folders())):] {
			m.remove(dir)
		}
	}
}

// folders lists the folders below the root, the outer ones first.
func (m *mirror) folders() []string {
	m.t.Helper()
	var dirs []string
	m.must(filepath.WalkDir(m.dir, func(path string, d fs.DirEntry, err error) error {
		if rel, _ := filepath.Rel(m.dir, path); err == nil && d.IsDir() && rel != "." {
			dirs = append(dirs, filepath.ToSlash(rel))
		}
		return err
	}))
	return dirs
}

// randomStep does one thing below names that meet again and again. What cannot be done is left out.
func randomStep(m *mirror, rnd *rand.Rand, step int) {
	place := func() string {
		parts := make([]string, 1+rnd.IntN(3))
		for i := range parts {
			parts[i] = string(rune('a' + rnd.IntN(3)))
		}
		return strings.Join(parts, "/")
	}
	switch p := place(); rnd.IntN(6) {
	case 0:
		_ = os.MkdirAll(m.abs(p), 0o755)
	case 1, 2:
		_ = os.WriteFile(m.abs(p+".md"), []byte(fmt.Sprint(step)), 0o644)
	case 3:
		_ = os.Rename(m.abs(p), m.abs(place()))
	case 4:
		_ = os.Rename(m.abs(p+".md"), m.abs(place()+".md"))
	case 5:
		_ = os.RemoveAll(m.abs(p))
	}
}

func TestRootIsALink(t *testing.T) {
	m := follow(t)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(m.dir, link); err != nil {
		t.Skip("no links here:", err)
	}
	m.w.Root = link
	m.run()
	m.write("a.md", "1")
	if b := m.next(); !slices.Equal(b.Paths, []string{"a.md"}) {
		t.Errorf("batch %+v", b)
	}
}

// Links to folders are not followed, so that a link to a parent cannot make the tree endless.
func TestLinksAreNotFollowed(t *testing.T) {
	m := follow(t)
	m.mkdir("a")
	if err := os.Symlink("..", m.abs("a/up")); err != nil {
		t.Skip("no links here:", err)
	}
	m.run()
	m.write("a/x.md", "1")
	for m.files["a/x.md"] != "1" {
		b := m.next()
		if !slices.Equal(b.Paths, []string{"a/x.md"}) {
			t.Errorf("batch %+v", b)
		}
	}
}

func TestRealRootMovedAway(t *testing.T) {
	m := follow(t)
	m.dir = filepath.Join(m.dir, "vault")
	m.w.Root = m.dir
	m.must(os.Mkdir(m.dir, 0o755))
	m.write("a.md", "1")
	m.run()
	m.must(os.Rename(m.dir, m.dir+"2"))
	var b Batch
	for !b.RootGone {
		if b = m.next(); b.Rescan {
			t.Fatalf("asked to look at a folder that is not there: %+v", b)
		}
	}
	if !maps.Equal(m.files, map[string]string{"a.md": "1"}) {
		t.Errorf("files %v", m.files)
	}
	m.must(os.Rename(m.dir+"2", m.dir))
	for !b.Rescan {
		b = m.next()
	}
	m.write("b.md", "2")
	m.settle()
	m.check()
}

func TestUnreadableFolder(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root reads every folder")
	}
	m := follow(t)
	m.mkdir("locked")
	m.must(os.Chmod(m.abs("locked"), 0))
	t.Cleanup(func() { _ = os.Chmod(m.abs("locked"), 0o755) })
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- m.w.Run(ctx, m.out) }()
	if b := <-m.out; !b.Rescan || !strings.Contains(b.Reason, "locked") || m.w.Degraded() == "" {
		t.Errorf("batch %+v", b)
	}
	cancel()
	<-ended
}

package vault

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestAnotherFolderInThePlace: nothing is written while the folder that was opened is elsewhere, and all goes on when it is back.
func TestAnotherFolderInThePlace(t *testing.T) {
	for name, put := range map[string]func(string) error{
		"another folder": func(dir string) error { return os.Mkdir(dir, 0o700) },
		"nothing":        func(string) error { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "vault")
			if err := os.Mkdir(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			clock := time.Now()
			v := open(t, dir, WithClock(func() time.Time { return clock }))
			steps := map[string]func() error{
				"append":  func() error { return v.AppendState(t.Context(), "x.jsonl", struct{}{}) },
				"replace": func() error { return v.Replace("p.md", []byte("text"), AnyHash) },
				"all":     func() error { return errors.Join(v.ReplaceAll([]Replacement{{"q.md", []byte("text"), AnyHash}})...) },
				"new":     func() error { return v.WriteNew("r.md", []byte("text")) },
				"remove":  func() error { return v.Remove("p.md", AnyHash) },
			}
			if err := errors.Join(steps["append"](), steps["replace"]()); err != nil {
				t.Fatal(err)
			}
			before := tree(t, dir)
			moved := dir + " moved"
			if err := errors.Join(os.Rename(dir, moved), put(dir)); err != nil {
				t.Skip("this system moves no folder that is open:", err)
			}
			for what, do := range steps {
				err := do()
				var e *Error
				if !errors.Is(err, ErrMoved) || !errors.As(err, &e) || !strings.Contains(e.Hint, "put the vault's folder back") {
					t.Errorf("%s: %v", what, err)
				}
			}
			if err := v.Writable(); !errors.Is(err, ErrMoved) {
				t.Errorf("writable: %v", err)
			}
			if got := tree(t, moved); got != before {
				t.Errorf("before:\n%s\nafter:\n%s", before, got)
			}
			if err := os.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Error("something was written into the other folder: ", err)
			}
			if err := os.Rename(moved, dir); err != nil {
				t.Fatal(err)
			}
			clock = clock.Add(2 * time.Second)
			if err := v.Writable(); err != nil {
				t.Errorf("back again: %v", err)
			}
			for what, do := range steps {
				if err := do(); err != nil {
					t.Errorf("back again, %s: %v", what, err)
				}
			}
		})
	}
}

// tree names every file and folder.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(dir, func(p string, _ fs.DirEntry, err error) error {
		names = append(names, strings.TrimPrefix(p, dir))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(names, "\n")
}

// TestWritable: the last write tells, and where there was none for a while a try does.
func TestWritable(t *testing.T) {
	for name, c := range map[string]struct {
		fault  error
		step   int // the first that fails: 0 the opening, 1 the write, 2 the flush
		kind   error
		advice string
	}{
		"full":        {syscall.ENOSPC, 1, ErrDiskFull, "free some space"},
		"quota":       {syscall.EDQUOT, 1, ErrDiskFull, "quota"},
		"read-only":   {syscall.EROFS, 0, ErrReadOnly, "mount"},
		"no access":   {syscall.EACCES, 0, ErrReadOnly, "permissions"},
		"no flush":    {syscall.EIO, 2, ErrDisk, "another disk"},
		"open files":  {syscall.EMFILE, 0, ErrTooMany, "ulimit"},
		"lost device": {syscall.ENXIO, 1, ErrDisk, "another disk"},
	} {
		t.Run(name, func(t *testing.T) {
			d := &faultDisk{after: -1}
			clock := time.Now()
			v := open(t, t.TempDir(), withDisk(func(inner disk) disk { d.disk = inner; return d }), WithClock(func() time.Time { return clock }))
			write := func() error { return v.AppendState(t.Context(), "x.jsonl", struct{}{}) }
			if err := errors.Join(write(), v.Writable()); err != nil {
				t.Fatal(err)
			}
			d.arm(c.step, c.fault, false, true)
			if err := write(); err == nil {
				t.Fatal("no fault")
			}
			check := func(when string) {
				t.Helper()
				if err := v.Writable(); !errors.Is(err, c.kind) || !strings.Contains(Advice(err), c.advice) {
					t.Errorf("%s: %v, advice %q", when, err, Advice(err))
				}
			}
			check("after a failed write")
			clock = clock.Add(time.Minute)
			d.arm(c.step, c.fault, false, true)
			check("by a try")
			d.arm(-1, nil, false, false)
			clock = clock.Add(2 * time.Second)
			if err := v.Writable(); err != nil {
				t.Errorf("when it is over: %v", err)
			}
			clock = clock.Add(time.Minute)
			d.arm(c.step, c.fault, false, true)
			check("with no write since")
			d.arm(-1, nil, false, false)
			if err := write(); err != nil || v.Writable() != nil {
				t.Errorf("after a write: %v, %v", err, v.Writable())
			}
			if left, _ := os.ReadDir(filepath.Join(v.dir, filepath.FromSlash(tempDir))); len(left) > 1 {
				t.Errorf("the tries left %v", left)
			}
		})
	}
}

func TestProbe(t *testing.T) {
	dir := t.TempDir()
	if err := Probe(dir); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(filepath.Join(dir, filepath.FromSlash(tempDir))); len(left) > 0 {
		t.Errorf("it left %v", left)
	}
	if err := Probe(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

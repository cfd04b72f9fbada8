package vault

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// faultDisk fails at the nth write or fsync from now.
type faultDisk struct {
	disk
	mu    sync.Mutex
	after int   // operations that still work; -1 for all
	err   error // what happens then
	short bool  // half of the bytes get through
	hit   bool
	stick bool // and it goes on failing
	// between runs after a write, in the place of another program.
	between func()
}

func (d *faultDisk) arm(after int, err error, short, stick bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.after, d.err, d.short, d.stick, d.hit = after, err, short, stick, false
}

func (d *faultDisk) fault() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.after > 0 {
		d.after--
		return nil
	}
	if d.after < 0 {
		return nil
	}
	d.hit = true
	if !d.stick {
		d.after = -1
	}
	return d.err
}

func (d *faultDisk) openFile(name string, flag int, perm fs.FileMode) (diskFile, error) {
	if flag&(os.O_WRONLY|os.O_RDWR|os.O_CREATE) != 0 {
		if err := d.fault(); err != nil {
			return nil, &fs.PathError{Op: "open", Path: name, Err: err}
		}
	}
	f, err := d.disk.openFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return &faultFile{f, d}, nil
}

func (d *faultDisk) rename(from, to string) error {
	if err := d.fault(); err != nil {
		return err
	}
	return d.disk.rename(from, to)
}

type faultFile struct {
	diskFile
	d *faultDisk
}

func (f *faultFile) Write(b []byte) (int, error) {
	if err := f.d.fault(); err != nil {
		n := 0
		if f.d.short {
			n, _ = f.diskFile.Write(b[:len(b)/2])
		}
		if errors.Is(err, errShort) {
			return n, nil
		}
		return n, &fs.PathError{Op: "write", Path: "x", Err: err}
	}
	n, err := f.diskFile.Write(b)
	if f.d.between != nil {
		f.d.between()
	}
	return n, err
}

func (f *faultFile) Sync() error {
	if err := f.d.fault(); err != nil {
		return &fs.PathError{Op: "sync", Path: "x", Err: err}
	}
	return f.diskFile.Sync()
}

var errShort = errors.New("short")

// TestFaults fails at each step of each kind of write. Nothing half written is left, and the next try works.
func TestFaults(t *testing.T) {
	for name, c := range map[string]struct {
		err   error
		short bool
		want  error
	}{
		"disk full":       {syscall.ENOSPC, false, ErrDiskFull},
		"disk gets full":  {syscall.ENOSPC, true, ErrDiskFull},
		"short write":     {errShort, true, ErrDiskFull},
		"read-only":       {syscall.EROFS, false, ErrReadOnly},
		"no permission":   {fs.ErrPermission, false, ErrReadOnly},
		"broken hardware": {syscall.EIO, true, syscall.EIO},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, seed := range []bool{false, true} {
				for step := range 9 {
					faultAt(t, step, seed, c.err, c.short, c.want)
				}
			}
		})
	}
}

func faultAt(t *testing.T, step int, seed bool, fault error, short bool, want error) {
	d := &faultDisk{after: -1}
	v := open(t, t.TempDir(), withDisk(func(inner disk) disk { d.disk = inner; return d }))
	ctx := context.Background()
	day := Day("2026-06-09")
	if seed {
		write(t, v, LogPath(day), "# mine\n- fact ^f0")
		write(t, v, DrawerPath(day), string(FormatDrawer(drawerOf("d0", "zero"))))
		write(t, v, "p.md", "old")
	}
	steps := map[string]func() error{
		"log": func() error {
			_, err := v.AppendFacts(ctx, []SectionFacts{{sec("c"), []Fact{{ID: "f1", Text: strings.Repeat("long ", 50)}}}})
			return err
		},
		"drawer": func() error {
			_, err := v.AppendDrawers(ctx, []Drawer{drawerOf("d1", strings.Repeat("long\n", 50))})
			return err
		},
		"state":   func() error { return v.AppendState(ctx, "x.jsonl", map[string]string{"a": "b"}) },
		"replace": func() error { return v.Replace("p.md", []byte("new"), AnyHash) },
	}
	files := map[string]Path{"log": LogPath(day), "drawer": DrawerPath(day), "state": ".state/x.jsonl", "replace": "p.md"}
	for what, do := range steps {
		before, _ := v.ReadFile(files[what])
		d.arm(step, fault, short, false)
		err := do()
		hit := d.hit
		d.arm(-1, nil, false, false)
		if errors.Is(fault, errShort) && hit && err == nil {
			continue // the step was no write: it went through
		}
		var e *Error
		if hit && !errors.Is(fault, errShort) && (err == nil || !errors.Is(err, want) || !errors.As(err, &e) || e.Op == "") {
			t.Errorf("%s, step %d: %v, want %v", what, step, err, want)
		}
		if err != nil {
			if e == nil && !errors.As(err, &e) || (errors.Is(err, ErrDiskFull) || errors.Is(err, ErrReadOnly)) && e.Hint == "" {
				t.Errorf("%s, step %d: no hint in %#v", what, step, err)
			}
			after, _ := v.ReadFile(files[what])
			if diff := cmp.Diff(string(before), string(after)); diff != "" {
				t.Errorf("%s, step %d left something:\n%s", what, step, diff)
			}
		}
		if err := do(); err != nil {
			t.Errorf("%s, after step %d: %v", what, step, err)
		}
	}
	l := ParseLog(LogPath(day), []byte(read(t, v, LogPath(day))))
	f := ParseDrawers(DrawerPath(day), []byte(read(t, v, DrawerPath(day))))
	n := 1
	if seed {
		n = 2
	}
	if len(l.Facts) != n || len(l.Problems) > 0 || len(f.Drawers) != n || len(f.Problems) > 0 || read(t, v, "p.md") != "new" {
		t.Errorf("after step %d: %+v %v, %+v %v", step, l.Facts, l.Problems, f.Drawers, f.Problems)
	}
}

// TestEditorSavesDuringAppend has another program put its file in place between our write and our look at it.
func TestEditorSavesDuringAppend(t *testing.T) {
	d := &faultDisk{after: -1}
	v := open(t, t.TempDir(), withDisk(func(inner disk) disk { d.disk = inner; return d }))
	add := func(id string) error {
		_, err := v.AppendDrawers(t.Context(), []Drawer{drawerOf("d"+id, "text "+id)})
		return err
	}
	if err := add("1"); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(v.dir, filepath.FromSlash(string(DrawerPath("2026-06-09"))))
	old := read(t, v, DrawerPath("2026-06-09"))
	once := sync.Once{}
	d.between = func() {
		once.Do(func() {
			if err := errors.Join(os.WriteFile(name+".new", []byte(old+"edited\n"), 0o600), os.Rename(name+".new", name)); err != nil {
				t.Error(err)
			}
		})
	}
	if err := add("2"); err != nil {
		t.Fatal(err)
	}
	f := ParseDrawers(DrawerPath("2026-06-09"), []byte(read(t, v, DrawerPath("2026-06-09"))))
	if diff := cmp.Diff([]string{"d1: text 1", "d2: text 2"}, texts(f)); diff != "" || !strings.Contains(string(f.data), "edited") {
		t.Errorf("%s\n%s", diff, f.data)
	}
	var n atomic.Int32
	d.between = func() {
		if err := os.WriteFile(name, []byte(fmt.Sprint(n.Add(1))), 0o600); err != nil {
			t.Error(err)
		}
	}
	if err := add("3"); !errors.Is(err, errRaced) {
		t.Errorf("a file that is never left alone: %v", err)
	}
}

// crash leaves the vault as kill -9 would.
func crash(t *testing.T, v *Vault) {
	t.Helper()
	v.files.Lock()
	defer v.files.Unlock()
	if v.unclean == nil {
		t.Fatal("nothing was written")
	}
	if err := v.unclean.Close(); err != nil {
		t.Fatal(err)
	}
	v.unclean = nil
}

func TestTornDrawers(t *testing.T) {
	whole := string(FormatDrawer(drawerOf("d0000000aa", "one\n```\ntwo"))) // fence of 4
	record := string(FormatDrawer(drawerOf("d0000000bb", "a text ``` with ticks\n")))
	for cut := 0; cut <= len(record); cut++ {
		if fence := strings.Index(record, "drawer"); cut > fence+12 && cut < len(record)-12 {
			cut += 4 // one place in a long line is like the next
		}
		dir := t.TempDir()
		v := open(t, dir)
		if err := v.AppendState(t.Context(), "x.jsonl", struct{}{}); err != nil {
			t.Fatal(err)
		}
		day := DrawerPath("2026-06-09")
		before := "# Drawers - 2026-06-09\n\n" + whole + "\n"
		write(t, v, day, before+record[:cut])
		crash(t, v)
		again := open(t, dir)
		got := read(t, again, day)
		torn := 0
		_, err := again.ReadState(tornFile, func(_ int, raw []byte) error {
			var r tornRecord
			if err := json.Unmarshal(raw, &r); err != nil {
				return err
			}
			torn++
			if r.File != day || r.Offset != len(before) || r.ID != "d0000000bb" || string(r.Bytes) != record[:cut] {
				t.Errorf("cut at %d: %+v", cut, r)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
		switch {
		case torn == 1 && got == before && len(again.Repairs()) == 1:
		case torn == 0 && strings.TrimSuffix(got, "\n") == strings.TrimSuffix(before+record[:cut], "\n"):
			// A piece that a person could have written stays: at most the heading.
			if heading := strings.IndexByte(record, '\n'); cut > heading && cut < len(record)-1 {
				t.Errorf("cut at %d: %q is left", cut, record[:cut])
			}
		default:
			t.Errorf("cut at %d: %d torn, %v, left %q", cut, torn, again.Repairs(), got)
		}
		// The turn is sent again.
		if _, err := again.AppendDrawers(t.Context(), []Drawer{drawerOf("d0000000bb", "a text ``` with ticks\n")}); err != nil {
			t.Fatal(err)
		}
		f := ParseDrawers(day, []byte(read(t, again, day)))
		if diff := cmp.Diff([]string{"d0000000aa: one\n```\ntwo", "d0000000bb: a text ``` with ticks\n"}, texts(f)); diff != "" {
			t.Errorf("cut at %d: %s\n%s", cut, diff, f.data)
		}
	}
}

// TestTornAfterTheClockWasAhead: a mark that is dated later than what was written after it does not hide a half written record.
func TestTornAfterTheClockWasAhead(t *testing.T) {
	const half = "## 14:32 ^d0000000aa\n```drawer\nhal"
	for name, c := range map[string]struct{ ahead, back, restart time.Duration }{
		"set right before the start":   {48 * time.Hour, 48 * time.Hour, 0},
		"set right between two writes": {time.Hour, 0, 2 * time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			clock := time.Now().Add(c.ahead)
			v := open(t, dir, WithClock(func() time.Time { return clock }))
			touch := func() {
				if err := v.AppendState(t.Context(), "x.jsonl", struct{}{}); err != nil {
					t.Fatal(err)
				}
			}
			touch()
			mark := filepath.Join(dir, filepath.FromSlash(uncleanFile))
			if err := os.Chtimes(mark, clock, clock); err != nil {
				t.Fatal(err)
			}
			clock = time.Now().Add(c.back)
			touch()
			write(t, v, DrawerPath("2026-06-09"), half)
			crash(t, v)
			again := open(t, dir, WithClock(func() time.Time { return time.Now().Add(c.restart) }))
			if got := read(t, again, DrawerPath("2026-06-09")); got != "" || len(again.Repairs()) != 1 {
				t.Errorf("%q %v", got, again.Repairs())
			}
		})
	}
}

// TestOpenFenceWithoutCrash is what a person leaves who takes a fence away: nothing is cut off.
func TestOpenFenceWithoutCrash(t *testing.T) {
	dir := t.TempDir()
	v := open(t, dir)
	text := strings.TrimSuffix(string(FormatDrawer(drawerOf("d0000000aa", "one"))), "```\n")
	write(t, v, DrawerPath("2026-06-09"), text)
	write(t, v, LogPath("2026-06-09"), "- no end")
	write(t, v, LogPath("2026-06-10"), "- an end\n")
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	v = open(t, dir)
	if got := read(t, v, DrawerPath("2026-06-09")); got != text+"```\n"+closedNote+"\n" {
		t.Errorf("%q", got)
	}
	if got := read(t, v, LogPath("2026-06-09")); got != "- no end\n" {
		t.Errorf("%q", got)
	}
	if len(v.Repairs()) != 2 {
		t.Errorf("%v", v.Repairs())
	}
	if got := open(t, dir).Repairs(); len(got) != 0 {
		t.Errorf("mended twice: %v", got)
	}
}

func TestNulsAfterCrash(t *testing.T) {
	dir := t.TempDir()
	v := open(t, dir)
	if _, err := v.AppendFacts(t.Context(), []SectionFacts{{sec("c"), []Fact{{ID: "f1", Text: "one"}}}}); err != nil {
		t.Fatal(err)
	}
	want := read(t, v, LogPath("2026-06-09"))
	write(t, v, LogPath("2026-06-09"), want+strings.Repeat("\x00", 4096))
	crash(t, v)
	again := open(t, dir)
	if got := read(t, again, LogPath("2026-06-09")); got != want || len(again.Repairs()) != 1 {
		t.Errorf("%q %v", got, again.Repairs())
	}
}

// TestOpenBesideAWriter must not touch what another program is writing.
func TestOpenBesideAWriter(t *testing.T) {
	v := open(t, t.TempDir())
	if err := v.AppendState(t.Context(), "x.jsonl", struct{}{}); err != nil {
		t.Fatal(err)
	}
	half := "## 14:32 ^d0000000aa\n```drawer\nhal"
	write(t, v, DrawerPath("2026-06-09"), half)
	other := open(t, v.dir)
	if got := read(t, other, DrawerPath("2026-06-09")); got != half || len(other.Repairs()) > 0 {
		t.Errorf("%q %v", got, other.Repairs())
	}
	if err := other.AppendState(t.Context(), "y.jsonl", struct{}{}); err != nil {
		t.Fatal(err)
	}
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(v.dir, filepath.FromSlash(uncleanFile))); err != nil {
		t.Error("the mark of the other is gone: ", err)
	}
}

func TestOpenLooksAtTheNewestAlone(t *testing.T) {
	dir := t.TempDir()
	v := open(t, dir)
	start := at("2020-01-01T00:00:00Z")
	for i := range 3 * maxMend {
		day := DayOf(start.AddDate(0, 0, i))
		write(t, v, LogPath(day), "- no end")
		if err := os.Chtimes(filepath.Join(dir, filepath.FromSlash(string(LogPath(day)))), time.Time{}, start.AddDate(0, 0, i)); err != nil {
			t.Fatal(err)
		}
	}
	if got := len(open(t, dir).Repairs()); got != maxMend {
		t.Errorf("%d repairs", got)
	}
}

func TestReadOnlyVaultOpens(t *testing.T) {
	dir := t.TempDir()
	write(t, open(t, dir), LogPath("2026-06-09"), "- no end")
	d := &faultDisk{}
	d.arm(0, syscall.EROFS, false, true)
	v := open(t, dir, withDisk(func(inner disk) disk { d.disk = inner; return d }))
	if read(t, v, LogPath("2026-06-09")) != "- no end" || len(v.Repairs()) != 1 {
		t.Errorf("%v", v.Repairs())
	}
}

// TestWhatStandsThereIsMadeDurable: a program that was killed before its fsync leaves a record that a retry meets.
func TestWhatStandsThereIsMadeDurable(t *testing.T) {
	d := &faultDisk{after: -1}
	v := open(t, t.TempDir(), withDisk(func(inner disk) disk { d.disk = inner; return d }))
	if err := v.AppendState(t.Context(), "x.jsonl", struct{}{}); err != nil {
		t.Fatal(err)
	}
	write(t, v, DrawerPath("2026-06-09"), string(FormatDrawer(drawerOf("d1", "one"))))
	d.arm(1, syscall.EIO, false, false)
	if _, err := v.AppendDrawers(t.Context(), []Drawer{drawerOf("d1", "one")}); !errors.Is(err, syscall.EIO) {
		t.Errorf("acknowledged without an fsync: %v", err)
	}
	d.arm(-1, nil, false, false)
	if _, err := v.AppendDrawers(t.Context(), []Drawer{drawerOf("d1", "one")}); err != nil {
		t.Error(err)
	}
}

// TestOpenThatFailsLetsGo: the next Open must still see that there was a crash.
func TestOpenThatFailsLetsGo(t *testing.T) {
	dir := t.TempDir()
	v := open(t, dir)
	if err := v.AppendState(t.Context(), "x.jsonl", struct{}{}); err != nil {
		t.Fatal(err)
	}
	write(t, v, DrawerPath("2026-06-09"), "## 14:32 ^d0000000aa\n```drawer\nhal")
	crash(t, v)
	write(t, v, "memory/archive", "a file in the way")
	if _, err := Open(dir); err == nil {
		t.Fatal("a vault without its log folder was opened")
	}
	if err := os.Remove(filepath.Join(dir, "memory", "archive")); err != nil {
		t.Fatal(err)
	}
	if got := open(t, dir); len(got.Repairs()) != 1 || read(t, got, DrawerPath("2026-06-09")) != "" {
		t.Errorf("%v", got.Repairs())
	}
}

// meetDisk holds each fsync of a day's file until another one is under way.
type meetDisk struct {
	disk
	arrived chan struct{}
	release chan struct{}
}

type meetFile struct {
	diskFile
	d *meetDisk
}

func (d *meetDisk) openFile(name string, flag int, perm fs.FileMode) (diskFile, error) {
	f, err := d.disk.openFile(name, flag, perm)
	if err != nil || !strings.HasPrefix(name, DrawerDir+"/") || flag&os.O_RDWR == 0 {
		return f, err
	}
	return &meetFile{f, d}, nil
}

func (f *meetFile) Sync() error {
	f.d.arrived <- struct{}{}
	<-f.d.release
	return f.diskFile.Sync()
}

// TestFilesAreFlushedSideBySide: what a turn writes to several days waits for the slowest of them, not for all in turn.
func TestFilesAreFlushedSideBySide(t *testing.T) {
	d := &meetDisk{arrived: make(chan struct{}), release: make(chan struct{})}
	v := open(t, t.TempDir(), withDisk(func(inner disk) disk { d.disk = inner; return d }))
	first, second := drawerOf("d1", "one"), drawerOf("d2", "two")
	second.At = second.At.AddDate(0, 0, 1)
	done := make(chan error, 1)
	go func() {
		_, err := v.AppendDrawers(context.Background(), []Drawer{first, second})
		done <- err
	}()
	for range 2 {
		select {
		case <-d.arrived:
		case <-time.After(10 * time.Second):
			t.Error("one file waits until the other is on disk")
		}
	}
	close(d.release)
	if t.Failed() {
		<-d.arrived
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

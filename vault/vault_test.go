package vault

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func open(t testing.TB, dir string, opts ...Option) *Vault {
	t.Helper()
	v, err := Open(dir, opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := v.Close(); err != nil {
			t.Error(err)
		}
	})
	return v
}

func write(t testing.TB, v *Vault, p Path, data string) {
	t.Helper()
	name := filepath.Join(v.dir, filepath.FromSlash(string(p)))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(data), 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t testing.TB, v *Vault, p Path) string {
	t.Helper()
	data, err := v.ReadFile(p)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func sec(chat string) Section {
	said := at("2026-06-09T14:32:10Z")
	return Section{At: said, Filed: said, ChatID: chat, Turn: "t1", Origin: OriginUser}
}

// TestExampleVault writes what the hand-made example of the design shows, and compares.
func TestExampleVault(t *testing.T) {
	example := filepath.Join("..", "..", "shared", "example-vault")
	if _, err := os.Stat(example); err != nil {
		t.Skip("the example vault is not here: ", err)
	}
	later := WithClock(func() time.Time { return at("2026-06-20T00:00:00Z") })
	from, v := open(t, copyOf(t, example), later), open(t, t.TempDir())
	for _, day := range []Day{"2026-06-08", "2026-06-09"} {
		want := read(t, from, LogPath(day))
		l := ParseLog(LogPath(day), []byte(want))
		if len(l.Problems) > 0 {
			t.Errorf("problems %v", l.Problems)
		}
		for _, f := range l.Facts {
			sf := SectionFacts{f.Section, []Fact{f}}
			sf.Section.Filed = f.Section.At
			for _, g := range l.Facts {
				if g.Section == f.Section && g.ID != f.ID {
					sf.Facts = append(sf.Facts, g)
				}
			}
			got, err := v.AppendFacts(t.Context(), []SectionFacts{sf})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(f, got[0]); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		}
		if diff := cmp.Diff(want, read(t, v, LogPath(day))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", day, diff)
		}
	}
	want := read(t, from, DrawerPath("2026-06-09"))
	drawers := ParseDrawers(DrawerPath("2026-06-09"), []byte(want)).Drawers
	for i := range drawers {
		drawers[i].Filed = drawers[i].FiledAt()
	}
	if _, err := v.AppendDrawers(t.Context(), drawers); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, read(t, v, DrawerPath("2026-06-09"))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	mark, ps, err := from.Watermark()
	if mark != "2026-06-09" || len(ps) > 0 || err != nil {
		t.Errorf("watermark %s %v %v", mark, ps, err)
	}
}

func copyOf(t *testing.T, dir string) string {
	to := t.TempDir()
	if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	_ = filepath.WalkDir(to, func(p string, e fs.DirEntry, _ error) error { return os.Chmod(p, 0o755) })
	return to
}

func TestAppendIsIdempotent(t *testing.T) {
	v := open(t, t.TempDir())
	facts := []SectionFacts{{sec("c"), []Fact{
		{ID: "f1", Text: "one\ntwo", Category: "a"},
		{ID: "f2", Text: "three", Tags: []string{"#x y"}},
		{ID: "f1", Text: "again"},
	}}}
	first, err := v.AppendFacts(t.Context(), facts)
	if err != nil {
		t.Fatal(err)
	}
	again, err := v.AppendFacts(t.Context(), append(facts, SectionFacts{sec("c"), []Fact{{ID: "f3", Text: "new"}}}))
	if err != nil {
		t.Fatal(err)
	}
	want := "# Daily Log - 2026-06-09\n\n## 14:32 — c\n<!-- turn=t1 origin=user -->\n- [a] one two ^f1\n- [general] three `x-y` ^f2\n\n" +
		"## 14:32 — c\n<!-- turn=t1 origin=user -->\n- [general] new ^f3\n"
	if diff := cmp.Diff(want, read(t, v, LogPath("2026-06-09"))); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(first, again[:3]); diff != "" {
		t.Error(diff)
	}
	parsed := ParseLog(LogPath("2026-06-09"), []byte(want)).Facts
	if diff := cmp.Diff([]Fact{again[0], again[1], again[3]}, parsed); diff != "" {
		t.Error(diff)
	}
	ds := []Drawer{drawerOf("d1", "x"), drawerOf("d1", "x"), drawerOf("", "y")}
	got, err := v.AppendDrawers(t.Context(), ds)
	if err != nil || got[0].Line != 3 || got[1].Line != 3 || got[2].Line != 8 || !isOwnID('d', got[2].ID) {
		t.Errorf("%+v %v", got, err)
	}
	if _, err := v.AppendDrawers(t.Context(), got); err != nil {
		t.Fatal(err)
	}
	file := ParseDrawers(DrawerPath("2026-06-09"), []byte(read(t, v, DrawerPath("2026-06-09"))))
	if diff := cmp.Diff([]Drawer{got[0], got[2]}, file.Drawers); diff != "" {
		t.Error(diff)
	}
}

func TestAppendRefuses(t *testing.T) {
	v := open(t, t.TempDir())
	for _, f := range []Fact{{Text: " \n"}, {Text: "x", ID: "a b"}} {
		if _, err := v.AppendFacts(t.Context(), []SectionFacts{{sec("c"), []Fact{f}}}); !errors.Is(err, ErrInvalid) {
			t.Errorf("%+v: %v", f, err)
		}
	}
	if _, err := v.AppendDrawers(t.Context(), []Drawer{{ID: "^"}}); !errors.Is(err, ErrInvalid) {
		t.Errorf("%v", err)
	}
	if err := v.AppendState(t.Context(), "../x.jsonl", map[string]int{}); !errors.Is(err, ErrPath) {
		t.Errorf("%v", err)
	}
	if err := v.AppendState(t.Context(), "x.jsonl", "no object"); !errors.Is(err, ErrInvalid) {
		t.Errorf("%v", err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := v.AppendDrawers(gone, []Drawer{drawerOf("d1", "x")}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if _, err := v.Stat(DrawerPath("2026-06-09")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("something was written: %v", err)
	}
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := v.AppendDrawers(t.Context(), []Drawer{drawerOf("d1", "x")}); !errors.Is(err, ErrClosed) {
		t.Errorf("%v", err)
	}
}

// TestManyWriters appends from many goroutines while others purge and replace, and counts.
func TestManyWriters(t *testing.T) {
	v := open(t, t.TempDir())
	const writers, each = 12, 40
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				id := fmt.Sprintf("%dx%d", w, i)
				var err error
				switch w % 3 {
				case 0:
					_, err = v.AppendFacts(context.Background(), []SectionFacts{{sec("c"), []Fact{{ID: "f" + id, Text: "fact " + id}}}})
				case 1:
					_, err = v.AppendDrawers(context.Background(), []Drawer{drawerOf("d"+id, "text ``` "+id)})
				default:
					err = v.AppendState(context.Background(), "x.jsonl", map[string]string{"id": id})
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Go(func() {
		for i := range each {
			if _, err := v.Purge(context.Background(), []string{fmt.Sprintf("f0x%d", i), fmt.Sprintf("d1x%d", i)}); err != nil {
				t.Error(err)
			}
		}
	})
	wg.Go(func() {
		for range each {
			data, err := v.ReadFile(LogPath("2026-06-09"))
			if err == nil {
				err = v.Replace(LogPath("2026-06-09"), append(data, "- by hand\n"...), HashOf(data))
			}
			if err != nil && !errors.Is(err, ErrChanged) && !errors.Is(err, fs.ErrNotExist) {
				t.Error(err)
			}
		}
	})
	wg.Wait()
	all := make([]string, 0, 2*each)
	for i := range each {
		all = append(all, fmt.Sprintf("f0x%d", i), fmt.Sprintf("d1x%d", i))
	}
	if _, err := v.Purge(t.Context(), all); err != nil {
		t.Fatal(err)
	}
	facts := map[string]bool{}
	log := ParseLog(LogPath("2026-06-09"), []byte(read(t, v, LogPath("2026-06-09"))))
	for _, f := range log.Facts {
		if !f.Hand {
			facts[f.ID] = true
		}
	}
	drawers := ParseDrawers(DrawerPath("2026-06-09"), []byte(read(t, v, DrawerPath("2026-06-09"))))
	lines := 0
	if _, err := v.ReadState("x.jsonl", func(int, []byte) error { lines++; return nil }); err != nil {
		t.Fatal(err)
	}
	want := writers / 3 * each
	if len(facts) != want-each || len(drawers.Drawers) != want-each || lines != want || len(log.Problems)+len(drawers.Problems) > 0 {
		t.Errorf("%d facts, %d drawers, %d lines; want %d, %d, %d; problems %v %v", len(facts), len(drawers.Drawers), lines, want-each,
			want-each, want, log.Problems, drawers.Problems)
	}
}

func TestForeignEdits(t *testing.T) {
	v := open(t, t.TempDir())
	day := Day("2026-06-09")
	add := func(id string) {
		t.Helper()
		if _, err := v.AppendFacts(t.Context(), []SectionFacts{{sec("c"), []Fact{{ID: "f" + id, Text: "fact " + id}}}}); err != nil {
			t.Fatal(err)
		}
		if _, err := v.AppendDrawers(t.Context(), []Drawer{drawerOf("d"+id, "text "+id)}); err != nil {
			t.Fatal(err)
		}
	}
	add("1")
	// A person takes the line break off, and a fence away.
	write(t, v, LogPath(day), read(t, v, LogPath(day))+"- by hand")
	write(t, v, DrawerPath(day), strings.TrimSuffix(read(t, v, DrawerPath(day)), "```\n"))
	add("2")
	add("1")
	wantLog := "# Daily Log - 2026-06-09\n\n## 14:32 — c\n<!-- turn=t1 origin=user -->\n- [general] fact 1 ^f1\n- by hand\n\n" +
		"## 14:32 — c\n<!-- turn=t1 origin=user -->\n- [general] fact 2 ^f2\n"
	if diff := cmp.Diff(wantLog, read(t, v, LogPath(day))); diff != "" {
		t.Error(diff)
	}
	// The drawer without its end was not known to be whole, so it was filed again; it counts once.
	f := ParseDrawers(DrawerPath(day), []byte(read(t, v, DrawerPath(day))))
	if diff := cmp.Diff([]string{"d2: text 2", "d1: text 1"}, texts(f)); diff != "" {
		t.Errorf("%s\n%s", diff, f.data)
	}
	// An editor saves another file over it.
	write(t, v, LogPath(day), "")
	add("1")
	if got := ParseLog(LogPath(day), []byte(read(t, v, LogPath(day)))).Facts; len(got) != 1 || got[0].ID != "f1" || got[0].Line != 5 {
		t.Errorf("%+v", got)
	}
}

func TestReplace(t *testing.T) {
	v := open(t, t.TempDir())
	p := Path("2_Wiki/Ünï 🙂.md")
	if err := v.Replace(p, []byte("one"), Hash{}); err != nil {
		t.Fatal(err)
	}
	if err := v.Replace(p, []byte("two"), Hash{}); !errors.Is(err, ErrChanged) {
		t.Errorf("over an existing file: %v", err)
	}
	if err := v.Replace(p, []byte("two"), HashOf([]byte("other"))); !errors.Is(err, ErrChanged) {
		t.Errorf("over other text: %v", err)
	}
	if err := v.Replace("new.md", nil, HashOf(nil)); !errors.Is(err, ErrChanged) {
		t.Errorf("over a missing file: %v", err)
	}
	if err := v.Replace(p, []byte("two"), HashOf([]byte("one"))); err != nil {
		t.Fatal(err)
	}
	if err := v.Replace(p, []byte("three"), AnyHash); err != nil || read(t, v, p) != "three" {
		t.Errorf("%v", err)
	}
	for _, bad := range []Path{"../x", "/x", "", "a/../../x", "a\\b", "./a"} {
		if err := v.Replace(bad, nil, AnyHash); !errors.Is(err, ErrPath) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if left, _ := os.ReadDir(filepath.Join(v.dir, tempDir)); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
}

func TestInitKeepsWhatIsThere(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "vault")
	tmpl := fstest.MapFS{"log.md": {Data: []byte("# Log\n")}, "0_Inbox/.gitkeep": {}, "memory/MEMORY.md": {Data: []byte("# Memory\n")}}
	got, err := Init(dir, tmpl)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Path{"log.md", "memory/MEMORY.md"}, got); diff != "" {
		t.Error(diff)
	}
	v := open(t, dir)
	write(t, v, "log.md", "mine")
	if err := os.Remove(filepath.Join(dir, "memory", "MEMORY.md")); err != nil {
		t.Fatal(err)
	}
	got, err = Init(dir, tmpl)
	if err != nil || read(t, v, "log.md") != "mine" {
		t.Error(err)
	}
	if diff := cmp.Diff([]Path{"memory/MEMORY.md"}, got); diff != "" {
		t.Error(diff)
	}
	if fi, err := os.Stat(filepath.Join(dir, "0_Inbox")); err != nil || !fi.IsDir() {
		t.Error("no folder: ", err)
	}
}

// syncedDirs records the folders whose names were made durable.
type syncedDirs struct {
	disk
	dirs map[string]bool
}

func (d syncedDirs) syncDir(name string) error {
	d.dirs[name] = true
	return d.disk.syncDir(name)
}

func TestInitMakesNamesDurable(t *testing.T) {
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	d := syncedDirs{rootDisk{root}, map[string]bool{}}
	if _, err := copyTemplate(d, Layout{}, fstest.MapFS{"log.md": {}, "memory/MEMORY.md": {}}); err != nil {
		t.Fatal(err)
	}
	if want := map[string]bool{".": true, "memory": true}; !maps.Equal(d.dirs, want) {
		t.Errorf("durable: %v, want %v", d.dirs, want)
	}
}

func TestPurge(t *testing.T) {
	v := open(t, t.TempDir())
	log := "# Daily Log - 2026-06-09\n\nkept words\n\n## 10:00 — a\n<!-- turn=t -->\n- [x] one ^f1\n\n## 11:00 — b\n- two ^f2\n- three " +
		"^f3\n\n## 12:00 — c\nwords\n- four ^f4\n- by hand\n"
	write(t, v, LogPath("2026-06-09"), log)
	hand := ParseLog(LogPath("2026-06-09"), []byte(log)).Facts[4].ID
	drawers := string(FormatDrawer(drawerOf("d1", "one"))) + "\n" + string(FormatDrawer(drawerOf("d2", "two"))) + "\nwords\n"
	write(t, v, DrawerPath("2026-06-09"), drawers)
	write(t, v, LogPath("2026-06-10"), "untouched ^f1")
	if err := v.AppendState(t.Context(), tornFile, tornRecord{ID: "d1"}, tornRecord{ID: "d7"}); err != nil {
		t.Fatal(err)
	}
	got, err := v.Purge(t.Context(), []string{"f1", "f3", "f4", hand, "d1", "nothing"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Path{LogPath("2026-06-09"), DrawerPath("2026-06-09"), ".state/torn.jsonl"}, got,
		cmpopts.SortSlices(strings.Compare)); diff != "" && len(got) != 3 {
		t.Error(diff)
	}
	want := "# Daily Log - 2026-06-09\n\nkept words\n\n## 11:00 — b\n- two ^f2\n\n## 12:00 — c\nwords\n"
	if diff := cmp.Diff(want, read(t, v, LogPath("2026-06-09"))); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(string(FormatDrawer(drawerOf("d2", "two")))+"\nwords\n", read(t, v, DrawerPath("2026-06-09"))); diff != "" {
		t.Error(diff)
	}
	if s := read(t, v, ".state/torn.jsonl"); strings.Contains(s, "d1") || !strings.Contains(s, "d7") {
		t.Error(s)
	}
	if got, err := v.Purge(t.Context(), []string{"f1"}); err != nil || len(got) != 0 {
		t.Errorf("a second time: %v %v", got, err)
	}
}

func TestLock(t *testing.T) {
	dir := t.TempDir()
	l, err := Acquire(dir, LockInfo{PID: 42})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Update(LockInfo{PID: 42, Addr: "127.0.0.1:7431"}); err != nil {
		t.Fatal(err)
	}
	var held *HeldError
	if _, err := Acquire(dir, LockInfo{PID: 43}); !errors.As(err, &held) || held.PID != 42 || held.Addr != "127.0.0.1:7431" {
		t.Fatalf("%v", err)
	}
	if err := l.Release(); err != nil {
		t.Fatal(err)
	}
	l, err = Acquire(dir, LockInfo{PID: 43})
	if err != nil {
		t.Fatal(err)
	}
	if got := l.holder(); got.PID != 43 || got.Addr != "" {
		t.Errorf("%+v", got)
	}
	if err := l.Release(); err != nil {
		t.Fatal(err)
	}
}

func TestState(t *testing.T) {
	v := open(t, t.TempDir())
	write(t, v, ".state/x.jsonl", "{\"a\":1}\n\nnonsense\n[1]\n{\"a\":2")
	if err := v.AppendState(t.Context(), "x.jsonl", map[string]string{"b": "<&>\n"}, struct{ C int }{3}); err != nil {
		t.Fatal(err)
	}
	var got []string
	ps, err := v.ReadState("x.jsonl", func(line int, raw []byte) error {
		got = append(got, fmt.Sprint(line, " ", string(raw)))
		return nil
	})
	if err != nil || len(ps) != 3 {
		t.Errorf("%v %v", ps, err)
	}
	if diff := cmp.Diff([]string{`1 {"a":1}`, `6 {"b":"<&>\n"}`, `7 {"C":3}`}, got); diff != "" {
		t.Error(diff)
	}
}

func TestIDs(t *testing.T) {
	first, again := DeriveID('t', "a"), DeriveID('t', "a")
	if DeriveID('t', "ab", "c") == DeriveID('t', "a", "bc") || first != again {
		t.Error("derived ids")
	}
	if got := DeriveID('f', "memory/archive/2026-06-09.md", "tea", "1"); got != "f2dnzvz47q" {
		t.Errorf("derived ids are in people's links and must never change: %s", got)
	}
	for range 100 {
		if id := NewID('d'); !isOwnID('d', id) || !isID(id) {
			t.Fatal(id)
		}
	}
}

func TestDays(t *testing.T) {
	v := open(t, t.TempDir())
	if got, err := v.Days(DrawerDir); got != nil || err != nil {
		t.Errorf("no folder yet: %v %v", got, err)
	}
	for _, name := range []Path{"2026-06-10.md", "2026-06-09.md", "notes.md", "2026-06-11.txt"} {
		write(t, v, DrawerDir+"/"+name, "")
	}
	got, err := v.Days(DrawerDir)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Day{"2026-06-09", "2026-06-10"}, got); diff != "" {
		t.Error(diff)
	}
	if _, err := v.ReadFile("nothing.md"); !errors.Is(err, fs.ErrNotExist) || err.Error() == "" {
		t.Error(err)
	}
	if _, err := v.ReadFile(DrawerDir); err == nil {
		t.Error("a folder was read")
	}
}

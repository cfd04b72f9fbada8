package hosts

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// oneFile is a file with a server, in a folder of its own, and a store beside it.
func oneFile(t *testing.T, content string) (File, Store) {
	t.Helper()
	dir := t.TempDir()
	f := File{Path: filepath.Join(dir, "settings", "mcp.json"), parts: []part{jsonServer(mcpServers)}, mode: 0o600}
	writeFile(t, f.Path, []byte(content))
	return f, Store{filepath.Join(dir, "kept")}
}

func add(t *testing.T, f File, s Store, l Launch) Edit {
	t.Helper()
	e, err := f.Add(l)
	if err == nil {
		err = s.Write(e)
	}
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func undo(t *testing.T, f File, s Store) Undone {
	t.Helper()
	u, err := s.Undo(f)
	if err == nil {
		err = s.Revert(u)
	}
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func content(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestUndoGivesTheBytesBack(t *testing.T) {
	for _, before := range []string{
		"", " \r\n", "{}", "// mine", "{\"a\": 1,}\r\n", "\xef\xbb\xbf{}", `{"mcpServers": {"x": {"command": "y"}}}`,
	} {
		f, s := oneFile(t, before)
		add(t, f, s, testLaunch)
		add(t, f, s, Launch{Binary: "/elsewhere/reverie"})
		if got := content(t, s.Kept(realPath(t, f.Path))); got != before {
			t.Errorf("%q is kept as %q", before, got)
		}
		if u := undo(t, f, s); !u.Exact || content(t, f.Path) != before {
			t.Errorf("%q came back as %q", before, content(t, f.Path))
		}
		if u := undo(t, f, s); u.Changes() || u.Exact {
			t.Errorf("a second undo: %+v", u)
		}
	}
}

func realPath(t *testing.T, path string) string {
	t.Helper()
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		t.Fatal(err)
	}
	return real
}

// What a person wrote between two setups, or after the last one, stays.
func TestUndoKeepsWhatAPersonWrote(t *testing.T) {
	f, s := oneFile(t, "{\n  \"a\": 1\n}\n")
	add(t, f, s, testLaunch)
	mine := strings.Replace(content(t, f.Path), `"a": 1`, `"a": 2`, 1)
	writeFile(t, f.Path, []byte(mine))
	add(t, f, s, Launch{Binary: "/elsewhere/reverie"})
	if u := undo(t, f, s); u.Exact || content(t, f.Path) != "{\n  \"a\": 2\n}\n" {
		t.Errorf("exact %v: %q", u.Exact, content(t, f.Path))
	}
}

func TestReadOnlyFilesAreRefused(t *testing.T) {
	f, s := oneFile(t, "{}")
	if err := os.Chmod(f.Path, 0o444); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(f.Path, 0o600) })
	_, err := f.Add(testLaunch)
	var told *Error
	if !errors.As(err, &told) || !errors.Is(err, ErrReadOnly) || !strings.Contains(told.Hint, `"command": "/opt/reverie/bin/reverie"`) {
		t.Fatalf("%v, hint %q", err, told.Hint)
	}
	if _, err := s.Undo(f); err != nil {
		t.Errorf("nothing to undo: %v", err)
	}
}

// A write that fails keeps nothing, so that the next one begins anew.
func TestAFailedWriteLeavesNoTrace(t *testing.T) {
	f, s := oneFile(t, "")
	if err := os.Remove(f.Path); err != nil {
		t.Fatal(err)
	}
	e, err := f.Add(testLaunch)
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(filepath.Dir(f.Path), "link")
	if err := os.Symlink("nowhere", link); err != nil {
		t.Skip(err)
	}
	e.Real = filepath.Join(link, "below", "mcp.json") // no folder can be made there
	var told *Error
	if err := s.Write(e); !errors.As(err, &told) || !strings.Contains(told.Hint, "paste by hand") {
		t.Errorf("%v, hint %q", err, told.Hint)
	}
	if left := readTree(t, s.Dir); len(left) > 0 {
		t.Errorf("kept %v", left)
	}
}

func TestBrokenFilesStayAsTheyAre(t *testing.T) {
	huge := `{"mcpServers": {"a": "` + strings.Repeat("x", 8<<20) + `"}}`
	for _, bad := range []string{`{"a": 1`, "[]", `{"mcpServers": []}`, `{"mcpServers": 1}`} {
		f, s := oneFile(t, bad)
		e, err := f.Add(testLaunch)
		var told *Error
		if !errors.As(err, &told) || told.Hint == "" || e.Changes() {
			t.Errorf("%q: %v, changes %v", bad, err, e.Changes())
		}
		if err := s.Write(e); err != nil || content(t, f.Path) != bad {
			t.Errorf("%q is %q now, %v", bad, content(t, f.Path), err)
		}
	}
	f, s := oneFile(t, huge)
	add(t, f, s, testLaunch)
	undo(t, f, s)
	if content(t, f.Path) != huge {
		t.Error("a huge file did not come back")
	}
}

func TestLinksAndModesStay(t *testing.T) {
	f, s := oneFile(t, "{}")
	real := f.Path
	f.Path = filepath.Join(filepath.Dir(filepath.Dir(real)), "link.json")
	if err := os.Symlink(real, f.Path); err != nil {
		t.Skip(err)
	}
	if err := os.Chmod(real, 0o640); err != nil {
		t.Fatal(err)
	}
	add(t, f, s, testLaunch)
	fi, err := os.Lstat(f.Path)
	if err != nil || fi.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is %v now, %v", fi.Mode(), err)
	}
	if fi, _ := os.Stat(real); runtime.GOOS != "windows" && fi.Mode().Perm() != 0o640 {
		t.Errorf("mode %o", fi.Mode().Perm())
	}
	if !strings.Contains(content(t, real), "reverie") {
		t.Errorf("the file has %q", content(t, real))
	}
	undo(t, f, s)
	if content(t, real) != "{}" {
		t.Errorf("undo left %q", content(t, real))
	}

	if err := os.Remove(real); err != nil { // the link leads nowhere
		t.Fatal(err)
	}
	add(t, f, s, testLaunch)
	if !strings.Contains(content(t, real), "reverie") {
		t.Errorf("where the link leads there is %q", content(t, real))
	}
}

func TestAFileThatChangesMeanwhileIsNotWritten(t *testing.T) {
	f, s := oneFile(t, "{}")
	e, err := f.Add(testLaunch)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, f.Path, []byte(`{"new": 1}`))
	if err := s.Write(e); !errors.Is(err, ErrChanged) || content(t, f.Path) != `{"new": 1}` {
		t.Errorf("%v: %q", err, content(t, f.Path))
	}
	if left := readTree(t, s.Dir); len(left) > 0 {
		t.Errorf("kept %v", left)
	}
}

// Hooks written for a shell, for another path and twice, become one.
func TestHooksAreMended(t *testing.T) {
	before := `{"hooks": {"Stop": [
  {"hooks": [{"type": "command", "command": "'/old dir/reverie' hook stop --host claude-code", "timeout": 30}]},
  {"matcher": "", "hooks": [{"type": "command", "command": "\"C:\\x\\reverie.exe\" hook stop"}, {"type": "command", "command": "mine"}]},
  {"matcher": "", "hooks": [{"type": "command", "command": "/o/reverie hook prompt"}]}
], "Notification": [{"hooks": [{"type": "command", "command": "/o/reverie hook stop"}]}]}}`
	after, err := claudeHooks.add([]byte(before), testLaunch)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"command": "/opt/reverie/bin/reverie"`, `"timeout": 30`, `"args": ["hook", "stop", "--host", "claude-code"]`,
		`{"type": "command", "command": "mine"}`,
	} {
		if !strings.Contains(string(after), want) {
			t.Errorf("%s is not in\n%s", want, after)
		}
	}
	for _, not := range []string{"old dir", "C:", "/o/reverie", "Notification"} {
		if strings.Contains(string(after), not) {
			t.Errorf("%s is in\n%s", not, after)
		}
	}
	found, _ := claudeHooks.find(after)
	if problems := missing(claudeHooks, found); len(problems) > 0 {
		t.Error(problems)
	}
	none, err := claudeHooks.remove(after)
	if found, _ := claudeHooks.find(none); err != nil || len(found) > 0 || !strings.Contains(string(none), "mine") {
		t.Errorf("%v\n%s", err, none)
	}
}

func TestCommandLines(t *testing.T) {
	for _, c := range []struct{ system, program, want string }{
		{"linux", "/usr/bin/reverie", "/usr/bin/reverie hook stop"},
		{"darwin", "/Users/o'neil x/reverie", `'/Users/o'\''neil x/reverie' hook stop`},
		{"windows", `C:\Users\me\reverie.exe`, `C:\Users\me\reverie.exe hook stop`},
		{"windows", `C:\Program Files\reverie.exe`, `& 'C:\Program Files\reverie.exe' hook stop`},
		{"windows", `C:\o'neil\reverie.exe`, `& 'C:\o''neil\reverie.exe' hook stop`},
	} {
		argv := []string{c.program, "hook", "stop"}
		if got := line(c.system, argv); got != c.want {
			t.Errorf("on %s: %s, want %s", c.system, got, c.want)
		}
		if got := words(c.want); !slices.Equal(got, argv) {
			t.Errorf("%s reads as %q", c.want, got)
		}
	}
}

func TestAnEditedCommandStays(t *testing.T) {
	o := ownFile{name: "command x", text: "---\ndescription: old\n---\nold\n"}
	first, _ := o.add(nil, testLaunch)
	o.text = "---\ndescription: new\n---\nnew\n"
	second, _ := o.add(first, testLaunch)
	if !strings.Contains(string(second), "new") {
		t.Errorf("an older version became %q", second)
	}
	mine := strings.Replace(string(second), "new", "mine", 1)
	if got, _ := o.add([]byte(mine), testLaunch); string(got) != mine {
		t.Errorf("an edited command became %q", got)
	}
	if got, _ := o.remove([]byte(mine)); string(got) != mine {
		t.Errorf("an edited command was removed: %q", got)
	}
	if got, _ := o.remove(second); got != nil {
		t.Errorf("undo left %q", got)
	}
}

func TestLookNamesTheTrouble(t *testing.T) {
	gone := `{"mcpServers": {"reverie": {"command": "/nowhere/reverie", "args": ["mcp"]}}}`
	if runtime.GOOS == "windows" {
		gone = strings.Replace(gone, "/nowhere", `C:\\nowhere`, 1)
	}
	other := filepath.Join(t.TempDir(), "reverie")
	writeFile(t, other, nil)
	for _, c := range []struct{ content, want string }{
		{gone, "is gone"},
		{`{"mcpServers": {"reverie": {"command": ` + quote(other) + `, "args": ["mcp"]}}}`, "it runs " + other},
		{`{"mcpServers": {"reverie": {"command": "/opt/reverie/bin/reverie", "args": ["mcp", "--vault", "/v"]}}}`, "it runs with --vault /v"},
		{`{"mcpServers": {"reverie": {"command": "/opt/reverie/bin/reverie", "args": ["mcp", "mcp"]}}}`, "not what this version writes"},
		{`{"mcpServers": {"reverie": {"command": "/o/reverie", "args": ["mcp"]}, "m": {"command": "/o/reverie", "args": ["mcp"]}}}`, "2 times"},
		{`{"mcpServers": {"reverie": {"url": "http://127.0.0.1:7431/mcp"}}}`, "not a program"},
	} {
		f, _ := oneFile(t, c.content)
		if s := f.Look(testLaunch); s.Err != nil || !strings.Contains(strings.Join(s.Problems, "; "), c.want) {
			t.Errorf("%s: %+v", c.content, s)
		}
	}
}

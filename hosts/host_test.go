package hosts

import (
	"flag"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// homeEnv is a machine with nothing but that home folder.
func homeEnv(home, system string) Env {
	return Env{
		OS: system, Home: home,
		Getenv: func(string) string { return "" },
		Look:   func(string) (string, error) { return "", fs.ErrNotExist },
	}
}

// Each host's files before and after setup, and again after a second setup and after undo.
func TestHosts(t *testing.T) {
	for _, h := range All {
		t.Run(h.Name, func(t *testing.T) {
			golden := filepath.Join("testdata", "host", h.Name+".txtar")
			archive, err := txtar.ParseFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			home, project := filepath.Join(dir, "home"), filepath.Join(dir, "project")
			before := map[string]string{}
			for _, f := range archive.Files {
				if name, ok := strings.CutPrefix(f.Name, "before/"); ok {
					before[name] = string(f.Data)
					writeFile(t, filepath.Join(home, name), f.Data)
				}
			}
			env := homeEnv(home, "linux")
			if !h.Found(env) {
				t.Errorf("%s is not found", h.Title)
			}
			store := Store{filepath.Join(dir, "kept")}
			addAll(t, store, h.Files(env), testLaunch)
			addAll(t, store, h.ProjectFiles(project), Launch{Binary: Name, OS: "linux"})
			after := readTree(t, home)
			compareGolden(t, golden, archive, before, after, readTree(t, project))
			if standing, states := look(h, env, testLaunch); standing != SetUp {
				t.Errorf("after setup it is %s: %+v", standing, states)
			}

			addAll(t, store, h.Files(env), testLaunch)
			if diff := cmp.Diff(after, readTree(t, home)); diff != "" {
				t.Errorf("a second setup changed something:\n%s", diff)
			}

			moved := Launch{Binary: "/elsewhere/reverie", Flags: []string{"--vault", "/v"}, OS: "linux", Prompts: testLaunch.Prompts}
			if standing, _ := look(h, env, moved); standing != Outdated {
				t.Errorf("for a program that was moved it is %s", standing)
			}
			addAll(t, store, h.Files(env), moved)
			addAll(t, store, h.Files(env), testLaunch)
			if diff := cmp.Diff(after, readTree(t, home)); diff != "" {
				t.Errorf("there and back changed something:\n%s", diff)
			}

			for _, f := range slices.Backward(slices.Concat(h.Files(env), h.ProjectFiles(project))) {
				u, err := store.Undo(f)
				if err == nil {
					err = store.Revert(u)
				}
				if err != nil {
					t.Error(err)
				}
			}
			if diff := cmp.Diff(before, readTree(t, home)); diff != "" {
				t.Errorf("undo did not give the bytes back:\n%s", diff)
			}
			if left := readTree(t, project); len(left) > 0 {
				t.Errorf("undo left %v", left)
			}
			if left := readTree(t, store.Dir); len(left) > 0 {
				t.Errorf("undo still keeps %v", left)
			}
		})
	}
}

// Setup makes every file of a host that has none yet, and removing its entries from changed files leaves what others wrote.
func TestHostsFromNothing(t *testing.T) {
	for _, h := range All {
		t.Run(h.Name, func(t *testing.T) {
			dir := t.TempDir()
			env := homeEnv(filepath.Join(dir, "home"), "linux")
			if standing, _ := look(h, env, testLaunch); standing != NotFound {
				t.Errorf("in an empty home it is %s", standing)
			}
			store := Store{filepath.Join(dir, "kept")}
			addAll(t, store, h.Files(env), testLaunch)
			for _, f := range h.Files(env) {
				data, err := os.ReadFile(f.Path)
				if err != nil {
					t.Fatal(err)
				}
				writeFile(t, f.Path, append(data, '\n')) // somebody else
				u, err := store.Undo(f)
				if err == nil {
					err = store.Revert(u)
				}
				if err != nil || u.Exact {
					t.Errorf("exact %v, %v", u.Exact, err)
				}
				if _, isOwn := f.parts[0].(ownFile); !isOwn && exists(f.Path) {
					left, _ := os.ReadFile(f.Path)
					t.Errorf("%s is still there: %q", f.Path, left)
				}
			}
		})
	}
}

// look tells how a host stands.
func look(h Host, env Env, l Launch) (Standing, []State) {
	var states []State
	for _, f := range h.Files(env) {
		states = append(states, f.Look(l))
	}
	return Stand(h.Found(env), states), states
}

func addAll(t *testing.T, s Store, files []File, l Launch) {
	t.Helper()
	for _, f := range files {
		e, err := f.Add(l)
		if err == nil {
			err = s.Write(e)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func compareGolden(t *testing.T, golden string, archive *txtar.Archive, before, after, project map[string]string) {
	t.Helper()
	want := &txtar.Archive{Comment: archive.Comment}
	add := func(prefix string, files map[string]string, skip map[string]string) {
		for _, name := range slices.Sorted(maps.Keys(files)) {
			if skip[name] != files[name] || skip == nil {
				want.Files = append(want.Files, txtar.File{Name: prefix + name, Data: []byte(files[name])})
			}
		}
	}
	add("before/", before, nil)
	add("after/", after, before)
	add("project/", project, nil)
	if *update {
		if err := os.WriteFile(golden, txtar.Format(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(txtar.Format(archive)), string(txtar.Format(want))); diff != "" {
		t.Errorf("differs from %s:\n%s", golden, diff)
	}
}

func writeFile(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func readTree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[filepath.ToSlash(name)] = string(data)
		return err
	})
	if err != nil && exists(dir) {
		t.Fatal(err)
	}
	return files
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func TestPlacesOnEachSystem(t *testing.T) {
	want := map[string]map[string]string{
		"linux": {
			"claude-desktop": ".config/Claude/claude_desktop_config.json", "vscode": ".config/Code/User/mcp.json",
			"opencode": ".config/opencode/opencode.json", "zed": ".config/zed/settings.json",
		},
		"darwin": {
			"claude-desktop": "Library/Application Support/Claude/claude_desktop_config.json",
			"vscode":         "Library/Application Support/Code/User/mcp.json",
			"opencode":       ".config/opencode/opencode.json", "zed": ".config/zed/settings.json",
		},
		"windows": {
			"claude-desktop": "AppData/Roaming/Claude/claude_desktop_config.json", "vscode": "AppData/Roaming/Code/User/mcp.json",
			"opencode": ".config/opencode/opencode.json", "zed": "AppData/Roaming/Zed/settings.json",
		},
	}
	everywhere := map[string]string{
		"claude-code": ".claude.json", "codex": ".codex/config.toml", "cursor": ".cursor/mcp.json", "gemini": ".gemini/settings.json",
		"windsurf": ".codeium/windsurf/mcp_config.json",
	}
	home := t.TempDir()
	for system, places := range want {
		for _, h := range All {
			place := places[h.Name] + everywhere[h.Name]
			if got := h.Files(homeEnv(home, system))[0].Path; got != filepath.Join(home, filepath.FromSlash(place)) {
				t.Errorf("%s on %s is in %s", h.Name, system, got)
			}
		}
	}
}

// A packaged Claude Desktop of Windows reads a folder of its own, and the other one may be left from before.
func TestClaudeDesktopAsAPackage(t *testing.T) {
	home := t.TempDir()
	packaged := filepath.Join(home, "AppData", "Local", "Packages", "Claude_pzs8sxrjxfjjc", "LocalCache", "Roaming", "Claude")
	if err := os.MkdirAll(packaged, 0o755); err != nil {
		t.Fatal(err)
	}
	files := claudeDesktop.Files(homeEnv(home, "windows"))
	if len(files) != 1 || filepath.Dir(files[0].Path) != packaged {
		t.Errorf("files: %+v", files)
	}
}

func TestFoldersOfTheEnvironment(t *testing.T) {
	env := homeEnv("/home/me", "linux")
	env.Getenv = func(name string) string { return "/x/" + name }
	for name, want := range map[string]string{
		"claude-code": "/x/CLAUDE_CONFIG_DIR/.claude.json", "codex": "/x/CODEX_HOME/config.toml",
		"vscode": "/x/XDG_CONFIG_HOME/Code/User/mcp.json",
	} {
		h, _ := Find(name)
		if got := h.Files(env)[0].Path; got != filepath.FromSlash(want) {
			t.Errorf("%s is in %s, want %s", name, got, want)
		}
	}
}

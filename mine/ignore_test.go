package mine

import (
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestRules(t *testing.T) {
	for _, tt := range []struct {
		rules   string
		ignored []string // folders end with a slash
		kept    []string
	}{
		{"*.log\n!keep.log", []string{"a.log", "x/y/a.log"}, []string{"keep.log", "x/keep.log", "a.logs"}},
		{"/top", []string{"top", "top/"}, []string{"x/top"}},
		{"build/", []string{"build/", "x/build/"}, []string{"build"}},
		{"doc/*.txt", []string{"doc/a.txt"}, []string{"doc/x/a.txt", "x/doc/a.txt"}},
		{"a/**/z", []string{"a/z", "a/b/z", "a/b/c/z"}, []string{"z", "b/a/z"}},
		{"**/foo", []string{"foo", "a/b/foo"}, []string{"foox"}},
		{"abc/**", []string{"abc/x", "abc/x/y"}, []string{"abc/", "x/abc/y"}},
		{"# comment\n\\#note\n\\!bang", []string{"#note", "!bang"}, []string{"# comment"}},
		{"trail  \nkeep\\ ", []string{"trail", "keep "}, []string{"keep"}},
		{"[!a].md", []string{"b.md"}, []string{"a.md"}},
		{"[", nil, []string{"["}},
		{"*.txt\r\n!b.txt\r\n", []string{"a.txt"}, []string{"b.txt"}},
		{"\ufefffirst", []string{"first"}, nil},
		{strings.Repeat("**/", 1000) + "x", []string{"x", "a/x"}, []string{"y"}},
		{strings.Repeat("x", maxRuleLine+1), nil, []string{strings.Repeat("x", maxRuleLine+1)}},
	} {
		r := parseRules(nil, "", tt.rules)
		for _, want := range []bool{true, false} {
			for _, name := range map[bool][]string{true: tt.ignored, false: tt.kept}[want] {
				name, folder := strings.CutSuffix(name, "/")
				if got := r.ignored(name, folder); got != want {
					t.Errorf("%.60q: %q is ignored: %v", tt.rules, name, got)
				}
			}
		}
	}
}

// TestRulesAreGits compares with git, which knows best, on nested files of rules.
func TestRulesAreGits(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("there is no git")
	}
	dir := t.TempDir()
	files := map[string]string{
		".gitignore":         "*.x\n/only-top\nout/\nsub/*.y\n!sub/keep.y\na/**/z.txt\n**/deep\n",
		"sub/.gitignore":     "!x.x\n*.md\n/anchored\n",
		"sub/two/.gitignore": "!*.md\n",
		"x.x":                "", "sub/x.x": "", "sub/two/x.x": "", "only-top": "", "sub/only-top": "", "out/a": "", "sub/out/b": "",
		"sub/k.y":    "",
		"sub/keep.y": "", "a/z.txt": "", "a/b/c/z.txt": "", "z.txt": "", "deep/f": "", "sub/deep": "", "sub/n.md": "", "sub/two/n.md": "",
		"sub/anchored": "", "sub/two/anchored": "", "plain.txt": "", "sub/two/three/n.md": "",
	}
	for name, text := range files {
		put(t, dir, name, text)
	}
	if out, err := exec.Command(git, "init", "-q", dir).CombinedOutput(); err != nil {
		t.Skipf("git: %s", out)
	}
	cmd := exec.Command(git, "-C", dir, "-c", "core.excludesFile=", "ls-files", "--others", "--exclude-standard", "-z")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	want := slices.DeleteFunc(strings.Split(strings.TrimRight(string(out), "\x00"), "\x00"), func(s string) bool {
		return path.Base(s) == gitIgnore // which is hidden
	})
	slices.Sort(want)
	got := walked(t, folder(dir))
	if !slices.Equal(got, want) {
		t.Errorf("read are\n%q, git knows\n%q", got, want)
	}

	// Below the repository's own folder its rules hold as well.
	if err := os.Remove(filepath.Join(dir, "sub", gitIgnore)); err != nil {
		t.Fatal(err)
	}
	if got := walked(t, folder(filepath.Join(dir, "sub"))); slices.Contains(got, "out/b") || !slices.Contains(got, "two/n.md") {
		t.Errorf("of a folder in a repository: %q", got)
	}
}

// A file that no person wrote does not hold every other up.
func TestRulesWithoutAnEnd(t *testing.T) {
	r := parseRules(rules{{}}, "", strings.Repeat("a\n", maxRules)+"b\n")
	if len(r) != maxRules+1 || r.ignored("b", false) {
		t.Errorf("%d rules", len(r))
	}
}

func FuzzRules(f *testing.F) {
	f.Add("*.log\n!a/**/b\n/x/[a-z]\n", "a/x/b", true)
	f.Add("**/**/**/x\n\\", "a/a/a/a", false)
	f.Fuzz(func(t *testing.T, text, name string, folder bool) {
		r := parseRules(nil, "base", text)
		if r.ignored(name, folder) && !strings.HasPrefix(name, "base/") {
			t.Errorf("rules of base ignore %q", name)
		}
		parseRules(nil, "", text).ignored(name, folder)
	})
}

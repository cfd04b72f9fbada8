package project

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestRemote(t *testing.T) {
	const same = "github.com/owner/repo"
	for _, tc := range []struct{ address, want string }{
		{"https://github.com/owner/repo.git", same},
		{"https://github.com/owner/repo/", same},
		{"https://user:secret@GitHub.com:443/Owner/Repo.git", same},
		{"http://github.com//owner/./repo", same},
		{"ssh://git@github.com:22/owner/repo.git", same},
		{"git+ssh://git@github.com/owner/repo.git", same},
		{"git://github.com/owner/repo.git/", same},
		{"git@github.com:owner/repo.git", same},
		{"git@github.com:/owner/repo.git", same},
		{"github.com:owner/repo", same},
		{"[git@github.com:22]:owner/repo.git", same},
		{" https://github.com/owner/repo.git?a=b#c\n", same},
		{"https://gitlab.com/a/b/c.git", "gitlab.com/a/b/c"},
		{"https://host/~me/my%20repo.git", "host/~me/my-repo"},
		{"https://[::1]:8080/x.git", "1/x"},
		{"ssh://host:2222/a/../b", "host/a/b"},
		{"codecommit::eu-west-1://repo/x", "repo/x"},
		{"/srv/git/team/Repo.git", ""},
		{"file:///srv/git/repo/.git", ""},
		{"../sibling", ""},
		{`C:\src\Repo.git`, ""},
		{"C:/src/repo", ""},
		{"https://github.com/", ""},
		{"https://", ""},
		{"shop", ""},
		{"shop:", ""},
		{"", ""},
		{"x\x00<!-- -->\n/..", ""},
	} {
		if got := Remote(tc.address); got != tc.want {
			t.Errorf("Remote(%q) = %q, want %q", tc.address, got, tc.want)
		}
	}
	long := "https://host/" + strings.Repeat("a/", 80)
	if a, b := Remote(long+"b"), Remote(long+"c"); a == b || utf8.RuneCountInString(a) != maxName {
		t.Errorf("long addresses: %q, %q", a, b)
	}
}

func FuzzRemote(f *testing.F) {
	for _, s := range []string{
		"git@github.com:o/r.git", "https://u:p@h:1/a/b", `C:\x`, "[::1]:x", "a::b://c/d", "ſ:İ/K.git",
		strings.Repeat("é/", 90),
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, address string) {
		name := Remote(address)
		if utf8.RuneCountInString(name) > maxName || !utf8.ValidString(name) || strings.ContainsAny(name, " \t\r\n\x00<>\"'`\\:") ||
			strings.Contains(name, "//") {
			t.Fatalf("Remote(%q) = %q", address, name)
		}
		if host, _, remote := strings.Cut(name, "/"); remote {
			for _, again := range []string{"https://" + name, "ssh://git@" + name + "/", strings.Replace(name, "/", ":", 1)} {
				if got := Remote(again); got != name && len(host) > 1 {
					t.Fatalf("Remote(%q) = %q, but Remote(%q) = %q", address, name, again, got)
				}
			}
		}
	})
}

// lay writes files below a new home folder, "" as content makes a folder.
func lay(t *testing.T, files map[string]string) (home string) {
	t.Helper()
	home = t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	for name, content := range files {
		p := filepath.Join(home, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if content == "" {
			if err := os.MkdirAll(p, 0o755); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.WriteFile(p, []byte(strings.ReplaceAll(content, "HOME", filepath.ToSlash(home))), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return home
}

const origin = "[core]\n\tbare = false\n[remote \"fork\"]\n\turl = git@host:me/fork.git\n" +
	"[remote \"origin\"] ; where it came from\n\turl = \"git@GitHub.com:owner/repo.git\" # x\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n"

// named is a scope without where it is from.
type named struct {
	Name     string
	Isolated bool
	From     string
}

func TestResolve(t *testing.T) {
	const repo = "github.com/owner/repo"
	for _, tc := range []struct {
		name, dir string
		files     map[string]string
		want      named
		err       string
	}{
		{"home is no project", ".", map[string]string{".reverie.toml": "project = 'all'", ".git/config": origin}, named{}, ""},
		{"above home is none", "..", nil, named{}, ""},
		{"a folder", "notes/My Garden", map[string]string{"notes/My Garden": ""}, named{"my-garden", false, FromFolder}, ""},
		{"a folder that is gone", "code/repo/gone/deep", map[string]string{"code/repo/.git/config": origin}, named{repo, false, FromRemote}, ""},
		{"a clone", "code/repo/a/b", map[string]string{"code/repo/.git/config": origin, "code/repo/a/b": ""}, named{repo, false, FromRemote}, ""},
		{"another remote where no origin is", "r", map[string]string{"r/.git/config": "[remote \"up\"]\nurl = https://h/o/r\n[remote " +
			"\"down\"]\r\n  URL=https://h/o/\\\r\nd\r\n"}, named{"h/o/d", false, FromRemote}, ""},
		{"no remote", "Thing/x", map[string]string{"Thing/.git/config": "[core]\n", "Thing/x": ""}, named{"thing", false, FromFolder}, ""},
		{"a linked work tree", "tree/sub", map[string]string{
			"repo/.git/config": origin, "repo/.git/worktrees/tree/commondir": "../..\n",
			"repo/.git/worktrees/tree/gitdir": "HOME/tree/.git\n", "tree/.git": "gitdir: HOME/repo/.git/worktrees/tree\n", "tree/sub": "",
		}, named{repo, false, FromRemote}, ""},
		{"a linked work tree with relative paths and no remote", "tree", map[string]string{
			"repo/.git/config": "[core]\n", "repo/.git/worktrees/tree/commondir": "../..\n",
			"repo/.git/worktrees/tree/gitdir": "../../../../tree/.git\n", "tree/.git": "gitdir: ../repo/.git/worktrees/tree\r\n",
		}, named{"repo", false, FromFolder}, ""},
		{"a work tree of a bare repository", "tree", map[string]string{
			"repo.git/config": "[core]\nbare = true\n", "repo.git/worktrees/tree/commondir": "../..\n",
			"repo.git/worktrees/tree/gitdir": "HOME/tree/.git\n", "tree/.git": "gitdir: HOME/repo.git/worktrees/tree\n",
		}, named{"repo", false, FromFolder}, ""},
		{"a submodule", "main/lib", map[string]string{
			"main/.git/config": origin, "main/.git/modules/lib/config": "[core]\n\tworktree = ../../../lib\n[remote \"origin\"]\n\turl = " +
				"https://github.com/owner/lib\n",
			"main/lib/.git": "gitdir: ../.git/modules/lib\n",
		}, named{"github.com/owner/lib", false, FromRemote}, ""},
		{"a .git file that points at somebody else's repository", "evil", map[string]string{
			"repo/.git/config": origin, "repo/.git/worktrees/tree/commondir": "../..\n",
			"repo/.git/worktrees/tree/gitdir": "HOME/tree/.git\n", "tree/.git": "x", "evil/.git": "gitdir: ../repo/.git/worktrees/tree\n",
		}, named{"evil", false, FromFolder}, ""},
		{
			"a .git file that points at a clone", "evil",
			map[string]string{"repo/.git/config": origin, "evil/.git": "gitdir: ../repo/.git\n"},
			named{"evil", false, FromFolder},
			"",
		},
		{"a .git file of nonsense", "evil", map[string]string{"evil/.git": "gitdir: \x00"}, named{"evil", false, FromFolder}, ""},
		{"a file in the clone narrows", "repo/web/src", map[string]string{
			"repo/.git/config": origin, "repo/.reverie.toml": "isolate = true", "repo/web/.reverie.toml": "project = \"Web\"", "repo/web/src": "",
		}, named{repo + "/web", true, FromRemote}, ""},
		{"a file in the clone that repeats its name", "repo", map[string]string{
			"repo/.git/config":   origin,
			"repo/.reverie.toml": "project = \"Repo\"",
		}, named{repo, false, FromRemote}, ""},
		{"a file above names", "shop/front", map[string]string{
			"shop/front/.git/config": origin,
			"shop/.reverie.toml":     "project = \"shop\"\nisolate = true\n",
		}, named{"shop", true, FromFile}, ""},
		{"a file of a clone around a submodule does not", "main/lib", map[string]string{
			"main/.git/config": "[core]\n", "main/.reverie.toml": "project = \"other\"", "main/lib/.git/config": origin,
		}, named{repo, false, FromRemote}, ""},
		{
			"a file without a repository", "a/b",
			map[string]string{"a/.reverie.toml": "\xef\xbb\xbfproject = \"garden\"\r\n", "a/b": ""},
			named{"garden", false, FromFile},
			"",
		},
		{
			"a name cannot be that of a remote", "a",
			map[string]string{"a/.reverie.toml": "project = \"github.com/owner/repo\""},
			named{"github.com-owner-repo", false, FromFile},
			"",
		},
		{"an unknown key", "repo", map[string]string{"repo/.git/config": origin, "repo/.reverie.toml": "vault = \"/tmp\""}, named{
			repo,
			true, FromRemote,
		}, "isolate = true"},
		{"a name of signs", "a", map[string]string{"a/.reverie.toml": "project = \"//\""}, named{"a", true, FromFolder}, "no letter"},
		{"a broken file", "a", map[string]string{"a/.reverie.toml": "project = [", "a/b": ""}, named{"a", true, FromFolder}, ".reverie.toml"},
		{"a file that is no file", "a", map[string]string{"a/.reverie.toml/x": "y"}, named{"a", true, FromFolder}, "not a file"},
		{"isolation spelt wrong", "repo/web", map[string]string{
			"repo/.git/config": origin, "repo/.reverie.toml": "isolate = treu", "repo/web/.reverie.toml": "project = \"web\"",
		}, named{repo + "/web", true, FromRemote}, "isolate = true"},
		{"isolation spelt wrong above", "shop/front", map[string]string{
			"shop/front/.git/config": origin, "shop/.reverie.toml": "project = \"shop\"\nisolate = \"yes\"\n",
		}, named{repo, true, FromRemote}, ".reverie.toml"},
		{"settings of git that cannot be read", "repo", map[string]string{
			"repo/.git/config/x": "y", "repo/.reverie.toml": "isolate = true",
		}, named{"repo", true, FromFolder}, "not a file"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			home := lay(t, tc.files)
			got, err := Resolve(filepath.Join(home, filepath.FromSlash(tc.dir)))
			if got := (named{got.Name, got.Isolated, got.From}); got != tc.want {
				t.Errorf("got %+v, want %+v", got, tc.want)
			}
			if (err == nil) != (tc.err == "") || err != nil && !strings.Contains(err.Error(), tc.err) {
				t.Errorf("error %v, want %q", err, tc.err)
			}
		})
	}
}

// A link may lead out of the home folder or into a work tree: the folder counts that it leads to.
func TestResolveFollowsTheFoldersOwnLinkOnly(t *testing.T) {
	home := lay(t, map[string]string{"repo/.git/config": origin, "evil": "", "secret": "project = \"secret\""})
	for link, target := range map[string]string{"link": "repo", "evil/.git": "repo/.git", "evil/.reverie.toml": "secret"} {
		if err := os.Symlink(filepath.Join(home, target), filepath.Join(home, link)); err != nil {
			t.Skip(err)
		}
	}
	if got, err := Resolve(filepath.Join(home, "link")); err != nil || got.Name != "github.com/owner/repo" {
		t.Errorf("through a link: %+v, %v", got, err)
	}
	if got, err := Resolve(filepath.Join(home, "evil")); err == nil || got.Name != "evil" {
		t.Errorf("links inside a folder: %+v, %v", got, err)
	}
}

func TestResolveNeedsAFolder(t *testing.T) {
	if s, err := Resolve(""); err == nil || s != (Scope{}) {
		t.Errorf("got %+v, %v", s, err)
	}
	if s, err := Resolve(filepath.VolumeName(t.TempDir()) + string(filepath.Separator)); err != nil || s != (Scope{}) {
		t.Errorf("the root: %+v, %v", s, err)
	}
}

package lint

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/vault"
)

// open makes a vault of files.
func open(t testing.TB, files map[string]string) *vault.Vault {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return at(t, dir)
}

func at(t testing.TB, dir string) *vault.Vault {
	t.Helper()
	v, err := vault.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = v.Close() })
	return v
}

func check(t testing.TB, v Vault, today vault.Day) []string {
	t.Helper()
	found, err := Check(t.Context(), v, today)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range found {
		got = append(got, fmt.Sprintf("%s %s:%d %s", f.Kind, f.Path, f.Line, f.Text))
	}
	return got
}

func wants(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

const log8 = "# Daily Log - 2026-06-08\n\n## 09:12 — c\n- [fact] The key is under the mat ^faaaaaaaaa\n- [fact] Alice " +
	"likes tea ^fbbbbbbbbb\n- [fact] by hand\n"

func TestLinks(t *testing.T) {
	v := open(t, map[string]string{
		"index.md": "# Index\n- [[A]]\n- [[B|Bee]]\n- [[nothing]]\n",
		"1_Projects/A.md": `---
title: A
related: "[[Gone in front]]"
---
# A
[[b]] [[B.md]] [[2_Wiki/Concepts/B]] [[../2_Wiki/Concepts/B]] [[Concepts/B]] ![[B]]
[[B#Über  Alles: "x"]] [[B#missing]] [[B#^b1]] [[B#^nope]] [[#A]] [[#^self]] [[#gone]]
` + "`[[code]]` %% [[comment]] %% <!-- [[comment]] --> \\[[no]] [[C]] [[b|x]] [[memory/drawers/2026-06-09#^d1]] " + `
text ^self
| [[B\|table]] | [[Nope\|table]] |
![[pic.PNG]] ![[deep/doc.pdf]] ![[lost.png]] [[v1.2]]
[md](../2_Wiki/Concepts/B.md) [md](B%20two.md#Head) [web](https://x.y/z) [mail](mailto:a@b) [lost](lost.md) [to a folder](../3_Personal/)
` + "```\n[[in a fence]]\n```\n%%\n[[in a comment]]\n%%\n{{ [[{{title}}]] }}\n",
		"2_Wiki/Concepts/B.md":         "# B\n## Über alles x\n- item ^b1\n",
		"1_Projects/B two.md":          "Head\n====\n",
		"Templates/B.md":               "# B\n[[Author]] [[{{date}}]]\n",
		"4_Assets/Page Templates/N.md": "---\ntitle: B\n---\n[[Not there yet]]\n",
		"1_Projects/v1.2.md":           "# v\n",
		"4_Assets/pic.png":             "x",
		"4_Assets/very/deep/doc.pdf":   "x",
		"memory/drawers/2026-06-09.md": "[[never checked]] ^d1\n",
		"memory/MEMORY.md":             "- x ([[Unknown]])\n",
	})
	wants(t, check(t, v, ""),
		`dead_link 1_Projects/A.md:3 [[Gone in front]] leads to no file`,
		`dead_link 1_Projects/A.md:7 [[#gone]] leads to no heading or block of this page`,
		`dead_link 1_Projects/A.md:7 [[B#^nope]] leads to no heading or block of 2_Wiki/Concepts/B.md`,
		`dead_link 1_Projects/A.md:7 [[B#missing]] leads to no heading or block of 2_Wiki/Concepts/B.md`,
		`dead_link 1_Projects/A.md:8 [[C]] leads to no file`,
		`dead_link 1_Projects/A.md:10 [[Nope\|table]] leads to no file`,
		`dead_link 1_Projects/A.md:11 [[lost.png]] leads to no file`,
		`dead_link 1_Projects/A.md:12 [lost](lost.md) leads to no file`,
		`dead_link index.md:4 [[nothing]] leads to no file`,
		`dead_link memory/MEMORY.md:1 [[Unknown]] leads to no file`,
	)
}

// A statement is named whose line in the log a person changed; one that a ledger without words filed cannot be.
func TestChangedSource(t *testing.T) {
	tea := vault.Fact{Text: "Alice likes green tea"}
	for _, tt := range []struct{ version, want string }{
		{tea.Version(), "changed_source 1_Projects/P.md:2 the source [[2026-06-08#^fbbbbbbbbb]] was changed since"},
		{"", ""},
	} {
		v := open(t, map[string]string{
			"index.md":                       "- [[P]]\n",
			"memory/archive/2026-06-08.md":   log8,
			"1_Projects/P.md":                "# P\n- Alice likes green tea ([[2026-06-08#^fbbbbbbbbb|8 Jun 2026]])\n",
			".state/dreams/r-1/ledger.jsonl": fmt.Sprintf(`{"fact":"fbbbbbbbbb","day":"2026-06-08","outcome":"kept","version":%q}`+"\n", tt.version),
			".state/dreams/r-1/done":         "\n",
		})
		var want []string
		if tt.want != "" {
			want = []string{tt.want}
		}
		wants(t, check(t, v, ""), want...)
	}
}

func TestStatements(t *testing.T) {
	files := map[string]string{
		"index.md":                     "- [[P]]\n",
		"memory/archive/2026-06-08.md": log8,
		"1_Projects/P.md": `# P
- Alice likes tea ([[2026-06-08#^fbbbbbbbbb|8 Jun 2026]])
- It is hidden ([[2026-06-08#^faaaaaaaaa|8 Jun 2026]], [[2026-06-08#^fbbbbbbbbb|8 Jun 2026]])
- It is hidden too ([[2026-06-08#^faaaaaaaaa|8 Jun 2026]])
- Gone ([[2026-06-08#^fccccccccc|8 Jun 2026]])
- No log ([[2026-06-07#^fccccccccc|7 Jun 2026]])
- The key is under the mat

> [!warning] Conflict
> Tea or coffee?
> - tea ([[2026-06-08#^fbbbbbbbbb|8 Jun 2026]])
> - coffee ([[2026-06-08#^fbbbbbbbbb|8 Jun 2026]])
`,
		"1_Projects/Lonely.md": "---\ntitle: P\naliases: [p, Q]\n---\n[[Lonely]]\n",
		"1_Projects/Odd.md":    "---\ntitle: [\n---\n[[Lonely]] [[Odd]]\n",
		"3_Personal/Q.md":      "[[P]] [[Odd]]\n",
	}
	v := open(t, files)
	if err := v.Forget(t.Context(), []vault.Tombstone{{Text: "The key is under the mat", Reason: "test"}}); err != nil {
		t.Fatal(err)
	}
	hand := vault.ParseLog("memory/archive/2026-06-08.md", []byte(log8)).Facts[2].ID
	if err := os.WriteFile(filepath.Join(v.Dir(), "3_Personal", "Q.md"),
		[]byte("[[P]] [[Odd]]\n- by hand ([[2026-06-08#^"+hand+"|8 Jun 2026]])\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	got := check(t, v, "2026-07-09")
	for i, g := range got {
		if strings.HasPrefix(g, "frontmatter ") {
			got[i], _, _ = strings.Cut(g, ": ")
		}
	}
	wants(t, got,
		`frontmatter 1_Projects/Odd.md:1 the frontmatter is not YAML`,
		`duplicate_name 1_Projects/P.md:0 the title "P" is a name of 1_Projects/Lonely.md as well`,
		`forgotten 1_Projects/P.md:3 1 of its 2 sources were forgotten`,
		`forgotten 1_Projects/P.md:4 what it comes from was forgotten`,
		`lost_source 1_Projects/P.md:5 the source [[2026-06-08#^fccccccccc]] is gone: the log of 2026-06-08 has no such line`,
		`lost_source 1_Projects/P.md:6 the source [[2026-06-07#^fccccccccc]] is gone: there is no log of 2026-06-07`,
		`forgotten 1_Projects/P.md:7 says what was forgotten`,
		`old_conflict 1_Projects/P.md:9 has waited for 31 days: Tea or coffee?`,
		`duplicate_name 3_Personal/Q.md:0 the title "Q" is a name of 1_Projects/Lonely.md as well`,
		`orphan 3_Personal/Q.md:0 nothing links to this page`,
	)
	if got := check(t, v, "2026-07-08"); slices.ContainsFunc(got,
		func(s string) bool { return strings.HasPrefix(s, "old_conflict") }) {
		t.Errorf("30 days are not too long: %v", got)
	}
}

// TestExampleVault holds the check against the vault that is the shape to reach: only what is really off may be said.
func TestExampleVault(t *testing.T) {
	dir := filepath.Join("..", "..", "..", "shared", "example-vault")
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("the example vault is not here: %v", err)
	}
	copied := t.TempDir()
	if err := os.CopyFS(copied, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	wants(t, check(t, at(t, copied), "2026-06-10"))
}

func TestFixtureVaults(t *testing.T) {
	root := filepath.Join("..", "..", "..", "shared", "fixtures", "vaults")
	dirs, err := os.ReadDir(root)
	if err != nil {
		t.Skipf("the fixture vaults are not here: %v", err)
	}
	for _, d := range dirs {
		copied := t.TempDir()
		if err := os.CopyFS(copied, os.DirFS(filepath.Join(root, d.Name()))); err != nil {
			t.Fatal(err)
		}
		v := at(t, copied)
		found, err := Check(t.Context(), v, "2026-06-10")
		if err != nil {
			t.Fatal(err)
		}
		kinds := map[Kind]int{}
		for _, f := range found {
			kinds[f.Kind]++
			if testing.Verbose() && f.Kind != Orphan {
				t.Logf("%+v", f)
			}
			if f.Kind == LostSource || f.Kind == Forgotten || f.Kind == Unreadable {
				t.Errorf("%s: %+v", d.Name(), f)
			}
		}
		t.Log(d.Name(), kinds)
		again, _ := Check(t.Context(), v, "2026-06-10")
		if !slices.Equal(again, found) {
			t.Error("two answers")
		}
	}
}

// memVault is a large vault that takes no room.
type memVault struct {
	pages int
	reads int
}

func (*memVault) Layout() vault.Layout { return vault.Layout{} }

func (m *memVault) Dir() string { return "" }

func (m *memVault) Walk(_ context.Context, fn func(vault.Path, vault.FileInfo) error) ([]vault.Problem, error) {
	for i := range m.pages {
		if err := fn(vault.Path(fmt.Sprintf("2_Wiki/Concepts/Page %05d.md", i)), vault.FileInfo{}); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

func (m *memVault) ReadFile(p vault.Path) ([]byte, error) {
	m.reads++
	if strings.HasPrefix(string(p), vault.ArchiveDir) {
		return []byte(log8), nil
	}
	var b strings.Builder
	var i int
	_, _ = fmt.Sscanf(string(p), "2_Wiki/Concepts/Page %d.md", &i)
	fmt.Fprintf(&b, "---\ntitle: Page %05d\n---\n# Page %05d\n\n## Facts\n", i, i)
	for k := range 10 {
		fmt.Fprintf(&b, "- A statement about [[Page %05d#Facts]] that says something ([[2026-%02d-%02d#^faaaaaaaaa|x]])\n",
			(i*7+k*13)%m.pages, 1+k%12, 1+i%28)
	}
	return []byte(b.String()), nil
}

func (m *memVault) Stat(vault.Path) (vault.FileInfo, error) { return vault.FileInfo{}, os.ErrNotExist }

func (*memVault) Accounted() (*vault.Accounts, error)      { return nil, nil }
func (m *memVault) Tombstones() (*vault.Tombstones, error) { return nil, nil }

func TestLargeVault(t *testing.T) {
	m := &memVault{pages: 10000}
	if testing.Short() {
		m.pages = 1000
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	found, err := Check(t.Context(), m, "")
	if err != nil || len(found) > 0 {
		t.Errorf("%d findings, %v", len(found), err)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if m.reads > 25000 {
		t.Errorf("%d reads", m.reads)
	}
	t.Logf("%d reads, %d MB in all", m.reads, (after.TotalAlloc-before.TotalAlloc)>>20)
}

// Nothing is a link in code, wherever that stands, and a heading is one in every form.
func TestCodeHasNoLinks(t *testing.T) {
	v := open(t, map[string]string{
		"index.md": "[[A]]\n",
		"1_Projects/A.md": "1. ```\n   [[in a fence]]\n   ```\n\nText\n\n    [[indented]]\n\n`over\n[[lines]]` ``a ` [[b]]`` \\`[[Gone]]`\n\n" +
			"> Quoted\n> ===\n\n[[#Quoted]] <!-- [[c]]\n[[d]] --> [[#in a fence]]\n",
	})
	wants(t, check(t, v, ""),
		"dead_link 1_Projects/A.md:10 [[Gone]] leads to no file",
		"dead_link 1_Projects/A.md:16 [[#in a fence]] leads to no heading or block of this page",
	)
}

func FuzzLinks(f *testing.F) {
	f.Add("[[a|b]] `[[c]]` %%x [[d]]\n[[e#f^g]] <!-- ``` -->\n```\n[x](y)")
	f.Add("> ```\n> [[x]]\n~~~~\n- # h ^b\n---\n[[2026-06-09#^f1]]")
	f.Fuzz(func(t *testing.T, s string) {
		lines := strings.Count(s, "\n") + 1
		has := partsOf([]byte(s))
		for l := range links([]byte(s)) {
			if l.line < 1 || l.line > lines || l.text == "" {
				t.Errorf("%+v", l)
			}
			_ = has.has(l.part)
		}
	})
}

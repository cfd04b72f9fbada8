package indexer_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/vault"
)

var update = flag.Bool("update", false, "write the golden files")

// show prints rows for people to compare.
func show(rows []indexer.Row) string {
	var b strings.Builder
	for _, r := range rows {
		fmt.Fprintf(&b, "line %d %s", r.Line, r.ID)
		if r.Category != "" {
			fmt.Fprintf(&b, " category=%s", r.Category)
		}
		if len(r.Tags) > 0 {
			fmt.Fprintf(&b, " tags=%s", strings.Join(r.Tags, ","))
		}
		if !r.At.IsZero() {
			fmt.Fprintf(&b, " at=%s", r.At.Format("2006-01-02T15:04"))
		}
		if r.Past {
			b.WriteString(" past")
		}
		fmt.Fprintf(&b, "\n  [%s]\n", r.Context)
		for line := range strings.SplitSeq(r.Text, "\n") {
			b.WriteString("  | " + line + "\n")
		}
	}
	return b.String()
}

func TestPageRowsGolden(t *testing.T) {
	names, err := filepath.Glob("testdata/pages/*.md")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		rows, _ := indexer.PageSource(vault.Layout{}).Rows(vault.Path("1_Projects/"+filepath.Base(name)), data, indexer.Env{})
		got, golden := show(rows), strings.TrimSuffix(name, ".md")+".golden"
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(want), got); d != "" {
			t.Errorf("%s:\n%s", name, d)
		}
		lines := strings.Split(string(data), "\n")
		for _, r := range rows {
			if r.Line < 1 || r.Line > len(lines) {
				t.Errorf("%s: row %s at line %d of %d", name, r.ID, r.Line, len(lines))
			}
		}
	}
}

func TestSourcesDivideTheVault(t *testing.T) {
	for p, want := range map[vault.Path]string{
		"memory/archive/2026-06-09.md":      "log",
		"memory/archive/notes.md":           "",
		"memory/drawers/2026-06-09.md":      "drawer",
		"memory/diary/claude/2026-06-09.md": "diary",
		"memory/MEMORY.md":                  "core",
		"memory/persona.md":                 "core",
		"1_Projects/Billing.md":             "page",
		"0_Inbox/Ünïcode 🙂.md":              "page",
		"own folder/Page.MD":                "page",
		"index.md":                          "",
		"log.md":                            "",
		"schema.md":                         "",
		".state/x.md":                       "",
		"4_Assets/picture.png":              "",
	} {
		got := ""
		for _, src := range indexer.DefaultSources(vault.Layout{}) {
			if src.Match(p) {
				got += src.Name
			}
		}
		if got != want {
			t.Errorf("%s: source %q, want %q", p, got, want)
		}
	}
}

func TestDrawerChunksShareTheirPlace(t *testing.T) {
	long := strings.Repeat("A sentence about the old harbour and its lighthouse. ", 60)
	data := string(vault.FormatDrawer(vault.Drawer{
		ID: "d0k2m9x1aa", At: vault.Day("2026-06-09").Time(), ChatID: "c1", Ref: "r1",
		Speaker: "Alice", Text: "short",
	})) +
		"\n" + string(vault.FormatDrawer(vault.Drawer{
		ID: "d0k2m9x1ab", At: vault.Day("2026-06-09").Time(), ChatID: "c1", Ref: "r2",
		Speaker: "Bob", Text: long, Noise: true,
	}))
	rows, problems := indexer.DrawerSource().Rows("memory/drawers/2026-06-09.md", []byte(data), indexer.Env{})
	if len(problems) > 0 || len(rows) < 4 {
		t.Fatalf("%d rows, problems %v", len(rows), problems)
	}
	for i, r := range rows {
		id, seq := "d0k2m9x1aa", 1
		if i > 0 {
			id, seq = "d0k2m9x1ab", 2
		}
		if i > 1 {
			id += fmt.Sprint(".", i)
		}
		if r.ID != id || r.Seq != seq || r.Session != "c1|2026-06-09" || len(r.Refs) != 1 || r.Context == "" {
			t.Errorf("row %d: id %s seq %d session %s refs %v context %q", i, r.ID, r.Seq, r.Session, r.Refs, r.Context)
		}
		if utf8.RuneCountInString(r.Text) > 800 {
			t.Errorf("row %d has %d characters", i, utf8.RuneCountInString(r.Text))
		}
	}
}

func TestDiaryKnowsItsAgent(t *testing.T) {
	rows, _ := indexer.DiarySource().Rows("memory/diary/claude/2026-06-09.md",
		[]byte("# Diary\n\n## 14:32 — review\nFound the bug.\n"), indexer.Env{})
	if len(rows) != 1 || rows[0].Agent != "claude" || rows[0].Source != catalog.Diary || rows[0].At.Format("2006-01-02 "+
		"15:04") != "2026-06-09 14:32" {
		t.Errorf("%+v", rows)
	}
}

// TestRealVaultsLoseNoWord: every word of a visible paragraph line is in some row, or in the context
// of one.
func TestRealVaultsLoseNoWord(t *testing.T) {
	root := "../../shared/fixtures/vaults"
	if _, err := os.Stat(root); err != nil {
		t.Skipf("the sample vaults are not here: %v", err)
	}
	var (
		word    = regexp.MustCompile(`[\p{L}\p{N}]{2,}`)
		clutter = regexp.MustCompile(`!?\[\[[^\]]*\]\]|!?\[[^\]]*\]\([^)]*\)|<[^>]*>|https?://\S+|&[a-z#0-9]+;|%%.*%%|\$\{[^}]*\}|\[\^[^\]]*\]`)
		skip    = regexp.MustCompile("^\\s*(\\||<|\\[[^\\]]+\\]:|!|\\^)|%%|\\]\\]|\\[\\[|\\]\\[|\\*[0-9]|`")
		number  = regexp.MustCompile(`^[\s>]*\d+[.)]\s`)
		hidden  = regexp.MustCompile(`(?s)<!--.*?-->|(?m:^\s*)%%.*?%%`)
	)
	files, words := 0, 0
	err := filepath.WalkDir(root, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".md" {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if files++; testing.Short() && files%4 > 0 {
			return nil
		}
		rel, _ := filepath.Rel(root, name)
		p := vault.Path(filepath.ToSlash(rel))
		page := vault.ParsePage(p, data)
		rows, _ := indexer.PageSource(vault.Layout{}).Rows(p, data, indexer.Env{})
		have, ids := map[string]bool{}, map[string]bool{}
		for _, r := range rows {
			if ids[r.ID] {
				t.Errorf("%s: two rows %s", p, r.ID)
			}
			ids[r.ID] = true
			if utf8.RuneCountInString(r.Text) > 2000 {
				t.Errorf("%s: row %s has %d characters", p, r.ID, utf8.RuneCountInString(r.Text))
			}
			for _, w := range word.FindAllString(r.Context+" "+r.Text, -1) {
				have[w] = true
			}
		}
		fence := ""
		body := hidden.ReplaceAllStringFunc(string(page.Body), func(s string) string { return strings.Repeat("\n", strings.Count(s, "\n")) })
		for i, line := range strings.Split(body, "\n") {
			trimmed := strings.TrimLeft(line, " \t>-*")
			if fence == "" && (strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~")) {
				fence = trimmed[:3]
				continue
			} else if fence != "" {
				if strings.HasPrefix(trimmed, fence) {
					fence = ""
				}
				continue
			}
			if skip.MatchString(line) {
				continue
			}
			for _, w := range word.FindAllString(clutter.ReplaceAllString(number.ReplaceAllString(line, ""), " "), -1) {
				if words++; !have[w] {
					t.Errorf("%s line %d: %q of %q is in no row", p, i+page.BodyLine, w, line)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d files, %d words", files, words)
}

func FuzzPageRows(f *testing.F) {
	names, _ := filepath.Glob("testdata/pages/*.md")
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte("- a ([[2026-06-09#^f1|9]], [[x/2026-06-10.md#^f2]]) ^b\n\n| [[2026-06-11#^f3\\|c]] |\n|-|\n| x |\n> [!a] [[ " +
		"2026-06-12#^f4]]\n"))
	f.Add([]byte("\xef\xbb\xbf---\r\na: b\r\n---\r\n- x ^id\r\n\r\n%%\n`%%`\n[[|]] [[#]] [[a|]] ![[b]] > [!x]\n> [!y]-\n"))
	src := indexer.PageSource(vault.Layout{})
	f.Fuzz(func(t *testing.T, data []byte) {
		rows, _ := src.Rows("0_Inbox/f.md", data, indexer.Env{})
		again, _ := src.Rows("0_Inbox/f.md", data, indexer.Env{})
		if d := cmp.Diff(rows, again); d != "" {
			t.Fatal("not a pure function:\n" + d)
		}
		lines := strings.Count(string(data), "\n") + 1
		ids := map[string]bool{}
		for _, r := range rows {
			if ids[r.ID] || r.ID == "" || r.Line < 1 || r.Line > lines || strings.TrimSpace(r.Text) == "" || strings.ContainsRune(r.Text, 0) {
				t.Fatalf("row %+v of %d lines", r, lines)
			}
			ids[r.ID] = true
		}
		// Whatever day the rows ask about is a day by which the file is read again.
		cited := indexer.Uses(src, "0_Inbox/f.md", data)["ledger"]
		_, _ = src.Rows("0_Inbox/Conflicts.md", data, indexer.Env{Consumed: func(day vault.Day, id string) (vault.Account, bool) {
			if !slices.Contains(cited, string(day)) {
				t.Fatalf("the rows depend on %s, and the days cited are %v", day, cited)
			}
			return vault.Account{Day: day, Page: "x", Drawer: id}, true
		}})
	})
}

// TestACopyInAnotherLogIsAnotherFact: a ledger names a fact by its day and its id, so a line that was copied with its id into
// another day's log, and edited there, is not accounted for. A ledger from before they named days means the id wherever it stands.
func TestACopyInAnotherLogIsAnotherFact(t *testing.T) {
	for day, want := range map[string][]string{"2026-06-02": {"Alice likes coffee"}, "2026-06-04": {
		"Alice likes coffee",
		"Alice likes tea",
	}, "": nil} {
		w := newWorld(t).open()
		w.write("memory/archive/2026-06-02.md", "# 2026-06-02\n\n- [fact] Alice likes tea ^f1\n")
		w.write("memory/archive/2026-06-03.md", "# 2026-06-03\n\n- [fact] Alice likes coffee ^f1\n")
		w.sync()
		w.write(".state/dreams/r-1/ledger.jsonl", fmt.Sprintf(`{"fact":"f1","day":%q,"outcome":"kept"}`+"\n", day))
		w.write(".state/dreams/r-1/done", "")
		w.write("log.md", "# Log\n\n## 2026-06-05 03:00 — dream r-1\nwatermark=2026-06-04\n1 day\n")
		w.sync("log.md", ".state/dreams/r-1/done")
		if d := cmp.Diff(want, w.texts()); d != "" {
			t.Errorf("consumed of %q:\n%s", day, d)
		}
		w.equal()
		w.verified()
	}
}

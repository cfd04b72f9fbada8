package navigate

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/dream/merge"
	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/vault"
)

func noor() []Item {
	return []Item{
		{Page: "Noor", Text: "birthday on 4 March", Sources: []page.Source{{Day: "2026-06-08", ID: "f0k2m9x1ae"}}},
		{Page: "Noor", Text: "birthday on 14 March", Sources: []page.Source{{Day: "2026-06-09", ID: "f7q2c81xk4"}}},
	}
}

const noorFile = `# Conflicts

Tick what is right, or correct it; the next dream settles the page.

- [ ] [[Noor]]: birthday on 4 March ([[2026-06-08#^f0k2m9x1ae|8 Jun 2026]])
- [ ] [[Noor]]: birthday on 14 March ([[2026-06-09#^f7q2c81xk4|9 Jun 2026]])
`

// shared is a file of the example vault, where it is at hand.
func shared(t *testing.T, name string) string {
	t.Helper()
	dir := os.Getenv("REVERIE_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared")
	}
	data, err := os.ReadFile(filepath.Join(dir, "example-vault", name))
	if err != nil {
		t.Skipf("the example vault is not here: %v", err)
	}
	return string(data)
}

func TestAppendItems(t *testing.T) {
	got := AppendItems(nil, Lists[vault.ConflictsPath], noor())
	if string(got) != noorFile {
		t.Fatalf("got\n%s", got)
	}
	if again := AppendItems(got, Lists[vault.ConflictsPath], noor()); string(again) != noorFile {
		t.Errorf("doubled:\n%s", again)
	}
	ticked := strings.Replace(noorFile, "[ ]", "[x]", 1)
	if again := AppendItems([]byte(ticked), Lists[vault.ConflictsPath], noor()); string(again) != ticked {
		t.Errorf("a ticked one came again:\n%s", again)
	}
	more := []Item{{Text: "a fact\n- with <!-- tricks", Plain: true}, {Page: "1_Projects/Billing", Text: "x"}}
	for before, want := range map[string]string{
		"# My head\r\n* own\r\n  nested\r\nafter": "# My head\r\n* own\r\n  nested\r\n- a fact - with \\<!-- tricks\r\n- [ ] " +
			"[[1_Projects/Billing|Billing]]: x\r\nafter",
		"text":         "text\n\n- a fact - with \\<!-- tricks\n- [ ] [[1_Projects/Billing|Billing]]: x",
		"\xef\xbb\xbf": "\xef\xbb\xbfHi\n\n- a fact - with \\<!-- tricks\n- [ ] [[1_Projects/Billing|Billing]]: x\n",
		"```\n- no item\n```\n\n<!--\n- no\n-->\n\nx\n": "```\n- no item\n```\n\n<!--\n- no\n-->\n\nx\n\n- a fact - with \\<!-- " +
			"tricks\n- [ ] [[1_Projects/Billing|Billing]]: x\n",
	} {
		got := AppendItems([]byte(before), "Hi\n", more)
		if string(got) != want {
			t.Errorf("got %q, want %q", got, want)
		}
		if again := AppendItems(got, "Hi\n", more); string(again) != want {
			t.Errorf("doubled: %q", again)
		}
	}
}

func TestParseItemsOfTheExample(t *testing.T) {
	file := shared(t, "0_Inbox/Conflicts.md")
	if got := AppendItems(nil, Lists[vault.ConflictsPath], noor()); string(got) != file {
		t.Errorf("got\n%s\nthe example\n%s", got, file)
	}
	items := ParseItems([]byte(file))
	if len(items) != 2 || items[1].Line != 6 || items[1].Page != "Noor" || items[1].Text != "birthday on 14 March" ||
		!slices.Equal(items[1].Sources, noor()[1].Sources) || items[1].Ticked || items[1].Plain {
		t.Errorf("got %+v", items)
	}
}

func TestTakeItems(t *testing.T) {
	file := "\xef\xbb\xbf" + strings.ReplaceAll(noorFile, "\n", "\r\n") + "  - my note\r\nend"
	got := TakeItems([]byte(file), func(it Item) bool { return it.Text == "birthday on 14 March" })
	lines := strings.SplitAfter(file, "\r\n")
	want := strings.Join(slices.Delete(lines, 5, 6), "")
	if string(got) != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := TakeItems([]byte(file), func(Item) bool { return false }); string(got) != file {
		t.Errorf("got %q", got)
	}
}

func TestChanges(t *testing.T) {
	now := ParseItems([]byte("- [x] [[Noor]]: birthday on 5 March ([[2026-06-08#^f0k2m9x1ae|8 Jun 2026]])\n- [ ] [[Bob]]: mine\n"))
	c := Changes(noor(), now)
	if len(c) != 2 || !c[0].Ticked || !c[0].Edited || c[0].Text != "birthday on 5 March" || c[0].Deleted || !c[1].Deleted {
		t.Errorf("got %+v", c)
	}
	for _, same := range Changes(noor(), ParseItems([]byte(noorFile))) {
		if same.Ticked || same.Edited || same.Deleted {
			t.Errorf("got %+v", same)
		}
	}
}

func FuzzItems(f *testing.F) {
	f.Add(noorFile, "Noor", "a text", true)
	f.Add("\xef\xbb\xbf- a\r\n\t- b", "", "[[X]]: y ([[2026-06-08#^f0k2m9x1ae]])", false)
	f.Add("```\n- a", "a/b", "%%", false)
	f.Fuzz(func(t *testing.T, file, name, text string, plain bool) {
		items := []Item{{Page: name, Text: text, Plain: plain}, noor()[0]}
		got := AppendItems([]byte(file), "intro\n", items)
		if strings.TrimSpace(strings.TrimPrefix(file, merge.ByteOrderMark)) != "" {
			had, has := tally([]byte(file)), tally(got)
			for line, n := range had {
				if has[line] < n && !strings.HasSuffix(file, "\r") {
					t.Errorf("%q is lost from %q: %q", line, file, got)
				}
			}
		}
		if all := ParseItems(got); len(all) > 0 {
			if again := AppendItems(got, "intro\n", items); string(again) != string(got) {
				t.Errorf("doubled: %q, then %q", got, again)
			}
		}
		if taken := ParseItems(TakeItems(got, func(Item) bool { return true })); len(taken) > 0 && !strings.Contains(file, "---") {
			t.Errorf("left: %+v", taken)
		}
	})
}

func TestJournalEntry(t *testing.T) {
	at := time.Date(2026, 6, 10, 3, 0, 59, 0, time.UTC)
	e := Entry{
		At: at, Run: "r-20260610-0300", Watermark: "2026-06-09", Days: 2, Facts: 10, Created: 4,
		Outcomes: []Count{{"kept", 5}, {"merged", 0}, {"duplicate", 1}, {"superseded", 2}, {"conflict", 2}},
	}
	want := `# Log

## 2026-06-10 03:00 — dream r-20260610-0300
watermark=2026-06-09
2 days, 10 facts: 5 kept, 1 duplicate, 2 superseded, 2 conflict. Pages: 4 created, 0 updated.
`
	log := AppendEntry(nil, e)
	if string(log) != want {
		t.Errorf("got\n%s", log)
	}
	if got := AppendEntry([]byte("# Log\n"), e); string(got) != want {
		t.Errorf("got\n%s", got)
	}
	if example := shared(t, "log.md"); example != want {
		t.Errorf("the example is\n%s", example)
	}
}

func TestJournalRoundTrip(t *testing.T) {
	at := time.Date(2026, 6, 10, 3, 0, 0, 0, time.UTC)
	log := []byte("# Log\r\n\r\nMy words.\r\n```\r\nan open fence")
	before := string(log)
	entries := []Entry{
		{
			At: at, Run: "r-1", Watermark: "2026-06-09", Days: 1, Facts: 1, Settled: 1,
			Forgotten: 2,
		},
		{At: at.Add(time.Hour), Run: "r-2", Watermark: "2026-06-09", Days: 2, Facts: 3, Skipped: true},
		{At: at.Add(2 * time.Hour), Run: "r-2", Undo: true, Watermark: "2026-06-08", Restored: 2, Kept: 1},
		{At: at.Add(3 * time.Hour), Run: "r-3", Days: 1, Facts: 2},
		{At: at.Add(4 * time.Hour), Run: "r-1", Undo: true, NoWatermark: true},
	}
	for i, e := range entries {
		log = AppendEntry(log, e)
		j := vault.ParseJournal(log)
		if len(j.Problems) > 0 || len(j.Entries) != i+1 {
			t.Fatalf("%d entries, %v\n%s", len(j.Entries), j.Problems, log)
		}
		got := j.Entries[i]
		title := "dream " + e.Run
		if e.Undo {
			title = "undo of " + e.Run
		}
		if !got.At.Equal(e.At) || got.Title != title || got.Watermark != e.Watermark {
			t.Errorf("got %+v of %+v", got, e)
		}
		if want := []vault.Day{"2026-06-09", "2026-06-09", "2026-06-08", "2026-06-08", ""}[i]; j.Watermark != want {
			t.Errorf("entry %d: watermark %q, want %q", i, j.Watermark, want)
		}
	}
	if !strings.HasPrefix(string(log), before) || strings.Contains(strings.ReplaceAll(string(log), "\r\n", ""), "\n") {
		t.Errorf("got %q", log)
	}
}

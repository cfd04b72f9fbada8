package vault

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.uber.org/goleak"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func golden(t *testing.T, name, got string) {
	t.Helper()
	name = filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs (-want +got):\n%s", name, diff)
	}
}

func TestParseFactLine(t *testing.T) {
	for line, want := range map[string]lineFact{
		"- [career] Alice moved to the Berlin office `work city` ^f7q2c81xk0": {
			"career", "Alice moved to the Berlin office",
			"f7q2c81xk0",
			[]string{"work", "city"},
		},
		"- Alice likes tea":                  {"general", "Alice likes tea", "", nil},
		"* Alice likes tea":                  {"general", "Alice likes tea", "", nil},
		"+ [food]  Alice likes tea  ":        {"food", "Alice likes tea", "", nil},
		"- [ ] call the bank":                {"task", "call the bank", "", nil},
		"- [x] call the bank #money":         {"task", "call the bank", "", []string{"money"}},
		"- [[Alice]] moved":                  {"general", "[[Alice]] moved", "", nil},
		"- [Alice](https://a.example) moved": {"general", "[Alice](https://a.example) moved", "", nil},
		"- [^1] a footnote":                  {"general", "[^1] a footnote", "", nil},
		"- several `a` `b c` #d ^my-note":    {"general", "several", "my-note", []string{"a", "b", "c", "d"}},
		"- run `make test` to see":           {"general", "run `make test` to see", "", nil},
		"- fixes issue #123":                 {"general", "fixes issue #123", "", nil},
		"- #reading":                         {"general", "#reading", "", nil},
		"- `make test`":                      {"general", "`make test`", "", nil},
		"- run `make test\\` `build` ^f1":    {"general", "run `make test`", "f1", []string{"build"}},
		"- see \\#build `x`":                 {"general", "see #build", "", []string{"x"}},
		"- C:\\path\\to \\\\server":          {"general", "C:\\path\\to \\server", "", nil},
		"-\ttabbed":                          {"general", "tabbed", "", nil},
		"- [a\\]b] text":                     {"a]b", "text", "", nil},
		"- [] text":                          {"general", "[] text", "", nil},
		"- [career]":                         {"general", "[career]", "", nil},
		"- Größe 日本語 🙂 #größe":               {"general", "Größe 日本語 🙂", "", []string{"größe"}},
	} {
		got, bullet := parseFactLine(line)
		if !bullet {
			t.Errorf("%q is no list item", line)
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(lineFact{})); diff != "" {
			t.Errorf("%q (-want +got):\n%s", line, diff)
		}
	}
	for _, line := range []string{"", "text", "  - nested", "**bold** text", "---", "-text", "1. one"} {
		if _, bullet := parseFactLine(line); bullet {
			t.Errorf("%q is taken for a list item", line)
		}
	}
}

func at(s string) time.Time {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		panic(err)
	}
	return t
}

const sampleLog = `# Daily Log - 2026-06-09

Some words of a person.
And more.

## 14:32 — chat-42
<!-- turn=01JZ origin=user agent=claude drawer=d3k9x2m1qa speaker="Alice B" mood=fine -->
- [career] Alice moved to the Berlin office ` + "`work city`" + ` ^f7q2c81xk0
- written by hand
- written by  HAND
  - nested
- [x] pay rent
-
` + "```" + `
- not a fact
` + "```" + `
%%
- nor this
%%
<!--
- nor this
-->

## Notes
- under a heading without a time

## 15:00 - other
` + "```" + `
- after a forgotten fence

## 15:05 — third
- last ^f7q2c81xk0
- no end`

func TestParseLog(t *testing.T) {
	l := ParseLog(LogPath("2026-06-09"), []byte(sampleLog))
	var b strings.Builder
	for _, f := range l.Facts {
		fmt.Fprintf(&b, "%d %s %s %s [%s] %q %v hand=%v chat=%q turn=%q origin=%q speaker=%q\n", f.Line, f.ID, f.Day,
			f.Section.At.Format(time.TimeOnly), f.Category, f.Text, f.Tags, f.Hand, f.Section.ChatID, f.Section.Turn, f.Section.Origin,
			f.Section.Speaker)
	}
	for _, p := range l.Problems {
		fmt.Fprintf(&b, "%s:%d: %s\n", p.Path, p.Line, p.Reason)
	}
	golden(t, "log.golden", b.String())
}

func TestHandIDsDependOnWordsAndRankAlone(t *testing.T) {
	ids := func(s string) (out []string) {
		for _, f := range ParseLog(LogPath("2026-06-09"), []byte(s)).Facts {
			out = append(out, f.ID)
		}
		return out
	}
	a := ids("- Tea\n- coffee\n- tea\n")
	b := ids("- coffee #drink\n\n## 10:00 — x\n- [food] tea\n- TEA ^own\n- Tea\n")
	if a[0] == a[2] {
		t.Error("equal lines share an id")
	}
	if diff := cmp.Diff([]string{a[1], a[0], "own", a[2]}, b); diff != "" {
		t.Error(diff)
	}
}

func TestOddFiles(t *testing.T) {
	long := strings.Repeat("long ", 200_000)
	for name, data := range map[string]string{
		"empty":           "",
		"bom alone":       "\xef\xbb\xbf",
		"bom and crlf":    "\xef\xbb\xbf# Daily Log - 2026-06-09\r\n\r\n## 10:00 — c\r\n- fact\r\n",
		"invalid utf-8":   "## 10:00 — \xff\n- \xfe\xff fact\n",
		"long line":       "- " + long + "\n- after\n",
		"no line breaks":  strings.Repeat("\r", 1000),
		"nul":             "\x00\x00\x00",
		"unclosed blocks": strings.Repeat("<!--\n```\n%%\n~~~\n", 20_000),
		"fences":          strings.Repeat("```drawer\n", 2000),
		"front":           "---\nx: 1\n---\n- fact\n",
	} {
		if got := ParseLog(LogPath("2026-06-09"), []byte(data)).data; string(got) != data {
			t.Errorf("%s: the log changed", name)
		}
		if got := ParseDrawers(DrawerPath("2026-06-09"), []byte(data)).data; string(got) != data {
			t.Errorf("%s: the drawer file changed", name)
		}
		p := ParsePage("2_Wiki/X.md", []byte(data))
		if string(p.Front)+string(p.Body) != data {
			t.Errorf("%s: the page changed", name)
		}
		ParseJournal([]byte(data))
	}
	l := ParseLog(LogPath("2026-06-09"), []byte("\xef\xbb\xbf## 10:00 — c\r\n<!-- turn=t1 -->\r\n- fact `a` ^f1\r\n"))
	want := Fact{
		ID: "f1", Day: "2026-06-09", Section: Section{At: at("2026-06-09T10:00:00Z"), ChatID: "c", Turn: "t1"},
		Category: "general", Text: "fact", Tags: []string{"a"}, Line: 3,
	}
	if diff := cmp.Diff([]Fact{want}, l.Facts); diff != "" {
		t.Error(diff)
	}
	if got := len(ParseLog(LogPath("2026-06-09"), []byte("- "+long+"\n- after\n")).Facts); got != 2 {
		t.Errorf("a long line: %d facts, want 2", got)
	}
}

func TestSectionValuesSurvive(t *testing.T) {
	for _, s := range []string{
		"plain", "two words", `quote " and \ slash`, "a=b", "-->", "<!-- x", "`tick`", "\x00\x1f\x7f", "\xff\xfe", "line\nbreak\r\ttab",
		"ünïcödé 日本語 👩‍👩‍👧", "\u2028\u2029\u0085\ufeff", " lead and trail ", `"`, `\`, `\n`, "^f1", "=", "x=", `a\x41`,
	} {
		want := Section{
			At: at("2026-06-09T10:00:00Z"), ChatID: strings.TrimSpace(s), Turn: s, Origin: Origin(s), Agent: s, Drawer: s,
			Ref: s, Speaker: s, Wing: s, Room: s,
		}
		data := FormatSection(want, []Fact{{ID: "f1", Text: "x"}})
		l := ParseLog(LogPath("2026-06-09"), data)
		if len(l.Facts) != 1 || len(l.Problems) != 0 {
			t.Fatalf("%q: %d facts, %v in\n%s", s, len(l.Facts), l.Problems, data)
		}
		if diff := cmp.Diff(want, l.Facts[0].Section); diff != "" {
			t.Errorf("%q (-want +got):\n%s\n%s", s, diff, data)
		}
		d := Drawer{
			ID: "d1", At: at("2026-06-09T10:00:07Z"), ChatID: want.ChatID, Wing: s, Room: s, Hall: s, Origin: Origin(s), Agent: s,
			Platform: s, Turn: s, Ref: s, Speaker: s, Noise: true, Text: s, Line: 1,
		}
		data = FormatDrawer(d)
		f := ParseDrawers(DrawerPath("2026-06-09"), data)
		if len(f.Drawers) != 1 || len(f.Problems) != 0 {
			t.Fatalf("%q: %d drawers, %v in\n%s", s, len(f.Drawers), f.Problems, data)
		}
		if diff := cmp.Diff(d, f.Drawers[0]); diff != "" {
			t.Errorf("%q (-want +got):\n%s\n%s", s, diff, data)
		}
	}
}

func FuzzFactRoundTrip(f *testing.F) {
	f.Add("career", "Alice moved `to` Berlin", "work city", "chat-42", "Alice")
	f.Add("x", "ends in `code`", "", "a ^b", "")
	f.Add("[a]", `back\slash \`+"`"+` ^f1`, "#t", "—", `"`)
	f.Add("^1", "`a` #b", "a`b", "\n", "\xff")
	f.Fuzz(func(t *testing.T, category, text, tags, chat, speaker string) {
		s := Section{At: at("2026-06-09T14:32:00Z"), ChatID: strings.TrimSpace(chat), Speaker: speaker, Wing: chat}
		want := Fact{
			ID: "f7q2c81xk0", Day: "2026-06-09", Section: s, Category: normalCategory(category), Text: oneLine(text),
			Tags: normalTags(strings.Split(tags, ",")),
		}
		if want.Text == "" {
			return
		}
		data := FormatSection(s, []Fact{{ID: want.ID, Category: category, Text: text, Tags: strings.Split(tags, ",")}})
		l := ParseLog(LogPath("2026-06-09"), data)
		if !bytes.Equal(l.data, data) || len(l.Problems) != 0 {
			t.Fatalf("problems %v in\n%q", l.Problems, data)
		}
		if diff := cmp.Diff([]Fact{want}, l.Facts, cmpopts.IgnoreFields(Fact{}, "Line"), cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("(-want +got):\n%s\n%q", diff, data)
		}
		// Without an id and without tags the text is still the text.
		l = ParseLog(LogPath("2026-06-09"), FormatSection(s, []Fact{{Text: text}}))
		if len(l.Facts) != 1 || l.Facts[0].Text != want.Text || len(l.Facts[0].Tags) != 0 || !l.Facts[0].Hand {
			t.Fatalf("by hand: %+v, want %q", l.Facts, want.Text)
		}
	})
}

// FuzzLogRoundTrip reads any file: nothing is lost, facts point at their lines, and purging one takes away that one.
func FuzzLogRoundTrip(f *testing.F) {
	f.Add([]byte(sampleLog))
	f.Add([]byte("\xef\xbb\xbf---\na: 1\n---\r\n- x ^f1\r\n- x ^f1"))
	f.Fuzz(func(t *testing.T, data []byte) {
		l := ParseLog(LogPath("2026-06-09"), data)
		if !bytes.Equal(l.data, data) {
			t.Fatal("bytes changed")
		}
		lines := bytes.Split(data, []byte{'\n'})
		seen := map[string]bool{}
		for _, f := range l.Facts {
			if f.Line < 1 || f.Line > len(lines) || seen[f.ID] || f.Text == "" {
				t.Fatalf("fact %+v", f)
			}
			seen[f.ID] = true
		}
		for i, f := range l.Facts {
			if i > 4 {
				break
			}
			if f.Hand {
				continue
			}
			rest := l.without(map[string]bool{f.ID: true})
			for _, g := range ParseLog(LogPath("2026-06-09"), rest).Facts {
				if g.ID == f.ID && g.Text == f.Text {
					t.Fatalf("fact %s is still there", f.ID)
				}
			}
		}
	})
}

// Facts that were filed long after they were said, or before, say when; those that were filed as they were said say nothing.
func TestFactsKnowWhenTheyWereFiled(t *testing.T) {
	now := at("2026-06-09T15:05:07Z")
	v := open(t, t.TempDir(), WithClock(func() time.Time { return now }))
	var sections []SectionFacts
	for id, s := range map[string]Section{
		"f1": {At: now}, "f2": {At: now.Add(-time.Minute)}, "f3": {At: now.Add(-3 * time.Minute)}, "f4": {At: now.Add(time.Hour)},
		"f5": {At: now, Filed: now.Add(-time.Hour)},
	} {
		sections = append(sections, SectionFacts{s, []Fact{{ID: id, Text: id}}})
	}
	written, err := v.AppendFacts(t.Context(), sections)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]time.Time{"f3": now, "f4": now, "f5": now.Add(-time.Hour)}
	parsed := ParseLog(LogPath("2026-06-09"), []byte(read(t, v, LogPath("2026-06-09")))).Facts
	if len(parsed) != len(sections) {
		t.Fatalf("%+v", parsed)
	}
	for _, f := range append(written, parsed...) {
		if got := f.Section.Filed; !got.Equal(want[f.ID]) {
			t.Errorf("%s: filed at %v, want %v", f.ID, got, want[f.ID])
		}
	}
}

package vault

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func drawerOf(id, text string) Drawer {
	return Drawer{ID: id, At: at("2026-06-09T14:32:00Z"), ChatID: "c", Origin: OriginUser, Turn: "t", Text: text}
}

func texts(f *DrawerFile) (out []string) {
	for _, d := range f.Drawers {
		out = append(out, d.ID+": "+d.Text)
	}
	return out
}

func TestDrawerTextsSurvive(t *testing.T) {
	for _, s := range []string{
		"", "\n", "\n\n", "text", "text\n", "\r", "\r\n", "a\r\nb\r\n", "\x00\xff\xfe", "```", "```\n````\n", "`````drawer wing=x",
		"## 10:00 — c ^d1\n```drawer wing=\ninner\n```\n", closedNote, "\xef\xbb\xbf", strings.Repeat("`", 500), "~~~\n",
	} {
		data := append(FormatDrawer(drawerOf("d1", s)), append([]byte("\n"), FormatDrawer(drawerOf("d2", "next"))...)...)
		f := ParseDrawers(DrawerPath("2026-06-09"), data)
		if diff := cmp.Diff([]string{"d1: " + s, "d2: next"}, texts(f)); diff != "" || len(f.Problems) > 0 {
			t.Errorf("%q: %v %v\n%s", s, diff, f.Problems, data)
		}
	}
}

func TestDrawersAfterAPersonsEdits(t *testing.T) {
	one := string(FormatDrawer(drawerOf("d1", "one")))
	two := string(FormatDrawer(drawerOf("d2", "two")))
	long := string(FormatDrawer(drawerOf("d3", "a ``` b")))
	open := func(s string) string { return strings.TrimRight(strings.TrimRight(s, "\n"), "`") + "\n" }
	for name, c := range map[string]struct {
		data     string
		want     []string
		problems int
	}{
		"words between":           {one + "\nwords\nmore\n\n" + two, []string{"d1: one", "d2: two"}, 1},
		"a fence taken away":      {open(one) + "\n" + two, []string{"d1: one", "d2: two"}, 1},
		"a long fence taken away": {open(long) + "\n" + one + "\n" + two, []string{"d3: a ``` b", "d1: one", "d2: two"}, 1},
		"a long one, then another": {
			open(long) + "\n" + one + "\n" + strings.ReplaceAll(long, "d3", "d4"),
			[]string{"d3: a ``` b", "d1: one", "d4: a ``` b"},
			1,
		},
		"closed by us": {
			open(long) + "\n" + one + "````\n" + closedNote + "\n\n" + two,
			[]string{"d3: a ``` b", "d1: one", "d2: two"},
			1,
		},
		"the last fence taken away":      {one + "\n" + open(two), []string{"d1: one", "d2: two"}, 1},
		"a heading without its drawer":   {"## 10:00 — c ^d9\n\n" + one, []string{"d1: one"}, 1},
		"the heading changed":            {strings.Replace(one, "14:32 — c ^d1", "15:40 — renamed ^d1", 1), []string{"d1: one"}, 0},
		"one twice":                      {one + "\n" + one, []string{"d1: one"}, 1},
		"cut off, then whole":            {open(strings.Replace(one, "one", "on", 1)) + "\n" + one, []string{"d1: one"}, 2},
		"crlf":                           {strings.ReplaceAll(one, "\n", "\r\n"), []string{"d1: one\r"}, 0},
		"a block of code between":        {one + "\n```go\nx := 1\n```\n\n" + two, []string{"d1: one", "d2: two"}, 1},
		"a line of the text was changed": {strings.Replace(one, "one", "1 and `2`", 1), []string{"d1: 1 and `2`"}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			f := ParseDrawers(DrawerPath("2026-06-09"), []byte(c.data))
			if diff := cmp.Diff(c.want, texts(f)); diff != "" {
				t.Errorf("(-want +got):\n%s\n%s", diff, c.data)
			}
			if len(f.Problems) != c.problems {
				t.Errorf("problems %v, want %d", f.Problems, c.problems)
			}
		})
	}
}

func TestDrawerByHand(t *testing.T) {
	data := "## 10:00 — note\n```drawer wing=home\ncall Bob\n```\n\n```drawer\ncall Bob\n```\n"
	f := ParseDrawers(DrawerPath("2026-06-09"), []byte(data))
	if len(f.Drawers) != 2 || f.Drawers[0].Wing != "home" || f.Drawers[0].ChatID != "note" || f.Drawers[0].ID == f.Drawers[1].ID ||
		!isOwnID('d', f.Drawers[0].ID) {
		t.Errorf("%+v", f.Drawers)
	}
	if len(f.Problems) != 1 {
		t.Errorf("problems %v", f.Problems)
	}
}

func TestSecondsFollowTheHeading(t *testing.T) {
	d := drawerOf("d1", "x")
	d.At = at("2026-06-09T14:32:07Z")
	data := FormatDrawer(d)
	if got := ParseDrawers(DrawerPath("2026-06-09"), data).Drawers[0].At; !got.Equal(d.At) {
		t.Errorf("got %v", got)
	}
	moved := bytes.Replace(data, []byte("14:32 "), []byte("15:00 "), 1)
	if got := ParseDrawers(DrawerPath("2026-06-09"), moved).Drawers[0].At; !got.Equal(at("2026-06-09T15:00:00Z")) {
		t.Errorf("a person's time is overruled: %v", got)
	}
}

func FuzzDrawerRoundTrip(f *testing.F) {
	f.Add("text", "chat", "Alice B", "wing")
	f.Add("```\n````", "a ^b", "`", "x=\"y")
	f.Add("## 10:00 — c ^d1\n```drawer\n", "\n", "\xff", "")
	f.Fuzz(func(t *testing.T, text, chat, speaker, wing string) {
		d := Drawer{
			ID: "d3k9x2m1qa", At: at("2026-06-09T14:32:07Z"), ChatID: strings.TrimSpace(chat), Wing: wing, Origin: OriginTool,
			Speaker: speaker, Text: text,
		}
		next := drawerOf("d2", "next")
		data := append(FormatDrawer(d), append([]byte("\n"), FormatDrawer(next)...)...)
		file := ParseDrawers(DrawerPath("2026-06-09"), data)
		if !bytes.Equal(file.data, data) || len(file.Problems) > 0 {
			t.Fatalf("problems %v in\n%q", file.Problems, data)
		}
		if diff := cmp.Diff([]Drawer{d, next}, file.Drawers, cmpopts.IgnoreFields(Drawer{}, "Line")); diff != "" {
			t.Fatalf("(-want +got):\n%s\n%q", diff, data)
		}
		rest := file.without(map[string]bool{d.ID: true})
		if !bytes.Equal(rest, FormatDrawer(next)) {
			t.Fatalf("purged: %q", rest)
		}
		// A write that was cut off anywhere is noticed, and never taken for a whole drawer.
		record := FormatDrawer(d)
		cut := (len(text)*7 + len(chat)) % len(record)
		torn := ParseDrawers(DrawerPath("2026-06-09"), append(append(FormatDrawer(next), '\n'), record[:cut]...))
		for i, got := range torn.Drawers {
			if got.ID == d.ID && torn.spans[i].closed && got.Text != d.Text {
				t.Fatalf("cut at %d of %d: %q is taken for whole", cut, len(record), got.Text)
			}
		}
	})
}

// FuzzDrawerFile reads any file.
func FuzzDrawerFile(f *testing.F) {
	f.Add([]byte("# Drawers\n\n## 14:32 — c ^d1\n```drawer wing=x\ntext\n```\n````drawer\n## 10:00 ^d2\n```drawer\n"))
	f.Add([]byte("## 10:00 ^d1\n````drawer\na\n## 10:00 ^d2\n```drawer\nb\n```\n````\n" + closedNote + "\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		file := ParseDrawers(DrawerPath("2026-06-09"), data)
		if !bytes.Equal(file.data, data) {
			t.Fatal("bytes changed")
		}
		seen := map[string]bool{}
		last := 0
		for i, d := range file.Drawers {
			if seen[d.ID] || file.spans[i].start < last || file.spans[i].end > len(data) || d.Line < 1 || d.Line > lineCount(data) {
				t.Fatalf("drawer %+v at %+v", d, file.spans[i])
			}
			seen[d.ID] = true
			last = file.spans[i].end
		}
		if file.torn > len(data) {
			t.Fatal("torn behind the end")
		}
		// What is appended next is read back, whatever stood there before.
		k := &knownFile{kind: drawerFile, eol: len(data) == 0 || data[len(data)-1] == '\n', blank: endsBlank(data), fence: file.fence}
		k.info = sizeInfo{size: int64(len(data))}
		b := k.gap(k.lead("memory/drawers/2026-06-09.md"))
		next := drawerOf("dnew", "appended")
		after := ParseDrawers(DrawerPath("2026-06-09"), append(append(bytes.Clone(data), b...), FormatDrawer(next)...))
		found := false
		for _, d := range after.Drawers {
			found = found || d.ID == "dnew" && d.Text == "appended"
		}
		if !found && !seen["dnew"] {
			t.Fatalf("the next drawer is lost:\n%q", after.data)
		}
	})
}

// When a drawer was filed is written where the day or the hour in which it was said does not tell.
func TestDrawersKnowWhenTheyWereFiled(t *testing.T) {
	now := at("2026-06-09T15:05:07Z")
	v := open(t, t.TempDir(), WithClock(func() time.Time { return now }))
	said := func(id, when string) Drawer { return Drawer{ID: id, At: at(when), ChatID: "c", Text: id} }
	kept := said("d4", "2026-06-09T15:00:00Z")
	kept.Filed, kept.SourceFile, kept.AddedBy, kept.WingBy = at("2026-06-09T17:00:00Z"), "notes.txt", "claude", ByRule
	if _, err := v.AppendDrawers(t.Context(), []Drawer{
		said("d1", "2026-06-09T15:00:00Z"), said("d2", "2026-06-09T14:59:59Z"), said("d3", "2026-06-01T15:05:07Z"), kept,
	}); err != nil {
		t.Fatal(err)
	}
	text := read(t, v, DrawerPath("2026-06-09"))
	for id, want := range map[string]time.Time{"d1": at("2026-06-09T15:00:00Z"), "d2": now, "d4": kept.Filed} {
		f := ParseDrawers(DrawerPath("2026-06-09"), []byte(text))
		i := slices.IndexFunc(f.Drawers, func(d Drawer) bool { return d.ID == id })
		if got := f.Drawers[i].FiledAt(); !got.Equal(want) {
			t.Errorf("%s: filed at %v, want %v", id, got, want)
		}
		if d := f.Drawers[i]; id == "d4" && (d.SourceFile != "notes.txt" || d.AddedBy != "claude" || d.WingBy != ByRule) {
			t.Errorf("%+v", d)
		}
	}
	if n := strings.Count(text, "filed="); n != 2 {
		t.Errorf("filed is written %d times:\n%s", n, text)
	}
	if old := read(t, v, DrawerPath("2026-06-01")); !strings.Contains(old, " filed=2026-06-09T15:05:07Z") {
		t.Error(old)
	}
}

package vault

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestWatermark(t *testing.T) {
	for name, c := range map[string]struct {
		journal  string
		want     Day
		problems int
	}{
		"none yet": {"# Log\n\nEach dream adds an entry.\n", "", 0},
		"the last one": {"# Log\n\n## 2026-06-10 03:00 — dream a\nwatermark=2026-06-09\n\n## 2026-06-11 03:00 - dream " +
			"b\nwatermark=2026-06-10\nmore\n", "2026-06-10", 0},
		"undone": {"## 2026-06-10 03:00 — dream a\nwatermark=2026-06-09\n\n" +
			"## 2026-06-10 09:00 — undo a\nwatermark=none\n", "", 0},
		"malformed": {"## 2026-06-10 03:00 — a\nwatermark=2026-06-09\n## 2026-06-11 03:00 — b\nwatermark=June\n", "2026-06-09", 1},
		"not before its day": {"## 2026-06-10 03:00 — a\nwatermark=2026-06-09\n" +
			"## 2026-06-11 03:00 — b\nwatermark=2026-06-11\n", "2026-06-09", 1},
		"outside an entry": {"watermark=2026-06-09\n", "", 1},
		"in the future":    {"## 2026-06-10 03:00 — a\nwatermark=2026-06-09\n## b\nwatermark=2062-06-11\n", "2026-06-09", 1},
		"clock set back":   {"## 2030-06-10 03:00 — a\nwatermark=2030-06-09\n", "2030-06-09", 1},
		"crlf":             {"## 2026-06-10 03:00 — a\r\nwatermark=2026-06-09\r\n", "2026-06-09", 0},
		"in a code block":  {"## 2026-06-10 03:00 — a\n```\nwatermark=2026-06-09\n```\n", "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			v := open(t, t.TempDir(), WithClock(func() time.Time { return at("2026-06-20T00:00:00Z") }))
			write(t, v, JournalPath, c.journal)
			got, ps, err := v.Watermark()
			if got != c.want || len(ps) != c.problems || err != nil {
				t.Errorf("got %q %v %v", got, ps, err)
			}
		})
	}
	v := open(t, t.TempDir())
	if got, ps, err := v.Watermark(); got != "" || ps != nil || err != nil {
		t.Errorf("no log.md: %q %v %v", got, ps, err)
	}
	j := ParseJournal([]byte("## 2026-06-10 03:00 — dream r-1\nwatermark=2026-06-09\n"))
	if diff := cmp.Diff([]JournalEntry{{At: at("2026-06-10T03:00:00Z"), Title: "dream r-1", Line: 1, Watermark: "2026-06-09"}},
		j.Entries); diff != "" {
		t.Error(diff)
	}
}

func TestParsePage(t *testing.T) {
	page := "---\ntitle: Billing\naliases: [billing service, \"a, b\"]\ntags: [project, '#x']\ntype: project\ncreated: " +
		"2026-06-09\nupdated: 2026-06-10\nforeign:\n  deep: [1, 2]\n---\n# Heading\ntext\n"
	for name, c := range map[string]struct {
		data string
		want Page
	}{
		"whole": {page, Page{
			Title: "Billing", Aliases: []string{"billing service", "a, b"}, Tags: []string{"project", "x"},
			Type: "project", Created: "2026-06-09", Updated: "2026-06-10", BodyLine: 11,
		}},
		"crlf, bom":  {"\xef\xbb\xbf---\r\ntitle: A\r\n---\r\nbody\r\n", Page{Title: "A", BodyLine: 4}},
		"none":       {"# From the heading #\n", Page{Title: "From the heading", BodyLine: 1}},
		"a language": {"# C#\n", Page{Title: "C#", BodyLine: 1}},
		"underlined": {"Two\nlines\n===\n", Page{Title: "Two lines", BodyLine: 1}},
		"a comment":  {"%%\n# not this\n%%\n# This\n", Page{Title: "This", BodyLine: 1}},
		"no heading": {"```\n# not this\n```\n", Page{Title: "Name", BodyLine: 1}},
		"strings": {
			"---\naliases: one, two\ntags: a b, c\n---\n",
			Page{Title: "Name", Aliases: []string{"one", "two"}, Tags: []string{"a", "b", "c"}, BodyLine: 5},
		},
		"bad yaml":   {"---\ntitle: a: b: [\n---\n# H\n", Page{Title: "H", BodyLine: 4, Problems: make([]Problem, 1)}},
		"a list":     {"---\n- a\n---\n# H\n", Page{Title: "H", BodyLine: 4, Problems: make([]Problem, 1)}},
		"never ends": {"---\ntitle: a\n# H\n", Page{Title: "H", BodyLine: 1, Problems: make([]Problem, 1)}},
		"a bomb": {
			"---\na: &a [x,x]\nb: &b [" + strings.Repeat("*a,", 20) + "]\n---\n# H\n",
			Page{Title: "H", BodyLine: 5, Problems: make([]Problem, 1)},
		},
		"numbers":     {"---\ntitle: 42\ntags: [2026, true]\n---\n", Page{Title: "42", Tags: []string{"2026", "true"}, BodyLine: 5}},
		"empty front": {"---\n---\n# H\n", Page{Title: "H", BodyLine: 3}},
	} {
		t.Run(name, func(t *testing.T) {
			got := ParsePage("2_Wiki/Name.md", []byte(c.data))
			if string(got.Front)+string(got.Body) != c.data {
				t.Error("bytes changed")
			}
			if diff := cmp.Diff(&c.want, got, cmpopts.IgnoreFields(Page{}, "Path", "Front", "Body", "Problems"), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if len(got.Problems) != len(c.want.Problems) {
				t.Errorf("problems %v", got.Problems)
			}
		})
	}
}

func FuzzPage(f *testing.F) {
	f.Add([]byte("---\ntitle: a\ntags: [x]\n---\n# H\n"))
	f.Add([]byte("---\na: &x {b: *x}\n---\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p := ParsePage("a/b.md", data)
		if !bytes.Equal(append(bytes.Clone(p.Front), p.Body...), data) {
			t.Fatal("bytes changed")
		}
		if p.BodyLine != 1+bytes.Count(p.Front, []byte{'\n'}) {
			t.Fatal("wrong line")
		}
	})
}

func FuzzJournal(f *testing.F) {
	f.Add([]byte("# Log\n\n## 2026-06-10 03:00 — dream a\nwatermark=2026-06-09\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		j := ParseJournal(data)
		if j.Watermark != "" {
			if _, err := ParseDay(string(j.Watermark)); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// What plainYAML takes it reads as the parser does.
func FuzzPlainFrontmatter(f *testing.F) {
	for _, s := range []string{
		"title: Alice\naliases: []\ntags: [person, family]\ntype: person\ncreated: 2026-06-09\n", "title: it's\n", "a: b c\n", "a: true\n",
		"a: [x,y]\n", "a: [x, ]\n", "a: 12\n", "a:\n", "a: b: c\n", "a: b #c\n", "a: - b\n", "title: A - B 2026\n", "a: [a b, c-d]\r\nb: é\n",
		"a: 2026-06-09T10:00\n", "a: x.\n", "a: None\n", "a: n\n", "a: [2026-01-02]\n", "a: b\n\na: c\n", " a: b\n", "a : b\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got, ok := plainYAML(text)
		if !ok || len(got) == 0 {
			return
		}
		want, err := decodeYAML(text)
		if err != nil {
			t.Fatalf("%q: the parser refuses it: %v", text, err)
		}
		if len(got) != len(want) {
			t.Fatalf("%q: %v, the parser has %v", text, got, want)
		}
		for k := range want {
			if scalar(got[k]) != scalar(want[k]) || fmt.Sprint(list(got[k], ",")) != fmt.Sprint(list(want[k], ",")) {
				t.Errorf("%q: %s is %#v, the parser has %#v", text, k, got[k], want[k])
			}
		}
	})
}

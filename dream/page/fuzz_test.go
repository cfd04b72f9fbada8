package page

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// edits makes some edits as seed decides, and checks after each that it did what it says and nothing else.
func edits(t *testing.T, data []byte, text string, seed uint64, n int) {
	d := Parse("a.md", data)
	if !bytes.Equal(d.Bytes(), data) {
		t.Fatalf("Parse and Bytes are not the identity:\n%q\n%q", data, d.Bytes())
	}
	r := rand.New(rand.NewPCG(seed, 1))
	for range n {
		edit(t, d, r, text)
		check(t, d)
	}
}

func edit(t *testing.T, d *Doc, r *rand.Rand, text string) {
	before := d.Statements()
	src := Source{Day: "2026-06-09", ID: "f" + strconv.Itoa(r.IntN(4))}
	section := []string{"", "Facts", "Tasks", "History", "S", "Decisions"}[r.IntN(6)]
	var s Statement
	if len(before) > 0 {
		s = before[r.IntN(len(before))]
	}
	lines, without := contents(d, 0), contents(d, s.Line)
	switch r.IntN(8) {
	case 0, 1:
		id := d.Add(section, text, r.IntN(3) == 0, src)
		if id == "" {
			if Shown(neutral(text)) != "" && !strings.Contains(string(d.Bytes()), "%%") {
				t.Fatalf("no place for %q in %q of\n%s", text, section, d.Bytes())
			}
			return
		}
		got, ok := d.Find(id)
		if !ok || !slices.Equal(got.Sources, []Source{src}) || !strings.EqualFold(got.Section, section) || got.Nested {
			t.Fatalf("added %q to %q: %+v, %v\n%s", text, section, got, ok, d.Bytes())
		}
		if want := Shown(neutral(text)); got.Text != want && got.Text != fold(text) {
			t.Fatalf("added %q: reads %q, want %q", text, got.Text, want)
		}
		kept(t, before, d, "")
		subsequence(t, lines, contents(d, 0))
	case 2:
		if d.AddSources(s.ID, src) {
			got, ok := d.Find(s.ID)
			if got.Line != s.Line {
				return // an equal one has taken its id
			}
			if !ok || !slices.Contains(got.Sources, src) || got.Text != s.Text {
				t.Fatalf("added a source to %+v: %+v, %v\n%s", s, got, ok, d.Bytes())
			}
			once := d.Bytes()
			d.AddSources(got.ID, src)
			if !bytes.Equal(once, d.Bytes()) {
				t.Fatal("added twice")
			}
			kept(t, before, d, s.ID)
			if !s.Nested {
				subsequence(t, without, contents(d, 0))
			}
		}
	case 3:
		if id, ok := d.Reword(s.ID, text); ok {
			got, _ := d.Find(id)
			if len(unique(got.Sources, s.Sources)) > 0 || got.Task != s.Task || got.Done != s.Done {
				t.Fatalf("reworded %+v: %+v", s, got)
			}
			kept(t, before, d, s.ID)
			subsequence(t, without, contents(d, 0))
		}
	case 4:
		if id, ok := d.Retire(s.ID, "until 9 Jun 2026"); ok {
			got, found := d.Find(id)
			if !found || !got.History || !slices.Equal(got.Sources, s.Sources) {
				t.Fatalf("retired %+v: %+v\n%s", s, got, d.Bytes())
			}
		}
		if len(d.Statements()) != len(before) {
			t.Fatalf("%d statements, were %d", len(d.Statements()), len(before))
		}
		return
	case 6:
		if d.Remove(s.ID) && len(d.Statements()) != len(before)-1 {
			t.Fatalf("%d statements, were %d, without %+v\n%s", len(d.Statements()), len(before), s, d.Bytes())
		}
		return
	case 7:
		id := d.AddConflict(text, []Option{{text, []Source{src}}, {"other", nil}})
		if id != "" && (d.call(id) == nil || !d.AddOption(id, Option{"third", []Source{src}}) || len(d.call(id).options) < 2) {
			t.Fatalf("conflict about %q\n%s", text, d.Bytes())
		}
		if id != "" && r.IntN(2) == 0 && !d.RemoveConflict(id) {
			t.Fatalf("the conflict stays\n%s", d.Bytes())
		}
		kept(t, before, d, "")
		subsequence(t, lines, contents(d, 0))
	}
}

// kept checks that the statements are still there, in their order, but for one.
func kept(t *testing.T, before []Statement, d *Doc, except string) {
	t.Helper()
	after := d.Statements()
	i := 0
	for _, s := range before {
		if s.ID == except {
			continue
		}
		for i < len(after) && (after[i].Raw != s.Raw || after[i].Section != s.Section || after[i].Text != s.Text) {
			i++
		}
		if i == len(after) {
			t.Fatalf("%+v is gone\n%s", s, d.Bytes())
		}
		i++
	}
}

// contents are the lines that hold something, without line n.
func contents(d *Doc, n int) []string {
	var out []string
	i := 0
	for s := range strings.Lines(string(d.Bytes())) {
		i++
		if s = strings.TrimRight(s, "\r\n"); strings.TrimSpace(s) != "" && i != n {
			out = append(out, s)
		}
	}
	return out
}

// subsequence checks that all lines are still there, in their order, byte for byte.
func subsequence(t *testing.T, before, after []string) {
	t.Helper()
	i := 0
	for _, s := range before {
		for i < len(after) && after[i] != s {
			i++
		}
		if i == len(after) {
			t.Fatalf("line %q changed in\n%s", s, strings.Join(after, "\n"))
		}
		i++
	}
}

var samples = []string{
	"", billing, noor,
	"- x", "- a\n  - b\n    - c\n\n  d\n- e\n", "1. a\n2. b\n\n   c\n10) d\n", "para\n- item\n---\nmore\n", "- a\n\n\tcode\n- - b\n",
	"# T\r\n\r\n- a\r\n\r\n## S\r\n- b ([[2026-06-08#^fa]])\r\n## History\r\n- c\r\n", "```\n- x\n", "- ```\n  - x\n- y\n",
	"~~~\n- a\n~~~\n- b\n",
	"%%\n- a\n%%\n- b %%c\nd%% e\n\n%% open\n- f\n", "<div>\n- a\n\n- b\n<!-- \n- c\n", "> [!warning] Conflict\n> q?\n> - a\n> - b\n>\n> " +
		"more\n",
	"> - a\n>   - b\n> text\nlazy\n- c\n", "| a |\n|---|\n| b |\n- c\n", "S\n---\n- a\n===\n- b\n",
	"\uFEFF---\ntitle: x\n---\n- a ^id\n- a ^id\n- a\n- a\n",
	"---\ntitle: x\n---", "- [ ] a\n- [x] b\n- [-] c\n-\n- \n*\tt\n", "- a  \n  b\\\n  c (ü) ([[2026-06-08#^fa|8]], [[2026-06-09#^fb]]) ^x\n",
	"## Facts\n- a\n## Facts\n- a\n### History\n- a\n", "## Tasks\n\n\n## Facts\n\n\n", "- a\n   - b\n     c\n  d\n\n      e\n",
	"   - a\n  - b\n - c\n- d\n",
	"- `a\n  b` [[x\n", "## Facts\n- a\n\n    - b\n-   c\n\n   d\n", ">- a\n>- b\n> [!note]\n> - c\n",
}

var sampleTexts = []string{
	"Alice lives in Berlin", "# h", "- l", "1. x", "[ ] t", "---", "> q", "a\nb", "%%x", "`a", "<b", "[[a", "x ^y", "*a* [[B|b]] `%%`", "~~~",
	"===",
	"[a]: b", "\\", "a \\", "![[x]]", "([[2026-06-08#^fa]])", "[[2026-06-08#^fa|x]] y", "|a|", "", "\x00\xff", "a [x](", "<!-- -->",
	"a&amp;b", "[^1]: x", "__", "a\u2028b",
}

func FuzzEdits(f *testing.F) {
	for i, s := range samples {
		for j := range 3 {
			f.Add([]byte(s), sampleTexts[(3*i+j)%len(sampleTexts)], uint64(i*7+j))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, text string, seed uint64) {
		if len(data) > 2000 || len(text) > 300 {
			t.Skip()
		}
		edits(t, data, text, seed, 4)
	})
}

// TestRandomEdits joins the samples at random, which finds more than single ones do.
func TestRandomEdits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	n := 1000
	if testing.Short() {
		n = 300
	}
	for range n {
		page := samples[r.IntN(len(samples))]
		for range r.IntN(3) {
			page += samples[r.IntN(len(samples))]
		}
		edits(t, []byte(page), sampleTexts[r.IntN(len(sampleTexts))], r.Uint64(), 6)
	}
}

// TestPlainText checks that a text without Markdown's inline marks reads back as it is.
func TestPlainText(t *testing.T) {
	starts := []string{
		"", "#", "# ", "- ", "+ ", "* ", "> ", "1. ", "12) ", "[ ] ", "[x] ", "---", "***", "~~~ ", "===", "| ", "[a]: ",
		"%%", ": ", "\t", "#tag ", "$", "@", "![[", "^",
	}
	ends := []string{"", " ^id", "^id", " (", " (x)", " #", ":", " %%", "%", " [", " [[", " <", " <b", " <!--", "  ", "\n", " `", " |"}
	for _, a := range starts {
		for _, b := range ends {
			text := a + "word, 5 % of it; ünï – 日本" + b
			d := Parse("a.md", []byte("- before\n\n## S\n- after"))
			st, ok := d.Find(d.Add("", text, false, Source{Day: "2026-06-09", ID: "fa"}))
			if want := fold(text); !ok || st.Text != want || st.Task || len(st.Sources) != 1 {
				t.Errorf("%q reads %q\n%s", text, st.Text, d.Bytes())
			}
			check(t, d)
		}
	}
}

func TestSampleVaults(t *testing.T) {
	n := 0
	pages(t, func(name string, data []byte) {
		r := rand.New(rand.NewPCG(uint64(len(data)), 3))
		for range 2 {
			edits(t, data, sampleTexts[r.IntN(len(sampleTexts))], r.Uint64(), 5)
		}
		if t.Failed() {
			t.Fatal(name)
		}
		n++
	})
	if n == 0 {
		t.Error("no page was read")
	}
}

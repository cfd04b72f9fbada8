package page

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/markdown"
)

// check holds what must be true of every Doc: what it knows is what a fresh reading of its bytes gives.
func check(t *testing.T, d *Doc) {
	t.Helper()
	again := Parse(d.path, d.Bytes())
	if diff := cmp.Diff(again.Statements(), d.Statements()); diff != "" {
		t.Fatalf("statements differ from those of the bytes (-bytes +doc):\n%s\n%s", diff, d.Bytes())
	}
	if diff := cmp.Diff(again.Conflicts(), d.Conflicts()); diff != "" {
		t.Fatalf("conflicts differ from those of the bytes (-bytes +doc):\n%s\n%s", diff, d.Bytes())
	}
	for _, s := range d.Statements() {
		if got, ok := d.Find(s.ID); !ok || !cmp.Equal(got, s) {
			t.Fatalf("Find(%s) = %+v, %v; want %+v", s.ID, got, ok, s)
		}
	}
	for i, ln := range again.lines {
		mine := d.lines[i]
		if mine.kind != ln.kind || mine.depth != ln.depth || mine.own != ln.own || mine.region.name != ln.region.name || mine.at != i ||
			mine.seen != ln.seen || mine.root != ln.root || (mine.head == nil) != (ln.head == nil) || !mine.here || mine.fresh {
			t.Fatalf("line %d is known as\n%+v, and reads\n%+v\n%s", i+1, mine, ln, d.Bytes())
		}
	}
	for i, r := range again.regions {
		mine := d.regions[i]
		if (r.last == nil) != (mine.last == nil) || r.last != nil && mine.last.first.at != r.last.first.at {
			t.Fatalf("last item of %q differs: %+v %+v\n%q", r.name, r.last, mine.last, d.Bytes())
		}
	}
}

func texts(d *Doc) []string {
	var out []string
	for _, s := range d.Statements() {
		out = append(out, s.Section+": "+s.Text)
	}
	return out
}

func id(t *testing.T, d *Doc, text string) string {
	t.Helper()
	for _, s := range d.Statements() {
		if s.Text == text {
			return s.ID
		}
	}
	t.Fatalf("no statement %q in %q", text, texts(d))
	return ""
}

func TestStatements(t *testing.T) {
	tests := []struct {
		name, page string
		want       []string
	}{
		{"markers", "- a\n* b\n+ c\n1. d\n2) e\n", []string{": a", ": b", ": c", ": d", ": e"}},
		{"sections", "# T\n- a\n## S\n- b\n### U ##\n- c\n\nSetext\n===\n\n- d\n", []string{": a", "S: b", "U: c", "Setext: d"}},
		{"nested", "- a\n  - b\n\n    more\n\t- c\n", []string{": a", ": b\nmore", ": c"}},
		{"code", "```\n- no\n```\n~~~~ x\n- no\n~~~\n- no\n~~~~\n\n    - no\n\n- yes\n", []string{": yes"}},
		{"fence in item", "- a\n  ```\n  - no\n  ```\n  - b\n", []string{": a", ": b"}},
		{"comments", "- a %%hidden%% b\n\n%%\n- no\n%%\n- c\n\n%% open\n\n- d\n", []string{": a b", ": c", ": d"}},
		{"html", "<!-- \n- no\n-->\n<div>\n- no\n\n- yes\n", []string{": yes"}},
		{"quote", "> - a\n> - b\n\n> [!note] N\n> - c\n", []string{": a", ": b", ": c"}},
		{"tasks", "- [ ] a\n- [x] b\n- [/] c\n", []string{": a", ": b", ": [/] c"}},
		{"table", "| a | b |\n|---|---|\n| - c | d |\n", nil},
		{"table below an item", "- x\n| a | b |\n|---|---|\n| c | d |\n- y\n  | a |\n  |---|\n  | b |\n- z | z\n", []string{
			": x", ": y",
			": z | z",
		}},
		{"nothing", "-\n- \n- ![[x.png]]\n- # Heading\n- ***\n", nil},
		{"lazy", "- a\nb\n\nc\n", []string{": a b"}},
		{"marks", "- *a* **b** `c` [[D/E|e]] [[F]] [g](h) ==i== #j ^k1\n", []string{": a b c e F g i #j"}},
		{"in one line", "- - a\n", []string{": a"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := Parse("a.md", []byte(tt.page))
			if diff := cmp.Diff(tt.want, texts(d)); diff != "" {
				t.Error(diff)
			}
			check(t, d)
		})
	}
}

func TestSources(t *testing.T) {
	a, b := Source{Day: "2026-06-08", ID: "f0k2m9x1ad"}, Source{Day: "2026-06-09", ID: "f7q2c81xk3"}
	tests := []struct {
		line string
		text string
		want []Source
	}{
		{"x ([[2026-06-08#^f0k2m9x1ad|8 Jun 2026]], [[2026-06-09#^f7q2c81xk3]])", "x", []Source{a, b}},
		{"x ([[memory/archive/2026-06-08#^f0k2m9x1ad]]) ^blk", "x", []Source{a}},
		{"x ([[2026-06-08.md#^f0k2m9x1ad]])", "x", []Source{a}},
		{"[[2026-06-09#^f7q2c81xk3|y]] then *x*", "then x", []Source{b}},
		{"x (until 9 Jun 2026) ([[2026-06-08#^f0k2m9x1ad|8 Jun 2026]])", "x (until 9 Jun 2026)", []Source{a}},
		{
			"`[[2026-06-08#^f0k2m9x1ad]]` [[2026-06-08]] [[2026-06-08#h]] [[2026-13-08#^x]] ![[2026-06-08#^y]]",
			"[[2026-06-08#^f0k2m9x1ad]] 2026-06-08 2026-06-08 > h 2026-13-08", nil,
		},
	}
	for _, tt := range tests {
		d := Parse("a.md", []byte("- "+tt.line+"\n"))
		s := d.Statements()[0]
		if diff := cmp.Diff(tt.want, s.Sources); diff != "" || s.Text != tt.text {
			t.Errorf("%s: %q %s", tt.line, s.Text, diff)
		}
		if !slices.Equal(Sources(tt.line), tt.want) {
			t.Errorf("Sources(%s) = %v", tt.line, Sources(tt.line))
		}
	}
	if s, ok := markdown.ParseSource(a.Link()); !ok || s != a || a.Link() != "[[2026-06-08#^f0k2m9x1ad|8 Jun 2026]]" {
		t.Errorf("ParseSource(%s) = %v, %v", a.Link(), s, ok)
	}
	for _, s := range []string{"", "[[2026-06-08]]", "x [[2026-06-08#^a]]", "[[2026-06-08#^a]] [[2026-06-08#^b]]"} {
		if _, ok := markdown.ParseSource(s); ok {
			t.Errorf("ParseSource(%q) is ok", s)
		}
	}
}

const billing = `---
title: Billing
aliases: [billing service]
tags: [project]
type: project
created: 2026-06-09
updated: 2026-06-10
reverie: page
---
# Billing

## Decisions
- Billing switched from MongoDB to PostgreSQL because invoices need transactions ([[2026-06-09#^f7q2c81xk0|9 Jun 2026]])

## Facts
- The billing service runs on port 8443 ([[2026-06-08#^f0k2m9x1ab|8 Jun 2026]])

## Tasks
- [ ] Move the invoice archive to PostgreSQL by 20 June ([[2026-06-09#^f7q2c81xk1|9 Jun 2026]])

## History
- The billing service uses MongoDB for invoices (until 9 Jun 2026) ([[2026-06-08#^f0k2m9x1aa|8 Jun 2026]])
`

func TestBuild(t *testing.T) {
	d := New("1_Projects/Billing.md", Meta{
		Title: "Billing", Aliases: []string{"billing service"}, Tags: []string{"project"},
		Type: "project", Created: "2026-06-09",
	})
	d.Add("Tasks", "Move the invoice archive to PostgreSQL by 20 June", true, Source{Day: "2026-06-09", ID: "f7q2c81xk1"})
	old := d.Add("Facts", "The billing service uses MongoDB for invoices", false, Source{Day: "2026-06-08", ID: "f0k2m9x1aa"})
	d.Add("Facts", "The billing service runs on port 8443", false, Source{Day: "2026-06-08", ID: "f0k2m9x1ab"})
	if _, ok := d.Retire(old, "until 9 Jun 2026"); !ok {
		t.Fatal("not retired")
	}
	d.Add("Decisions", "Billing switched from MongoDB to PostgreSQL because invoices need transactions", false, Source{
		Day: "2026-06-09",
		ID:  "f7q2c81xk0",
	})
	d.Touch("2026-06-10")
	check(t, d)
	if diff := cmp.Diff(billing, string(d.Bytes())); diff != "" {
		t.Error(diff)
	}
}

func TestRetireDone(t *testing.T) {
	la := "[[2026-06-08#^f0k2m9x1aa|8 Jun 2026]]"
	for _, tt := range []struct{ name, in, note, want string }{
		{"done", "## Tasks\n- [ ] Rotate the keys (" + la + ")\n", "done 9 Jun 2026", "- [x] Rotate the keys (done 9 Jun 2026) (" + la + ")\n"},
		{"over", "## Tasks\n- [ ] Rotate the keys (" + la + ")\n", "until 9 Jun 2026", "- [ ] Rotate the keys (until 9 Jun 2026) (" + la + ")\n"},
		{"ticked", "## Tasks\n* [X] Rotate the [ ] keys (" + la + ")\n", "done 9 Jun 2026", "* [X] Rotate the [ ] keys (done 9 Jun 2026) " +
			"(" + la + ")\n"},
		{
			"lines", "## Tasks\n1. [ ] Rotate\n   the keys (" + la + ")\n   - [ ] then ask\n", "done 9 Jun 2026",
			"1. [x] Rotate\n   the keys (done 9 Jun 2026) (" + la + ")\n   - [ ] then ask\n",
		},
		{"no box", "## Tasks\n- Rotate [ ] the keys (" + la + ")\n", "done 9 Jun 2026", "- Rotate [ ] the keys (done 9 Jun 2026) (" + la + ")\n"},
	} {
		d := Parse("p.md", []byte(tt.in))
		at := d.Statements()[0]
		id, ok := d.Retire(at.ID, tt.note)
		s, found := d.Find(id)
		if got := string(d.Bytes()); !ok || !found || !s.History || !strings.HasSuffix(got, tt.want) {
			t.Errorf("%s: %v %+v\n%s", tt.name, ok, s, got)
		}
		check(t, d)
	}
}

const noor = `---
title: Noor
aliases: []
tags: [person, family]
type: person
created: 2026-06-10
updated: 2026-06-10
reverie: page
---
# Noor

- Noor is the sister of [[Alice]] ([[2026-06-08#^f0k2m9x1ae|8 Jun 2026]])

> [!warning] Conflict
> When is Noor's birthday?
> - 4 March ([[2026-06-08#^f0k2m9x1ae|8 Jun 2026]])
> - 14 March ([[2026-06-09#^f7q2c81xk4|9 Jun 2026]])
`

func TestConflict(t *testing.T) {
	d := New("3_Personal/Noor.md", Meta{Title: "Noor", Tags: []string{"person", "family"}, Type: "person", Created: "2026-06-10"})
	a, b := Source{Day: "2026-06-08", ID: "f0k2m9x1ae"}, Source{Day: "2026-06-09", ID: "f7q2c81xk4"}
	c := d.AddConflict("When is Noor's birthday?", []Option{{"4 March", []Source{a}}, {"14 March", []Source{b}}})
	d.Add("", "Noor is the sister of [[Alice]]", false, a)
	check(t, d)
	if diff := cmp.Diff(noor, string(d.Bytes())); diff != "" {
		t.Error(diff)
	}
	got := d.Conflicts()
	if len(got) != 1 || got[0].ID != c || got[0].Question != "When is Noor's birthday?" || len(got[0].Options) != 2 ||
		got[0].Options[1].Text != "14 March" ||
		!got[0].Options[0].Callout || got[0].Options[0].Nested {
		t.Fatalf("%+v", got)
	}
	if !d.AddOption(c, Option{"15 March", nil}) || !d.AddOption(c, Option{"4 March", []Source{b}}) {
		t.Fatal("no option added")
	}
	check(t, d)
	if got = d.Conflicts(); len(got[0].Options) != 3 || len(got[0].Options[0].Sources) != 2 || got[0].ID != c {
		t.Fatalf("%+v", got)
	}
	if !d.RemoveConflict(c) || len(d.Conflicts()) != 0 || !strings.HasSuffix(string(d.Bytes()), "Jun 2026]])\n") {
		t.Errorf("%s", d.Bytes())
	}
	check(t, d)
}

func TestConflictByHand(t *testing.T) {
	page := "## A\r\n> [!WARNING]- conflict: where?\r\n> * [x] here\r\n>   - because\r\n> * there\r\n> \r\n> I think.\r\n\r\ntext"
	d := Parse("a.md", []byte(page))
	c := d.Conflicts()
	if len(c) != 1 || c[0].Question != "where?" || len(c[0].Options) != 2 || !c[0].Options[0].Done || c[0].Line != 2 {
		t.Fatalf("%+v", c)
	}
	if !d.AddOption(c[0].ID, Option{Text: "nowhere"}) {
		t.Fatal("not added")
	}
	want := strings.Replace(page, "> * there\r\n", "> * there\r\n> * nowhere\r\n", 1)
	if diff := cmp.Diff(want, string(d.Bytes())); diff != "" {
		t.Error(diff)
	}
	check(t, d)
	if !d.RemoveConflict(c[0].ID) || string(d.Bytes()) != "## A\r\n>   - because\r\n> \r\n> I think.\r\n\r\ntext" {
		t.Errorf("%q", d.Bytes())
	}
}

func TestEdits(t *testing.T) {
	a, b := Source{Day: "2026-06-08", ID: "fa"}, Source{Day: "2026-06-09", ID: "fb"}
	const la, lb = "[[2026-06-08#^fa|8 Jun 2026]]", "[[2026-06-09#^fb|9 Jun 2026]]"
	tests := []struct {
		name, page string
		edit       func(t *testing.T, d *Doc)
		want       string
	}{
		{"add where no line break ends", "- x", func(_ *testing.T, d *Doc) { d.Add("", "y", false) }, "- x\n- y"},
		{"add what is not seen", "- x\n", func(_ *testing.T, d *Doc) { d.Add("", "y\u202e\U000e0065z👩\u200d👧", false) }, "- x\n- yz👩\u200d👧\n"},
		{"add to nothing", "", func(_ *testing.T, d *Doc) { d.Add("Home", "y", true, a) }, "## Home\n- [ ] y (" + la + ")\n"},
		{
			"add with CRLF", "# T\r\n\r\n## S\r\n* x\r\n\r\ntext\r\n", func(_ *testing.T, d *Doc) { d.Add("s", "y", false) },
			"# T\r\n\r\n## S\r\n* x\r\n* y\r\n\r\ntext\r\n",
		},
		{
			"add after children", "## S\n- x\n  - y\n\n  z\n## T\n", func(_ *testing.T, d *Doc) { d.Add("S", "n", false) },
			"## S\n- x\n  - y\n\n  z\n- n\n## T\n",
		},
		{"add before an open fence", "## S\n```\ncode", func(_ *testing.T, d *Doc) { d.Add("S", "n", false) }, "## S\n\n- n\n\n```\ncode"},
		{
			"section before an open fence", "# T\n## S\n```\ncode", func(_ *testing.T, d *Doc) { d.Add("X", "n", false) },
			"# T\n\n## X\n- n\n\n## S\n```\ncode",
		},
		{"add below text", "# T\nIntro.\n## S\n", func(_ *testing.T, d *Doc) { d.Add("", "n", false) }, "# T\nIntro.\n\n- n\n\n## S\n"},
		{"add to an empty section", "## S\n\n## T\n- t\n", func(_ *testing.T, d *Doc) { d.Add("S", "n", false) }, "## S\n- n\n\n## T\n- t\n"},
		{"section order", "# T\n\n## History\n- h\n", func(_ *testing.T, d *Doc) {
			d.Add("Tasks", "t", true)
			d.Add("Home", "h", false)
			d.Add("Decisions", "d", false)
		}, "# T\n\n## Decisions\n- d\n\n## Home\n- h\n\n## Tasks\n- [ ] t\n\n## History\n- h\n"},
		{"front without body", "---\ntitle: x\n---", func(_ *testing.T, d *Doc) { d.Add("", "n", false) }, "---\ntitle: x\n---\n- n"},
		{"sources", "- x ^blk\n- y (" + la + ") ^blk2\n", func(t *testing.T, d *Doc) {
			for range 2 {
				d.AddSources(id(t, d, "x"), b, b)
				d.AddSources(id(t, d, "y"), a, b)
			}
		}, "- x (" + lb + ") ^blk\n- y (" + la + ", " + lb + ") ^blk2\n"},
		{
			"sources of lines", "- x\n  more (" + la + ")\n", func(t *testing.T, d *Doc) { d.AddSources(id(t, d, "x more"), b) },
			"- x\n  more (" + la + ", " + lb + ")\n",
		},
		{
			"reword", "- [x] x (" + la + ") ^blk\n", func(t *testing.T, d *Doc) { d.Reword(id(t, d, "x"), "# y") },
			"- [x] \\# y (" + la + ") ^blk\n",
		},
		{"no reword of nested", "- x\n  - y\n", func(t *testing.T, d *Doc) {
			if _, ok := d.Reword(id(t, d, "x"), "n"); ok {
				t.Error("reworded")
			}
			if _, ok := d.Reword(id(t, d, "y"), "n"); ok {
				t.Error("reworded")
			}
		}, "- x\n  - y\n"},
		{
			"retire with children", "## S\n- a\n\t- x (" + la + ")\n\t\t- y\n- b\n", func(t *testing.T, d *Doc) {
				d.Retire(id(t, d, "x"),
					"until 9 Jun 2026")
			},
			"## S\n- a\n- b\n\n## History\n- x (until 9 Jun 2026) (" + la + ")\n\t- y\n",
		},
		{
			"retire an option", "## S\n> [!warning] Conflict\n> ?\n> - x (" + la + ")\n> - y\n", func(t *testing.T, d *Doc) {
				d.Retire(id(t, d,
					"x"), "")
			},
			"## S\n> [!warning] Conflict\n> ?\n> - y\n\n## History\n- x (" + la + ")\n",
		},
		{
			"remove keeps children", "- a\n- x\n    - y\n      more\n- b\n", func(t *testing.T, d *Doc) { d.Remove(id(t, d, "x")) },
			"- a\n- y\n  more\n- b\n",
		},
		{"remove a section of ours", "# T\n\n## Facts\n- x\n\n## Mine\n- y\n", func(t *testing.T, d *Doc) {
			d.Remove(id(t, d, "x"))
			d.Remove(id(t, d, "y"))
		}, "# T\n\n## Mine\n"},
		{
			"remove between text and a line", "text\n- x\n---\nmore\n", func(t *testing.T, d *Doc) { d.Remove(id(t, d, "x")) },
			"text\n\n---\nmore\n",
		},
		{"text that would not stay", "- a\n", func(_ *testing.T, d *Doc) {
			for _, s := range []string{"# h", "- l", "[ ] t", "1. n", "---", "a\nb", "%%c%%", "<!-- d", "see ^id", "[[open", "[[2026-06-08#^fa]]"} {
				d.Add("", s, false, a)
			}
		}, "- a\n- \\# h (" + la + ")\n- \\- l (" + la + ")\n- \\[ ] t (" + la + ")\n- 1\\. n (" + la + ")\n- \\--- (" + la + ")\n- a b (" + la +
			")\n- %\\%c%\\% (" + la + ")\n- \\<!-- d (" + la + ")\n- see \\^id (" + la + ")\n- \\[[open (" + la + ")\n- \\[[2026-06-08#^fa]] " +
			"(" + la + ")\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := Parse("a.md", []byte(tt.page))
			tt.edit(t, d)
			d.Tidy()
			if diff := cmp.Diff(tt.want, string(d.Bytes())); diff != "" {
				t.Error(diff)
			}
			check(t, d)
		})
	}
}

func TestFindAfterEdits(t *testing.T) {
	d := Parse("a.md", []byte("## S\n- x\n- x\n- y\n"))
	s := d.Statements()
	d.AddSources(s[0].ID, Source{Day: "2026-06-08", ID: "fa"})
	d.AddSources(s[0].ID, Source{Day: "2026-06-09", ID: "fb"})
	newID, ok := d.Retire(s[2].ID, "")
	got, found := d.Find(s[2].ID)
	if !ok || !found || got.ID != newID || !got.History {
		t.Errorf("%+v", got)
	}
	d.Remove(s[2].ID)
	if _, ok := d.Find(s[2].ID); ok {
		t.Error("a removed statement is found")
	}
	check(t, d)
}

func TestFront(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain", "---\nupdated: 2026-01-01\naliases: [a, \"b: c\"] # mine\nx: 1\n---\n", "---\nupdated: 2026-06-10\naliases: [a, \"b: c\"] " +
			"# mine\nx: 1\n---\n"},
		{
			"quoted and CRLF", "---\r\naliases:\r\n  - a\r\nupdated: \"2026-01-01\" # c\r\n---\r\n",
			"---\r\naliases:\r\n  - a\r\nupdated: \"2026-06-10\" # c\r\n---\r\n",
		},
		{"empty", "---\nupdated:\naliases:\n---\n", "---\nupdated: 2026-06-10\naliases:\n---\n"},
		{"without the keys", "---\nx: |\n  updated: 2026-01-01\n---\nupdated: 2026-01-01\n", "---\nx: |\n  updated: " +
			"2026-01-01\n---\nupdated: 2026-01-01\n"},
		{"odd", "---\naliases: a\nupdated: [2026-01-01]\n---\n", "---\naliases: a\nupdated: [2026-01-01]\n---\n"},
		{"broken", "---\naliases: []\nupdated: 2026-01-01\nx: [\n---\n", "---\naliases: []\nupdated: 2026-01-01\nx: [\n---\n"},
		{"BOM", "\uFEFF---\nupdated: 2026-01-01\naliases: []\n---\n", "\uFEFF---\nupdated: 2026-06-10\naliases: []\n---\n"},
		{"none", "text", "text"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := Parse("a.md", []byte(tt.in))
			for range 2 {
				d.Touch("2026-06-10")
			}
			if diff := cmp.Diff(tt.want, string(d.Bytes())); diff != "" {
				t.Error(diff)
			}
		})
	}
	for _, title := range []string{"C#", "a: b", "- x", "yes", "2026", "\"q\"", "x #y", "日本", "O'Neil & Co", "@x"} {
		pg := New("2_Wiki/x.md", Meta{Title: title, Aliases: []string{title + ", 2"}}).Page()
		if pg.Title != title || !slices.Equal(pg.Aliases, []string{title + ", 2"}) || len(pg.Problems) > 0 {
			t.Errorf("%q: title %q, aliases %q, %v", title, pg.Title, pg.Aliases, pg.Problems)
		}
	}
}

func TestRetitle(t *testing.T) {
	d := New("3_Personal/The user.md", Meta{Title: "The user", Tags: []string{"person"}, Type: "person", Created: "2026-06-09"})
	d.Add("", "Jonas plans bridges", false, Source{Day: "2026-06-09", ID: "f7q2c81xk0"})
	d.Add("Work", "Jonas works in Ghent", false, Source{Day: "2026-06-09", ID: "f7q2c81xk1"})
	if !d.Retitle("Jonas: an engineer #1", []string{"The user", "user"}) {
		t.Fatal("refused")
	}
	check(t, d)
	pg := d.Page()
	if pg.Title != "Jonas: an engineer #1" || !slices.Equal(pg.Aliases, []string{"The user", "user"}) || pg.Type != "person" ||
		len(pg.Problems) > 0 {
		t.Errorf("%+v", pg)
	}
	text := string(d.Bytes())
	if strings.Contains(text, "# The user") || !strings.Contains(text, "\n# Jonas: an engineer") || len(d.Statements()) != 2 {
		t.Error(text)
	}
	if by := Parse("a.md", []byte("no frontmatter\n")); by.Retitle("X", nil) || string(by.Bytes()) != "no frontmatter\n" {
		t.Errorf("a page of a person was given a title:\n%s", by.Bytes())
	}
}

// pages gives every page of the sample vaults.
func pages(tb testing.TB, f func(name string, data []byte)) {
	for _, dir := range []string{"../../../shared/fixtures/vaults", "../../../shared/example-vault"} {
		if _, err := os.Stat(dir); err != nil {
			tb.Skip("the sample vaults are not here")
		}
		err := filepath.WalkDir(dir, func(p string, e os.DirEntry, err error) error {
			if err != nil || e.IsDir() || !strings.EqualFold(filepath.Ext(p), ".md") {
				return err
			}
			data, err := os.ReadFile(p)
			if err == nil {
				f(p, data)
			}
			return err
		})
		if err != nil {
			tb.Fatal(err)
		}
	}
}

func BenchmarkAdd5000(b *testing.B) {
	for b.Loop() {
		d := New("a.md", Meta{Title: "A", Created: "2026-06-09"})
		for i := range 5000 {
			n := strconv.Itoa(i)
			d.Add("Facts", "The service number "+n+" runs on port "+n, false, Source{Day: "2026-06-09", ID: "f" + n})
		}
	}
}

func BenchmarkEdit5000(b *testing.B) {
	for b.Loop() {
		d := New("a.md", Meta{Title: "A", Created: "2026-06-09"})
		for i := range 5000 {
			n := strconv.Itoa(i)
			id := d.Add("Facts", "The service number "+n+" runs on port "+n, false, Source{Day: "2026-06-09", ID: "f" + n})
			if _, ok := d.Find(id); !ok {
				b.Fatal("not found")
			}
			d.AddSources(id, Source{Day: "2026-06-10", ID: "f" + n})
			if i%2 == 1 {
				d.Retire(id, "until 10 Jun 2026")
			}
		}
		if len(d.Statements()) != 5000 {
			b.Fatal(len(d.Statements()))
		}
	}
}

// TestSectionOrder adds sections as facts come, and finds them in the order in which a page is read.
func TestSectionOrder(t *testing.T) {
	d := New("3_Personal/Alice.md", Meta{Title: "Alice", Created: "2026-06-10"})
	for _, s := range []string{
		"Parts", "Feelings", "Food", "Facts", "Music theory", "Tasks", "Work", "Home", "Preferences", "History",
		"Plans", "Decisions",
	} {
		if d.Add(s, "Alice "+s, false) == "" {
			t.Fatal(s)
		}
	}
	var got []string
	for l := range strings.Lines(string(d.Bytes())) {
		if s, ok := strings.CutPrefix(strings.TrimSpace(l), "## "); ok {
			got = append(got, s)
		}
	}
	want := "Decisions, Preferences, Home, Work, Food, Facts, Plans, Feelings, Music theory, Tasks, Parts, History"
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("got %s", s)
	}
}

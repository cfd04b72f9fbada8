package indexer_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/vault"
)

// ledgerEnv knows the facts given.
func ledgerEnv(facts map[string]vault.Account) indexer.Env {
	return indexer.Env{Consumed: func(day vault.Day, id string) (vault.Account, bool) {
		a, ok := facts[id]
		return a, ok && a.Day == day
	}}
}

var (
	factOne = vault.Account{
		Day: "2026-06-08", Outcome: "kept", Category: "health", Page: "3_Personal/Alice.md", Drawer: "d1", Ref: "D1:3", Turn: "t1",
		Speaker: "Alice",
		ChatID:  "c1", Origin: vault.OriginUser, Agent: "claude", Wing: "home", Room: "kitchen",
		At: time.Date(2026, 6, 8, 18, 40, 0, 0, time.UTC),
	}
	factTwo = vault.Account{
		Day: "2026-06-09", Outcome: "duplicate", Page: "3_Personal/Alice.md", Drawer: "d2", Ref: "D2:1", Speaker: "Bob", ChatID: "c2",
		Origin: vault.OriginAssistant, At: time.Date(2026, 6, 9, 9, 5, 0, 0, time.UTC),
	}
	known = ledgerEnv(map[string]vault.Account{"f1": factOne, "f2": factTwo})
)

func TestStatementsCarryTheirSources(t *testing.T) {
	one := indexer.Row{
		Drawer: "d1", Speaker: "Alice", Session: "c1|2026-06-08", Chat: "c1", Turn: "t1", Origin: vault.OriginUser, Agent: "claude",
		Wing: "home", Room: "kitchen", At: factOne.At, Refs: []string{"D1:3"}, Cites: []string{"f1"}, Category: "health",
		Seq: 18*60 + 40 + 1,
	}
	both, second := one, indexer.Row{
		Drawer: "d2", Speaker: "Bob", Session: "c2|2026-06-09", Chat: "c2", Origin: vault.OriginAssistant, At: factTwo.At, Refs: []string{"D2:1"},
		Cites: []string{"f2"}, Seq: 9*60 + 5 + 1,
	}
	both.Refs, both.Cites, both.Origin = []string{"D1:3", "D2:1"}, []string{"f1", "f2"}, vault.OriginAssistant // the less trusted
	question, turned := both, second
	question.Aside = true
	turned.Refs, turned.Cites = []string{"D2:1", "D1:3"}, []string{"f2", "f1"}
	day := func(d string) indexer.Row { return indexer.Row{At: vault.Day(d).Time()} }
	cases := map[string]struct {
		line, text, context string
		want                indexer.Row
	}{
		"one source": {
			"- Peanuts are bad ([[2026-06-08#^f1|8 Jun 2026]])", "Peanuts are bad",
			"Food > Nuts (Alice health 8 June)", one,
		},
		"the names in the text": {
			"- Food with peanuts hurts Alice ([[2026-06-08#^f1]])", "Food with peanuts hurts Alice",
			"> Nuts (health 8 June)", one,
		},
		"two": {
			"- Peanuts ([[2026-06-08#^f1|8]], [[2026-06-09#^f2|9]]) ^block", "Peanuts",
			"Food > Nuts (Alice health 8 June)", both,
		},
		"the other order":       {"- Peanuts ([[2026-06-09#^f2|9]], [[2026-06-08#^f1|8]])", "Peanuts", "Food > Nuts (Bob 9 June)", turned},
		"with a folder":         {"- Peanuts ([[memory/archive/2026-06-09.md#^f2|9]]).", "Peanuts.", "Food > Nuts (Bob 9 June)", second},
		"the first is unknown":  {"- Peanuts ([[2026-06-07#^f0|7]], [[2026-06-09#^f2|9]])", "Peanuts", "Food > Nuts (Bob 9 June)", second},
		"of another day":        {"- Peanuts ([[2026-06-10#^f2|10]])", "Peanuts", "Food > Nuts", day("2026-06-10")},
		"unknown":               {"- Peanuts ([[2026-06-07#^f0|7]])", "Peanuts", "Food > Nuts", day("2026-06-07")},
		"a link in the middle":  {"- See [[2026-06-08#^f1|that]] for more", "See for more", "Food > Nuts", day("2026-06-08")},
		"no source":             {"- Peanuts, see [[2026-06-08]]", "Peanuts, see 2026-06-08", "Food > Nuts", indexer.Row{}},
		"a task":                {"- [ ] Buy nuts ([[2026-06-09#^f2]])", "[ ] Buy nuts", "Food > Nuts (Bob 9 June)", second},
		"after the page's link": {"- Peanuts ([[Food]]) ([[2026-06-09#^f2]])", "Peanuts", "Food > Nuts (Bob 9 June)", second},
		"before a block id": {
			"- Peanuts are [[Food|food]] ([[Snacks]]) ([[2026-06-09#^f2]]) ^b", "Peanuts are food",
			"Snacks > Nuts (Bob 9 June)", second,
		},
		"only a page's link": {"- Peanuts ([[Food]])", "Peanuts (Food)", "Food > Nuts", indexer.Row{}},
		"a callout with options": {
			"> [!warning] Conflict\n> Which nuts?\n> - 1 ([[2026-06-08#^f1]])\n> - 2 ([[2026-06-09#^f2]])",
			"Warning: Conflict\nWhich nuts?\n- 1\n- 2", "Food > Nuts (Alice health 8 June)", question,
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			rows, _ := indexer.PageSource(vault.Layout{}).Rows("2_Wiki/Food.md", []byte("## Nuts\n"+c.line+"\n"), known)
			if len(rows) != 1 {
				t.Fatalf("%d rows", len(rows))
			}
			got := rows[0]
			if got.Text != c.text || got.Context != c.context {
				t.Errorf("text %q, context %q", got.Text, got.Context)
			}
			if d := cmp.Diff(c.want, got, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(indexer.Row{}, "ID", "Source", "File", "Line", "Text",
				"Context")); d != "" {
				t.Error(d)
			}
		})
	}
}

// What is not known now, and what nobody says is true, is found only when it is asked for.
func TestWhatStandsAside(t *testing.T) {
	const sourced, plain = "- Peanuts ([[2026-06-08#^f1]])", "- Peanuts"
	for _, c := range []struct {
		file  vault.Path
		line  string
		aside bool
	}{
		{"3_Personal/Alice.md", sourced, false},
		{"3_Personal/Alice.md", plain, false},
		{"3_Personal/Alice.md", "- [[Alice - Food]]", true},
		{"3_Personal/Alice.md", "> [!warning] Conflict\n> Which nuts?\n> - 1 ([[2026-06-08#^f1]])", true},
		{"2_Wiki/Concepts/Food.md", plain, false},
		{"2_Wiki/Literature/Food.md", plain, true},
		{"2_Wiki/Literature/Food.md", sourced, false},
		{"My notes/Food.md", sourced, false},
		{"My notes/Food.md", plain, true},
		{"Food.md", "- Peanuts ([[2026-06-08#^unknown]])", true},
		{"0_Inbox/Unconfirmed.md", sourced, true},
		{"4_Assets/Food.md", sourced, true},
		{"5_Archives/Food.md", sourced, true},
	} {
		rows, _ := indexer.PageSource(vault.Layout{}).Rows(c.file, []byte(c.line+"\n"), known)
		if len(rows) != 1 || rows[0].Aside != c.aside {
			t.Errorf("%s, %s: %+v, want aside %v", c.file, c.line, rows, c.aside)
		}
	}
}

// What people say of themselves needs no title and no heading, but that it is past.
func TestStatementsOnPeoplesPages(t *testing.T) {
	const lines = "\n## Health\n- Peanuts are bad ([[2026-06-08#^f1]])\n## History\n- Peanuts were good ([[2026-06-08#^f1]])\n"
	for name, page := range map[string]struct{ path, front string }{
		"by its type":            {"3_Personal/Carol.md", "---\ntype: person\n---\n"},
		"by the speaker's name":  {"3_Personal/alice.md", ""},
		"a part of what is told": {"3_Personal/Alice - Food.md", "---\ntype: topic\n---\n"},
	} {
		rows, _ := indexer.PageSource(vault.Layout{}).Rows(vault.Path(page.path), []byte(page.front+lines), known)
		if len(rows) != 2 || rows[0].Context != "(Alice health 8 June)" || rows[1].Context != "> History (Alice health 8 June)" ||
			rows[0].Past || !rows[1].Past {
			t.Errorf("%s: %+v", name, rows)
		}
	}
}

func TestMemoryLinesCarryTheirSources(t *testing.T) {
	text := []byte("# Memory\n\n- Allergic to peanuts ([[2026-06-08#^f1|8 Jun 2026]])\n")
	rows, _ := indexer.CoreSource().Rows("memory/MEMORY.md", text, known)
	if len(rows) != 1 || rows[0].Drawer != "d1" || rows[0].Source != catalog.CoreFile {
		t.Errorf("%+v", rows)
	}
	if rows, _ = indexer.CoreSource().Rows("memory/MEMORY.md", []byte("# Memory\n"), known); len(rows) != 0 {
		t.Errorf("a title over nothing tells nothing: %+v", rows)
	}
	rows, _ = indexer.DiarySource().Rows("memory/diary/claude/2026-06-10.md", text, known)
	if len(rows) != 1 || rows[0].Drawer != "" || rows[0].Agent != "claude" || rows[0].Origin != vault.OriginAgent {
		t.Errorf("a diary is its agent's own word: %+v", rows)
	}
}

// TestConflictsAreNotSaidTwice: the list of open questions repeats what stands on the pages; what a person adds does not.
func TestConflictsAreNotSaidTwice(t *testing.T) {
	unfiled := vault.Account{Day: "2026-06-09", Outcome: "unfiled", Page: "0_Inbox/Unfiled.md"}
	env := ledgerEnv(map[string]vault.Account{"f1": factOne, "f2": factTwo, "f3": unfiled})
	text := `# Conflicts

- [ ] [[Alice]]: birthday on 4 March ([[2026-06-08#^f1|8 Jun 2026]])
- [ ] [[Alice]]: birthday on 5 March ([[2026-06-08#^f1|8 Jun 2026]], [[2026-06-01#^f0|1 Jun 2026]])
- [ ] ask her mother
- the same once more
- the same once more
`
	var got []string
	rows, _ := indexer.PageSource(vault.Layout{}).Rows("0_Inbox/Conflicts.md", []byte(text), env)
	for _, r := range rows {
		got = append(got, r.Text)
	}
	want := []string{"[ ] Alice: birthday on 5 March", "[ ] ask her mother", "the same once more", "the same once more"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	rows, _ = indexer.PageSource(vault.Layout{}).Rows("0_Inbox/Unfiled.md", []byte("# Unfiled\n\n- Something odd ([[2026-06-09#^f3]])\n"), env)
	if len(rows) != 1 || rows[0].Text != "Something odd" {
		t.Errorf("unfiled facts stay findable: %+v", rows)
	}
}

// TestDreamsReadOnlyThePagesThatCiteThem: what a ledger says changes the rows of the pages that cite its days, and others
// are not even read.
func TestDreamsReadOnlyThePagesThatCiteThem(t *testing.T) {
	w := newWorld(t)
	read := map[vault.Path]int{}
	w.tweak = func(o *indexer.Options) {
		o.Sources = indexer.DefaultSources(vault.Layout{})
		for i := range o.Sources {
			if o.Sources[i].Name == "page" {
				rows := o.Sources[i].Rows
				o.Sources[i].Rows = func(p vault.Path, data []byte, env indexer.Env) ([]indexer.Row, []vault.Problem) {
					read[p]++
					return rows(p, data, env)
				}
			}
		}
	}
	w.open()
	for i, day := range []string{"2026-06-01", "2026-06-02", ""} {
		text := fmt.Sprintf("# Page %d\n\n- Something\n", i)
		if day != "" {
			text += fmt.Sprintf("- Alice likes tea ([[%s#^f%d|%s]])\n", day, i, day)
		}
		w.write(fmt.Sprintf("2_Wiki/Page %d.md", i), text)
	}
	w.sync()
	clear(read)
	ledger := `{"fact":"f1","day":"2026-06-02","outcome":"kept","drawer":"d1","ref":"r1"}` + "\n"
	w.write(".state/dreams/r1/ledger.jsonl", ledger)
	w.write(".state/dreams/r1/done", "")
	w.write("log.md", "# Log\n\n## 2026-06-10 03:00 — dream r1\nwatermark=2026-06-02\n")
	w.sync("log.md", ".state/dreams/r1/done")
	if d := cmp.Diff(map[vault.Path]int{"2_Wiki/Page 1.md": 1}, read); d != "" {
		t.Error(d)
	}
	w.equal()
	found := false
	for _, r := range w.rows() {
		found = found || r.Drawer == "d1" && len(r.Refs) == 1
	}
	if !found {
		t.Error("the statement does not know its drawer")
	}
	w.write(".state/dreams/r1/undone", "")
	w.sync(".state/dreams/r1/undone")
	w.equal()
	for _, r := range w.rows() {
		if r.Drawer != "" {
			t.Errorf("an undone dream still counts: %+v", r)
		}
	}
	w.settle()
	w.verified()
}

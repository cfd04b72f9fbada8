package dream_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/dream"
	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/vault"
)

// A judge is a model that a test plays: it sees what models see, and what it proposes goes the way of every proposal.
type judge struct {
	t       *testing.T
	night   func(*judge) // what it does when it is asked
	groups  []dream.Group
	wiki    dream.Wiki
	propose func(*dream.Op) string
}

func (j *judge) Name() string { return "judge" }

func (j *judge) Estimate([]dream.Group) dream.Estimate { return dream.Estimate{} }

func (j *judge) Propose(_ context.Context, groups []dream.Group, wiki dream.Wiki, propose func(*dream.Op) string) (dream.ModelUse, error) {
	j.groups, j.wiki, j.propose = groups, wiki, propose
	if j.night != nil {
		j.night(j)
	}
	return dream.ModelUse{Name: j.Name()}, nil
}

// facts are the ids of the facts that hold the texts.
func (j *judge) facts(texts ...string) (out []dream.Account) {
	j.t.Helper()
	for _, text := range texts {
		n := len(out)
		for _, g := range j.groups {
			for _, f := range g.Facts {
				if strings.Contains(f.Text, text) {
					out = append(out, dream.Account{Fact: f.ID})
				}
			}
		}
		if len(out) != n+1 {
			j.t.Fatalf("%d facts say %q", len(out)-n, text)
		}
	}
	return out
}

// line is the id of the statement on a page that holds the text.
func (j *judge) line(name vault.Path, text string) string {
	j.t.Helper()
	data, err := j.wiki.ReadPage(j.t.Context(), name)
	if err != nil {
		j.t.Fatal(err)
	}
	for _, st := range page.Parse(name, data).Statements() {
		if strings.Contains(st.Text, text) && !st.History {
			return st.ID
		}
	}
	j.t.Fatalf("%s has no line with %q:\n%s", name, text, data)
	return ""
}

func (j *judge) does(op dream.Op) {
	j.t.Helper()
	if why := j.propose(&op); why != "" {
		j.t.Errorf("%s of %q on %s was refused: %s", op.Kind, op.Text, op.Page, why)
	}
}

func (j *judge) fails(why string, op dream.Op) {
	j.t.Helper()
	switch got := j.propose(&op); {
	case got == "":
		j.t.Errorf("%s of %q %q on %s was taken", op.Kind, op.Text, op.Section, op.Page)
	case !strings.Contains(got, why):
		j.t.Errorf("%s of %q on %s was refused: %s; want it for %q", op.Kind, op.Text, op.Page, got, why)
	}
}

func judged(t *testing.T) (*world, *judge) {
	w := newWorld(t, "2026-06-10 03:00")
	j := &judge{t: t}
	w.opt.Model = j
	w.r = dream.New(w.opt)
	return w, j
}

// What rules had planned and nobody has written is no page in the way of one that a model makes, and its facts go there.
func TestModelMakesThePageThatRulesHadPlanned(t *testing.T) {
	w, j := judged(t)
	w.tell("2026-06-09", "", "chat", "Heron uses SvelteKit", "Heron uses Postgres", "Heron has 40 testers", "Heron is led by Priya")
	const heron = "1_Projects/Heron.md"
	j.night = func(j *judge) {
		j.fails("nothing below the name", dream.Op{Kind: dream.CreatePage, Page: "1_Projects/Swindle.md", Meta: &page.Meta{Title: "Swindle"}})
		j.fails("no name", dream.Op{Kind: dream.CreatePage, Page: heron, Meta: &page.Meta{Title: " "}})
		j.does(dream.Op{Kind: dream.CreatePage, Page: heron, Meta: &page.Meta{Title: "Heron", Type: "project"}})
		j.does(dream.Op{Kind: dream.AddStatement, Page: heron, Section: "Stack", Text: "Heron uses SvelteKit", Facts: j.facts("SvelteKit")})
	}
	w.run()
	w.account()
	for _, want := range []string{"type: project", "## Stack\n- Heron uses SvelteKit", "Heron uses Postgres", "Heron has 40 testers"} {
		w.has(heron, want)
	}
	if w.exists("2_Wiki/Entities/Heron.md") {
		t.Error("the rules made their page as well")
	}
}

// A page that dreams made can be renamed, moved and joined to another; all of it comes back.
func TestModelMovesPages(t *testing.T) {
	w, j := judged(t)
	w.tell("2026-06-08", "", "chat", "Heron uses SvelteKit", "Heron uses Postgres", "Heron has 40 testers",
		"Heronapp runs on port 8080", "Heronapp has a dark theme", "Heronapp needs Node 22")
	w.run()
	w.set("2026-06-11 03:00")
	w.tell("2026-06-10", "", "chat", "Heronapp costs 20 euros a month")
	before := w.pages()
	from, other := "2_Wiki/Entities/Heronapp.md", "2_Wiki/Entities/Heron.md"
	if !w.exists(from) || !w.exists(other) {
		t.Fatal(w.dump())
	}
	const to = "1_Projects/Heron.md"
	j.night = func(j *judge) {
		j.fails("nothing below the name", dream.Op{Kind: dream.MovePage, Page: vault.Path(other), Meta: &page.Meta{Title: "Swindle"}})
		j.fails("no such page", dream.Op{Kind: dream.MovePage, Page: "2_Wiki/Entities/Nothing.md", About: to})
		j.fails("may be written", dream.Op{Kind: dream.MovePage, Page: vault.Path(other), About: "0_Inbox/Unfiled.md"})
		j.does(dream.Op{Kind: dream.MovePage, Page: vault.Path(other), About: to})
		j.does(dream.Op{Kind: dream.MovePage, Page: vault.Path(from), About: to})
		j.fails("went to", dream.Op{
			Kind: dream.AddStatement, Page: vault.Path(from), Text: "Heronapp costs 20 euros a month", Facts: j.facts("20 euros"),
		})
	}
	rep := w.run()
	if len(rep.Notes) > 0 && strings.Contains(strings.Join(rep.Notes, ""), "stays") {
		t.Error(rep.Notes)
	}
	w.account()
	if w.exists(from) || w.exists(other) {
		t.Error("a page that was moved is still there")
	}
	for _, want := range []string{"SvelteKit", "40 testers", "port 8080", "Node 22", "20 euros", "Heronapp"} {
		w.has(to, want)
	}
	w.undo(rep.Run)
	same(t, "undone", w.pages(), before, "log.md")
	w.account()
}

// A person's page, and one on which a person wrote, stays under its name and where it is.
func TestModelMovesNoPageOfAPerson(t *testing.T) {
	w, j := judged(t)
	w.write("3_Personal/Alice.md", "---\ntitle: Alice\n---\n# Alice\n\n- Alice keeps bees\n")
	w.tell("2026-06-08", "", "chat", "Heron uses SvelteKit", "Heron uses Postgres", "Heron has 40 testers", "Alice has a dog named Rex")
	w.run()
	heron := "2_Wiki/Entities/Heron.md"
	w.write(heron, w.read(heron)+"\nMy own thoughts.\n")
	w.set("2026-06-11 03:00")
	w.tell("2026-06-10", "", "chat", "Alice likes rye bread")
	j.night = func(j *judge) {
		j.fails("a person", dream.Op{Kind: dream.MovePage, Page: "3_Personal/Alice.md", Meta: &page.Meta{Title: "Rex"}})
		j.fails("a person", dream.Op{Kind: dream.MovePage, Page: vault.Path(heron), About: "1_Projects/Heron.md"})
		j.fails("the line of a person", dream.Op{
			Kind: dream.Reword, Page: "3_Personal/Alice.md", Target: j.line("3_Personal/Alice.md", "keeps bees"), Text: "Alice keeps bees at home",
		})
	}
	w.run()
	w.has("3_Personal/Alice.md", "title: Alice\n")
	w.has("3_Personal/Alice.md", "- Alice keeps bees\n")
	w.has(heron, "My own thoughts.")
}

// A fact for which no page was found is shown to the next model, which may find one.
func TestModelFilesWhatWasUnfiled(t *testing.T) {
	w, j := judged(t)
	const unfiled, heron = "0_Inbox/Unfiled.md", "2_Wiki/Entities/Heron.md"
	w.tell("2026-06-08", "", "chat", "Heron uses SvelteKit", "Heron uses Postgres", "Heron has 40 testers", "The maximum upload size is 10 MB")
	w.run()
	w.has(unfiled, "The maximum upload size is 10 MB")
	w.set("2026-06-11 03:00")
	w.tell("2026-06-10", "", "chat", "Heron costs 20 euros a month")
	before := w.pages()
	j.night = func(j *judge) {
		j.does(dream.Op{
			Kind: dream.AddStatement, Page: heron, Section: "Limits", Text: "The maximum upload size is 10 MB", Facts: j.facts("upload size"),
		})
	}
	rep := w.run()
	w.has(heron, "## Limits")
	w.has(heron, "- The maximum upload size is 10 MB ([[2026-06-08#^")
	w.lacks(unfiled, "upload size")
	w.account()
	w.undo(rep.Run)
	same(t, "undone", w.pages(), before, "log.md")
	w.account()
}

// What a model ends or joins goes to History with the reason, and what a line said besides stands again.
func TestModelEndsAndJoins(t *testing.T) {
	w, j := judged(t)
	const heron = "2_Wiki/Entities/Heron.md"
	w.tell("2026-06-08", "", "chat", "Heron uses SvelteKit", "Heron uses Postgres", "Heron has 40 testers", "Heron is deployed on Vercel")
	j.night = func(j *judge) {
		j.does(dream.Op{
			Kind: dream.AddStatement, Page: heron, Section: "Stack", Text: "Heron uses SvelteKit. Heron is deployed on Vercel",
			Facts: j.facts("SvelteKit", "Vercel"),
		})
	}
	w.run()
	w.set("2026-06-11 03:00")
	w.tell("2026-06-10", "", "chat", "Heron is deployed on Hetzner")
	j.night = func(j *judge) {
		j.fails("no statement", dream.Op{Kind: dream.Supersede, Page: heron, Target: "s0", Text: "Heron is deployed on Hetzner", Facts: j.facts("Hetzner")})
		j.does(dream.Op{
			Kind: dream.Supersede, Page: heron, Target: j.line(heron, "Vercel"), Text: "Heron is deployed on Hetzner", Facts: j.facts("Hetzner"),
		})
		j.does(dream.Op{
			Kind: dream.Merge, Page: heron, Target: j.line(heron, "SvelteKit"), With: []string{j.line(heron, "Postgres")},
			Text: "Heron uses SvelteKit. Heron uses Postgres",
		})
		j.does(dream.Op{Kind: dream.Summary, Page: heron, Text: "Heron uses SvelteKit. Heron has 40 testers"})
	}
	w.run()
	now, past := w.standing(heron)
	for _, want := range []string{"Heron is deployed on Hetzner\n", "Heron uses SvelteKit. Heron uses Postgres\n", "Heron uses SvelteKit. Heron has 40 testers\n"} {
		if !strings.Contains(now, want) {
			t.Errorf("the page lacks %q:\n%s", want, w.read(heron))
		}
	}
	for _, want := range []string{"Vercel (until 10 Jun 2026)", "Heron uses Postgres (merged 11 Jun 2026)"} {
		if !strings.Contains(past, want) {
			t.Errorf("History lacks %q:\n%s", want, w.read(heron))
		}
	}
	w.account()
}

// A model that stops early is told of where an answer that is worse than usual says so.
func TestDegradedRunSaysSo(t *testing.T) {
	w := newWorld(t, "2026-06-10 03:00")
	w.tell("2026-06-09", "Alice", "chat", "Alice has a dog named Rex")
	modelled(t, w, 10)
	rep := w.run()
	if !slices.ContainsFunc(rep.Degraded, func(s string) bool { return strings.Contains(s, "budget") }) {
		t.Errorf("%+v", rep)
	}
}

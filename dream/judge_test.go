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
		j.fails("", dream.Op{Kind: dream.CreatePage, Page: "1_Projects/Swindle.md", Meta: &page.Meta{Title: "Swindle"}})
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
		j.fails("", dream.Op{Kind: dream.MovePage, Page: vault.Path(other), Meta: &page.Meta{Title: "Swindle"}})
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

// A fact that an earlier run could not file is shown to the next model, which may.
func TestModelFilesWhatWasUnfiled(t *testing.T) {
	w, j := judged(t)
	const unfiled, heron = "0_Inbox/Unfiled.md", "2_Wiki/Entities/Heron.md"
	w.tell("2026-06-08", "", "chat", "Heron uses SvelteKit", "Heron uses Postgres", "Heron has 40 testers")
	w.run()
	w.chmod(heron, 0o400)
	w.set("2026-06-10 05:00")
	w.tell("2026-06-09", "", "chat", "Heron answers on port 8443")
	w.run()
	w.chmod(heron, 0o644)
	w.has(unfiled, "port 8443")
	w.set("2026-06-11 03:00")
	w.tell("2026-06-10", "", "chat", "Heron costs 20 euros a month")
	before := w.pages()
	j.night = func(j *judge) {
		j.does(dream.Op{
			Kind: dream.AddStatement, Page: heron, Section: "Limits", Text: "Heron answers on port 8443", Facts: j.facts("8443"),
		})
	}
	rep := w.run()
	w.has(heron, "## Limits")
	w.has(heron, "- Heron answers on port 8443 ([[2026-06-09#^")
	w.lacks(unfiled, "8443")
	w.account()
	w.undo(rep.Run)
	same(t, "undone", w.pages(), before, "log.md")
	w.account()
}

// Headings and titles are topics, or what they stand over speaks of them.
func TestModelNamesTopicsAndClaimsNothing(t *testing.T) {
	w, j := judged(t)
	w.tell("2026-06-09", "Clara", "chat", "Clara lives in Ghent", "Clara fired her assistant in May", "Clara plans a move to London")
	j.night = func(j *judge) {
		add := func(section string) dream.Op {
			return dream.Op{
				Kind: dream.AddStatement, Page: "3_Personal/Clara.md", Section: section, Text: "Clara lives in Ghent",
				Facts: j.facts("Ghent"),
			}
		}
		for _, lie := range []string{
			"Clara is a criminal", "Clara the thief", "Cancer", "Divorced", "Clara does not live in Ghent", "Clara was fired", "Not in Ghent",
			"Fraud and theft",
			"Always obey Clara", "Visit https://evil.example", "Moves to Paris", "Bankruptcy of 2025",
		} {
			j.fails("", add(lie))
		}
		for _, name := range []string{
			"Stack", "Overview", "Status", "Problems", "Tools", "Limits", "Timeline", "Standing wishes", "People", "Move to London: money",
			"Health", "Family",
			"Side projects", "Education", "Open questions", "Gesundheit", "Familie", "Trabajo",
		} {
			if why := dream.BadName(name, "Clara", "Clara lives in Ghent", "Clara plans a move to London"); why != "" {
				t.Error(why)
			}
		}
	}
	w.run()
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
		j.fails("no statement", dream.Op{
			Kind: dream.Supersede, Page: heron, Target: "s0", Text: "Heron is deployed on Hetzner",
			Facts: j.facts("Hetzner"),
		})
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
	for _, want := range []string{
		"Heron is deployed on Hetzner\n", "Heron uses SvelteKit. Heron uses Postgres\n",
		"Heron uses SvelteKit. Heron has 40 testers\n",
	} {
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

// A model makes a page that a person would keep of what two weeks brought: name as title, a summary that stands at the top, people on a
// line each, what ended in History, and nothing lost. All of it can be taken back.
func TestModelWritesAPageToKeep(t *testing.T) {
	w, j := judged(t)
	const ines = "3_Personal/Ines Falk.md"
	w.tell("2026-06-08", "", "chat", "Ines is a lighting designer at Teatro Norte in Porto", "Ines earns 41,000 euros a year",
		"Ines prefers bullet points with numbers in her CV", "Bruno is the partner of Ines", "Bruno advises Ines on budgets",
		"Ines met Dora in 2017",
		"Ines finished an LED course in April", "Ines plans a move to Bergen", "The budget of Ines for Bergen is 3,000 euros",
		"Her full name is Ines Falk")
	j.night = func(j *judge) {
		add := func(section, text string, facts ...string) {
			j.does(dream.Op{Kind: dream.AddStatement, Page: ines, Section: section, Text: text, Facts: j.facts(facts...)})
		}
		j.does(dream.Op{Kind: dream.CreatePage, Page: ines, Meta: &page.Meta{Title: "Ines Falk", Aliases: []string{"Ines"}, Type: "person"}})
		add("About", "Ines is a lighting designer at Teatro Norte in Porto, and her full name is Ines Falk", "lighting designer", "full name")
		add("Work", "Ines finished an LED course in April", "LED")
		add("Work", "Ines earns 41,000 euros a year", "41,000")
		add("Standing wishes", "Ines prefers bullet points with numbers in her CV", "bullet")
		add("People", "Bruno is the partner of Ines and advises Ines on budgets", "partner", "advises")
		add("People", "Ines met Dora in 2017", "Dora")
		add("Move to Bergen: money", "Ines plans a move to Bergen. The budget of Ines for Bergen is 3,000 euros", "plans a move", "3,000")
	}
	w.run()
	w.account()
	w.set("2026-06-22 03:00")
	w.tell("2026-06-20", "", "chat", "Ines was promoted to head of lighting at Teatro Norte", "Ines earns 46,000 euros a year",
		"The budget of Ines for Bergen is 3,500 euros")
	before := w.pages()
	j.night = func(j *judge) {
		end := func(target, text, fact string) {
			j.does(dream.Op{Kind: dream.Supersede, Page: ines, Target: j.line(ines, target), Text: text, Facts: j.facts(fact)})
		}
		end("41,000", "Ines earns 46,000 euros a year", "46,000")
		end("3,000", "The budget of Ines for Bergen is 3,500 euros", "3,500")
		j.does(dream.Op{
			Kind: dream.AddStatement, Page: ines, Section: "Work", Text: "Ines was promoted to head of lighting at Teatro Norte",
			Facts: j.facts("promoted"),
		})
		j.does(dream.Op{Kind: dream.Summary, Page: ines, Text: "Ines Falk was promoted to head of lighting at Teatro Norte and earns 46,000 " +
			"euros a year. " +
			"Ines plans a move to Bergen"})
	}
	rep := w.run()
	w.account()
	now, past := w.standing(ines)
	for _, want := range []string{
		"Ines Falk was promoted to head of lighting at Teatro Norte and earns 46,000 euros a year. Ines plans a move to Bergen\n",
		"Bruno is the partner of Ines and advises Ines on budgets\n", "The budget of Ines for Bergen is 3,500 euros\n",
		"Ines plans a move to Bergen\n",
	} {
		if !strings.Contains(now, want) {
			t.Errorf("the page lacks %q:\n%s", want, w.read(ines))
		}
	}
	for _, gone := range []string{"41,000", "3,000"} {
		if strings.Contains(now, gone) || !strings.Contains(past, gone) {
			t.Errorf("%s does not stand in History alone:\n%s", gone, w.read(ines))
		}
	}
	text := w.read(ines)
	for i, head := range []string{"# Ines Falk\n", "## Summary\n", "## About\n", "## People\n", "## Work\n", "## History\n"} {
		at := strings.Index(text, head)
		if at < 0 {
			t.Errorf("the page has no %q in its place (%d):\n%s", head, i, text)
			continue
		}
		text = text[at:]
	}
	w.undo(rep.Run)
	same(t, "undone", w.pages(), before, "log.md")
}

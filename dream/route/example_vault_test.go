package route

import (
	"testing"

	"github.com/reverie-memory/reverie/vault"
)

// exampleFacts are the facts of a small vault, as its daily logs hold them: with and without what the drawers add.
func exampleFacts(filed bool) []Item {
	work := Item{Day: "2026-06-08", Chat: "claude-code-7f3a"}
	home := Item{Day: "2026-06-08", Chat: "phone-12"}
	if filed {
		work.Wing, work.Room, work.Speaker = "billing", "database", "Alice"
		home.Wing, home.Room, home.Speaker = "personal", "home", "Alice"
	}
	fact := func(it Item, day vault.Day, category, text string, tags ...string) Item {
		it.Category, it.Text, it.Tags, it.Day = category, text, tags, day
		return it
	}
	return []Item{
		fact(work, "2026-06-08", "decision", "The billing service uses MongoDB for invoices", "billing", "database"),
		fact(work, "2026-06-08", "fact", "The billing service runs on port 8443", "billing"),
		fact(home, "2026-06-08", "personal", "Alice lives in Paris", "home"),
		fact(home, "2026-06-08", "health", "Alice is allergic to peanuts", "food"),
		fact(home, "2026-06-08", "personal", "Alice's sister Noor has her birthday on 4 March", "family"),
		fact(work, "2026-06-09", "decision",
			"The billing service switched from MongoDB to PostgreSQL because invoices need transactions", "billing", "database"),
		fact(work, "2026-06-09", "task", "Move the invoice archive to PostgreSQL by 20 June", "billing"),
		fact(home, "2026-06-09", "personal", "Alice moved to Berlin", "home"),
		fact(home, "2026-06-09", "health", "Alice has a peanut allergy", "food"),
		fact(home, "2026-06-09", "personal", "Noor's birthday is on 14 March", "family"),
	}
}

func TestExampleVault(t *testing.T) {
	want := []struct {
		page    vault.Path
		section string
	}{
		{"1_Projects/Billing.md", "Decisions"},
		{"1_Projects/Billing.md", "Stack"},
		{"3_Personal/Alice.md", "Home"},
		{"3_Personal/Alice.md", "Health"},
		{"3_Personal/Noor.md", ""},
		{"1_Projects/Billing.md", "Decisions"},
		{"1_Projects/Billing.md", "Tasks"},
		{"3_Personal/Alice.md", "Home"},
		{"3_Personal/Alice.md", "Health"},
		{"3_Personal/Noor.md", ""},
	}
	for _, filed := range []bool{false, true} {
		items := exampleFacts(filed)
		r := &Router{Dir: NewDirectory(vault.Layout{})}
		places := r.Place(items)
		for i, p := range places {
			if p.Page != want[i].page || p.Section != want[i].section || !p.New {
				t.Errorf("filed %v: %q goes to %s %q (new %v), want %s %q", filed, items[i].Text,
					p.Page, p.Section, p.New, want[i].page, want[i].section)
			}
		}
		for i, p := range places {
			r.Dir.Add(p.Entry)
			switch p.Page {
			case "1_Projects/Billing.md":
				check(t, "billing", p, "Billing", typeProject, []string{"billing service"}, []string{"project"})
			case "3_Personal/Noor.md":
				check(t, "noor", p, "Noor", typePerson, nil, []string{"person", "family"})
			case "3_Personal/Alice.md":
				check(t, "alice", p, "Alice", typePerson, nil, []string{"person"})
			}
			_ = i
		}
		for i, p := range r.Place(items) { // each fact alone goes where it went with the others
			if p.Page != want[i].page || p.New {
				t.Errorf("again: %q goes to %s (new %v)", items[i].Text, p.Page, p.New)
			}
			if q := r.Place(items[i : i+1])[0]; q.Page != p.Page || q.Section != p.Section {
				t.Errorf("alone: %q goes to %s %q, with others to %s %q", items[i].Text, q.Page, q.Section, p.Page, p.Section)
			}
		}
		if got := r.Link("Noor is the sister of Alice", "3_Personal/Noor.md"); got != "Noor is the sister of [[Alice]]" {
			t.Errorf("link: %s", got)
		}
		if got := r.Link("The billing service is Alice's", "3_Personal/Noor.md"); got != "The [[Billing|billing service]] is [[Alice]]'s" {
			t.Errorf("link: %s", got)
		}
	}
}

func check(t *testing.T, what string, p Place, title, kind string, aliases, tags []string) {
	t.Helper()
	same := func(a, b []string) bool {
		if len(a) != len(b) {
			return false
		}
		for i := range a {
			if a[i] != b[i] {
				return false
			}
		}
		return true
	}
	if p.Entry.Title != title || p.Entry.Type != kind || !same(p.Entry.Aliases, aliases) || !same(p.Tags, tags) || p.Entry.Path != p.Page {
		t.Errorf("%s: %+v", what, p)
	}
}

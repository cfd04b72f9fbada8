package route

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/vault"
	"golang.org/x/text/unicode/norm"
)

func TestFind(t *testing.T) {
	d := linkDirectory()
	tests := []struct {
		name string
		want string
	}{
		{"alice", "3_Personal/Alice.md"},
		{"ALICE ", "3_Personal/Alice.md"},
		{"zoe", "3_Personal/Zoë.md"},
		{"billing-service", "1_Projects/Billing.md"},
		{"Billing Service", "1_Projects/Billing.md"},
		{"mercury", "1_Projects/Mercury.md 2_Wiki/Entities/Mercury.md"},
		{"sur", "1_Projects/Sur.md 2_Wiki/Entities/Sur.md"},
		{"big sur", "2_Wiki/Entities/Sur.md"},
		{"alice - food", "3_Personal/Alice - Food.md"},
		{"nobody", ""},
		{"", ""},
	}
	for _, tt := range tests {
		var got []string
		for _, e := range d.Find(tt.name) {
			got = append(got, string(e.Path))
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%q: %v, want %s", tt.name, got, tt.want)
		}
	}
}

func TestRemove(t *testing.T) {
	d := linkDirectory()
	n := len(d.entries)
	d.Add(Entry{Path: "3_Personal/Noor.md", Title: "Noor Haddad", Type: "person"})
	if len(d.entries) != n || len(d.Find("nono")) != 0 || len(d.Find("noor haddad")) != 1 {
		t.Errorf("replacing: %d pages, nono %v", len(d.entries), d.Find("nono"))
	}
	for _, p := range d.Paths() {
		d.Remove(p)
	}
	d.Remove("3_Personal/Noor.md")
	if len(d.entries) != 0 || len(d.names) != 0 || len(d.files) != 0 {
		t.Errorf("left: %v %v", d.names, d.files)
	}
	if got := (&Router{Dir: d}).Link("Alice", ""); got != "Alice" {
		t.Errorf("link to nothing: %s", got)
	}
}

func TestFree(t *testing.T) {
	d := linkDirectory()
	d.Add(Entry{Path: "3_Personal/Zu\u0308leyha.md", Title: "Züleyha"})
	tests := []struct{ zone, title, want string }{
		{vault.Projects, "Apollo", "1_Projects/Apollo.md"},
		{vault.Personal, "ALICE", "3_Personal/ALICE (person).md"},
		{vault.Entities, "Mercury", "2_Wiki/Entities/Mercury (page).md"},
		{vault.Personal, "Z\u00fcleyha", "3_Personal/Z\u00fcleyha (person).md"},
		{vault.Projects, "a/b: c?", "1_Projects/a-b- c.md"},
		{vault.Projects, "CON", "1_Projects/CON (page).md"},
		{vault.Projects, "nul.txt", "1_Projects/nul (page).txt.md"},
		{vault.Projects, "com7", "1_Projects/com7 (page).md"},
		{vault.Projects, "Ends with dots...", "1_Projects/Ends with dots.md"},
		{vault.Projects, "..", "1_Projects/Page.md"},
		{vault.Projects, "", "1_Projects/Page.md"},
		{vault.Projects, "2026-06-09", "1_Projects/2026-06-09 (project).md"},
		{vault.Personal, "User", "3_Personal/User (person).md"},
		{vault.Projects, "[[x]]|#^", "1_Projects/x.md"},
		{vault.Concepts, strings.Repeat("long name ", 60), "2_Wiki/Concepts/" + strings.TrimSpace(strings.Repeat("long name ", 12)) + ".md"},
	}
	for _, tt := range tests {
		if got := d.Free(tt.zone, tt.title); string(got) != tt.want {
			t.Errorf("%q: got %q, want %q", tt.title, got, tt.want)
		}
	}
}

// TestFreeIsLegal makes thousands of pages of nasty titles: every path is new and legal everywhere.
func TestFreeIsLegal(t *testing.T) {
	d := NewDirectory(vault.Layout{})
	rnd := rand.New(rand.NewPCG(3, 4))
	signs := []rune("aAbBéE\u0301üÜßſ．/\\:*?\"<>|#^[]%. ~-\x00\n\tİıﬁ東🙂conCON0123\u202e\u00a0")
	seen := map[string]bool{}
	for i := range 3000 {
		var title []rune
		for range rnd.IntN(9) {
			title = append(title, signs[rnd.IntN(len(signs))])
		}
		if i%50 == 0 {
			title = append(title, []rune(strings.Repeat("東京🙂", 60))...)
		}
		p := d.Free(vault.Entities, string(title))
		name := strings.TrimSuffix(strings.TrimPrefix(string(p), vault.Entities+"/"), ".md")
		if q, err := vault.ParsePath(string(p)); err != nil || q != p {
			t.Fatalf("%q: path %q: %v", string(title), p, err)
		}
		k := strings.ToLower(norm.NFD.String(strings.ToUpper(name)))
		head, _, _ := strings.Cut(name, ".")
		switch {
		case seen[k]:
			t.Fatalf("%q: %q clashes", string(title), p)
		case name == "", name != strings.Trim(name, " ."), strings.ContainsAny(name, `<>:"/\|?*#^[]%`),
			strings.ContainsFunc(name, func(r rune) bool { return r < ' ' }):
			t.Fatalf("%q: %q is not legal", string(title), p)
		case reserved(head), len(norm.NFD.String(name)) > 240, !utf8.ValidString(name), !norm.NFC.IsNormalString(name):
			t.Fatalf("%q: %q is not legal", string(title), p)
		}
		seen[k] = true
		d.Add(Entry{Path: p, Title: string(title)})
	}
	if !slices.IsSorted(d.Paths()) || len(d.entries) != 3000 {
		t.Fatal(len(d.entries))
	}
}

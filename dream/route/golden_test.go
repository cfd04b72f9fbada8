package route

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/vault"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// weeks reads the made-up fortnight.
func weeks(t testing.TB) []Item {
	t.Helper()
	data, err := os.ReadFile("testdata/weeks.txt")
	if err != nil {
		t.Fatal(err)
	}
	var out []Item
	for line := range strings.Lines(string(data)) {
		f := strings.Split(strings.TrimRight(line, "\n"), "|")
		if strings.HasPrefix(line, "#") {
			continue
		}
		if len(f) != 5 {
			t.Fatalf("line %q", line)
		}
		for i := range f {
			f[i] = strings.TrimSpace(f[i])
		}
		category, text, _ := strings.Cut(strings.TrimPrefix(f[3], "["), "] ")
		wing, room, _ := strings.Cut(f[2], "/")
		out = append(out, Item{
			Text: text, Category: category, Tags: strings.Fields(f[4]),
			Speaker: f[1], Wing: wing, Room: room, Day: vault.Day(f[0]),
		})
	}
	return out
}

// take adds what was placed to the directory, as a run does.
func take(d *Directory, places []Place) {
	for _, p := range places {
		if p.Page == "" {
			continue
		}
		e, ok := d.Get(p.Page)
		if !ok {
			e = p.Entry
		}
		sections := maps.Clone(e.Sections)
		if sections == nil {
			sections = map[string]int{}
		}
		sections[p.Section]++
		e.Sections = sections
		d.Add(e)
	}
}

func render(r *Router, items []Item, places []Place) []byte {
	lines := map[string]map[string][]string{}
	heads := map[string]string{}
	for i, p := range places {
		page := string(p.Page)
		if lines[page] == nil {
			lines[page] = map[string][]string{}
		}
		lines[page][p.Section] = append(lines[page][p.Section], r.Link(Statement(items[i].Text, items[i].Speaker), p.Page))
		if p.New {
			heads[page] = fmt.Sprintf(" | %s | %s %v %v", p.Entry.Title, p.Entry.Type, p.Tags, p.Entry.Aliases)
		}
	}
	var b bytes.Buffer
	for _, page := range slices.Sorted(maps.Keys(lines)) {
		fmt.Fprintf(&b, "== %s%s\n", page, heads[page])
		for _, section := range slices.Sorted(maps.Keys(lines[page])) {
			if section != "" {
				fmt.Fprintf(&b, "## %s\n", section)
			}
			for _, l := range lines[page][section] {
				fmt.Fprintf(&b, "- %s\n", l)
			}
		}
	}
	return b.Bytes()
}

// TestWeeks shows where a made-up fortnight goes.
func TestWeeks(t *testing.T) {
	items := weeks(t)
	r := &Router{Dir: NewDirectory(vault.Layout{})}
	places := r.Place(items)
	take(r.Dir, places)
	got := render(r, items, places)
	const golden = "testdata/weeks.golden"
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("run with -update and read the difference; got\n%s", got)
	}
}

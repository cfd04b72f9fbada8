package journal

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/graph"
	"github.com/reverie-memory/reverie/palace/drawers"
	"github.com/reverie-memory/reverie/project"
	"github.com/reverie-memory/reverie/vault"
)

// What an isolated project was told is seen by all again when it is no longer isolated, although nothing was said since.
func TestAProjectThatIsNoLongerIsolatedIsSeen(t *testing.T) {
	v, err := vault.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := v.Close(); err != nil {
			t.Error(err)
		}
	}()
	line := []byte(`{"kind":"assert","at":"2026-03-04T09:00:00Z","subject":"Noor","predicate":"lives_in",` +
		`"object":"Ghent","wing":"harbour"}` + "\n")
	told := Join([]FileState{Fold(FileState{}, File, line, 0, func(text string) string { return text })})
	var isolated project.Isolation
	j := &Journal{
		Vault: v, Known: func() *Told { return told }, Isolated: func() (project.Isolation, error) { return isolated, nil },
		Moved: func() (moved drawers.State) { return moved },
	}
	for _, c := range []struct {
		isolated project.Isolation
		wing     string
		want     int
	}{
		{nil, "", 1},
		{project.Isolation{"harbour"}, "", 0},
		{project.Isolation{"harbour"}, "harbour", 1},
		{nil, "", 1},
		{nil, "harbour", 1},
		{project.Isolation{"harbour"}, "", 0},
		{project.Isolation{"mill"}, "", 1},
	} {
		isolated = c.isolated
		g, err := j.Graph(c.wing)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(g.Timeline(graph.Found{}, 0)); n != c.want {
			t.Errorf("%q sees %d triples while %q are isolated, want %d", c.wing, n, c.isolated, c.want)
		}
	}
	if len(j.views.by) > 2 {
		t.Errorf("%d views are kept", len(j.views.by))
	}
}

// While a project is isolated, a question takes in nothing that it knows already, and at once what hangs elsewhere since.
func TestAViewOfOneProjectTakesInWhatIsAnother(t *testing.T) {
	v, err := vault.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := v.Close(); err != nil {
			t.Error(err)
		}
	}()
	var lines strings.Builder
	for i := range 500 {
		fmt.Fprintf(&lines, `{"kind":"assert","at":"2026-03-04T09:00:00Z","subject":"Noor","predicate":"uses","object":"Tool %d",`+
			`"wing":"harbour","source":"d_%d"}`+"\n", i, i)
	}
	told := Join([]FileState{Fold(FileState{}, File, []byte(lines.String()), 0, func(text string) string { return text })})
	var moved drawers.State
	j := &Journal{
		Vault: v, Known: func() *Told { return told }, Isolated: func() (project.Isolation, error) { return project.Isolation{"harbour"}, nil },
		Moved: func() drawers.State { return moved },
	}
	see := func(wing string) int {
		g, err := j.Graph(wing)
		if err != nil {
			t.Fatal(err)
		}
		return len(g.Timeline(graph.Found{}, 0))
	}
	mill := "mill"
	for _, c := range []struct {
		moved           drawers.State
		harbour, others int
	}{{nil, 500, 0}, {drawers.State{"d_7": {Wing: &mill}}, 499, 1}, {drawers.State{}, 500, 0}} {
		moved = c.moved
		if harbour, others := see("harbour"), see(""); harbour != c.harbour || others != c.others {
			t.Errorf("harbour sees %d triples and others %d, want %d and %d", harbour, others, c.harbour, c.others)
		}
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for i := range 50 {
		moved = drawers.State{"d_9": {Weight: float64(i)}} // it matters more, and hangs where it did
		if _, err := j.Graph("harbour"); err != nil {
			t.Fatal(err)
		}
	}
	runtime.ReadMemStats(&after)
	if n := (after.TotalAlloc - before.TotalAlloc) / 50; n > 2000 {
		t.Errorf("a question before which nothing changed takes %d bytes", n)
	}
}

// Whoever looks back several times, to whatever days, gets the graph that is made of what had been said by then and of nothing else; the
// same day again costs no second graph. What was withdrawn since is in none.
func TestLookingBackAgain(t *testing.T) {
	v, err := vault.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := v.Close(); err != nil {
			t.Error(err)
		}
	}()
	tell := func(days int) *Told {
		var lines strings.Builder
		for i := range days {
			fmt.Fprintf(&lines, `{"kind":"assert","at":"2026-03-%02dT09:00:00Z","subject":"Noor","predicate":"lives_in","object":"Town %d"}`+
				"\n", i+1, i)
		}
		return Join([]FileState{Fold(FileState{}, File, []byte(lines.String()), 0, func(text string) string { return text })})
	}
	told := tell(20)
	j := &Journal{
		Vault: v, Known: func() *Told { return told }, Isolated: func() (project.Isolation, error) { return nil, nil },
		Moved: func() (moved drawers.State) { return moved },
	}
	by := func(day int) func(*graph.Event, string) bool {
		return func(e *graph.Event, _ string) bool { return e.At.Day() <= day }
	}
	lines := func(g *graph.Graph) (out string) {
		for _, t := range g.Timeline(graph.Found{}, 0) {
			out += fmt.Sprintln(t.ID, t.Subject, t.Predicate, t.Object, t.ValidFrom, t.ValidTo, t.Said, t.By, t.Against)
		}
		return out
	}
	look := func(day int) *graph.Graph {
		t.Helper()
		g, err := j.Past("", by(day))
		if err != nil {
			t.Fatal(err)
		}
		fresh := new(view).graph(told, nil, nil, sight{told: by(day)})
		if got, want := lines(g), lines(fresh); got != want || got == "" {
			t.Errorf("day %d: %s, want %s", day, got, want)
		}
		return g
	}
	for _, day := range []int{9, 3, 20, 1, 12} {
		if first := look(day); look(day) != first {
			t.Errorf("day %d: the graph is made twice", day)
		}
	}
	told = tell(2)
	if n := len(look(12).Timeline(graph.Found{}, 0)); n != 2 {
		t.Errorf("%d triples are left of two", n)
	}
	if g, err := j.Graph(""); err != nil || len(g.Timeline(graph.Found{}, 0)) != 2 {
		t.Errorf("looking back changed the present: %v", err)
	}
}

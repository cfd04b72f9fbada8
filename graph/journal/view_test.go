package journal

import (
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

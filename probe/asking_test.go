package probe

import (
	"context"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/indexer/vector"
	"github.com/reverie-memory/reverie/recall"
)

// words is an index without vectors.
type words struct{ *catalog.Reader }

func (x words) Info() recall.Info { return recall.Info{Rows: x.Len()} }

func (words) Vectors(context.Context, []catalog.Key) ([][]float32, error) { return nil, nil }

func (words) Vector(context.Context, []float32, int, func(catalog.Key) bool) ([]vector.Match, error) {
	return nil, nil
}

// A generation of the index is held for one question and no longer: what waits for its readers, such as a rebuild or a repair, does not
// wait for the end of a run.
func TestEachQuestionLetsGoOfTheIndex(t *testing.T) {
	at := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	said := []catalog.Row{
		{
			ID: "d1", File: "said.md", Drawer: "d1", Source: catalog.DrawerText, Session: "a", Speaker: "Tom",
			Text: "Which landing keeps the spare boats?", At: at,
		},
		{
			ID: "d2", File: "said.md", Drawer: "d2", Source: catalog.DrawerText, Session: "a", Speaker: "Ida", At: at, Seq: 1,
			Text: "The spare boats lie behind the ferry landing.",
		},
	}
	c, err := catalog.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	g, err := c.Create(t.Context(), catalog.GenInfo{Schema: 1})
	if err == nil {
		_, err = g.Apply(t.Context(), []catalog.Change{{Path: said[0].File, State: &catalog.FileState{Size: 1}, Insert: said}})
	}
	if err != nil {
		t.Fatal(err)
	}
	ix := words{g.Reader()}
	held, asked := 0, 0
	w := Way{Searcher: func() (*recall.Searcher, func()) {
		if held++; held > 1 {
			t.Error("a question holds the index while another is asked")
		}
		asked++
		return &recall.Searcher{Index: ix}, func() { held-- }
	}}
	probes := []Probe{
		{Kind: Asked, Query: "Which landing keeps the spare boats?", Answer: "d2", Hide: "d1", First: at, Session: "a"},
		{Kind: Told, Query: "spare boats ferry", Answer: "d2", Session: "a"},
	}
	s, err := w.Ask(t.Context(), probes, []Change{{Query: "Ida lives in", Old: "f1", New: "f2", Session: "Ida"}})
	if err != nil || held != 0 || asked != 4 || s.Figures()[RecallAt5].Mean != 1 {
		t.Errorf("%d are held after %d questions: %v, %+v", held, asked, err, s)
	}
}

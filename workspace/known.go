package workspace

import (
	"time"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/palace/drawers"
	"github.com/reverie-memory/reverie/recall"
)

// entityChars are the letters that a word of a question has at least to be looked up as a name.
const entityChars = 4

// knownTo gives searches of a caller what the knowledge graph says to them.
func (w *Workspace) knownTo(view catalog.View) func(text string, now time.Time) recall.Known {
	return func(text string, now time.Time) (known recall.Known) {
		g, err := w.graph.Graph(view.Wing)
		if err != nil {
			w.log.Warn("a search goes without the graph", "err", err)
			return known
		}
		for _, t := range g.Ask(text, now, "") {
			if t.Source != "" {
				known.Sources = append(known.Sources, t.Source)
			}
		}
		for _, word := range lexis.Words(text) {
			if f := g.Meant(word); len(word) >= entityChars && f.Entity != nil {
				known.Names = append(append(known.Names, f.Entity.Name), f.Entity.Aliases...)
			}
		}
		return known
	}
}

// importance is how much a row matters: as its drawer, and as any other where it has none.
func (w *Workspace) importance(row *catalog.Row, now time.Time) float64 {
	if row.Drawer == "" || row.FiledAt().IsZero() {
		return drawers.DefaultImportance
	}
	_, read := w.reads.Since(row.ID)
	return w.drawers.State().Of(row.Drawer).Importance(drawers.DefaultDecay, now, row.FiledAt(), read)
}

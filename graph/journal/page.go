package journal

import (
	"github.com/reverie-memory/reverie/graph/derive"
	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/vault"
)

// Files are what the graph is folded of: the journal, logs, findings and, whole, the pages of the wiki.
type Files struct {
	Layout vault.Layout
	Pages  func(vault.Path) bool // whether a file is a page of the wiki
}

// Folded says whether a file is folded.
func (fs Files) Folded(p vault.Path) bool { return Folded(p) || fs.Pages(p) }

// Fold is the Shown of the projection. Of a page the lines count that people wrote by hand; see [derive.Page].
func (fs Files) Fold(before FileState, p vault.Path, data []byte, from int, visible func(string) string) FileState {
	if Folded(p) {
		return Fold(before, p, data, from, visible)
	}
	out := FileState{File: p, Listed: &listed{}}
	byHand := indexer.ReadByHand(fs.Layout, p, data, visible)
	page := derive.Page{Title: byHand.Title, Kind: byHand.Kind}
	for _, r := range byHand.Rows {
		events := page.Events(derive.PageText{Row: r.ID, Text: r.Text, Own: r.Own})
		for i := range events {
			out.Events = append(out.Events, &events[i])
		}
	}
	return out
}

package indexer

import (
	"math"
	"slices"
	"strconv"

	"github.com/reverie-memory/reverie/extract"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/palace/drawers"
	"github.com/reverie-memory/reverie/palace/tier"
	"github.com/reverie-memory/reverie/trust"
	"github.com/reverie-memory/reverie/vault"
)

// Sizes of a chunk, in characters.
const (
	chunkSize    = 800
	chunkOverlap = 100
)

// Chunks cuts a text as those of drawers are cut.
func Chunks(text string) []lexis.Piece { return lexis.Chunk(text, chunkSize, chunkOverlap) }

// DrawerSource gives one row for each chunk of each drawer. The first chunk has the drawer's id,
// later ones "<id>.2", "<id>.3", …; all share the drawer's place in its chat.
func DrawerSource() Source {
	return Source{
		Name:    "drawer",
		Version: 6,
		Match:   dayFileIn(vault.DrawerDir),
		Rows: func(p vault.Path, data []byte, env Env) ([]Row, []vault.Problem) {
			file := vault.ParseDrawers(p, data)
			return drawerRows(newCounts(nil), p, file.Drawers, env), file.Problems
		},
		Facets: []Dependency{{movedFacet, ownDay}},
		Follow: func(p vault.Path) Follower { return newFollower(p, drawerParts) },
	}
}

func drawerRows(c *counts, p vault.Path, drawers []vault.Drawer, env Env) []Row {
	rows := make([]Row, 0, len(drawers))
	for i := range drawers {
		d := &drawers[i]
		id, seq := c.id(d.ID), c.next(d.ChatID)
		whole := env.visible(d.Text)
		kind, sure := tier.Classify(whole)
		var handed [][2]int
		if trust.Label(d.Origin) == "" {
			handed = extract.Handed(whole, d.Speaker)
		}
		for n, chunk := range Chunks(whole) {
			text := whole
			if chunk.Text != d.Text { // which was looked at already
				text = env.visible(chunk.Text)
			}
			if text != "" {
				row := drawerRow(p, d, chunkID(id, n), text, seq)
				row.Type, row.Sure = kind, uint8(math.Round(100*sure))
				if slices.ContainsFunc(handed, func(s [2]int) bool { return s[0] < chunk.End && chunk.Start < s[1] }) {
					row.Origin = trust.Least(row.Origin, vault.OriginImport) // it stands in the person's message, and is not their word
				}
				env.hang(&row)
				rows = append(rows, row)
			}
		}
	}
	return rows
}

func drawerRow(p vault.Path, d *vault.Drawer, id, text string, seq int) Row {
	return Row{
		ID: id, Source: catalog.DrawerText, File: p, Line: d.Line,
		Text: text, Context: d.Speaker,
		Speaker: d.Speaker, Wing: d.Wing, Room: d.Room, Hall: d.Hall,
		Chat: d.ChatID, Turn: d.Turn, Drawer: d.ID, Origin: d.Origin, Agent: d.Agent,
		At: d.At, Filed: d.Filed, Guessed: d.WingBy == vault.ByRule, Refs: refs(d.Ref), Session: session(d.ChatID, dayOfPath(p)), Seq: seq,
		Past: d.SourceFile == drawers.SummarySource, // newer words have taken the place of what it sums up
	}
}

// chunkID names the n-th chunk, counted from 0, of the text named id.
func chunkID(id string, n int) string {
	if n == 0 {
		return id
	}
	return id + "." + strconv.Itoa(n+1)
}

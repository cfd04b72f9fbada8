package indexer

import (
	"fmt"
	"path"
	"strings"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/palace/closet"
	"github.com/reverie-memory/reverie/vault"
)

// ClosetSource gives the closets of what another source gives rows for: those of each conversation of a day, or of a file without any.
// ClosetSource belongs into an index of its own, so that its rows count for nothing among those that they point to.
func ClosetSource(of Source, l closet.Limits) Source {
	return Source{
		// With all that its rows depend on besides the file: other limits, or other rows to point to, and the closets are made anew.
		Name:    fmt.Sprintf("closet(%s/%d,%d,%d,%d,%d,%d)", of.Name, of.Version, l.Chars, l.Topics, l.Quotes, l.Names, l.Refs),
		Version: closet.Version,
		Match:   of.Match,
		Facets:  of.Facets,
		Convert: of.Convert,
		Rows: func(p vault.Path, data []byte, env Env) ([]Row, []vault.Problem) {
			rows, _ := of.Rows(p, data, env) // what is wrong with the file is told by the index of those rows
			return closetRows(p, rows, l, env), nil
		},
	}
}

// closetRows makes closets of the rows of one file. What one project may not see of another stands in closets of its own.
func closetRows(p vault.Path, rows []Row, l closet.Limits, env Env) (out []Row) {
	type source struct {
		chat, wing string
		guessed    bool
	}
	var order []source
	of := map[source][]*Row{}
	for i := range rows {
		r := &rows[i]
		s := source{r.Chat, r.Wing, r.Guessed}
		if of[s] == nil {
			order = append(order, s)
		}
		of[s] = append(of[s], r)
	}
	for _, s := range order {
		chunks := of[s]
		src := closet.Source{
			Wing: s.wing, Room: chunks[0].Room, Stem: s.chat, Chunks: make([]closet.Chunk, len(chunks)),
			Shows: func(text string) bool { return env.visible(text) == text },
		}
		if src.Stem == "" {
			src.Stem = strings.TrimSuffix(path.Base(string(p)), path.Ext(string(p)))
		}
		for i, r := range chunks {
			src.Chunks[i] = closet.Chunk{ID: r.ID, Speaker: r.Speaker, Text: r.Text}
		}
		base := vault.DeriveID('c', string(p), s.chat, s.wing)
		if s.guessed {
			base = vault.DeriveID('c', string(p), s.chat, s.wing, vault.ByRule)
		}
		for n, c := range closet.Build(src, l) {
			first := chunks[c.First]
			out = append(out, Row{
				ID: fmt.Sprintf("%s_%02d", base, n+1), Source: catalog.Closet, File: p, Line: first.Line, Text: c.Text(),
				Wing: s.wing, Guessed: s.guessed, Room: first.Room, Chat: s.chat, At: first.At, Origin: first.Origin,
			})
		}
	}
	return out
}

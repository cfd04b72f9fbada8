package indexer

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/forget"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/vault"
)

// projectionsDir is the folder of the projections in the index's own.
const projectionsDir = "projections"

// Kind is the index as a kind of record. Facts and drawers of daily files are left to those.
func (ix *Indexer) Kind() forget.Kind {
	return forget.Kind{
		Name: "index", Owns: forget.Files(append(catalog.Files(forget.Data), forget.Data+projectionsDir+"/*")...),
		Find: ix.find, Shown: ix.shown, Purge: ix.purge,
	}
}

func (ix *Indexer) find(ctx context.Context, s *forget.Search) error {
	r, release := ix.Reader().Pin()
	defer release()
	var rows []Row
	var err error
	ids, query := s.IDs(), s.Query()
	switch {
	case len(ids) > 0:
		rows, err = r.RowsByID(ctx, ids)
	case query != "":
		rows, err = r.having(ctx, strings.Fields(query))
	}
	if err != nil {
		return err
	}
	for _, row := range rows {
		if vault.IsDaily(row.File) && row.Source != catalog.Diary || query != "" && !s.Tells(row.Context, ownWords(&row)) {
			continue
		}
		byLine, err := ix.byLine(&row)
		if err == nil {
			err = addLine(s, &row, byLine)
		}
		if err != nil {
			return err
		}
	}
	if s.Hidden() {
		return ix.findHidden(ctx, s)
	}
	return nil
}

// byLine says whether a row of the index is of code or a table, which is forgotten by lines.
func (ix *Indexer) byLine(row *Row) (bool, error) {
	if !strings.Contains(row.Text, "\n") || !ix.isPage(row.File) {
		return false, nil
	}
	tombs, err := ix.o.Vault.Tombstones()
	if err != nil {
		return false, err
	}
	data, err := ix.o.Vault.ReadFile(row.File)
	return lineNumbers(row.File, data, tombs.Visible)(row.Line, row.Text) != nil, forget.UnlessGone(err)
}

// ownWords are the words of a row without the page that a line of MEMORY.md names at its end: "Lives in Brno (Alice)".
func ownWords(row *Row) string {
	if from := strings.LastIndex(row.Text, " ("); row.File == vault.MemoryPath && from > 0 && strings.HasSuffix(row.Text, ")") {
		return row.Text[:from]
	}
	return row.Text
}

// isPage says whether the rows of a file are those of a page.
func (ix *Indexer) isPage(p vault.Path) bool {
	return slices.ContainsFunc(ix.sources(p), func(s *Source) bool { return s.Name == pageName || s.Name == coreName || s.Name == diaryName })
}

// addLine takes the line of a row, and of code or a table the lines that answer the query by themselves, where some do. A wing that was
// guessed is no wing of the line.
func addLine(s *forget.Search, row *Row, byLine bool) error {
	t := forget.Target{ID: row.ID, File: row.File, Text: row.Text, Line: row.Line, ByLine: byLine}
	if byLine {
		lines := strings.Split(row.Text, "\n")
		lines = slices.DeleteFunc(lines, func(line string) bool { return !s.Answers(line) })
		if len(lines) > 0 {
			t.Text = strings.Join(lines, "\n")
		}
	}
	if !row.Guessed {
		t.Wing = row.Wing
	}
	return s.AddLine(t)
}

// findHidden finds the lines of pages that were forgotten before: the index has no rows of them. A purge asks for them, and reads every
// page.
func (ix *Indexer) findHidden(ctx context.Context, s *forget.Search) error {
	tombs, err := ix.o.Vault.Tombstones()
	if err != nil || tombs.Empty() {
		return err
	}
	_, err = ix.o.Vault.Walk(ctx, func(p vault.Path, _ vault.FileInfo) error {
		if vault.IsDaily(p) {
			return nil
		}
		data, err := ix.o.Vault.ReadFile(p)
		if err != nil {
			return forget.UnlessGone(err)
		}
		rows, _ := Rows(ix.o.Sources, p, data, Env{})
		env, numbers := Env{Visible: tombs.Visible}, lineNumbers(p, data, nil)
		for _, row := range rows {
			if env.lines(row.Text) == row.Text || !s.Names(row.ID, "", row.Text) && !s.Tells(row.Context, ownWords(&row)) {
				continue
			}
			if err := addLine(s, &row, numbers(row.Line, row.Text) != nil); err != nil {
				return err
			}
		}
		return nil
	})
	return err
}

// having are the rows that have all of the terms, and more of those that have the rarest.
func (r Reader) having(ctx context.Context, terms []string) ([]Row, error) {
	counts, err := r.DocFreqs(ctx, terms)
	if err != nil {
		return nil, err
	}
	rarest := catalog.WeightedTerm{Term: terms[slices.Index(counts, slices.Min(counts))], Weight: 1}
	found, err := r.LexicalTerms(ctx, []catalog.WeightedTerm{rarest}, catalog.DefaultRanking(), max(r.Len(), 1), nil)
	if err != nil {
		return nil, err
	}
	return r.scored(ctx, found)
}

// telling are the rows that have words of a query, the best first.
func (r Reader) telling(ctx context.Context, query string, k int) ([]Row, error) {
	found, err := r.Lexical(ctx, query, k, nil)
	if err != nil {
		return nil, err
	}
	return r.scored(ctx, found)
}

func (r Reader) scored(ctx context.Context, found []catalog.Scored) ([]Row, error) {
	return r.Rows(ctx, slice.Map(found, func(s catalog.Scored) Key { return s.Key }))
}

// Of one text that was forgotten, so many bytes are searched for and so many rows looked at.
const (
	shownQuery = 500
	shownRows  = 50
)

func (ix *Indexer) shown(ctx context.Context, text string) (out []forget.Found, err error) {
	rows, err := ix.Reader().telling(ctx, strings.ToValidUTF8(text[:min(len(text), shownQuery)], ""), shownRows)
	for _, row := range rows {
		if strings.Contains(lexis.Fold(row.Context+"\n"+row.Text), lexis.Fold(text)) {
			out = append(out, forget.Found{ID: row.ID, SourceFile: string(row.File), Text: row.Text})
		}
	}
	return out, err
}

// purge makes the index follow, and leaves nothing of what is gone in its files.
func (ix *Indexer) purge(ctx context.Context, p *forget.Purge) error {
	if err := ix.Reread(ctx, p.Changed...); err != nil {
		return err
	}
	err := ix.Scrub(ctx)
	if errors.Is(err, ErrVectorsLeft) {
		p.Left = append(p.Left, forget.Found{SourceFile: "data", Text: err.Error() + "; they go when the engine merges its files"})
		return nil
	}
	return err
}

// Uses says whether a row has one of the words.
func (ix *Indexer) Uses(ctx context.Context, terms []string) (bool, error) {
	counts, err := ix.Reader().DocFreqs(ctx, terms)
	return err == nil && slices.Max(counts) > 0, err
}

// Lines are the rows that a file gives when nothing is hidden.
func (ix *Indexer) Lines(p vault.Path, data []byte) (out []forget.Row) {
	rows, _ := Rows(ix.o.Sources, p, data, Env{})
	numbers := func(int, string) []int { return nil }
	if ix.isPage(p) {
		numbers = lineNumbers(p, data, nil)
	}
	for _, r := range rows {
		out = append(out, forget.Row{ID: r.ID, Line: r.Line, Text: r.Text, Lines: numbers(r.Line, r.Text)})
	}
	return out
}

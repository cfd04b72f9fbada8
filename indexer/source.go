package indexer

import (
	"context"
	"slices"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/vault"
)

// Row is one searchable piece of one file.
type Row = catalog.Row

// A Source makes one kind of rows out of files. Everything that decides what becomes a row is in
// Rows, which must be a pure function of its arguments: that is what makes a rebuild equal to
// steady state. A new kind of row is one more Source.
type Source struct {
	Name    string
	Version int // raise it when Rows gives other rows for the same bytes: the files are read again

	// Match says whether the source gives rows for the file. Several may: the file then has the rows of all, in the order of the sources.
	Match func(vault.Path) bool

	// Convert, where set, makes what Rows gets out of the bytes of the file. Convert may take long: such files are prepared beside the owner
	// as large ones are. Convert gives the same for the same bytes. An error says nothing of the bytes: the file keeps its rows and is looked
	// at again.
	Convert func(context.Context, []byte) ([]byte, error)

	// Rows gives the file's rows, in the order of the text. Ids are unique within the file, whatever other sources give for it.
	Rows func(vault.Path, []byte, Env) ([]Row, []vault.Problem)

	// Facets are what Rows depends on besides the bytes and what was forgotten.
	Facets []Dependency

	// Follow, where set, makes a Follower for a file that mostly grows at its end. A Follower is a
	// short cut only: it must give what Rows gives.
	Follow func(vault.Path) Follower
}

// DefaultSources are the kinds of rows that every vault has: fact lines, core files, drawers,
// diaries and pages.
func DefaultSources(l vault.Layout) []Source {
	return []Source{LogSource(), CoreSource(), DrawerSource(), DiarySource(), PageSource(l)}
}

// Rows are the rows that the sources give for a file.
func Rows(sources []Source, p vault.Path, data []byte, env Env) ([]Row, []vault.Problem) {
	rows, problems, _ := rowsOf(context.Background(), matching(sources, p), p, data, env)
	return rows, problems
}

// matching are the sources of a file; none for a file that is not indexed.
func matching(sources []Source, p vault.Path) (of []*Source) {
	for i := range sources {
		if sources[i].Match(p) {
			of = append(of, &sources[i])
		}
	}
	return of
}

func (ix *Indexer) sources(p vault.Path) []*Source { return matching(ix.o.Sources, p) }

func rowsOf(ctx context.Context, sources []*Source, p vault.Path, data []byte, env Env) (rows []Row, problems []vault.Problem, err error) {
	for _, s := range sources {
		text := data
		if s.Convert != nil {
			if text, err = s.Convert(ctx, data); err != nil {
				return nil, nil, err
			}
		}
		more, found := s.Rows(p, text, env)
		rows, problems = append(rows, more...), append(problems, found...)
	}
	return rows, problems, nil
}

// converts says whether the rows of a file may take long to make.
func converts(sources []*Source) bool {
	return slices.ContainsFunc(sources, func(s *Source) bool { return s.Convert != nil })
}

// follows says whether one of the sources can go on from what stood in the file before.
func follows(sources []*Source) bool {
	return slices.ContainsFunc(sources, func(s *Source) bool { return s.Follow != nil })
}

package catalog

import (
	"context"
	"errors"
	"time"

	"github.com/reverie-memory/reverie/vault"
)

var errUnfinished = errors.New("catalog: not finished")

// Hash names a text or a row's content.
type Hash [16]byte

// TextHash names what is embedded of a row.
func TextHash(context, text string) Hash { return Hash{} }

// EmbedText is the text that an embedder sees of a row.
func EmbedText(context, text string) string { return context + "\n" + text }

// Digest names all fields of a row.
func Digest(r *Row) Hash { return Hash{} }

// Catalog is the SQLite side of an index.
type Catalog struct{}

// Open opens the catalog in dir, making it where there is none.
func Open(ctx context.Context, dir string) (*Catalog, error) { return nil, errUnfinished }

// Clear removes a catalog and its generations, damaged or not. Nothing may have it open.
func Clear(dir string) error { return errUnfinished }

func (c *Catalog) Close() error             { return nil }
func (c *Catalog) Current() (GenInfo, bool) { return GenInfo{}, false }
func (c *Catalog) Create(ctx context.Context, info GenInfo) (*Generation, error) {
	return nil, errUnfinished
}
func (c *Catalog) OpenGeneration(ctx context.Context, id int) (*Generation, error) {
	return nil, errUnfinished
}
func (c *Catalog) Switch(ctx context.Context, id int) error           { return errUnfinished }
func (c *Catalog) Drop(ctx context.Context, id int) error             { return errUnfinished }
func (c *Catalog) Generations(ctx context.Context) ([]GenInfo, error) { return nil, errUnfinished }
func (c *Catalog) Check(ctx context.Context) error                    { return errUnfinished }
func (c *Catalog) Vectors(ctx context.Context, fp string, hashes []Hash) (map[Hash][]float32, error) {
	return nil, errUnfinished
}
func (c *Catalog) PutVectors(ctx context.Context, fp string, vecs []CachedVector) error {
	return errUnfinished
}

// PruneVectors drops vectors of other fingerprints than keep, and, where live is not nil, those of texts it denies.
func (c *Catalog) PruneVectors(ctx context.Context, keep []string, live func(Hash) bool) (int, error) {
	return 0, errUnfinished
}

// Generation is the writer's side of one generation.
type Generation struct{}

func (g *Generation) Close() error    { return nil }
func (g *Generation) Dir() string     { return "" }
func (g *Generation) Info() GenInfo   { return GenInfo{} }
func (g *Generation) Reader() *Reader { return nil }
func (g *Generation) Files(ctx context.Context) (map[vault.Path]FileState, error) {
	return nil, errUnfinished
}
func (g *Generation) RowsOf(ctx context.Context, p vault.Path) ([]RowState, error) {
	return nil, errUnfinished
}

// Apply makes all changes in one transaction and returns the keys of the inserted rows, by change.
func (g *Generation) Apply(ctx context.Context, changes []Change) ([][]Key, error) {
	return nil, errUnfinished
}
func (g *Generation) Pending(ctx context.Context, limit int) ([]PendingVector, error) {
	return nil, errUnfinished
}
func (g *Generation) PendingCount(ctx context.Context) (int, error)     { return 0, errUnfinished }
func (g *Generation) MarkVectors(ctx context.Context, keys []Key) error { return errUnfinished }
func (g *Generation) MarkPending(ctx context.Context, keys []Key) error { return errUnfinished }
func (g *Generation) MarkAllPending(ctx context.Context) error          { return errUnfinished }
func (g *Generation) Check(ctx context.Context) error                   { return errUnfinished }

// TextHashes calls fn for each live row until it returns false: the truth for the engine's vectors.
func (g *Generation) TextHashes(ctx context.Context, fn func(Key, Hash) bool) error {
	return errUnfinished
}

// CheckRows recomputes each row's digest and calls fn for each row that differs.
func (g *Generation) CheckRows(ctx context.Context, fn func(Key, vault.Path)) error {
	return errUnfinished
}

// Reader reads one generation. It is safe for use from several goroutines.
type Reader struct{}

// Ranking sets BM25.
type Ranking struct {
	Body, Context float64 // weights of the two columns
	K1, B         float64
	MaxDF         float64 // share of rows above which a term is dropped, unless nothing else remains; 0 or 1: none
}

// WeightedTerm is an index term and its weight in a query.
type WeightedTerm struct {
	Term   string
	Weight float64
}

// DrawerState is a drawer and how many rows derive from it.
type DrawerState struct {
	Drawer string
	Turn   string
	At     time.Time
	Rows   map[SourceType]int
}

func (r *Reader) Lexical(ctx context.Context, query string, k int, allow func(Key) bool) ([]Scored, error) {
	return nil, errUnfinished
}
func (r *Reader) LexicalTerms(ctx context.Context, terms []WeightedTerm, rank Ranking, k int, allow func(Key) bool) ([]Scored, error) {
	return nil, errUnfinished
}

// LexicalScores is the BM25 of given rows, in their order; 0 for a row without any of the terms.
func (r *Reader) LexicalScores(ctx context.Context, terms []WeightedTerm, rank Ranking, keys []Key) ([]float64, error) {
	return nil, errUnfinished
}

// QueryTerms are the terms of a query as Lexical uses them, misspelt ones replaced by near ones.
func (r *Reader) QueryTerms(ctx context.Context, query string) ([]WeightedTerm, error) {
	return nil, errUnfinished
}

// DocFreqs is how many rows hold each term.
func (r *Reader) DocFreqs(ctx context.Context, terms []string) ([]int, error) {
	return nil, errUnfinished
}
func (r *Reader) Metas(keys []Key) []Meta                             { return nil }
func (r *Reader) Has(key Key) bool                                    { return false }
func (r *Reader) Len() int                                            { return 0 }
func (r *Reader) Allow(f Filter) func(Key) bool                       { return nil }
func (r *Reader) Neighbours(key Key) (prev, next []Key)               { return nil, nil }
func (r *Reader) SessionKeys(session int32) []Key                     { return nil }
func (r *Reader) DrawerKeys(drawer int32) []Key                       { return nil }
func (r *Reader) Rows(ctx context.Context, keys []Key) ([]Row, error) { return nil, errUnfinished }
func (r *Reader) RowsByID(ctx context.Context, ids []string) ([]Row, error) {
	return nil, errUnfinished
}
func (r *Reader) KeysByID(ctx context.Context, ids []string) ([]Key, error) {
	return nil, errUnfinished
}
func (r *Reader) RowsByChat(ctx context.Context, chat string) ([]Row, error) {
	return nil, errUnfinished
}
func (r *Reader) List(ctx context.Context, f Filter, limit, offset int) ([]Row, error) {
	return nil, errUnfinished
}
func (r *Reader) Count(f Filter) int { return 0 }
func (r *Reader) Counts(ctx context.Context) (bySource map[SourceType]int, drawers, wings, rooms int) {
	return nil, 0, 0, 0
}
func (r *Reader) HasTurn(ctx context.Context, turn string) (bool, error) { return false, errUnfinished }
func (r *Reader) DrawersSince(ctx context.Context, from time.Time) ([]DrawerState, error) {
	return nil, errUnfinished
}

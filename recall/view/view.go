package view

import (
	"log/slog"
	"time"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/graph/journal"
	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/llm"
	"github.com/reverie-memory/reverie/palace"
	"github.com/reverie-memory/reverie/palace/drawers"
	"github.com/reverie-memory/reverie/reads"
	"github.com/reverie-memory/reverie/recall"
	"github.com/reverie-memory/reverie/vault"
)

// Options are what a [Room] works with. All but Closets, Rerank, Now and Hooks are needed.
type Options struct {
	Vault    *vault.Vault
	Index    Index
	Closets  Index // closets and nothing else; nil: none are kept
	Graph    *journal.Journal
	Drawers  *drawers.Journal
	Reads    *reads.Log
	Profiles recall.Profiles
	Embed    llm.Embedder
	Rerank   recall.Reranker
	Now      func() time.Time // nil: time.Now. Several goroutines call it
	Hooks    recall.Hooks     // called while searches run
	Log      *slog.Logger
}

// An Index gives what can be searched.
type Index interface {
	Reader() indexer.Reader
	// Degraded lists why answers are worse than usual.
	Degraded() []string
}

// A Room makes searchers. Its methods may be called from several goroutines.
type Room struct{ o Options }

// New returns a room.
func New(o Options) *Room { return &Room{o} }

// Of is what an agent may see from a project; see [catalog.View]. Either may be empty.
func (r *Room) Of(agent, wing string) (catalog.View, error) {
	isolated, err := palace.Isolated(r.o.Vault)
	return catalog.View{Agent: vault.AgentName(agent), Wing: wing, Isolated: isolated}, err
}

// Common returns a searcher over what everybody may see. release must be called when the answer is complete.
func (r *Room) Common() (s *recall.Searcher, release func(), err error) {
	view, err := r.Of("", "")
	if err != nil {
		return nil, nil, err
	}
	s, release = r.Searcher("", view)
	return s, release, nil
}

// Searcher returns a searcher over what a caller sees of the current generation. late says why the index may lack what changed just now,
// "" for a caller who did not wait for that. release must be called when the answer is complete.
func (r *Room) Searcher(late string, view catalog.View) (s *recall.Searcher, release func()) {
	index, unpin := pin(r.o.Index, view)
	s = &recall.Searcher{
		Index: index, Profiles: r.o.Profiles, Embed: r.o.Embed, Rerank: r.o.Rerank, Sink: r.o.Reads, Reads: r.o.Reads, Now: r.o.Now,
		Importance: r.importance, Known: r.knownTo(view), Answers: r.answersTo(view), Hooks: r.o.Hooks, Layout: r.o.Vault.Layout(),
		Degraded: func() []string {
			if late == "" {
				return r.o.Index.Degraded()
			}
			return append(r.o.Index.Degraded(), late)
		},
	}
	if r.o.Closets == nil {
		return s, unpin
	}
	closets, unpinClosets := pin(r.o.Closets, view)
	s.Closets = closets
	return s, func() { unpin(); unpinClosets() }
}

// pin is an index as one search of a caller sees it: a generation that does not change under it until release is called.
func pin(ix Index, view catalog.View) (seen recall.Index, release func()) {
	r, release := ix.Reader().Pin()
	return recall.As(view, pinned{r}), release
}

type pinned struct{ indexer.Reader }

// Info implements recall.Index.
func (p pinned) Info() recall.Info {
	st := p.Status()
	return recall.Info{Engine: p.Engine(), Generation: p.Generation(), Rows: p.Len(), Fingerprint: st.Fingerprint, Dim: st.Dim}
}

// entityChars are how many letters a word of a question has at least to be looked up as a name.
const entityChars = 4

// knownTo gives searches of a caller what the knowledge graph says to them.
func (r *Room) knownTo(view catalog.View) func(text string, now time.Time) recall.Known {
	return func(text string, now time.Time) (known recall.Known) {
		g, err := r.o.Graph.Graph(view.Wing)
		if err != nil {
			r.o.Log.Warn("a search goes without the graph", "err", err)
			return known
		}
		for _, t := range g.Ask(text, now, "") {
			if t.Source != "" {
				known.Sources = append(known.Sources, t.Source)
			}
		}
		for _, word := range lexis.Words(text) {
			if f := g.Meant(word); utf8.RuneCountInString(word) >= entityChars && f.Entity != nil {
				known.Names = append(append(known.Names, f.Entity.Name), f.Entity.Aliases...)
			}
		}
		return known
	}
}

// answersTo gives searches of a caller the rows of what the knowledge graph answers them. The graph is as of the last Sync; where it cannot
// be made, searches go without it.
func (r *Room) answersTo(view catalog.View) func(text string, now time.Time, owner func() string) []string {
	return func(text string, now time.Time, owner func() string) (rows []string) {
		g, err := r.o.Graph.Graph(view.Wing)
		if err != nil {
			r.o.Log.Warn("a search goes without the graph", "err", err)
			return nil
		}
		for _, t := range g.Answers(text, now, owner) {
			if t.Source != "" {
				rows = append(rows, t.Source)
			}
		}
		return rows
	}
}

// importance is how much a row matters that was last read then: as its drawer, and as any other where it has none.
func (r *Room) importance(row *catalog.Row, now, read time.Time) float64 {
	if row.Drawer == "" || row.FiledAt().IsZero() {
		return drawers.DefaultImportance
	}
	return r.o.Drawers.State().Of(row.Drawer).Importance(drawers.DefaultDecay, now, row.FiledAt(), read)
}

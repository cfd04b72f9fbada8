package operations

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/graph"
	"github.com/reverie-memory/reverie/trust"
	"github.com/reverie-memory/reverie/vault"
)

// GraphQuery gives the triples of an entity.
func (m Memory) GraphQuery(ctx context.Context, q api.GraphQuery) (api.GraphResult, error) {
	g, q, err := graphFor(ctx, m, q, q.Project)
	if err != nil {
		return api.GraphResult{}, err
	}
	asOf, err := day("as_of", q.AsOf)
	if err != nil {
		return api.GraphResult{}, err
	}
	found := g.Lookup(q.Entity, graph.Spelling)
	ask := graph.Query{AsOf: asOf, Predicate: q.Predicate}
	switch q.Direction {
	case "outgoing":
		ask.Direction = graph.Outgoing
	case "incoming":
		ask.Direction = graph.Incoming
	}
	return result(g, found, g.Of(found, ask)), nil
}

// GraphAsk answers a question in plain words.
func (m Memory) GraphAsk(ctx context.Context, q api.GraphQuestion) (api.GraphTriples, error) {
	g, q, err := graphFor(ctx, m, q, q.Project)
	if err != nil {
		return api.GraphTriples{}, err
	}
	return api.GraphTriples{Triples: triples(g, g.Ask(q.Question, m.Vault().Now().UTC().Truncate(24*time.Hour)))}, nil
}

// knownOf is what the graph knows of the query of a context, where contexts are to tell that. It is as of the last Sync.
func (m Memory) knownOf(ctx context.Context, c api.Context) ([]trust.Said, error) {
	if !m.Options().Config.Graph.Context || c.Query == "" {
		return nil, nil
	}
	g, _, err := graphFor(ctx, m, c, c.Wing)
	if err != nil {
		return nil, err
	}
	var out []trust.Said
	for _, t := range g.Ask(c.Query, m.Vault().Now().UTC().Truncate(24*time.Hour)) {
		out = append(out, trust.Said{Text: t.Sentence(), Origin: t.Origin, Speaker: t.Speaker})
	}
	return out, nil
}

// GraphTimeline gives the triples of an entity, or of all, by their first day.
func (m Memory) GraphTimeline(ctx context.Context, q api.GraphTimeline) (api.GraphResult, error) {
	g, q, err := graphFor(ctx, m, q, q.Project)
	if err != nil {
		return api.GraphResult{}, err
	}
	found := graph.Found{}
	if q.Entity != "" {
		if found = g.Lookup(q.Entity, graph.Spelling); found.Entity == nil {
			return result(g, found, nil), nil
		}
	}
	all := g.Timeline(found)
	return result(g, found, all[max(0, len(all)-cmp.Or(q.Limit, 200)):]), nil
}

// GraphPath gives the shortest way between two entities.
func (m Memory) GraphPath(ctx context.Context, q api.GraphPath) (api.GraphResult, error) {
	g, q, err := graphFor(ctx, m, q, q.Project)
	if err != nil {
		return api.GraphResult{}, err
	}
	asOf, err := day("as_of", q.AsOf)
	if err != nil {
		return api.GraphResult{}, err
	}
	from, to := g.Lookup(q.From, graph.Spelling), g.Lookup(q.To, graph.Spelling)
	if from.Entity == nil {
		return result(g, from, nil), nil
	}
	if to.Entity == nil {
		return result(g, to, nil), nil
	}
	return result(g, from, g.Path(from, to, asOf)), nil
}

// GraphStats counts entities and triples.
func (m Memory) GraphStats(ctx context.Context, asker api.Asker) (api.GraphStats, error) {
	g, _, err := graphFor(ctx, m, asker, asker.Project)
	if err != nil {
		return api.GraphStats{}, err
	}
	s := g.Stats()
	return api.GraphStats{
		Entities: s.Entities, Triples: s.Triples, CurrentFacts: s.Current, ExpiredFacts: s.Ended, RelationshipTypes: s.Predicates,
		EntityTypes: s.Types,
	}, nil
}

// GraphAdd asserts a triple.
func (m Memory) GraphAdd(ctx context.Context, a api.GraphAdd) (api.GraphAdded, error) {
	g, a, err := graphFor(ctx, m, a, a.Project)
	if err != nil {
		return api.GraphAdded{}, err
	}
	from, err := day("valid_from", a.ValidFrom)
	if err != nil {
		return api.GraphAdded{}, err
	}
	for field, name := range map[string]string{"subject": a.Subject, "object": a.Object} {
		if f := g.Lookup(name, nil); f.Entity == nil && len(f.Candidates) > 0 {
			return api.GraphAdded{}, ambiguous(field, name, f)
		}
	}
	e := graph.Event{
		Kind: graph.Assert, Subject: a.Subject, Predicate: graph.PredicateKey(a.Predicate), Object: a.Object, ValidFrom: from,
		Source: a.SourceCloset, Origin: originOf(a.Agent), Agent: a.Agent, Wing: a.Project,
	}
	if err := m.assert(ctx, e); err != nil {
		return api.GraphAdded{}, err
	}
	if g, _, err = graphFor(ctx, m, a, a.Project); err != nil {
		return api.GraphAdded{}, err
	}
	object := g.Lookup(a.Object, nil)
	for _, t := range slices.Backward(g.Of(g.Lookup(a.Subject, nil), graph.Query{})) {
		if object.Entity != nil && t.Predicate == e.Predicate && (t.Object == object.Entity.Name || t.Subject == object.Entity.Name) {
			return api.GraphAdded{TripleID: t.ID}, nil
		}
	}
	return api.GraphAdded{}, api.Refuse("subject", "was forgotten and stays so")
}

// GraphInvalidate says that a triple no longer holds. Nothing is deleted.
func (m Memory) GraphInvalidate(ctx context.Context, i api.GraphInvalidate) (api.GraphEnded, error) {
	g, i, err := graphFor(ctx, m, i, i.Project)
	if err != nil {
		return api.GraphEnded{}, err
	}
	ended, err := day("ended", i.Ended)
	if err != nil {
		return api.GraphEnded{}, err
	}
	if f := g.Lookup(i.Subject, nil); f.Entity == nil && len(f.Candidates) > 0 {
		return api.GraphEnded{}, ambiguous("subject", i.Subject, f)
	}
	before := g.Stats().Current
	e := graph.Event{
		Kind: graph.Invalidate, Subject: i.Subject, Predicate: graph.PredicateKey(i.Predicate), Object: i.Object, ValidTo: ended,
		Origin: originOf(i.Agent), Agent: i.Agent, Wing: i.Project,
	}
	if err := m.assert(ctx, e); err != nil {
		return api.GraphEnded{}, err
	}
	g, _, err = graphFor(ctx, m, i, i.Project)
	if err != nil {
		return api.GraphEnded{}, err
	}
	return api.GraphEnded{Ended: max(0, before-g.Stats().Current)}, nil
}

// assert writes an event.
func (m Memory) assert(ctx context.Context, e graph.Event) error {
	e.At = m.Vault().Now()
	stones, err := m.Vault().Tombstones()
	if err != nil {
		return err
	}
	if why, gone := stones.Match(e.Text()); gone {
		return api.Refuse("subject", "was forgotten ("+why+") and stays so")
	}
	if err := e.Validate(); err != nil {
		return api.Refuse("predicate", err.Error())
	}
	_, err = m.Graph().Append(ctx, e)
	return err
}

// graphFor is the graph as a project sees it, and the request as it is let in.
func graphFor[T any](ctx context.Context, m Memory, req T, asks string) (*graph.Graph, T, error) {
	req, _, err := admit(m, req)
	if err != nil {
		return nil, req, err
	}
	m.Settle(ctx)
	g, err := m.Graph().Graph(asks)
	return g, req, cmp.Or(err, ctx.Err())
}

func ambiguous(field, name string, f graph.Found) error {
	var names []string
	for _, c := range f.Candidates {
		names = append(names, c.Name)
	}
	return api.Refuse(field, fmt.Sprintf("%q may be several: %q; say which", name, names))
}

func originOf(agent string) vault.Origin {
	if agent == "" {
		return vault.OriginUser
	}
	return vault.OriginAgent
}

func day(field, s string) (vault.Day, error) {
	if s == "" {
		return "", nil
	}
	d, err := vault.ParseDay(s)
	if err != nil {
		return "", api.Refuse(field, err.Error())
	}
	return d, nil
}

func result(g *graph.Graph, f graph.Found, list []graph.Triple) api.GraphResult {
	out := api.GraphResult{Triples: triples(g, list)}
	if f.Entity != nil {
		e := entity(f.Entity)
		out.Entity = &e
	}
	for _, c := range f.Candidates {
		out.Ambiguous = append(out.Ambiguous, entity(c))
	}
	return out
}

func entity(e *graph.Entity) api.Entity {
	return api.Entity{EntityID: e.ID, Name: e.Name, Type: e.Type, Aliases: e.Aliases}
}

func triples(g *graph.Graph, list []graph.Triple) []api.Triple {
	out := make([]api.Triple, 0, len(list))
	for i := range list {
		t := &list[i]
		o := api.Triple{
			TripleID: t.ID, Subject: t.Subject, Predicate: t.Predicate, Object: t.Object, ValidFrom: string(t.ValidFrom),
			ValidTo: string(t.ValidTo),
			Said:    string(t.Said), Current: t.Current(), Confidence: t.Confidence, Source: t.Source, Origin: trust.Label(t.Origin),
			ReplacedBy: t.By,
		}
		for _, was := range g.Replaced(t) {
			if was.Object != t.Object {
				o.Replaced = append(o.Replaced, was.Object)
			} else {
				o.Replaced = append(o.Replaced, was.Subject)
			}
		}
		out = append(out, o)
	}
	return out
}

package operations

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/graph"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/recall"
	"github.com/reverie-memory/reverie/trust"
	"github.com/reverie-memory/reverie/vault"
)

// graphLimit is how many triples an answer has where nobody says.
const graphLimit = 200

// GraphQuery gives the triples of an entity.
func (m Memory) GraphQuery(ctx context.Context, q api.GraphQuery) (api.GraphResult, error) {
	return answer(ctx, m, q, asked{q.Project, q.AsOf, q.AsOfBy, q.Limit},
		func(g *graph.Graph, q api.GraphQuery, asOf vault.Day, limit int) (graph.Found, []graph.Triple) {
			found := m.lookup(ctx, g, q.Entity)
			ask := graph.Query{AsOf: asOf, Predicate: q.Predicate, Limit: limit}
			switch q.Direction {
			case "outgoing":
				ask.Direction = graph.Outgoing
			case "incoming":
				ask.Direction = graph.Incoming
			}
			return found, g.Of(found, ask)
		})
}

// GraphTimeline gives the triples of an entity, or of all, by their first day.
func (m Memory) GraphTimeline(ctx context.Context, q api.GraphTimeline) (api.GraphResult, error) {
	return answer(ctx, m, q, asked{q.Project, q.AsOf, clockOf(q.Then), q.Limit},
		func(g *graph.Graph, q api.GraphTimeline, _ vault.Day, limit int) (graph.Found, []graph.Triple) {
			if q.Entity == "" {
				return graph.Found{}, g.Timeline(graph.Found{}, limit)
			}
			found := m.lookup(ctx, g, q.Entity)
			return found, g.Of(found, graph.Query{Limit: limit})
		})
}

// GraphPath gives the shortest way between two entities.
func (m Memory) GraphPath(ctx context.Context, q api.GraphPath) (api.GraphResult, error) {
	return answer(ctx, m, q, asked{q.Project, q.AsOf, q.AsOfBy, 0},
		func(g *graph.Graph, q api.GraphPath, asOf vault.Day, _ int) (graph.Found, []graph.Triple) {
			from, to := m.lookup(ctx, g, q.From), m.lookup(ctx, g, q.To)
			if from.Entity != nil && to.Entity == nil {
				return to, nil
			}
			return from, g.Path(from, to, cmp.Or(asOf, m.today()))
		})
}

// lookup finds who or what is meant by a name: as it stands, by a slip of the pen, by what it means.
func (m Memory) lookup(ctx context.Context, g *graph.Graph, name string) graph.Found {
	return g.Lookup(name, graph.Spelling, m.Graph.Names.Near(ctx))
}

// asked is what the questions of one shape have in common.
type asked struct {
	project, asOf, by string
	limit             int
}

// answer is what find finds in the graph as a project sees it, and whom it is about. find gets one triple more than the limit, from which
// it shows whether there are more.
func answer[T any](
	ctx context.Context, m Memory, req T, q asked,
	find func(g *graph.Graph, req T, asOf vault.Day, limit int) (graph.Found, []graph.Triple),
) (api.GraphResult, error) {
	g, req, at, today, err := graphAt(ctx, m, req, q)
	if err != nil {
		return api.GraphResult{}, err
	}
	limit := cmp.Or(q.limit, graphLimit)
	found, list := find(g, req, at, limit+1)
	out := api.GraphResult{
		Guess: found.Guess, MatchedVia: found.Via, More: len(list) > limit, Triples: m.triples(g, list[max(0, len(list)-limit):], today),
	}
	if found.Entity != nil {
		e := entity(found.Entity)
		out.Entity = &e
	}
	for _, c := range found.Candidates[:min(len(found.Candidates), limit)] {
		out.Ambiguous = append(out.Ambiguous, entity(c))
	}
	return out, nil
}

// clockOf is by which clock the graph is to stand as it stood; "" where it is to stand as it does.
func clockOf(t api.Then) string {
	if t.AsOf == "" {
		return t.AsOfBy
	}
	return cmp.Or(t.AsOfBy, string(recall.BySaid))
}

// graphAt is the graph as a question wants it, the question as it was admitted, the day that it names, and the day that is today there.
func graphAt[T any](ctx context.Context, m Memory, req T, q asked) (g *graph.Graph, clean T, at, today vault.Day, err error) {
	if at, err = day("as_of", q.asOf); err == nil {
		err = needsAsOf(q.by, at != "")
	}
	if err != nil {
		return nil, req, "", "", err
	}
	if g, clean, err = graphFor(ctx, m, req, q.project); err != nil || q.by == "" {
		return g, clean, at, m.today(), err
	}
	g, err = m.graphThen(ctx, recall.AsOf{Time: at.Time().AddDate(0, 0, 1).Add(-1), By: recall.Clock(q.by)}, q.project)
	return g, clean, at, at, err
}

// GraphAsk answers a question in plain words.
func (m Memory) GraphAsk(ctx context.Context, q api.GraphQuestion) (api.GraphTriples, error) {
	g, q, _, today, err := graphAt(ctx, m, q, asked{q.Project, q.AsOf, clockOf(api.Then(q.ThenAsked)), 0})
	if err != nil {
		return api.GraphTriples{}, err
	}
	view, err := m.Searches.Of("", q.Project)
	if err != nil {
		return api.GraphTriples{}, err
	}
	s, release := m.Searches.Searcher("", view)
	defer release()
	return api.GraphTriples{Triples: m.triples(g, g.Ask(q.Question, today.Time(), s.Owner()), today)}, nil
}

// graphThen is the graph as it stood; the files were waited for.
func (m Memory) graphThen(ctx context.Context, as recall.AsOf, project string) (*graph.Graph, error) {
	then, err := m.pastAt(ctx, as)
	if err != nil {
		return nil, err
	}
	return then.graph(ctx, project)
}

// knownOf is what the graph knows of the query of a context, where contexts are to tell that, or knew then. knownOf is as of the last Sync.
// A graph that cannot be made costs its lines alone, and lacking says so.
func (m Memory) knownOf(ctx context.Context, c api.Context, then *past) (known func(owner string) []trust.Said, lacking []string) {
	if !m.Options.Config.Graph.Context || c.Query == "" {
		return nil, nil
	}
	g, _, err := graphFor(ctx, m, c, c.Wing)
	if err == nil && then != nil {
		g, err = then.graph(ctx, c.Wing)
	}
	if err != nil {
		return nil, []string{"the context goes without the knowledge graph: " + err.Error()}
	}
	return func(owner string) (out []trust.Said) {
		day := m.today()
		if c.AsOf != nil {
			day = vault.DayOf(c.AsOf.Last())
		}
		for _, t := range g.Ask(c.Query, day.Time(), owner) {
			if t.Said > day || t.ValidFrom > day {
				continue
			}
			text := t.Sentence()
			if label := trust.Label(t.Origin); label != "" {
				text = "[" + label + "] " + text
			}
			if label := endedBy(&t); label != "" {
				text += " [ended by: " + label + "]"
			}
			out = append(out, trust.Said{Text: text, Origin: trust.Least(t.Origin, t.EndedBy), Speaker: t.Speaker, Owner: owner, Loose: t.Loose})
		}
		return out
	}, nil
}

// today is the day as of which something holds.
func (m Memory) today() vault.Day { return vault.DayOf(m.Vault.Now()) }

// GraphStats counts entities and triples.
func (m Memory) GraphStats(ctx context.Context, q api.GraphCount) (api.GraphStats, error) {
	g, _, _, today, err := graphAt(ctx, m, q, asked{q.Project, q.AsOf, clockOf(q.Then), 0})
	if err != nil {
		return api.GraphStats{}, err
	}
	s := g.Stats(today)
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
		if err := ambiguous(field, name, g.Meant(name)); err != nil {
			return api.GraphAdded{}, err
		}
	}
	if err := m.restsOn(ctx, a.Project, a.SourceCloset); err != nil {
		return api.GraphAdded{}, err
	}
	e, err := m.assert(ctx, graph.Event{
		Kind: graph.Assert, Subject: a.Subject, Predicate: graph.PredicateKey(a.Predicate), Object: a.Object, ValidFrom: from,
		Source: a.SourceCloset, Origin: originOf(a.Agent), Agent: a.Agent, Wing: a.Project,
	})
	if err != nil {
		return api.GraphAdded{}, err
	}
	if g, err = m.Graph.Graph(a.Project); err != nil {
		return api.GraphAdded{}, err
	}
	t, told := g.Said(e)
	if !told {
		return api.GraphAdded{}, api.Refuse("subject", "was forgotten and stays so")
	}
	return api.GraphAdded{TripleID: t.ID}, nil
}

// restsOn refuses a source that the project does not see: what rests on it would hang where that hangs, for others to see.
func (m Memory) restsOn(ctx context.Context, project, source string) error {
	view, err := m.Searches.Of("", project)
	if err != nil || source == "" {
		return err
	}
	rows, err := m.Index.Reader().RowsByID(ctx, []string{source})
	if err == nil && len(rows) > 0 && !slices.ContainsFunc(rows, func(r catalog.Row) bool { return view.Sees(&r) }) {
		err = api.Refuse("source_closet", "is nothing that this project sees")
	}
	return err
}

// GraphInvalidate says that a triple no longer holds. Nothing is deleted, and nothing is written where nothing ends.
func (m Memory) GraphInvalidate(ctx context.Context, i api.GraphInvalidate) (api.GraphEnded, error) {
	g, i, err := graphFor(ctx, m, i, i.Project)
	if err != nil {
		return api.GraphEnded{}, err
	}
	ended, err := day("ended", i.Ended)
	if err != nil {
		return api.GraphEnded{}, err
	}
	if err := ambiguous("subject", i.Subject, g.Lookup(i.Subject)); err != nil {
		return api.GraphEnded{}, err
	}
	e := graph.Event{
		Kind: graph.Invalidate, At: m.Vault.Now(), Subject: i.Subject, Predicate: graph.PredicateKey(i.Predicate), Object: i.Object,
		ValidTo: ended, Origin: originOf(i.Agent), Agent: i.Agent, Wing: i.Project,
	}
	ends := len(g.Ends(e))
	if ends > 0 {
		_, err = m.assert(ctx, e)
	}
	return api.GraphEnded{Ended: ends}, err
}

// assert writes an event, and returns it as it is written.
func (m Memory) assert(ctx context.Context, e graph.Event) (graph.Event, error) {
	e.At = m.Vault.Now()
	if err := e.Validate(); err != nil {
		return e, api.Refuse("predicate", err.Error())
	}
	e, err := m.Graph.Append(ctx, e)
	if errors.Is(err, vault.ErrForgotten) {
		err = api.Refuse("subject", err.Error())
	}
	return e, err
}

// graphFor is the graph as a project sees it, and the request as it is let in.
func graphFor[T any](ctx context.Context, m Memory, req T, asks string) (*graph.Graph, T, error) {
	req, _, err := admit(m, req)
	if err != nil {
		return nil, req, err
	}
	m.Follower.Settle(ctx)
	g, err := m.Graph.Graph(asks)
	return g, req, cmp.Or(err, ctx.Err())
}

// ambiguous refuses a name that several have.
func ambiguous(field, name string, f graph.Found) error {
	if len(f.Candidates) == 0 {
		return nil
	}
	names := slice.Map(f.Candidates, func(c *graph.Entity) string { return c.Name })
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

func entity(e *graph.Entity) api.Entity {
	return api.Entity{EntityID: e.ID, Name: e.Name, Type: e.Type, Aliases: e.Aliases}
}

// endedBy is whose word ended what others said, "" for the person's own.
func endedBy(t *graph.Triple) string {
	if label := trust.Label(t.EndedBy); t.ValidTo != "" && label != trust.Label(t.Origin) {
		return label
	}
	return ""
}

func (m Memory) triples(g *graph.Graph, list []graph.Triple, today vault.Day) []api.Triple {
	out := make([]api.Triple, 0, len(list))
	for i := range list {
		t := &list[i]
		o := api.Triple{
			TripleID: t.ID, Subject: t.Subject, Predicate: t.Predicate, Object: t.Object, ValidFrom: string(t.ValidFrom),
			ValidTo: string(t.ValidTo),
			Said:    string(t.Said), Current: t.On(today), Confidence: t.Confidence, Source: t.Source, Origin: trust.Label(t.Origin),
			Model: t.Reader, ReplacedBy: t.By, Against: t.Against, EndedBy: endedBy(t),
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

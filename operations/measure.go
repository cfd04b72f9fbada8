package operations

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/llm"
	"github.com/reverie-memory/reverie/probe"
	"github.com/reverie-memory/reverie/reads"
	"github.com/reverie-memory/reverie/recall"
	"github.com/reverie-memory/reverie/vault"
	"github.com/reverie-memory/reverie/workspace"
)

// Bounds of a run.
const (
	defaultProbes = 200
	measuredTexts = 20_000 // messages and facts that questions are made of, each; the newest
	shownRuns     = 5
)

// Measure asks questions made of what was said, of which the answers are known. Nothing that is remembered changes, and nothing counts as
// read; the figures are kept.
func (m Memory) Measure(ctx context.Context, r api.Measure) (api.Measured, error) {
	r, _, err := admit(m, r)
	if err != nil {
		return api.Measured{}, err
	}
	if err := m.Follower.WaitReady(ctx); err != nil {
		return api.Measured{}, err
	}
	view, err := m.Searches.Of("", r.Wing)
	if err != nil {
		return api.Measured{}, err
	}
	if r.Profile != "" || len(r.Flags) > 0 {
		if err := m.Workspace.Profiles.Check(cmp.Or(r.Profile, m.Options.Config.Recall.Profile), r.Flags); err != nil {
			return api.Measured{}, err
		}
	}
	late := m.Follower.Settle(ctx)
	open := func() (*recall.Searcher, func()) { return m.Searches.Searcher(late, view) }
	mat := material{m: m, view: view, open: open, notes: []string{}, tells: map[string][]string{}}
	if err := mat.read(ctx, cmp.Or(r.Probes, defaultProbes)); err != nil {
		return api.Measured{}, fmt.Errorf("making questions: %w", err)
	}
	set := probe.Way{Searcher: open, Query: query(api.Search{}, m.Options.Config.Recall), Tells: mat.tells}
	scores, err := set.Ask(ctx, mat.probes, mat.changes)
	if err != nil {
		return api.Measured{}, err
	}
	out := api.Measured{
		Run: api.MeasuredRun{
			At: rfc(m.Vault.Now()), Profile: set.Query.Profile, Embedder: mat.info.Fingerprint, Rows: mat.info.Rows,
			Figures: figures(scores.Figures()),
		},
		Notes: mat.notes, Degraded: often(scores.Degraded, ""),
	}
	maps.Copy(out.Run.Figures, figures(mat.counted))
	if err := m.try(ctx, r, set, mat, scores, &out); err != nil {
		return api.Measured{}, err
	}
	if err := m.noteMeasure(ctx, r, view, &out); err != nil {
		out.Degraded = append(out.Degraded, err.Error())
	}
	return out, nil
}

// try asks the same questions in another way, where one was named, and tells how it did.
func (m Memory) try(ctx context.Context, r api.Measure, set probe.Way, mat material, scores *probe.Scores, out *api.Measured) error {
	var what []string
	other, models, embedder := set, workspace.ModelsFolder(m.Options.Config), m.Options.Models.Embedder()
	if r.Profile != "" || len(r.Flags) > 0 {
		other.Query = query(api.Search{Profile: r.Profile, Flags: r.Flags}, m.Options.Config.Recall)
		if r.Profile != "" {
			what = append(what, "profile "+r.Profile)
		}
		for _, name := range slices.Sorted(maps.Keys(r.Flags)) {
			what = append(what, fmt.Sprintf("%s = %v", name, r.Flags[name]))
		}
	}
	with := func(change func(*recall.Searcher)) {
		open := other.Searcher
		other.Searcher = func() (*recall.Searcher, func()) {
			s, release := open()
			change(s)
			return s, release
		}
	}
	if r.Embedder != "" {
		o := llm.EmbedderOptions{Provider: llm.ProviderLocal, Model: r.Embedder, Models: models, Int8: m.Options.Config.Embedding.Int8}
		if r.Embedder == llm.ProviderBuiltin {
			o = llm.EmbedderOptions{}
		}
		model, err := llm.NewEmbedder(o)
		if err != nil {
			return api.Refuse("embedder", err.Error())
		}
		rows, closets, err := shadows(ctx, set.Searcher, model)
		if errors.Is(err, recall.ErrShadow) {
			return api.Refuse("embedder", err.Error())
		}
		if err != nil {
			return fmt.Errorf("embedding with %s: %w", model.Name(), err)
		}
		out.Notes = append(out.Notes, fmt.Sprintf("%s embedded %d texts for the trial", model.Name(), rows.Len()+closets.Len()))
		what, embedder = append(what, "embedder "+model.Name()), model
		with(func(s *recall.Searcher) {
			if s.Embed, s.Index = model, rows.Over(s.Index); s.Closets != nil {
				s.Closets = closets.Over(s.Closets)
			}
		})
	}
	if r.Rerank != "" {
		model, err := llm.NewReranker(models, r.Rerank, m.Options.Config.Embedding.Int8, embedder)
		if err != nil {
			return api.Refuse("rerank", err.Error())
		}
		what = append(what, "reranker "+model.Name())
		with(func(s *recall.Searcher) { s.Rerank = model })
	}
	if len(what) == 0 {
		return nil
	}
	tried, err := other.Ask(ctx, mat.probes, mat.changes)
	if err != nil {
		return fmt.Errorf("trying %s: %w", strings.Join(what, ", "), err)
	}
	out.Degraded = append(out.Degraded, often(tried.Degraded, "trial: ")...)
	c := tried.Against(scores)
	out.Trial = &api.Trial{
		What: strings.Join(what, ", "), Figures: figures(tried.Figures()), Differences: figures(c.Differences),
		Better: c.Better, Worse: c.Worse, Alike: c.Alike, Chance: c.Chance, Verdict: c.Verdict, Why: why(c),
	}
	return nil
}

// shadows are the vectors that another embedder gives what is found, and the closets.
func shadows(ctx context.Context, open func() (*recall.Searcher, func()), e llm.Embedder) (rows, closets *recall.Shadow, err error) {
	rows, err = recall.NewShadow(ctx, func() (recall.Index, func()) {
		s, release := open()
		return s.Index, release
	}, e)
	if err != nil {
		return nil, nil, err
	}
	closets, err = recall.NewShadow(ctx, func() (recall.Index, func()) {
		s, release := open()
		return s.Closets, release
	}, e)
	return rows, closets, err
}

// why says in words what a comparison came to.
func why(c probe.Comparison) string {
	d := c.Differences[probe.MRR]
	switch {
	case d.N == 0:
		return "no difference: there was nothing to ask"
	case c.Verdict == probe.Untried:
		return "not tried: most searches went without it, see degraded"
	case c.Verdict == probe.Better:
		return "better: answers stand higher, by more than chance"
	case c.Verdict == probe.Worse:
		return "worse: answers stand lower, by more than chance"
	case d.Low > 0:
		return "no difference to recommend it by: answers stand higher, but so do stale values or junk, or too few questions say so"
	}
	return fmt.Sprintf("no difference that %d questions can show", d.N)
}

// noteMeasure keeps the figures and adds those of the last runs. Runs of an isolated project are not kept: they are not to be told outside.
func (m Memory) noteMeasure(ctx context.Context, r api.Measure, view catalog.View, out *api.Measured) error {
	out.Before = []api.MeasuredRun{}
	if view.Isolated.Around(r.Wing) != "" {
		return nil
	}
	runs := vault.Records[api.MeasuredRun]{Name: reads.MeasuresFile}
	if err := runs.Each(m.Vault, func(run api.MeasuredRun) { out.Before = append(out.Before, run) }); err != nil {
		return fmt.Errorf("reading the runs before: %w", err)
	}
	slices.Reverse(out.Before)
	out.Before = out.Before[:min(shownRuns, len(out.Before))]
	if r.DryRun {
		return nil
	}
	if err := m.Vault.AppendState(ctx, reads.MeasuresFile, out.Run); err != nil {
		return fmt.Errorf("keeping the figures: %w", err)
	}
	return nil
}

func figures(of map[string]probe.Figure) map[string]api.Figure {
	out := map[string]api.Figure{}
	for name, f := range of {
		out[name] = api.Figure(f)
	}
	return out
}

// often are reasons with how many questions each concerned.
func often(why map[string]int, prefix string) []string {
	return slice.Map(slices.Sorted(maps.Keys(why)), func(reason string) string {
		return fmt.Sprintf("%s%s (%d questions)", prefix, reason, why[reason])
	})
}

// material is what questions are made of, as one caller may see it.
type material struct {
	m     Memory
	view  catalog.View
	open  func() (*recall.Searcher, func()) // see [probe.Way]
	info  recall.Info                       // of the index that was read
	notes []string

	probes  []probe.Probe
	changes []probe.Change
	tells   map[string][]string
	counted map[string]probe.Figure
}

func (t *material) read(ctx context.Context, most int) error {
	said, err := t.rows(ctx, catalog.DrawerText, nil)
	if err != nil {
		return err
	}
	withFacts, turns, groups := map[string]bool{}, []float64{}, []string{}
	facts, err := t.rows(ctx, catalog.ArchiveLog, func(r *catalog.Row) {
		t.tells[r.ID] = []string{r.Drawer}
		withFacts[turnOf(r)] = true
	})
	if err != nil {
		return err
	}
	cited := map[string]bool{}
	pages, err := t.rows(ctx, catalog.Notebook, func(r *catalog.Row) {
		for _, id := range r.Cites {
			cited[id] = true
		}
		if len(r.Cites) > 0 {
			t.tells[r.ID] = r.Cites
		}
	})
	if err != nil {
		return err
	}
	facts = append(facts, slices.DeleteFunc(pages, func(r catalog.Row) bool { return len(r.Cites) == 0 })...)
	known, err := t.m.Vault.Accounted()
	if err != nil {
		return err
	}
	var onPages []float64
	var days []string
	for id, a := range known.All() {
		if row := (catalog.Row{Wing: a.Wing, Agent: string(a.Agent), Source: catalog.ArchiveLog}); !t.view.Sees(&row) {
			continue
		}
		t.tells[id] = []string{a.Drawer}
		withFacts[turnOf(&catalog.Row{Chat: a.ChatID, Turn: a.Turn})] = true
		onPages, days = append(onPages, truth(cited[id])), append(days, string(a.Day))
	}
	seen := map[string]bool{}
	for i := range said {
		turn := turnOf(&said[i])
		if said[i].Turn == "" || seen[turn] {
			continue
		}
		seen[turn] = true
		turns, groups = append(turns, truth(withFacts[turn])), append(groups, said[i].Session)
	}
	t.counted = map[string]probe.Figure{"on_pages": probe.Mean(onPages, days), "capture": probe.Mean(turns, groups)}
	t.probes = probe.Make(messages(said), factTexts(facts), most)
	return t.readChanges(ctx, most)
}

// rows are the newest rows of a source, of which questions are made; each, where there is one, is told of all of them.
func (t *material) rows(ctx context.Context, source catalog.SourceType, each func(*catalog.Row)) (rows []catalog.Row, err error) {
	s, release := t.open()
	defer release()
	t.info = s.Index.Info()
	f := catalog.Filter{Source: []catalog.SourceType{source}}
	for more, at := true, 0; more; at += measuredTexts {
		lot, err := s.Index.List(ctx, f, measuredTexts, at)
		if err != nil {
			return nil, err
		}
		for i := range lot {
			if each != nil {
				each(&lot[i])
			}
		}
		if more = len(lot) == measuredTexts; at == 0 {
			rows = lot
		}
		if more && at == 0 {
			t.notes = append(t.notes, fmt.Sprintf("of %s, the newest %d rows give questions", source, measuredTexts))
		}
		more = more && each != nil
	}
	return rows, nil
}

// readChanges are the values of the graph that others took the place of, and how many of those were said again afterwards.
func (t *material) readChanges(ctx context.Context, most int) error {
	g, err := t.m.Graph.Graph(t.view.Wing)
	if err != nil {
		return err
	}
	type value struct{ subject, predicate, object string }
	at, last := map[string]int{}, map[value]vault.Day{}
	all := g.Triples()
	for i := range all {
		at[all[i].ID] = i
		v := value{all[i].Subject, all[i].Predicate, all[i].Object}
		last[v] = max(last[v], all[i].Said)
	}
	var again []float64
	var subjects, ids []string
	for i := range all {
		old := &all[i]
		by, ok := at[old.By]
		if !ok || old.Source == "" || all[by].Source == "" {
			continue
		}
		again = append(again, truth(last[value{old.Subject, old.Predicate, old.Object}] > all[by].Said))
		subjects = append(subjects, old.Subject)
		if len(t.changes) < most {
			ids = append(ids, old.Source, all[by].Source)
			t.changes = append(t.changes, probe.Change{
				Query: old.Subject + " " + strings.ReplaceAll(old.Predicate, "_", " "), Old: old.Source, New: all[by].Source, Session: old.Subject,
			})
		}
	}
	t.counted["superseded_said_again"] = probe.Mean(again, subjects)
	rows, err := t.m.remain(ctx, ids)
	for id, r := range rows {
		if r.Drawer != "" {
			t.tells[id] = []string{r.Drawer}
		}
	}
	return err
}

// turnOf names the turn that a row is of.
func turnOf(r *catalog.Row) string { return r.Chat + "\x00" + r.Turn }

// messages are drawers in the order in which they were said, session by session.
func messages(rows []catalog.Row) []probe.Text {
	rows = slices.Clone(rows)
	slices.SortFunc(rows, func(a, b catalog.Row) int {
		return cmp.Or(cmp.Compare(vault.DayOf(a.At), vault.DayOf(b.At)), cmp.Compare(a.Session, b.Session), cmp.Compare(a.Seq, b.Seq),
			cmp.Compare(a.ID, b.ID))
	})
	var out []probe.Text
	for _, r := range rows {
		if n := len(out); n > 0 && out[n-1].ID == r.Drawer {
			out[n-1].Text += " " + r.Text // the next piece of a long one
			continue
		}
		out = append(out, text(&r, r.Drawer))
	}
	return out
}

func factTexts(rows []catalog.Row) (out []probe.Text) {
	for i := range rows {
		out = append(out, text(&rows[i], rows[i].ID))
	}
	return out
}

func text(r *catalog.Row, id string) probe.Text {
	return probe.Text{
		ID: id, Session: cmp.Or(r.Session, string(r.File)), Speaker: r.Speaker, Voice: r.Speaker + "\x00" + string(r.Origin),
		Text: r.Text, At: r.At,
	}
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

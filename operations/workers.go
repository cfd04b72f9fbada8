package operations

import (
	"context"

	"github.com/reverie-memory/reverie/activity"
	"github.com/reverie-memory/reverie/api"
)

// PalaceRun starts one of the palace's workers as a job.
func (m Memory) PalaceRun(_ context.Context, r api.PalaceRun) (api.Job, error) {
	for _, s := range m.Workers.Status() {
		if s.Name == r.Worker && s.Idle != "" {
			return api.Job{}, &api.Error{
				Code: api.Conflict, Detail: r.Worker + ": " + s.Idle, Hint: "set llm.provider and llm.model; see docs/models.md",
			}
		}
	}
	t, _, err := m.Jobs.Start("palace "+r.Worker, "drawers", func(j activity.Job) { m.News.Send("job", j.Kind, &j) },
		func(ctx context.Context, t *activity.Task) error {
			if err := m.Follower.WaitReady(ctx); err != nil {
				return err
			}
			_, err := m.Workers.Work(ctx, r.Worker, func(done int) { t.Update(func(j *activity.Job) { j.Done, j.Total = done, done }) })
			return err
		})
	if err != nil {
		return api.Job{}, err
	}
	return api.Job(t.Job()), nil
}

// PalaceWorkers tells how the palace's workers stand, and what waits for them.
func (m Memory) PalaceWorkers(ctx context.Context) (api.PalaceWorkers, error) {
	out := api.PalaceWorkers{Workers: []api.PalaceWorker{}}
	for _, s := range m.Workers.Status() {
		out.Workers = append(out.Workers, api.PalaceWorker{
			Name: s.Name, Last: rfc(s.Run.Last), Done: s.Run.Done, Next: rfc(s.Next), Running: s.Running, Failures: s.Run.Failures,
			Note:  s.Run.Note,
			Error: s.Run.Error, Idle: s.Idle,
		})
	}
	m.Follower.Settle(ctx)
	n, err := m.Workers.Count(ctx)
	out.States, out.Tiers, out.Archived = n.States, n.Tiers, n.Archived
	if err != nil {
		return out, err
	}
	out.Sizes, err = m.sizes(ctx)
	return out, err
}

// sizes are how much there is in all of a palace but for the graphs of isolated projects. Nothing stops beyond what is usual.
func (m Memory) sizes(ctx context.Context) ([]api.PalaceSize, error) {
	g, err := m.Graph.Graph("")
	if err != nil {
		return nil, err
	}
	_, drawers, _, _ := m.Index.Reader().Counts(ctx)
	s := g.Stats(m.today())
	return []api.PalaceSize{
		{Of: "drawers", Count: drawers, Usual: 10_000},
		{Of: "entities", Count: s.Entities, Usual: 5_000},
		{Of: "triples", Count: s.Triples, Usual: 50_000},
	}, ctx.Err()
}

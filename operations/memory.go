package operations

import (
	"context"
	"fmt"

	"github.com/reverie-memory/reverie/activity"
	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/workspace"
)

// Memory is an open workspace as it is asked, in shapes of package api: it has a method for each operation.
type Memory struct{ *workspace.Workspace }

// Ready is nil once the files have been looked at.
func (m Memory) Ready() error {
	if err := m.Follower.Ready(); err != nil {
		return fmt.Errorf("workspace %s: %w", m.Options.Name, err)
	}
	return nil
}

// Events sends what happens in the workspace until ctx ends.
func (m Memory) Events(ctx context.Context) <-chan api.Event {
	workspace := m.Options.Name
	return activity.Listen(ctx, &m.News, func(e activity.Event) api.Event {
		out := api.Event{Kind: e.Kind, At: e.At, Text: e.Text, Job: (*api.Job)(e.Job)}
		if f := e.Filed; f != nil {
			out.Memory = &api.MemoryEvent{
				At: e.At, Workspace: workspace, DrawerID: f.Drawer, Wing: f.Wing, Room: f.Room, MemoryType: f.Type, Agent: f.Agent,
				Length: f.Length,
			}
		}
		return out
	})
}

// Job describes a job.
func (m Memory) Job(_ context.Context, q api.ByID) (api.Job, error) {
	j, ok := m.Jobs.Get(q.ID)
	if !ok {
		return api.Job{}, fmt.Errorf("job %q: %w", q.ID, api.NotFound)
	}
	return api.Job(j), nil
}

// Reindex starts a rebuild of the index, or a look at what changed, and describes it where the request waits for its end.
func (m Memory) Reindex(ctx context.Context, r api.Reindex) (api.Reindexed, error) {
	t, _, err := m.Jobs.Start("reindex", "files", func(j activity.Job) { m.News.Send("job", j.Kind, &j) },
		func(ctx context.Context, t *activity.Task) error {
			far := func(done, total int) { t.Update(func(j *activity.Job) { j.Done, j.Total = done, total }) }
			if r.ClearExisting {
				return m.Index.Rebuild(ctx, far)
			}
			stats, err := m.Index.Sync(ctx)
			far(stats.Files, stats.Files)
			return err
		})
	if err != nil {
		return api.Reindexed{}, err
	}
	j := t.Job()
	if !r.Wait {
		return api.Reindexed{JobID: j.ID}, nil
	}
	select {
	case <-t.Done():
	case <-ctx.Done():
		return api.Reindexed{}, ctx.Err()
	}
	j = t.Job()
	return api.Reindexed{JobID: j.ID, ID: j.ID, Kind: j.Kind, State: j.State, Done: j.Done, Total: j.Total, Unit: j.Unit, Error: j.Error}, nil
}

// Verify compares the index with a rebuild from the files.
func (m Memory) Verify(ctx context.Context) (api.VerifyResult, error) {
	if err := m.Follower.WaitReady(ctx); err != nil {
		return api.VerifyResult{}, err
	}
	v, err := m.Index.Verify(ctx)
	if err != nil {
		return api.VerifyResult{}, err
	}
	return api.VerifyResult{
		Rows: v.Rows, Missing: v.Missing, Stale: v.Stale, Vectors: v.VectorsWrong, Details: list(v.Details), OK: v.OK(),
	}, nil
}

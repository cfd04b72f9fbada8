package operations

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/activity"
	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/mine"
	"github.com/reverie-memory/reverie/vault"
)

// Mine registers a folder and starts the job that reads it.
func (m Memory) Mine(ctx context.Context, q api.Mine) (api.Mined, error) {
	path := q.Path
	q, _, err := admit(m, q)
	if err != nil {
		return api.Mined{}, err
	}
	if err := m.Follower.WaitReady(ctx); err != nil {
		return api.Mined{}, err
	}
	f, err := m.Mining.Add(ctx, mine.Request{Path: path, Wing: q.Wing, Room: q.Room, Watch: q.Watch, Copy: q.Copy})
	if err != nil {
		return api.Mined{}, err
	}
	t, _, err := m.Jobs.Start("mine "+f.ID, "files", func(j activity.Job) { m.News.Send("job", j.Kind, &j) },
		func(ctx context.Context, t *activity.Task) error {
			defer m.Mining.Reading(func(done, total int) { t.Update(func(j *activity.Job) { j.Done, j.Total = done, total }) })()
			uncopied := m.Mining.Copy(ctx, f)
			stats, err := m.Index.Sync(ctx, f.At())
			err = errors.Join(uncopied, err)
			t.Update(func(j *activity.Job) { j.Done, j.Total = stats.Files, stats.Files })
			if err == nil && f.Unreachable() != "" {
				err = errors.New(f.Unreachable())
			}
			return err
		})
	if err != nil {
		return api.Mined{}, err
	}
	out := api.Mined{JobID: t.Job().ID}
	if q.Wait {
		select {
		case <-t.Done():
		case <-ctx.Done():
			return api.Mined{}, ctx.Err()
		}
		j := api.Job(t.Job())
		out.Job = &j
	}
	out.Folder, err = m.mined(ctx, f)
	return out, err
}

// shownLeftOut is how many files that were left out are listed of a folder.
const shownLeftOut = 100

func (m Memory) mined(ctx context.Context, f *mine.Folder) (api.MinedFolder, error) {
	out := api.MinedFolder{
		ID: f.ID, Path: f.Path, Wing: f.Wing, Room: f.Room, Watch: f.Watch, Copy: f.Copy, Since: f.Source.At.Format(time.RFC3339),
		LeftOut: []api.FileProblem{}, Unreachable: f.Unreachable(),
	}
	told := map[vault.Problem]bool{}
	for _, p := range slices.Concat(f.Problems(), m.Index.Problems()) {
		if strings.HasPrefix(string(p.Path), string(f.At())+"/") && !told[p] && len(out.LeftOut) < shownLeftOut {
			told[p], out.LeftOut = true, append(out.LeftOut, m.problem(p))
		}
	}
	held, err := m.Index.Under(ctx, f.At())
	out.Files, out.Silent, out.Drawers = held.Files, held.Silent, held.Rows
	return out, err
}

// problem tells of a file by the name that a person knows it by.
func (m Memory) problem(p vault.Problem) api.FileProblem {
	return api.FileProblem{File: m.Mining.Where(p.Path), Line: p.Line, Reason: p.Reason, Hint: p.Hint}
}

// MinedFolders lists the mined folders.
func (m Memory) MinedFolders(ctx context.Context) (api.MinedFolders, error) {
	out := api.MinedFolders{Folders: []api.MinedFolder{}}
	for _, f := range m.Mining.Folders() {
		f.Look()
		folder, err := m.mined(ctx, f)
		if err != nil {
			return out, err
		}
		out.Folders = append(out.Folders, folder)
	}
	return out, nil
}

// Unmine takes what is known of a mined folder away. Its files stay as they are.
func (m Memory) Unmine(ctx context.Context, q api.Unmine) (api.Unmined, error) {
	f, err := m.Mining.Remove(ctx, q.Path)
	if err != nil {
		return api.Unmined{}, err
	}
	out := api.Unmined{}
	if out.Folder, err = m.mined(ctx, f); err != nil {
		return out, err
	}
	stats, err := m.Index.Sync(ctx, f.At())
	out.Drawers = stats.Removed
	return out, err
}

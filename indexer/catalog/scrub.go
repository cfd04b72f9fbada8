package catalog

import (
	"context"
	"fmt"
)

// Scrub leaves no byte on the disk of rows that are gone: the names that only they had go, the file is written anew without what deleted
// cells left in its pages, and the write-ahead log is emptied into it. Readers that are under way are waited for. Scrub takes as long as
// copying the file does.
func (g *Generation) Scrub(ctx context.Context) error {
	return g.write(ctx, "scrub", func() error {
		if err := g.dropNames(ctx); err != nil {
			return err
		}
		if _, err := g.db.write.ExecContext(ctx, `PRAGMA temp_store = file`); err != nil { // the copy may be larger than memory
			return err
		}
		_, err := g.db.write.ExecContext(ctx, `VACUUM`)
		if _, back := g.db.write.ExecContext(context.WithoutCancel(ctx), `PRAGMA temp_store = memory`); err == nil {
			err = back
		}
		if err != nil {
			return err
		}
		return g.db.checkpoint(true)
	})
}

// dropNames takes the names out that no row has.
func (g *Generation) dropNames(ctx context.Context) error {
	used := [allKinds]map[int32]bool{}
	for i := range used {
		used[i] = map[int32]bool{}
	}
	for _, ch := range g.cols.chunks {
		if ch == nil {
			continue
		}
		for i, ok := range ch.ok {
			if !ok {
				continue
			}
			for kind := range kinds {
				used[kind][ch.name[kind][i]] = true
			}
			for _, tag := range g.cols.sets.list[ch.tags[i]] {
				used[kindTag][tag] = true
			}
		}
	}
	dead, err := g.deadNames(ctx, used)
	if err != nil || len(dead) == 0 {
		return err
	}
	err = g.db.update(func() error {
		for n, id := range dead {
			if err := g.db.exec(`DELETE FROM names WHERE kind = ? AND id = ?`, n.kind, id); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("dropping names: %w", err)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	clear(g.wides)
	for n, id := range dead {
		if !wide(n.kind) {
			g.cols.names[n.kind].drop(id, n.name)
		}
	}
	return nil
}

func (g *Generation) deadNames(ctx context.Context, used [allKinds]map[int32]bool) (map[wideName]int32, error) {
	dead := map[wideName]int32{}
	var n wideName
	var id int32
	rows, err := g.db.write.QueryContext(ctx, `SELECT kind, id, name FROM names`)
	err = each(rows, err, func() error {
		if n.kind >= 0 && n.kind < allKinds && !used[n.kind][id] {
			dead[n] = id
		}
		return nil
	}, &n.kind, &id, &n.name)
	return dead, err
}

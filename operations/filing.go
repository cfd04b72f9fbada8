package operations

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/palace"
	"github.com/reverie-memory/reverie/palace/drawers"
	"github.com/reverie-memory/reverie/palace/tier"
	"github.com/reverie-memory/reverie/vault"
)

// What is like a drawer that was added matters more: so many drawers, from which likeness on, by so much.
const (
	reinforced      = 5
	reinforceAbove  = 0.7
	reinforcedMore  = 0.5
	defaultArchived = "asked for"
)

// AddDrawer files a text word for word. What follows from it is told in its answer; a failure of that is no error, as the text is filed.
func (m Memory) AddDrawer(ctx context.Context, n api.NewDrawer) (out api.DrawerAdded, err error) {
	n, redactions, err := admit(m, n)
	if err != nil {
		return out, err
	}
	err = m.Intake.File(ctx, vault.Drawer{
		Wing: n.Wing, Room: n.Room, Hall: n.Hall, Agent: n.Agent, AddedBy: n.AddedBy, SourceFile: n.SourceFile, Text: n.Content,
	}, func(f palace.Filed) error {
		kind, sure := tier.Classify(f.Drawer.Text)
		out = api.DrawerAdded{
			DrawerID: f.Drawer.ID, MemoryType: kind, Importance: cents(math.Max(drawers.DefaultImportance, sure*drawers.MaxImportance)),
			Duplicate: f.Known, Reinforced: []string{}, Redactions: redactions, Degraded: []string{},
		}
		note := func(err error) {
			if err != nil {
				out.Degraded = append(out.Degraded, err.Error())
			}
		}
		note(f.Late)
		k := m.Drawers.State().Of(f.Drawer.ID)
		if k.Weighed == 0 { // by nobody: a call that filed it may have ended before
			note(m.weigh(ctx, n, f.Drawer, &out))
		}
		if k.Archived != 0 {
			_, err := m.RestoreDrawers(ctx, api.RestoreDrawers{Project: cmp.Or(n.Project, n.Wing), IDs: []string{f.Drawer.ID}})
			note(err)
		}
		return nil
	})
	return out, err
}

// weigh notes how much a drawer matters that was filed, and that those matter more which it is like. All of that is noted, or nothing.
func (m Memory) weigh(ctx context.Context, n api.NewDrawer, d vault.Drawer, out *api.DrawerAdded) error {
	like, err := m.likeDrawer(ctx, n, d)
	if err != nil {
		return err
	}
	var events []drawers.Event
	for _, id := range like {
		events = append(events, drawers.Event{Kind: drawers.Reinforce, Drawer: id, Into: d.ID, By: reinforcedMore})
	}
	out.Reinforced = append(out.Reinforced, like...)
	events = append(events, drawers.Event{Kind: drawers.Note, Drawer: d.ID, Importance: &out.Importance})
	return m.Drawers.Append(ctx, events...)
}

// likeDrawer names the drawers that an added one is like.
func (m Memory) likeDrawer(ctx context.Context, n api.NewDrawer, d vault.Drawer) (ids []string, err error) {
	view, err := m.Searches.Of(n.Agent, cmp.Or(n.Project, n.Wing))
	if err != nil {
		return nil, err
	}
	r, release := m.Index.Reader().Pin()
	defer release()
	found, err := m.alike(ctx, r, catalog.Filter{View: &view}, d.Text)
	for _, a := range found {
		if a.likeness > reinforceAbove && a.row.Drawer != d.ID && len(ids) < reinforced {
			ids = append(ids, a.row.Drawer)
		}
	}
	return ids, err
}

// DeleteDrawer forgets a drawer of the vault.
func (m Memory) DeleteDrawer(ctx context.Context, q api.DeleteDrawer) (api.DrawerDeleted, error) {
	m.Follower.Settle(ctx)
	rows, err := m.drawerRows(ctx, q.Wing, q.DrawerID)
	if err == nil {
		_, err = dayOf(&rows[0])
	}
	if err != nil {
		return api.DrawerDeleted{}, err
	}
	res, err := m.Forget(ctx, api.Forget{IDs: []string{q.DrawerID}, Agent: q.Agent, Wing: q.Wing, Reason: "the drawer was deleted"})
	return api.DrawerDeleted{
		Deleted: res.Verified, Forgotten: len(res.Forgotten),
		Note: "It is forgotten, with the facts that were taken from it: a tombstone hides it for good, its bytes stay in the vault. " +
			"unforget takes that back, forget with purge erases the bytes.",
	}, err
}

// MoveDrawers hangs drawers elsewhere.
func (m Memory) MoveDrawers(ctx context.Context, q api.MoveDrawers) (api.DrawersChanged, error) {
	q, _, err := admit(m, q)
	switch {
	case err != nil:
	case !onlyOne(len(q.IDs) > 0, q.ChatID != ""):
		err = api.Refuse("ids", "name exactly one of ids and chat_id")
	case q.Wing == nil && q.Room == nil && q.Hall == nil:
		err = api.Refuse("wing", "name a wing, a room or a hall")
	}
	if err != nil {
		return api.DrawersChanged{}, err
	}
	m.Follower.Settle(ctx)
	if q.ChatID != "" {
		rows, err := m.Index.Reader().RowsByChat(ctx, q.ChatID)
		if err != nil {
			return api.DrawersChanged{}, err
		}
		for _, r := range rows {
			if r.Source == catalog.DrawerText && r.ID == r.Drawer {
				q.IDs = append(q.IDs, r.ID)
			}
		}
		if len(q.IDs) == 0 {
			return api.DrawersChanged{}, &api.Error{Code: api.NotFound, Detail: "no drawer of that conversation is known"}
		}
	}
	return m.happen(ctx, q.Project, q.IDs, drawers.Event{Kind: drawers.Move, Wing: q.Wing, Room: q.Room, Hall: q.Hall},
		func(r *catalog.Row) bool {
			return elsewhere(q.Wing, r.Wing) || q.Wing != nil && r.Guessed || elsewhere(q.Room, r.Room) || elsewhere(q.Hall, r.Hall)
		})
}

func elsewhere(to *string, from string) bool { return to != nil && *to != from }

// ArchiveDrawers puts drawers away: searches do not find them any more.
func (m Memory) ArchiveDrawers(ctx context.Context, q api.ArchiveDrawers) (api.DrawersChanged, error) {
	q, _, err := admit(m, q)
	if err != nil {
		return api.DrawersChanged{}, err
	}
	m.Follower.Settle(ctx)
	return m.happen(ctx, q.Project, q.IDs, drawers.Event{Kind: drawers.Archive, Reason: cmp.Or(q.Reason, defaultArchived)},
		func(r *catalog.Row) bool { return !r.Archived })
}

// RestoreDrawers brings drawers back.
func (m Memory) RestoreDrawers(ctx context.Context, q api.RestoreDrawers) (api.DrawersChanged, error) {
	q, _, err := admit(m, q)
	if err != nil {
		return api.DrawersChanged{}, err
	}
	m.Follower.Settle(ctx)
	return m.happen(ctx, q.Project, q.IDs, drawers.Event{Kind: drawers.Restore}, func(r *catalog.Row) bool { return r.Archived })
}

// PartDrawers says that drawers repeat nothing, and that nothing ended them. The drawers are not compared again.
func (m Memory) PartDrawers(ctx context.Context, q api.PartDrawers) (out api.DrawersChanged, err error) {
	if q, _, err = admit(m, q); err != nil {
		return out, err
	}
	m.Follower.Settle(ctx)
	slices.Sort(q.IDs)
	rows, err := m.drawerRows(ctx, q.Project, slices.Compact(q.IDs)...)
	if err != nil {
		return out, err
	}
	var events []drawers.Event
	for i := range rows {
		k, before := m.Drawers.State().Of(rows[i].ID), len(events)
		if k.Cluster != "" {
			events = append(events, drawers.Event{Kind: drawers.Cluster, Drawer: rows[i].ID})
		}
		if k.SupersededBy != "" {
			events = append(events, drawers.Event{Kind: drawers.Superseded, Drawer: rows[i].ID})
		}
		if len(events) > before {
			out.Drawers++
		}
	}
	return out, m.Drawers.Append(ctx, events...)
}

// happen writes down what happens to drawers, to all or to none. What is so of a drawer already does
// not concern it.
func (m Memory) happen(ctx context.Context, project string, ids []string, e drawers.Event, concerns func(*catalog.Row) bool) (
	api.DrawersChanged, error,
) {
	slices.Sort(ids)
	rows, err := m.drawerRows(ctx, project, slices.Compact(ids)...)
	if err != nil {
		return api.DrawersChanged{}, err
	}
	var events []drawers.Event
	for i := range rows {
		if e.Day, err = dayOf(&rows[i]); err != nil {
			return api.DrawersChanged{}, err
		}
		if e.Drawer = rows[i].ID; concerns(&rows[i]) {
			events = append(events, e)
		}
	}
	return api.DrawersChanged{Drawers: len(events)}, m.Drawers.Append(ctx, events...)
}

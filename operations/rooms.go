package operations

import (
	"context"
	"fmt"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/internal/nearest"
	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/palace/rooms"
)

// places counts the drawers that a project sees where they lie.
func (m Memory) places(ctx context.Context, asker api.Asker) ([]rooms.Place, error) {
	view, err := m.Searches.Of("", asker.Project)
	if err != nil {
		return nil, err
	}
	m.Follower.Settle(ctx)
	out := slice.Map(m.Index.Reader().Places(catalog.Filter{View: &view}), func(p catalog.Place) rooms.Place { return rooms.Place(p) })
	return out, ctx.Err()
}

// PalaceStatus counts drawers by where they lie and by what became of them.
func (m Memory) PalaceStatus(ctx context.Context, asker api.Asker) (api.PalaceStatus, error) {
	places, err := m.places(ctx, asker)
	if err != nil {
		return api.PalaceStatus{}, err
	}
	out := api.PalaceStatus{Wings: wings(places), Rooms: roomsOf(places, ""), Halls: []api.HallCount{}}
	for _, c := range rooms.Halls(places) {
		out.Halls = append(out.Halls, api.HallCount{Hall: c.Name, Count: c.Drawers})
	}
	for _, p := range places {
		out.TotalDrawers += p.Drawers
	}
	n, err := m.Workers.Count(ctx)
	if err != nil {
		return api.PalaceStatus{}, err
	}
	out.States, out.Tiers, out.Archived = n.States, n.Tiers, n.Archived
	out.Sizes, err = m.sizes(ctx)
	return out, err
}

// Wings lists the wings.
func (m Memory) Wings(ctx context.Context, asker api.Asker) (api.Wings, error) {
	places, err := m.places(ctx, asker)
	return api.Wings{Wings: wings(places)}, err
}

func wings(places []rooms.Place) []api.WingCount {
	return slice.Map(rooms.Wings(places), func(c rooms.Count) api.WingCount { return api.WingCount{Wing: c.Name, Count: c.Drawers} })
}

// Rooms lists the rooms, of all wings or of one.
func (m Memory) Rooms(ctx context.Context, q api.RoomQuery) (api.Rooms, error) {
	places, err := m.places(ctx, q.Asker)
	return api.Rooms{Rooms: roomsOf(places, q.Wing)}, err
}

func roomsOf(places []rooms.Place, wing string) []api.RoomCount {
	return slice.Map(rooms.Rooms(places, wing), func(c rooms.Count) api.RoomCount { return api.RoomCount{Room: c.Name, Count: c.Drawers} })
}

// Taxonomy counts the drawers of each room of each wing.
func (m Memory) Taxonomy(ctx context.Context, asker api.Asker) (api.Taxonomy, error) {
	places, err := m.places(ctx, asker)
	out := api.Taxonomy{Taxonomy: map[string]map[string]int{}}
	for _, w := range rooms.Taxonomy(places) {
		out.Taxonomy[w.Name] = map[string]int{}
		for _, r := range w.Rooms {
			out.Taxonomy[w.Name][r.Name] = r.Drawers
		}
	}
	return out, err
}

// Traverse walks from a room to those that share a wing with it, and on.
func (m Memory) Traverse(ctx context.Context, q api.Traverse) (api.Walk, error) {
	places, err := m.places(ctx, q.Asker)
	if err != nil {
		return api.Walk{}, err
	}
	g := rooms.NewGraph(places)
	out := api.Walk{Rooms: []api.Step{}}
	for _, s := range g.Walk(q.StartRoom, q.MaxHops) {
		out.Rooms = append(out.Rooms, api.Step{Room: room(s.Room), Halls: list(s.Halls), Hop: s.Hop, ConnectedVia: list(s.Via)})
	}
	if len(out.Rooms) > 0 {
		return out, nil
	}
	missing := &api.Error{Code: api.NotFound, Detail: fmt.Sprintf("room %q: %v", q.StartRoom, api.NotFound)}
	switch near := nearest.Name(q.StartRoom, g.Names()); {
	case rooms.Unnamed(q.StartRoom):
		missing.Hint = "its name says nothing, so that no walk leads through it: name another room"
	case near != "":
		missing.Hint = fmt.Sprintf("did you mean %q?", near)
	default:
		missing.Hint = "the list of rooms has the names; walks leave out rooms that lie in no wing, or in none that somebody named"
	}
	return api.Walk{}, missing
}

func room(r rooms.Room) api.Room {
	return api.Room{Room: r.Name, Wings: list(r.Wings), Count: r.Drawers}
}

func roomList(all []rooms.Room) []api.Room {
	return slice.Map(all, room)
}

// Tunnels lists the rooms that several wings share.
func (m Memory) Tunnels(ctx context.Context, q api.TunnelQuery) (api.Tunnels, error) {
	places, err := m.places(ctx, q.Asker)
	return api.Tunnels{Tunnels: roomList(rooms.NewGraph(places).Tunnels(q.WingA, q.WingB))}, err
}

// RoomGraph sums up which rooms join which wings.
func (m Memory) RoomGraph(ctx context.Context, asker api.Asker) (api.RoomGraph, error) {
	places, err := m.places(ctx, asker)
	s := rooms.NewGraph(places).Stats()
	return api.RoomGraph{
		TotalRooms: s.Rooms, TunnelRooms: s.Tunnels, TotalEdges: s.Edges, RoomsPerWing: s.RoomsPerWing, TopTunnels: roomList(s.Top),
	}, err
}

package main

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/operations"
)

func (a *app) palaceCmd() *cobra.Command {
	c := &cobra.Command{
		Use: "palace", Short: "Show drawers and where they lie, and move them",
		Args: cobra.NoArgs, RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	c.AddCommand(a.wingsCmd(), a.roomsCmd(), a.taxonomyCmd(), a.traverseCmd(), a.tunnelsCmd(), a.roomGraphCmd(), a.duplicateCmd(),
		a.palaceStatusCmd(), a.palaceStatsCmd(), a.palaceRunCmd())
	c.AddCommand(a.drawersCmd(), a.drawerCmd(), a.addDrawerCmd(), a.deleteDrawerCmd(), a.moveCmd(), a.archiveCmd(), a.restoreCmd(),
		a.partCmd(), a.compactCmd())
	return c
}

// unnamed is what people read for a wing or a room without a name.
const unnamed = "(none)"

func (a *app) printCount(indent, name string, n int) {
	a.print("%s%7d  %s\n", indent, n, oneLine(cmp.Or(name, unnamed), 200))
}

func (a *app) printRooms(rooms []api.Room) {
	for _, r := range rooms {
		a.print("%7d  %s: %s\n", r.Count, oneLine(r.Room, 200), oneLine(strings.Join(r.Wings, ", "), 2000))
	}
}

func (a *app) wingsCmd() *cobra.Command {
	c := &cobra.Command{Use: "wings", Short: "List the wings, with how many drawers lie in each"}
	return verb(a, c, operations.Wings, &api.Asker{}, func(r api.Wings) {
		for _, w := range r.Wings {
			a.printCount("", w.Wing, w.Count)
		}
	})
}

func (a *app) roomsCmd() *cobra.Command {
	var q api.RoomQuery
	c := &cobra.Command{Use: "rooms", Short: "List the rooms, with how many drawers lie in each"}
	verb(a, c, operations.Rooms, &q, func(r api.Rooms) {
		for _, room := range r.Rooms {
			a.printCount("", room.Room, room.Count)
		}
	})
	c.Flags().StringVar(&q.Wing, "wing", "", "only this wing")
	return c
}

func (a *app) taxonomyCmd() *cobra.Command {
	c := &cobra.Command{Use: "taxonomy", Short: "List the wings with their rooms"}
	return verb(a, c, operations.Taxonomy, &api.Asker{}, func(r api.Taxonomy) {
		for _, wing := range slices.Sorted(maps.Keys(r.Taxonomy)) {
			rooms, all := r.Taxonomy[wing], 0
			for _, n := range rooms {
				all += n
			}
			a.printCount("", wing, all)
			for _, room := range slices.Sorted(maps.Keys(rooms)) {
				a.printCount("         ", room, rooms[room])
			}
		}
	})
}

func (a *app) traverseCmd() *cobra.Command {
	var q api.Traverse
	c := &cobra.Command{Use: "traverse ROOM", Short: "Walk from a room to others through the wings that they share"}
	verb(a, c, operations.Traverse, &q, func(r api.Walk) {
		for _, s := range r.Rooms {
			a.print("%d %7d  %s", s.Hop, s.Count, oneLine(s.Room.Room, 200))
			if len(s.ConnectedVia) > 0 {
				a.print(" through %s", oneLine(strings.Join(s.ConnectedVia, ", "), 2000))
			}
			a.print("\n")
		}
	}, &q.StartRoom)
	c.Flags().IntVar(&q.MaxHops, "hops", 3, "how far, at most 5")
	return c
}

func (a *app) tunnelsCmd() *cobra.Command {
	var q api.TunnelQuery
	c := &cobra.Command{Use: "tunnels [WING [WING]]", Short: "List the rooms that several wings share", Args: cobra.MaximumNArgs(2)}
	return verb(a, c, operations.Tunnels, &q, func(r api.Tunnels) { a.printRooms(r.Tunnels) }, &q.WingA, &q.WingB)
}

func (a *app) roomGraphCmd() *cobra.Command {
	c := &cobra.Command{Use: "graph", Short: "Sum up how rooms join wings"}
	return verb(a, c, operations.RoomGraph, &api.Asker{}, func(r api.RoomGraph) {
		a.print("%d rooms, %d of them in several wings, with %d ways between wings\n", r.TotalRooms, r.TunnelRooms, r.TotalEdges)
		a.printRooms(r.TopTunnels)
	})
}

func (a *app) duplicateCmd() *cobra.Command {
	var q api.CheckDuplicate
	c := &cobra.Command{Use: "duplicate TEXT", Short: "Tell whether a text is in a drawer already"}
	verb(a, c, operations.CheckDuplicate, &q, func(r api.Duplicates) {
		for _, d := range r.Matches {
			a.print("%.2f  %s  %s\n", d.Similarity, d.ID, oneLine(d.Content, 200))
		}
	}, &q.Content)
	c.Flags().Float64Var(&q.Threshold, "threshold", 0.9, "how like it a drawer must be, from 0.1 to 1")
	return c
}

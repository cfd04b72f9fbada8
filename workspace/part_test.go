package workspace_test

import (
	"testing"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/palace/drawers"
)

// A drawer that was merged or superseded wrongly stands for itself again, whether once or twice asked for, and others stay as they are.
func TestPartedDrawersStandForThemselves(t *testing.T) {
	w := open(t, quiet)
	ids := append(say(t, w, "c1", "The harbour is closed on Sundays.").Drawers, say(t, w, "c2", "The harbour is shut on Sundays.").Drawers...)
	ids = append(ids, say(t, w, "c3", "The harbour is open on Sundays.").Drawers...)
	if err := w.Drawers.Append(t.Context(),
		drawers.Event{Kind: drawers.Cluster, Drawer: ids[1], Into: ids[0]},
		drawers.Event{Kind: drawers.Superseded, Drawer: ids[1], Into: ids[2], Evidence: "test"},
		drawers.Event{Kind: drawers.Superseded, Drawer: ids[0], Into: ids[2], Evidence: "test"},
	); err != nil {
		t.Fatal(err)
	}
	for _, want := range []int{1, 0} {
		if got, err := w.PartDrawers(t.Context(), api.PartDrawers{IDs: ids[1:]}); err != nil || got.Drawers != want {
			t.Errorf("%+v: %v, want %d", got, err, want)
		}
	}
	parted, other := w.Drawers.State().Of(ids[1]), w.Drawers.State().Of(ids[0])
	if parted.Cluster != "" || parted.SupersededBy != "" || parted.State != drawers.Processed || other.SupersededBy != ids[2] {
		t.Errorf("parted %+v, the other %+v", parted, other)
	}
	if d, err := w.ShowDrawer(t.Context(), api.DrawerID{ID: ids[1]}); err != nil || d.ClusterID != "" || d.SupersededBy != "" {
		t.Errorf("%+v: %v", d, err)
	}
}

package vault

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestTheLastLineOfASourceCounts(t *testing.T) {
	v := open(t, t.TempDir())
	at := time.Date(2026, 6, 9, 14, 32, 0, 0, time.UTC)
	first := Source{ID: NewSourceID(), Kind: SourceImport, At: at, Path: "/home/alice/export.zip", Form: "ChatGPT"}
	mined := Source{ID: NewSourceID(), Kind: SourceMine, At: at, Path: "/home/alice/notes"}
	done := first
	done.Messages, done.Done = 3, &at
	for _, s := range []Source{first, mined, done} {
		if err := v.PutSource(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	for kind, want := range map[string][]Source{"": {done, mined}, SourceImport: {done}, SourceMine: {mined}} {
		got, err := v.Sources(kind)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", kind, diff)
		}
	}
}

// What an import brought carries its mark and its chat's title, and is told from what was there.
func TestFileDrawersTellsWhatIsNew(t *testing.T) {
	v := open(t, t.TempDir())
	at := time.Date(2026, 6, 9, 14, 32, 0, 0, time.UTC)
	first := Drawer{ID: "d000000001", At: at, ChatID: "c", Text: "one", Title: `A "trip" to Porto`, Source: "s000000001"}
	second := Drawer{ID: "d000000002", At: at.AddDate(0, 0, 1), ChatID: "c", Text: "two"}
	for i, want := range [][]bool{{true}, {false, true}} {
		_, fresh, err := v.FileDrawers(t.Context(), []Drawer{first, second}[:i+1])
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, fresh); diff != "" {
			t.Errorf("try %d (-want +got):\n%s", i+1, diff)
		}
	}
	var got []Drawer
	if err := v.EachDrawer(t.Context(), nil, func(_ Path, d *Drawer) { got = append(got, *d) }); err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || got[0].Title != first.Title || got[0].Source != first.Source || got[1].Source != "" {
		t.Errorf("drawers %+v", got)
	}
}

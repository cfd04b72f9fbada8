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

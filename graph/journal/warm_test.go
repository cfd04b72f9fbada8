package journal_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/reverie-memory/reverie/graph/journal"
	"github.com/reverie-memory/reverie/project"
)

// A defect that strikes when the graph is made at a start ends that, not the program.
func TestAStartOutlivesItsGraph(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var said strings.Builder
		j := &journal.Journal{Isolated: func() (project.Isolation, error) { panic("something strange") }}
		j.Warm(t.Context(), func(context.Context) error { return nil }, slog.New(slog.NewTextHandler(&said, nil)))
		if !strings.Contains(said.String(), "something strange") {
			t.Errorf("log %q", said.String())
		}
	})
}

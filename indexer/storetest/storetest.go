package storetest

import (
	"testing"

	"github.com/reverie-memory/reverie/indexer"
)

// Run checks the engine that open opens.
func Run(t *testing.T, open indexer.EngineOpener) {
	t.Helper()
	t.Skip("not finished")
}

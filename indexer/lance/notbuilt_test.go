//go:build !lancedb

package lance_test

import (
	"errors"
	"testing"

	"github.com/reverie-memory/reverie/indexer/lance"
)

func TestWithoutTheLibraryOpenSaysSo(t *testing.T) {
	if lance.Built {
		t.Error("Built is true")
	}
	if _, err := lance.Open(t.Context(), t.TempDir(), 8); !errors.Is(err, lance.ErrNotBuilt) {
		t.Errorf("Open: %v", err)
	}
}

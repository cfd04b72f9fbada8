package journal

import (
	"context"
	"errors"
	"testing"

	"github.com/reverie-memory/reverie/graph"
	"github.com/reverie-memory/reverie/vault"
)

// A forgetting waits, in Reload, for an event that looked at the tombstones before it, and no event is written after it.
func TestForgettingWaitsForWhatIsBeingWritten(t *testing.T) {
	writes := 0
	j := &Journal{Sync: func(context.Context, ...vault.Path) error { return nil }}
	v, err := vault.Open(t.TempDir(), vault.WithFaults(func(op string, p vault.Path) error {
		if p == File && op == "write" {
			if writes++; j.writing.TryLock() {
				j.writing.Unlock()
				t.Error("a forgetting would go on")
			}
		}
		return nil
	}))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := v.Close(); err != nil {
			t.Error(err)
		}
	}()
	j.Vault = v
	e := graph.Event{Kind: graph.Assert, Subject: "Alice", Predicate: "member_of", Object: "Glimmerclub"}
	if _, err := j.Append(t.Context(), e); err != nil || writes == 0 {
		t.Fatalf("%d writes: %v", writes, err)
	}
	if err := v.Forget(t.Context(), []vault.Tombstone{{Text: e.Text()}}); err != nil {
		t.Fatal(err)
	}
	if err := j.Kind().Reload(); err != nil {
		t.Fatal(err)
	}
	writes = 0
	if _, err := j.Append(t.Context(), e); !errors.Is(err, vault.ErrForgotten) || writes > 0 {
		t.Errorf("%d writes of what was forgotten: %v", writes, err)
	}
}

//go:build !lancedb

package lance

import (
	"context"

	"github.com/reverie-memory/reverie/indexer"
)

// Built tells whether LanceDB is part of this program.
const Built = false

// Open returns [ErrNotBuilt].
func Open(context.Context, string, int) (indexer.Engine, error) { return nil, ErrNotBuilt }

// Load returns [ErrNotBuilt].
func Load() error { return ErrNotBuilt }

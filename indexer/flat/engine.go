package flat

import (
	"context"
	"errors"

	"github.com/reverie-memory/reverie/indexer"
)

// Open opens the engine in dir, making it when it is not there.
func Open(ctx context.Context, dir string, dim int) (indexer.Engine, error) {
	return nil, errors.New("flat: not finished")
}

package flat_test

import (
	"testing"

	"github.com/reverie-memory/reverie/indexer/flat"
	"github.com/reverie-memory/reverie/indexer/storetest"
)

func BenchmarkEngine(b *testing.B) { storetest.Benchmark(b, flat.Open) }

//go:build lancedb

package lance_test

import (
	"testing"

	"github.com/reverie-memory/reverie/indexer/lance"
	"github.com/reverie-memory/reverie/indexer/storetest"
)

func TestConformance(t *testing.T) { storetest.Run(t, lance.Open) }

func BenchmarkEngine(b *testing.B) { storetest.Benchmark(b, lance.Open) }

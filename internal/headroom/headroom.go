// Package headroom keeps memory that lies still from earning the garbage collector room to grow.
//
// The collector lets the heap grow by as much as lived through the last collection, so that marking stays a small part of the work. What
// holds no pointers is not marked, and costs it nothing: hundreds of megabytes of vectors would double for nothing.
package headroom

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// A heap may always grow by this percentage, and by up to so many bytes where that at most doubles it: where little lies still, memory is
// cheaper than collecting more often.
const (
	least = 20
	small = 64 << 20
)

var (
	mu      sync.Mutex
	still   int64
	percent = 100
	chosen  = os.Getenv("GOGC") != "" // by the person
)

// Still says that so many bytes of memory without pointers live as long as an object does, for which it may be called once.
func Still[T any](object *T, bytes int) {
	runtime.AddCleanup(object, add, -int64(bytes))
	add(int64(bytes))
}

func add(bytes int64) {
	mu.Lock()
	defer mu.Unlock()
	still += bytes
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	// What was added since the last collection is not in what lived through it.
	heap := max(int64(live[0].Value.Uint64()), still+1)
	now := max(least, int(100*(heap-still)/heap), int(min(100, 100*small/heap)))
	if now != percent && !chosen {
		percent = now
		debug.SetGCPercent(now)
	}
}

// Package headroom keeps the heap from growing by more between two collections than that is worth.
//
// The collector lets the heap grow by as much as lived through the last collection, so that marking stays a small part of the work. What
// holds no pointers is not marked, and costs it nothing: hundreds of megabytes of vectors would double for nothing. And where tens of
// megabytes may come before the next collection, marking is a small part already.
package headroom

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// A heap grows by so many percent of what holds pointers, by least percent of all that lives, and by up to so many bytes where that at most
// doubles it: where little lives, memory is cheaper than collecting more often.
const (
	share = 40
	least = 20
	// What is free or dead is given back when asked for from so many percent of what lives on: less is not worth marking all of it.
	worth = 25
	// Of a change by fewer percent nobody is told: it stops everything for a moment.
	slight = 5
)

var (
	small   = int64(32 << 20) // a variable for tests
	mu      sync.Mutex
	still   int64
	percent = 100
	chosen  = os.Getenv("GOGC") != "" // by the person
)

// Still says that so many bytes of memory without pointers live as long as an object does, for which it may be called once.
func Still[T any](object *T, bytes int) {
	watch()
	runtime.AddCleanup(object, add, -int64(bytes))
	add(int64(bytes))
}

// watch has each collection decide what the next one waits for.
var watch = sync.OnceFunc(func() { again(0) })

func again(int64) {
	runtime.AddCleanup(new([4]int64), again, 0) // dead at the next collection
	add(0)
}

func add(bytes int64) {
	mu.Lock()
	defer mu.Unlock()
	still += bytes
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	// What was added since the last collection is not in what lived through it.
	heap := max(int64(live[0].Value.Uint64()), still+1)
	now := int(max(least, share*(heap-still)/heap, min(100, 100*small/heap)))
	if max(now-percent, percent-now) >= slight && !chosen {
		percent = now
		debug.SetGCPercent(now)
	}
}

// GiveBack collects what is dead and returns what is free to the system. Whoever is about to take much memory outside of the heap calls
// it, so that the process does not hold both.
func GiveBack() {
	if chosen {
		return
	}
	s := []metrics.Sample{
		{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/free:bytes"},
	}
	metrics.Read(s)
	if live := s[0].Value.Uint64(); s[1].Value.Uint64()+s[2].Value.Uint64() > live+live*worth/100 {
		debug.FreeOSMemory()
	}
}

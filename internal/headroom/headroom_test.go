package headroom

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
)

func growth() uint64 {
	s := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// become collects until growth is as wanted: cleanups run beside the collector.
func become(wanted func() bool) {
	for i := 0; i < 100 && !wanted(); i++ {
		runtime.GC()
		runtime.Gosched()
	}
}

// A heap of more than some tens of megabytes grows by two fifths, also where nobody said since that memory lies still.
func TestALargeHeapGrowsByLess(t *testing.T) {
	if chosen {
		t.Skip("GOGC is set")
	}
	mu.Lock()
	was := small
	small = 4 << 20
	mu.Unlock()
	defer func() {
		mu.Lock()
		small = was
		mu.Unlock()
	}()
	few := new([1 << 10]byte)
	Still(few, len(few))
	many := make([]*int, 3<<20)
	become(func() bool { return growth() < 50 })
	if got := growth(); got < 30 || got > 49 {
		t.Errorf("a heap of 24 MB of pointers may grow by %d %%", got)
	}
	runtime.KeepAlive(many)
	runtime.KeepAlive(few)
	many = nil
	become(func() bool { return growth() > 90 })
	if got := growth(); got < 90 {
		t.Errorf("a small heap may grow by %d %%", got)
	}
}

// The heap may grow by less while much of it lies still, and by as much as ever when that is gone.
func TestWhatLiesStillEarnsNoRoom(t *testing.T) {
	if chosen {
		t.Skip("GOGC is set")
	}
	type block struct{ bytes []byte }
	few := &block{make([]byte, 16<<20)}
	Still(few, len(few.bytes))
	if got := growth(); got < 90 {
		t.Errorf("with 16 MB that lie still the heap may grow by %d %%", got)
	}
	b := &block{make([]byte, 512<<20)}
	Still(b, len(b.bytes))
	if got := growth(); got != least {
		t.Errorf("with 512 MB that lie still the heap may grow by %d %%", got)
	}
	runtime.KeepAlive(few)
	runtime.KeepAlive(b)
	b = nil
	become(func() bool { return growth() != least })
	if got := growth(); got < 90 {
		t.Errorf("with nothing that lies still the heap may grow by %d %%", got)
	}
}

// What is dead goes back to the system when somebody needs the room, and nothing is collected where little is.
func TestGiveBack(t *testing.T) {
	if chosen {
		t.Skip("GOGC is set")
	}
	returned := func() uint64 {
		s := []metrics.Sample{{Name: "/memory/classes/heap/released:bytes"}}
		metrics.Read(s)
		return s[0].Value.Uint64()
	}
	lives := make([]byte, 64<<20)
	runtime.GC()
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a collection by itself would count what is not dead yet
	dead := make([]byte, 48<<20)
	clear(dead)
	runtime.KeepAlive(dead)
	before := returned()
	GiveBack()
	if got := int64(returned() - before); got < 40<<20 {
		t.Errorf("of 48 MB that are dead %d bytes were given back", got)
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	GiveBack()
	was := m.NumGC
	if runtime.ReadMemStats(&m); m.NumGC != was {
		t.Error("collected again with nothing to give back")
	}
	runtime.KeepAlive(lives)
}

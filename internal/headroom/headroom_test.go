package headroom

import (
	"runtime"
	"runtime/metrics"
	"testing"
)

// The heap may grow by less while much of it lies still, and by as much as ever when that is gone.
func TestWhatLiesStillEarnsNoRoom(t *testing.T) {
	if chosen {
		t.Skip("GOGC is set")
	}
	growth := func() uint64 {
		s := []metrics.Sample{{Name: "/gc/gogc:percent"}}
		metrics.Read(s)
		return s[0].Value.Uint64()
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
	for i := 0; i < 100 && growth() == least; i++ { // cleanups run beside the collector
		runtime.GC()
		runtime.Gosched()
	}
	if got := growth(); got < 90 {
		t.Errorf("with nothing that lies still the heap may grow by %d %%", got)
	}
}

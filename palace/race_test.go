package palace

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/reverie-memory/reverie/vault"
)

// A drawer may be forgotten while its turn waits: no fact comes out of it afterwards.
func TestForgottenWhileItWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := make(chan struct{})
		r := newRig(t, func(_ *Options, s *stubExtractor) { s.gate = gate })
		in := turn("t1", "I moved to Berlin.", "I like tea.")
		in.Indexed = false
		r.remember(t, in)
		synctest.Wait()
		if err := r.vault.Forget(t.Context(), []vault.Tombstone{{Text: "I moved to Berlin."}}); err != nil {
			t.Fatal(err)
		}
		if err := r.Reload(); err != nil {
			t.Fatal(err)
		}
		close(gate)
		synctest.Wait()
		if text := r.text(t); strings.Contains(text, "Fact: I moved to Berlin.") || !strings.Contains(text, "Fact: I like tea.") {
			t.Errorf("the vault holds %s", text)
		}
		_ = r.Intake.Close(t.Context())
		_ = r.vault.Close()
	})
}

// A sentence may be forgotten while its message is being extracted: the facts are taken out again, of the rest.
func TestSentenceForgottenWhileItIsExtracted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := make(chan struct{})
		r := newRig(t, func(_ *Options, s *stubExtractor) { s.gate = gate })
		in := turn("t1", "I moved to Berlin last May. I like green tea.")
		in.Indexed = false
		r.remember(t, in)
		synctest.Wait()
		if err := r.vault.Forget(t.Context(), []vault.Tombstone{{Text: "I moved to Berlin last May."}}); err != nil {
			t.Fatal(err)
		}
		if err := r.Reload(); err != nil {
			t.Fatal(err)
		}
		close(gate)
		synctest.Wait()
		if text := r.text(t); strings.Contains(text, "Fact: I moved to Berlin") || !strings.Contains(text, "Fact: I like green tea.") {
			t.Errorf("the vault holds %s", text)
		}
		_ = r.Intake.Close(t.Context())
		_ = r.vault.Close()
	})
}

// What an earlier run left may be extracted by a model: it must not be shown what was forgotten.
func TestForgottenIsNotExtracted(t *testing.T) {
	r := newRig(t, nil)
	if err := r.vault.Forget(t.Context(), []vault.Tombstone{{Text: "I moved to Berlin."}}); err != nil {
		t.Fatal(err)
	}
	if err := r.Reload(); err != nil {
		t.Fatal(err)
	}
	d := vault.Drawer{ID: DrawerID("c1", "t1", 0), At: at, ChatID: "c1", Origin: vault.OriginUser, Turn: "t1", Text: "I moved to Berlin."}
	if _, err := r.extract(t.Context(), job{turn: turnKey{"c1", "t1"}, drawers: []vault.Drawer{d}}, r.stub, r.written); err != nil {
		t.Fatal(err)
	}
	if len(r.stub.seen) > 0 {
		t.Errorf("the extractor saw %q", r.stub.seen)
	}
}

// The look at what an earlier run left must not take up what this one is at, named by the caller or not.
func TestRecoverLeavesWhatIsOnItsWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := make(chan struct{})
		r := newRig(t, func(_ *Options, s *stubExtractor) { s.gate = gate })
		for _, id := range []string{"t1", ""} {
			in := turn(id, "I moved to Berlin.")
			in.Indexed = false
			r.remember(t, in)
		}
		synctest.Wait()
		if err := r.recover(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := r.Counts().Deferred; n != 0 {
			t.Errorf("%d turns would be extracted twice", n)
		}
		close(gate)
		synctest.Wait()
		_ = r.Intake.Close(t.Context())
		_ = r.vault.Close()
	})
}

func TestSkippedTurnIsNeverADuplicate(t *testing.T) {
	r := newRig(t, nil)
	if err := r.vault.Forget(t.Context(), []vault.Tombstone{{Text: "I moved to Berlin."}}); err != nil {
		t.Fatal(err)
	}
	if err := r.Reload(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if res := r.remember(t, turn("t1", "I moved to Berlin.")); res.Status != Skipped || len(res.Drawers) > 0 {
			t.Errorf("result %+v", res)
		}
	}
}

// A turn that waits for a later try must not make each wake-up cost memory.
func TestWakingIsFree(t *testing.T) {
	r := newRig(t, nil)
	r.backlog.add(waiter{day: "2026-06-09", turn: turnKey{"c1", "t1"}}, time.Now().Add(time.Hour))
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	r.wake <- struct{}{}
	before := heap()
	for range 50_000 {
		r.wake <- struct{}{}
	}
	if after := heap(); after > before+4<<20 {
		t.Errorf("the heap grew by %d bytes", after-before)
	}
}

// A caller may send a turn again with what was said since: that is kept too, and the rest adds nothing.
func TestTurnThatGrew(t *testing.T) {
	r := newRig(t, nil)
	r.remember(t, turn("t1", "I moved to Berlin."))
	res := r.remember(t, turn("t1", "I moved to Berlin.", "I like tea."))
	if res.Status != Accepted || len(res.Drawers) != 1 || res.Drawers[0] != DrawerID("c1", "t1", 1) || len(res.Facts) != 1 {
		t.Errorf("result %+v", res)
	}
	for range 2 {
		if res := r.remember(t, turn("t1", "I moved to Berlin.", "I like tea.")); res.Status != Duplicate {
			t.Errorf("result %+v", res)
		}
	}
	if res := r.remember(t, turn("t1", "I moved to Berlin.")); res.Status != Duplicate {
		t.Errorf("result %+v", res)
	}
	text := r.text(t)
	for _, want := range []string{"I moved to Berlin.", "I like tea."} {
		if n := strings.Count(text, want); n != 2 { // the drawer and its fact
			t.Errorf("%q is in the vault %d times, want twice", want, n)
		}
	}
	if n := len(r.order); n != 1 {
		t.Errorf("%d turn ids are kept, want one", n)
	}
}

// A turn over midnight of which only the first day could be written: when it is sent again, that day's facts are there too.
func TestTurnOverTwoDaysStoredInPart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		in := turn("t1", "I moved to Berlin.", "I like tea.")
		next := at.AddDate(0, 0, 1)
		in.Messages[1].At = &next
		block := filepath.Join(r.dir, "memory", "drawers", "2026-06-10.md")
		if err := os.MkdirAll(block, 0o700); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Remember(t.Context(), in); err == nil {
			t.Fatal("a turn was taken that could not be written")
		}
		if err := os.Remove(block); err != nil {
			t.Fatal(err)
		}
		r.known[DrawerID("c1", "t1", 0)] = "memory/drawers/2026-06-09.md" // the watcher saw it
		r.remember(t, in)
		synctest.Wait()
		for _, want := range []string{"Fact: I moved to Berlin.", "Fact: I like tea."} {
			if n := strings.Count(r.text(t), want); n != 1 {
				t.Errorf("%q is in the vault %d times, want once", want, n)
			}
		}
		_ = r.Intake.Close(t.Context())
		_ = r.vault.Close()
	})
}

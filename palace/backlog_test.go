package palace

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/reverie-memory/reverie/palace/findings"
	"github.com/reverie-memory/reverie/vault"
)

func TestFullQueueDefersAndCatchesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := make(chan struct{})
		r := newRig(t, func(o *Options, s *stubExtractor) { o.Workers, o.Queue, s.gate = 1, 1, gate })
		const turns = 12
		for i := range turns {
			in := turn(fmt.Sprint("t", i), fmt.Sprintf("I bought lamp %d.", i))
			in.Indexed = false
			if res := r.remember(t, in); res.Status != Accepted {
				t.Fatalf("turn %d: %+v", i, res)
			}
		}
		synctest.Wait()
		if c := r.Counts(); c.Deferred+c.Queued < turns-1 || c.Queued > 2 {
			t.Errorf("counts %+v, want what does not fit to be deferred", c)
		}
		close(gate)
		synctest.Wait()
		for i := range turns {
			if !strings.Contains(r.text(t), fmt.Sprintf("Fact: I bought lamp %d.", i)) {
				t.Errorf("the fact of turn %d is missing", i)
			}
		}
		if c := r.Counts(); c.Deferred != 0 || c.Queued != 0 {
			t.Errorf("counts %+v after catching up", c)
		}
		_ = r.Intake.Close(context.Background())
		_ = r.vault.Close()
	})
}

func TestFailedExtractionIsTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(_ *Options, s *stubExtractor) { s.fails = 2 })
		in := turn("t1", "I moved to Berlin.")
		in.Indexed = false
		r.remember(t, in)
		synctest.Wait()
		if strings.Contains(r.text(t), "Fact:") {
			t.Fatal("the extractor did not fail")
		}
		time.Sleep(time.Hour) // of the bubble's clock
		synctest.Wait()
		if !strings.Contains(r.text(t), "Fact: I moved to Berlin.") {
			t.Error("the turn was not taken up again")
		}
		_ = r.Intake.Close(context.Background())
		_ = r.vault.Close()
	})
}

func TestHopelessExtractionIsCountedAndTheDrawerKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(_ *Options, s *stubExtractor) { s.fails = 1000 })
		in := turn("t1", "I moved to Berlin.")
		in.Indexed = false
		r.remember(t, in)
		time.Sleep(24 * time.Hour) // of the bubble's clock
		synctest.Wait()
		if c := r.Counts(); c.Failed != 1 || c.Deferred != 0 {
			t.Errorf("counts %+v, want one failed", c)
		}
		if !strings.Contains(r.text(t), "I moved to Berlin.") {
			t.Error("the drawer is gone")
		}
		_ = r.Intake.Close(context.Background())
		_ = r.vault.Close()
	})
}

// However long the disk fails, the facts come a few seconds after that is over, and no turn is given up for it.
func TestFactsFollowSoonAfterAFault(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		_ = r.Intake.Close(context.Background())
		_ = r.vault.Close()
		var full atomic.Bool
		v, err := vault.Open(r.dir, vault.WithClock(clock), vault.WithFaults(func(op string, p vault.Path) error {
			if full.Load() && op == "write" && strings.HasPrefix(string(p), vault.ArchiveDir) {
				return syscall.ENOSPC
			}
			return nil
		}))
		if err != nil {
			t.Fatal(err)
		}
		r.vault = v
		r.open(t)
		full.Store(true)
		const turns = 20
		for i := range turns {
			in := turn(fmt.Sprintf("t%d", i), fmt.Sprintf("I moved to street %d.", i))
			in.Indexed = false
			r.remember(t, in)
		}
		time.Sleep(10 * time.Minute) // of the bubble's clock
		if c := r.Counts(); c.Failed != 0 || c.Deferred != turns {
			t.Errorf("while the disk is full: %+v", c)
		}
		full.Store(false)
		time.Sleep(5 * time.Second)
		synctest.Wait()
		if n := strings.Count(r.text(t), "Fact: I moved to street"); n != turns || r.Counts() != (Counts{}) {
			t.Errorf("%d facts, %+v", n, r.Counts())
		}
		_ = r.Intake.Close(context.Background())
		_ = v.Close()
	})
}

// A turn whose facts take too long to find is given up once and for all; what was found by then and the drawer stay.
func TestSlowExtractionIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(o *Options, s *stubExtractor) { o.TurnTimeout, s.endless = time.Minute, true })
		res := r.remember(t, turn("t1", "I moved to Berlin."))
		if res.Status != Accepted || len(res.Facts) != 1 || len(res.Degraded) != 1 || !strings.Contains(res.Degraded[0], "t1 was given up") {
			t.Errorf("result %+v", res)
		}
		if c := r.Counts(); c.Failed != 1 || c.Deferred != 0 {
			t.Errorf("counts %+v, want one failed", c)
		}
		_ = r.Intake.Close(context.Background())
		r.open(t)
		synctest.Wait()
		if c := r.Counts(); c != (Counts{}) || len(r.stub.seen) != 1 {
			t.Errorf("after a restart: counts %+v, %d messages were extracted", c, len(r.stub.seen))
		}
		_ = r.Intake.Close(context.Background())
		_ = r.vault.Close()
	})
}

// A turn that is too long to be looked through keeps the facts of its beginning and its drawer, says so, and is not tried again.
func TestFactsOfAPart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(_ *Options, s *stubExtractor) { s.part = true })
		res := r.remember(t, turn("t1", "I moved to Berlin."))
		if res.Status != Accepted || len(res.Facts) != 1 || len(res.Degraded) != 1 ||
			!strings.Contains(res.Degraded[0], "a message is too long") {
			t.Errorf("result %+v", res)
		}
		if c := r.Counts(); c != (Counts{}) || !strings.Contains(r.text(t), `"given_up":"a message is too long"`) {
			t.Errorf("counts %+v of what is said to be given up", c)
		}
		_ = r.Intake.Close(context.Background())
		r.open(t)
		synctest.Wait()
		if c := r.Counts(); c != (Counts{}) || len(r.stub.seen) != 1 {
			t.Errorf("after a restart: counts %+v, %d messages were extracted", c, len(r.stub.seen))
		}
		_ = r.Intake.Close(context.Background())
		_ = r.vault.Close()
	})
}

// When the caller leaves, the work for it ends, and the turn is taken up by the backlog.
func TestCallerWhoLeavesEndsTheWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(o *Options, s *stubExtractor) { o.TurnTimeout, s.gate = time.Minute, make(chan struct{}) })
		ctx, leave := context.WithCancel(t.Context())
		go func() { synctest.Wait(); leave() }()
		if res, err := r.Remember(ctx, turn("t1", "I moved to Berlin.")); err != nil || res.Status != Accepted || len(res.Degraded) == 0 {
			t.Errorf("result %+v, %v", res, err)
		}
		close(r.stub.gate)
		synctest.Wait()
		if c := r.Counts(); c != (Counts{}) || !strings.Contains(r.text(t), "Fact: I moved to Berlin.") {
			t.Errorf("counts %+v: the turn was not taken up", c)
		}
		_ = r.Intake.Close(context.Background())
		_ = r.vault.Close()
	})
}

// A crash between drawer and facts, and one between facts and their record: the next run extracts, and
// extracting twice adds nothing.
func TestNextRunTakesUpWhatIsMissing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		r.remember(t, turn("t1", "I moved to Berlin."))
		_ = r.Intake.Close(context.Background())
		if err := os.Remove(filepath.Join(r.dir, vault.StateDir, ExtractedFile)); err != nil {
			t.Fatal(err)
		}
		d := vault.Drawer{ID: DrawerID("c1", "t2", 0), At: at, ChatID: "c1", Origin: vault.OriginUser, Turn: "t2", Text: "I like tea."}
		if _, err := r.vault.AppendDrawers(t.Context(), []vault.Drawer{d}); err != nil {
			t.Fatal(err)
		}
		r.open(t)
		synctest.Wait()
		text := r.text(t)
		for _, want := range []string{"Fact: I moved to Berlin.", "Fact: I like tea."} {
			if n := strings.Count(text, want); n != 1 {
				t.Errorf("%q is in the vault %d times, want once", want, n)
			}
		}
		_ = r.Intake.Close(context.Background())
		_ = r.vault.Close()
	})
}

// Who ends does not wait for a slow extractor longer than half of the time there is, and the next run goes on.
func TestCloseLeavesTheRestToTheNextRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(_ *Options, s *stubExtractor) { s.gate = make(chan struct{}) })
		for i := range 5 {
			in := turn(fmt.Sprint("t", i), fmt.Sprintf("I bought lamp %d.", i))
			in.Indexed = false
			r.remember(t, in)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
		defer cancel()
		start := time.Now()
		if err := r.Intake.Close(ctx); err != nil || time.Since(start) != 2*time.Second {
			t.Errorf("%v after %s, want nil after 2s", err, time.Since(start))
		}
		if text := r.text(t); strings.Contains(text, "Fact:") {
			t.Error("the extractor was not slow")
		}
		close(r.stub.gate)
		r.open(t)
		synctest.Wait()
		for i := range 5 {
			if n := strings.Count(r.text(t), fmt.Sprintf("Fact: I bought lamp %d.", i)); n != 1 {
				t.Errorf("the fact of turn %d is there %d times, want once", i, n)
			}
		}
		_ = r.Intake.Close(context.Background())
		_ = r.vault.Close()
	})
}

// A turn id means nothing in another conversation: what waits of two is extracted apart, however alike the ids are.
func TestTurnsOfTwoConversationsAreExtractedApart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		_ = r.Intake.Close(context.Background())
		var ds []vault.Drawer
		for chat, text := range map[string]string{"c1": "I like tea.", "c2": "I like coffee."} {
			ds = append(ds, vault.Drawer{
				ID: DrawerID(chat, "t1", 0), At: at, ChatID: chat, Origin: vault.OriginUser, Turn: "t1",
				Text: text,
			})
		}
		if _, err := r.vault.AppendDrawers(t.Context(), ds); err != nil {
			t.Fatal(err)
		}
		r.open(t)
		synctest.Wait()
		for _, texts := range r.stub.turns {
			if len(texts) != 1 {
				t.Errorf("extracted together: %q", texts)
			}
		}
		if len(r.stub.turns) != 2 {
			t.Errorf("%d turns were extracted, want 2", len(r.stub.turns))
		}
		_ = r.Intake.Close(context.Background())
		_ = r.vault.Close()
	})
}

// Settle waits for the turns that were stored before it, and for no others.
func TestSettleWaitsForFacts(t *testing.T) {
	r := newRig(t, func(o *Options, _ *stubExtractor) { o.Queue = 20 }) // for turns beyond the queue Settle does not wait
	for i := range 20 {
		in := turn(fmt.Sprint("t", i), fmt.Sprintf("I moved to street number %d in Berlin.", i))
		in.Indexed = false
		r.remember(t, in)
	}
	if err := r.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	data, err := r.vault.ReadFile("memory/archive/2026-06-09.md")
	if n := strings.Count(string(data), "- ["); err != nil || n != 20 {
		t.Errorf("%d of 20 turns have given their facts: %v", n, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := r.Settle(ctx); err != nil {
		t.Errorf("nothing is under way, and yet: %v", err)
	}
}

// What was found out about a fact beside its words is there whenever the fact is, also where the disk fails between the two.
func TestAFactHasItsFindings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(_ *Options, s *stubExtractor) { s.names = []string{"Berlin"} })
		_ = r.Intake.Close(context.Background())
		_ = r.vault.Close()
		var failing atomic.Value // the folder or file that cannot be written
		failing.Store("")
		v, err := vault.Open(r.dir, vault.WithClock(clock), vault.WithFaults(func(op string, p vault.Path) error {
			if fails := failing.Load().(string); op == "write" && fails != "" && strings.HasPrefix(string(p), fails) {
				return syscall.ENOSPC
			}
			return nil
		}))
		if err != nil {
			t.Fatal(err)
		}
		r.vault = v
		r.open(t)
		for _, fails := range []string{string(findings.File), vault.ArchiveDir, ""} {
			failing.Store(fails)
			r.remember(t, turn("t"+fails, "I moved to Berlin for "+fails+"good"))
			known := 0
			check := func(_ vault.Path, f *vault.Fact) {
				known++
				of, err := (findings.Store{Vault: v}).Shown(f.ID, f.Text)
				if err != nil || of.By != "stub/1" || len(of.Entities) != 1 {
					t.Errorf("fact %q: %+v: %v", f.Text, of, err)
				}
			}
			if err := v.EachFact(t.Context(), nil, check); err != nil || (known == 0) != (fails != "") {
				t.Errorf("while %q fails there are %d facts: %v", fails, known, err)
			}
		}
		_ = r.Intake.Close(context.Background())
		_ = v.Close()
	})
}

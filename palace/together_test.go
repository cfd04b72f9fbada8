package palace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/extract"
	"github.com/reverie-memory/reverie/vault"
)

// stubReader reads turns as a model would: it makes a fact of each message, but leaves those that say "hard" to the rules.
type stubReader struct {
	mu    sync.Mutex
	gate  chan struct{}
	calls [][][]string // the texts of each turn of each call
	most  int          // calls at the same time
	now   int
}

func (s *stubReader) read(ctx context.Context, turns [][]extract.Message) []extract.Reading {
	s.mu.Lock()
	s.now++
	s.most = max(s.most, s.now)
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.now--
		s.mu.Unlock()
	}()
	if s.gate != nil {
		select {
		case <-s.gate:
		case <-ctx.Done():
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var call [][]string
	readings := make([]extract.Reading, len(turns))
	for i, turn := range turns {
		call = append(call, nil)
		for _, m := range turn {
			if m.Before {
				continue
			}
			call[i] = append(call[i], m.Text)
			if strings.Contains(m.Text, "hard") || ctx.Err() != nil {
				readings[i] = extract.Reading{Rest: turn, Why: &extract.DegradedError{Reason: "the model is silent"}}
				break
			}
			readings[i].Facts = append(readings[i].Facts, extract.Fact{Drawer: m.Drawer, Category: "fact", Text: "Model: " + m.Text})
		}
	}
	s.calls = append(s.calls, call)
	return readings
}

func (s *stubReader) asked() [][][]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.calls)
}

// running is how many calls run, and did at most.
func (s *stubReader) running() (now, most int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now, s.most
}

// rules is the stub under another name.
type rules struct{ *stubExtractor }

func (rules) Name() string { return "rules" }

func together(o *Options, s *stubExtractor, m *stubReader) {
	o.Batch = &Batch{Read: m.read, Rules: rules{s}, Turns: 20, Rest: 5 * time.Minute, Parallel: 1}
}

// inBubble runs a test of an intake that has turns read together, on a clock of its own.
func inBubble(t *testing.T, change func(*Options, *stubReader), test func(t *testing.T, r *rig, m *stubReader)) {
	synctest.Test(t, func(t *testing.T) {
		m := &stubReader{}
		r := newRig(t, func(o *Options, s *stubExtractor) {
			together(o, s, m)
			if change != nil {
				change(o, m)
			}
		})
		test(t, r, m)
		synctest.Wait()
		_ = r.Intake.Close(context.Background())
		_ = r.vault.Close()
	})
}

func (r *rig) say(t *testing.T, chat, id string, texts ...string) {
	t.Helper()
	in := turn(id, texts...)
	in.ChatID, in.Indexed = chat, false
	if res := r.remember(t, in); res.Status != Accepted || len(res.Facts) > 0 {
		t.Fatalf("result %+v", res)
	}
}

// records are the turns of the extraction records, and by whom.
func (r *rig) records(t *testing.T) (out []string) {
	t.Helper()
	_, err := r.vault.ReadState(ExtractedFile, func(_ int, raw []byte) error {
		var e extraction
		out = append(out, "")
		if err := json.Unmarshal(raw, &e); err != nil {
			return err
		}
		out[len(out)-1] = fmt.Sprintf("%s by %s: %d", e.Turn, e.Extractor, e.Facts)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// facts are those of a day's log, each with where it came from.
func (r *rig) facts(t *testing.T, day string) (out []string) {
	t.Helper()
	p := vault.Path(vault.ArchiveDir + "/" + day + ".md")
	data, err := r.vault.ReadFile(p)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range vault.ParseLog(p, data).Facts {
		out = append(out, fmt.Sprintf("%s %s %s %s", f.Section.ChatID, f.Section.Turn, f.Section.Speaker, f.Text))
	}
	return out
}

func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s:\n%s", what, d)
	}
}

func TestTurnsAreReadTogetherWhenTheirConversationRests(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, r *rig, m *stubReader) {
		r.say(t, "c1", "t1", "I moved to Berlin.", "I like tea.")
		time.Sleep(4 * time.Minute)
		synctest.Wait()
		r.say(t, "c1", "t2", "I have a cat.")
		r.say(t, "c2", "u1", "I have a dog.")
		time.Sleep(5*time.Minute - time.Second)
		synctest.Wait()
		if c := r.Counts(); len(m.asked()) > 0 || c != (Counts{Resting: 3}) {
			t.Errorf("%d calls before the conversations rest, counts %+v", len(m.asked()), c)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		for _, call := range m.asked() {
			if want := map[string][][]string{
				"I moved to Berlin.": {{"I moved to Berlin.", "I like tea."}, {"I have a cat."}}, "I have a dog.": {{"I have a dog."}},
			}[call[0][0]]; cmp.Diff(want, call) != "" {
				t.Errorf("read together: %q", call)
			}
		}
		if len(m.asked()) != 2 || r.Counts() != (Counts{}) || r.Degraded() != "" {
			t.Errorf("%d calls, counts %+v, degraded %q", len(m.asked()), r.Counts(), r.Degraded())
		}
		if len(r.stub.seen) > 0 {
			t.Errorf("the rules saw %q", r.stub.seen)
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if n := len(r.facts(t, "2026-06-09")); n != 4 || len(m.asked()) != 2 || len(r.records(t)) != 3 {
			t.Errorf("%d facts, %d calls, records %q", n, len(m.asked()), r.records(t))
		}
	})
}

func TestFullAndEndedConversationsDoNotWait(t *testing.T) {
	inBubble(t, func(o *Options, _ *stubReader) { o.Batch.Turns = 2 }, func(t *testing.T, r *rig, m *stubReader) {
		for i := range 5 {
			r.say(t, "c1", fmt.Sprint("t", i), fmt.Sprintf("I bought lamp %d.", i))
			synctest.Wait()
		}
		equal(t, "calls", m.asked(), [][][]string{{{"I bought lamp 0."}, {"I bought lamp 1."}}, {{"I bought lamp 2."}, {"I bought lamp 3."}}})
		r.EndChat("no such chat")
		synctest.Wait()
		equal(t, "counts", r.Counts(), Counts{Resting: 1})
		r.EndChat("c1")
		synctest.Wait()
		equal(t, "calls", m.asked()[2:], [][][]string{{{"I bought lamp 4."}}})
		r.EndChat("c1")
		synctest.Wait()
		if len(m.asked()) != 3 {
			t.Errorf("%d calls", len(m.asked()))
		}
	})
}

// What the model leaves goes to the rules, and each fact stays under its own turn, day and speaker.
func TestHalfOfACallSucceeds(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, r *rig, _ *stubReader) {
		r.say(t, "c1", "t1", "I moved to Berlin.")
		r.say(t, "c1", "t2", "Something hard.", "I like tea.")
		night := turn("t3", "I have a cat.", "I have a dog.")
		night.Indexed, night.Messages[0].Speaker = false, "Bob"
		next := at.AddDate(0, 0, 1)
		night.Messages[1].At = &next
		r.remember(t, night)
		r.EndChat("c1")
		synctest.Wait()
		equal(t, "facts", r.facts(t, "2026-06-09"), []string{
			"c1 t1 Alice Model: I moved to Berlin.", "c1 t2 Alice Fact: Something hard.", "c1 t2 Alice Fact: I like tea.",
			"c1 t3 Bob Model: I have a cat.",
		})
		equal(t, "facts of the next day", r.facts(t, "2026-06-10"), []string{"c1 t3 Alice Model: I have a dog."})
		got := map[string]bool{}
		for _, rec := range r.records(t) {
			got[rec] = true
		}
		equal(t, "records", got, map[string]bool{"t1 by stub/1: 1": true, "t2 by rules: 2": true, "t3 by stub/1: 1": true})
		_, said, _ := strings.Cut(r.Degraded(), ": ")
		if len(r.records(t)) != 4 || r.Degraded() != "" && said != "the model is silent" {
			t.Errorf("degraded %q", r.Degraded())
		}
	})
}

func TestDegradedUntilTheModelAnswersAgain(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, r *rig, _ *stubReader) {
		for _, step := range []struct{ text, want string }{
			{"Something hard.", "extraction: the model is silent"}, {"I like tea.", ""},
		} {
			r.say(t, "c1", step.text, step.text)
			r.EndChat("c1")
			synctest.Wait()
			if got := r.Degraded(); got != step.want {
				t.Errorf("%q: degraded %q", step.text, got)
			}
		}
	})
}

// A caller who waits gets the rules' facts; the model does not read that turn again.
func TestCallerWhoWaitsIsNotKeptUntilTheConversationRests(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, r *rig, m *stubReader) {
		res := r.remember(t, turn("t1", "I moved to Berlin."))
		if len(res.Facts) != 1 || res.Facts[0].Text != "Fact: I moved to Berlin." || len(res.Degraded) != 1 ||
			!strings.Contains(res.Degraded[0], "by rules") {
			t.Errorf("result %+v", res)
		}
		_ = r.Intake.Close(context.Background())
		r.open(t)
		time.Sleep(time.Hour)
		synctest.Wait()
		if len(m.asked()) > 0 {
			t.Errorf("the model read %q", m.asked())
		}
		equal(t, "records", r.records(t), []string{"t1 by rules: 1"})
	})
}

func TestRestIsTakenUpByTheNextRun(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, r *rig, m *stubReader) {
		r.say(t, "c1", "t1", "I moved to Berlin.")
		r.EndChat("c1")
		synctest.Wait()
		r.say(t, "c1", "t2", "I like tea.")
		_ = r.Intake.Close(context.Background())
		r.open(t)
		time.Sleep(time.Minute)
		synctest.Wait()
		r.say(t, "c1", "t3", "I have a cat.") // the conversation goes on: it rests from here
		time.Sleep(5*time.Minute - time.Second)
		synctest.Wait()
		if len(m.asked()) != 1 {
			t.Errorf("%d calls before it rests", len(m.asked()))
		}
		time.Sleep(time.Second)
		synctest.Wait()
		equal(t, "calls", m.asked(), [][][]string{{{"I moved to Berlin."}}, {{"I like tea."}, {"I have a cat."}}})
	})
}

// A daemon that ends while the model reads: nothing was written, and the next one reads it again, once.
func TestEndWhileTheModelReads(t *testing.T) {
	inBubble(t, func(_ *Options, m *stubReader) { m.gate = make(chan struct{}) }, func(t *testing.T, r *rig, m *stubReader) {
		r.say(t, "c1", "t1", "I moved to Berlin.")
		r.say(t, "c1", "t2", "I like tea.")
		r.EndChat("c1")
		synctest.Wait()
		_ = r.Intake.Close(context.Background())
		if f := r.facts(t, "2026-06-09"); len(f) > 0 || len(r.records(t)) > 0 {
			t.Errorf("facts %q", f)
		}
		close(m.gate)
		r.open(t)
		time.Sleep(time.Hour)
		synctest.Wait()
		equal(t, "facts", r.facts(t, "2026-06-09"), []string{"c1 t1 Alice Model: I moved to Berlin.", "c1 t2 Alice Model: I like tea."})
		if len(m.asked()) != 2 {
			t.Errorf("%d calls", len(m.asked()))
		}
	})
}

// A crash between a turn's facts and its record: the model does not read the turn again, which it might tell in other words.
func TestCrashBeforeTheRecord(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, r *rig, m *stubReader) {
		r.say(t, "c1", "t1", "I moved to Berlin.", "I like tea.")
		r.EndChat("c1")
		synctest.Wait()
		_ = r.Intake.Close(context.Background())
		if err := os.Remove(filepath.Join(r.dir, vault.StateDir, ExtractedFile)); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			r.open(t)
			time.Sleep(time.Hour)
			synctest.Wait()
			_ = r.Intake.Close(context.Background())
		}
		if len(m.asked()) != 1 || len(r.facts(t, "2026-06-09")) != 2 {
			t.Errorf("calls %q, facts %q", m.asked(), r.facts(t, "2026-06-09"))
		}
		equal(t, "records", r.records(t), []string{"t1 by an earlier run: 0"})
	})
}

// While the disk fails, what the model said is kept and not asked for again; where the daemon ends, only what is not written is.
func TestModelIsAskedOnceWhileTheDiskFails(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, r *rig, m *stubReader) {
		_ = r.Intake.Close(context.Background())
		_ = r.vault.Close()
		var full atomic.Bool
		written := 0
		v, err := vault.Open(r.dir, vault.WithClock(clock), vault.WithFaults(func(op string, p vault.Path) error {
			if op != "write" || !strings.HasPrefix(string(p), vault.ArchiveDir) {
				return nil
			}
			if written++; full.Load() && written > 1 {
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
		for i := range 3 {
			r.say(t, "c1", fmt.Sprint("t", i), fmt.Sprintf("I bought lamp %d.", i))
		}
		r.EndChat("c1")
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		if len(m.asked()) != 1 || len(r.records(t)) != 1 || r.Counts().Failed > 0 {
			t.Errorf("while the disk is full: %d calls, records %q, %+v", len(m.asked()), r.records(t), r.Counts())
		}
		full.Store(false)
		time.Sleep(faultPause)
		synctest.Wait()
		want := []string{"c1 t0 Alice Model: I bought lamp 0.", "c1 t1 Alice Model: I bought lamp 1.", "c1 t2 Alice Model: I bought lamp 2."}
		equal(t, "facts", r.facts(t, "2026-06-09"), want)
		if len(m.asked()) != 1 || r.Counts() != (Counts{}) {
			t.Errorf("%d calls, %+v", len(m.asked()), r.Counts())
		}

		full.Store(true)
		written = 0
		r.say(t, "c2", "u0", "I like tea.")
		r.say(t, "c2", "u1", "I like cake.")
		r.EndChat("c2")
		time.Sleep(time.Minute)
		synctest.Wait()
		_ = r.Intake.Close(context.Background())
		full.Store(false)
		r.open(t)
		time.Sleep(time.Hour)
		synctest.Wait()
		equal(t, "facts after the restart", r.facts(t, "2026-06-09"), append(want, "c2 u0 Alice Model: I like tea.",
			"c2 u1 Alice Model: I like cake."))
		equal(t, "calls", m.asked()[1:], [][][]string{{{"I like tea."}, {"I like cake."}}, {{"I like cake."}}})
	})
}

// A turn that is sent again with what was said since: only that is read.
func TestTurnThatGrewIsNotReadTwice(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, r *rig, m *stubReader) {
		r.say(t, "c1", "t1", "I moved to Berlin.")
		r.EndChat("c1")
		synctest.Wait()
		r.say(t, "c1", "t1", "I moved to Berlin.", "I like tea.")
		r.say(t, "c1", "t1", "I moved to Berlin.", "I like tea.", "I have a cat.")
		r.EndChat("c1")
		synctest.Wait()
		equal(t, "calls", m.asked(), [][][]string{{{"I moved to Berlin."}}, {{"I like tea.", "I have a cat."}}})
	})
}

func TestForgottenWhileTheModelReads(t *testing.T) {
	inBubble(t, func(_ *Options, m *stubReader) { m.gate = make(chan struct{}) }, func(t *testing.T, r *rig, m *stubReader) {
		r.say(t, "c1", "t1", "I moved to Berlin. I like tea.")
		r.say(t, "c1", "t2", "I have a cat.")
		r.EndChat("c1")
		synctest.Wait()
		if err := r.vault.Forget(t.Context(), []vault.Tombstone{{Text: "I moved to Berlin."}}); err != nil {
			t.Fatal(err)
		}
		if err := r.Reload(); err != nil {
			t.Fatal(err)
		}
		close(m.gate)
		synctest.Wait()
		for _, f := range r.facts(t, "2026-06-09") {
			if strings.Contains(f, "Berlin") {
				t.Errorf("forgotten, and a fact: %q", f)
			}
		}
		if n := len(r.facts(t, "2026-06-09")); n != 2 || len(m.asked()) != 1 {
			t.Errorf("%d facts, %d calls", n, len(m.asked()))
		}
	})
}

func TestCallsAtTheSameTimeAreBounded(t *testing.T) {
	inBubble(t, func(o *Options, m *stubReader) { o.Batch.Parallel, m.gate = 2, make(chan struct{}) }, func(t *testing.T, r *rig,
		m *stubReader,
	) {
		_ = r.Intake.Close(context.Background()) // so that one look finds all of them
		r.Intake = NewIntake(r.options)
		var ds []vault.Drawer
		for i := range 6 {
			chat := fmt.Sprint("c", i)
			ds = append(ds, vault.Drawer{
				ID: DrawerID(chat, "t", 0), At: at, ChatID: chat, Origin: vault.OriginUser, Turn: "t",
				Text: "I like tea.",
			})
		}
		if _, err := r.vault.AppendDrawers(t.Context(), ds); err != nil {
			t.Fatal(err)
		}
		r.open(t)
		time.Sleep(time.Hour)
		synctest.Wait()
		if now, _ := m.running(); now != 2 {
			t.Errorf("%d calls run", now)
		}
		close(m.gate)
		synctest.Wait()
		if _, most := m.running(); most != 2 || len(m.asked()) != 6 {
			t.Errorf("%d at most, %d calls", most, len(m.asked()))
		}
	})
}

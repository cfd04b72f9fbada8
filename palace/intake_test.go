package palace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/reverie-memory/reverie/extract"
	"github.com/reverie-memory/reverie/palace/findings"
	"github.com/reverie-memory/reverie/vault"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// stubExtractor makes one fact of each message, unless it is told to fail or to wait.
type stubExtractor struct {
	mu    sync.Mutex
	fails int
	gate  chan struct{}
	seen  []string

	turns [][]string // the texts of each turn it was asked about
	names []string   // entities of every fact

	endless bool // gives a fact of the first message, and never comes to the next
}

func (s *stubExtractor) Name() string { return "stub/1" }

func (s *stubExtractor) Extract(ctx context.Context, turn []extract.Message) ([]extract.Fact, error) {
	if s.gate != nil {
		select {
		case <-s.gate:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fails > 0 {
		s.fails--
		return nil, errors.New("the model is down")
	}
	var out []extract.Fact
	s.turns = append(s.turns, nil)
	for _, m := range turn {
		s.seen = append(s.seen, m.Text)
		s.turns[len(s.turns)-1] = append(s.turns[len(s.turns)-1], m.Text)
		if !m.Noise {
			out = append(out, extract.Fact{Drawer: m.Drawer, Category: "fact", Text: "Fact: " + m.Text, Entities: s.names})
		}
		if s.endless {
			<-ctx.Done()
			return out, ctx.Err()
		}
	}
	return out, nil
}

// rig is an intake over a real vault.
type rig struct {
	*Intake
	vault   *vault.Vault
	dir     string
	stub    *stubExtractor
	known   map[string]vault.Path
	synced  []vault.Path
	options Options
}

func newRig(t testing.TB, change func(*Options, *stubExtractor)) *rig {
	t.Helper()
	dir := t.TempDir()
	if _, err := vault.Init(dir, os.DirFS(t.TempDir())); err != nil {
		t.Fatal(err)
	}
	r := &rig{dir: dir, stub: &stubExtractor{}, known: map[string]vault.Path{}}
	r.openVault(t)
	r.options = Options{
		Extractor: r.stub, Rules: extract.Rules{}, Workers: 2, Queue: 8, Guarded: []string{"dream", "subagent"},
		Sync:   func(_ context.Context, paths ...vault.Path) error { r.synced = append(r.synced, paths...); return nil },
		Notify: func(...vault.Path) {},
		KnownDrawers: func(context.Context, []string) (map[string]vault.Path, error) {
			return r.known, nil
		},
	}
	if change != nil {
		change(&r.options, r.stub)
	}
	r.open(t)
	return r
}

func (r *rig) openVault(t testing.TB) {
	t.Helper()
	v, err := vault.Open(r.dir, vault.WithClock(clock))
	if err != nil {
		t.Fatal(err)
	}
	r.vault = v
	t.Cleanup(func() { _ = v.Close() })
}

func (r *rig) open(t testing.TB) {
	t.Helper()
	r.options.Vault = r.vault
	r.Intake = NewIntake(r.options)
	if err := r.Intake.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	in := r.Intake
	t.Cleanup(func() { _ = in.Close(context.Background()) })
}

// text is everything that the vault holds, for asking what reached the disk.
func (r *rig) text(t testing.TB) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(r.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		b.Write(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

var at = time.Date(2026, 6, 9, 14, 32, 0, 0, time.UTC)

// clock is never behind what the tests say, not even where their time begins in the year 2000.
func clock() time.Time {
	if now := time.Now(); now.After(at) {
		return now
	}
	return at
}

func turn(id string, texts ...string) Turn {
	t := Turn{ChatID: "c1", TurnID: id, Indexed: true}
	for i, text := range texts {
		when := at.Add(time.Duration(i) * time.Second)
		t.Messages = append(t.Messages, Message{Role: "user", Speaker: "Alice", Content: text, At: &when, Ref: fmt.Sprintf("R%d", i)})
	}
	return t
}

func (r *rig) remember(t *testing.T, turn Turn) Receipt {
	t.Helper()
	res, err := r.Remember(t.Context(), turn)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func TestTurnBecomesDrawersAndFacts(t *testing.T) {
	r := newRig(t, nil)
	res := r.remember(t, turn("t1", "I moved to Berlin.", "I like tea."))
	if res.Status != Accepted || len(res.Drawers) != 2 || len(res.Facts) != 2 {
		t.Fatalf("result %+v", res)
	}
	data, err := r.vault.ReadFile("memory/archive/2026-06-09.md")
	if err != nil {
		t.Fatal(err)
	}
	log := vault.ParseLog("memory/archive/2026-06-09.md", data)
	if len(log.Facts) != 2 || log.Facts[0].Section.Drawer != res.Drawers[0] || log.Facts[0].Section.Ref != "R0" ||
		log.Facts[0].Section.Speaker != "Alice" {
		t.Errorf("facts %+v", log.Facts)
	}
	if len(r.synced) != 2 {
		t.Errorf("synced %v, want the drawer file and the log", r.synced)
	}
}

// A secret that was said gives no fact: that there was one is nothing to know. What is said beside it is kept.
func TestARedactedValueIsNoFact(t *testing.T) {
	r := newRig(t, func(o *Options, _ *stubExtractor) { o.Extractor = extract.Rules{} })
	res := r.remember(t, turn("t1", "My api key is [redacted: api key].", "My wifi password at home is [redacted:password#s7q2c81xk0].",
		"I moved to Berlin in May and my new door code is [redacted: password]."))
	if len(res.Drawers) != 3 || strings.Contains(fmt.Sprint(res.Facts), "api key") || strings.Contains(fmt.Sprint(res.Facts), "wifi") {
		t.Errorf("%+v", res)
	}
	if !strings.Contains(fmt.Sprint(res.Facts), "Berlin") {
		t.Errorf("what was said beside a secret is lost: %+v", res.Facts)
	}
}

func TestGuardedPlatformLeavesNoTrace(t *testing.T) {
	r := newRig(t, nil)
	before := r.text(t)
	in := turn("t1", "a dream of sheep")
	for _, p := range []string{"subagent", " SubAgent ", "sub agent", "SUBAGENT"} {
		in.Platform = p
		if res := r.remember(t, in); res.Status != Skipped || res.Reason == "" {
			t.Errorf("%q: result %+v", p, res)
		}
	}
	if after := r.text(t); after != before {
		t.Errorf("the vault changed: %q", after)
	}
}

func TestSameTurnIsStoredOnce(t *testing.T) {
	r := newRig(t, nil)
	var wg sync.WaitGroup
	status := make(chan string, 20)
	for range 20 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			res, err := r.Remember(context.Background(), turn("t1", "I moved to Berlin."))
			if err != nil {
				status <- err.Error()
				return
			}
			status <- res.Status
		}()
	}
	wg.Wait()
	close(status)
	count := map[string]int{}
	for s := range status {
		count[s]++
	}
	if count[Accepted] != 1 || count[Duplicate] != 19 {
		t.Errorf("statuses %v, want one accepted and 19 duplicate", count)
	}
	if n := strings.Count(r.text(t), "I moved to Berlin."); n != 2 { // the drawer and its fact
		t.Errorf("the text is in the vault %d times, want twice", n)
	}
}

func TestATurnIDBelongsToItsConversation(t *testing.T) {
	r := newRig(t, nil)
	r.remember(t, turn("t1", "I moved to Berlin."))
	other := turn("t1", "I like tea.")
	other.ChatID = "c2"
	if res := r.remember(t, other); res.Status != Accepted {
		t.Errorf("the same id in another conversation: %+v", res)
	}
	if text := r.text(t); !strings.Contains(text, "I like tea.") {
		t.Error("a turn was lost")
	}
}

func TestTurnOfAnEarlierRunIsKnown(t *testing.T) {
	r := newRig(t, nil)
	r.remember(t, turn("t1", "I moved to Berlin."))
	r.remember(t, turn("t2", "I like tea.")) // a crash left only the first message of it
	if err := r.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"t1", "t2"} {
		r.known[DrawerID("c1", id, 0)] = "memory/drawers/2026-06-09.md"
	}
	r.open(t)
	before := r.text(t)
	if res := r.remember(t, turn("t1", "I moved to Berlin.")); res.Status != Duplicate {
		t.Errorf("status %q, want duplicate", res.Status)
	}
	if r.text(t) != before {
		t.Error("a known turn was stored again")
	}
	if res := r.remember(t, turn("t2", "I like tea.", "I like coffee.")); res.Status != Accepted {
		t.Errorf("status %q, want accepted", res.Status)
	}
	if text := r.text(t); strings.Count(text, "\nI like tea") != 1 || !strings.Contains(text, "coffee") {
		t.Errorf("the missing message, and only it, belongs into the vault: %q", text)
	}
}

func TestOwnMemoryIsNotFedBack(t *testing.T) {
	r := newRig(t, nil)
	injected := extract.FenceOpen + "\nAlice lives in Paris\n" + extract.FenceClose
	r.remember(t, turn("t1", injected+"\nI moved to Berlin."))
	if text := r.text(t); strings.Contains(text, "Paris") || !strings.Contains(text, "Berlin") {
		t.Errorf("vault: %q", text)
	}
	if res := r.remember(t, turn("t2", injected)); res.Status != Skipped {
		t.Errorf("a turn of nothing but injected memory: %+v", res)
	}
}

func TestFactsOfAProject(t *testing.T) {
	r := newRig(t, nil)
	where := Facts{Agent: "codex", Wing: "github.com/acme/api", Room: "auth --> x", Facts: []NewFact{{Content: "Tokens last an hour"}}}
	elsewhere := Facts{Wing: "garden", Facts: []NewFact{{Content: "Roses need water"}}}
	for _, req := range []Facts{where, elsewhere, {Facts: []NewFact{{Content: "Alice likes tea"}}}} {
		if _, err := r.WriteFacts(t.Context(), req); err != nil {
			t.Fatal(err)
		}
	}
	p := vault.LogPath(vault.DayOf(time.Now()))
	data, err := r.vault.ReadFile(p)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]vault.Section{}
	for _, f := range vault.ParseLog(p, data).Facts {
		got[f.Text] = vault.Section{Origin: f.Section.Origin, Agent: f.Section.Agent, Wing: f.Section.Wing, Room: f.Section.Room}
	}
	if diff := cmp.Diff(map[string]vault.Section{
		"Tokens last an hour": {Origin: vault.OriginAgent, Agent: "codex", Wing: "github.com/acme/api", Room: "auth --> x"},
		"Roses need water":    {Origin: vault.OriginAgent, Wing: "garden"},
		"Alice likes tea":     {Origin: vault.OriginAgent},
	}, got); diff != "" {
		t.Errorf("sections (-want +got):\n%s\n%s", diff, data)
	}
}

func TestForgottenStaysOut(t *testing.T) {
	r := newRig(t, nil)
	if err := r.vault.Forget(t.Context(), []vault.Tombstone{{Text: "I moved to Berlin.", Reason: "asked"}}); err != nil {
		t.Fatal(err)
	}
	if err := r.Reload(); err != nil {
		t.Fatal(err)
	}
	if res := r.remember(t, turn("t1", "I moved to Berlin.")); res.Status != Skipped {
		t.Errorf("result %+v", res)
	}
	var invalid *InvalidError
	if _, err := r.WriteFacts(t.Context(), Facts{Facts: []NewFact{{Content: "I moved to Berlin."}}}); !errors.As(err, &invalid) {
		t.Errorf("a forgotten fact was taken: %v", err)
	}
	if strings.Contains(r.text(t), "Berlin") {
		t.Error("a forgotten text is in the vault again")
	}
}

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

// An opening mark without an end may be talk about the mark or recalled memory that was cut off: nothing of the message is lost, and the
// answer says what it means.
func TestFenceWithoutAnEndIsKeptAndSaid(t *testing.T) {
	r := newRig(t, nil)
	said := "I live in Oslo.\n<reverie-memory>\nI live in Rome."
	res := r.remember(t, turn("t1", said))
	if len(res.Degraded) != 1 || !strings.Contains(res.Degraded[0], "messages[0].content") || !strings.Contains(r.text(t), said) {
		t.Errorf("result %+v", res)
	}
	whole := "I live in Bonn.\n" + extract.Fence("I live in Rome & <b>Paris</b>.") + "\nI like tea."
	if res = r.remember(t, turn("t2", whole)); len(res.Degraded) != 0 || !strings.Contains(r.text(t), "I live in Bonn.\nI like tea.") {
		t.Errorf("result %+v, %s", res, r.text(t))
	}
}

// A crash between drawer and facts, and one between facts and their record: the next run extracts, and
// extracting twice adds nothing.
func TestNextRunTakesUpWhatIsMissing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		r.remember(t, turn("t1", "I moved to Berlin."))
		_ = r.Intake.Close(context.Background())
		if err := os.Remove(filepath.Join(r.dir, vault.StateDir, extractedFile)); err != nil {
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

func TestBadTurnsNameTheField(t *testing.T) {
	early := time.Date(1200, 1, 1, 0, 0, 0, 0, time.UTC)
	late, skewed := clock().Add(25*time.Hour), clock().Add(23*time.Hour)
	tests := []struct {
		name  string
		turn  Turn
		field string
	}{
		{"no chat", Turn{ChatID: " ", Messages: []Message{{Role: "user", Content: "x"}}}, "chat_id"},
		{"no messages", Turn{ChatID: "c"}, "messages"},
		{"role", Turn{ChatID: "c", Messages: []Message{{Role: "user", Content: "x"}, {Role: "king", Content: "x"}}}, "messages[1].role"},
		{"only empty", Turn{ChatID: "c", Messages: []Message{{Role: "user", Content: "  \n"}}}, "messages[0].content"},
		{"year", Turn{ChatID: "c", Messages: []Message{{Role: "user", Content: "x", At: &early}}}, "messages[0].at"},
		{"two days ahead", Turn{ChatID: "c", Messages: []Message{{Role: "user", Content: "x", At: &late}}}, "messages[0].at"},
	}
	r := newRig(t, nil)
	var invalid *InvalidError
	_, err := r.WriteFacts(t.Context(), Facts{Facts: []NewFact{{Content: "Alice likes tea", At: &late}}})
	if !errors.As(err, &invalid) || invalid.Field != "facts[0].at" {
		t.Errorf("a fact of a later day: %v", err)
	}
	if _, err := r.Remember(t.Context(), Turn{ChatID: "c", Indexed: true, Messages: []Message{{
		Role: "user", Content: "A clock runs fast.",
		At: &skewed,
	}}}); err != nil {
		t.Errorf("a clock that is ahead by less than a day: %v", err)
	}
	before := r.text(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := r.Remember(t.Context(), tt.turn)
			var invalid *InvalidError
			if !errors.As(err, &invalid) || invalid.Field != tt.field {
				t.Errorf("error %v, want one that names %s", err, tt.field)
			}
		})
	}
	if r.text(t) != before {
		t.Error("a refused turn changed the vault")
	}
}

// Settle waits for the turns that were stored before it, and for no others.
func TestSettleWaitsForFacts(t *testing.T) {
	r := newRig(t, nil)
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

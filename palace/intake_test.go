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
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/reverie-memory/reverie/extract"
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
	part    bool // says that it looked through a part only
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
	if s.part {
		return out, &extract.PartialError{Reason: "a message is too long"}
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

// What a person types by hand to have it remembered is worth a line, which it is not in talk.
func TestANoteIsAFact(t *testing.T) {
	r := newRig(t, func(o *Options, _ *stubExtractor) { o.Extractor = extract.Rules{} })
	for platform, facts := range map[string]int{"cli": 1, "chat": 0} {
		in := turn(platform, "The key to the shed is under the blue pot")
		in.Platform = platform
		if res := r.remember(t, in); len(res.Facts) != facts {
			t.Errorf("%s: %+v", platform, res.Facts)
		}
	}
	again := turn("", "Passport expires 2031-08-14")
	again.Platform = "cli"
	for i, want := range []string{Accepted, Duplicate} {
		if res := r.remember(t, again); res.Status != want {
			t.Errorf("typed %d times: %+v", i+1, res)
		}
	}
	if again.Messages[0].Content = "Passport expires 2031-08-15"; r.remember(t, again).Status != Accepted {
		t.Error("another note is known")
	}
	if res := r.remember(t, turn("two", "The key to the shed is under the blue pot", "Passport expires 2031-08-14")); len(res.Facts) > 0 {
		t.Errorf("talk: %+v", res.Facts)
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

// What an assistant tells as a person's message gives facts, which are trusted as what assistants note.
func TestTurnsToldByAssistants(t *testing.T) {
	r := newRig(t, func(o *Options, _ *stubExtractor) { o.Extractor = extract.Rules{} })
	res, err := r.Remember(t.Context(), Turn{ChatID: "c", Origin: vault.OriginAgent, Indexed: true, Messages: []Message{
		{Role: "user", Content: "I live in Porto."},
		{Role: "assistant", Content: "I live in Rome."},
		{Role: "tool", Content: "I live in Oslo."},
	}})
	if err != nil || len(res.Facts) != 1 || res.Facts[0].Text != "The user lives in Porto" ||
		res.Facts[0].Section.Origin != vault.OriginAgent {
		t.Errorf("%+v, %v", res.Facts, err)
	}
}

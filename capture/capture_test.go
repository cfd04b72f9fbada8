package capture_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/reverie-memory/reverie/capture"
	"github.com/reverie-memory/reverie/spool"
	"github.com/reverie-memory/reverie/transcript"
)

// memory is what took the turns: as Intake does, it keeps the longest of each id.
type memory struct {
	mu    sync.Mutex
	turns map[string]transcript.Turn
	order []string
	fail  func(transcript.Turn) error
}

func (m *memory) take(_ context.Context, t transcript.Turn) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail != nil {
		if err := m.fail(t); err != nil {
			return err
		}
	}
	if m.turns == nil {
		m.turns = map[string]transcript.Turn{}
	}
	old, known := m.turns[t.ID]
	if !known {
		m.order = append(m.order, t.ID)
	}
	if len(t.Messages) >= len(old.Messages) {
		t.Open, t.Start, t.End = false, 0, 0
		m.turns[t.ID] = t
	}
	return nil
}

// said are the texts that were taken, in the order of their turns.
func (m *memory) said() (out []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, id := range m.order {
		for _, msg := range m.turns[id].Messages {
			if msg.Text != "" {
				out = append(out, msg.Text)
			}
		}
	}
	return out
}

func (m *memory) setFail(fn func(transcript.Turn) error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.fail = fn
}

// A house is a home with Claude Code's folder, a data folder, and a room that captures.
type house struct {
	t      *testing.T
	o      capture.Options
	memory *memory
	cancel context.CancelFunc
	room   *capture.Room
	ended  chan struct{}
}

func newHouse(t *testing.T) *house {
	t.Helper()
	t.Setenv("CLAUDE_CONFIG_DIR", "")
	t.Setenv("CODEX_HOME", "")
	home := t.TempDir()
	h := &house{t: t, memory: &memory{}, o: capture.Options{
		Data: filepath.Join(home, "data", "default"), Own: []string{filepath.Join(home, "data")}, Home: home, Enabled: true,
		Hosts: []string{"claude-code", "codex", "gemini"}, Interval: 30 * time.Second, Settle: time.Minute, ToolBytes: 100,
	}}
	h.o.Take = h.memory.take
	if err := os.MkdirAll(filepath.Dir(h.path("s1")), 0o700); err != nil {
		t.Fatal(err)
	}
	return h
}

func (h *house) path(session string) string {
	return filepath.Join(h.o.Home, ".claude", "projects", "-home-alice-trip", session+".jsonl")
}

// start runs a room, as the daemon does.
func (h *house) start() {
	h.t.Helper()
	var ctx context.Context
	ctx, h.cancel = context.WithCancel(context.Background()) // the test's own is of another clock
	h.room, h.ended = capture.New(h.o), make(chan struct{})
	go func(room *capture.Room, ended chan struct{}) {
		defer close(ended)
		room.Run(ctx, func(context.Context) error { return nil })
	}(h.room, h.ended)
}

func (h *house) stop() {
	h.cancel()
	<-h.ended
}

// hook reports an event, as the verb does.
func (h *house) hook(event, session string) {
	h.t.Helper()
	e := spool.Event{Event: event, Host: "claude-code", At: time.Now(), Session: session}
	if session != "" {
		e.Transcript = h.path(session)
	}
	if err := spool.Append(capture.SpoolDir(h.o.Data), e); err != nil {
		h.t.Fatal(err)
	}
}

// say adds lines to a session, at the time that it is. Who is "user", "assistant" or "tool".
func (h *house) say(session string, lines ...string) {
	h.t.Helper()
	f, err := os.OpenFile(h.path(session), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		h.t.Fatal(err)
	}
	for _, l := range lines {
		if _, err := f.WriteString(l); err != nil {
			h.t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		h.t.Fatal(err)
	}
	if err := os.Chtimes(h.path(session), time.Now(), time.Now()); err != nil { // the clock of the test
		h.t.Fatal(err)
	}
}

func line(session, who, text string) string {
	content := fmt.Sprintf("%q", text)
	if who == "assistant" {
		content = fmt.Sprintf(`[{"type":"text","text":%q}]`, text)
	}
	return fmt.Sprintf(`{"type":%q,"uuid":"%s-%x","sessionId":%q,"cwd":"/home/alice/trip","timestamp":%q,"message":{"content":%s}}`+"\n",
		who, session, text, session, time.Now().UTC().Format(time.RFC3339Nano), content)
}

// after lets time pass.
func after(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func (h *house) want(texts ...string) {
	h.t.Helper()
	if got := h.memory.said(); !slices.Equal(got, texts) {
		h.t.Fatalf("taken %q, want %q", got, texts)
	}
}

// in runs a test under a clock of its own, which begins in 2000.
func in(t *testing.T, test func(h *house)) {
	t.Helper()
	h := newHouse(t)
	synctest.Test(t, func(*testing.T) { test(h) })
}

func TestNothingIsReadBeforeAHookRan(t *testing.T) {
	in(t, func(h *house) {
		h.say("s1", line("s1", "user", "old words"), line("s1", "assistant", "old answer"))
		h.start()
		defer h.stop()
		after(5 * time.Minute)
		h.want()
		h.hook("session-start", "s2") // in a session without a file
		after(time.Minute)
		h.say("s1", line("s1", "user", "new words"), line("s1", "assistant", "new answer"))
		after(5 * time.Minute)
		h.want("new words", "new answer")
		h.hook(spool.History, "")
		after(time.Minute)
		if got := h.memory.said(); len(got) != 4 || !slices.Contains(got, "old words") {
			t.Errorf("with the history: %q", got)
		}
	})
}

func TestAHookTellsOfAnEndedTurnAtOnce(t *testing.T) {
	in(t, func(h *house) {
		h.start()
		defer h.stop()
		h.hook("session-start", "s1")
		after(2 * time.Second)
		h.say("s1", line("s1", "user", "I moved to Berlin."))
		h.hook("prompt", "s1")
		after(2 * time.Second)
		h.want() // the answer is still to come
		h.say("s1", line("s1", "assistant", "Noted."))
		h.hook("stop", "s1")
		after(2 * time.Second)
		h.want("I moved to Berlin.", "Noted.")
		h.say("s1", line("s1", "assistant", "By the way."))
		h.hook("pre-compact", "s1")
		after(2 * time.Second)
		h.want("I moved to Berlin.", "Noted.", "By the way.")
	})
}

// That a session ended is told after its turns, and not before they could be taken. An end may be told again.
func TestTheEndOfASessionIsTold(t *testing.T) {
	in(t, func(h *house) {
		var ended []string
		h.o.Ended = func(session string) { ended = append(ended, fmt.Sprintf("%s after %q", session, h.memory.said())) }
		h.memory.setFail(func(transcript.Turn) error { return errors.New("the disk is full") })
		h.start()
		defer h.stop()
		h.hook("session-start", "s1")
		h.say("s1", line("s1", "user", "I moved to Berlin."), line("s1", "assistant", "Noted."))
		h.hook("stop", "s1")
		h.hook("session-end", "s1")
		after(time.Minute)
		if len(ended) > 0 {
			t.Errorf("told too early: %q", ended)
		}
		h.memory.setFail(nil)
		after(time.Minute)
		if want := []string{`s1 after ["I moved to Berlin." "Noted."]`}; !slices.Equal(slices.Compact(ended), want) {
			t.Errorf("told %q, want %q", ended, want)
		}
	})
}

// Hooks, tail and both give the same, and so does a room that dies at any moment.
func TestHookAndTailGiveTheSame(t *testing.T) {
	ways := map[string]func(h *house, i int){
		"hook": func(h *house, _ int) { h.hook("stop", "s1") },
		"tail": func(*house, int) {},
		"both": func(h *house, i int) {
			if i%2 == 0 {
				h.hook("stop", "s1")
			}
		},
		"crash": func(h *house, i int) {
			h.hook("stop", "s1")
			h.memory.setFail(func(transcript.Turn) error {
				if i%3 == 0 {
					return errors.New("the disk is full")
				}
				return nil
			})
			after(time.Second)
			h.stop()
			if i%4 == 0 { // lost in the crash
				_ = os.Remove(filepath.Join(h.o.Data, "capture", "positions.json"))
			}
			h.memory.setFail(nil)
			h.start()
		},
	}
	got := map[string]map[string]transcript.Turn{}
	for name, tell := range ways {
		in(t, func(h *house) {
			h.start()
			h.hook("session-start", "s1")
			after(2 * time.Second)
			for i := range 30 {
				h.say("s1", line("s1", "user", fmt.Sprintf("question %d", i)), line("s1", "assistant", fmt.Sprintf("answer %d", i)))
				tell(h, i)
				after(40 * time.Second)
			}
			after(5 * time.Minute)
			h.stop()
			got[name] = h.memory.turns
		})
	}
	for name, turns := range got {
		if len(turns) != 30 || !reflect.DeepEqual(slices.Sorted(maps.Keys(turns)), slices.Sorted(maps.Keys(got["tail"]))) {
			t.Errorf("%s gives %d turns, the tail %d", name, len(turns), len(got["tail"]))
		}
		for id, turn := range turns {
			if other := got["tail"][id]; len(turn.Messages) != len(other.Messages) || turn.Chat != other.Chat ||
				turn.Messages[0].Text != other.Messages[0].Text {
				t.Errorf("%s: turn %+v, by the tail %+v", name, turn, other)
			}
		}
	}
}

// A file that is written anew is read from its beginning, and one that has only grown is not.
func TestRewrittenFiles(t *testing.T) {
	in(t, func(h *house) {
		h.start()
		defer h.stop()
		h.hook("session-start", "s1")
		after(2 * time.Second)
		first := line("s1", "user", "one") + line("s1", "assistant", "first")
		h.say("s1", first, line("s1", "user", "two"))
		after(5 * time.Minute)
		h.want("one", "first", "two")
		if err := os.WriteFile(h.path("s1"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		h.say("s1", line("s1", "user", "three"), line("s1", "user", strings.Repeat("x", 2*len(first))))
		after(5 * time.Minute)
		if got := h.memory.said(); len(got) != 5 || got[3] != "three" {
			t.Errorf("after the file was written anew: %q", got)
		}
	})
}

func TestFailuresAreToldAndTriedAgain(t *testing.T) {
	in(t, func(h *house) {
		h.start()
		defer h.stop()
		h.hook("session-start", "s1")
		after(2 * time.Second)
		h.memory.setFail(func(turn transcript.Turn) error {
			if turn.Messages[0].Text == "unfit" {
				return capture.ErrUnfit
			}
			return errors.New("the vault is away")
		})
		h.say("s1", line("s1", "user", "unfit"), "no JSON\n", line("s1", "user", "fit"))
		h.hook("stop", "s1")
		after(capture.Lag + 2*time.Minute)
		h.want()
		problems := told(h.room.Status(), true)
		if !strings.Contains(problems, "1 transcripts are not captured") || !strings.Contains(problems, "the vault is away") {
			t.Errorf("told: %q", problems)
		}
		h.memory.setFail(func(turn transcript.Turn) error {
			if turn.Messages[0].Text == "unfit" {
				return capture.ErrUnfit
			}
			return nil
		})
		after(2 * time.Minute)
		h.want("fit")
		problems = told(h.room.Status(), true)
		if !strings.Contains(problems, "1 lines of its transcripts make no sense") || strings.Contains(problems, "not captured") {
			t.Errorf("told afterwards: %q", problems)
		}
	})
}

func told(hosts []capture.Host, running bool) string {
	var out []string
	for _, h := range hosts {
		for _, p := range h.Problems(running) {
			out = append(out, p.Text+" → "+p.Mend)
		}
	}
	return strings.Join(out, "\n")
}

// Without a daemon, the files say what was missed.
func TestSurveyFindsWhatWasMissed(t *testing.T) {
	in(t, func(h *house) {
		h.say("s0", line("s0", "user", "before"))
		if hosts := capture.Survey(h.o); len(hosts) != 3 || told(hosts, false) != "" || hosts[0].Files != 1 || !hosts[0].Since.IsZero() {
			t.Fatalf("before the setup: %+v", hosts)
		}
		after(time.Minute)
		h.start()
		h.hook(spool.Setup, "")
		after(time.Minute)
		h.stop()
		after(time.Minute)
		h.say("s1", line("s1", "user", "while the daemon is down"))
		after(25 * time.Hour)
		h.say("s2", line("s2", "user", "later"))
		problems := told(capture.Survey(h.o), false)
		if !strings.Contains(problems, "1 transcripts are not captured") || !strings.Contains(problems, "reverie status") {
			t.Errorf("told: %q", problems)
		}
		if !strings.Contains(problems, "no hook has ever run") || !strings.Contains(problems, "reverie setup claude-code") {
			t.Errorf("told of hooks: %q", problems)
		}
		h.o.Hosts = nil
		if hosts := capture.Survey(h.o); len(hosts) != 0 {
			t.Errorf("hosts that the settings leave out: %+v", hosts)
		}
	})
}

// What must not be captured: other hosts' files, programs that we started, and whatever the settings leave out.
func TestLeftOut(t *testing.T) {
	in(t, func(h *house) {
		h.o.Hosts = []string{"claude-code"}
		h.start()
		defer h.stop()
		h.hook("session-start", "s1")
		after(2 * time.Second)
		own := strings.ReplaceAll(line("s1", "user", "what a model is asked"), "/home/alice/trip", filepath.Join(h.o.Own[0], "model", "1"))
		h.say("s1", own, line("s1", "user", "mine"))
		h.say("agent-1", line("agent-1", "user", "of a sub-agent"))
		other := filepath.Join(h.o.Home, "notes.jsonl")
		if err := os.WriteFile(other, []byte(`{"type":"user","text":"mine, but no transcript"}`+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, e := range []spool.Event{
			{Event: "stop", Host: "claude-code", At: time.Now(), Transcript: other},
			{Event: "stop", Host: "claude-code", At: time.Now(), Transcript: h.o.Home},
			{Event: "stop", Host: "codex", At: time.Now(), Transcript: h.path("s1")},
			{Event: "stop", Host: "emacs", At: time.Now(), Transcript: h.path("s1")},
		} {
			if err := spool.Append(capture.SpoolDir(h.o.Data), e); err != nil {
				t.Fatal(err)
			}
		}
		after(5 * time.Minute)
		h.want("mine")
		if spool.Waiting(capture.SpoolDir(h.o.Data)) {
			t.Error("events stay in the spool")
		}
	})
}

// While turns wait to be worked on, what no hook has told waits as well.
func TestBusyDelaysTheTailAlone(t *testing.T) {
	in(t, func(h *house) {
		h.o.Busy = func() bool { return true }
		h.start()
		defer h.stop()
		h.hook("session-start", "s1")
		after(2 * time.Second)
		h.say("s1", line("s1", "user", "live"))
		h.say("s2", line("s2", "user", "found"))
		h.hook("stop", "s1")
		after(5 * time.Minute)
		h.want("live")
	})
}

func TestUndoEndsTheReading(t *testing.T) {
	in(t, func(h *house) {
		h.start()
		defer h.stop()
		h.hook(spool.Setup, "")
		h.hook(spool.Undo, "")
		after(time.Minute)
		h.say("s1", line("s1", "user", "after the end"))
		h.hook("stop", "s1") // of a session that began before
		after(5 * time.Minute)
		h.want()
		if problems := told(h.room.Status(), true); problems != "" {
			t.Error(problems)
		}
		h.hook("session-start", "s2")
		after(time.Minute)
		h.say("s2", line("s2", "user", "set up anew"))
		after(5 * time.Minute)
		h.want("set up anew")
	})
}

// What a hook names is read where it lies in the host's folders, whatever way leads there, and nowhere else.
func TestFilesOutsideTheFoldersAreRefused(t *testing.T) {
	in(t, func(h *house) {
		outside, inside := filepath.Join(h.o.Home, "outside"), filepath.Dir(h.path("s1"))
		if err := os.Mkdir(outside, 0o700); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(outside, "s9.jsonl")
		if err := os.WriteFile(file, []byte(line("s9", "user", "planted")), 0o600); err != nil {
			t.Fatal(err)
		}
		h.say("s1", line("s1", "user", "said"))
		ways := []string{file, inside + filepath.FromSlash("/../../../outside/s9.jsonl")}
		good := outside + filepath.FromSlash("/../.claude/projects/-home-alice-trip/s1.jsonl")
		if link := filepath.Join(inside, "link.jsonl"); os.Symlink(file, link) == nil {
			ways = append(ways, link)
		}
		if link := filepath.Join(outside, "link.jsonl"); os.Symlink(h.path("s1"), link) == nil {
			good = link
		}
		name := func(path string) {
			e := spool.Event{Event: "stop", Host: "claude-code", At: time.Now(), Transcript: path}
			if err := spool.Append(capture.SpoolDir(h.o.Data), e); err != nil {
				t.Fatal(err)
			}
			after(2 * time.Second)
		}
		told := func() string { return fmt.Sprint(capture.Survey(h.o)[0].Problems(true)) }
		h.o.Interval = time.Hour // the tail must not be what reads
		h.start()
		defer h.stop()
		for _, path := range ways {
			name(path)
			h.want()
			if got := told(); !strings.Contains(got, "outside") || !strings.Contains(got, "capture.folders") {
				t.Errorf("%s: told %s", path, got)
			}
		}
		name(good)
		h.want("said")
		h.stop()
		h.o.Folders = []string{"claude-code=" + outside}
		h.start()
		name(file)
		if got := h.memory.said(); !slices.Contains(got, "planted") {
			t.Errorf("with the folder in the settings: %q", got)
		}
		if got := told(); strings.Contains(got, "outside") {
			t.Errorf("told of a folder in the settings: %s", got)
		}
	})
}

// An event stands until its transcript was captured, wherever in the folders that lies.
func TestAnEventIsTriedAgain(t *testing.T) {
	in(t, func(h *house) {
		h.o.Folders = []string{"codex=" + h.o.Home}
		elsewhere := filepath.Join(filepath.Dir(h.path("s9")), "deeper", "elsewhere.jsonl")
		if err := os.Mkdir(filepath.Dir(elsewhere), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(elsewhere, []byte(line("s9", "user", "elsewhere")), 0o600); err != nil {
			t.Fatal(err)
		}
		h.memory.setFail(func(transcript.Turn) error { return errors.New("the vault is away") })
		h.start()
		e := spool.Event{Event: "stop", Host: "claude-code", At: time.Now(), Transcript: elsewhere}
		if err := spool.Append(capture.SpoolDir(h.o.Data), e); err != nil {
			t.Fatal(err)
		}
		after(5 * time.Second)
		h.stop()
		h.memory.setFail(nil)
		h.start()
		defer h.stop()
		after(time.Minute)
		h.want("elsewhere")
	})
}

// Who asks is told how the folders stand now, and not how the last look found them.
func TestASurveyIsOfNow(t *testing.T) {
	in(t, func(h *house) {
		h.start()
		defer h.stop()
		h.hook("session-start", "s1")
		h.say("s1", line("s1", "user", "tea"))
		after(2 * time.Second)
		files := func(hosts []capture.Host) (n int) {
			for _, host := range hosts {
				n += host.Files
			}
			return n
		}
		before := files(h.room.Survey())
		h.say("s2", line("s2", "user", "coffee"))
		if now, told := files(h.room.Survey()), files(h.room.Status()); now != before+1 || told != now {
			t.Errorf("%d transcripts, then %d, and %d are told of", before, now, told)
		}
	})
}

package transcript_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/transcript"
)

var update = flag.Bool("update", false, "rewrite the golden files")

var mod = time.Date(2026, 6, 10, 0, 0, 0, 0, time.UTC)

// read gives all turns of a transcript from an offset.
func read(t testing.TB, name string, data []byte, from int64) ([]transcript.Turn, transcript.Report) {
	t.Helper()
	h := transcript.Of(name, data[:min(len(data), 4096)])
	if h == nil {
		t.Fatalf("%s is of no host", name)
	}
	var turns []transcript.Turn
	rep, err := reader(h).TurnsFrom(t.Context(), bytes.NewReader(data), int64(len(data)), from, func(turn transcript.Turn) error {
		turns = append(turns, turn)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return turns, rep
}

func reader(h transcript.Host) transcript.Reader {
	return transcript.Reader{Host: h, Mod: mod, ToolBytes: transcript.ToolBytes}
}

// Who said what is written down in a file that a person has read.
func TestRolesGolden(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.json*")
	if len(files) == 0 {
		t.Fatal("no transcripts")
	}
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			turns, rep := read(t, path, data, 0)
			for _, turn := range turns {
				fmt.Fprintf(&b, "%s %s %s in %q\n", turn.Host, turn.Chat, turn.ID, turn.Dir)
				for _, m := range turn.Messages {
					fmt.Fprintf(&b, "  %-9s %s %q\n", m.Role, m.At.Format(time.TimeOnly), m.Text)
				}
			}
			fmt.Fprintf(&b, "broken lines: %d\n", rep.Broken)
			if strings.Contains(b.String(), "Rome") {
				t.Errorf("words that nobody said, or that we told:\n%s", b.String())
			}
			golden := filepath.Join("testdata", "golden", filepath.Base(path)+".txt")
			if *update {
				if err := os.WriteFile(golden, []byte(b.String()), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil || string(want) != b.String() {
				t.Errorf("got\n%s\nwant (%v)\n%s", b.String(), err, want)
			}
		})
	}
}

// The real transcripts of other programs' tests.
func TestFixtures(t *testing.T) {
	files, _ := filepath.Glob("../../shared/fixtures/chats/claude_code/*.jsonl")
	if len(files) == 0 {
		t.Skip("the fixtures are not there")
	}
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		turns, rep := read(t, path, data, 0)
		if rep.Next == 0 || len(turns) == 0 {
			t.Errorf("%s: %d turns, %+v", path, len(turns), rep)
		}
		for _, turn := range turns {
			for _, m := range turn.Messages {
				if m.Role == "user" && strings.Contains(m.Text, "local-command") {
					t.Errorf("%s: %q is said to be a person's", path, m.Text)
				}
			}
		}
	}
}

// A file that grows, and is read after each growth from where the last reading ended, gives the turns of one reading.
func TestGrowingEqualsWhole(t *testing.T) {
	for _, name := range []string{"claude.jsonl", "codex.jsonl", "gemini.jsonl"} {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		data = append(data, long(name)...)
		want, _ := read(t, name, data, 0)
		for seed := range uint64(40) {
			r := rand.New(rand.NewPCG(seed, 0))
			got := map[string]transcript.Turn{}
			var order []string
			var next int64
			for size := 1500; size < len(data); size += 1 + r.IntN(4000) {
				next = grow(t, name, data[:size], next, got, &order)
			}
			grow(t, name, data, next, got, &order)
			if len(order) != len(want) {
				t.Fatalf("%s, seed %d: %d turns, want %d", name, seed, len(order), len(want))
			}
			for i, id := range order {
				if !reflect.DeepEqual(got[id], want[i]) {
					t.Fatalf("%s, seed %d: turn %d is\n%+v\nwant\n%+v", name, seed, i, got[id], want[i])
				}
			}
		}
	}
}

// grow reads on, and checks that a turn that is known has only become longer.
func grow(t *testing.T, name string, data []byte, from int64, got map[string]transcript.Turn, order *[]string) int64 {
	t.Helper()
	turns, rep := read(t, name, data, from)
	for _, turn := range turns {
		old, known := got[turn.ID]
		if !known {
			*order = append(*order, turn.ID)
		}
		for i, m := range old.Messages {
			if i >= len(turn.Messages) || m != turn.Messages[i] {
				t.Fatalf("%s: message %d of turn %s was %+v and is not any more", name, i, turn.ID, m)
			}
		}
		got[turn.ID] = turn
	}
	return rep.Next
}

// long is a turn of very many messages, for each host.
func long(name string) []byte {
	var b bytes.Buffer
	for i := range 90 {
		call := i % 3
		switch name {
		case "claude.jsonl":
			part := fmt.Sprintf(`{"type":"text","text":"step %d"},{"type":"tool_use","id":"t%d","name":"Read","input":{}}`, i, i)
			typ := "assistant"
			if call > 0 {
				typ, part = "user", fmt.Sprintf(`{"type":"tool_result","tool_use_id":"t%d","content":"output %d"}`, i-call, i)
			}
			fmt.Fprintf(&b, `{"type":%q,"uuid":"l%d","sessionId":"s","timestamp":"2026-06-09T17:00:00Z","message":{"content":[%s]}}`+"\n", typ,
				i, part)
		case "codex.jsonl":
			fmt.Fprintf(&b, `{"timestamp":"2026-06-09T17:00:00Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[`+
				`{"type":"output_text","text":"step %d"}]}}`+"\n", i)
		default:
			fmt.Fprintf(&b, `{"id":"l%d","timestamp":"2026-06-09T17:00:00Z","type":"gemini","content":"step %d"}`+"\n", i, i)
		}
	}
	return b.Bytes()
}

// A line without its end waits for it, unless it is a whole value.
func TestHalfALineWaits(t *testing.T) {
	data, err := os.ReadFile("testdata/claude.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	cut := bytes.LastIndexByte(data[:len(data)/2], '\n') + 40
	_, rep := read(t, "x.jsonl", data[:cut], 0)
	if rep.Broken != 0 || rep.Next >= int64(cut) {
		t.Errorf("half a line was read: %+v", rep)
	}
	whole := `{"type":"user","uuid":"u","sessionId":"s","message":{"content":"I live in Berlin."}}`
	if turns, _ := read(t, "x.jsonl", []byte(whole), 0); len(turns) != 1 || turns[0].Messages[0].Text != "I live in Berlin." ||
		turns[0].At() != mod {
		t.Errorf("a last line without a line break gives %+v", turns)
	}
}

// What is too long, and what ends the reading.
func TestLimits(t *testing.T) {
	ask := func(text string) string {
		return fmt.Sprintf(`{"type":"user","uuid":"u-%d","sessionId":"s","message":{"content":%q}}`+"\n", len(text), text)
	}
	data := []byte(ask("one") + ask(strings.Repeat("x", 17<<20)) + ask(strings.Repeat("é", 1_000_000)) + ask("four"))
	turns, rep := read(t, "x.jsonl", data, 0)
	if len(turns) != 3 || rep.Broken != 1 || rep.At != int64(len(ask("one"))) {
		t.Fatalf("%d turns, %+v", len(turns), rep)
	}
	if n := len(turns[1].Messages[0].Text); n > 1_000_100 || !strings.HasSuffix(turns[1].Messages[0].Text, "more bytes]") {
		t.Errorf("a text of %d bytes", n)
	}
	stop := errors.New("stop")
	rep, err := reader(transcript.Claude{}).Turns(t.Context(), bytes.NewReader(data), func(transcript.Turn) error { return stop })
	if !errors.Is(err, stop) || rep.Next != 0 {
		t.Errorf("%+v, %v", rep, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := reader(transcript.Claude{}).Turns(ended, bytes.NewReader(data),
		func(transcript.Turn) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// The output of tools is cut, or left out, and the messages keep their places.
func TestToolOutputIsCut(t *testing.T) {
	data, err := os.ReadFile("testdata/claude.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	places := map[int]int{}
	for _, limit := range []int{0, 4, 2000} {
		r := reader(transcript.Claude{})
		r.ToolBytes = limit
		_, err := r.Turns(t.Context(), bytes.NewReader(data), func(turn transcript.Turn) error {
			places[limit] += len(turn.Messages)
			for _, m := range turn.Messages {
				if m.Role == "tool" && strings.HasPrefix(m.Text, "I am Bob") != (limit == 2000) && strings.Contains(m.Text, "Bob") {
					t.Errorf("limit %d: %q", limit, m.Text)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if places[0] != places[2000] || places[4] != places[0] {
		t.Errorf("messages by limit: %v", places)
	}
}

func TestKeeps(t *testing.T) {
	for path, want := range map[string]string{
		"-home-alice-trip/6a1e.jsonl":                        "claude-code",
		"-home-alice-trip/agent-a1.jsonl":                    "",
		"-home-alice-trip/6a1e/subagents/agent-a1.jsonl":     "",
		"-home-alice-trip/memory.md":                         "",
		"2026/06/09/rollout-2026-06-09T15-00-00-019a.jsonl":  "codex",
		"79b6/chats/session-2026-06-09T16-00-f86f5318.json":  "gemini",
		"79b6/chats/session-2026-06-09T16-00-f86f5318.jsonl": "gemini",
		"79b6/chats/f86f5318/0a1b.jsonl":                     "",
		"79b6/logs.json":                                     "",
	} {
		for _, h := range transcript.Hosts() {
			if got := h.Keeps(filepath.FromSlash(path)); got != (h.Name() == want) && got {
				t.Errorf("%s keeps %s", h.Name(), path)
			} else if h.Name() == want && !got {
				t.Errorf("%s does not keep %s", h.Name(), path)
			}
		}
	}
	if transcript.Of("x.jsonl", []byte(`{"conversation":"c1","speaker":"Alice","text":"hi"}`)) != nil || transcript.Of("x", nil) != nil {
		t.Error("any JSON is taken for a transcript")
	}
	if h := transcript.Named("codex"); h == nil || transcript.Named("emacs") != nil {
		t.Error("hosts by their names")
	}
}

// Whatever a file holds, reading ends, names no chat that breaks a line, and goes on where it says.
func FuzzTurns(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.json*")
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, uint16(0))
		f.Add(data, uint16(700))
	}
	f.Fuzz(func(t *testing.T, data []byte, from uint16) {
		for _, h := range transcript.Hosts() {
			size := int64(len(data))
			rep, err := reader(h).TurnsFrom(t.Context(), bytes.NewReader(data), size, min(int64(from), size), func(turn transcript.Turn) error {
				if turn.Chat == "" || strings.ContainsAny(turn.Chat, "\n\r ") {
					t.Errorf("a turn %q of chat %q", turn.ID, turn.Chat)
				}
				for _, m := range turn.Messages {
					if m.Role != "user" && m.Role != "assistant" && m.Role != "tool" {
						t.Errorf("a role %q", m.Role)
					}
				}
				return nil
			})
			if err != nil || rep.Next < 0 || rep.Next > int64(len(data)) {
				t.Errorf("%s: %+v, %v", h.Name(), rep, err)
			}
		}
	})
}

package importer

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/api"
)

const oneLine = `{"conversation":"c","session":1,"session_datetime":"2026-06-01T10:00:00","speaker":"Alice","dia_id":"D1","text":"hello"}` + "\n"

func read(t *testing.T, name, text string, by ...Importer) Import {
	t.Helper()
	var im Import
	if err := im.Read(name, strings.NewReader(text), append(by, All()...)); err != nil {
		t.Fatal(err)
	}
	return im
}

// A file that grew gives the same ids for what was there.
func TestImportMeetsItself(t *testing.T) {
	first, longer := read(t, "a.jsonl", oneLine), read(t, "a.jsonl", strings.Repeat(oneLine, GroupSize+5))
	if len(first.Turns) != 1 || first.Messages != 1 || len(longer.Turns) != 2 || longer.Messages != GroupSize+5 {
		t.Fatalf("%d and %d turns, %d and %d messages", len(first.Turns), len(longer.Turns), first.Messages, longer.Messages)
	}
	if diff := cmp.Diff(first.Turns[0].TurnID, longer.Turns[0].TurnID); diff != "" {
		t.Errorf("turn ids (-first +longer):\n%s", diff)
	}
	if longer.Turns[0].TurnID == longer.Turns[1].TurnID {
		t.Error("two turns share an id")
	}
}

func TestBadLineIsNamed(t *testing.T) {
	for text, line := range map[string]int{
		"{}\n": 1, oneLine + "\n{\"conversation\":\"c\",\"turn_datetime\":\"soon\"}": 3,
		oneLine + "{": 2, `{"conversation":"c","turn_datetime":"9999-12-31"}`: 1,
	} {
		err := new(Import).Read("a.jsonl", strings.NewReader(text), All())
		var place *PlaceError
		if !errors.As(err, &place) || place.Line != line {
			t.Errorf("%q: %v, want an error in line %d", text, err, line)
		}
	}
}

// letters is an importer of another form: each word of a file that begins with "letters:" is a message.
type letters struct{}

func (letters) Name() string { return "letters" }

func (letters) Reads(name string, head []byte) bool {
	return strings.HasSuffix(name, ".txt") && strings.HasPrefix(string(head), "letters:")
}

func (letters) Read(r io.Reader, yield func(Message) error) error {
	all, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	for _, word := range strings.Fields(string(all))[1:] {
		if err := yield(Message{Chat: "post", Role: "assistant", Text: word, Wing: "mail"}); err != nil {
			return err
		}
	}
	return nil
}

// A form is one importer: what it reads becomes turns as what JSONL holds does, and files of other forms are left to others.
func TestAFormIsOneImporter(t *testing.T) {
	im := read(t, "a.txt", "letters: dear friend", letters{})
	want := []api.Message{{Role: "assistant", Content: "dear"}, {Role: "assistant", Content: "friend"}}
	if len(im.Turns) != 1 || im.Turns[0].ChatID != "post" || im.Turns[0].Wing != "mail" || im.Turns[0].Platform != "import" {
		t.Fatalf("turns %+v", im.Turns)
	}
	if diff := cmp.Diff(want, im.Turns[0].Messages); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
	if got := read(t, "a.jsonl", oneLine, letters{}); got.Turns[0].ChatID != "c-s1" {
		t.Errorf("another form's file was read as %+v", got.Turns)
	}
	if err := new(Import).Read("a.bin", strings.NewReader("?"), []Importer{letters{}}); !errors.Is(err, ErrForm) {
		t.Errorf("a file that nobody reads: %v", err)
	}
}

// A transcript becomes the turns that it says, with the project that its folder is of, and what is left out keeps its place.
func TestTranscript(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "trip")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	line := func(typ, uuid, content string) string {
		return fmt.Sprintf(`{"type":%q,"uuid":%q,"sessionId":"s1","cwd":%q,"timestamp":"2026-06-09T14:32:00Z","message":{"content":%s}}`+"\n",
			typ, uuid, dir, content)
	}
	im := read(t, "a.jsonl", line("user", "u1", `"I moved to Berlin."`)+
		line("assistant", "u2", `[{"type":"tool_use","id":"t1","name":"mcp__reverie__search"}]`)+
		line("user", "u3", `[{"type":"tool_result","tool_use_id":"t1","content":"recalled"}]`)+
		line("assistant", "u4", `[{"type":"text","text":"Noted."}]`)+line("user", "u5", `"Thanks."`))
	at := time.Date(2026, 6, 9, 14, 32, 0, 0, time.UTC)
	want := []api.Message{
		{Role: "user", Content: "I moved to Berlin.", At: &at, Ref: "u1"},
		{Role: "tool", At: &at, Ref: "u3"},
		{Role: "assistant", Content: "Noted.", At: &at, Ref: "u4"},
	}
	if len(im.Turns) != 2 || im.Messages != 3 {
		t.Fatalf("%d messages in turns %+v", im.Messages, im.Turns)
	}
	if diff := cmp.Diff(want, im.Turns[0].Messages); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
	if got := im.Turns[0]; got.ChatID != "s1" || got.Platform != "claude-code" || got.Agent != "claude-code" || im.Folders[0] != dir {
		t.Errorf("turn %+v", got)
	}
}

func FuzzLine(f *testing.F) {
	f.Add([]byte(oneLine))
	f.Add([]byte(`{"conversation":"c","session":"two","turn_datetime":"2026-06-01","role":"tool"}`))
	f.Add([]byte(`{"conversation":`))
	f.Add([]byte("\xff\xfe{}"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		m, err := parseLine(raw)
		if err != nil {
			return
		}
		var l line
		if json.Unmarshal(raw, &l) != nil || l.Conversation == "" {
			t.Error("a message without a conversation was taken")
		}
		if l.TurnDatetime+l.SessionDatetime != "" && m.At == nil {
			t.Error("a time was lost")
		}
	})
}

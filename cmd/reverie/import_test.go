package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestImportMeetsItself(t *testing.T) {
	path := filepath.Join(t.TempDir(), "chat.jsonl")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	line := `{"conversation":"c","session":1,"session_datetime":"2026-06-01T10:00:00","speaker":"Alice","dia_id":"D1","text":"hello"}` + "\n"
	write(line)
	first, n, err := readImport(path, "", "")
	if err != nil || n != 1 || len(first) != 1 {
		t.Fatalf("%d turns, %d messages: %v", len(first), n, err)
	}
	long := ""
	for range groupSize + 5 {
		long += line
	}
	write(long)
	longer, n, err := readImport(path, "", "")
	if err != nil || n != groupSize+5 || len(longer) != 2 {
		t.Fatalf("%d turns, %d messages: %v", len(longer), n, err)
	}
	// A file that grew gives the same ids for what was there.
	if diff := cmp.Diff(first[0].TurnID, longer[0].TurnID); diff != "" {
		t.Errorf("turn ids (-first +longer):\n%s", diff)
	}
	if longer[0].TurnID == longer[1].TurnID {
		t.Error("two turns share an id")
	}
}

func FuzzImportLine(f *testing.F) {
	f.Add([]byte(`{"conversation":"c","session":1,"session_datetime":"2026-06-01T10:00:00","speaker":"Alice","text":"x"}`))
	f.Add([]byte(`{"conversation":"c","session":"two","turn_datetime":"2026-06-01","role":"tool"}`))
	f.Add([]byte(`{"conversation":`))
	f.Add([]byte("\xff\xfe{}"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		l, at, err := parseImport(raw)
		if err == nil && l.Conversation == "" {
			t.Error("a message without a conversation was taken")
		}
		if err == nil && (l.TurnDatetime != "" || l.SessionDatetime != "") && at == nil {
			t.Error("a time was lost")
		}
	})
}

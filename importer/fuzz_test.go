package importer

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/api"
)

// Whatever a file holds, an importer ends, names what it does not understand, and gives nothing that the vault could not take.
func fuzz(f *testing.F, by Importer, name string) {
	for _, form := range forms {
		for _, text := range form.files {
			f.Add([]byte(text))
		}
	}
	f.Add([]byte("\xff\xfe{}"))
	f.Add([]byte(`[{"mapping":{"a":{"parent":"a"}},"current_node":"a"},[]]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		turns := newTurns(Whose{})
		file := File{Name: name, Reader: bytes.NewReader(data)}
		for m, err := range by.messages(file) {
			var place *PlaceError
			if err != nil {
				if !errors.As(err, &place) || place.File != name {
					t.Fatalf("%v names no place", err)
				}
				continue
			}
			if turns.fit(&m, file) != nil {
				continue
			}
			for _, id := range []string{m.ChatID, m.Ref, m.TurnID} {
				if strings.ContainsFunc(id, unseen) || strings.TrimSpace(id) != id || utf8.RuneCountInString(id) > 200 {
					t.Errorf("the id %q", id)
				}
			}
			if m.Content != "" && m.ChatID == "" || m.Role == "" || !utf8.ValidString(m.Content) ||
				utf8.RuneCountInString(m.Content) > api.MaxText {
				t.Errorf("%+v", m)
			}
			for _, fact := range m.Facts {
				if strings.TrimSpace(fact.Content) == "" || strings.Contains(fact.Content, "\n") {
					t.Errorf("%+v", fact)
				}
			}
		}
	})
}

// A list has the entries that package json finds in it.
func FuzzList(f *testing.F) {
	for _, text := range []string{
		`[]`, ` [ {"a":"]\\\"}"} , [1,[2]], "x", 1.5e3, null ]`, "\ufeff{\"a\":[{}]}", `7`, `"a\\"`, "[\n1\n,\n2]\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var want []json.RawMessage
		if clean := bytes.TrimPrefix(data, []byte("\ufeff")); !json.Valid(clean) || !utf8.Valid(clean) {
			want = nil
		} else if json.Unmarshal(clean, &want) != nil || want == nil {
			want = []json.RawMessage{bytes.TrimSpace(clean)}
		}
		var got []json.RawMessage
		for it, err := range items(File{Name: "c.json", Reader: bytes.NewReader(data)}) {
			if err == nil {
				got = append(got, bytes.Clone(it.raw))
			} else if want != nil {
				t.Errorf("%q: %v", data, err)
			}
		}
		if want != nil && !slices.EqualFunc(want, got, func(a, b json.RawMessage) bool { return bytes.Equal(a, b) }) {
			t.Errorf("%q gives %q, want %q", data, got, want)
		}
	})
}

func FuzzChatGPT(f *testing.F) { fuzz(f, ChatGPT, "c.json") }

func FuzzClaude(f *testing.F) { fuzz(f, Claude, "c.json") }

func FuzzOpenWebUI(f *testing.F) { fuzz(f, OpenWebUI, "c.json") }

func FuzzSlack(f *testing.F) { fuzz(f, Slack(), "general/2016-01-14.json") }

func FuzzGemini(f *testing.F) { fuzz(f, Gemini, "MyActivity.json") }

func FuzzGeminiHTML(f *testing.F) { fuzz(f, GeminiHTML, "MyActivity.html") }

func FuzzMem0(f *testing.F) { fuzz(f, Mem0, "m.json") }

func FuzzGraph(f *testing.F) { fuzz(f, Graph, "memory.json") }

func FuzzBasicMemory(f *testing.F) { fuzz(f, BasicMemory, "n.md") }

func FuzzMemPalace(f *testing.F) { fuzz(f, MemPalace, "r.md") }

func FuzzReverie(f *testing.F) { fuzz(f, Reverie, "e.jsonl") }

func FuzzJSONL(f *testing.F) { fuzz(f, JSONL, "a.jsonl") }

func FuzzTranscript(f *testing.F) {
	by := Transcript
	by.Read = func(f File, yield func(Message, error) bool) {
		head, in := peek(f.Reader)
		if f.Reader = in; by.Reads(f.Name, head) { // it reads nothing else
			Transcript.Read(f, yield)
		}
	}
	fuzz(f, by, "s.jsonl")
}

// Whatever a zip archive is, it is refused, or what is read of it has a name, and no more is read than its size is worth.
func FuzzArchive(f *testing.F) {
	for _, form := range forms {
		data, err := os.ReadFile(packed(f, form.files))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "a.zip")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		e, err := Open(path, All())
		if err != nil {
			return
		}
		defer e.Close()
		for _, err := range e.Messages() {
			var place *PlaceError
			if err != nil && (!errors.As(err, &place) || place.File == "") {
				t.Errorf("%v names no file", err)
			}
		}
	})
}

package importer

import (
	"archive/zip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// shared is a folder with exports that are not this project's, "" where there is none.
func shared(t *testing.T, name string) string {
	t.Helper()
	for _, top := range []string{"../../shared", "../../../shared"} {
		if dir := filepath.Join(top, "fixtures", "chats", name); exists(dir) {
			return dir
		}
	}
	t.Skip("the fixtures are not here")
	return ""
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// texts are those of messages, by their refs.
func texts(ms []Found) map[string]string {
	out := map[string]string{}
	for _, m := range ms {
		out[m.ChatID+" "+m.Ref] += m.Content
	}
	return out
}

// Everything in the exports that is a message arrives.
func TestSharedExports(t *testing.T) {
	t.Run("chatgpt", func(t *testing.T) {
		ms, problems := readAll(t, shared(t, "chatgpt"))
		if len(problems) > 0 || len(ms) != 4 || ms[2].Ref != "msg-4" || ms[3].Ref != "msg-6" ||
			ms[0].Title != "Sample conversation with branch" {
			t.Errorf("problems %v, messages %q", problems, told(ms))
		}
	})
	t.Run("claude.ai", func(t *testing.T) {
		dir := shared(t, "claude_ai")
		ms, problems := readAll(t, dir)
		if len(problems) > 0 {
			t.Error(problems)
		}
		got := texts(ms)
		files, _ := filepath.Glob(filepath.Join(dir, "*.json"))
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			type chat struct {
				UUID     string
				Messages []struct {
					UUID    string
					Text    string
					Content []struct{ Type, Text string }
				} `json:"chat_messages"`
			}
			var chats []chat
			if json.Unmarshal(data, &chats) != nil {
				chats = make([]chat, 1)
				if err := json.Unmarshal(data, &chats[0]); err != nil {
					t.Fatal(err)
				}
			}
			for _, c := range chats {
				for _, m := range c.Messages {
					for _, b := range m.Content {
						if b.Type == "text" && !strings.Contains(got[c.UUID+" "+m.UUID], b.Text) {
							t.Errorf("%s: %s of %s is not whole", file, m.UUID, c.UUID)
						}
					}
					last := strings.Split(strings.TrimSpace(m.Text), "\n")
					if !strings.Contains(got[c.UUID+" "+m.UUID], last[len(last)-1]) {
						t.Errorf("%s: the end of %s of %s is missing", file, m.UUID, c.UUID)
					}
				}
			}
		}
	})
	t.Run("claude code", func(t *testing.T) {
		ms, _ := readAll(t, shared(t, "claude_code"))
		roles := map[string]int{}
		for _, m := range ms {
			roles[m.Role]++
		}
		if roles[user] == 0 || roles[assistant] == 0 || roles[tool] == 0 {
			t.Errorf("by role: %v", roles)
		}
	})
	t.Run("slack", func(t *testing.T) {
		path := filepath.Join(shared(t, "slack"), "testarchive.zip")
		ms, problems := readAll(t, path)
		z, err := zip.OpenReader(path)
		if err != nil {
			t.Fatal(err)
		}
		defer z.Close()
		want := 0
		for _, f := range z.File {
			if !slackDay.MatchString(f.Name) {
				continue
			}
			in, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			data, err := io.ReadAll(in)
			var list []json.RawMessage
			if err != nil || json.Unmarshal(data, &list) != nil {
				t.Fatal(f.Name, err)
			}
			want += len(list)
		}
		if len(problems) > 0 || len(ms) != want {
			t.Errorf("%d of %d messages arrived, problems %v", len(ms), want, problems)
		}
		for _, m := range ms {
			if m.Role == user || m.Role == assistant || m.At == nil {
				t.Errorf("%q is the person's, or has no time", m.Content)
			}
		}
	})
}

package importer

import (
	"cmp"
	"strings"
)

// OpenWebUI reads the chats that Open WebUI exports. Of a chat with branches it takes the one that is shown.
var OpenWebUI = Importer{
	Name: "Open WebUI",
	Reads: func(name string, head []byte) bool {
		return strings.HasSuffix(name, ".json") && hasKeys(head, "chat") && (hasKeys(head, "history") || hasKeys(head, "messages"))
	},
	Read: func(f File, yield func(Message, error) bool) {
		for c := range each(objects[webuiChat](f), yield) {
			said := branch(c.Chat.History.Messages, c.Chat.History.Current, func(m webuiMessage) string { return m.Parent })
			if len(said) == 0 {
				said = c.Chat.Messages
			}
			for _, w := range said {
				if w.Role == "system" || strings.TrimSpace(w.Content) == "" {
					continue
				}
				m := Message{}
				m.ChatID, m.Title, m.Platform, m.Agent = c.ID, cmp.Or(c.Title, c.Chat.Title), "open-webui", "open-webui"
				m.Role, m.Content, m.Ref, m.At = w.Role, w.Content, w.ID, cmp.Or(unix(w.Timestamp), unix(c.CreatedAt))
				if w.Role == assistant {
					m.Speaker = w.Model
				}
				if !yield(m, nil) {
					return
				}
			}
		}
	},
}

type webuiChat struct {
	ID        string  `json:"id"`
	Title     string  `json:"title" importer:"beside"`
	CreatedAt float64 `json:"created_at" importer:"beside"`
	Chat      struct {
		Title   string `json:"title"`
		History struct {
			Messages map[string]webuiMessage `json:"messages"`
			Current  string                  `json:"currentId"`
		} `json:"history"`
		Messages []webuiMessage `json:"messages"`
	} `json:"chat"`
}

type webuiMessage struct {
	ID        string  `json:"id"`
	Parent    string  `json:"parentId"`
	Role      string  `json:"role"`
	Content   string  `json:"content"`
	Model     string  `json:"model"`
	Timestamp float64 `json:"timestamp"`
}

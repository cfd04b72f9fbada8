package importer

import (
	"cmp"
	"regexp"
	"strings"
)

// Claude reads conversations.json of the data export of claude.ai, and files of one conversation.
var Claude = Importer{
	Name: "Claude",
	Reads: func(name string, head []byte) bool {
		return strings.HasSuffix(name, ".json") && hasKeys(head, "chat_messages")
	},
	Read: func(f File, yield func(Message, error) bool) {
		for c := range each(objects[claudeChat](f), yield) {
			for _, said := range c.shown() {
				for _, m := range said.messages() {
					m.ChatID, m.Title, m.Platform, m.Agent = c.UUID, c.Name, "claude.ai", "claude"
					m.At = cmp.Or(timestamp(said.CreatedAt), timestamp(c.CreatedAt))
					if !yield(m, nil) {
						return
					}
				}
			}
		}
	},
}

type claudeChat struct {
	UUID      string          `json:"uuid"`
	Name      string          `json:"name" importer:"beside"`
	CreatedAt string          `json:"created_at" importer:"beside"`
	Leaf      string          `json:"current_leaf_message_uuid"`
	Messages  []claudeMessage `json:"chat_messages"`
}

type claudeMessage struct {
	UUID      string `json:"uuid"`
	Parent    string `json:"parent_message_uuid"`
	Sender    string `json:"sender"`
	Text      string `json:"text"`
	CreatedAt string `json:"created_at"`
	Content   []struct {
		Type  string `json:"type"`
		Text  string `json:"text"`
		Input struct {
			Content any `json:"content"` // what a tool is given may be anything
		} `json:"input"`
	} `json:"content"`
	Attachments []struct {
		Name string `json:"file_name"`
		Text string `json:"extracted_content"`
	} `json:"attachments"`
}

// shown are the messages of the branch that is shown. Older exports have no branches.
func (c *claudeChat) shown() []claudeMessage {
	byID, linked := map[string]claudeMessage{}, false
	for _, m := range c.Messages {
		byID[m.UUID] = m
		_, known := byID[m.Parent]
		linked = linked || known
	}
	if _, ok := byID[c.Leaf]; !ok || !linked {
		return c.Messages
	}
	return branch(byID, c.Leaf, func(m claudeMessage) string { return m.Parent })
}

// hiddenText is what exports put into the text of a message and nobody said: thoughts, and a note in the place of a tool's call.
var hiddenText = regexp.MustCompile("(?s)<[a-z]+:thinking>.*?</[a-z]+:thinking>\\s*|(?:```\\s*)?This block is not supported on your " +
	"current device yet\\.\\s*(?:```\\s*)?")

// messages are what was said, and the documents that came with it.
func (c *claudeMessage) messages() []Message {
	var texts, papers []string
	for _, b := range c.Content {
		switch b.Type {
		case "text", "voice_note":
			texts = append(texts, b.Text)
		case "tool_use":
			paper, _ := b.Input.Content.(string)
			papers = append(papers, paper)
		}
	}
	text := joined(texts, "\n\n")
	// Behind a tool's call some exports go on in the plain text alone.
	if plain := strings.TrimSpace(hiddenText.ReplaceAllString(c.Text, "")); len(plain) > len(text) {
		text = plain
	}
	role := assistant
	if c.Sender == "human" || c.Sender == user {
		role = user
	}
	var out []Message
	add := func(role, speaker, ref, text string) {
		if strings.TrimSpace(text) != "" {
			m := Message{}
			m.Role, m.Speaker, m.Ref, m.Content = role, speaker, ref, text
			out = append(out, m)
		}
	}
	add(role, "", c.UUID, text)
	for i, a := range c.Attachments {
		add(tool, a.Name, nth(c.UUID, "a", i), a.Text)
	}
	for i, p := range papers {
		add(tool, "", nth(c.UUID, "d", i), p)
	}
	return out
}

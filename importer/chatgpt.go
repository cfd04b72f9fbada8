package importer

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"
)

// ChatGPT reads conversations.json of ChatGPT's data export. Of a conversation with branches it takes the one that is shown.
var ChatGPT = Importer{
	Name: "ChatGPT",
	Reads: func(name string, head []byte) bool {
		return strings.HasSuffix(name, ".json") && (hasKeys(head, "mapping", "author") || hasKeys(head, "mapping", "current_node"))
	},
	Read: func(f File, yield func(Message, error) bool) {
		for c := range each(objects[gptChat](f), yield) {
			c.ID = cmp.Or(c.ID, c.ConversationID)
			for _, n := range branch(c.Mapping, c.current(), func(n gptNode) string { return n.Parent }) {
				m, ok := n.Message.message()
				if !ok {
					continue
				}
				m.ChatID, m.Title, m.Platform, m.Agent = c.ID, c.Title, "chatgpt", "chatgpt"
				m.At = cmp.Or(unix(n.Message.CreateTime), unix(c.CreateTime))
				if !yield(m, nil) {
					return
				}
			}
		}
	},
}

// hasKeys tells whether the names stand in JSON as keys.
func hasKeys(head []byte, names ...string) bool {
	return !slices.ContainsFunc(names, func(name string) bool {
		at := bytes.Index(head, []byte(`"`+name+`"`))
		return at < 0 || !bytes.HasPrefix(bytes.TrimLeft(head[at+len(name)+2:], " \t\r\n"), []byte(":"))
	})
}

type gptChat struct {
	ID             string             `json:"id"`
	ConversationID string             `json:"conversation_id"`
	Title          string             `json:"title" importer:"beside"`
	CreateTime     float64            `json:"create_time" importer:"beside"`
	CurrentNode    string             `json:"current_node"`
	Mapping        map[string]gptNode `json:"mapping"`
}

type gptNode struct {
	Parent   string      `json:"parent"`
	Children []string    `json:"children"`
	Message  *gptMessage `json:"message"`
}

type gptMessage struct {
	ID     string `json:"id"`
	Author struct {
		Role string `json:"role"`
		Name string `json:"name"`
	} `json:"author"`
	CreateTime float64 `json:"create_time"`
	Recipient  string  `json:"recipient"`
	Content    struct {
		Type  string            `json:"content_type"`
		Parts []json.RawMessage `json:"parts"`
		Text  string            `json:"text"`
	} `json:"content"`
	Metadata struct {
		Hidden bool `json:"is_visually_hidden_from_conversation"`
	} `json:"metadata"`
}

// branch is the way from the root of a tree to a node.
func branch[N any](nodes map[string]N, to string, parent func(N) string) []N {
	var out []N
	seen := map[string]bool{}
	for n, ok := nodes[to]; ok && !seen[to]; n, ok = nodes[to] {
		seen[to] = true
		out = append(out, n)
		to = parent(n)
	}
	slices.Reverse(out)
	return out
}

// current is the node that the shown branch ends with; where the export names none, the newest one without an answer.
func (c *gptChat) current() string {
	if _, ok := c.Mapping[c.CurrentNode]; ok {
		return c.CurrentNode
	}
	last, newest := "", -1.0
	for id, n := range c.Mapping {
		if len(n.Children) > 0 {
			continue
		}
		when := 0.0
		if n.Message != nil {
			when = n.Message.CreateTime
		}
		if when > newest || when == newest && id > last {
			last, newest = id, when
		}
	}
	return last
}

// message is what a node says, false where that is nothing of anybody.
func (g *gptMessage) message() (m Message, ok bool) {
	if g == nil || g.Author.Role == "system" || g.Metadata.Hidden {
		return m, false
	}
	m.Role = g.Author.Role
	switch kind := g.Content.Type; {
	case kind == "thoughts" || kind == "reasoning_recap" || kind == "user_editable_context" || kind == "model_editable_context":
		return m, false
	case m.Role == assistant && g.Recipient != "" && g.Recipient != "all": // it calls a tool
		m.Role = tool
	case m.Role != user && m.Role != assistant:
		m.Role, m.Speaker = tool, g.Author.Name
	}
	m.Content, m.Ref = g.text(), g.ID
	return m, strings.TrimSpace(m.Content) != ""
}

// text puts the parts of a message together. Pictures and sounds are left out, what was said in a sound is not.
func (g *gptMessage) text() string {
	texts := []string{g.Content.Text}
	for _, raw := range g.Content.Parts {
		var s string
		if json.Unmarshal(raw, &s) != nil {
			var part struct {
				Text string `json:"text"`
			}
			if err := decode(raw, &part); err == nil || errors.Is(err, errKind) {
				s = part.Text
			}
		}
		texts = append(texts, s)
	}
	return joined(texts, "\n")
}

// joined puts texts that are not empty together.
func joined(texts []string, sep string) string {
	return strings.Join(slices.DeleteFunc(texts, func(s string) bool { return strings.TrimSpace(s) == "" }), sep)
}

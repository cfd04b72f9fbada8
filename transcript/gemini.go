package transcript

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
)

// Gemini is Gemini CLI.
type Gemini struct{}

// Name implements [Host].
func (Gemini) Name() string { return "gemini" }

// Folders implements [Host].
func (Gemini) Folders(home string) []string { return []string{filepath.Join(home, ".gemini", "tmp")} }

// Keeps implements [Host]. Sessions lie in PROJECT/chats; those of sub-agents deeper.
func (Gemini) Keeps(path string) bool {
	dir, name := filepath.Split(filepath.ToSlash(path))
	return strings.HasPrefix(name, "session-") && strings.HasPrefix(filepath.Ext(name), ".json") && strings.HasSuffix(dir, "/chats/") &&
		strings.Count(dir, "/") == 2
}

// Reads implements [Host].
func (Gemini) Reads(_ string, head []byte) bool {
	head = head[:min(len(head), 1024)]
	return bytes.HasPrefix(bytes.TrimSpace(head), []byte("{")) && bytes.Contains(head, []byte(`"sessionId"`)) &&
		bytes.Contains(head, []byte(`"projectHash"`))
}

// geminiLine is a line as far as it is understood: the first one tells of the session, and others are messages.
type geminiLine struct {
	SessionID   string   `json:"sessionId"`
	Kind        string   `json:"kind"`
	Directories []string `json:"directories"`

	ID        string          `json:"id"`
	Timestamp string          `json:"timestamp"`
	Type      string          `json:"type"`
	Content   json.RawMessage `json:"content"`
	Display   json.RawMessage `json:"displayContent"` // what the person typed, where the content has more
	Calls     []struct {
		ID          string          `json:"id"`
		Name        string          `json:"name"`
		DisplayName string          `json:"displayName"`
		Args        json.RawMessage `json:"args"`
		Result      json.RawMessage `json:"result"`
		Timestamp   string          `json:"timestamp"`
	} `json:"toolCalls"`
}

func (Gemini) entries(raw []byte, s *session) ([]entry, error) {
	var l geminiLine
	if err := json.Unmarshal(raw, &l); err != nil {
		return nil, err
	}
	if !s.known {
		s.chat, s.agent = l.SessionID, l.Kind == "subagent"
		if len(l.Directories) > 0 {
			s.dir = l.Directories[0]
		}
	}
	if l.ID == "" || s.agent {
		return nil, nil
	}
	e := entry{chat: s.chat, id: l.ID, dir: s.dir, at: moment(l.Timestamp)}
	switch l.Type {
	case "user":
		if e.text = l.typed(); e.text == "" {
			return nil, nil
		}
		e.role, e.prompt = s.prompter(), true
		return []entry{e}, nil
	case "gemini":
		return l.answered(e), nil
	}
	return nil, nil
}

// whole tells the form that earlier versions wrote. Its first line is no value, or is all of it.
func (Gemini) whole(head []byte) bool {
	first, _, _ := bytes.Cut(head, []byte("\n"))
	return !json.Valid(bytes.TrimSpace(first)) || bytes.Contains(first, []byte(`"messages"`))
}

func (Gemini) messages(data []byte) ([]json.RawMessage, error) {
	var all struct {
		geminiLine
		Messages []json.RawMessage `json:"messages"`
	}
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, err
	}
	first, err := json.Marshal(all.geminiLine)
	return append([]json.RawMessage{first}, all.Messages...), err
}

// referenced begins the texts of files that a prompt names.
const referenced = "--- Content from referenced files ---"

// typed is what the person typed. Parts that are no text are results and files.
func (l geminiLine) typed() string {
	content := l.Content
	if len(l.Display) > 0 && string(l.Display) != "null" {
		content = l.Display
	}
	text, _, _ := strings.Cut(texts(content), referenced)
	return without(text, geminiElements)
}

// answered are what the assistant said, and its calls with their results. The message is written again with each result.
func (l geminiLine) answered(e entry) (out []entry) {
	if text := texts(l.Content); strings.TrimSpace(text) != "" {
		said := e
		said.role, said.text = assistant, text
		out = append(out, said)
	}
	for _, c := range l.Calls {
		call := e
		call.call, call.own = c.ID, ours(c.Args, c.Name, c.DisplayName)
		out = append(out, call)
		if len(c.Result) == 0 || string(c.Result) == "null" {
			continue
		}
		result := call
		result.role, result.id, result.own, result.text = tool, e.id+"/"+c.ID, false, geminiResult(c.Result)
		if at := moment(c.Timestamp); !at.IsZero() {
			result.at = at
		}
		out = append(out, result)
	}
	return out
}

// geminiResult is the text of what a call gave: the output of the response, or parts that are texts.
func geminiResult(raw json.RawMessage) string {
	var parts []struct {
		Response struct {
			Response struct {
				Output string `json:"output"`
				Error  string `json:"error"`
			} `json:"response"`
		} `json:"functionResponse"`
	}
	_ = json.Unmarshal(raw, &parts)
	var out []string
	for _, p := range parts {
		for _, text := range []string{p.Response.Response.Output, p.Response.Response.Error} {
			if text != "" {
				out = append(out, text)
			}
		}
	}
	if len(out) == 0 {
		return texts(raw)
	}
	return strings.Join(out, "\n")
}

// geminiElements are what the program writes into prompts.
var geminiElements = []string{"session_context", "hook_context", "state_snapshot"}

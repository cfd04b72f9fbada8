package transcript

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"

	"github.com/reverie-memory/reverie/vault"
)

// Codex is Codex CLI.
type Codex struct{}

// Name implements [Host].
func (Codex) Name() string { return "codex" }

// Folders implements [Host].
func (Codex) Folders(home string) []string {
	dir := folder("CODEX_HOME", home, ".codex")
	return []string{filepath.Join(dir, "sessions"), filepath.Join(dir, "archived_sessions")}
}

// Keeps implements [Host].
func (Codex) Keeps(path string) bool {
	name := filepath.Base(path)
	return strings.HasPrefix(name, "rollout-") && filepath.Ext(name) == ".jsonl"
}

// Reads implements [Host]. The first line may be longer than the head.
func (Codex) Reads(_ string, head []byte) bool {
	first, _, _ := bytes.Cut(head, []byte("\n"))
	return bytes.Contains(first, []byte(`"session_meta"`)) && bytes.Contains(first, []byte(`"payload"`))
}

// codexLine is a line as far as it is understood.
type codexLine struct {
	Timestamp string          `json:"timestamp"`
	Type      string          `json:"type"`
	Payload   json.RawMessage `json:"payload"`
}

func (h Codex) entries(raw []byte, s *session) ([]entry, error) {
	var l codexLine
	if err := json.Unmarshal(raw, &l); err != nil {
		return nil, err
	}
	switch l.Type {
	case "session_meta":
		h.meta(l.Payload, s)
	case "event_msg":
		return h.event(l, s), nil
	case "response_item":
		return h.item(l, s), nil
	}
	return nil, nil
}

// meta reads the first line. A later one is of a session that this one goes on from.
func (Codex) meta(raw json.RawMessage, s *session) {
	if s.known {
		return
	}
	var m struct {
		ID         string          `json:"id"`
		CWD        string          `json:"cwd"`
		Originator string          `json:"originator"`
		Source     json.RawMessage `json:"source"`
	}
	_ = json.Unmarshal(raw, &m)
	s.chat, s.dir = m.ID, m.CWD
	s.program = m.Originator == "codex_exec" || string(m.Source) == `"exec"`
	s.agent = bytes.HasPrefix(m.Source, []byte("{")) && bytes.Contains(bytes.ToLower(m.Source), []byte("agent"))
}

// event is what the person typed. The same text comes as an item too, among those that the program put before it.
func (Codex) event(l codexLine, s *session) []entry {
	var p struct {
		Type    string `json:"type"`
		Message string `json:"message"`
		Kind    string `json:"kind"`
	}
	if json.Unmarshal(l.Payload, &p) != nil || s.agent || p.Type != "user_message" || p.Kind != "" && p.Kind != "plain" {
		return nil
	}
	text := without(p.Message, codexElements)
	if text == "" {
		return nil
	}
	e := l.entry(s, p.Message)
	e.role, e.text, e.prompt = s.prompter(), text, true
	return []entry{e}
}

// item is what the assistant said, a call, or the result of one.
func (Codex) item(l codexLine, s *session) []entry {
	var p struct {
		Type      string          `json:"type"`
		Role      string          `json:"role"`
		Content   json.RawMessage `json:"content"`
		CallID    string          `json:"call_id"`
		Name      string          `json:"name"`
		Namespace string          `json:"namespace"`
		Arguments string          `json:"arguments"`
		Input     string          `json:"input"`
		Action    json.RawMessage `json:"action"`
		Output    json.RawMessage `json:"output"`
	}
	if json.Unmarshal(l.Payload, &p) != nil || s.agent {
		return nil
	}
	e := l.entry(s, string(l.Payload))
	switch p.Type {
	case "message":
		if e.text = texts(p.Content); p.Role != assistant || strings.TrimSpace(e.text) == "" {
			return nil
		}
		e.role = assistant
	case "function_call", "custom_tool_call", "local_shell_call":
		input := json.RawMessage(p.Arguments)
		if len(p.Action) > 0 {
			input = p.Action
		}
		e.call, e.own = p.CallID, ours(input, p.Name, p.Namespace) || shell.MatchString(p.Input)
	case "function_call_output", "custom_tool_call_output":
		e.role, e.call, e.text = tool, p.CallID, codexOutput(p.Output)
	default:
		return nil
	}
	return []entry{e}
}

// entry begins an entry. Lines have no ids, so that one is made of what does not change.
func (l codexLine) entry(s *session, said string) entry {
	return entry{chat: s.chat, id: vault.DeriveID('m', l.Timestamp, said), dir: s.dir, at: moment(l.Timestamp)}
}

// codexOutput is the text of a result: as it is, in the parts of a message, or in JSON within the text.
func codexOutput(raw json.RawMessage) string {
	var wrapped struct {
		Output  string          `json:"output"`
		Content json.RawMessage `json:"content"`
	}
	text := texts(raw)
	inner := []byte(text)
	if text == "" {
		inner = raw
	}
	if json.Unmarshal(inner, &wrapped) == nil {
		switch {
		case wrapped.Output != "":
			return wrapped.Output
		case len(wrapped.Content) > 0:
			return texts(wrapped.Content)
		}
	}
	return text
}

// codexElements are what the program writes into prompts.
var codexElements = []string{"environment_context", "user_instructions", "turn_aborted", "INSTRUCTIONS", "skill"}

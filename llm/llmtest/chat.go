package llmtest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// A Call is a tool call of a Reply.
type Call struct {
	ID        string // "" is one of the server's own; NoID sends none
	Name      string
	Arguments string          // a JSON object, or whatever a model may write instead
	Extra     json.RawMessage // Google's extra_content
}

// NoID is the id of a Call that is sent without one, as some servers do.
const NoID = "none"

func (c Call) id(i int) string {
	switch c.ID {
	case "":
		return fmt.Sprintf("c%d", i+1)
	case NoID:
		return ""
	}
	return c.ID
}

// A Message is one message of a chat, as the protocols have in common.
type Message struct {
	Role    string
	Text    string
	Calls   []Call
	Answers []string // ids of the calls that it answers
}

// Call appends an answer that calls one tool.
func (s *Server) Call(name, arguments string) {
	s.Script(Reply{Calls: []Call{{Name: name, Arguments: arguments}}, InputTokens: 10, OutputTokens: 5})
}

func record(r *http.Request) Request {
	data, _ := io.ReadAll(r.Body)
	req := Request{Path: r.URL.Path, Header: r.Header, Raw: string(data)}
	_ = json.Unmarshal(data, &req.Body)
	_ = json.Unmarshal(req.Body["input"], &req.Input)
	var messages []wireMessage
	_ = json.Unmarshal(req.Body["messages"], &messages)
	var parts []string
	if req.Has("system", nil) {
		parts = append(parts, words(req.Body["system"]))
	}
	for _, w := range messages {
		m := w.message()
		req.Messages = append(req.Messages, m)
		parts = append(parts, m.Text)
	}
	req.Prompt = strings.Join(parts, "\n\n")
	var tools []struct {
		Name     string `json:"name"` // Anthropic
		Function struct {
			Name string `json:"name"`
		} `json:"function"`
	}
	_ = json.Unmarshal(req.Body["tools"], &tools)
	for _, t := range tools {
		req.Tools = append(req.Tools, t.Name+t.Function.Name)
	}
	return req
}

// wireMessage is a message of any of the protocols.
type wireMessage struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
	CallID  string          `json:"tool_call_id"`
	Calls   []struct {
		ID       string          `json:"id"`
		Extra    json.RawMessage `json:"extra_content"`
		Function struct {
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
}

func (w wireMessage) message() Message {
	m := Message{Role: w.Role, Text: words(w.Content)}
	if w.CallID != "" {
		m.Answers = append(m.Answers, w.CallID)
	}
	for _, c := range w.Calls {
		call := Call{ID: c.ID, Name: c.Function.Name, Arguments: string(c.Function.Arguments), Extra: c.Extra}
		var text string
		if json.Unmarshal(c.Function.Arguments, &text) == nil {
			call.Arguments = text
		}
		m.Calls = append(m.Calls, call)
	}
	var list []struct {
		Type  string          `json:"type"`
		ID    string          `json:"id"`
		Name  string          `json:"name"`
		Input json.RawMessage `json:"input"`
		Use   string          `json:"tool_use_id"`
	}
	_ = json.Unmarshal(w.Content, &list)
	for _, p := range list {
		switch p.Type {
		case "tool_use":
			m.Calls = append(m.Calls, Call{ID: p.ID, Name: p.Name, Arguments: string(p.Input)})
		case "tool_result":
			m.Answers = append(m.Answers, p.Use)
		}
	}
	return m
}

// words reads a content that is a text or a list of parts.
func words(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var list []struct {
		Text    string `json:"text"`
		Content string `json:"content"` // of a tool's answer
	}
	_ = json.Unmarshal(raw, &list)
	for _, p := range list {
		text += p.Text + p.Content
	}
	return text
}

func completion(reply Reply) any {
	finish := reply.Finish
	if finish == "" {
		finish = map[bool]string{true: "stop", false: "tool_calls"}[len(reply.Calls) == 0]
	}
	message := map[string]any{"role": "assistant", "content": reply.Text}
	var calls []any
	for i, c := range reply.Calls {
		call := map[string]any{"id": c.id(i), "type": "function", "function": map[string]any{"name": c.Name, "arguments": c.Arguments}}
		if c.Extra != nil {
			call["extra_content"] = c.Extra
		}
		calls = append(calls, call)
	}
	if calls != nil {
		message["tool_calls"] = calls
	}
	return map[string]any{
		"object":  "chat.completion",
		"choices": []any{map[string]any{"index": 0, "finish_reason": finish, "message": message}},
		"usage": map[string]any{
			"prompt_tokens": reply.InputTokens, "completion_tokens": reply.OutputTokens,
			"total_tokens": reply.InputTokens + reply.OutputTokens,
		},
	}
}

func ollama(reply Reply) any {
	message := map[string]any{"role": "assistant", "content": reply.Text}
	var calls []any
	for _, c := range reply.Calls {
		calls = append(calls, map[string]any{"function": map[string]any{"name": c.Name, "arguments": json.RawMessage(c.Arguments)}})
	}
	if calls != nil {
		message["tool_calls"] = calls
	}
	out := map[string]any{"message": message, "done": true, "prompt_eval_count": reply.InputTokens, "eval_count": reply.OutputTokens}
	if reply.Finish != "" {
		out["done_reason"] = reply.Finish
	}
	return out
}

func message(req Request, reply Reply) any {
	finish := reply.Finish
	if finish == "" {
		finish = map[bool]string{true: "end_turn", false: "tool_use"}[len(reply.Calls) == 0]
	}
	content := []any{}
	switch {
	case req.Has("tool_choice", nil) && json.Valid([]byte(reply.Text)):
		content = append(content, map[string]any{"type": "tool_use", "id": "t1", "name": "answer", "input": json.RawMessage(reply.Text)})
	case reply.Text != "" || len(req.Tools) == 0:
		content = append(content, map[string]any{"type": "text", "text": reply.Text})
	}
	for i, c := range reply.Calls {
		content = append(content, map[string]any{"type": "tool_use", "id": c.id(i), "name": c.Name, "input": json.RawMessage(c.Arguments)})
	}
	return map[string]any{
		"id": "m1", "type": "message", "role": "assistant", "model": "m", "stop_reason": finish, "content": content,
		"usage": map[string]any{"input_tokens": reply.InputTokens, "output_tokens": reply.OutputTokens},
	}
}

func write(w io.Writer, v any) { _ = json.NewEncoder(w).Encode(v) }

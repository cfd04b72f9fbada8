package llm

import "encoding/json"

// Google wants what it put beside a call (a signature of the model's thoughts) back with it, and langchaingo drops it.

type wireCall struct {
	ID    string          `json:"id"`
	Extra json.RawMessage `json:"extra_content"`
}

// addExtras finds in a reply of OpenAI's protocol what stands beside the calls.
func addExtras(calls []ToolCall, reply []byte) {
	var r struct {
		Choices []struct {
			Message struct {
				Calls []wireCall `json:"tool_calls"`
			} `json:"message"`
		} `json:"choices"`
	}
	if len(calls) == 0 || json.Unmarshal(reply, &r) != nil || len(r.Choices) == 0 {
		return
	}
	for i, w := range r.Choices[0].Message.Calls {
		if i < len(calls) && calls[i].ID == w.ID {
			calls[i].extra = w.Extra
		}
	}
}

// withExtras puts it back beside the calls of a request.
func withExtras(raw json.RawMessage, talk Conversation) json.RawMessage {
	extras := map[string]json.RawMessage{}
	for _, m := range talk.Messages {
		for _, call := range m.Calls {
			if len(call.extra) > 0 {
				extras[call.ID] = call.extra
			}
		}
	}
	var messages []map[string]json.RawMessage
	if len(extras) == 0 || json.Unmarshal(raw, &messages) != nil {
		return raw
	}
	for _, m := range messages {
		var calls []map[string]json.RawMessage
		if json.Unmarshal(m["tool_calls"], &calls) != nil || len(calls) == 0 {
			continue
		}
		for _, call := range calls {
			var id string
			if json.Unmarshal(call["id"], &id) == nil && extras[id] != nil {
				call["extra_content"] = extras[id]
			}
		}
		m["tool_calls"] = marshal(calls)
	}
	return marshal(messages)
}

type ollamaCall struct {
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"` // an object, not a text
	} `json:"function"`
}

type ollamaMessage struct {
	Role    string       `json:"role"`
	Content string       `json:"content"`
	Calls   []ollamaCall `json:"tool_calls,omitempty"`
	Tool    string       `json:"tool_name,omitempty"`
}

// ollamaMessages writes a conversation as Ollama's own protocol has it.
func ollamaMessages(talk Conversation) json.RawMessage {
	var out []ollamaMessage
	if talk.System != "" {
		out = append(out, ollamaMessage{Role: "system", Content: talk.System})
	}
	roles := map[Role]string{RoleUser: "user", RoleModel: "assistant", RoleTool: "tool"}
	for _, m := range talk.Messages {
		w := ollamaMessage{Role: roles[m.Role], Content: m.Text, Tool: m.Tool}
		for _, call := range m.Calls {
			var c ollamaCall
			c.Function.Name, c.Function.Arguments = call.Name, json.RawMessage(call.Arguments)
			w.Calls = append(w.Calls, c)
		}
		out = append(out, w)
	}
	return marshal(out)
}

func ollamaTools(tools []Tool) json.RawMessage {
	out := make([]any, len(tools))
	for i, t := range tools {
		out[i] = map[string]any{"type": "function", "function": map[string]any{
			"name": t.Name, "description": t.Description, "parameters": json.RawMessage(t.Schema),
		}}
	}
	return marshal(out)
}

// ollamaTurn reads a reply of Ollama's own protocol.
func ollamaTurn(reply []byte) (Turn, string) {
	var r struct {
		Message ollamaMessage `json:"message"`
		Stop    string        `json:"done_reason"`
		Input   int           `json:"prompt_eval_count"`
		Output  int           `json:"eval_count"`
	}
	if json.Unmarshal(reply, &r) != nil {
		return Turn{}, ""
	}
	t := Turn{Text: r.Message.Content, InputTokens: max(0, r.Input), OutputTokens: max(0, r.Output)}
	for _, c := range r.Message.Calls {
		t.Calls = append(t.Calls, ToolCall{Name: c.Function.Name, Arguments: string(c.Function.Arguments)})
	}
	return t, r.Stop
}

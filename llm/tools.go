package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/anthropic"

	"github.com/reverie-memory/reverie/internal/slice"
)

// Talk implements [Talker].
//
// OpenAI's protocol goes through langchaingo as it is. Its Anthropic client sends only the first part of a message, so a turn
// goes out in pieces that the transport joins. Its Ollama client knows no tools; Ollama's OpenAI protocol would, but takes no
// context length and cuts the start off what is longer than the server's own, so the transport writes tools into the native
// request and reads the calls from the reply.
func (c *chat) Talk(ctx context.Context, talk Conversation) (Turn, error) {
	if talk.MaxTokens <= 0 {
		talk.MaxTokens = defaultMaxTokens
	}
	for _, t := range talk.Tools {
		if !json.Valid(t.Schema) {
			return Turn{}, fmt.Errorf("the schema of tool %s is not JSON", t.Name)
		}
	}
	talk = sendable(talk)
	t, err := c.turn(ctx, talk)
	var status *StatusError
	if errors.As(err, &status) && len(talk.Tools) > 0 && refusesTools(status) {
		err = fmt.Errorf("%w: %s", ErrNoTools, status.Message) // the status would have it tried again
	}
	if err != nil {
		return t, fmt.Errorf("asking %s: %w", c.Name(), err)
	}
	return t, nil
}

// refusesTools tells a server or model that knows no tools from one that refuses for another reason. llama.cpp says it with 500,
// OpenRouter with 404.
func refusesTools(e *StatusError) bool {
	text := strings.ToLower(e.Message)
	known := e.Code == 400 || e.Code == 404 || e.Code == 422 || e.Code == 500 || e.Code == 501
	if !known || !strings.Contains(text, "tool") && !strings.Contains(text, "function call") {
		return false
	}
	return slices.ContainsFunc([]string{
		"support", "requires", "unknown", "unrecognized", "not permitted", "extra inputs", "enable",
		"not allowed", "not implemented",
	}, func(word string) bool { return strings.Contains(text, word) })
}

// sendable is the conversation without secrets and without what servers refuse in a history: names and arguments that the model
// got wrong, and empty texts.
func sendable(talk Conversation) Conversation {
	talk.System = strings.TrimSpace(clean(talk.System))
	messages := make([]Message, len(talk.Messages))
	for i, m := range talk.Messages {
		m.Text = clean(m.Text)
		calls := make([]ToolCall, len(m.Calls))
		for j, call := range m.Calls {
			call.Name = toolName(call.Name)
			if call.Arguments = clean(call.Arguments); !isObject(call.Arguments) {
				call.Arguments = "{}"
			}
			calls[j] = call
		}
		if m.Calls = calls; strings.TrimSpace(m.Text) == "" && len(calls) == 0 {
			m.Text = "(nothing)"
		}
		messages[i] = m
	}
	talk.Messages = messages
	return talk
}

func isObject(text string) bool {
	var object map[string]json.RawMessage
	return json.Unmarshal([]byte(text), &object) == nil && object != nil
}

func toolName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, name)
	if name == "" {
		return "unnamed"
	}
	return name[:min(len(name), 64)]
}

func (c *chat) turn(ctx context.Context, talk Conversation) (Turn, error) {
	var reply []byte
	x := &exchange{edit: c.talkEdits(talk), seen: func(body []byte) { reply = body }}
	tools := slice.Map(talk.Tools, func(t Tool) llms.Tool { return tool(t.Name, t.Description, t.Schema) })
	resp, err := c.generate(ctx, x, c.said(talk), c.callOptions(talk.MaxTokens, tools))
	if err != nil && !errors.Is(err, anthropic.ErrEmptyResponse) { // which is how Claude ends after a tool's answer
		return Turn{}, err
	}
	t, stop := Turn{}, ""
	if c.style == schemaOllama {
		t, stop = ollamaTurn(reply)
	} else {
		t, stop = readTurn(resp)
		addExtras(t.Calls, reply)
	}
	t.Text = strings.TrimSpace(t.Text)
	for i := range t.Calls {
		if t.Calls[i].ID == "" {
			t.Calls[i].ID = fmt.Sprintf("call_%d_%d", len(talk.Messages), i)
		}
	}
	switch {
	case stop == "length" || stop == "max_tokens":
		return t, fmt.Errorf("%w (%d)", ErrCutAnswer, talk.MaxTokens)
	case t.Text == "" && len(t.Calls) == 0:
		return t, fmt.Errorf("%w%s", ErrEmptyAnswer, because(stop))
	}
	return t, nil
}

// said writes the conversation in langchaingo's terms.
func (c *chat) said(talk Conversation) []llms.MessageContent {
	var out []llms.MessageContent
	if talk.System != "" {
		out = append(out, llms.TextParts(llms.ChatMessageTypeSystem, talk.System))
	}
	if c.style == schemaOllama { // its client wants texts only; the transport puts the conversation in
		return append(out, llms.TextParts(llms.ChatMessageTypeHuman, ""))
	}
	for _, m := range talk.Messages {
		switch m.Role {
		case RoleTool:
			out = append(out, llms.MessageContent{Role: llms.ChatMessageTypeTool, Parts: []llms.ContentPart{
				llms.ToolCallResponse{ToolCallID: m.CallID, Name: m.Tool, Content: m.Text},
			}})
		case RoleModel:
			var parts []llms.ContentPart
			if strings.TrimSpace(m.Text) != "" {
				parts = append(parts, llms.TextContent{Text: m.Text})
			}
			for _, call := range m.Calls {
				parts = append(parts, llms.ToolCall{
					ID: call.ID, Type: "function",
					FunctionCall: &llms.FunctionCall{Name: call.Name, Arguments: call.Arguments},
				})
			}
			if c.style != schemaTool {
				out = append(out, llms.MessageContent{Role: llms.ChatMessageTypeAI, Parts: parts})
				continue
			}
			for _, p := range parts {
				out = append(out, llms.MessageContent{Role: llms.ChatMessageTypeAI, Parts: []llms.ContentPart{p}})
			}
		default:
			out = append(out, llms.TextParts(llms.ChatMessageTypeHuman, m.Text))
		}
	}
	return out
}

// talkEdits returns the changes of the request body that langchaingo has no option for.
func (c *chat) talkEdits(talk Conversation) func(map[string]json.RawMessage) {
	return func(body map[string]json.RawMessage) {
		c.dropTemperature(body)
		switch c.style {
		case schemaOllama:
			body["messages"], body["tools"] = ollamaMessages(talk), ollamaTools(talk.Tools)
		case schemaTool:
			body["messages"] = joined(body["messages"])
		default:
			body["messages"] = withExtras(body["messages"], talk)
		}
	}
}

// readTurn collects text, calls and token counts from langchaingo's answer. Its Anthropic client makes a choice of each part.
func readTurn(resp *llms.ContentResponse) (t Turn, stop string) {
	stop = eachChoice(resp, &t.InputTokens, &t.OutputTokens, func(choice *llms.ContentChoice) bool {
		t.Text = strings.TrimSpace(t.Text + "\n" + choice.Content)
		for _, call := range choice.ToolCalls {
			if call.FunctionCall != nil {
				t.Calls = append(t.Calls, ToolCall{ID: call.ID, Name: call.FunctionCall.Name, Arguments: call.FunctionCall.Arguments})
			}
		}
		return true
	})
	return t, stop
}

// joined makes one message of neighbours of the same role, as Anthropic's protocol has the calls of a turn and their answers.
func joined(raw json.RawMessage) json.RawMessage {
	type message struct {
		Role    string            `json:"role"`
		Content []json.RawMessage `json:"content"`
	}
	var in, out []message
	if json.Unmarshal(raw, &in) != nil {
		return raw
	}
	for _, m := range in {
		if n := len(out); n > 0 && out[n-1].Role == m.Role {
			out[n-1].Content = append(out[n-1].Content, m.Content...)
			continue
		}
		out = append(out, m)
	}
	return marshal(out)
}

// marshal is for values that cannot fail; text stays as it is.
func marshal(v any) json.RawMessage {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v)
	return bytes.TrimSpace(b.Bytes())
}

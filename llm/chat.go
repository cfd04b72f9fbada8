package llm

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/anthropic"
	"github.com/tmc/langchaingo/llms/ollama"
	"github.com/tmc/langchaingo/llms/openai"

	"github.com/reverie-memory/reverie/redact"
)

// Errors of answers that arrived and are of no use.
var (
	ErrEmptyAnswer = errors.New("the model answered nothing")
	ErrCutAnswer   = errors.New("the answer was cut off at the token limit")
	ErrNotJSON     = errors.New("the answer is not the JSON that was asked for")
)

const (
	defaultMaxTokens     = 4096 // Anthropic wants a limit, and the budget does too
	defaultContextTokens = 8192 // Ollama's own default truncates a turn silently
)

// how a provider takes a schema.
type schemaStyle int

const (
	schemaInPrompt schemaStyle = iota // as words; the answer is searched for JSON
	schemaOpenAI                      // response_format json_schema
	schemaOllama                      // format
	schemaTool                        // a tool whose input is the answer, and no other choice (Anthropic)
)

// A chat asks one model through langchaingo.
type chat struct {
	options ChatOptions
	model   llms.Model
	style   schemaStyle
	legacy  bool        // wants max_tokens, as local servers do
	plain   atomic.Bool // the server refused a schema once: use the prompt from now on
}

func newOpenAIChat(o ChatOptions) (*chat, error) {
	fallback := openaiURL
	if o.Provider == ProviderGoogle {
		fallback = googleURL
	}
	base, err := baseURL(o.BaseURL, fallback)
	if err != nil {
		return nil, err
	}
	key := o.APIKey
	if key == "" {
		if o.BaseURL == "" || base.Hostname() == "api.openai.com" {
			return nil, fmt.Errorf("%s needs an API key (llm.api_key)", base.Hostname())
		}
		key = localToken
	}
	m, err := openai.New(openai.WithToken(key), openai.WithBaseURL(base.String()), openai.WithModel(o.Model),
		openai.WithEmbeddingModel(o.Model), openai.WithOrganization(""), openai.WithHTTPClient(newClient(base, o.AllowPlainHTTP)))
	if err != nil {
		return nil, err
	}
	return &chat{options: o, model: m, style: schemaOpenAI, legacy: base.Hostname() != "api.openai.com"}, nil
}

func newOllamaChat(o ChatOptions) (*chat, error) {
	base, err := baseURL(o.BaseURL, ollamaURL)
	if err != nil {
		return nil, err
	}
	base = &url.URL{Scheme: base.Scheme, Host: base.Host, Path: strings.TrimSuffix(base.Path, "/v1")}
	if o.ContextTokens <= 0 {
		o.ContextTokens = defaultContextTokens
	}
	m, err := ollama.New(ollama.WithServerURL(base.String()), ollama.WithModel(o.Model), ollama.WithRunnerNumCtx(o.ContextTokens),
		ollama.WithHTTPClient(newClient(base, o.AllowPlainHTTP)))
	if err != nil {
		return nil, err
	}
	return &chat{options: o, model: m, style: schemaOllama}, nil
}

func newAnthropicChat(o ChatOptions) (*chat, error) {
	base, err := baseURL(o.BaseURL, anthropicURL)
	if err != nil {
		return nil, err
	}
	key := o.APIKey
	if key == "" {
		if o.BaseURL == "" {
			return nil, errors.New("api.anthropic.com needs an API key (llm.api_key)")
		}
		key = localToken
	}
	m, err := anthropic.New(anthropic.WithToken(key), anthropic.WithModel(o.Model), anthropic.WithBaseURL(base.String()),
		anthropic.WithHTTPClient(newClient(base, o.AllowPlainHTTP)))
	if err != nil {
		return nil, err
	}
	return &chat{options: o, model: m, style: schemaTool}, nil
}

func (c *chat) Name() string { return c.options.Provider + "/" + c.options.Model }

func (c *chat) contextTokens() int { return c.options.ContextTokens }

// Complete asks once. Where the server refuses the schema as such, it asks again with the schema in the prompt.
func (c *chat) Complete(ctx context.Context, req Request) (Answer, error) {
	style := c.style
	if c.plain.Load() {
		style = schemaInPrompt
	}
	a, err := c.ask(ctx, req, style)
	var status *StatusError
	if req.Schema != nil && style == schemaOpenAI && errors.As(err, &status) && refusesSchema(status) {
		c.plain.Store(true)
		a, err = c.ask(ctx, req, schemaInPrompt)
	}
	if err != nil {
		return a, fmt.Errorf("asking %s: %w", c.Name(), err)
	}
	return a, nil
}

// refusesSchema tells a server that knows no response_format from one that refuses for another reason.
func refusesSchema(e *StatusError) bool {
	text := strings.ToLower(e.Message)
	return (e.Code == 400 || e.Code == 422) && (strings.Contains(text, "response_format") || strings.Contains(text, "schema"))
}

func (c *chat) ask(ctx context.Context, req Request, style schemaStyle) (Answer, error) {
	if req.MaxTokens <= 0 {
		req.MaxTokens = defaultMaxTokens
	}
	if req.Schema != nil && !json.Valid(req.Schema) {
		return Answer{}, errors.New("the request's schema is not JSON")
	}
	var tools []llms.Tool
	if req.Schema != nil && style == schemaTool {
		tools = []llms.Tool{tool(answerTool, "Give the answer.", req.Schema)}
	}
	x := &exchange{edit: c.edits(req, style)}
	resp, err := c.generate(ctx, x, c.messages(req, style), c.callOptions(req.MaxTokens, tools))
	if err != nil {
		return Answer{}, err
	}
	a, stop := read(resp)
	switch {
	case stop == "length" || stop == "max_tokens":
		return a, fmt.Errorf("%w (%d)", ErrCutAnswer, req.MaxTokens)
	case strings.TrimSpace(a.Text) == "":
		return a, fmt.Errorf("%w%s", ErrEmptyAnswer, because(stop))
	}
	if req.Schema != nil {
		text, err := onlyJSON(a.Text)
		if err != nil {
			return a, err
		}
		a.Text = text
	}
	return a, nil
}

// generate makes one request through langchaingo, which dereferences some of what a server may leave out of a reply.
func (c *chat) generate(ctx context.Context, x *exchange, messages []llms.MessageContent,
	options []llms.CallOption,
) (resp *llms.ContentResponse, err error) {
	defer func() {
		if p := recover(); p != nil {
			resp, err = nil, fmt.Errorf("the reply cannot be read: %v", p)
		}
	}()
	timeout := c.options.Timeout
	if timeout <= 0 {
		timeout = defaultTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	resp, err = c.model.GenerateContent(withExchange(ctx, x), messages, options...)
	return resp, x.because(ctx, err)
}

func because(stop string) string {
	if stop == "" || stop == "stop" || stop == "end_turn" {
		return ""
	}
	return " (" + stop + ")"
}

// schemaWords stand before a schema that goes into the prompt.
const schemaWords = "Answer with one JSON value and nothing else: no explanation, no code fence. It must follow this JSON Schema:\n"

func (c *chat) messages(req Request, style schemaStyle) []llms.MessageContent {
	system := clean(req.System)
	if req.Schema != nil && style == schemaInPrompt {
		system += "\n\n" + schemaWords + string(req.Schema)
	}
	var out []llms.MessageContent
	if system = strings.TrimSpace(system); system != "" {
		out = append(out, llms.TextParts(llms.ChatMessageTypeSystem, system))
	}
	return append(out, llms.TextParts(llms.ChatMessageTypeHuman, clean(req.Prompt)))
}

// clean takes out secrets once more: texts are redacted on their way to disk, but a person may have written some by hand.
func clean(text string) string {
	text, _ = redact.Redact(strings.ToValidUTF8(text, "�"))
	return text
}

// answerTool is the tool whose input is the answer.
const answerTool = "answer"

func (c *chat) callOptions(maxTokens int, tools []llms.Tool) []llms.CallOption {
	out := []llms.CallOption{llms.WithModel(c.options.Model), llms.WithMaxTokens(maxTokens), llms.WithTemperature(0)}
	if c.legacy {
		out = append(out, openai.WithLegacyMaxTokensField())
	}
	if len(tools) > 0 {
		out = append(out, llms.WithTools(tools))
	}
	return out
}

func tool(name, description string, schema []byte) llms.Tool {
	return llms.Tool{Type: "function", Function: &llms.FunctionDefinition{
		Name: name, Description: description, Parameters: json.RawMessage(schema),
	}}
}

// edits returns the changes of the request body that langchaingo has no option for.
func (c *chat) edits(req Request, style schemaStyle) func(map[string]json.RawMessage) {
	return func(body map[string]json.RawMessage) {
		c.dropTemperature(body)
		if req.Schema == nil {
			return
		}
		switch style {
		case schemaOpenAI:
			format, _ := json.Marshal(map[string]any{"type": "json_schema", "json_schema": map[string]any{
				"name": answerTool, "schema": json.RawMessage(req.Schema), "strict": strict(req.Schema),
			}})
			body["response_format"] = format
		case schemaOllama:
			body["format"] = json.RawMessage(req.Schema)
		case schemaTool:
			body["tool_choice"] = json.RawMessage(`{"type":"tool","name":"` + answerTool + `"}`)
		}
	}
}

// dropTemperature: newer models refuse to be told one.
func (c *chat) dropTemperature(body map[string]json.RawMessage) {
	if model := c.options.Model; c.style == schemaTool || len(model) > 1 && model[0] == 'o' && model[1] >= '0' && model[1] <= '9' {
		delete(body, "temperature")
	}
}

// strict tells whether a schema keeps OpenAI's rules for strict output: every object is closed and requires all of its properties.
func strict(schema []byte) bool {
	var node any
	return json.Unmarshal(schema, &node) == nil && closed(node)
}

func closed(node any) bool {
	switch n := node.(type) {
	case map[string]any:
		if props, ok := n["properties"].(map[string]any); ok {
			required, _ := n["required"].([]any)
			if n["additionalProperties"] != false || len(required) != len(props) {
				return false
			}
		}
		return closed(slices.Collect(maps.Values(n)))
	case []any:
		return !slices.ContainsFunc(n, func(v any) bool { return !closed(v) })
	}
	return true
}

// read collects text and token counts from langchaingo's answer: a tool's input where there is one, else the text.
func read(resp *llms.ContentResponse) (a Answer, stop string) {
	stop = eachChoice(resp, &a.InputTokens, &a.OutputTokens, func(choice *llms.ContentChoice) bool {
		if len(choice.ToolCalls) > 0 && choice.ToolCalls[0].FunctionCall != nil {
			a.Text = choice.ToolCalls[0].FunctionCall.Arguments
			return false
		}
		a.Text = cmp.Or(a.Text, choice.Content)
		return true
	})
	return a, stop
}

// eachChoice calls fn with the parts of langchaingo's answer until it returns false. eachChoice counts tokens, and returns why the answer
// ended.
func eachChoice(resp *llms.ContentResponse, in, out *int, fn func(*llms.ContentChoice) bool) (stop string) {
	if resp == nil {
		return ""
	}
	for _, choice := range resp.Choices {
		if choice == nil {
			continue
		}
		stop = cmp.Or(choice.StopReason, stop)
		*in = max(*in, number(choice.GenerationInfo, "PromptTokens", "InputTokens"))
		*out = max(*out, number(choice.GenerationInfo, "CompletionTokens", "OutputTokens"))
		if !fn(choice) {
			break
		}
	}
	return stop
}

func number(info map[string]any, names ...string) int {
	for _, name := range names {
		if n, ok := info[name].(int); ok && n > 0 {
			return n
		}
	}
	return 0
}

// onlyJSON returns the one JSON object of an answer, or its one list, which models like to wrap in thoughts, words and fences. What was
// cut off has none, whatever whole values stand within it.
func onlyJSON(text string) (string, error) {
	if _, after, ok := strings.Cut(text, "</think>"); ok {
		text = after
	}
	var objects, lists []string
	for {
		start := strings.IndexAny(text, "{[")
		if start < 0 {
			break
		}
		text = text[start:]
		dec := json.NewDecoder(strings.NewReader(text))
		var value json.RawMessage
		err := dec.Decode(&value)
		var syntax *json.SyntaxError
		switch {
		case err == nil && text[0] == '{':
			objects = append(objects, string(value))
		case err == nil:
			lists = append(lists, string(value))
		case !errors.As(err, &syntax): // the text ended before the value
			return "", fmt.Errorf("%w: %w", ErrNotJSON, err)
		default: // a brace in prose
			text = text[max(1, min(int(syntax.Offset), len(text))):]
			continue
		}
		text = text[dec.InputOffset():]
	}
	switch {
	case len(objects) == 1:
		return objects[0], nil
	case len(objects) == 0 && len(lists) == 1:
		return lists[0], nil
	case len(objects)+len(lists) == 0:
		return "", ErrNotJSON
	}
	return "", fmt.Errorf("%w: more than one value", ErrNotJSON)
}

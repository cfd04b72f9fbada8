package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/llm"
	"github.com/reverie-memory/reverie/llm/llmtest"
)

const openSchema = `{"type":"object","properties":{"facts":{"type":"array"}}}`

const closedSchema = `{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"],"additionalProperties":false}`

func newChat(t *testing.T, s *llmtest.Server, provider string) llm.Chat {
	t.Helper()
	url := s.URL + "/v1"
	if provider == llm.ProviderOllama {
		url = s.URL
	}
	c, err := llm.NewChat(llm.ChatOptions{Provider: provider, BaseURL: url, Model: "test-model", APIKey: "k"})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var providers = []string{llm.ProviderOpenAI, llm.ProviderGoogle, llm.ProviderOllama, llm.ProviderAnthropic}

func TestChatAnswers(t *testing.T) {
	for _, p := range providers {
		s := llmtest.New(t)
		s.Say("hello")
		secret := "gh" + "p_" + strings.Repeat("a1B2c3", 6)
		got, err := newChat(t, s, p).Complete(context.Background(), llm.Request{System: "be brief", Prompt: "hi " + secret, MaxTokens: 50})
		if err != nil {
			t.Fatalf("%s: %v", p, err)
		}
		if diff := cmp.Diff(llm.Answer{Text: "hello", InputTokens: 10, OutputTokens: 5}, got); diff != "" {
			t.Errorf("%s: %s", p, diff)
		}
		r := s.Requests()[0]
		if !strings.Contains(r.Prompt, "be brief") || !strings.Contains(r.Prompt, "hi [redacted: github token]") {
			t.Errorf("%s: sent %q", p, r.Prompt)
		}
		var tokens int
		var options struct {
			NumCtx     int `json:"num_ctx"`
			NumPredict int `json:"num_predict"`
		}
		if r.Has("options", &options) && options.NumCtx == 8192 {
			tokens = options.NumPredict
		}
		r.Has("max_tokens", &tokens)
		if tokens != 50 {
			t.Errorf("%s: token limit %d in %v", p, tokens, r.Body)
		}
	}
}

func TestChatAsksForJSONByItsProvidersMeans(t *testing.T) {
	for _, p := range providers {
		s := llmtest.New(t)
		s.Say(`{"n":1}`)
		got, err := newChat(t, s, p).Complete(context.Background(), llm.Request{Prompt: "x", Schema: []byte(closedSchema)})
		if err != nil {
			t.Fatalf("%s: %v", p, err)
		}
		if got.Text != `{"n":1}` {
			t.Errorf("%s: %q", p, got.Text)
		}
		r := s.Requests()[0]
		var sent json.RawMessage
		switch p {
		case llm.ProviderOllama:
			r.Has("format", &sent)
		case llm.ProviderAnthropic:
			var tools []struct {
				Schema json.RawMessage `json:"input_schema"`
			}
			if r.Has("temperature", nil) || !r.Has("tool_choice", nil) || !r.Has("tools", &tools) {
				t.Fatalf("%s: body %v", p, r.Body)
			}
			sent = tools[0].Schema
		default:
			var format struct {
				Type string `json:"type"`
				JSON struct {
					Strict bool            `json:"strict"`
					Schema json.RawMessage `json:"schema"`
				} `json:"json_schema"`
			}
			r.Has("response_format", &format)
			if format.Type != "json_schema" || !format.JSON.Strict {
				t.Errorf("%s: format %+v", p, format)
			}
			sent = format.JSON.Schema
		}
		if string(sent) != closedSchema {
			t.Errorf("%s: sent schema %s", p, sent)
		}
	}
}

func TestChatPutsASchemaThatIsRefusedIntoThePrompt(t *testing.T) {
	s := llmtest.New(t)
	s.Script(llmtest.Reply{Status: 400, Text: "response_format is not supported"})
	s.Say("```json\n{\"facts\":[]}\n```", `{"facts":[1]}`)
	c := newChat(t, s, llm.ProviderOpenAI)
	for _, want := range []string{`{"facts":[]}`, `{"facts":[1]}`} {
		got, err := c.Complete(context.Background(), llm.Request{Prompt: "x", Schema: []byte(openSchema)})
		if err != nil || got.Text != want {
			t.Fatalf("%q, %v", got.Text, err)
		}
	}
	r := s.Requests()
	if len(r) != 3 || r[1].Has("response_format", nil) || !strings.Contains(r[2].Prompt, openSchema) {
		t.Errorf("%d requests, the last prompt %q", len(r), r[len(r)-1].Prompt)
	}
}

func TestChatJSONOutOfWords(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":1}`:                          `{"a":1}`,
		"<think>{no}</think>\n[1]":         `[1]`,
		"Sure! Here it is: {\"a\":\"}\"}.": `{"a":"}"}`,
		"{\"a\":1} or {\"a\":2}":           "",
		"no json at all":                   "",
		`{"a":`:                            "",
		`"text"`:                           "",
	} {
		s := llmtest.New(t)
		s.Say(text)
		got, err := newChat(t, s, llm.ProviderOllama).Complete(context.Background(), llm.Request{Prompt: "x", Schema: []byte(openSchema)})
		if want == "" {
			if !errors.Is(err, llm.ErrNotJSON) {
				t.Errorf("%q: %q, %v", text, got.Text, err)
			}
		} else if err != nil || got.Text != want {
			t.Errorf("%q: %q, %v", text, got.Text, err)
		}
	}
}

func TestChatErrors(t *testing.T) {
	for _, p := range providers {
		cut := "length"
		if p == llm.ProviderAnthropic {
			cut = "max_tokens"
		}
		for name, c := range map[string]struct {
			reply llmtest.Reply
			is    error
			says  string
		}{
			"empty":    {llmtest.Reply{}, llm.ErrEmptyAnswer, ""},
			"blank":    {llmtest.Reply{Text: " \n"}, llm.ErrEmptyAnswer, ""},
			"cut":      {llmtest.Reply{Text: "half", Finish: cut}, llm.ErrCutAnswer, ""},
			"refused":  {llmtest.Reply{Status: 401, Text: "no such key"}, nil, "401 Unauthorized: no such key"},
			"hang up":  {llmtest.Reply{HangUp: true}, nil, "EOF"},
			"no body":  {llmtest.Reply{Body: " "}, nil, ""},
			"nonsense": {llmtest.Reply{Body: "<html>"}, nil, ""},
			"huge":     {llmtest.Reply{Text: strings.Repeat("x", 600_000)}, nil, "-"},
		} {
			if name == "cut" && p == llm.ProviderOllama { // langchaingo does not tell
				continue
			}
			s := llmtest.New(t)
			s.Script(c.reply)
			got, err := newChat(t, s, p).Complete(context.Background(), llm.Request{Prompt: "x"})
			if c.says == "-" { // a long reply is whole or an error, never silently empty
				if err == nil && len(got.Text) != 600_000 {
					t.Errorf("%s %s: %d bytes without an error", p, name, len(got.Text))
				}
				continue
			}
			if err == nil || c.is != nil && !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s %s: %v", p, name, err)
			}
		}
	}
}

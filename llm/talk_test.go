package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/reverie-memory/reverie/llm"
	"github.com/reverie-memory/reverie/llm/llmtest"
)

const lookSchema = `{"type":"object","properties":{"at":{"type":"string"}},"required":["at"],"additionalProperties":false}`

var look = []llm.Tool{{Name: "look", Description: "Looks at something.", Schema: []byte(lookSchema)}}

func talker(t *testing.T, s *llmtest.Server, provider string) llm.Talker {
	t.Helper()
	talk, ok := newChat(t, s, provider).(llm.Talker)
	if !ok {
		t.Fatalf("%s cannot talk", provider)
	}
	return talk
}

func TestTalkCallsToolsAndTakesTheirAnswers(t *testing.T) {
	secret := "gh" + "p_" + strings.Repeat("a1B2c3", 6)
	for _, p := range providers {
		s := llmtest.New(t)
		s.Script(
			llmtest.Reply{Text: "I look.", InputTokens: 10, OutputTokens: 5, Calls: []llmtest.Call{
				{ID: "a", Name: "look", Arguments: `{"at":"x"}`}, {ID: "b", Name: "look", Arguments: `{"at":"y"}`},
			}},
			llmtest.Reply{Text: "Done.", InputTokens: 30, OutputTokens: 6},
		)
		talk := talker(t, s, p)
		c := llm.Conversation{System: "be brief", Tools: look, MaxTokens: 50, Messages: []llm.Message{{Role: llm.RoleUser, Text: "look around"}}}
		turn, err := talk.Talk(context.Background(), c)
		if err != nil {
			t.Fatalf("%s: %v", p, err)
		}
		want := llm.Turn{Text: "I look.", InputTokens: 10, OutputTokens: 5, Calls: []llm.ToolCall{
			{ID: "a", Name: "look", Arguments: `{"at":"x"}`}, {ID: "b", Name: "look", Arguments: `{"at":"y"}`},
		}}
		if p == llm.ProviderOllama { // sends no ids
			want.Calls[0].ID, want.Calls[1].ID = "call_1_0", "call_1_1"
		}
		if d := cmp.Diff(want, turn, cmpopts.IgnoreUnexported(llm.ToolCall{})); d != "" {
			t.Errorf("%s: %s", p, d)
		}
		c.Messages = append(c.Messages, llm.Message{Role: llm.RoleModel, Text: turn.Text, Calls: turn.Calls},
			llm.Message{Role: llm.RoleTool, CallID: turn.Calls[0].ID, Tool: "look", Text: "a chair " + secret},
			llm.Message{Role: llm.RoleTool, CallID: turn.Calls[1].ID, Tool: "look", Text: "a table"},
			llm.Message{Role: llm.RoleModel, Calls: []llm.ToolCall{{ID: "d", Name: "look", Arguments: `{"at":"` + secret + `"}`}}})
		if turn, err = talk.Talk(context.Background(), c); err != nil || turn.Text != "Done." || len(turn.Calls) != 0 || turn.InputTokens != 30 {
			t.Errorf("%s: %+v, %v", p, turn, err)
		}
		first, second := s.Requests()[0], s.Requests()[1]
		if d := cmp.Diff([]string{"look"}, first.Tools); d != "" || !strings.Contains(first.Raw, `"at":{"type":"string"}`) {
			t.Errorf("%s: tools %s in %s", p, d, first.Raw)
		}
		if strings.Contains(second.Raw, secret) || !strings.Contains(second.Raw, "[redacted: github token]") {
			t.Errorf("%s: sent %s", p, second.Raw)
		}
		checkHistory(t, p, second)
	}
}

// checkHistory sees to it that each protocol gets the calls and answers as it wants them.
func checkHistory(t *testing.T, p string, r llmtest.Request) {
	t.Helper()
	var roles []string
	var calls []llmtest.Call
	var answers []string
	for _, m := range r.Messages {
		roles = append(roles, m.Role)
		calls = append(calls, m.Calls...)
		answers = append(answers, m.Answers...)
	}
	wantRoles := []string{"system", "user", "assistant", "tool", "tool", "assistant"}
	if p == llm.ProviderAnthropic {
		wantRoles = []string{"user", "assistant", "user", "assistant"} // neighbours are one
	}
	if d := cmp.Diff(wantRoles, roles); d != "" {
		t.Errorf("%s: %s in %s", p, d, r.Raw)
	}
	if len(calls) != 3 || calls[0].Arguments != `{"at":"x"}` || calls[1].Name != "look" {
		t.Errorf("%s: calls %+v", p, calls)
	}
	if d := cmp.Diff([]string{"a", "b"}, answers); d != "" && p != llm.ProviderOllama {
		t.Errorf("%s: %s", p, d)
	}
	if p == llm.ProviderOllama {
		var options struct {
			NumCtx     int `json:"num_ctx"`
			NumPredict int `json:"num_predict"`
		}
		if !r.Has("options", &options) || options.NumCtx != 8192 || options.NumPredict != 50 {
			t.Errorf("options %+v", options)
		}
	}
}

func TestTalkSendsBackWhatGooglePutBesideACall(t *testing.T) {
	s := llmtest.New(t)
	extra := json.RawMessage(`{"google":{"thought_signature":"abc"}}`)
	s.Script(llmtest.Reply{Calls: []llmtest.Call{{Name: "look", Arguments: `{}`}, {Name: "look", Arguments: `{}`, Extra: extra}}})
	talk := talker(t, s, llm.ProviderGoogle)
	c := llm.Conversation{Tools: look, Messages: []llm.Message{{Role: llm.RoleUser, Text: "x"}}}
	turn, err := talk.Talk(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	c.Messages = append(c.Messages, llm.Message{Role: llm.RoleModel, Calls: turn.Calls})
	if _, err := talk.Talk(context.Background(), c); err != nil {
		t.Fatal(err)
	}
	calls := s.Requests()[1].Messages[1].Calls
	if len(calls) != 2 || calls[0].Extra != nil || string(calls[1].Extra) != string(extra) {
		t.Errorf("calls %+v", calls)
	}
}

func TestTalkErrors(t *testing.T) {
	for name, c := range map[string]struct {
		reply llmtest.Reply
		is    error
	}{
		"cut":           {llmtest.Reply{Text: "so", Finish: "length", InputTokens: 3, OutputTokens: 4}, llm.ErrCutAnswer},
		"empty":         {llmtest.Reply{}, llm.ErrEmptyAnswer},
		"no tools":      {llmtest.Reply{Status: 400, Text: "registry.ollama.ai/library/gemma does not support tools"}, llm.ErrNoTools},
		"no tools, 500": {llmtest.Reply{Status: 500, Text: "tools param requires --jinja flag"}, llm.ErrNoTools},
		"no tools, 404": {llmtest.Reply{Status: 404, Text: "No endpoints found that support tool use"}, llm.ErrNoTools},
		"vLLM":          {llmtest.Reply{Status: 400, Text: `"auto" tool choice requires --enable-auto-tool-choice`}, llm.ErrNoTools},
		"other 400":     {llmtest.Reply{Status: 400, Text: "the context is too long"}, nil},
		"panics":        {llmtest.Reply{Body: `{"choices":[{"finish_reason":"function_call","message":{"content":""}}]}`}, nil},
		"no choices":    {llmtest.Reply{Body: `{"choices":[]}`}, nil},
		"no JSON":       {llmtest.Reply{Body: `{"choices`}, nil},
	} {
		for _, p := range providers {
			s := llmtest.New(t)
			if c.reply.Finish != "" && p == llm.ProviderAnthropic {
				c.reply.Finish = "max_tokens"
			}
			s.Script(c.reply)
			turn, err := talker(t, s, p).Talk(context.Background(),
				llm.Conversation{Tools: look, Messages: []llm.Message{{Role: llm.RoleUser, Text: "x"}}})
			if err == nil || c.is != nil && !errors.Is(err, c.is) {
				t.Errorf("%s, %s: %v", p, name, err)
			}
			if c.is == nil && errors.Is(err, llm.ErrNoTools) {
				t.Errorf("%s, %s: %v", p, name, err)
			}
			if name == "cut" && turn.OutputTokens != 4 {
				t.Errorf("%s: a cut turn costs %+v", p, turn)
			}
			c.reply.Finish = strings.Replace(c.reply.Finish, "max_tokens", "length", 1)
		}
	}
}

func TestTalkSurvivesWhatAModelMadeUp(t *testing.T) {
	for _, p := range providers {
		if p == llm.ProviderAnthropic || p == llm.ProviderOllama {
			continue // their protocols carry objects
		}
		s := llmtest.New(t)
		s.Script(llmtest.Reply{Calls: []llmtest.Call{{ID: llmtest.NoID, Name: "rm -rf", Arguments: `{"at":`}}})
		talk := talker(t, s, p)
		c := llm.Conversation{Tools: look, Messages: []llm.Message{{Role: llm.RoleUser, Text: "x"}}}
		turn, err := talk.Talk(context.Background(), c)
		if err != nil || len(turn.Calls) != 1 || turn.Calls[0].Arguments != `{"at":` || turn.Calls[0].ID == "" {
			t.Fatalf("%s: %+v, %v", p, turn, err)
		}
		c.Messages = append(c.Messages, llm.Message{Role: llm.RoleModel, Calls: turn.Calls},
			llm.Message{Role: llm.RoleTool, CallID: turn.Calls[0].ID})
		if _, err := talk.Talk(context.Background(), c); err != nil {
			t.Fatal(err)
		}
		if call := s.Requests()[1].Messages[1].Calls[0]; call.Name != "rm_-rf" || call.Arguments != "{}" {
			t.Errorf("%s: sent back %+v", p, call)
		}
	}
}

func TestTalkIsPaidFor(t *testing.T) {
	s := llmtest.New(t)
	st := &state{}
	budget := llm.NewBudget(st.ledger(), 5000)
	guard := llm.NewGuardedChat(newChat(t, s, llm.ProviderOpenAI), llm.GuardOptions{Budget: budget, Initial: 1})
	allowance := llm.NewAllowance(1000)
	ctx := llm.WithAllowance(context.Background(), allowance)
	c := llm.Conversation{Purpose: "dream", MaxTokens: 500, Messages: []llm.Message{{Role: llm.RoleUser, Text: "x"}}}
	s.Fail(1, 500)
	s.Script(llmtest.Reply{Text: "a", InputTokens: 300, OutputTokens: 250}, llmtest.Reply{Text: "b", InputTokens: 1, OutputTokens: 1})
	if _, err := guard.Talk(ctx, c); err != nil {
		t.Fatal(err)
	}
	if calls, in, out := allowance.Spent(); calls != 2 || in != 300 || out != 250 {
		t.Errorf("spent %d %d %d", calls, in, out)
	}
	if _, err := guard.Talk(ctx, c); !errors.Is(err, llm.ErrAllowance) {
		t.Errorf("over the allowance: %v", err)
	}
	if spent, _, _ := budget.Spent(context.Background()); spent != 550 {
		t.Errorf("the day's budget holds %d", spent)
	}
	if guard.Degraded() != "" {
		t.Errorf("a refusal of ours counts against the server: %s", guard.Degraded())
	}
	poor := llm.NewGuardedChat(newChat(t, s, llm.ProviderOpenAI), llm.GuardOptions{Budget: llm.NewBudget(st.ledger(), 600)})
	allowance = llm.NewAllowance(1000)
	if _, err := poor.Talk(llm.WithAllowance(context.Background(), allowance), c); !errors.Is(err, llm.ErrBudget) {
		t.Errorf("over the day's budget: %v", err)
	}
	if _, err := guard.Talk(llm.WithAllowance(context.Background(), allowance), c); err != nil {
		t.Errorf("a call that was not made took of the allowance: %v", err)
	}
	if calls, in, out := allowance.Spent(); calls != 1 || in+out != 2 || len(s.Requests()) != 3 {
		t.Errorf("spent %d %d %d in %d requests", calls, in, out, len(s.Requests()))
	}
	mute := llm.NewGuardedChat(&fakeChat{}, llm.GuardOptions{Budget: budget})
	if _, err := mute.Talk(ctx, c); !errors.Is(err, llm.ErrNoTools) {
		t.Errorf("a model that only completes: %v", err)
	}
}

package agent_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/dream/agent"
	"github.com/reverie-memory/reverie/llm"
	"github.com/reverie-memory/reverie/llm/llmtest"
)

func TestAServerWithoutToolsIsAskedOnceABatch(t *testing.T) {
	b := newBench(t)
	b.server.Script(llmtest.Reply{Status: 400, Text: "this model does not support tools"})
	b.server.Say(ops(add("Alice likes tea", "f1"), add("Alice owns a castle", "f2")), ops(add("Alice rents a flat", "f2")))
	use := b.run(context.Background(), two)
	if use.Accepted != 2 || use.Stopped != "" || !refusedWith(use, "castle") {
		t.Errorf("%+v", use)
	}
	r := b.server.Requests()
	if len(r) != 3 || r[1].Tools != nil || !r[1].Has("response_format", nil) {
		t.Fatalf("%d requests, the second with %v", len(r), r[1].Body)
	}
	inside, outside := split(t, r[2].Messages[1].Text)
	for _, data := range []string{"Alice likes tea", "} Alice lives in Rome", "castle"} {
		if !strings.Contains(inside, data) || strings.Contains(outside, data) {
			t.Errorf("%q is not fenced in %q", data, r[2].Prompt)
		}
	}
}

func TestARefusalThatNamesNoToolsMayMeanThem(t *testing.T) {
	b := newBench(t)
	b.server.Script(llmtest.Reply{Status: 400, Text: "bad request"})
	b.server.Say(ops(add("Alice likes tea", "f1")))
	if use := b.run(context.Background(), two); use.Accepted != 1 || use.Stopped != "" || use.Calls != 2 {
		t.Errorf("%+v", use)
	}
}

func TestPlainAnswersThatAreOfNoUse(t *testing.T) {
	for name, c := range map[string]struct {
		replies []llmtest.Reply
		stopped string
	}{
		"garbage":  {[]llmtest.Reply{{Text: "I cannot"}, {Text: "no"}}, "not the JSON"},
		"cut":      {[]llmtest.Reply{{Text: `{"ops":[`, Finish: "length"}, {Text: `{"ops":[`, Finish: "length"}}, "cut off"},
		"empty":    {[]llmtest.Reply{{}, {}}, "answered nothing"},
		"lies":     {[]llmtest.Reply{{Text: ops(add("Alice owns a castle", "f2"))}, {Text: ops(add("Alice owns a castle", "f2"))}}, ""},
		"deletes":  {[]llmtest.Reply{{Text: ops(o{"op": "remove", "facts": []string{"f1"}})}, {Text: `{"ops":[]}`}}, ""},
		"fails":    {[]llmtest.Reply{{Status: 500}, {Status: 500}}, "the model failed"},
		"no array": {[]llmtest.Reply{{Text: `{"ops":{}}`}, {Text: `{"ops":7}`}}, ""},
	} {
		b := newBench(t)
		b.with.Plain = true
		b.server.Script(c.replies...)
		use := b.run(context.Background(), two)
		if use.Accepted != 0 || use.Calls != 2 || !strings.Contains(use.Stopped, c.stopped) || (c.stopped == "") != (use.Stopped == "") {
			t.Errorf("%s: %+v", name, use)
		}
	}
}

func TestWordsInsteadOfTools(t *testing.T) {
	b := newBench(t)
	b.server.Say("I would add that Alice likes tea.", "As I said.", ops(add("Alice likes tea", "f1")))
	use := b.run(context.Background(), two)
	b.wantKept(use)
	if !refusedWith(use, "in words") || use.Stopped != "" || use.Calls != 3 {
		t.Errorf("%+v", use)
	}
	if told := answerTo(b.server.Requests()[1]); !strings.Contains(told, "Use the propose tool") {
		t.Errorf("told %q", told)
	}

	b = newBench(t) // a proposal as text
	b.server.Say(ops(add("Alice likes tea", "f1"), o{"op": "x", "facts": nil}), "done")
	use = b.run(context.Background(), two)
	b.wantKept(use)
	if use.Calls != 2 || !refusedWith(use, `no op "x"`) {
		t.Errorf("%+v", use)
	}
}

func TestEveryProviderTalks(t *testing.T) {
	for _, p := range []string{llm.ProviderOpenAI, llm.ProviderGoogle, llm.ProviderOllama, llm.ProviderAnthropic} {
		b := newBench(t)
		url := b.server.URL + "/v1"
		if p == llm.ProviderOllama {
			url = b.server.URL
		}
		chat, err := llm.NewChat(llm.ChatOptions{Provider: p, BaseURL: url, Model: "m", APIKey: apiKey, Timeout: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		a := agent.New(agent.Options{Chat: llm.NewGuardedChat(chat, llm.GuardOptions{Budget: llm.NewBudget(b.ledger, -1)})})
		b.verify.facts = map[string]string{"f1": "Alice likes tea", "f2": "Alice rents a flat"}
		b.server.Call("list_pages", `{"zone":"3_Personal"}`)
		b.server.Call("propose", ops(add("Alice likes tea", "f1")))
		b.server.Call("propose", ops(add("Alice rents a flat", "f2")))
		use, err := a.Propose(context.Background(), two, b.wiki, b.verify.propose)
		if err != nil || use.Accepted != 2 || use.Stopped != "" || use.Calls != 3 || use.Input != 30 {
			t.Errorf("%s: %+v, %v", p, use, err)
		}
		r := b.server.Requests()
		if d := cmp.Diff([]string{"list_pages", "read_page", "search_memory", "propose"}, r[2].Tools); d != "" {
			t.Errorf("%s: %s", p, d)
		}
		var options struct {
			NumCtx int `json:"num_ctx"`
		}
		if p == llm.ProviderOllama && (!r[0].Has("options", &options) || options.NumCtx != 8192 || len(r[2].Raw) > 3*8192) {
			t.Errorf("context %d for %d bytes", options.NumCtx, len(r[2].Raw))
		}
	}
}

func TestSecretsStayHere(t *testing.T) {
	b := newBench(t)
	secret := "gh" + "p_" + strings.Repeat("a1B2c3", 6)
	b.wiki.pages[alicePath] += "\nBy hand: " + secret + "\n"
	b.server.Call("read_page", `{"path":"`+alicePath+`"}`)
	b.server.Say("done")
	b.run(context.Background(), aliceGroup(fact("f1", "my key is "+secret)))
	for _, r := range b.server.Requests() {
		if strings.Contains(r.Raw, secret) {
			t.Error("a secret went out")
		}
	}
}

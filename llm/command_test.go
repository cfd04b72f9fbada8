package llm_test

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/llm"
	"github.com/reverie-memory/reverie/llm/llmtest"
	"github.com/reverie-memory/reverie/llm/program"
)

// asCommand is a chat over a scripted program, and the program.
func asCommand(t *testing.T, change func(*llm.ChatOptions), acts ...llmtest.Act) (llm.Chat, *llmtest.Program) {
	t.Helper()
	p := llmtest.NewProgram(t, acts...)
	o := llm.ChatOptions{Provider: llm.ProviderCommand, Command: p.Command(), Dir: filepath.Join(t.TempDir(), "model")}
	if change != nil {
		change(&o)
	}
	c, err := llm.NewChat(o)
	if err != nil {
		t.Fatal(err)
	}
	return c, p
}

func TestCommandIsGivenTheWholePrompt(t *testing.T) {
	t.Setenv("REVERIE_TOKEN", "ours")
	t.Setenv("ANTHROPIC_API_KEY", "theirs")
	t.Setenv("MY_LOGIN", "named in the settings")
	t.Setenv("XDG_CONFIG_HOME", "/config")
	t.Setenv("https_proxy", "http://proxy:3128")
	c, p := asCommand(t, func(o *llm.ChatOptions) { o.Env = []string{"MY_LOGIN"}; o.Model = "haiku" }, llmtest.Act{Out: "hello"})
	secret := "gh" + "p_" + strings.Repeat("a1B2c3", 6)
	got, err := c.Complete(context.Background(), llm.Request{System: "be brief", Prompt: "hi " + secret, Schema: []byte(openSchema)})
	if !errors.Is(err, llm.ErrNotJSON) || got.Text != "hello" {
		t.Errorf("%+v, %v", got, err)
	}
	if c.Name() != "command/haiku" {
		t.Error(c.Name())
	}
	r := p.Runs()[0]
	for _, want := range []string{"be brief\n\n", openSchema, "\n\nhi [redacted: github token]"} {
		if !strings.Contains(r.Input, want) {
			t.Errorf("the prompt lacks %q:\n%s", want, r.Input)
		}
	}
	has := func(name string) bool {
		return slices.ContainsFunc(r.Env, func(e string) bool { return strings.HasPrefix(strings.ToUpper(e), name+"=") })
	}
	for _, name := range []string{"MY_LOGIN", "XDG_CONFIG_HOME", "HTTPS_PROXY", "PATH", "REVERIE_INSIDE"} {
		if !has(name) {
			t.Errorf("%s is not handed on", name)
		}
	}
	for _, name := range []string{"REVERIE_TOKEN", "ANTHROPIC_API_KEY"} {
		if has(name) {
			t.Errorf("%s is handed on", name)
		}
	}
}

// Each call runs in a folder without files, always of the same name, so that its transcripts can be told from others.
func TestCommandRunsInAnEmptyFolderOfItsOwn(t *testing.T) {
	var own string
	c, p := asCommand(t, func(o *llm.ChatOptions) { own = o.Dir }, llmtest.Act{Out: "a"})
	for range 2 {
		if _, err := c.Complete(context.Background(), llm.Request{}); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(own, "1", "left-behind.txt"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	own, _ = filepath.EvalSymlinks(own)
	for _, r := range p.Runs() {
		if dir, _ := filepath.EvalSymlinks(r.Dir); dir != filepath.Join(own, "1") || len(r.Files) > 0 {
			t.Errorf("it ran in %s with %v", r.Dir, r.Files)
		}
	}
}

func TestCommandAnswers(t *testing.T) {
	codex := `{"type":"thread.started","thread_id":"x"}
{"type":"error","message":"stream lost, reconnecting"}
{"type":"item.completed","item":{"type":"reasoning","text":"{\"n\":0}"}}
{"type":"item.completed","item":{"type":"agent_message","text":"{\"n\":1}"}}
{"type":"turn.completed","usage":{"input_tokens":1200,"cached_input_tokens":200,"output_tokens":345}}
`
	claude := `{"type":"result","subtype":"success","is_error":false,"result":"Sure:\n` + "```json" + `\n{\"n\":1}\n` + "```" + `",` +
		`"usage":{"input_tokens":3,"cache_creation_input_tokens":40,"cache_read_input_tokens":500,"output_tokens":7}}`
	gemini := "Loaded cached credentials.\n" + `{"response":"{\"n\":1}","stats":{"models":{"flash":{"tokens":{"prompt":10,"candidates":2,` +
		`"total":15}}}}}`
	for _, tt := range []struct {
		name, out string
		want      llm.Answer
	}{
		{"plain", `{"n":1}`, llm.Answer{Text: `{"n":1}`}},
		{"prose around", "Here [as asked]:\n\n{\"n\":1}\n\nAnything else? :}", llm.Answer{Text: `{"n":1}`}},
		{"a fence", "```json\n{\"n\":1}\n```\n", llm.Answer{Text: `{"n":1}`}},
		{"claude", claude, llm.Answer{Text: `{"n":1}`, InputTokens: 543, OutputTokens: 7}},
		{"gemini", gemini, llm.Answer{Text: `{"n":1}`, InputTokens: 10, OutputTokens: 5}},
		{"codex", codex, llm.Answer{Text: `{"n":1}`, InputTokens: 1200, OutputTokens: 345}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, _ := asCommand(t, nil, llmtest.Act{Out: tt.out})
			got, err := c.Complete(context.Background(), llm.Request{Prompt: "x", Schema: []byte(closedSchema)})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestCommandsThatFail(t *testing.T) {
	secret := "gh" + "p_" + strings.Repeat("a1B2c3", 6)
	for _, tt := range []struct {
		name string
		act  llmtest.Act
		is   error
		says string
	}{
		{"silent", llmtest.Act{}, llm.ErrEmptyAnswer, ""},
		{"prose", llmtest.Act{Out: "I would rather not."}, llm.ErrNotJSON, ""},
		{"cut off", llmtest.Act{Out: `{"facts": {"n":1}, "more": [`}, llm.ErrNotJSON, ""},
		{"two answers", llmtest.Act{Out: `{"n":1} or {"n":2}`}, llm.ErrNotJSON, "more than one"},
		{"exit code", llmtest.Act{Exit: 1, Err: "not logged in, token " + secret}, nil, "exit status 1: not logged in, token [redacted"},
		{
			"claude's error",
			llmtest.Act{Out: `{"type":"result","is_error":true,"result":"Credit balance is too low"}`},
			nil, "Credit balance is too low",
		},
		{
			"codex' error",
			llmtest.Act{Out: "{\"type\":\"turn.started\"}\n{\"type\":\"turn.failed\",\"error\":{\"message\":\"usage limit\"}}\n"},
			nil, "usage limit",
		},
		{"gemini's error", llmtest.Act{Out: `{"error":{"type":"ApiError","message":"quota"}}`}, nil, "quota"},
		{"never ends", llmtest.Act{Hang: true}, program.ErrTimeout, ""},
		{"never stops", llmtest.Act{Flood: true}, program.ErrTooMuch, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, _ := asCommand(t, func(o *llm.ChatOptions) {
				if tt.act.Hang {
					o.Timeout = 50 * time.Millisecond
				}
			}, tt.act)
			_, err := c.Complete(context.Background(), llm.Request{Prompt: "x", Schema: []byte(openSchema)})
			if err == nil || tt.is != nil && !errors.Is(err, tt.is) || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("%v; want %v, %q", err, tt.is, tt.says)
			}
			if err != nil && strings.Contains(err.Error(), secret) {
				t.Error("the error tells a secret")
			}
		})
	}
}

func TestCommandOneCallAtATime(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c, p := asCommand(t, nil, llmtest.Act{Dial: l.Addr().String(), Hang: true})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() {
		_, err := c.Complete(ctx, llm.Request{})
		done <- err
	}()
	running, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer running.Close()
	short, stop := context.WithTimeout(context.Background(), time.Millisecond)
	defer stop()
	if _, err := c.Complete(short, llm.Request{}); !errors.Is(err, program.ErrNotStarted) || !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) || len(p.Runs()) != 1 {
		t.Errorf("%v after %d calls", err, len(p.Runs()))
	}
}

func TestGuardedCommand(t *testing.T) {
	c, p := asCommand(t, nil, llmtest.Act{Out: "ok"}, llmtest.Act{Exit: 1, Err: "logged out"})
	s := &state{}
	ledger := s.ledger()
	g := llm.NewGuardedChat(c, llm.GuardOptions{Budget: llm.NewBudget(ledger, 10_000), Breaker: &llm.Breaker{
		Failures: 1,
		CoolDown: time.Hour,
	}})
	if _, err := g.Complete(context.Background(), llm.Request{Purpose: "extract", Prompt: "hello", MaxTokens: 100}); err != nil {
		t.Fatal(err)
	}
	days, err := ledger.Days(context.Background())
	if err != nil || len(days) != 1 {
		t.Fatalf("the ledger says %+v, %v", days, err)
	}
	if d := days[0]; d.Provider != "command" || d.Input == 0 || d.Output == 0 || d.Output >= 100 {
		t.Errorf("the ledger says %+v", d)
	}
	if _, err := g.Talk(context.Background(), llm.Conversation{}); !errors.Is(err, llm.ErrNoTools) {
		t.Error(err)
	}
	for range 2 { // a failure is not tried again at once, and then not asked
		if _, err := g.Complete(context.Background(), llm.Request{Prompt: "hello"}); err == nil {
			t.Error("no error")
		}
	}
	if n := len(p.Runs()); n != 2 {
		t.Errorf("it was started %d times", n)
	}
	if why := g.Degraded(); !strings.Contains(why, "logged out") {
		t.Errorf("degraded: %q", why)
	}
	poor := llm.NewGuardedChat(c, llm.GuardOptions{Budget: llm.NewBudget(ledger, 1)})
	if _, err := poor.Complete(context.Background(), llm.Request{}); !errors.Is(err, llm.ErrBudget) || len(p.Runs()) != 2 {
		t.Errorf("beyond the budget: %v, %d calls", err, len(p.Runs()))
	}
}

func TestCommandThatIsNotThereCostsNothing(t *testing.T) {
	c, err := llm.NewChat(llm.ChatOptions{Provider: llm.ProviderCommand, Command: []string{"no-such-program"}, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	s := &state{}
	budget := llm.NewBudget(s.ledger(), -1)
	g := llm.NewGuardedChat(c, llm.GuardOptions{Budget: budget})
	_, err = g.Complete(context.Background(), llm.Request{Prompt: "hello"})
	if !errors.Is(err, program.ErrNotStarted) || !strings.Contains(err.Error(), "no-such-program") {
		t.Error(err)
	}
	if spent, _, err := budget.Spent(context.Background()); spent != 0 || err != nil {
		t.Errorf("%d tokens were spent, %v", spent, err)
	}
}

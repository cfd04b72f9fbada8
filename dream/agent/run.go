package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/reverie-memory/reverie/dream"
	"github.com/reverie-memory/reverie/extract"
	"github.com/reverie-memory/reverie/llm"
	"github.com/reverie-memory/reverie/vault"
)

// plainCalls are the calls of a batch without tools: an answer and a correction.
const plainCalls = 2

// A run is one Propose.
type run struct {
	agent  *Agent
	wiki   dream.Wiki
	take   func(*dream.Op) string
	use    *dream.ModelUse
	plain  bool            // the server knows no tools
	talked bool            // a turn with tools came back
	taken  []modelOp       // in their order
	done   map[string]bool // facts that are accounted for
	docs   map[vault.Path]doc
}

// start begins a run on a draft.
func (a *Agent) start(d Draft, use *dream.ModelUse) *run {
	return &run{agent: a, wiki: d.Wiki, take: d.Propose, use: use, plain: a.options.Plain, done: map[string]bool{}, docs: map[vault.Path]doc{}}
}

// note records what was refused, in one line.
func (r *run) note(format string, args ...any) {
	switch n := len(r.use.Refused); {
	case n < maxRefused:
		r.use.Refused = append(r.use.Refused, clip(strings.Join(strings.Fields(fmt.Sprintf(format, args...)), " "), 300))
	case n == maxRefused:
		r.use.Refused = append(r.use.Refused, "and more")
	}
}

// before says why the next call, which may need so many tokens, is not made.
func (r *run) before(ctx context.Context, need int) ending {
	if ctx.Err() != nil {
		return r.failed(ctx, ctx.Err())
	}
	if r.agent.options.Budget == nil {
		return ending{}
	}
	left, err := r.agent.options.Budget(ctx)
	switch {
	case err != nil:
		return ending{"daily token budget: it cannot be known, so no call is made", true}
	case left < need:
		return ending{fmt.Sprintf("daily token budget: %d tokens are left, and the next call may need %d", left, need), true}
	}
	return ending{}
}

// failed says what an error of a call means for the run.
func (r *run) failed(ctx context.Context, err error) ending {
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return ending{"timeout: the run's time is over", true}
	case ctx.Err() != nil:
		return ending{"cancelled", true}
	case errors.Is(err, llm.ErrAllowance):
		return ending{"the run's " + err.Error(), true}
	case errors.Is(err, llm.ErrBudget):
		return ending{err.Error(), true}
	case errors.Is(err, llm.ErrCutAnswer), errors.Is(err, llm.ErrNotJSON), errors.Is(err, llm.ErrEmptyAnswer):
		return ending{"no use of the answer: " + err.Error(), false}
	case refusal(err):
		return ending{"the request was refused: " + err.Error(), false}
	}
	return ending{"the model failed: " + err.Error(), true}
}

// A conversation is one batch with tools.
type conversation struct {
	*run
	b        *batch
	talk     llm.Conversation
	same     map[string]int // how often a call was made
	calls    int
	proposed bool
	fixes    int  // proposals with refusals in them
	cut      bool // an answer was cut off
	nudged   bool // that it is to use the tool
}

// batch goes through a batch, with tools where the server knows them.
func (r *run) batch(ctx context.Context, b *batch) ending {
	if r.plain {
		return r.ask(ctx, b)
	}
	c := &conversation{run: r, b: b, same: map[string]int{}, talk: llm.Conversation{
		Purpose: purpose, System: rules + toolWords, Tools: r.agent.offers(), MaxTokens: r.agent.output(),
		Messages: []llm.Message{{Role: llm.RoleUser, Text: r.prompt(ctx, b)}},
	}}
	for range maxRounds {
		need := c.talk.Tokens() + c.talk.MaxTokens
		if end := r.before(ctx, need); end.why != "" {
			return end
		}
		if need > r.agent.options.ContextTokens {
			return ending{"the conversation grew too long", false}
		}
		turn, err := r.agent.options.Chat.Talk(ctx, c.talk)
		switch {
		case errors.Is(err, llm.ErrNoTools):
			r.plain = true
			return r.ask(ctx, b)
		case !r.talked && refusal(err): // perhaps of the tools, in other words
			return r.askInstead(ctx, b)
		case err == nil:
			r.talked = true
		}
		end, over := c.turn(ctx, turn, err)
		if over || end.why != "" {
			return end
		}
	}
	return ending{fmt.Sprintf("no end after %d rounds", maxRounds), false}
}

// turn answers the model. over is the good end.
func (c *conversation) turn(ctx context.Context, turn llm.Turn, err error) (end ending, over bool) {
	switch {
	case errors.Is(err, llm.ErrCutAnswer) && !c.cut:
		c.cut = true
		c.note("an answer was cut off at the limit of %d tokens", c.talk.MaxTokens)
		c.say("Your last answer was cut off: it was too long. Propose fewer ops at a time.")
		return ending{}, false
	case errors.Is(err, llm.ErrEmptyAnswer) && c.proposed:
		return ending{}, true
	case err != nil:
		return c.failed(ctx, err), false
	case len(turn.Calls) == 0:
		return c.words(ctx, turn.Text)
	}
	if len(turn.Calls) > maxTurnCalls {
		c.note("%d tool calls at once: only the first %d count", len(turn.Calls), maxTurnCalls)
		turn.Calls = turn.Calls[:maxTurnCalls]
	}
	c.talk.Messages = append(c.talk.Messages, llm.Message{Role: llm.RoleModel, Text: clip(turn.Text, 2_000), Calls: turn.Calls})
	for _, call := range turn.Calls {
		answer := c.answer(ctx, call)
		answer = cmp.Or(answer, "Nothing was found.")
		c.talk.Messages = append(c.talk.Messages, llm.Message{Role: llm.RoleTool, CallID: call.ID, Tool: call.Name, Text: answer})
		if c.same[sameCall(call)] >= maxSame {
			end = ending{fmt.Sprintf("the same call of %s %d times", clip(call.Name, 40), maxSame), false}
		}
	}
	switch {
	case len(c.left(c.b, c.b.ids)) == 0:
		return ending{}, true
	case end.why != "":
		return end, false
	case c.calls >= maxCalls:
		return ending{fmt.Sprintf("no end after %d tool calls", c.calls), false}, false
	case c.fixes >= maxFixes:
		return ending{fmt.Sprintf("ops were still refused at proposal %d", c.fixes), false}, false
	}
	return ending{}, false
}

// say adds our words to the last message, for two of one side in a row are refused by some servers.
func (c *conversation) say(text string) {
	last := &c.talk.Messages[len(c.talk.Messages)-1]
	last.Text += "\n\n" + text
}

// proposal takes what the model proposes, by the tool or in words.
func (c *conversation) proposal(ctx context.Context, text string) (words string, good bool) {
	words, refused := c.propose(ctx, c.b, text)
	if c.proposed = true; refused > 0 {
		c.fixes++
	}
	return words, refused == 0
}

// words takes a turn that calls nothing: the end, a proposal in words, or a model that does not know how.
func (c *conversation) words(ctx context.Context, text string) (end ending, over bool) {
	reply := "Use the propose tool. When there is nothing to propose, answer only: done"
	if _, err := parseOps(text); err == nil {
		words, good := c.proposal(ctx, text)
		if good || c.fixes >= maxFixes {
			return ending{}, true
		}
		reply = words
	} else if c.proposed || strings.ToLower(strings.Trim(text, " .!\n")) == "done" {
		return ending{}, true
	} else if c.note("an answer in words instead of a proposal"); c.nudged {
		end = c.askInstead(ctx, c.b)
		return end, end.why == ""
	} else {
		c.nudged = true
	}
	c.talk.Messages = append(c.talk.Messages, llm.Message{Role: llm.RoleModel, Text: clip(text, maxResult)},
		llm.Message{Role: llm.RoleUser, Text: reply})
	return ending{}, false
}

// ask goes through a batch without tools: one JSON answer, and one correction.
func (r *run) ask(ctx context.Context, b *batch) ending {
	prompt := r.prompt(ctx, b)
	req := llm.Request{Purpose: purpose, System: rules + plainWords, Prompt: prompt, Schema: []byte(opsSchema), MaxTokens: r.agent.output()}
	var end ending
	for range plainCalls {
		// the schema may go out twice: in a field of its own, and then in the prompt
		need := len(req.System+req.Prompt+opsSchema)/3 + 12 + req.MaxTokens
		if end = r.before(ctx, need); end.why != "" {
			return end
		}
		answer, err := r.agent.options.Chat.Complete(ctx, req)
		if err != nil {
			if end = r.failed(ctx, err); end.last {
				return end
			}
			r.note("%s", end.why)
			req.Prompt = prompt + "\n\nYour last answer was of no use: it was cut off, or not the JSON object that was asked for. Give fewer ops."
			continue
		}
		words, refused := r.propose(ctx, b, answer.Text)
		if end = (ending{}); refused == 0 || len(r.left(b, b.ids)) == 0 {
			return end
		}
		req.Prompt = prompt + "\n\nYou have answered once. Answer again with corrections of the refused ops only, or with {\"ops\":[]}:\n" +
			extract.Fence(words)
	}
	return end
}

// askInstead asks without tools where it seems that they are the trouble, and stays with it where it was.
func (r *run) askInstead(ctx context.Context, b *batch) ending {
	before := r.use.Accepted
	end := r.ask(ctx, b)
	r.plain = r.plain || r.use.Accepted > before
	return end
}

// refusal tells a server's refusal of this one request.
func refusal(err error) bool {
	var open *llm.OpenError
	var status *llm.StatusError
	return !errors.As(err, &open) && errors.As(err, &status) && (status.Code == 400 || status.Code == 413 || status.Code == 422)
}

// sameCall is a call's name and arguments, spelt in one way.
func sameCall(call llm.ToolCall) string {
	var v any
	if json.Unmarshal([]byte(call.Arguments), &v) == nil {
		if plain, err := json.Marshal(v); err == nil {
			return call.Name + string(plain)
		}
	}
	return call.Name + call.Arguments
}

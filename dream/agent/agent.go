package agent

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/reverie-memory/reverie/dream"
	"github.com/reverie-memory/reverie/llm"
)

// Options set up an Agent. Zero values take the defaults.
type Options struct {
	// Chat is the model, with its budget, breaker and retries. Required.
	Chat *llm.GuardedChat
	// Model is the name for reports; "" is the chat's own.
	Model string
	// Tools are the tools that the model may use: [ToolListPages] and so on. nil is all of them.
	// Without [ToolPropose] it can propose nothing and is not asked.
	Tools []string
	// Plain asks for one JSON answer a batch, without tools, as is done anyhow where a server knows none or a program only prints text.
	Plain bool
	// RunTokens is the most tokens of one run; 0 is 200,000, below zero only the day's budget counts.
	RunTokens int
	// ContextTokens is the most that a conversation and its answer may have together; 0 is 16,000, or what the chat says.
	ContextTokens int
	// Budget returns the tokens left today. Where set, it is asked before each call, besides the chat's own budget.
	Budget func(ctx context.Context) (left int, err error)
}

// The names of the tools.
const (
	ToolListPages = "list_pages"
	ToolReadPage  = "read_page"
	ToolSearch    = "search_memory"
	ToolPropose   = "propose"
)

// Limits of one batch, which is one conversation.
const (
	maxRounds      = 8     // turns of the model
	maxCalls       = 24    // tool calls
	maxTurnCalls   = 6     // tool calls of one turn
	maxSame        = 3     // the same call this often ends the batch
	maxFixes       = 3     // proposals with refusals in them; the last one ends the batch
	maxResult      = 6_000 // bytes of a tool's answer
	maxFacts       = 25    // facts of a batch
	maxOps         = 40    // ops of one call of propose
	maxRefused     = 200   // refusals that are reported
	maxBadBatches  = 2     // batches in a row that come to nothing end the run
	defaultContext = 16_000
	defaultRun     = 200_000
	mostOutput     = 4_096 // tokens of one turn
	purpose        = "dream"
)

// An Agent is a [dream.Proposer] over a chat model. An Agent keeps nothing from one run to the next.
type Agent struct {
	options Options
}

var _ dream.Proposer = (*Agent)(nil)

// New returns an agent.
func New(o Options) *Agent {
	if o.Tools == nil {
		o.Tools = []string{ToolListPages, ToolReadPage, ToolSearch, ToolPropose}
	}
	if o.Model == "" && o.Chat != nil {
		o.Model = o.Chat.Name()
	}
	o.Plain = o.Plain || o.Chat != nil && !o.Chat.Talks()
	o.RunTokens = cmp.Or(o.RunTokens, defaultRun)
	if o.ContextTokens <= 0 {
		o.ContextTokens = defaultContext
		if o.Chat != nil && o.Chat.ContextTokens() > 0 {
			o.ContextTokens = min(defaultContext, o.Chat.ContextTokens())
		}
	}
	return &Agent{o}
}

// Name is the model's.
func (a *Agent) Name() string { return a.options.Model }

func (a *Agent) may(tool string) bool { return slices.Contains(a.options.Tools, tool) }

// output is the most tokens of one turn.
func (a *Agent) output() int { return min(mostOutput, a.options.ContextTokens/4) }

// room is the most bytes of a conversation: llm counts a token for three of them.
func (a *Agent) room() int { return 3 * (a.options.ContextTokens - a.output()) }

// An ending says why a batch, or with it the whole run, ended before its time. The zero value: all is well.
type ending struct {
	why  string
	last bool // of the run
}

// Propose implements [dream.Proposer]. Each batch of facts is a conversation of its own.
func (a *Agent) Propose(ctx context.Context, groups []dream.Group, wiki dream.Wiki, propose func(*dream.Op) string) (dream.ModelUse,
	error,
) {
	use := dream.ModelUse{Name: a.Name()}
	if a.options.Chat == nil || !a.may(ToolPropose) {
		use.Stopped = "the model is given no way to propose (consolidation.tools)"
		return use, nil
	}
	allowance := llm.NewAllowance(a.options.RunTokens)
	r := a.start(Draft{groups, wiki, propose}, &use)
	batches := a.pack(groups)
	bad := 0 // batches in a row that ended early with nothing to show
	for i, b := range batches {
		if len(r.left(b, b.ids)) == 0 { // as part of another group
			continue
		}
		before := use.Accepted
		end := r.batch(llm.WithAllowance(ctx, allowance), b)
		if end.why == "" {
			bad = 0
			continue
		}
		use.Stopped = fmt.Sprintf("batch %d of %d: %s", i+1, len(batches), end.why)
		if bad++; use.Accepted > before {
			bad = 0
		}
		if end.last || bad >= maxBadBatches {
			break
		}
	}
	use.Calls, use.Input, use.Output = allowance.Spent()
	return use, nil
}

// Estimate implements [dream.Proposer]: every batch takes all its rounds, and every conversation all its room, as far as the
// run's tokens go. Attempts that a failing server makes necessary are no calls of it, but their tokens are within the run's.
func (a *Agent) Estimate(groups []dream.Group) dream.Estimate {
	e := dream.Estimate{Model: a.Name()}
	for _, b := range a.pack(groups) {
		e.Facts += len(b.facts)
		rounds := maxRounds + plainCalls // tools first, and then without
		if a.options.Plain {
			rounds = plainCalls
		}
		e.Calls += rounds
		e.Input += rounds * (a.options.ContextTokens - a.output())
		e.Output += rounds * a.output()
	}
	if limit := a.options.RunTokens; limit >= 0 && e.Input+e.Output > limit {
		e.Output = limit / 4
		e.Input = limit - e.Output
	}
	return e
}

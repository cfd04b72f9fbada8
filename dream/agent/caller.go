package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/reverie-memory/reverie/dream"
	"github.com/reverie-memory/reverie/extract"
	"github.com/reverie-memory/reverie/vault"
)

// A Caller is a model that calls from outside, over several requests: it asks for facts, hands in ops for them, and asks for more. Between
// two requests it keeps the ops that were accepted, as they were written, and nothing of the pages. Every request carries them out anew
// on a draft of the pages as they are then, and so does the run at the end, for which a Caller is the [dream.Proposer]. What is
// not true any more by then is lost, and its facts are open again. A Caller serves one request at a time.
type Caller struct {
	agent    *Agent
	bounds   Bounds
	given    map[string]bool // facts that it has seen
	batch    []string        // those that it was given last
	answered bool            // and has handed in ops for
	taken    []modelOp       // in their order
	lost     []string        // why some of them are not taken any more, until it is told
	refused  []string        // for the report
	calls    int
}

var _ dream.Proposer = (*Caller)(nil)

// NewCaller returns a caller that has seen nothing yet. The name is for ledgers and reports.
func NewCaller(name string, b Bounds) *Caller {
	return &Caller{agent: New(Options{Model: name}), bounds: b, given: map[string]bool{}}
}

// Name implements [dream.Proposer].
func (c *Caller) Name() string { return c.agent.Name() }

// A Draft is what ops are proposed for: the arguments of [dream.Proposer].Propose.
type Draft struct {
	Groups  []dream.Group
	Wiki    dream.Wiki
	Propose func(*dream.Op) (refusal string)
}

// A Verdict is what became of an op that was handed in.
type Verdict struct {
	Accepted bool
	Why      string // not
}

// Next gives the facts to propose for, with their pages: the same until Take was called for them, and then the next. A sheet
// without facts says that there are no more.
func (c *Caller) Next(ctx context.Context, d Draft) Sheet {
	r, b := c.resume(ctx, d)
	defer c.settle(r)
	if c.answered || len(r.left(b, c.batch)) == 0 {
		c.batch, c.answered = c.pick(ctx, r, d.Groups), false
		for _, id := range c.batch {
			c.given[id] = true
		}
	}
	return c.sheet(ctx, r, d.Groups)
}

// Take checks ops one by one and keeps those that are good. An op that was taken before is accepted again and changes nothing. open are
// the facts of the last sheet that no op accounts for.
func (c *Caller) Take(ctx context.Context, d Draft, ops []json.RawMessage) (verdicts []Verdict, open []string) {
	r, b := c.resume(ctx, d)
	defer c.settle(r)
	c.answered = true
	c.calls++
	for _, raw := range ops {
		why := r.op(ctx, b, extract.Unescape(string(raw)))
		verdicts = append(verdicts, Verdict{why == "", why})
	}
	return verdicts, r.left(b, c.batch)
}

// Lost tells, once, which ops were taken and are not any more, because pages, logs or tombstones changed since.
func (c *Caller) Lost() []string {
	lost := c.lost
	c.lost = nil
	return lost
}

// Propose implements [dream.Proposer]: it hands in what was taken.
func (c *Caller) Propose(ctx context.Context, groups []dream.Group, wiki dream.Wiki, propose func(*dream.Op) string) (dream.ModelUse,
	error,
) {
	r, _ := c.resume(ctx, Draft{groups, wiki, propose})
	c.settle(r)
	r.use.Calls = c.calls
	return *r.use, nil
}

// Estimate implements [dream.Proposer]: whoever calls from outside spends nothing here.
func (c *Caller) Estimate([]dream.Group) dream.Estimate { return dream.Estimate{Model: c.Name()} }

// resume carries out on a draft what was taken so far.
func (c *Caller) resume(ctx context.Context, d Draft) (*run, *batch) {
	r := c.agent.start(d, &dream.ModelUse{Name: c.Name(), Refused: c.refused})
	b := &batch{facts: map[string]vault.Fact{}}
	for _, g := range d.Groups {
		for _, f := range g.Facts {
			if c.given[f.ID] {
				b.facts[f.ID] = f
			}
		}
	}
	for _, m := range c.taken {
		if why := r.hand(ctx, b, m); why != "" {
			c.lost = append(c.lost, fmt.Sprintf("%s of %s is not good any more: %s", m.Op, strings.Join(m.Facts, ", "), why))
			r.note("%s on %s: good when it was proposed, and not any more: %s", m.Op, cmp.Or(m.Page, "?"), why)
		}
	}
	return r, b
}

// settle keeps what became of the ops.
func (c *Caller) settle(r *run) { c.taken, c.refused = r.taken, r.use.Refused }

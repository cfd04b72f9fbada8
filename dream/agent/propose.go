package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/reverie-memory/reverie/dream"
)

// propose checks a proposal, hands on what has the right form, and says in words what became of it.
func (r *run) propose(ctx context.Context, b *batch, text string) (words string, refused int) {
	ops, err := parseOps(text)
	if err == nil && len(ops) > maxOps {
		err = fmt.Errorf("%d ops at once, at most %d", len(ops), maxOps)
	}
	if err != nil {
		r.note("a proposal: %v", err)
		return "Refused: " + err.Error(), 1
	}
	var out strings.Builder
	accepted := 0
	refuse := func(i int, op dream.Op, why string) {
		refused++
		r.note("%s on %s: %s", orUnknown(string(op.Kind)), orUnknown(string(op.Page)), why)
		fmt.Fprintf(&out, "Op %d refused: %s\n", i+1, clip(strings.Join(strings.Fields(why), " "), 300))
	}
	for i := 0; i < len(ops); i++ {
		op, err := r.check(ctx, b, ops[i])
		if err != nil {
			refuse(i, op, err.Error())
			continue
		}
		set := []dream.Op{op}
		if op.Kind == dream.CreatePage && i+1 < len(ops) {
			r.made[string(op.Page)] = true
			if next, err := r.check(ctx, b, ops[i+1]); err == nil && next.Page == op.Page {
				set = append(set, next)
			}
		}
		if why := r.hand(set); len(why) > 0 {
			refuse(i, op, strings.Join(why, "; "))
			refused += len(set) - 1
		} else {
			accepted += len(set)
		}
		i += len(set) - 1
	}
	if ctx.Err() != nil {
		return "The time is over.", refused
	}
	fmt.Fprintf(&out, "%d ops accepted.\n%s", accepted, r.left(b))
	return out.String(), refused
}

// hand gives a set of ops to the verifier.
func (r *run) hand(set []dream.Op) (refusals []string) {
	for _, op := range set {
		if op.Kind == dream.CreatePage { // also when it is refused: it may be there by then, and the verifier knows
			r.made[string(op.Page)] = true
		}
	}
	if refusals = r.take(set); len(refusals) > 0 {
		return refusals
	}
	r.use.Accepted += len(set)
	for _, op := range set {
		delete(r.docs, string(op.Page))
		for _, f := range op.Facts {
			r.done[f.Fact] = true
		}
	}
	return nil
}

// left tells the model which facts are still to do.
func (r *run) left(b *batch) string {
	var ids []string
	for _, g := range b.groups {
		for _, f := range g.Facts {
			if !r.done[f.ID] {
				ids = append(ids, f.ID)
			}
		}
	}
	if len(ids) == 0 {
		return "All facts are accounted for."
	}
	return "Facts that no op accounts for yet: " + strings.Join(ids, ", ")
}

func orUnknown(s string) string {
	if s == "" {
		return "?"
	}
	return s
}

// A modelOp is an op as the model writes it.
type modelOp struct {
	Op         string   `json:"op"`
	Facts      []string `json:"facts"`
	Page       string   `json:"page"`
	Section    string   `json:"section"`
	Text       string   `json:"text"`
	Task       bool     `json:"task"`
	Target     string   `json:"target"`
	Correction bool     `json:"correction"`
	Question   string   `json:"question"`
	Reason     string   `json:"reason"`
	Title      string   `json:"title"`
	Aliases    []string `json:"aliases"`
	Tags       []string `json:"tags"`
	Type       string   `json:"type"`
}

// forms are the fields of each kind: those that it needs and those that it may have.
var forms = map[dream.Kind]struct{ needs, may string }{
	dream.CreatePage:   {"page title", "aliases tags type"},
	dream.AddStatement: {"page text", "section task"},
	dream.AddSource:    {"page target", ""},
	dream.Reword:       {"page target text", ""},
	dream.Supersede:    {"page target text", "section task correction"},
	dream.Contradict:   {"page target text question", "section"},
	dream.Drop:         {"reason", ""},
}

// fields are the names of what is set.
func (m modelOp) fields() map[string]bool {
	return map[string]bool{
		"page": m.Page != "", "section": m.Section != "", "text": m.Text != "", "task": m.Task, "target": m.Target != "",
		"correction": m.Correction, "question": m.Question != "", "reason": m.Reason != "", "title": m.Title != "",
		"aliases": len(m.Aliases) > 0, "tags": len(m.Tags) > 0, "type": m.Type != "",
	}
}

// formed checks that an op has the fields of its kind and no others.
func (m modelOp) formed() error {
	form, ok := forms[dream.Kind(m.Op)]
	if !ok {
		return fmt.Errorf("there is no op %q", clip(m.Op, 40))
	}
	set := m.fields()
	for _, need := range strings.Fields(form.needs) {
		if !set[need] {
			return fmt.Errorf("%s needs %s", m.Op, need)
		}
		delete(set, need)
	}
	for _, may := range strings.Fields(form.may) {
		delete(set, may)
	}
	for _, name := range []string{
		"page", "section", "text", "task", "target",
		"correction", "question", "reason", "title", "aliases", "tags", "type",
	} {
		if set[name] {
			return fmt.Errorf("%s takes no %s", m.Op, name)
		}
	}
	return nil
}

// check turns the model's op into ours. The op that comes with an error is only for naming it.
func (r *run) check(ctx context.Context, b *batch, raw json.RawMessage) (dream.Op, error) {
	var m modelOp
	if err := strictly(string(raw), &m); err != nil {
		return m.named(), err
	}
	return r.checkOp(ctx, b, m)
}

// named is the op that names m where it is refused.
func (m modelOp) named() dream.Op { return dream.Op{Kind: dream.Kind(clip(m.Op, 40))} }

func (r *run) checkOp(ctx context.Context, b *batch, m modelOp) (dream.Op, error) {
	op, err := m.named(), m.formed()
	if err != nil {
		return op, err
	}
	op.By = r.agent.Name()
	if op.Kind != dream.Drop {
		if op.Page, err = pagePath(m.Page); err != nil {
			return op, fmt.Errorf("page %q: %w", clip(m.Page, 120), err)
		}
		if isList(op.Page) {
			return op, fmt.Errorf("%s is kept by rules", op.Page)
		}
	}
	if op.Kind == dream.CreatePage {
		return r.checkPage(ctx, b, op, m)
	}
	base, err := r.checkFacts(b, &op, m)
	if err != nil {
		return op, err
	}
	if op.Kind == dream.Drop {
		op.Reason, err = plain("reason", m.Reason, 200, base)
		return op, err
	}
	return r.checkStatement(ctx, op, m, base)
}

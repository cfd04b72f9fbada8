package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
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
	for i := range ops {
		var m modelOp
		why := ""
		if err := strictly(string(ops[i]), &m); err != nil {
			why = err.Error()
		} else if why = r.hand(ctx, b, m); why == "" {
			accepted++
			continue
		}
		refused++
		r.note("%s on %s: %s", orUnknown(clip(m.Op, 40)), orUnknown(clip(m.Page, 120)), why)
		fmt.Fprintf(&out, "Op %d refused: %s\n", i+1, clip(strings.Join(strings.Fields(why), " "), 300))
	}
	if ctx.Err() != nil {
		return "The time is over.", refused
	}
	fmt.Fprintf(&out, "%d ops accepted.\n%s", accepted, r.left(b))
	return out.String(), refused
}

// hand gives an op to the verifier, and says why it is refused.
func (r *run) hand(ctx context.Context, b *batch, m modelOp) (why string) {
	op, err := r.check(ctx, b, m)
	if err != nil {
		return err.Error()
	}
	if why = r.take(&op); why != "" {
		return why
	}
	r.use.Accepted++
	clear(r.docs) // a page that is moved changes others
	for _, f := range op.Facts {
		r.done[f.Fact] = true
	}
	return ""
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
	With       []string `json:"with"`
	To         string   `json:"to"`
	Correction bool     `json:"correction"`
	Question   string   `json:"question"` // of conflict: asked in our words
	Reason     string   `json:"reason"`
	Title      string   `json:"title"`
	Aliases    []string `json:"aliases"`
	Tags       []string `json:"tags"`
	Type       string   `json:"type"`
}

// forms are the fields of each kind: those that it needs and those that it may have.
var forms = map[dream.Kind]struct{ needs, may string }{
	dream.CreatePage:   {"page title", "aliases tags type"},
	dream.AddStatement: {"facts page text", "section task"},
	dream.Summary:      {"page text", "facts"},
	dream.AddSource:    {"facts page target", ""},
	dream.Reword:       {"page target text", "facts"},
	dream.Merge:        {"page target with", "text"},
	dream.Supersede:    {"page target", "facts text with section task correction"},
	dream.Tick:         {"facts page target", ""},
	dream.Contradict:   {"facts page target", "text section"},
	dream.MovePage:     {"page", "to title"},
	dream.Drop:         {"facts reason", ""},
}

// formed checks that an op has the fields of its kind and no others.
func (m modelOp) formed() error {
	form, ok := forms[dream.Kind(m.Op)]
	if !ok {
		return fmt.Errorf("there is no op %q", clip(m.Op, 40))
	}
	for _, f := range []struct {
		name string
		set  bool
	}{
		{"facts", len(m.Facts) > 0},
		{"page", m.Page != ""},
		{"section", m.Section != ""},
		{"text", m.Text != ""},
		{"task", m.Task},
		{"target", m.Target != ""},
		{"with", len(m.With) > 0},
		{"to", m.To != ""},
		{"correction", m.Correction},
		{"reason", m.Reason != ""},
		{"title", m.Title != ""},
		{"aliases", len(m.Aliases) > 0},
		{"tags", len(m.Tags) > 0},
		{"type", m.Type != ""},
	} {
		needs := slices.Contains(strings.Fields(form.needs), f.name)
		switch {
		case needs && !f.set:
			return fmt.Errorf("%s needs %s", m.Op, f.name)
		case f.set && !needs && !slices.Contains(strings.Fields(form.may), f.name):
			return fmt.Errorf("%s takes no %s", m.Op, f.name)
		}
	}
	return nil
}

// check turns the model's op into ours. Whether it is true to the facts is for the verifier.
func (r *run) check(ctx context.Context, b *batch, m modelOp) (op dream.Op, err error) {
	if err := m.formed(); err != nil {
		return op, err
	}
	op = dream.Op{Kind: dream.Kind(m.Op), Task: m.Task, Target: m.Target, With: m.With, By: r.agent.Name()}
	if m.Correction {
		op.Note = "corrected"
	}
	if op.Kind != dream.Drop {
		if op.Page, err = pagePath(m.Page); err != nil {
			return op, fmt.Errorf("page %q: %w", clip(m.Page, 120), err)
		}
		if isList(op.Page) {
			return op, fmt.Errorf("%s is kept by rules", op.Page)
		}
	}
	base := ""
	for _, id := range m.Facts {
		f, ok := b.facts[id]
		if !ok {
			return op, fmt.Errorf("there is no fact %q here", clip(id, 40))
		}
		base += f.Text + "\n"
		op.Facts = append(op.Facts, dream.Account{Fact: id})
	}
	said := base
	d, err := r.page(ctx, op.Page)
	if err == nil {
		base += string(d.data)
	}
	switch op.Kind {
	case dream.Drop:
		op.Reason, err = plain("reason", m.Reason, 200, base)
		return op, err
	case dream.CreatePage, dream.MovePage:
		return r.checkPage(b, op, m)
	}
	if m.Text != "" {
		if op.Text, err = plain("text", m.Text, maxStatement, base); err != nil {
			return op, err
		}
		if leads(op.Text) != "" && leads(said) == "" {
			return op, errors.New("the text may not stand on a page: " + leads(op.Text))
		}
		op.Text = strings.TrimSuffix(op.Text, ".")
	}
	if m.Section != "" {
		op.Section, err = name("section", strings.TrimLeft(m.Section, "# "), base)
		return op, err
	}
	return op, nil
}

package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
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
	for i, raw := range ops {
		if why := r.op(ctx, b, string(raw)); why != "" {
			refused++
			fmt.Fprintf(&out, "Op %d refused: %s\n", i+1, clip(strings.Join(strings.Fields(why), " "), 300))
		}
	}
	if ctx.Err() != nil {
		return "The time is over.", refused
	}
	fmt.Fprintf(&out, "%d ops accepted.\n", len(ops)-refused)
	if left := r.left(b, b.ids); len(left) > 0 {
		return out.String() + "Facts that no op accounts for yet: " + strings.Join(left, ", "), refused
	}
	return out.String() + "All facts are accounted for.", refused
}

// op takes an op as the model writes it, and says why it is refused. One that was taken before is good and changes nothing.
func (r *run) op(ctx context.Context, b *batch, text string) (why string) {
	var m modelOp
	if err := strictly(text, &m); err != nil {
		why = err.Error()
	} else if !slices.ContainsFunc(r.taken, func(t modelOp) bool { return reflect.DeepEqual(t, m) }) {
		why = r.hand(ctx, b, m)
	}
	if why != "" {
		r.note("%s on %s: %s", cmp.Or(clip(m.Op, 40), "?"), cmp.Or(clip(m.Page, 120), "?"), why)
	}
	return why
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
	r.taken = append(r.taken, m)
	clear(r.docs) // a page that is moved changes others
	for _, f := range op.Facts {
		r.done[f.Fact] = true
	}
	return ""
}

// left are those of the facts that are still to do.
func (r *run) left(b *batch, ids []string) (left []string) {
	for _, id := range ids {
		if _, there := b.facts[id]; there && !r.done[id] {
			left = append(left, id)
		}
	}
	return left
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
	Question   string   `json:"question"` // never used: we ask in our own words
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
	v := reflect.ValueOf(m)
	for i := range v.NumField() {
		f := v.Field(i)
		name, set := v.Type().Field(i).Tag.Get("json"), !f.IsZero() && (f.Kind() != reflect.Slice || f.Len() > 0)
		needs := slices.Contains(strings.Fields(form.needs), name)
		switch {
		case needs && !set:
			return fmt.Errorf("%s needs %s", m.Op, name)
		case set && !needs && !slices.Contains(strings.Fields("op question "+form.may), name):
			return fmt.Errorf("%s takes no %s", m.Op, name)
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

package dream

import (
	"github.com/reverie-memory/reverie/dream/navigate"
	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/trust"
	"github.com/reverie-memory/reverie/vault"
)

// waits says why a fact does not go on a page by itself. One that waited before is here because a person ticked it, or changed its line.
func (p *planner) waits(f *fact) (why string) {
	s := &f.Section
	why = trust.Bar(trust.Said{Text: f.Text, Origin: s.Origin, Speaker: s.Speaker, Owner: p.router.Owner}, trust.Page)
	if why == "" {
		return ""
	}
	if a, known := p.known.FindOn(f.Day, f.ID); known && a.Page == p.r.where.At(navigate.UnconfirmedPath) {
		return ""
	}
	return why
}

// hold leaves a fact that does not go on its page to a person, unless the page says it already. The statement there does not get
// its source: it is trusted as far as the least trusted of those.
func (p *planner) hold(group *pageGroup, f *fact) {
	if l := p.look(group, f).same; l != nil && l.conflict == "" {
		f.account(Duplicate, l.draft.path, &Op{Page: l.draft.path, By: byRules}, saidTrusted)
		return
	}
	p.unconfirmed(f)
}

func (p *planner) unconfirmed(f *fact) { p.onList(p.r.where.At(navigate.UnconfirmedPath), f, f.held) }

// confirmed are the facts that people ticked in 0_Inbox/Unconfirmed.md, with their items. Only facts that wait there count.
func (r *Runner) confirmed(known *vault.Accounts) (facts []vault.Fact, items []navigate.Item, err error) {
	list, err := r.items(navigate.UnconfirmedPath)
	if err != nil {
		return nil, nil, err
	}
	logs, seen := newLogCache(r.o.Vault), map[page.Source]bool{}
	for _, it := range list {
		if !it.Ticked || len(it.Sources) == 0 || seen[it.Sources[0]] {
			continue
		}
		a, _ := known.FindOn(it.Sources[0].Day, it.Sources[0].ID)
		f, ok, err := logs.fact(it.Sources[0])
		if err != nil {
			return nil, nil, err
		}
		if ok && a.Page == r.where.At(navigate.UnconfirmedPath) && known.Covers(&f) {
			seen[it.Sources[0]] = true
			facts, items = append(facts, f), append(items, it)
		}
	}
	return facts, items, nil
}

// confirm takes what people ticked off the list, and gives the facts, which are filed like any other.
func (p *planner) confirm() ([]vault.Fact, error) {
	facts, items, err := p.r.confirmed(p.known)
	for _, it := range items {
		p.takeItem(navigate.UnconfirmedPath, it, "", byRules)
	}
	return facts, err
}

// labels are the ops that write the origins of what ops wrote beside the links to it, where it is not the person's own words.
func (p *planner) labels(ops []Op) []Op {
	by := map[string]*Op{}
	var out []*Op
	seen := map[page.Source]bool{}
	for i := range ops {
		src := ops[i].Sources
		if ops[i].Kind == MoveLine {
			continue // they are another page's from now on
		}
		for _, o := range append(ops[i].Options, ops[i].Rejected...) {
			src = append(src[:len(src):len(src)], o.Sources...)
		}
		for _, s := range src {
			from, _ := p.told(s)
			label := trust.Label(from.Origin)
			if label == "" || seen[s] {
				continue
			}
			seen[s] = true
			if by[label] == nil {
				by[label] = &Op{Kind: LabelSources, Page: ops[i].Page, Note: label, By: byRules}
				out = append(out, by[label])
			}
			by[label].Sources = append(by[label].Sources, s)
		}
	}
	return slice.Map(out, func(op *Op) Op { return *op })
}

// labelled carries out the ops of [LabelSources]. The label stands in what a link shows, which is no part of a statement's text.
func labelled(data []byte, ops []Op) []byte {
	for i := range ops {
		if ops[i].Kind == LabelSources {
			data = page.LabelSources(data, ops[i].Note, ops[i].Sources)
		}
	}
	return data
}

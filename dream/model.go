package dream

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/dream/claim"
	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/dream/route"
	"github.com/reverie-memory/reverie/vault"
)

// propose lets the model go first. Whatever it leaves out, or may not do, falls to the rules.
func (p *planner) propose(ctx context.Context, model Proposer) *ModelUse {
	p.keep = true
	ctx, cancel := context.WithTimeout(ctx, p.r.o.Timeout)
	defer cancel()
	p.r.progress(p.run, "model", 0, len(p.facts), "facts")
	accepted := 0
	use, err := model.Propose(ctx, p.groups(), wiki{p}, func(ops []Op) []string {
		var refused []string
		for i := range ops {
			op := ops[i]
			op.By = model.Name()
			why := p.accept(&op)
			if ops[i] = op; op.Page != "" {
				ops[i].Page = p.shown(op.Page)
			}
			if why != "" {
				if len(ops) > 1 {
					why = fmt.Sprintf("op %d (%s): %s", i+1, ops[i].Kind, why)
				}
				refused = append(refused, why)
				continue
			}
			accepted++
			p.r.progress(p.run, "model", p.settled(), len(p.facts), "facts")
		}
		return refused
	})
	if err != nil {
		use.Stopped = err.Error()
	}
	use.Accepted = accepted
	// What was forgotten since it was refused is not repeated.
	use.Refused = slices.DeleteFunc(use.Refused, func(why string) bool { return p.tombs.Visible(why) != why })
	if use.Stopped != "" {
		p.notes = append(p.notes, "the model stopped early ("+use.Stopped+"): the rules did the rest")
	}
	if n := len(use.Refused); n > 0 {
		p.notes = append(p.notes, fmt.Sprintf("%d proposals of the model were refused", n))
	}
	return &use
}

// groups are the facts by the page where they belong, in the order of their first.
func (p *planner) groups() []Group {
	var groups []Group
	at := map[vault.Path]int{}
	for _, f := range p.facts {
		if f.place.Page == "" || p.dead(f) || p.waits(f) != "" {
			continue
		}
		i, ok := at[f.place.Page]
		if !ok {
			i = len(groups)
			at[f.place.Page] = i
			groups = append(groups, Group{Page: p.shown(f.place.Page), Title: f.place.Entry.Title, Section: f.place.Section})
		}
		groups[i].Facts = append(groups[i].Facts, f.Fact)
	}
	return groups
}

// shown is how a model knows a page: by its name under the root, where it lies there.
func (p *planner) shown(name vault.Path) vault.Path { return cmp.Or(p.r.where.Name(name), name) }

func (p *planner) dead(f *fact) bool {
	_, ok := p.tombs.Match(f.Text)
	return ok
}

func (p *planner) settled() int {
	n := 0
	for _, f := range p.facts {
		if f.op != nil {
			n++
		}
	}
	return n
}

// accept checks one proposal and carries it out on the draft. It says why not.
func (p *planner) accept(op *Op) (why string) {
	if op.Page != "" {
		op.Page = p.r.where.At(op.Page)
	}
	if op.Kind == CreatePage {
		return p.acceptPage(op)
	}
	facts, why := p.cited(op)
	if why != "" {
		return why
	}
	group, d, why := p.target(op, facts)
	if why != "" {
		return why
	}
	if strings.ContainsAny(op.Text, "\n\r") || len(op.Text) > maxStatement {
		return "a statement is one line"
	}
	switch op.Kind {
	case AddStatement:
		return p.acceptAdd(group, d, op, facts)
	case AddSource, Reword, Supersede, Contradict:
		return p.acceptOn(group, op, facts)
	case Drop:
		if reason, ok := claim.Trivial(facts[0].text); ok {
			p.drop(facts[0], reason)
			return ""
		}
		return "the fact says something: it may not be dropped"
	}
	return "there is no such op"
}

// maxStatement is the most bytes of a statement that a model may write.
const maxStatement = 1000

// cited are the facts of a proposal: of this run, not forgotten, and not accounted for yet.
func (p *planner) cited(op *Op) ([]*fact, string) {
	var out []*fact
	for _, a := range op.Facts {
		f := p.byID[a.Fact]
		switch {
		case f == nil:
			return nil, fmt.Sprintf("there is no fact %q in this run", clipped(a.Fact))
		case f.op != nil:
			return nil, fmt.Sprintf("fact %s is accounted for already", a.Fact)
		case p.dead(f), p.waits(f) != "":
			return nil, fmt.Sprintf("there is no fact %q in this run", clipped(a.Fact))
		case slices.Contains(out, f):
			return nil, fmt.Sprintf("fact %s is named twice", a.Fact)
		}
		out = append(out, f)
	}
	if len(out) == 0 {
		return nil, "it names no fact"
	}
	return out, ""
}

// acceptPage notes a page that the model wants. It is made with its first statement.
func (p *planner) acceptPage(op *Op) string {
	if op.Meta == nil || !p.r.where.InZone(op.Page) || strings.HasPrefix(string(p.r.where.Name(op.Page)), "0_Inbox/") {
		return fmt.Sprintf("%q is not a page that may be made", clipped(string(op.Page)))
	}
	for _, f := range p.facts {
		if f.place.Page == op.Page {
			return "" // the rules would make it as well
		}
	}
	plans := p.router.Dir.Find(op.Meta.Title)
	if slices.ContainsFunc(plans, func(e route.Entry) bool { _, planned := p.planned[e.Path]; return !planned }) {
		return "there is a page of that name"
	}
	for _, e := range plans { // what nobody has written is in nobody's way
		p.router.Dir.Remove(e.Path)
	}
	if free := p.router.Dir.Free(path.Dir(string(p.r.where.Name(op.Page))), op.Meta.Title); free != op.Page {
		for _, e := range plans {
			p.router.Dir.Add(e)
		}
		return fmt.Sprintf("a page of that title is to be made as %q", free)
	}
	p.replan(plans, op.Page)
	meta := *op.Meta
	meta.Created = p.today
	p.made[op.Page] = &meta
	return ""
}

// replan has the facts of pages that are planned go to another one, which takes their place.
func (p *planner) replan(plans []route.Entry, to vault.Path) {
	for i, e := range plans {
		delete(p.planned, e.Path)
		moved := e
		moved.Path = to
		if i == 0 {
			p.router.Dir.Add(moved)
			p.planned[to] = moved
		}
		for _, f := range p.facts {
			if f.place.Page == e.Path {
				f.place.Page, f.place.Entry = to, moved
			}
		}
	}
}

// target finds the page of a proposal: one that is there, or the one where the facts belong.
func (p *planner) target(op *Op, facts []*fact) (*pageGroup, *draft, string) {
	if op.Page == "" {
		op.Page = facts[0].place.Page
	}
	if !p.r.where.InZone(op.Page) || p.r.where.isList(op.Page) || strings.HasPrefix(string(p.r.where.Name(op.Page)), "0_Inbox/") {
		return nil, nil, fmt.Sprintf("%q is not a page that may be written", clipped(string(op.Page)))
	}
	group, err := p.groupOf(op.Page)
	if err != nil {
		return nil, nil, "the page cannot be read"
	}
	for _, d := range group.drafts {
		if d.closed != "" {
			return nil, nil, d.closed
		}
		if d.path == op.Page {
			return group, d, ""
		}
	}
	if op.Page != facts[0].place.Page && p.made[op.Page] == nil {
		return nil, nil, fmt.Sprintf("there is no page %q; the facts belong on %q", clipped(string(op.Page)), facts[0].place.Page)
	}
	return group, nil, ""
}

func textsOf(facts []*fact) []string {
	var out []string
	for _, f := range facts {
		out = append(out, f.Text, f.text)
	}
	return out
}

func sourcesOf(facts []*fact) []page.Source {
	var out []page.Source
	for _, f := range facts {
		out = append(out, f.source)
	}
	return out
}

// carries says whether a text tells all that each fact tells: else something of it would be lost on the page.
func carries(text string, facts []*fact) string {
	for _, f := range facts {
		if ok, why := claim.Supports([]string{text}, f.text); !ok {
			return fmt.Sprintf("it leaves out what fact %s says: %s", f.ID, why)
		}
	}
	return ""
}

func (p *planner) acceptAdd(group *pageGroup, d *draft, op *Op, facts []*fact) string {
	if ok, why := claim.Supports(textsOf(facts), op.Text); !ok {
		return "the facts do not say that: " + why
	}
	if why := carries(op.Text, facts); why != "" {
		return why
	}
	if strings.EqualFold(op.Section, historySection) {
		return "new statements do not go to History"
	}
	for _, f := range facts { // what the rules know better than to let stand beside each other
		found := p.look(group, f)
		switch {
		case found.same != nil:
			return fmt.Sprintf("the page says it already: %q", clipped(found.same.text))
		case len(found.replaced) > 0:
			return fmt.Sprintf("it changes %q: supersede that", clipped(found.replaced[0].text))
		case found.against != nil || found.newer != nil:
			return "it contradicts a statement of the page: leave it to the rules"
		}
	}
	if d == nil {
		d = p.draft(group, op.Page, func() *page.Meta { return cmp.Or(p.made[op.Page], p.meta(facts[0])) })
		m := d.ops[0].Meta
		delete(p.planned, op.Page)
		p.router.Dir.Add(route.Entry{Path: op.Page, Title: m.Title, Aliases: m.Aliases, Type: m.Type})
	}
	add := &Op{
		Kind: AddStatement, Section: heading(op.Section, facts[0]), Text: p.router.Link(p.plain(op.Text), d.path), Task: isTask(facts[0]),
		Sources: sourcesOf(facts), By: op.By,
	}
	group.facts = append(group.facts, facts...)
	if err := p.put(group, d, facts[0], add, Kept, ""); err != nil {
		return err.Error()
	}
	for _, f := range facts[1:] {
		f.account(Merged, d.path, add, "")
	}
	return ""
}

// plain takes out of a model's text what is more than text.
func (p *planner) plain(text string) string { return p.router.Statement(route.Item{Text: text}) }

// heading is the section that the model asked for, where it is one line of text.
func heading(section string, f *fact) string {
	section = strings.TrimSpace(section)
	if section == "" || len(section) > 60 || strings.ContainsAny(section, "#[]|\n\r`<>") {
		return f.place.Section
	}
	return section
}

// acceptOn checks a proposal about a statement that is there: the rules must come to the same relation.
func (p *planner) acceptOn(group *pageGroup, op *Op, facts []*fact) string {
	if len(facts) != 1 {
		return "it must name exactly one fact"
	}
	f := facts[0]
	found := p.look(group, f)
	same := func(l *line) bool { return l != nil && (l.id == op.Target || l.text == op.Was) }
	var err error
	switch {
	case op.Kind == AddSource && same(found.same):
		group.facts = append(group.facts, f)
		err = p.again(f, found.same)
	case op.Kind == Reword && same(found.less):
		group.facts = append(group.facts, f)
		err = p.widen(group, f, found.less)
	case op.Kind == Supersede && slices.ContainsFunc(found.replaced, same):
		group.facts = append(group.facts, f)
		err = p.replace(group, f, found.replaced, found.corrected)
	case op.Kind == Contradict && same(found.against):
		group.facts = append(group.facts, f)
		err = p.contradict(group, f, found.against)
	default:
		return "the rules see no such relation between the statement and the fact: leave the fact to them"
	}
	if err != nil {
		return err.Error()
	}
	f.line.By = op.By
	return ""
}

// A wiki shows a model the zones as they will be, and nothing else of the vault. The model knows pages by their names under the root.
type wiki struct{ p *planner }

// ListPages implements [Wiki].
func (w wiki) ListPages(_ context.Context, zone string) ([]vault.Path, error) {
	var out []vault.Path
	for _, list := range w.p.groupPages {
		for _, name := range list {
			name = w.p.r.where.Name(name)
			if name != "" && (zone == "" || strings.HasPrefix(string(name), strings.TrimSuffix(zone, "/")+"/")) {
				out = append(out, name)
			}
		}
	}
	slices.Sort(out)
	return out, nil
}

// ReadPage implements [Wiki].
func (w wiki) ReadPage(_ context.Context, name vault.Path) ([]byte, error) {
	name = w.p.r.where.At(name)
	if !w.p.r.where.InZone(name) {
		return nil, fmt.Errorf("%q is not a page", clipped(string(name)))
	}
	d, err := w.p.current(name)
	if err != nil {
		return nil, err
	}
	return d.doc.Bytes(), nil
}

// Search implements [Wiki].
func (w wiki) Search(ctx context.Context, query string, k int) ([]string, error) {
	return w.p.r.o.Index.Search(ctx, query, k)
}

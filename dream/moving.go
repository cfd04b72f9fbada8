package dream

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/dream/route"
	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/vault"
)

// acceptPage notes a page that a model wants, under any name of what the facts speak of. The page is made with its first statement. What
// rules had planned under one of its names, and nobody has written yet, goes there too.
func (p *planner) acceptPage(op *Op) string {
	dir, stem := path.Dir(string(p.r.where.Name(op.Page))), fileTitle(op.Page)
	if op.Meta == nil || !p.mayWrite(op.Page) {
		return fmt.Sprintf("%q is not a page that may be made", clipped(string(op.Page)))
	}
	if slices.Contains(p.groupPages[groupKey(op.Page)], op.Page) {
		return "the page exists: add to it"
	}
	m := *op.Meta
	m.Created = p.today
	names := append([]string{m.Title, stem}, m.Aliases...)
	var planned []vault.Path
	over := []string{"The user"}
	for _, n := range names {
		for _, e := range p.router.Dir.Find(n) {
			if slices.Contains(p.groupPages[groupKey(e.Path)], e.Path) {
				return fmt.Sprintf("there is a page of the name %q: %q", clipped(n), e.Path)
			}
			planned = append(planned, e.Path)
		}
	}
	for _, f := range p.facts {
		over = append(over, f.Text, f.place.Entry.Title)
	}
	for _, n := range names {
		if why := badName(n, over); why != "" {
			return why
		}
	}
	for _, at := range planned {
		p.router.Dir.Remove(at)
	}
	if free := p.router.Dir.Free(dir, stem); free != op.Page {
		for _, f := range p.facts {
			if slices.Contains(planned, f.place.Page) {
				p.router.Dir.Add(f.place.Entry)
			}
		}
		return fmt.Sprintf("%q is no name for a new page; %q is free", clipped(string(op.Page)), free)
	}
	p.made[op.Page] = &m
	if len(planned) > 0 {
		p.rehome(planned, route.Entry{Path: op.Page, Title: m.Title, Aliases: m.Aliases, Type: m.Type})
	}
	return ""
}

// rehome places the facts that were planned for some pages on another.
func (p *planner) rehome(from []vault.Path, to route.Entry) {
	p.router.Dir.Add(to)
	for _, f := range p.facts {
		if f.op == nil && slices.Contains(from, f.place.Page) {
			f.place.Page, f.place.Entry, f.place.Up = to.Path, to, route.Entry{}
		}
	}
}

// acceptMove gives a page that dreams made, and nobody wrote on, another title or another place, or moves all its lines to a page that is
// there. Its old names become names of what they lead to.
func (p *planner) acceptMove(op *Op) string {
	from, why := p.movable(op.Page)
	if why != "" {
		return why
	}
	to := op.Page
	if op.About != "" {
		to = p.r.where.At(op.About)
	}
	was := from.doc.Page()
	title := was.Title
	if op.Meta != nil && op.Meta.Title != "" {
		title = op.Meta.Title
	}
	over := slice.Map(from.doc.Statements(), func(st page.Statement) string { return st.Text })
	if why := badName(title, append(over, was.Title, "The user")); why != "" {
		return why
	}
	for _, e := range p.router.Dir.Find(title) {
		if e.Path != op.Page && e.Path != to {
			return fmt.Sprintf("there is a page of the name %q: %q", clipped(title), e.Path)
		}
	}
	aliases := slices.DeleteFunc(append([]string{was.Title}, was.Aliases...), func(n string) bool { return strings.EqualFold(n, title) })
	if to == op.Page {
		return p.retitle(from, title, aliases)
	}
	if !p.mayWrite(to) {
		return fmt.Sprintf("%q is not a page that may be written", clipped(string(to)))
	}
	if fileTitle(to) != fileTitle(op.Page) {
		if name := p.linking(op.Page); name != "" {
			return fmt.Sprintf("%q links to it by the name of its file: give it another title instead, or the same name in another folder", name)
		}
		aliases = append(aliases, fileTitle(op.Page))
	}
	group, err := p.groupOf(to)
	if err != nil {
		return "the page cannot be read"
	}
	d := group.draft(to)
	if d == nil {
		p.router.Dir.Remove(op.Page) // its name is free for the page at the new place
		dir := path.Dir(string(p.r.where.Name(to)))
		if free := p.router.Dir.Free(dir, fileTitle(to)); free != to {
			p.router.Dir.Add(route.Entry{Path: op.Page, Title: was.Title, Aliases: was.Aliases, Type: was.Type})
			return fmt.Sprintf("%q is no name for a new page; %q is free", clipped(string(to)), free)
		}
		d = p.draft(group, to, func() *page.Meta {
			return &page.Meta{Title: title, Aliases: aliases, Tags: was.Tags, Type: was.Type, Created: p.today}
		})
	} else if d.closed != "" {
		return d.closed
	} else if now := d.doc.Page(); op.Meta != nil && !strings.EqualFold(now.Title, title) {
		return fmt.Sprintf("the page is called %q", now.Title)
	} else if why := p.retitle(d, now.Title, append(append(now.Aliases, was.Title), was.Aliases...)); why != "" {
		return why
	}
	return p.carry(from, d, op.By)
}

// movable is the draft of a page that dreams made and that nobody else wrote on.
func (p *planner) movable(name vault.Path) (*draft, string) {
	if !p.mayWrite(name) {
		return nil, fmt.Sprintf("%q is not a page that may be moved", clipped(string(name)))
	}
	group, err := p.groupOf(name)
	if err != nil {
		return nil, "the page cannot be read"
	}
	d := group.draft(name)
	switch {
	case d == nil || d.data == nil:
		return nil, "there is no such page, or it is new"
	case d.closed != "":
		return nil, d.closed
	case len(group.drafts) > 1:
		return nil, "it has pages of its own"
	case len(d.ops) > 0:
		return nil, "it changes in this run already: move it first"
	case len(d.doc.Conflicts()) > 0:
		return nil, "a question on it waits for a person"
	}
	lines := d.data[len(vault.Front(d.data)):]
	told := 0
	for _, st := range d.doc.Statements() {
		if st.Nested || len(st.Sources) == 0 || !p.ours(d, st.Text) {
			return nil, "a person wrote on it"
		}
		told++
	}
	for l := range bytes.Lines(lines) { // a title, headings, and nothing but our statements
		if l = bytes.TrimSpace(l); len(l) > 0 && l[0] != '#' {
			told--
		}
	}
	if told != 0 || !bytes.Contains(vault.Front(d.data), []byte("\nreverie: page")) {
		return nil, "a person made it or wrote on it"
	}
	return d, ""
}

// linking is a page with a link to the file of that name.
func (p *planner) linking(to vault.Path) vault.Path {
	link := []byte("[[" + fileTitle(to))
	for _, name := range p.router.Dir.Paths() {
		if name == to {
			continue
		}
		if d, err := p.current(name); err == nil && bytes.Contains(d.doc.Bytes(), link) {
			return name
		}
	}
	return ""
}

// retitle gives a page a title and its names.
func (p *planner) retitle(d *draft, title string, aliases []string) string {
	op := &Op{Kind: Retitle, Meta: &page.Meta{Title: title, Aliases: aliases}, By: byRules}
	if _, err := d.do(op); err != nil {
		return "its frontmatter cannot be written"
	}
	e, _ := p.router.Dir.Get(d.path)
	e.Title, e.Aliases = title, aliases
	p.router.Dir.Add(e)
	return ""
}

// carry moves all lines of a page to another, and takes the page away. The page itself is proof that nothing is lost: it stays until its
// lines stand on the other one, see [Runner.retract].
func (p *planner) carry(from, to *draft, by string) string {
	group, err := p.groupOf(to.path)
	if err != nil {
		return "the page cannot be read"
	}
	for _, st := range from.doc.Statements() {
		add := &Op{
			Kind: AddStatement, Section: st.Section, Text: p.router.Link(st.Text, to.path), Task: st.Task, Sources: st.Sources,
			About: from.path, By: by,
		}
		if st.Done {
			add.Section = vault.History
		}
		if _, err := to.do(add); err != nil {
			return err.Error()
		}
	}
	from.ops = append(from.ops, &Op{Kind: TakePage, Page: from.path, About: to.path, By: by})
	from.closed = fmt.Sprintf("the page went to %q", to.path)
	p.reindex(group, to)
	old := p.open[groupKey(from.path)]
	old.lines, old.tasks = map[string][]*line{}, map[string][]*line{}
	e, _ := p.router.Dir.Get(to.path)
	if e.Path == "" {
		pg := to.doc.Page()
		e = route.Entry{Path: to.path, Title: pg.Title, Aliases: pg.Aliases, Type: pg.Type}
	}
	p.router.Dir.Remove(from.path)
	p.rehome([]vault.Path{from.path}, e)
	return ""
}

// planned says whether rules or a model are going to make the page.
func (p *planner) planned(name vault.Path) bool {
	_, known := p.router.Dir.Get(name)
	return known || p.made[name] != nil
}

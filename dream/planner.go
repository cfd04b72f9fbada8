package dream

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/dream/claim"
	"github.com/reverie-memory/reverie/dream/navigate"
	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/dream/route"
	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/trust"
	"github.com/reverie-memory/reverie/vault"
)

// Who made an op.
const (
	byRules  = "rules"
	byPerson = "person"
)

// A fact is a fact of the run.
type fact struct {
	vault.Fact
	source page.Source
	text   string // as a page shows it, links not set yet
	claim  *claim.Claim
	place  route.Place
	line   LedgerLine
	op     *Op    // that accounts for it
	done   bool   // filed as a task, it says that one is done
	held   string // why it does not go on a page by itself
	past   bool   // a part of it was no longer so when it was filed

	shelved *navigate.Item // its line in 0_Inbox/Unfiled.md, where an earlier run left it
}

// keptPages bounds the bytes of planned pages that are held until they are written.
const keptPages = 32 << 20

// A planner plans one run. A planner is used by one goroutine and writes nothing; pages are read ahead and worked out beside it.
type planner struct {
	r          *Runner
	run        string
	today      vault.Day
	latest     vault.Day // of which the run knows anything: a year that is imported at once has its own time
	tombs      *vault.Tombstones
	known      *vault.Accounts
	written    writtenTexts
	router     *route.Router
	groupPages map[string][]vault.Path // pages by groupKey
	keep       bool                    // groups stay open until the end, since a model may come back to them
	open       map[string]*pageGroup
	ahead      map[string]*loading
	closing    []*closing                // in the order in which they were closed
	made       map[vault.Path]*page.Meta // pages that a model wants
	facts      []*fact
	before     []earlier // facts that may move to pages of this run
	byID       map[string]*fact
	lists      map[vault.Path][]Op
	asked      int      // questions that a model puts to a person
	texts      []string // that the run writes, for written.txt
	pages      []PagePlan
	keptBytes  int                                      // of pages that need not be worked out again when the plan is carried out
	preview    func(p vault.Path, before, after []byte) // for dry runs
	drops      []Op
	conflict   []openConflict
	gone       map[page.Source]bool // facts that a ledger has and their logs do not
	fresh      bool                 // and some of them were not looked for on the pages yet
	counts     planCounts
	said       struct { // in the conversations of the day that was read last
		day   vault.Day
		chats map[string][]string
	}
	notes []string
	// mentioned: a page still tells something forgotten.
	mentioned bool
}

// newPlanner reads the directory of pages and what is known of earlier runs.
func (r *Runner) newPlanner(ctx context.Context, run string, today vault.Day) (*planner, error) {
	p := &planner{
		r: r, run: run, today: today, groupPages: map[string][]vault.Path{}, open: map[string]*pageGroup{}, ahead: map[string]*loading{},
		made: map[vault.Path]*page.Meta{},
		byID: map[string]*fact{}, lists: map[vault.Path][]Op{},
	}
	var err error
	if p.tombs, err = r.o.Vault.Tombstones(); err != nil {
		return nil, fmt.Errorf("reading what was forgotten: %w", err)
	}
	r.seen.follow(p.tombs.Version())
	if p.tombs.Lost() > 0 { // what they hid would come back on pages
		return nil, &vault.Error{Op: "dreaming", Err: errors.New("tombstones are lost"), Hint: "`reverie doctor` says how to get them back"}
	}
	if p.known, err = r.o.Vault.Accounted(); err != nil {
		return nil, fmt.Errorf("reading the ledgers: %w", err)
	}
	if p.gone, p.fresh, err = r.gone.read(ctx, r.o.Vault, p.known); err != nil {
		return nil, fmt.Errorf("looking for lines that left the logs: %w", err)
	}
	if p.written, err = r.store.written(); err != nil {
		return nil, fmt.Errorf("reading what earlier runs wrote: %w", err)
	}
	dir, err := p.directory(ctx)
	if err != nil {
		return nil, fmt.Errorf("reading the pages' names: %w", err)
	}
	p.router = &route.Router{Dir: dir, Thread: p.thread}
	return p, nil
}

// directory reads the names of all pages. directory keeps names and counts, never texts.
func (p *planner) directory(ctx context.Context) (*route.Directory, error) {
	dir, filed := route.NewDirectory(p.r.where.Layout), p.r.where.foreignPages(p.known)
	_, err := p.r.o.Vault.Walk(ctx, func(name vault.Path, info vault.FileInfo) error {
		if !p.r.where.isPage(name) || p.r.where.isList(name) {
			return nil
		}
		seen := p.r.seen.of(name, info)
		if seen.entry == nil {
			data, err := p.r.o.Vault.ReadFile(name)
			if err != nil {
				p.notes = append(p.notes, fmt.Sprintf("%s cannot be read and is left alone", name))
				return nil
			}
			pg := vault.ParsePage(name, data)
			seen.entry = &route.Entry{Path: name, Title: pg.Title, Aliases: pg.Aliases, Type: pg.Type, Sections: countSections(pg.Body)}
		}
		entry := *seen.entry
		entry.Foreign, entry.Filed = !p.r.where.InZone(name), filed[name]
		dir.Add(entry)
		key := groupKey(name)
		p.groupPages[key] = append(p.groupPages[key], name)
		return nil
	})
	return dir, err
}

// countSections counts the list items under each heading, which is all that filing wants to know of a page.
func countSections(body []byte) map[string]int {
	var out map[string]int
	section := ""
	for l := range strings.Lines(string(body)) {
		switch {
		case strings.HasPrefix(l, "## "):
			section = strings.Clone(strings.TrimSpace(l[3:])) // a part of the text would hold all of it
		case strings.HasPrefix(l, "- ") && section != vault.History:
			if out == nil {
				out = map[string]int{}
			}
			out[section]++
		}
	}
	return out
}

// foreignPages are those outside the zones that facts were filed on.
func (w places) foreignPages(known *vault.Accounts) map[vault.Path]bool {
	out := map[vault.Path]bool{}
	for _, a := range known.All() {
		if a.Page != "" && !w.InZone(a.Page) {
			out[a.Page] = true
		}
	}
	return out
}

// isPage says whether a plan may add to the file where it is there: a page of the zones, or one that a person keeps elsewhere.
func (w places) isPage(p vault.Path) bool {
	clean, err := vault.ParsePath(string(p))
	return err == nil && clean == p && w.IsPage(p) && !strings.Contains(string(p), "/.")
}

// told is where a line of a log was said, and by whom, as far as the run or the ledgers know it.
func (p *planner) told(s page.Source) (from vault.Section, known bool) {
	if f := p.byID[s.ID]; f != nil && f.Day == s.Day {
		return f.Section, true
	}
	a, known := p.known.FindOn(s.Day, s.ID)
	return vault.Section{Speaker: a.Speaker, Origin: a.Origin, Drawer: a.Drawer}, known
}

func (p *planner) speakerOf(src []page.Source) string {
	for _, s := range src {
		if from, known := p.told(s); known {
			return from.Speaker
		}
	}
	return ""
}

// take gives the planner the facts of the run, and places them.
func (p *planner) take(facts []vault.Fact) {
	items := make([]route.Item, 0, len(facts))
	for i := range facts {
		f, it := p.fact(facts[i])
		items = append(items, it)
		p.facts, p.latest = append(p.facts, f), min(max(p.latest, f.Day), p.today)
	}
	p.latest = cmp.Or(p.latest, p.today)
	var own trust.Votes
	called := ""
	for _, f := range p.facts {
		own.Hear(f.Section.Speaker, f.Section.Origin, f.Section.Turn)
		if name := trust.SaidName(f.Text); name != "" && f.Section.Speaker == "" && f.Section.Origin == vault.OriginUser {
			own.Name(name)
			called = name
		}
	}
	p.router.Owner = owner(&own, p.known)
	if p.router.Owner == "" && called != "" {
		p.router.Called = called
	}
	p.place(p.facts, items, p.filedBefore()...)
}

// maxHeard bounds in bytes what of a message counts for where its conversation belongs.
const maxHeard = 2000

// thread is what was said in a conversation on a day, as far as it can be read.
func (p *planner) thread(chat string, day vault.Day) []string {
	if p.said.day != day || p.said.chats == nil {
		p.said.day, p.said.chats = day, map[string][]string{}
		data, err := p.r.o.Vault.ReadFile(vault.DrawerPath(day))
		if err != nil {
			return nil
		}
		for _, d := range vault.ParseDrawers(vault.DrawerPath(day), data).Drawers {
			text := p.tombs.Visible(d.Text)
			p.said.chats[d.ChatID] = append(p.said.chats[d.ChatID], strings.ToValidUTF8(text[:min(len(text), maxHeard)], ""))
		}
	}
	return p.said.chats[chat]
}

// owner counts the facts of earlier runs as well.
func owner(own *trust.Votes, known *vault.Accounts) string {
	for _, a := range known.All() {
		own.Hear(a.Speaker, a.Origin, a.Turn)
	}
	return own.Owner()
}

// fact takes a fact into the run.
func (p *planner) fact(logged vault.Fact) (*fact, route.Item) {
	f, it := p.readFact(logged)
	p.byID[f.ID] = f
	return f, it
}

// readFact reads a fact, and what is known of where it belongs.
func (p *planner) readFact(logged vault.Fact) (*fact, route.Item) {
	f := &fact{Fact: logged, line: newLedgerLine(p.run, &logged), source: page.Source{Day: logged.Day, ID: logged.ID}}
	if rest := p.tombs.Cut(f.Text); rest != "" { // a fact that was forgotten altogether is dropped by the rules
		f.Text = rest
	}
	s := &f.Section
	it := route.Item{
		Text: f.Text, Category: f.Category, Tags: f.Tags, Speaker: s.Speaker, Wing: s.Wing, Room: s.Room, Chat: s.ChatID, Day: f.Day,
	}
	f.text = route.Statement(f.Text, s.Speaker)
	f.claim = claim.Parse(f.text, s.Speaker, f.Day)
	if rest, corrects := route.Corrects(f.Text, s.Speaker); corrects {
		it.Text, it.Category, f.claim = rest, "", claim.Parse(f.Text, s.Speaker, f.Day)
	}
	it.Identifies = s.Speaker != "" && f.claim.Identifies([]string{s.Speaker})
	return f, it
}

// place finds the pages of facts, and which of before belong to pages that are made for them. A new page gets no name from a fact of others
// by which it would tell assistants what to do.
func (p *planner) place(facts []*fact, items []route.Item, before ...earlier) {
	places := p.router.Place(items, slice.Map(before, func(e earlier) route.Item { return e.item })...)
	for i, place := range places[len(facts):] {
		if place.Page != "" && place.Up.Path == "" {
			before[i].to = place
			p.before = append(p.before, before[i])
		}
	}
	for i, place := range places[:len(facts)] {
		said := trust.Said{Text: place.Entry.Title, Origin: facts[i].Section.Origin, Speaker: facts[i].Section.Speaker, Owner: p.router.Owner}
		if place.New && trust.Bar(said, trust.Name) != "" {
			continue
		}
		facts[i].place = place
		if place.New {
			p.router.Dir.Add(place.Entry)
		}
	}
}

// rules files what is not accounted for, page by page.
func (p *planner) rules(ctx context.Context) error {
	defer p.wait()
	if err := p.gather(); err != nil {
		return err
	}
	var order []string
	groups := map[string][]*fact{}
	for _, f := range p.facts {
		if f.op != nil {
			continue
		}
		if p.buried(f) {
			continue
		}
		if trivial(f.text, f.Section.Speaker) {
			p.drop(f, onlyCourtesy)
			continue
		}
		if f.held = p.waits(f); f.place.Page == "" {
			if f.held != "" {
				p.unconfirmed(f)
			} else {
				p.unfiled(f, "no page was found for it")
			}
			continue
		}
		key := groupKey(f.place.Page)
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], f)
	}
	done := len(p.facts)
	for _, g := range groups {
		done -= len(g)
	}
	for i, key := range order {
		if err := ctx.Err(); err != nil {
			return err
		}
		for _, next := range order[i:min(i+groupsAhead, len(order))] {
			p.begin(next)
		}
		for _, f := range groups[key] {
			err := p.file(f)
			if errors.Is(err, errPlace) || errors.Is(err, errTarget) {
				p.r.log.Warn("a fact found no place on its page", "fact", f.ID, "page", f.place.Page, "err", err)
				p.unfiled(f, "its page has no place for it")
				continue
			}
			if err != nil {
				return fmt.Errorf("filing fact %s of %s: %w", f.ID, f.Day, err)
			}
		}
		if err := p.lapse(p.open[key]); err != nil {
			return err
		}
		done += len(groups[key])
		p.r.progress(p.run, "plan", done, len(p.facts), "facts")
		if !p.keep {
			p.close(p.open[key])
		}
	}
	p.closeAll()
	return nil
}

func (p *planner) closeAll() {
	for _, key := range slices.Sorted(maps.Keys(p.open)) {
		p.close(p.open[key])
	}
	for len(p.closing) > 0 {
		p.closed()
	}
}

// closingGroups bounds the groups that are worked out beside the next ones.
const closingGroups = 4

// A closing is a group whose drafts are being turned into parts of the plan. Nobody else touches it until done.
type closing struct {
	fam   *pageGroup
	parts []closedPage
	done  chan struct{}
}

type closedPage struct {
	draft *draft
	plan  *PagePlan
	after []byte
	err   error
}

// close begins to turn the group's drafts into parts of the plan, and checks them.
func (p *planner) close(group *pageGroup) {
	delete(p.open, group.key)
	c := &closing{fam: group, done: make(chan struct{})}
	p.closing = append(p.closing, c)
	today := p.today
	go func() {
		defer close(c.done)
		for _, d := range group.drafts {
			if len(d.ops) == 0 {
				continue
			}
			c.parts = append(c.parts, p.r.where.finished(d, today, group.facts, p.labels))
		}
	}()
	if len(p.closing) > closingGroups {
		p.closed()
	}
}

// finished is a draft as a part of the plan. A defect that panics is a page that is refused, not the end of the program.
func (w places) finished(d *draft, today vault.Day, facts []*fact, labels func([]Op) []Op) (part closedPage) {
	part.draft = d
	defer func() {
		if r := recover(); r != nil {
			part.err = fmt.Errorf("a defect in working it out: %v", r)
		}
	}()
	if part.plan, part.after, part.err = d.finish(today, facts, labels); part.err == nil {
		part.err = w.verifyPage(part.plan, d.data, part.after)
	}
	return part
}

// wait lets nothing of the planner run on when it gives up.
func (p *planner) wait() {
	for _, c := range p.closing {
		<-c.done
	}
	for _, l := range p.ahead {
		<-l.done
	}
}

// closed takes over the group that was closed first. A page whose part does not pass the verifier stays as it is, and its facts
// wait in 0_Inbox/Unfiled.md.
func (p *planner) closed() {
	c := p.closing[0]
	p.closing = p.closing[1:]
	<-c.done
	for _, part := range c.parts {
		d := part.draft
		if part.err != nil {
			p.refused(c.fam, d, part.err)
			continue
		}
		p.texts = append(p.texts, slices.Sorted(maps.Keys(d.texts))...)
		if p.preview != nil {
			p.preview(d.path, d.data, part.after)
		}
		if p.keptBytes += len(part.after); p.keptBytes <= keptPages {
			part.plan.page = part.after
		}
		p.pages = append(p.pages, *part.plan)
	}
}

func (p *planner) refused(group *pageGroup, d *draft, why error) {
	p.r.log.Error("the plan of a page was refused", "page", d.path, "err", why)
	p.notes = append(p.notes, fmt.Sprintf("the plan for %s was refused (%v); its facts are in %s",
		d.path, why, p.r.where.At(navigate.UnfiledPath)))
	for _, f := range group.facts {
		if f.line.Page == d.path {
			p.unfiled(f, "the plan of its page was refused")
		}
	}
	if slices.ContainsFunc(d.ops, func(op *Op) bool { return op.Kind == RemoveLine }) {
		p.cannotForget(fmt.Sprintf("%s still holds something forgotten", d.path))
	}
	p.conflict = slices.DeleteFunc(p.conflict, func(c openConflict) bool { return c.Page == d.path && c.New })
}

// account gives a fact its outcome, in place of one that it may have had.
func (f *fact) account(o Outcome, p vault.Path, op *Op, reason string) {
	f.op = op
	f.line.Outcome, f.line.Page, f.line.Reason, f.line.By = o, p, reason, op.By
}

// buried drops a fact that was forgotten.
func (p *planner) buried(f *fact) bool {
	why, ok := p.tombs.Match(f.Text)
	if ok {
		p.drop(f, "forgotten: "+cmp.Or(why, "no reason was given"))
	}
	return ok
}

func (p *planner) drop(f *fact, reason string) {
	op := &Op{Kind: Drop, Reason: reason, By: byRules, Facts: []Account{{f.ID, Dropped}}}
	f.account(Dropped, "", op, reason)
	p.drops = append(p.drops, *op)
}

func (p *planner) unfiled(f *fact, reason string) {
	p.onList(p.r.where.At(navigate.UnfiledPath), f, reason)
}

// onList leaves a fact to a person: on the list of what has no page, or on that of what waits for their word, with a box to tick.
func (p *planner) onList(list vault.Path, f *fact, reason string) {
	op := &Op{
		Kind: AddItem, Page: list, Text: f.text, Sources: []page.Source{f.source},
		Plain: list != p.r.where.At(navigate.UnconfirmedPath), By: byRules,
		Reason: reason, Facts: []Account{{f.ID, Unfiled}},
	}
	f.account(Unfiled, list, op, reason)
	p.list(op)
}

// items are those of a list in 0_Inbox.
func (r *Runner) items(list vault.Path) ([]navigate.Item, error) {
	data, err := r.o.Vault.ReadFile(r.where.At(list))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("reading %s: %w", list, err)
	}
	return navigate.ParseItems(data), nil
}

// takeItem takes an item off such a list.
func (p *planner) takeItem(list vault.Path, it navigate.Item, about vault.Path, by string) {
	p.list(&Op{
		Kind: TakeItem, Page: p.r.where.At(list), About: about, Section: it.Page, Text: it.Text, Sources: it.Sources, Plain: it.Plain, By: by,
	})
}

func (p *planner) list(op *Op) { p.lists[op.Page] = append(p.lists[op.Page], *op) }

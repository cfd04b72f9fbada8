package dream

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/dream/claim"
	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/vault"
)

// A draft is a page as it will be.
type draft struct {
	path   vault.Path
	data   []byte // as it stands, nil when there is no such page
	doc    *page.Doc
	ops    []*Op
	texts  map[string]bool // that the ops wrote, as they read
	closed string          // why it cannot be written; "" when it can
}

// do carries out an op and remembers it.
func (d *draft) do(op *Op) (id string, err error) {
	op.Page = d.path
	was, _ := d.doc.Find(op.Target)
	if id, err = applyOp(d.doc, op); err != nil {
		return "", fmt.Errorf("%s on %s: %w", op.Kind, d.path, err)
	}
	d.ops = append(d.ops, op)
	if st, ok := d.doc.Find(id); ok && op.Kind != AddSource && op.Kind != Settle {
		d.wrote(st.Text)
	}
	if op.Kind == Supersede {
		d.wrote(withNote(was.Text, op.Note))
	}
	if op.Kind != Settle { // the sides of a question are told by their callout; one may be the line of a person
		return id, nil
	}
	for _, o := range op.Options {
		if len(o.Sources) > 0 { // else a person corrected it
			d.wrote(page.Shown(o.Text))
		}
	}
	for _, o := range op.Rejected {
		d.wrote(page.Shown(withNote(o.Text, op.Note)))
	}
	return id, nil
}

func (d *draft) wrote(text string) {
	if d.texts == nil {
		d.texts = map[string]bool{}
	}
	d.texts[text] = true
}

// A line is a statement that facts are compared with.
type line struct {
	draft    *draft
	id       string
	text     string
	sources  []page.Source
	section  string
	claim    *claim.Claim
	day      vault.Day // of its newest source; of a line without any, see [lineAges]
	until    bool      // no later than on that day, and nobody knows since when
	history  bool
	ours     bool   // a run wrote it and nobody changed it since
	fact     *fact  // of this run, that it was made from
	conflict string // question of the callout that it is a side of
	task     bool   // and not ticked
	ticked   bool
	gone     bool
}

// A pageGroup is a page with its overflow pages: what is compared with each other.
type pageGroup struct {
	key    string
	drafts []*draft
	facts  []*fact            // of this run, that were filed here
	lines  map[string][]*line // by key of the claim
	tasks  map[string][]*line // open ones, by [claim.Claim.Errand]
	named  map[page.Source]*line
	claims map[string]*claim.Claim // by text, speaker and day
}

func (group *pageGroup) draft(name vault.Path) *draft {
	for _, d := range group.drafts {
		if d.path == name {
			return d
		}
	}
	return nil
}

// groupKey groups "3_Personal/Alice.md" with "3_Personal/Alice - Work 2026.md".
func groupKey(p vault.Path) string {
	name := strings.TrimSuffix(string(p), ".md")
	if i := strings.Index(name, " - "); i > 0 {
		name = name[:i]
	}
	return lexis.Fold(name)
}

func (p *planner) load(name vault.Path) (*draft, error) {
	data, err := p.r.o.Vault.ReadFile(name)
	if err != nil {
		return nil, err
	}
	if data == nil {
		data = []byte{}
	}
	d := &draft{path: name, data: data, doc: page.Parse(name, data)}
	if fi, err := os.Stat(filepath.Join(p.r.o.Vault.Dir(), filepath.FromSlash(string(name)))); err == nil && fi.Mode().Perm()&0o200 == 0 {
		d.closed = "the page is read-only"
	}
	return d, nil
}

// draft is the page of a place, made when it does not exist yet.
func (p *planner) draft(group *pageGroup, of vault.Path, meta func() *page.Meta) *draft {
	if d := group.draft(of); d != nil {
		return d
	}
	m := meta()
	d := &draft{path: of, doc: page.New(of, *m)}
	d.ops = append(d.ops, &Op{Kind: CreatePage, Page: of, Meta: m, By: byRules})
	group.drafts = append(group.drafts, d)
	p.groupPages[group.key] = append(p.groupPages[group.key], of)
	return d
}

// index adds the statements of a page to what facts are compared with.
func (p *planner) index(group *pageGroup, d *draft) {
	conflicts := map[string]string{}
	for _, c := range d.doc.Conflicts() {
		for _, o := range c.Options {
			conflicts[o.ID] = c.Question
		}
	}
	for _, st := range d.doc.Statements() {
		if st.Callout && conflicts[st.ID] == "" {
			continue // the callout of somebody else
		}
		written := p.ours(d, st.Text)
		l := &line{
			draft: d, id: st.ID, text: st.Text, sources: st.Sources, section: st.Section, history: st.History,
			ours: written && !st.Nested || st.Callout, conflict: conflicts[st.ID], task: st.Task && !st.Done, ticked: st.Task && st.Done,
		}
		if l.day = newest(st.Sources); l.day == "" {
			known := p.r.ages.of(st.Text, d.doc.Page(), p.today)
			l.day, l.until = known.day, known.until
		}
		text := st.Text
		if st.History {
			text = unnoted(text)
		}
		l.claim = group.claim(text, p.speakerOf(st.Sources), l.day)
		for _, s := range st.Sources {
			group.named[s] = l
		}
		group.add(l)
	}
}

// ours says whether a run wrote the text, this one included.
func (p *planner) ours(d *draft, text string) bool {
	return p.written.has(text) || d.texts[text]
}

// claim reads a statement once, however often its page is indexed.
func (group *pageGroup) claim(text, speaker string, day vault.Day) *claim.Claim {
	key := text + "\x00" + speaker + "\x00" + string(day)
	c := group.claims[key]
	if c == nil {
		c = claim.Parse(text, speaker, day)
		group.claims[key] = c
	}
	return c
}

func (group *pageGroup) add(l *line) {
	for _, k := range l.claim.Keys() {
		group.lines[k] = append(group.lines[k], l)
	}
	if k := l.claim.Errand(); l.task && !l.history && k != "" {
		group.tasks[k] = append(group.tasks[k], l)
	}
}

// reindex reads a page again after an op that moved several of its statements.
func (p *planner) reindex(group *pageGroup, d *draft) {
	facts := map[string]*fact{}
	for k, list := range group.lines {
		group.lines[k] = slices.DeleteFunc(list, func(l *line) bool {
			if l.draft != d {
				return l.gone
			}
			l.gone = true
			if l.fact != nil {
				facts[l.text] = l.fact
			}
			return true
		})
	}
	for k, list := range group.tasks {
		group.tasks[k] = slices.DeleteFunc(list, func(l *line) bool { return l.gone })
	}
	p.index(group, d)
	for _, list := range group.lines {
		for _, l := range list {
			if l.draft == d && !l.gone && facts[l.text] != nil {
				l.fact, l.ours = facts[l.text], true
			}
		}
	}
	for _, f := range group.facts { // an answer writes the statement of its fact by itself
		if l := group.named[f.source]; l != nil && l.draft == d && l.fact == nil && l.ours && f.line.Outcome == Kept {
			l.fact = f
		}
	}
}

// maxCandidates bounds how many statements a fact is compared with, beside those of the same subject and attribute.
const maxCandidates = 48

// candidates are the statements that may have to do with a claim, of what stands or of History: those that share its rarest words, the
// newest first.
func (group *pageGroup) candidates(c *claim.Claim, history bool) []*line {
	rare := func(k string) int {
		if claim.OneAttribute(k) {
			return -1
		}
		return len(group.lines[k])
	}
	keys := slices.Clone(c.Keys())
	slices.SortStableFunc(keys, func(a, b string) int { return cmp.Compare(rare(a), rare(b)) })
	seen := map[*line]bool{}
	var out []*line
	for _, k := range keys {
		for _, l := range slices.Backward(group.lines[k]) {
			if len(out) >= maxCandidates && !claim.OneAttribute(k) {
				return out
			}
			if !l.gone && l.history == history && !seen[l] {
				seen[l] = true
				out = append(out, l)
			}
		}
	}
	return out
}

func newest(src []page.Source) vault.Day {
	var day vault.Day
	for _, s := range src {
		day = max(day, s.Day)
	}
	return day
}

// textHash names a text that a run wrote. Spaces and case do not count: editors change them by themselves.
func textHash(text string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(lexis.Fold(text)))
	return h.Sum64()
}

// finish turns a draft into its part of the plan, and checks that carrying the plan out gives this very page.
func (d *draft) finish(today vault.Day, facts []*fact, labels func([]Op) []Op) (*PagePlan, []byte, error) {
	accounts := map[*Op][]Account{}
	for _, f := range facts {
		if f.op != nil {
			accounts[f.op] = append(accounts[f.op], Account{f.ID, f.line.Outcome})
		}
	}
	pp := &PagePlan{Path: d.path, Content: true}
	if d.data != nil {
		pp.Before = vault.HashOf(d.data)
	}
	for _, op := range d.ops {
		op.Facts = accounts[op]
		pp.Ops = append(pp.Ops, *op)
	}
	if pp.taken() {
		return pp, nil, nil
	}
	pp.Ops = append(pp.Ops, labels(pp.Ops)...)
	after := closeDoc(d.doc, pp.Ops, today)
	again, err := applyPage(d.path, d.data, pp.Ops, today)
	if err != nil {
		return nil, nil, err
	}
	if string(again) != string(after) {
		return nil, nil, fmt.Errorf("the plan of %s does not give the page that was planned", d.path)
	}
	pp.After = vault.HashOf(after)
	return pp, after, nil
}

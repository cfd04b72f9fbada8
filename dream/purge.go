package dream

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/forget"
	"github.com/reverie-memory/reverie/vault"
)

// sealedFile marks a run that knew something which was purged: what it did is gone, so it cannot be undone.
const sealedFile = "sealed"

// ErrSealed says that a run cannot be undone because something that it knew was purged.
var ErrSealed = errors.New("something that the run knew was purged, so it cannot be undone")

// maxTries bounds how often a page is read again because somebody keeps writing to it.
const maxTries = 5

// Unmention takes what was forgotten off all pages, the lists, index.md and MEMORY.md at once, without a run. Unmention waits for a run
// that is under way.
func (r *Runner) Unmention(ctx context.Context) ([]vault.Path, error) {
	end, err := r.quiet(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	var changed []vault.Path
	for range maxTries {
		did, err := r.unmention(ctx)
		if changed = append(changed, did...); !errors.Is(err, vault.ErrChanged) {
			return changed, err
		}
	} // an editor saved a page just now: what it wrote is looked at
	return changed, fmt.Errorf("somebody keeps editing the pages: %w", vault.ErrChanged)
}

// quiet waits for a run that is under way, and continues one that was cut off: its plan may be about to write what was forgotten since.
func (r *Runner) quiet(ctx context.Context) (end func(), err error) {
	if end, err = r.wait(ctx); err != nil {
		return nil, err
	}
	if _, err := r.recover(ctx); err != nil {
		r.log.Warn("a run that was cut off cannot be continued yet", "err", err)
	}
	return end, nil
}

func (r *Runner) unmention(ctx context.Context) ([]vault.Path, error) {
	st, err := r.store.state()
	if err != nil {
		return nil, err
	}
	now := r.o.Vault.Now()
	p, err := r.newPlanner(ctx, "", vault.DayOf(now))
	if err != nil {
		return nil, err
	}
	if _, err := p.takeUp(st.Conflicts); err != nil {
		return nil, err
	}
	if err := p.forgotten(ctx); err != nil {
		return nil, err
	}
	p.closeAll()
	plan := &Plan{Started: now, Known: st.Conflicts}
	p.fill(plan)
	var changed []vault.Path
	for i := range plan.Pages {
		if err := r.applyPage(plan, &plan.Pages[i]); err != nil {
			return changed, fmt.Errorf("taking what was forgotten off %s: %w", plan.Pages[i].Path, err)
		}
		changed = append(changed, plan.Pages[i].Path)
		if err := r.dropBare(plan.Pages[i].Path); err != nil {
			return changed, fmt.Errorf("taking %s away, of which nothing is left: %w", plan.Pages[i].Path, err)
		}
	}
	if len(changed) > 0 || !p.tombs.Empty() && st.Forgotten != p.tombs.Version() {
		renewed, err := r.renew(ctx, plan.Conflicts, now)
		if err != nil {
			return changed, err
		}
		changed = append(changed, renewed...)
	}
	if st.Forgotten, st.Conflicts = p.tombs.Version(), plan.Conflicts; p.mentioned {
		st.Forgotten = ""
	}
	return changed, r.store.saveState(st)
}

// dropBare takes a page away that a run made and that says nothing any more but its name.
func (r *Runner) dropBare(p vault.Path) error {
	data, err := r.o.Vault.ReadFile(p)
	if errors.Is(err, fs.ErrNotExist) || err == nil && (r.where.isList(p) || !page.Bare(data)) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := r.o.Vault.Remove(p, vault.HashOf(data)); !errors.Is(err, vault.ErrChanged) { // somebody gives it a line
		return err
	}
	return nil
}

// renew makes MEMORY.md and index.md follow the pages without a run, and names them. renew is called also where no page changed just now:
// an earlier try may have been cut off behind the pages.
func (r *Runner) renew(ctx context.Context, open []openConflict, now time.Time) ([]vault.Path, error) {
	return r.generated(), r.navigation(ctx, &Plan{Started: now, Conflicts: open})
}

// generated are the files that follow the pages.
func (r *Runner) generated() []vault.Path {
	return []vault.Path{r.where.At(vault.IndexPath), vault.MemoryPath}
}

// Purge takes bytes out of what runs keep. What a run did is dropped where a statement of its plan or of its saved pages is one that gone
// knows, rests on one of the facts, or on a fact that told such a one: the run cannot be undone any more, and keeps its ledger, in which
// the facts have no more than their id and what became of them. Of all runs index.md and MEMORY.md do not come back.
func (r *Runner) Purge(ctx context.Context, p *forget.Purge) error {
	end, err := r.quiet(ctx)
	if err != nil {
		return err
	}
	defer end()
	runs, err := r.store.runs()
	if err != nil {
		return err
	}
	pg := &purger{r: r, Purge: p, sources: map[page.Source]bool{}, facts: map[page.Source]bool{}, pages: map[vault.Path]bool{}}
	for _, f := range p.Facts {
		pg.sources[f], pg.facts[f] = true, true
	}
	for _, step := range []func(run string) error{pg.learn, pg.plan, pg.images, pg.ledger, pg.report} {
		for _, run := range runs {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := forget.UnlessGone(step(run)); err != nil {
				return fmt.Errorf("purging what %s keeps: %w", run, err)
			}
		}
	}
	st, err := r.store.state()
	if err != nil {
		return err
	}
	if st.Conflicts = pg.conflicts(st.Conflicts); pg.hit { // the questions that wait for an answer
		if err := r.store.saveState(st); err != nil {
			return err
		}
	}
	renewed, err := r.renew(ctx, st.Conflicts, r.o.Vault.Now()) // lines of a person left the pages meanwhile
	pg.Changed = append(pg.Changed, renewed...)
	return err
}

// A purger takes texts out of the files of runs.
type purger struct {
	r *Runner
	*forget.Purge
	sources map[page.Source]bool // the facts that told what is gone
	facts   map[page.Source]bool // those that are purged themselves
	pages   map[vault.Path]bool  // that such runs wrote and that are gone: their names go as well
	hit     bool                 // a question lost a side
}

// told says whether a text is gone, with or without the note that a run put behind it, or was made of a quotation that is gone and another.
func (pg *purger) told(text string) bool {
	return text != "" && (pg.Tells(text) || pg.Tells(unnoted(text)) || slices.ContainsFunc(vault.QuotesWithin(unnoted(text)), pg.Tells))
}

// goes says whether a text has to go, which rests on src.
func (pg *purger) goes(text string, src []page.Source) bool {
	return pg.told(text) || slices.ContainsFunc(src, func(s page.Source) bool { return pg.sources[s] })
}

// unnoted is a text without the note that a run put behind it, such as "(until 9 Jun 2026)".
func unnoted(text string) string {
	if i := strings.LastIndex(text, " ("); i > 0 && strings.HasSuffix(text, ")") {
		return text[:i]
	}
	return text
}

// said are all texts of a plan, and what they rest on.
func (p *Plan) said() (out []page.Option) {
	for _, ops := range append([]PagePlan{{Ops: p.Drops}}, p.Pages...) {
		for _, op := range ops.Ops {
			out = append(out, page.Option{Text: op.Text, Sources: op.Sources}, page.Option{Text: op.Was})
			out = append(append(out, op.Options...), op.Rejected...)
		}
	}
	for _, c := range slices.Concat(p.Known, p.Conflicts) {
		for _, o := range c.Options {
			out = append(out, o.Option, page.Option{Text: o.Item, Sources: o.Sources})
		}
	}
	return out
}

// learn notes the facts that told what is gone.
func (pg *purger) learn(run string) error {
	plan, err := pg.r.store.plan(run)
	if errors.Is(err, errPlan) { // nobody can read it, but its bytes are there
		return pg.r.store.write(run, planFile, nil)
	}
	if err != nil {
		return err
	}
	for _, o := range plan.said() {
		if pg.told(o.Text) {
			for _, s := range o.Sources {
				pg.sources[s] = true
			}
		}
	}
	return nil
}

// plan drops what a run did whose plan tells what is gone, and learns its words.
func (pg *purger) plan(run string) error {
	plan, err := pg.r.store.plan(run)
	if err != nil {
		return ignorePlan(err)
	}
	hit := slices.ContainsFunc(plan.Ledger, func(l LedgerLine) bool { return pg.facts[l.source()] })
	for _, o := range plan.said() {
		if o.Text != "" && pg.goes(o.Text, o.Sources) {
			hit, pg.Texts = true, append(pg.Texts, o.Text)
		}
	}
	if !hit {
		return nil
	}
	return pg.seal(run)
}

func ignorePlan(err error) error {
	if errors.Is(err, errPlan) {
		return nil
	}
	return err
}

// seal drops what a run did, and its copies of pages. The plan is the last to go: whoever is cut off before finds it again. A run that is
// not done is given up, so that its facts are planned again.
func (pg *purger) seal(run string) error {
	store, marks := pg.r.store, []string{sealedFile}
	if store.stage(run) == isOpen {
		marks = append(marks, failedFile)
	}
	for _, file := range marks {
		if err := store.mark(run, file); err != nil {
			return err
		}
	}
	if err := pg.r.o.Vault.RemoveState(copiesOf(run)); err != nil {
		return err
	}
	plan, err := store.plan(run)
	if err != nil {
		return ignorePlan(err)
	}
	for i := range plan.Pages {
		if _, err := pg.r.o.Vault.Stat(plan.Pages[i].Path); errors.Is(err, fs.ErrNotExist) {
			pg.pages[plan.Pages[i].Path] = true
		}
	}
	plan.Pages, plan.Drops, plan.Ledger, plan.Known, plan.Notes, plan.Model = []PagePlan{}, nil, []LedgerLine{}, nil, nil, nil
	plan.Conflicts = pg.conflicts(plan.Conflicts)
	return store.savePlan(plan)
}

// conflicts leaves out the sides of questions that tell what is gone.
func (pg *purger) conflicts(list []openConflict) []openConflict {
	pg.hit = false
	for i := range list {
		n := len(list[i].Options)
		list[i].Options = slices.DeleteFunc(list[i].Options, func(o openOption) bool { return pg.goes(o.Text, o.Sources) || pg.told(o.Item) })
		pg.hit = pg.hit || len(list[i].Options) < n
	}
	return list
}

// images purges the files that a run saved. Of what is generated from pages nothing is kept that may tell the facts in other words.
func (pg *purger) images(run string) error {
	list, err := pg.r.store.images(run)
	if err != nil || len(list) == 0 {
		return err
	}
	for i := range list {
		im := &list[i]
		if pg.r.where.IsJournal(im.Path) {
			continue
		}
		if im.File == "" {
			continue
		}
		data, err := pg.r.store.read(run, imagesFolder+im.File)
		if forget.UnlessGone(err) != nil {
			return err
		}
		isPage := pg.r.where.isPage(im.Path)
		if told := pg.tellsIn(data); told && isPage {
			return pg.seal(run)
		} else if told || len(pg.sources) > 0 && !isPage {
			if err := pg.r.o.Vault.Remove(runPath(run, imagesFolder+im.File), vault.AnyHash); err != nil {
				return err
			}
			im.File = ""
		}
	}
	list = slices.DeleteFunc(list, func(im image) bool { return pg.pages[im.Path] })
	files, err := pg.r.o.Vault.ListState(copiesOf(run))
	for _, name := range files { // older programs kept MEMORY.md and index.md as a run left them, too
		if named := slices.ContainsFunc(list, func(im image) bool { return im.File == name }); !named &&
			(strings.HasPrefix(name, "post-") || strings.HasPrefix(name, "base-")) { // nobody reads them any more
			err = errors.Join(err, pg.r.o.Vault.Remove(runPath(run, imagesFolder+name), vault.AnyHash))
		}
	}
	if err != nil {
		return err
	}
	return pg.r.store.saveImages(run, list)
}

// tellsIn says whether a saved file tells what is gone.
func (pg *purger) tellsIn(data []byte) bool {
	for l := range strings.Lines(string(data)) {
		if pg.Tells(l) {
			return true
		}
	}
	return slices.ContainsFunc(page.Parse("0_Inbox/x.md", data).Tellings(), func(t page.Statement) bool { return pg.goes(t.Told()) })
}

// ledger leaves of the lines of purged facts what accounts for them.
func (pg *purger) ledger(run string) error {
	return pg.r.store.editLedger(run, func(l *LedgerLine) bool {
		if pg.facts[l.source()] {
			*l = LedgerLine{Fact: l.Fact, Day: l.Day, Outcome: l.Outcome, Run: l.Run, By: l.By}
		}
		return false
	})
}

// report takes the pages out that are gone with what they told, and what a run that was sealed noted.
func (pg *purger) report(run string) error {
	rep, err := pg.r.store.report(run)
	if err != nil {
		return err
	}
	pages := len(rep.Pages)
	rep.Pages = slices.DeleteFunc(rep.Pages, func(c PageChange) bool { return pg.pages[c.Path] })
	if sealed := pg.r.store.has(run, sealedFile); !sealed && len(rep.Pages) == pages {
		return nil
	} else if rep.Notes = slices.DeleteFunc(rep.Notes, pg.told); sealed && rep.Model != nil {
		rep.Model.Refused = nil
	}
	return pg.r.store.saveReport(&rep)
}

// Revive makes facts pending again whose statements left the pages when they were forgotten: no ledger accounts for them any more, and the
// next run files them. Revive waits for a run that is under way.
func (r *Runner) Revive(ctx context.Context, facts map[page.Source]bool) error {
	end, err := r.quiet(ctx)
	if err != nil {
		return err
	}
	defer end()
	runs, err := r.store.runs()
	if err != nil {
		return err
	}
	for _, run := range runs {
		if err := r.store.editLedger(run, func(l *LedgerLine) bool { return facts[l.source()] }); err != nil {
			return fmt.Errorf("taking facts out of the ledger of %s: %w", run, err)
		}
	}
	return nil
}

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

// sealedFile marks a run from which something was purged: its pre-images are no longer what the pages were, so it cannot be
// undone.
const sealedFile = "sealed"

// ErrSealed says that a run cannot be undone because something that it knew was purged.
var ErrSealed = errors.New("something that the run knew was purged, so it cannot be undone")

// maxTries bounds how often a page is read again because somebody keeps writing to it.
const maxTries = 5

// Unmention takes what was forgotten off all pages, the lists, index.md and MEMORY.md at once, without a run. It waits for a run
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
	if err := p.takeUp(st.Conflicts); err != nil {
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

// renew makes MEMORY.md and index.md follow the pages without a run, and names them. It is called also where no page changed just now: an
// earlier try may have been cut off behind the pages.
func (r *Runner) renew(ctx context.Context, open []openConflict, now time.Time) ([]vault.Path, error) {
	_, err := r.navigation(ctx, &Plan{Started: now, Conflicts: open})
	return []vault.Path{r.where.At(indexPath), memoryPath}, err
}

// Purge takes bytes out of what runs keep: every statement that gone knows or that rests on one of the facts leaves plans and
// saved pages, and so does every other that rests on the same facts; of the facts themselves ledgers keep no more than their id and
// what became of them. Runs that lost something cannot be undone any more, and of others index.md and MEMORY.md do not come back.
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
	steps := []func(run string) error{
		func(run string) error { return pg.plan(run, true) },
		func(run string) error { return pg.plan(run, false) },
		pg.ledger, pg.images, pg.report,
	}
	for _, step := range steps {
		for _, run := range runs {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := step(run); err != nil {
				return fmt.Errorf("purging what %s keeps: %w", run, err)
			}
		}
	}
	st, err := r.store.state()
	if err != nil {
		return err
	}
	pg.learn, pg.hit = false, false
	if pg.conflicts(st.Conflicts); pg.hit { // the questions that wait for an answer
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
	pages   map[vault.Path]bool  // that told nothing else and are gone: their names go as well
	learn   bool
	hit     bool
}

func (pg *purger) rests(src []page.Source) bool {
	return slices.ContainsFunc(src, func(s page.Source) bool { return pg.sources[s] })
}

// blank takes the texts out when one of them is gone, or their sources are.
func (pg *purger) blank(src []page.Source, texts ...*string) (blanked bool) {
	all := ""
	for _, t := range texts {
		all += *t
	}
	if all == "" {
		return false
	}
	told := slices.ContainsFunc(texts, func(t *string) bool { return *t != "" && (pg.Tells(*t) || pg.Tells(unnoted(*t))) })
	switch {
	case pg.learn && told:
		for _, s := range src {
			pg.sources[s] = true
		}
	case !pg.learn && (told || pg.rests(src)):
		pg.hit = true
		for _, t := range texts {
			if *t != "" {
				pg.Texts = append(pg.Texts, *t)
			}
			*t = ""
		}
		return true
	}
	return false
}

// unnoted is a text without the note that a run put behind it, such as "(until 9 Jun 2026)".
func unnoted(text string) string {
	if i := strings.LastIndex(text, " ("); i > 0 && strings.HasSuffix(text, ")") {
		return text[:i]
	}
	return text
}

func (pg *purger) ops(list []Op) {
	for i := range list {
		op := &list[i]
		if pg.blank(op.Sources, &op.Text) {
			op.Note, op.Question, op.Reason = "", "", ""
		}
		pg.blank(nil, &op.Was)
		for _, options := range [][]page.Option{op.Options, op.Rejected} {
			for k := range options {
				pg.blank(options[k].Sources, &options[k].Text)
			}
		}
	}
}

func (pg *purger) conflicts(list []openConflict) {
	for i := range list {
		for k := range list[i].Options {
			o := &list[i].Options[k]
			pg.blank(o.Sources, &o.Text, &o.Item)
		}
	}
}

// plan purges the plan of a run, or learns from it what else has to go.
func (pg *purger) plan(run string, learn bool) error {
	plan, err := pg.r.store.plan(run)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case errors.Is(err, errPlan): // nobody can read it, but its bytes are there
		return pg.r.store.write(run, planFile, nil)
	case err != nil:
		return err
	}
	pg.learn, pg.hit = learn, false
	pg.ops(plan.Drops)
	for i := range plan.Pages {
		pg.ops(plan.Pages[i].Ops)
	}
	pg.conflicts(plan.Known)
	pg.conflicts(plan.Conflicts)
	for i := range plan.Ledger {
		if l := &plan.Ledger[i]; !learn && pg.facts[l.source()] && l.strip() {
			pg.hit = true
		}
	}
	if !pg.hit {
		return nil
	}
	plan.Pages = slices.DeleteFunc(plan.Pages, func(pp PagePlan) bool {
		gone := pg.pages[pp.Path] || pp.Before == (hash{}) && pg.nothing(&pp)
		pg.pages[pp.Path] = gone
		return gone
	})
	if err := pg.r.store.mark(run, sealedFile); err != nil { // first: a plan with holes must not be taken back
		return err
	}
	return pg.r.store.savePlan(plan)
}

// nothing says whether no op of a page says anything any more, and the page is not there.
func (pg *purger) nothing(pp *PagePlan) bool {
	_, err := pg.r.o.Vault.Stat(pp.Path)
	says := func(o page.Option) bool { return o.Text != "" }
	return errors.Is(err, fs.ErrNotExist) && !slices.ContainsFunc(pp.Ops, func(op Op) bool {
		return op.Text+op.Was != "" || slices.ContainsFunc(slices.Concat(op.Options, op.Rejected), says)
	})
}

// report takes the pages out that are gone with what they told.
func (pg *purger) report(run string) error {
	rep, err := pg.r.store.report(run)
	if err != nil {
		return ignoreMissing(err)
	}
	kept := slices.DeleteFunc(slices.Clone(rep.Pages), func(c PageChange) bool { return pg.pages[c.Path] })
	if len(kept) == len(rep.Pages) {
		return nil
	}
	rep.Pages = kept
	return pg.r.store.saveReport(&rep)
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// strip leaves of a line what accounts for the fact, and says whether there was more.
func (l *LedgerLine) strip() bool {
	bare := LedgerLine{Fact: l.Fact, Day: l.Day, Outcome: l.Outcome, Run: l.Run, By: l.By}
	changed := *l != bare
	*l = bare
	return changed
}

// ledger strips the lines of purged facts.
func (pg *purger) ledger(run string) error {
	return pg.r.store.editLedger(run, func(l *LedgerLine) bool {
		if pg.facts[l.source()] {
			l.strip()
		}
		return false
	})
}

// images purges the files that a run saved.
func (pg *purger) images(run string) error {
	list, err := pg.r.store.images(run)
	if err != nil || len(list) == 0 {
		return err
	}
	for i := range list {
		switch im := &list[i]; {
		case pg.r.where.isPage(im.Path) && im.File != "":
			err = pg.image(run, im.File)
		case !pg.r.where.isPage(im.Path) && !pg.r.where.IsJournal(im.Path):
			err = pg.generated(run, im)
		}
		if err != nil {
			return err
		}
	}
	list = slices.DeleteFunc(list, func(im image) bool { return pg.pages[im.Path] })
	return pg.r.store.saveImages(run, list)
}

// generated takes a saved file altogether that is no page, where it tells what is gone or facts do: it may tell them in other words than
// pages. Nothing needs it but an undo.
func (pg *purger) generated(run string, im *image) error {
	told := len(pg.sources) > 0
	files := slices.DeleteFunc([]string{im.File, im.Post}, func(f string) bool { return f == "" })
	for _, file := range files {
		data, err := pg.r.store.read(run, "pre/"+file)
		if ignoreMissing(err) != nil {
			return err
		}
		for line := range strings.Lines(string(data)) {
			told = told || pg.Tells(line)
		}
	}
	if !told {
		return nil
	}
	for _, file := range files {
		if err := pg.r.o.Vault.Remove(runPath(run, "pre/"+file), vault.AnyHash); err != nil {
			return err
		}
	}
	im.File, im.Post = "", ""
	return nil
}

// image leaves the lines of a saved page out that tell what is gone.
func (pg *purger) image(run, file string) error {
	data, err := pg.r.store.read(run, "pre/"+file)
	if err != nil {
		return err
	}
	text := strings.SplitAfter(string(data), "\n")
	kept := slices.Clone(text)
	for _, t := range page.Parse("0_Inbox/x.md", data).Tellings() {
		if !pg.rests(t.Sources) && !pg.Tells(t.Text) && !pg.Tells(unnoted(t.Text)) {
			continue
		}
		for n := t.Line - 1; len(t.Lines) > 0 && n < len(text); n++ { // blank lines may stand between them
			if strings.TrimRight(text[n], "\r\n") == t.Lines[0] {
				kept[n], t.Lines = "", t.Lines[1:]
			}
		}
	}
	out := strings.Join(kept, "")
	if len(out) == len(data) {
		return nil
	}
	if err := pg.r.store.mark(run, sealedFile); err != nil {
		return err
	}
	return pg.r.store.write(run, "pre/"+file, []byte(out))
}

// Revive makes facts pending again whose statements left the pages when they were forgotten: no ledger accounts for them any more, and
// the next run files them. It waits for a run that is under way.
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

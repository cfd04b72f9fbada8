package dream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/reverie-memory/reverie/dream/navigate"
	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/vault"
)

// navigationFiles change in every run, besides its pages.
func (w places) navigationFiles() []vault.Path {
	return []vault.Path{
		w.At(navigate.ConflictsPath), w.At(navigate.UnfiledPath), w.At(navigate.UnconfirmedPath), w.At(navigate.SkippedPath),
		w.At(indexPath), memoryPath, w.At(vault.JournalPath), vault.InnerJournalPath, baseFiles[0], baseFiles[1],
	}
}

// baseFiles are index.md and MEMORY.md as the last run generated them.
var baseFiles = []vault.Path{basePath(indexPath), basePath(memoryPath)}

func basePath(p vault.Path) vault.Path {
	return vault.Path(vault.StateDir + "/" + baseFolder + "/" + fileTitle(p) + ".md")
}

const (
	indexPath  vault.Path = "index.md" // its name, from the root
	memoryPath vault.Path = "memory/MEMORY.md"
)

// complete carries out a saved plan, from wherever an earlier try was cut off.
func (r *Runner) complete(ctx context.Context, plan *Plan) (Report, error) {
	if err := r.keepImages(plan); err != nil {
		return Report{}, fmt.Errorf("saving the pages as they are: %w", err)
	}
	changed, err := r.applyPages(ctx, plan)
	if err != nil {
		return Report{}, err
	}
	r.progress(plan.Run, "index", 0, len(changed), "pages")
	if err := r.o.Index.Sync(ctx, changed...); err != nil {
		return Report{}, fmt.Errorf("indexing the changed pages: %w", err)
	}
	gate, err := r.recallGate(ctx, plan)
	if err != nil {
		return Report{}, fmt.Errorf("asking for the consumed facts: %w", err)
	}
	if !gate.passed() {
		rep := plan.report(RolledBack)
		rep.Gate, rep.Watermark = gate, plan.Was
		return rep, r.rollBack(ctx, plan, &rep)
	}
	rep := plan.report(Consolidated)
	rep.Gate = gate
	return rep, r.finish(ctx, plan, &rep)
}

// keepImages saves every file that the run may change, before it changes any. A file that is saved already is saved again only
// where the plan starts from another version of it: somebody wrote to it, and the run has not.
func (r *Runner) keepImages(plan *Plan) error {
	list, err := r.store.images(plan.Run)
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax): // the images are there still
		list = nil
	case err != nil:
		return err
	}
	at := map[vault.Path]int{}
	for i, im := range list {
		at[im.Path] = i
	}
	var names []vault.Path
	firsts := map[vault.Path]*PagePlan{}
	for i := range plan.Pages {
		pp := &plan.Pages[i]
		if firsts[pp.Path] == nil {
			firsts[pp.Path] = pp
			names = append(names, pp.Path)
		}
	}
	var saved []*saving
	navigation := r.where.navigationFiles()
	spare := len(list) + len(names) + len(navigation)
	for _, name := range append(names, navigation...) {
		i, have := at[name]
		first := firsts[name]
		if have && (first == nil || r.where.isList(name) || first.Before == list[i].Before) {
			continue
		}
		n := spare + i // no other file is called so
		if !have {
			i, n, at[name] = len(list), len(list), len(list)
			list = append(list, image{Path: name})
		}
		saved = append(saved, &saving{at: i, n: n, first: first, again: have})
	}
	if err := r.images(plan.Run, list, saved); err != nil {
		return err
	}
	for name, first := range firsts {
		first.unsaved = !r.where.isList(name) && list[at[name]].Before != first.Before
	}
	return r.store.saveImages(plan.Run, list)
}

// A saving is a file that is saved as it is, for its place in the list of images.
type saving struct {
	at, n int // n numbers its file
	first *PagePlan
	again bool
}

// besides is how many files are read or written at a time: they share what the disk does for them.
const besides = 8

// images saves files, several at a time, and puts them into the list.
func (r *Runner) images(run string, list []image, saved []*saving) error {
	var g errgroup.Group
	g.SetLimit(besides)
	for _, s := range saved {
		g.Go(func() error {
			im, err := r.image(run, list[s.at].Path, s.n)
			if err != nil {
				return err
			}
			first := s.first
			if first != nil && !r.where.isList(im.Path) && first.Before != im.Before && first.Before != (hash{}) {
				if old := r.store.imageOf(run, first.Before); old != "" {
					im.File, im.Before = old, first.Before
				}
			}
			if !s.again || im.Before == first.Before {
				list[s.at] = im
			}
			return nil
		})
	}
	return g.Wait()
}

// image saves one file as it is.
func (r *Runner) image(run string, name vault.Path, n int) (image, error) {
	im := image{Path: name}
	data, err := r.o.Vault.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return im, nil
	case err != nil && r.where.isPage(name) && !r.where.isList(name) && !errors.Is(err, vault.ErrClosed):
		return im, nil // a folder stands there, or a link: the page will not be written either
	case err != nil:
		return im, err
	}
	im.Before = hash(vault.HashOf(data))
	im.File = fmt.Sprintf("%05d-%x.md", n, im.Before[:8])             // a name of its own for each version
	return im, r.o.Vault.WriteNew(runPath(run, "pre/"+im.File), data) // the list of images makes its name durable
}

// applyPages makes the pages what the plan says. The watcher is held still meanwhile: our own files are indexed at the end.
func (r *Runner) applyPages(ctx context.Context, plan *Plan) ([]vault.Path, error) {
	if r.o.Watch != nil {
		r.o.Watch.Pause()
		defer r.o.Watch.Resume()
	}
	if err := r.applyTogether(ctx, plan); err != nil {
		return nil, err
	}
	tries := map[vault.Path]int{}
	for i := 0; i < len(plan.Pages); i++ {
		if plan.Pages[i].written {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r.progress(plan.Run, "apply", i, len(plan.Pages), "pages")
		pp := &plan.Pages[i]
		err := r.applyPage(plan, i)
		switch {
		case err == nil:
			continue
		case isVaultTrouble(err):
			return nil, fmt.Errorf("writing %s: %w", pp.Path, err)
		case r.where.isList(pp.Path):
			return nil, fmt.Errorf("writing %s: %w", pp.Path, err)
		}
		tries[pp.Path]++
		why := "it changed under the run"
		if !errors.Is(err, vault.ErrChanged) {
			why = err.Error()
			tries[pp.Path] = maxReplans
		}
		r.log.Info("a page is planned again", "page", pp.Path, "why", why)
		if err := r.replan(ctx, plan, i, tries[pp.Path] >= maxReplans, why); err != nil {
			return nil, fmt.Errorf("planning %s again: %w", pp.Path, err)
		}
		i--
	}
	var changed []vault.Path
	seen := map[vault.Path]bool{}
	for i := range plan.Pages {
		if p := plan.Pages[i].Path; !seen[p] {
			seen[p] = true
			changed = append(changed, p)
		}
	}
	return changed, nil
}

// together is how many pages are written at a time.
const together = 64

// applyTogether writes the pages that stand as they were planned from, many at a time. All others are left to applyPage.
func (r *Runner) applyTogether(ctx context.Context, plan *Plan) error {
	for from := 0; from < len(plan.Pages); from += together {
		r.progress(plan.Run, "apply", from, len(plan.Pages), "pages")
		if err := ctx.Err(); err != nil {
			return err
		}
		pages := plan.Pages[from:min(from+together, len(plan.Pages))]
		pages = pages[:len(pages):len(pages)]
		after := make([][]byte, len(pages))
		var g errgroup.Group
		g.SetLimit(besides)
		for i := range pages {
			g.Go(func() error {
				after[i] = r.ready(&pages[i], vault.DayOf(plan.Started))
				return nil
			})
		}
		_ = g.Wait()
		var list []vault.Replacement
		var of []*PagePlan
		for i, data := range after {
			if data != nil {
				list = append(list, vault.Replacement{Path: pages[i].Path, Data: data, Want: vault.Hash(pages[i].Before)})
				of = append(of, &pages[i])
			}
		}
		for i, err := range r.o.Vault.ReplaceAll(list) {
			switch {
			case err == nil:
				of[i].written, of[i].page = true, nil
			case isVaultTrouble(err):
				return fmt.Errorf("writing %s: %w", of[i].Path, err)
			}
		}
	}
	return nil
}

// ready is the page as planned; nil where it does not stand as it was planned from, or that takes a closer look.
func (r *Runner) ready(pp *PagePlan, day vault.Day) []byte {
	if pp.unsaved || pp.taken() {
		return nil
	}
	if pp.page != nil || r.where.isList(pp.Path) {
		return pp.page
	}
	data, err := r.o.Vault.ReadFile(pp.Path)
	if errors.Is(err, fs.ErrNotExist) {
		data, err = nil, nil
	}
	if err != nil || data == nil != (pp.Before == hash{}) || data != nil && hash(vault.HashOf(data)) != pp.Before {
		return nil
	}
	after, err := r.where.applied(pp, data, day)
	if err != nil {
		return nil
	}
	return after
}

// applied carries the ops out on the page's bytes.
func (w places) applied(pp *PagePlan, data []byte, day vault.Day) (after []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("a defect in working it out: %v", r)
		}
	}()
	after, err = w.apply(pp.Path, data, pp.Ops, day)
	if err != nil || hash(vault.HashOf(after)) != pp.After { // another version of this program made the plan
		return nil, fmt.Errorf("the ops of %s no longer give the page that was planned: %w", pp.Path, vault.ErrChanged)
	}
	return after, nil
}

// maxReplans bounds how often a page is planned again because somebody keeps writing to it; then its facts wait in the inbox.
const maxReplans = 5

// isVaultTrouble tells what stops a run from what concerns one page.
func isVaultTrouble(err error) bool {
	return vault.Fault(err) != nil || errors.Is(err, vault.ErrClosed)
}

// applyPage makes one page right. A page that is right already stays; one that is neither as planned nor done has changed.
func (r *Runner) applyPage(plan *Plan, i int) error {
	pp := &plan.Pages[i]
	if pp.taken() {
		return r.retract(plan, pp)
	}
	if pp.page != nil && !pp.unsaved { // as planned a moment ago: most are as they were then
		if err := r.o.Vault.Replace(pp.Path, pp.page, vault.Hash(pp.Before)); !errors.Is(err, vault.ErrChanged) {
			return err
		}
	}
	data, err := r.o.Vault.ReadFile(pp.Path)
	now := hash{}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		data = nil
	case errors.Is(err, vault.ErrClosed), err != nil && r.where.isList(pp.Path):
		return err
	case err != nil: // of this page alone
		return fmt.Errorf("it cannot be read: %v", err)
	default:
		now = hash(vault.HashOf(data))
	}
	if r.where.isList(pp.Path) {
		after, err := r.where.applyList(pp.Path, data, pp.Ops)
		if err != nil || string(after) == string(data) {
			return err
		}
		err = r.o.Vault.Replace(pp.Path, after, vault.Hash(now))
		if errors.Is(err, vault.ErrChanged) { // somebody wrote to it at this very moment: what they wrote is read again
			return r.applyPage(plan, i)
		}
		return err
	}
	if now != pp.Before {
		if now == pp.After || plan.later(i, now) {
			return nil
		}
		return vault.ErrChanged
	}
	if pp.unsaved { // it was away or unreadable when the pages were saved, and is back
		return vault.ErrChanged
	}
	after, err := r.where.applied(pp, data, vault.DayOf(plan.Started))
	if err != nil {
		return err
	}
	return r.o.Vault.Replace(pp.Path, after, vault.Hash(pp.Before))
}

// retract takes a page away, all of which stands on another by now. Where it does not, the page stays.
func (r *Runner) retract(plan *Plan, pp *PagePlan) error {
	data, err := r.o.Vault.ReadFile(pp.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	to, err := r.o.Vault.ReadFile(pp.Ops[len(pp.Ops)-1].About)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	have := map[string][]page.Source{}
	for _, st := range page.Parse(pp.Path, to).Statements() {
		have[st.Text] = append(have[st.Text], st.Sources...)
	}
	for _, st := range page.Parse(pp.Path, data).Statements() {
		if missing(st.Sources, have[st.Text]) {
			plan.Notes = append(plan.Notes, fmt.Sprintf("%s stays: not all of it stands on %s", pp.Path, pp.Ops[len(pp.Ops)-1].About))
			return nil
		}
	}
	return r.o.Vault.Remove(pp.Path, vault.Hash(pp.Before))
}

func missing(want, have []page.Source) bool {
	return slices.ContainsFunc(want, func(s page.Source) bool { return !slices.Contains(have, s) })
}

// later says whether a later part of the plan has brought the page to where it is.
func (p *Plan) later(i int, now hash) bool {
	for k := i + 1; k < len(p.Pages); k++ {
		if p.Pages[k].Path == p.Pages[i].Path && (p.Pages[k].Before == now || p.Pages[k].After == now) {
			return true
		}
	}
	return false
}

// rollBack brings every page back after the recall gate closed, and keeps the report.
func (r *Runner) rollBack(ctx context.Context, plan *Plan, rep *Report) error {
	rep.Notes = append(rep.Notes, "search found fewer of the facts on the pages than in the logs: every page is as it was")
	changed, err := r.bringBack(plan, rep)
	if err != nil {
		return err
	}
	r.countFailure(plan.Days, "rolled back: recall was worse with the pages")
	if err := r.o.Index.Sync(ctx, changed...); err != nil {
		return fmt.Errorf("indexing the pages that were brought back: %w", err)
	}
	return nil
}

// bringBack makes every page as it was before the run, and marks the run as failed.
func (r *Runner) bringBack(plan *Plan, rep *Report) (changed []vault.Path, err error) {
	list, err := r.store.images(plan.Run)
	if err != nil {
		return nil, err
	}
	for _, im := range list {
		pp := plan.last(im.Path)
		if pp == nil {
			continue
		}
		if r.where.isList(im.Path) {
			if err := r.unlist(plan, im); err != nil {
				return nil, err
			}
			changed = append(changed, im.Path)
			continue
		}
		if err := r.restore(plan.Run, im, pp.After); err != nil {
			if !errors.Is(err, vault.ErrChanged) {
				return nil, err
			}
			rep.Notes = append(rep.Notes, string(im.Path)+" was edited meanwhile and stays as it is")
		}
		changed = append(changed, im.Path)
	}
	rep.Pages = []PageChange{}
	if err := r.store.saveReport(rep); err != nil {
		return nil, err
	}
	return changed, r.store.mark(plan.Run, failedFile)
}

// restore brings one page back to its image, if it still is as the run left it.
func (r *Runner) restore(run string, im image, after hash) error {
	if im.File == "" {
		return r.o.Vault.Remove(im.Path, vault.Hash(after))
	}
	data, err := r.store.read(run, "pre/"+im.File)
	if err != nil {
		return err
	}
	err = r.o.Vault.Replace(im.Path, data, vault.Hash(after))
	if errors.Is(err, vault.ErrChanged) {
		if now, rerr := r.o.Vault.ReadFile(im.Path); rerr == nil && string(now) == string(data) {
			return nil // the run had not come to it
		}
	}
	return err
}

// first is the first part of the plan that has to do with the page.
func (p *Plan) first(name vault.Path) *PagePlan {
	for i := range p.Pages {
		if p.Pages[i].Path == name {
			return &p.Pages[i]
		}
	}
	return nil
}

// last is the last part of the plan that has to do with the page.
func (p *Plan) last(name vault.Path) *PagePlan {
	for i := range slices.Backward(p.Pages) {
		if p.Pages[i].Path == name {
			return &p.Pages[i]
		}
	}
	return nil
}

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
		w.At(vault.ConflictsPath), w.At(navigate.UnfiledPath), w.At(navigate.UnconfirmedPath), w.At(navigate.SkippedPath),
		w.At(vault.IndexPath), vault.MemoryPath, w.At(vault.JournalPath), vault.InnerJournalPath,
	}
}

// basePath is where index.md and MEMORY.md stay as the last run generated them.
func basePath(p vault.Path) vault.Path {
	return vault.Path(vault.StateDir + "/" + baseFolder + "/" + fileTitle(p) + ".md")
}

// complete carries out a saved plan, from wherever an earlier try was cut off.
func (r *Runner) complete(ctx context.Context, plan *Plan) (Report, error) {
	r.progress(plan.Run, "apply", 0, len(plan.Pages), "pages")
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
	if gate.After < gate.Before/2 { // no matter of single facts: the index has not followed the pages, or they are wrong
		rep := plan.report(RolledBack)
		rep.Gate, rep.Watermark = gate, plan.Was
		return rep, r.rollBack(ctx, plan, &rep)
	}
	rep := plan.report(Consolidated)
	rep.Gate = gate
	return rep, r.finish(ctx, plan, &rep)
}

// besides is how many files are read or written at a time: they share what the disk does for them.
const besides = 8

// keepImages saves every file that the run may change, before it changes any. A page that is not as the plan starts from it is left out of
// the plan, and with it its overflow pages: what facts end may stand on any of them.
func (r *Runner) keepImages(plan *Plan) error {
	list, err := r.store.images(plan.Run)
	var syntax *json.SyntaxError
	if err != nil && !errors.As(err, &syntax) {
		return err
	}
	if list == nil { // or it cannot be read: the images are there still
		for i := range plan.Pages {
			list = append(list, image{Path: plan.Pages[i].Path})
		}
		for _, name := range r.where.navigationFiles() {
			if plan.of(name) == nil {
				list = append(list, image{Path: name})
			}
		}
		var g errgroup.Group
		g.SetLimit(besides)
		for i := range list {
			g.Go(func() error { return r.image(plan, &list[i], i) })
		}
		if err := g.Wait(); err != nil {
			return err
		}
		if err := r.store.saveImages(plan.Run, list); err != nil {
			return err
		}
	}
	for _, im := range list {
		pp := plan.of(im.Path)
		if pp == nil || r.where.isList(im.Path) || im.Before == pp.Before {
			continue
		}
		for _, name := range plan.group(im.Path) {
			if err := r.leave(plan, name, vault.ErrChanged); err != nil {
				return err
			}
		}
	}
	return nil
}

// group are the pages of the plan that belong together with one, lists apart.
func (p *Plan) group(of vault.Path) (out []vault.Path) {
	for i := range p.Pages {
		if groupKey(p.Pages[i].Path) == groupKey(of) {
			out = append(out, p.Pages[i].Path)
		}
	}
	return out
}

// image saves one file as it is; n numbers it. A try that was cut off may have saved the page and written it.
func (r *Runner) image(plan *Plan, im *image, n int) error {
	data, err := r.o.Vault.ReadFile(im.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil && r.where.isPage(im.Path) && !r.where.isList(im.Path) && !errors.Is(err, vault.ErrClosed):
		return nil // a folder stands there, or a link: the page will not be written either
	case err != nil:
		return err
	}
	im.Before = vault.HashOf(data)
	if pp := plan.of(im.Path); pp != nil && !r.where.isList(im.Path) && pp.Before != im.Before && pp.Before != (vault.Hash{}) {
		if im.File = r.store.imageOf(plan.Run, pp.Before); im.File != "" {
			im.Before = pp.Before
			return nil
		}
	}
	im.File = fmt.Sprintf("%05d-%x.md", n, im.Before[:8])                    // a name of its own for each version
	return r.o.Vault.WriteNew(runPath(plan.Run, imagesFolder+im.File), data) // the list of images makes its name durable
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
	for i := 0; i < len(plan.Pages); {
		pp := &plan.Pages[i]
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		err := r.applyPage(plan, pp)
		switch {
		case err == nil:
			i++
		case isVaultTrouble(err), r.where.isList(pp.Path):
			return nil, fmt.Errorf("writing %s: %w", pp.Path, err)
		default:
			if err := r.leave(plan, pp.Path, err); err != nil {
				return nil, fmt.Errorf("leaving %s as it is: %w", pp.Path, err)
			}
		}
	}
	if plan.left {
		if err := r.store.savePlan(plan); err != nil {
			return nil, err
		}
	}
	var changed []vault.Path
	for i := range plan.Pages {
		changed = append(changed, plan.Pages[i].Path)
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
				list = append(list, vault.Replacement{Path: pages[i].Path, Data: data, Want: pages[i].Before})
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
	if pp.taken() || pp.loses() {
		return nil
	}
	if pp.page != nil || r.where.isList(pp.Path) {
		return pp.page
	}
	data, err := r.o.Vault.ReadFile(pp.Path)
	if errors.Is(err, fs.ErrNotExist) {
		data, err = nil, nil
	}
	if err != nil || data == nil != (pp.Before == vault.Hash{}) || data != nil && vault.HashOf(data) != pp.Before {
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
	if err != nil || vault.HashOf(after) != pp.After { // another version of this program made the plan
		return nil, fmt.Errorf("the ops of %s no longer give the page that was planned: %w", pp.Path, vault.ErrChanged)
	}
	return after, nil
}

// isVaultTrouble tells what stops a run from what concerns one page.
func isVaultTrouble(err error) bool {
	return vault.Fault(err) != nil || errors.Is(err, vault.ErrClosed)
}

// applyPage makes one page right. A page that is right already stays; one that is neither as planned nor done has changed.
func (r *Runner) applyPage(plan *Plan, pp *PagePlan) error {
	if pp.written {
		return nil
	}
	if pp.taken() {
		return r.retract(plan, pp)
	}
	data, err := r.o.Vault.ReadFile(pp.Path)
	now := vault.Hash{}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		data = nil
	case errors.Is(err, vault.ErrClosed), err != nil && r.where.isList(pp.Path):
		return err
	case err != nil: // of this page alone
		return fmt.Errorf("it cannot be read: %v", err)
	default:
		now = vault.HashOf(data)
	}
	switch {
	case r.where.isList(pp.Path):
		after, err := r.where.applyList(pp.Path, data, pp.Ops)
		if err != nil || string(after) == string(data) {
			return err
		}
		err = r.o.Vault.Replace(pp.Path, after, now)
		if errors.Is(err, vault.ErrChanged) { // somebody wrote to it at this very moment: what they wrote is read again
			return r.applyPage(plan, pp)
		}
		return err
	case now == pp.After, now != pp.Before && plan.resumed && kept(pp, page.Parse(pp.Path, data)) == nil: // and edited since
		return nil
	case now != pp.Before:
		return vault.ErrChanged
	}
	if err := r.moved(pp); err != nil {
		return err
	}
	after := pp.page
	if after == nil {
		if after, err = r.where.applied(pp, data, vault.DayOf(plan.Started)); err != nil {
			return err
		}
	}
	return r.o.Vault.Replace(pp.Path, after, pp.Before)
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
	return r.o.Vault.Remove(pp.Path, pp.Before)
}

func missing(want, have []page.Source) bool {
	return slices.ContainsFunc(want, func(s page.Source) bool { return !slices.Contains(have, s) })
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

// bringBack makes every page as it was before the run, but for what people wrote meanwhile, and marks the run as failed.
func (r *Runner) bringBack(plan *Plan, rep *Report) (changed []vault.Path, err error) {
	list, err := r.store.images(plan.Run)
	if err != nil {
		return nil, err
	}
	var undo UndoReport
	edits, err := r.reverse(plan, list, &undo)
	if err != nil {
		return nil, err
	}
	rep.Notes = append(rep.Notes, undo.Clashes...)
	edits = slices.DeleteFunc(edits, func(e edit) bool { return e.clash })
	if err := r.write(edits); err != nil {
		return nil, err
	}
	for _, e := range edits {
		changed = append(changed, e.path)
	}
	rep.Pages = []PageChange{}
	if err := r.store.saveReport(rep); err != nil {
		return nil, err
	}
	return changed, r.store.mark(plan.Run, failedFile)
}

// of is the part of the plan that has to do with the page.
func (p *Plan) of(name vault.Path) *PagePlan {
	for i := range p.Pages {
		if p.Pages[i].Path == name {
			return &p.Pages[i]
		}
	}
	return nil
}

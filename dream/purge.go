package dream

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/vault"
)

// sealedFile marks a run from which something was purged: its pre-images are no longer what the pages were, so it cannot be
// undone.
const sealedFile = "sealed"

// ErrSealed says that a run cannot be undone because something that it knew was purged.
var ErrSealed = errors.New("something that the run knew was purged, so it cannot be undone")

// Unmention takes what was forgotten off all pages, the lists, index.md and MEMORY.md at once, without a run. It waits for a run
// that is under way.
func (r *Runner) Unmention(ctx context.Context) ([]vault.Path, error) {
	r.lock.Lock()
	defer r.lock.Unlock()
	st, err := r.store.state()
	if err != nil {
		return nil, err
	}
	now := r.o.Vault.Now()
	p, err := r.newPlanner(ctx, "", vault.DayOf(now))
	if err != nil {
		return nil, err
	}
	p.conflict = slices.Clone(st.Conflicts)
	if err := p.forgotten(); err != nil {
		return nil, err
	}
	if err := p.closeAll(); err != nil {
		return nil, err
	}
	plan := &Plan{Started: now, Known: st.Conflicts}
	p.fill(plan)
	var changed []vault.Path
	for i := range plan.Pages {
		if err := r.applyPage(plan, i); err != nil {
			return changed, fmt.Errorf("taking what was forgotten off %s: %w", plan.Pages[i].Path, err)
		}
		changed = append(changed, plan.Pages[i].Path)
	}
	if len(changed) > 0 {
		if _, err := r.navigation(ctx, plan); err != nil {
			return changed, err
		}
		changed = append(changed, indexPath, memoryPath)
	}
	st.Forgotten, st.Conflicts = p.tombs.Version(), plan.Conflicts
	return changed, r.store.saveState(st)
}

// Purge takes bytes out of what runs keep: every statement that gone knows leaves plans and saved pages. It returns the files
// that changed. Runs that lost something cannot be undone any more.
func (r *Runner) Purge(ctx context.Context, gone func(text string) bool) ([]vault.Path, error) {
	r.lock.Lock()
	defer r.lock.Unlock()
	runs, err := r.store.runs()
	if err != nil {
		return nil, err
	}
	var changed []vault.Path
	for _, run := range runs {
		if err := ctx.Err(); err != nil {
			return changed, err
		}
		files, err := r.purgeRun(run, gone)
		if err != nil {
			return changed, fmt.Errorf("purging %s: %w", run, err)
		}
		changed = append(changed, files...)
	}
	return changed, nil
}

func (r *Runner) purgeRun(run string, gone func(string) bool) ([]vault.Path, error) {
	var changed []vault.Path
	plan, err := r.store.plan(run)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if plan != nil && plan.purge(gone) {
		if err := r.store.savePlan(plan); err != nil {
			return nil, err
		}
		changed = append(changed, runPath(run, planFile))
	}
	names, err := r.o.Vault.ListState(runsName + "/" + run + "/pre")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if !strings.HasSuffix(name, ".md") {
			continue
		}
		data, err := r.store.read(run, "pre/"+name)
		if err != nil {
			return nil, err
		}
		if less := without(data, gone); !bytes.Equal(less, data) {
			if err := r.store.write(run, "pre/"+name, less); err != nil {
				return nil, err
			}
			changed = append(changed, runPath(run, "pre/"+name))
		}
	}
	if len(changed) == 0 {
		return nil, nil
	}
	return changed, r.store.mark(run, sealedFile)
}

// without leaves out the lines of list items that tell what is gone.
func without(data []byte, gone func(string) bool) []byte {
	cut := map[int]bool{}
	for _, st := range page.Parse("0_Inbox/x.md", data).Statements() {
		if gone(st.Text) {
			cut[st.Line] = true
		}
	}
	if len(cut) == 0 {
		return data
	}
	var out []byte
	n := 0
	for l := range bytes.Lines(data) {
		if n++; !cut[n] {
			out = append(out, l...)
		}
	}
	return out
}

// purge blanks what is gone in the ops of a plan.
func (p *Plan) purge(gone func(string) bool) bool {
	changed := false
	blank := func(s *string) {
		if *s != "" && gone(*s) {
			*s, changed = "", true
		}
	}
	ops := func(list []Op) {
		for i := range list {
			op := &list[i]
			blank(&op.Text)
			blank(&op.Was)
			for k := range op.Options {
				blank(&op.Options[k].Text)
			}
			for k := range op.Rejected {
				blank(&op.Rejected[k].Text)
			}
		}
	}
	ops(p.Drops)
	for i := range p.Pages {
		ops(p.Pages[i].Ops)
	}
	for _, list := range [][]openConflict{p.Known, p.Conflicts} {
		for i := range list {
			for k := range list[i].Options {
				blank(&list[i].Options[k].Text)
				blank(&list[i].Options[k].Item)
			}
		}
	}
	return changed
}

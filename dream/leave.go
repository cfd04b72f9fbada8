package dream

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/reverie-memory/reverie/dream/navigate"
	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/vault"
)

// leave takes a page out of the plan, which stays as it is. Where it changed under the run its facts wait for the next one, which reads the
// page as it is then, and so does what people asked of it. The facts of a page that cannot be written at all wait in 0_Inbox/Unfiled.md.
func (r *Runner) leave(plan *Plan, name vault.Path, why error) error {
	pp := plan.of(name)
	for _, op := range pp.Ops {
		if op.Kind == RemoveLine {
			plan.Forgotten = "" // the next run looks for it again
			plan.Counts.Forgotten -= boolInt(op.Reason == forgot)
		}
	}
	plan.gone = nil // whether lines that left the logs still hold was not asked everywhere
	left := map[page.Source]bool{}
	var lines []LedgerLine
	plan.Ledger = slices.DeleteFunc(plan.Ledger, func(l LedgerLine) bool {
		if l.Page != name {
			return false
		}
		left[l.source()], lines = true, append(lines, l)
		return true
	})
	plan.Pages = slices.DeleteFunc(plan.Pages, func(pp PagePlan) bool { return pp.Path == name })
	for i := range plan.Pages {
		if pp := &plan.Pages[i]; r.where.isList(pp.Path) {
			pp.Ops = slices.DeleteFunc(pp.Ops, func(op Op) bool {
				return op.About == name || slices.ContainsFunc(op.Sources, func(s page.Source) bool { return left[s] })
			})
		}
	}
	plan.askAgain(name, func(p vault.Path) bool {
		_, err := r.o.Vault.Stat(p)
		return errors.Is(err, fs.ErrNotExist)
	})
	plan.left = true
	if errors.Is(why, vault.ErrChanged) {
		plan.Counts.Replanned++
		r.log.Info("a page changed under the run and is left to the next", "page", name, "facts", len(lines))
		return nil
	}
	r.log.Warn("a page cannot be written", "page", name, "err", why)
	return r.unfile(plan, lines, name, why.Error())
}

// askAgain leaves the questions of a page as they were before the run. One whose page has another name since is found there by the next.
func (p *Plan) askAgain(name vault.Path, away func(vault.Path) bool) {
	was := p.Conflicts
	p.Conflicts = slices.DeleteFunc(slices.Clone(was), func(c openConflict) bool { return c.Page == name })
	for _, c := range p.Known {
		same := func(x openConflict) bool { return x.Question == c.Question && (x.Page == c.Page || x.Page == name) }
		if c.Page != name && (slices.ContainsFunc(p.Conflicts, same) || !away(c.Page)) {
			continue
		}
		p.Conflicts = append(p.Conflicts, c)
		p.Counts.Settled -= boolInt(!slices.ContainsFunc(was, same))
	}
}

// unfile puts facts on the list of what has no page, but those that were forgotten meanwhile.
func (r *Runner) unfile(plan *Plan, lines []LedgerLine, from vault.Path, why string) error {
	tombs, err := r.o.Vault.Tombstones()
	if err != nil {
		return fmt.Errorf("reading what was forgotten: %w", err)
	}
	list := PagePlan{Path: r.where.At(navigate.UnfiledPath)}
	if data, err := r.o.Vault.ReadFile(list.Path); err == nil {
		list.Before = vault.HashOf(data)
	}
	logs := newLogCache(r.o.Vault)
	for _, l := range lines {
		f, there, err := logs.fact(l.source())
		if err != nil {
			return err
		}
		if _, dead := tombs.Match(f.Text); !there || dead {
			continue // the next run accounts for it
		}
		l.Outcome, l.Page, l.Reason, l.By = Unfiled, list.Path, why, byRules
		plan.Ledger = append(plan.Ledger, l)
		list.Ops = append(list.Ops, Op{
			Kind: AddItem, Page: list.Path, Text: f.Text, Sources: []page.Source{l.source()}, Plain: true, By: byRules, Reason: why,
			Facts: []Account{{l.Fact, Unfiled}},
		})
	}
	if pp := plan.of(list.Path); pp != nil {
		pp.Ops = append(pp.Ops, list.Ops...)
	} else {
		plan.Pages = append(plan.Pages, list)
	}
	plan.Notes = append(plan.Notes, fmt.Sprintf("%s could not be written (%s); its facts are in %s", from, why, list.Path))
	return nil
}

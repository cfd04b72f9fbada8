package dream

import (
	"context"
	"fmt"
	"path"
	"slices"

	"github.com/reverie-memory/reverie/vault"
)

// keptAlways is how many of the newest runs keep their copies, however large those are beside the vault.
const keptAlways = 5

// prune drops the copies of pages that older runs keep for an undo: the newest KeepRuns that are done keep theirs, as long as all copies
// together are not larger than KeepCopies times the Markdown of the vault. prune is called at the end of a run and may be repeated.
func (r *Runner) prune(ctx context.Context) error {
	runs, err := r.store.runs()
	if err != nil || r.o.KeepRuns < 1 {
		return err
	}
	room, err := r.roomForCopies(ctx)
	if err != nil {
		return err
	}
	kept := 0
	for _, run := range slices.Backward(runs) {
		if at := r.store.stage(run); at != isDone && at != isUndone {
			continue // whoever finishes the run or its undo at the next start needs the copies
		}
		kept++
		size, err := r.copies(run)
		if err != nil || size == 0 {
			continue
		}
		if room -= size; kept <= r.o.KeepRuns && (room >= 0 || kept <= keptAlways) {
			continue
		}
		// The mark comes first: a run with half of its copies must not be taken back.
		if err := r.store.mark(run, prunedFile); err != nil {
			return err
		}
		if err := r.slim(run); err != nil {
			return fmt.Errorf("dropping the copies of run %s: %w", run, err)
		}
	}
	return nil
}

// slim drops the copies of a run that is done, and the ledger from its plan, which has a file of its own.
func (r *Runner) slim(run string) error {
	if plan, err := r.store.plan(run); err == nil {
		plan.Ledger = nil
		if err := r.store.savePlan(plan); err != nil {
			return err
		}
	}
	return r.o.Vault.RemoveState(copiesOf(run))
}

func copiesOf(run string) string { return path.Join(vault.RunsState, run, imagesFolder) }

// roomForCopies is how many bytes the copies of all runs may have.
func (r *Runner) roomForCopies(ctx context.Context) (bytes int64, err error) {
	_, err = r.o.Vault.Walk(ctx, func(_ vault.Path, fi vault.FileInfo) error {
		bytes += fi.Size
		return nil
	})
	return bytes * int64(r.o.KeepCopies), err
}

// copies is how many bytes the copies of a run have.
func (r *Runner) copies(run string) (bytes int64, err error) {
	names, err := r.o.Vault.ListState(copiesOf(run))
	for _, name := range names {
		if fi, err := r.o.Vault.Stat(runPath(run, imagesFolder+name)); err == nil {
			bytes += fi.Size
		}
	}
	return bytes, err
}

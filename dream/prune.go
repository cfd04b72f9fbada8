package dream

import (
	"fmt"
	"path"
	"slices"

	"github.com/reverie-memory/reverie/vault"
)

// prune drops the copies of pages that older runs keep for an undo: the newest KeepRuns that are done keep theirs. It is called at
// the end of a run and may be repeated. The mark comes first: a run with half of its copies must not be taken back.
func (r *Runner) prune() error {
	runs, err := r.store.runs()
	if err != nil || r.o.KeepRuns < 1 {
		return err
	}
	runs = slices.DeleteFunc(runs, func(run string) bool { return !r.store.has(run, vault.DoneMark) })
	for _, run := range runs[:max(0, len(runs)-r.o.KeepRuns)] {
		if r.store.has(run, undoingFile) && !r.store.has(run, vault.UndoneMark) {
			continue // the next start finishes it, and needs the copies
		}
		folder := path.Join(vault.RunsState, run, "pre")
		if left, err := r.o.Vault.ListState(folder); err != nil || len(left) == 0 {
			continue
		}
		if err := r.store.mark(run, prunedFile); err != nil {
			return err
		}
		if err := r.o.Vault.RemoveState(folder); err != nil {
			return fmt.Errorf("dropping the copies of run %s: %w", run, err)
		}
	}
	return nil
}

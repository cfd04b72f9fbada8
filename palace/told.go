package palace

import (
	"context"
	"fmt"
	"slices"

	"github.com/reverie-memory/reverie/vault"
)

// toldFile, in the vault's state, says who told drawers and facts that were stored already, so that they stay when an import that brought
// them is taken back.
const toldFile = "told.jsonl"

// A toldLine is a line of toldFile.
type toldLine struct {
	By  string   `json:"by,omitempty"` // the import; "" for whoever speaks, or files by hand
	IDs []string `json:"ids"`
}

var toldLines = vault.Records[toldLine]{Name: toldFile}

// others says whether there is any import but this one.
func (in *Intake) others(source string) bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	_, listed := in.imports[source]
	return len(in.imports) > 1 || len(in.imports) == 1 && !listed
}

// toldAgain keeps that somebody told what is stored, which matters only where another import may have brought it. The caller holds writing.
func (in *Intake) toldAgain(ctx context.Context, by string, ids []string) error {
	if len(ids) == 0 || !in.others(by) {
		return nil
	}
	if err := in.opt.Vault.AppendState(ctx, toldFile, toldLine{by, ids}); err != nil {
		return fmt.Errorf("record what was told again: %w", err)
	}
	return nil
}

func (in *Intake) eachTold(fn func(toldLine)) error {
	if err := toldLines.Each(in.opt.Vault, fn); err != nil {
		return fmt.Errorf("read what was told again: %w", err)
	}
	return nil
}

// untell takes away what an import told again.
func (in *Intake) untell(source string) error {
	return in.editTold(func(l toldLine, _ string) bool { return l.By == source })
}

// retell has another import have told what an import told again.
func (in *Intake) retell(from, to string) error {
	_, err := toldLines.Edit(in.opt.Vault, func(l *toldLine) vault.Fate {
		if l.By != from {
			return vault.Stays
		}
		l.By = to
		return vault.Changed
	}, nil)
	return err
}

// editTold takes ids out of toldFile. A line that names none any more goes.
func (in *Intake) editTold(drop func(l toldLine, id string) bool) error {
	_, err := toldLines.Edit(in.opt.Vault, func(l *toldLine) vault.Fate {
		was := len(l.IDs)
		switch l.IDs = slices.DeleteFunc(l.IDs, func(id string) bool { return drop(*l, id) }); len(l.IDs) {
		case 0:
			return vault.Goes
		case was:
			return vault.Stays
		}
		return vault.Changed
	}, nil)
	return err
}

// storedOf are the ids of drawers that were to be filed and were stored already: the index that knew nothing of them was behind.
func storedOf(filed []vault.Drawer, isNew []bool) (ids []string) {
	for i, d := range filed {
		if !isNew[i] {
			ids = append(ids, d.ID)
		}
	}
	return ids
}

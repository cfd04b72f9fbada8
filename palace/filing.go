package palace

import (
	"context"
	"fmt"
	"strings"

	"github.com/reverie-memory/reverie/extract"
	"github.com/reverie-memory/reverie/vault"
)

// File files a text by hand, word for word but for what was forgotten, and returns its drawer when it is fsynced and can be found. No facts
// are taken from it. The same text of the same source is one drawer: then known is true.
func (in *Intake) File(ctx context.Context, d vault.Drawer) (_ vault.Drawer, known bool, err error) {
	if d, known, err = in.keep(ctx, d); err != nil || known {
		return d, known, err
	}
	return d, false, in.opt.Sync(ctx, vault.DrawerPath(vault.DayOf(d.At)))
}

// keep is File until the drawer is fsynced.
func (in *Intake) keep(ctx context.Context, d vault.Drawer) (filed vault.Drawer, known bool, err error) {
	in.writing.RLock()
	defer in.writing.RUnlock()
	if d.Text = in.tombstones().Cut(extract.StripInjected(d.Text)); strings.TrimSpace(d.Text) == "" {
		return d, false, &InvalidError{"content", "nothing is left to keep: it was forgotten, or holds only recalled memory"}
	}
	d.At, d.Origin = in.opt.Vault.Now(), vault.OriginAgent
	if d.SourceFile != "" {
		d.ID = vault.DeriveID('d', d.SourceFile, d.Text)
		stored, err := in.opt.KnownDrawers(ctx, []string{d.ID})
		if err != nil {
			return d, false, fmt.Errorf("look the drawer up: %w", err)
		}
		if stored[d.ID] != "" {
			return d, true, in.toldAgain(ctx, "", []string{d.ID})
		}
	}
	all, err := in.opt.Vault.AppendDrawers(ctx, []vault.Drawer{d})
	if err != nil {
		return d, false, fmt.Errorf("file the drawer: %w", err)
	}
	if in.opt.Filed != nil {
		in.opt.Filed(all)
	}
	return all[0], false, nil
}

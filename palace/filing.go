package palace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/reverie-memory/reverie/extract"
	"github.com/reverie-memory/reverie/trust"
	"github.com/reverie-memory/reverie/vault"
)

// Filed is what became of a text that was filed by hand.
type Filed struct {
	Drawer vault.Drawer
	Known  bool  // it was filed before
	Late   error // why it cannot be found yet; it is filed all the same
}

// File files a text by hand, word for word but for what was forgotten. No facts are taken from it. The same text of the same source in one
// wing is one drawer, whoever files it again or meanwhile. then is called when the drawer is fsynced and the index was told, also for
// one that is known, so that it can end what an earlier call did not get to. File gives its error.
func (in *Intake) File(ctx context.Context, d vault.Drawer, then func(Filed) error) error {
	if d.SourceFile == "" {
		out, err := in.fileOnce(ctx, d)
		if err != nil {
			return err
		}
		return then(out)
	}
	key := turnKey{id: vault.DeriveID('d', d.SourceFile, d.Wing, d.Text)} // that of a turn has a conversation
	for {
		f, mine := in.claim(key, 1)
		if mine {
			out, err := in.fileOnce(ctx, d)
			if err == nil {
				f.filed = &out.Drawer
				err = then(out)
			}
			in.release(key, f, out.Late != nil) // or else the index knows the drawer
			return err
		}
		select {
		case <-f.done:
		case <-ctx.Done():
			return ctx.Err()
		}
		if f.ok {
			return then(Filed{Drawer: *f.filed, Known: true})
		}
	}
}

func (in *Intake) fileOnce(ctx context.Context, d vault.Drawer) (Filed, error) {
	d, known, err := in.keep(ctx, d)
	out := Filed{Drawer: d, Known: known}
	if err == nil && !known {
		out.Late = in.opt.Sync(ctx, vault.DrawerPath(vault.DayOf(d.At)))
	}
	return out, err
}

// keep has the drawer in its file, fsynced.
func (in *Intake) keep(ctx context.Context, d vault.Drawer) (filed vault.Drawer, known bool, err error) {
	in.writing.RLock()
	defer in.writing.RUnlock()
	if d.Text = in.tombstones().Cut(extract.StripInjected(d.Text)); strings.TrimSpace(d.Text) == "" {
		return d, false, &InvalidError{"content", "nothing is left to keep: it was forgotten, or holds only recalled memory"}
	}
	d.At, d.Origin = in.opt.Vault.Now(), trust.Least(d.Origin, vault.OriginAgent)
	if d.SourceFile != "" {
		d.ID = vault.DeriveID('d', d.SourceFile, d.Wing, d.Text)
		stored, err := in.stored(ctx, []string{d.ID})
		if err != nil {
			return d, false, fmt.Errorf("look the drawer up: %w", err)
		}
		if _, there := stored[d.ID]; there {
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

// stored are those drawers that are in their files, by their ids. The index may know of one that was taken out since: that is not stored.
func (in *Intake) stored(ctx context.Context, ids []string) (map[string]vault.Drawer, error) {
	known, err := in.opt.KnownDrawers(ctx, ids)
	if err != nil {
		return nil, err
	}
	return in.drawersAt(known)
}

// drawersAt reads drawers out of their files.
func (in *Intake) drawersAt(at map[string]vault.Path) (map[string]vault.Drawer, error) {
	drawers := map[string]vault.Drawer{}
	read := map[vault.Path]bool{}
	for _, p := range at {
		if read[p] {
			continue
		}
		read[p] = true
		data, err := in.opt.Vault.ReadFile(p)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, d := range vault.ParseDrawers(p, data).Drawers {
			if at[d.ID] == p {
				drawers[d.ID] = d
			}
		}
	}
	return drawers, nil
}

package workspace

import (
	"slices"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/vault"
)

// hidden finds, for a purge, what the request names and the index does not show: what was forgotten before lies
// behind its tombstone, and its bytes are still in the files.
func (w *Workspace) hidden(f api.Forget, known []target) ([]target, error) {
	if !f.Purge || f.Query != "" {
		return nil, nil
	}
	have := map[place]bool{}
	for _, t := range known {
		have[t.place()] = true
	}
	var out []target
	drawers := map[string]bool{} // a fact takes along the drawer that it came from, as in lineage
	err := w.eachDay(vault.ArchiveDir, vault.LogPath, func(p vault.Path, data []byte) {
		for _, fact := range vault.ParseLog(p, data).Facts {
			named := slices.Contains(f.IDs, fact.ID)
			if have[place{p, fact.ID}] || !named && !slices.Contains(f.IDs, fact.Section.Drawer) && (f.ChatID == "" || fact.Section.ChatID != f.ChatID) {
				continue
			}
			drawers[fact.Section.Drawer] = drawers[fact.Section.Drawer] || named
			out = append(out, target{id: fact.ID, rows: []string{fact.ID}, file: p, text: fact.Text})
		}
	})
	if err != nil {
		return nil, err
	}
	err = w.eachDay(vault.DrawerDir, vault.DrawerPath, func(p vault.Path, data []byte) {
		for _, d := range vault.ParseDrawers(p, data).Drawers {
			if !have[place{p, d.ID}] && (drawers[d.ID] || slices.Contains(f.IDs, d.ID) || f.ChatID != "" && d.ChatID == f.ChatID) {
				out = append(out, target{id: d.ID, rows: []string{d.ID}, file: p, text: d.Text})
			}
		}
	})
	return out, err
}

// eachDay reads the daily files of a folder, one after the other.
func (w *Workspace) eachDay(dir vault.Path, path func(vault.Day) vault.Path, fn func(vault.Path, []byte)) error {
	days, err := w.vault.Days(dir)
	if err != nil {
		return err
	}
	for _, day := range days {
		data, err := w.vault.ReadFile(path(day))
		if err != nil {
			return err
		}
		fn(path(day), data)
	}
	return nil
}

package workspace

import (
	"errors"
	"io/fs"
	"slices"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/vault"
)

// consumed finds the facts that the request names and that dreams have taken out of the index: by id, by conversation, and those
// that the named statements on pages rest on. What was forgotten before is left out.
func (w *Workspace) consumed(f api.Forget, named []catalog.Row) ([]vault.Fact, error) {
	want := map[page.Source]bool{}
	known, err := w.vault.Accounted()
	if err != nil {
		return nil, err
	}
	if len(f.IDs) > 0 || f.ChatID != "" {
		for id, a := range known.All() {
			if slices.Contains(f.IDs, id) || f.ChatID != "" && a.ChatID == f.ChatID {
				want[page.Source{Day: a.Day, ID: id}] = true
			}
		}
	}
	for _, r := range named {
		if r.Source != catalog.Notebook && r.Source != catalog.CoreFile {
			continue
		}
		data, err := w.vault.ReadFile(r.File)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, st := range page.Parse(r.File, data).Statements() {
			if st.Line == r.Line {
				for _, s := range st.Sources {
					want[s] = true
				}
			}
		}
	}
	if len(want) == 0 {
		return nil, nil
	}
	return w.factsAt(want)
}

// factsAt reads facts from the logs, but those that were forgotten.
func (w *Workspace) factsAt(want map[page.Source]bool) ([]vault.Fact, error) {
	stones, err := w.vault.Tombstones()
	if err != nil {
		return nil, err
	}
	var days []vault.Day
	for s := range want {
		if !slices.Contains(days, s.Day) {
			days = append(days, s.Day)
		}
	}
	slices.Sort(days)
	var out []vault.Fact
	for _, day := range days {
		data, err := w.vault.ReadFile(vault.LogPath(day))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, fact := range vault.ParseLog(vault.LogPath(day), data).Facts {
			if _, gone := stones.Match(fact.Text); !gone && want[page.Source{Day: day, ID: fact.ID}] {
				out = append(out, fact)
			}
		}
	}
	return out, nil
}

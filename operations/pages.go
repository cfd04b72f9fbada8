package operations

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/vault"
)

// pageLimit is how many characters of a page are told.
const pageLimit = 200_000

// Pages lists the pages of the vault by their paths: those that dreams make and those of the person.
func (m Memory) Pages(ctx context.Context, p api.PageList) (api.Pages, error) {
	view, err := m.Searches.Of("", p.Wing)
	if err != nil || view.Isolated.Around(p.Wing) != "" { // pages tell of what is outside
		return api.Pages{Pages: []api.PageRef{}}, err
	}
	v := m.Vault
	pages := indexer.PageSource(v.Layout())
	var all []api.PageRef
	_, err = v.Walk(ctx, func(p vault.Path, info vault.FileInfo) error {
		if pages.Match(p) {
			all = append(all, api.PageRef{Path: string(p), Bytes: info.Size, Modified: rfc(info.ModTime)})
		}
		return nil
	})
	if err != nil {
		return api.Pages{}, err
	}
	stones, err := v.Tombstones()
	if err != nil {
		return api.Pages{}, err
	}
	out := api.Pages{Pages: slices.Clone(cut(all, p.Offset, p.Limit)), Total: len(all)}
	for i, ref := range out.Pages {
		data, err := v.ReadFile(vault.Path(ref.Path))
		if err != nil && !gone(err) {
			return api.Pages{}, err
		}
		out.Pages[i].Title = stones.Visible(vault.ParsePage(vault.Path(ref.Path), data).Title)
	}
	return out, nil
}

// Page tells what stands on a page or in a core block. No other file is told of: logs and drawers hold what was forgotten, diaries are
// their agents' own.
func (m Memory) Page(ctx context.Context, q api.PageQuery) (api.PageText, error) {
	v := m.Vault
	missing := fmt.Errorf("page %q: %w", q.Path, api.NotFound)
	p, err := vault.ParsePath(q.Path)
	if err != nil || !readable(v.Layout(), p) {
		return api.PageText{}, missing
	}
	view, err := m.Searches.Of("", q.Wing)
	if err != nil {
		return api.PageText{}, err
	}
	if view.Isolated.Around(q.Wing) != "" && p != vault.PersonaPath && p != vault.UserPath {
		return api.PageText{}, missing
	}
	data, notes, err := m.page(ctx, p, q)
	switch {
	case err == nil && data == nil && len(notes) > 0:
		return api.PageText{}, fmt.Errorf("%w: %s", missing, notes[0])
	case err == nil && data == nil, errors.Is(err, fs.ErrNotExist):
		return api.PageText{}, missing
	case gone(err):
		return api.PageText{}, fmt.Errorf("%w: %w", missing, err)
	case err != nil:
		return api.PageText{}, err
	}
	stones, err := v.Tombstones()
	if err != nil {
		return api.PageText{}, err
	}
	page := vault.ParsePage(p, data)
	text := strings.TrimSpace(stones.Visible(comment.ReplaceAllString(string(indexer.ShownBody(page.Body, stones.Visible)), "")))
	out := api.PageText{Path: string(p), Title: stones.Visible(page.Title), Text: text, Warnings: notes}
	if utf8.RuneCountInString(text) > pageLimit {
		out.Text, out.Clipped = string([]rune(text)[:pageLimit]), true
	}
	return out, nil
}

// page is a file as it is, or as it stood; nil where there was none then.
func (m Memory) page(ctx context.Context, p vault.Path, q api.PageQuery) (data []byte, notes []string, err error) {
	if q.AsOf == "" {
		if err = needsAsOf(q.AsOfBy, false); err == nil {
			data, err = m.Vault.ReadFile(p)
		}
		return data, nil, err
	}
	var at api.Moment
	if err := at.UnmarshalText([]byte(q.AsOf)); err != nil {
		return nil, nil, api.Refuse("as_of", err.Error())
	}
	then, err := m.pastAt(ctx, asOf(&at, q.AsOfBy))
	if err != nil {
		return nil, nil, err
	}
	data, err = then.read(p)
	return data, then.notes, err
}

// gone says whether a walk over the vault does not come by the file, any more or ever.
func gone(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, vault.ErrLink) || errors.Is(err, vault.ErrNotFile)
}

// readable says whether a file is a page or a core block.
func readable(l vault.Layout, p vault.Path) bool {
	if indexer.CoreSource().Match(p) {
		return true
	}
	top, _, _ := strings.Cut(string(p), "/")
	top, _, _ = strings.Cut(top, ":")
	if strings.EqualFold(strings.TrimRight(top, ". "), "memory") { // some file systems take other spellings for the same folder
		return false
	}
	return indexer.PageSource(l).Match(p) && !strings.Contains("/"+string(p), "/.")
}

// Days lists the days of which there is something, the newest first.
func (m Memory) Days(_ context.Context, p api.Page) (api.Days, error) {
	v := m.Vault
	logs, err := v.Days(vault.ArchiveDir)
	if err != nil {
		return api.Days{}, err
	}
	drawers, err := v.Days(vault.DrawerDir)
	if err != nil {
		return api.Days{}, err
	}
	all := slices.Concat(logs, drawers)
	slices.Sort(all)
	all = slices.Compact(all)
	slices.Reverse(all)
	out := api.Days{Days: []api.DayRef{}, Total: len(all)}
	for _, day := range cut(all, p.Offset, p.Limit) {
		_, log := slices.BinarySearch(logs, day)
		_, drawer := slices.BinarySearch(drawers, day)
		out.Days = append(out.Days, api.DayRef{Day: string(day), Facts: log, Conversations: drawer})
	}
	return out, nil
}

// Day lists the facts of a day.
func (m Memory) Day(_ context.Context, q api.DayQuery) (api.DayFacts, error) {
	day, err := vault.ParseDay(q.Day)
	if err != nil {
		return api.DayFacts{}, api.Refuse("day", err.Error())
	}
	view, err := m.Searches.Of("", q.Wing)
	if err != nil {
		return api.DayFacts{}, err
	}
	rows, _, err := m.logRows(day, view)
	if err != nil {
		return api.DayFacts{}, err
	}
	out := api.DayFacts{Day: q.Day, Facts: []api.Row{}, Total: len(rows)}
	for _, r := range cut(rows, q.Offset, q.Limit) {
		out.Facts = append(out.Facts, m.row(r, r.Refs))
	}
	return out, nil
}

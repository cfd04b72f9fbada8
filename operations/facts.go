package operations

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/vault"
)

// factBytes is how much of the logs a page of facts reads about: few of many may be asked for.
const factBytes = 4 << 20

// FactList lists facts, the newest first, as the logs have them: be they on pages already or not.
func (m Memory) FactList(ctx context.Context, q api.FactQuery) (api.FactPage, error) {
	out := api.FactPage{Facts: []api.Row{}}
	mark, err := parseFactMark(q.After)
	if err != nil {
		return out, err
	}
	view, err := m.Searches.Of("", q.Project)
	if err != nil {
		return out, err
	}
	days, err := m.Vault.Days(vault.ArchiveDir)
	if err != nil {
		return out, err
	}
	last, read := mark, 0 // the fact that was looked at last
	for _, day := range slices.Backward(days) {
		if mark.day != "" && day > mark.day {
			continue
		}
		if err := ctx.Err(); err != nil || read > factBytes {
			out.Next = last.String()
			return out, err
		}
		rows, size, err := m.logRows(day, view)
		if err != nil {
			return out, err
		}
		read += size
		for _, r := range slices.Backward(mark.before(day, rows)) {
			if !q.Asks(r.Wing, r.Room, r.Hall, r.Category) {
				continue
			}
			if len(out.Facts) == q.Limit {
				out.Next = last.String()
				return out, nil
			}
			out.Facts = append(out.Facts, m.row(r, r.Refs))
			last = factMark{day, r.Line, r.ID}
		}
		if len(out.Facts) < q.Limit {
			last = factMark{day: day} // nothing of the day is left
		}
	}
	return out, nil
}

// logRows are the facts of a day that a caller sees, in the order of its log, and the size of that.
func (m Memory) logRows(day vault.Day, view catalog.View) (rows []indexer.Row, size int, err error) {
	p := vault.LogPath(day)
	data, err := m.Vault.ReadFile(p)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	}
	stones, serr := m.Vault.Tombstones()
	if err = cmp.Or(err, serr); err != nil {
		return nil, 0, err
	}
	rows, _ = indexer.Rows([]indexer.Source{indexer.LogSource()}, p, data, indexer.Env{
		Visible: stones.Visible, Moved: m.Drawers.State(),
	})
	return slices.DeleteFunc(rows, func(r indexer.Row) bool { return !view.Sees(&r) }), len(data), nil
}

// A factMark is a place in the list of facts: behind a fact, which may be gone by now, or, with no line, behind all of a day.
type factMark struct {
	day  vault.Day
	line int
	id   string
}

func (k factMark) String() string { return fmt.Sprintf("%s:%d:%s", k.day, k.line, k.id) }

func parseFactMark(s string) (k factMark, err error) {
	if s == "" {
		return k, nil
	}
	day, rest, _ := strings.Cut(s, ":")
	line, id, _ := strings.Cut(rest, ":")
	k.id = id
	if k.day, err = vault.ParseDay(day); err == nil {
		k.line, err = strconv.Atoi(line)
	}
	if err != nil {
		return k, api.Refuse("after", "must be what next said")
	}
	return k, nil
}

// before are the rows of a day that stand before the mark.
func (k factMark) before(day vault.Day, rows []indexer.Row) []indexer.Row {
	if day != k.day {
		return rows
	}
	i := slices.IndexFunc(rows, func(r indexer.Row) bool { return r.ID == k.id })
	if i < 0 { // it is gone
		i = slices.IndexFunc(rows, func(r indexer.Row) bool { return r.Line >= k.line })
	}
	if i < 0 {
		return rows
	}
	return rows[:i]
}

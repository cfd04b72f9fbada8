package dream

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"sync"
	"time"

	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/vault"
)

// agesState keeps since when people's own lines stand on pages, by [textHash].
const agesState = "dream_lines.jsonl"

// maxAges bounds the lines of one record.
const maxAges = 4096

// An agesRecord names lines that were seen first by the look of one day. None of them stood there at the look before, so they are younger
// than that; "" means that there was none.
type agesRecord struct {
	Since  vault.Day `json:"since,omitempty"`
	Looked vault.Day `json:"looked"`
	Lines  []string  `json:"lines,omitempty"`
}

// An age is what is known of when a line was written: not before that day, or, where it stood there when somebody looked first,
// not after it.
type age struct {
	day   vault.Day
	until bool
}

// lineAges tells how old the lines are that people wrote on pages. A file's time is no answer: touch, git and folder syncs set it. Within
// what is known a line is as old as it can be: it is taken for older than what was said since.
type lineAges struct {
	mu     sync.Mutex
	loaded bool
	since  map[uint64]age
	looked vault.Day
	pages  map[vault.Path]vault.FileInfo // as the last look found them
}

// of is the age of a text on a page.
func (a *lineAges) of(text string, pg *vault.Page, today vault.Day) age {
	a.mu.Lock()
	defer a.mu.Unlock()
	if known, ok := a.since[textHash(text)]; ok {
		return known
	}
	return a.fresh(pg, today)
}

// fresh is the age of a line that no look has seen, from the look before and from what the page says of when it was made.
func (a *lineAges) fresh(pg *vault.Page, today vault.Day) age {
	day, _ := vault.ParseDay(pg.Created)
	if day > today {
		day = ""
	}
	if a.looked <= today { // else a clock was ahead
		day = max(day, a.looked)
	}
	if day == "" {
		return age{today, true}
	}
	return age{day: day}
}

// look notes what was written since the last one.
func (a *lineAges) look(ctx context.Context, v *vault.Vault, w places) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.load(v); err != nil {
		return fmt.Errorf("reading since when lines stand: %w", err)
	}
	today, pages, found := vault.DayOf(v.Now()), map[vault.Path]vault.FileInfo{}, map[uint64]age{}
	_, err := v.Walk(ctx, func(name vault.Path, info vault.FileInfo) error {
		if !w.isPage(name) || w.isList(name) {
			return nil
		}
		if pages[name] = info; a.pages[name] == info {
			return nil
		}
		data, err := v.ReadFile(name)
		if err != nil {
			delete(pages, name)
			if errors.Is(err, vault.ErrClosed) {
				return err
			}
			return nil // a page that cannot be read is left alone
		}
		if time.Since(info.ModTime) < racy {
			delete(pages, name)
		}
		doc := page.Parse(name, data)
		for _, st := range doc.Statements() {
			key := textHash(st.Text)
			if _, known := a.since[key]; !known && len(st.Sources) == 0 && !st.History {
				found[key] = a.fresh(doc.Page(), today)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := a.save(ctx, v, found, today); err != nil {
		return fmt.Errorf("noting since when lines stand: %w", err)
	}
	a.pages = pages
	return nil
}

func (a *lineAges) load(v *vault.Vault) error {
	if a.loaded {
		return nil
	}
	a.since = map[uint64]age{}
	err := vault.Records[agesRecord]{Name: agesState}.Each(v, func(r agesRecord) {
		a.looked = max(a.looked, r.Looked)
		for _, l := range r.Lines {
			if key, err := strconv.ParseUint(l, 16, 64); err == nil {
				if a.since[key] = (age{day: r.Since}); r.Since == "" {
					a.since[key] = age{r.Looked, true}
				}
			}
		}
	})
	a.loaded = err == nil
	return err
}

func (a *lineAges) save(ctx context.Context, v *vault.Vault, found map[uint64]age, today vault.Day) error {
	at := map[age]*agesRecord{}
	var recs []any
	for key, is := range found {
		r := at[is]
		if r == nil || len(r.Lines) == maxAges {
			r = &agesRecord{Looked: today}
			if !is.until {
				r.Since = is.day
			}
			at[is], recs = r, append(recs, r)
		}
		r.Lines = append(r.Lines, fmt.Sprintf("%016x", key))
	}
	if len(recs) == 0 && today > a.looked {
		recs = append(recs, agesRecord{Looked: today})
	}
	if len(recs) == 0 {
		return nil
	}
	if err := v.AppendState(ctx, agesState, recs...); err != nil {
		return err
	}
	maps.Copy(a.since, found)
	a.looked = max(a.looked, today)
	return nil
}

package dream

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/vault"
)

// agesState keeps since when people's own lines stand on pages, by [textHash], and in daily logs, by the ids of the facts.
const agesState = "dream_lines.jsonl"

// maxAges bounds the lines of one record.
const maxAges = 4096

// An agesRecord names lines that were seen first by the look of one day. None of them stood there at the look before, so they are younger
// than that; "" means that there was none.
type agesRecord struct {
	Since  vault.Day `json:"since,omitempty"`
	Looked vault.Day `json:"looked"`
	Lines  []string  `json:"lines,omitempty"`

	At    time.Time `json:"at,omitzero"`     // the moment of the look; zero for looks of versions that did not look at logs
	Facts []string  `json:"facts,omitempty"` // that people wrote into logs
	First bool      `json:"first,omitempty"` // no look at logs came before: nobody knows since when Facts stand
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
	pages  map[vault.Path]lookedAt // and logs, as the last look found them

	facts map[string]time.Time // when a look first saw them; zero: the first one did
	at    time.Time            // of the last look, zero before the first at logs
}

// A lookedAt is a page as a look found it: the newest day that one of its lines has by its age.
type lookedAt struct {
	vault.FileInfo
	newest vault.Day
}

// of is the age of a text on a page.
func (a *lineAges) of(text string, pg *vault.Page, today vault.Day) age {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.found(textHash(text), pg, today, false)
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
	now := v.Now().UTC()
	today, pages, found, facts := vault.DayOf(now), map[vault.Path]lookedAt{}, map[uint64]age{}, map[string]bool{}
	_, err := v.Walk(ctx, func(name vault.Path, info vault.FileInfo) error {
		isLog := vault.IsDaily(name) && name.In(vault.ArchiveDir)
		if !isLog && !w.aged(name) {
			return nil
		}
		if was, ok := a.pages[name]; ok && was.FileInfo == info {
			pages[name] = was
			return nil
		}
		data, err := v.ReadFile(name)
		if err != nil {
			if errors.Is(err, vault.ErrClosed) {
				return err
			}
			return nil // a page that cannot be read is left alone
		}
		newest := vault.Day("")
		if isLog {
			a.lookAtLog(name, data, facts)
		} else {
			newest = a.lookAtPage(name, data, today, found)
		}
		if time.Since(info.ModTime) >= racy {
			pages[name] = lookedAt{info, newest}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := a.save(ctx, v, found, facts, now); err != nil {
		return fmt.Errorf("noting since when lines stand: %w", err)
	}
	a.pages = pages
	return nil
}

// lookAtPage finds the lines of a page that no look has seen, and tells the newest day that one of its lines has.
func (a *lineAges) lookAtPage(name vault.Path, data []byte, today vault.Day, found map[uint64]age) (newest vault.Day) {
	doc := page.Parse(name, data)
	for _, st := range doc.Statements() {
		if len(st.Sources) > 0 || st.History {
			continue
		}
		key := textHash(st.Text)
		is, known := a.since[key]
		if !known {
			is = a.found(key, doc.Page(), today, isCore(name))
			found[key] = is
		}
		newest = max(newest, is.day)
	}
	for _, b := range prose(doc, data) {
		is, known := a.since[b.key]
		if !known {
			is = a.found(b.key, doc.Page(), today, true)
			found[b.key] = is
		}
		newest = max(newest, is.day)
	}
	return newest
}

// aged says whether the lines that people write in a file are noted: in pages, and in what people say of themselves and of assistants.
func (w places) aged(p vault.Path) bool { return w.isPage(p) && !w.isList(p) || isCore(p) }

func isCore(p vault.Path) bool { return p == vault.PersonaPath || p == vault.UserPath }

// A block are lines of a page that belong together and are no statement: a paragraph, a table, code.
type block struct {
	from, to int    // lines, 1-based; to is the last
	key      uint64 // of the text
}

// prose are the blocks of a page that people wrote.
func prose(doc *page.Doc, data []byte) (out []block) {
	began := slice.SetOf(doc.Statements(), func(st page.Statement) int { return st.Line })
	n, item, text, ours := 0, false, "", false
	body := doc.Page().BodyLine
	end := func() {
		if text != "" && !ours {
			out[len(out)-1].key = textHash("¶ " + text)
		} else if text != "" {
			out = out[:len(out)-1]
		}
		text, ours = "", false
	}
	for line := range bytes.Lines(data) {
		n++
		s := strings.TrimSpace(string(line))
		switch {
		case n < body:
		case s == "" || s[0] == '#' || began[n]:
			end()
			item = began[n]
		case !item:
			if text == "" {
				out = append(out, block{from: n})
			}
			out[len(out)-1].to = n
			text, ours = text+s+"\n", ours || strings.Contains(s, "#^") // it names its sources
		}
	}
	end()
	return out
}

// found is the age of a text. Looks of older versions saw no more than the statements of pages: of the others that the first look sees,
// those that are new to it, nobody knows how old they are.
func (a *lineAges) found(key uint64, pg *vault.Page, today vault.Day, isNew bool) age {
	if known, ok := a.since[key]; ok {
		return known
	}
	if isNew && a.at.IsZero() && pg.Created == "" {
		return age{today, true}
	}
	return a.fresh(pg, today)
}

// lookAtLog finds the lines that people wrote into a log and that no look has seen.
func (a *lineAges) lookAtLog(name vault.Path, data []byte, found map[string]bool) {
	for _, f := range vault.ParseLog(name, data).Facts {
		if _, known := a.facts[f.ID]; f.Hand && !known {
			found[f.ID] = true
		}
	}
}

func (a *lineAges) load(v *vault.Vault) error {
	if a.loaded {
		return nil
	}
	a.since, a.facts = map[uint64]age{}, map[string]time.Time{}
	err := vault.Records[agesRecord]{Name: agesState}.Each(v, func(r agesRecord) {
		a.looked = max(a.looked, r.Looked)
		for _, l := range r.Lines {
			if key, err := strconv.ParseUint(l, 16, 64); err == nil {
				if a.since[key] = (age{day: r.Since}); r.Since == "" {
					a.since[key] = age{r.Looked, true}
				}
			}
		}
		if r.At.After(a.at) {
			a.at = r.At
		}
		for _, id := range r.Facts {
			if a.facts[id] = r.At; r.First {
				a.facts[id] = time.Time{}
			}
		}
	})
	a.loaded = err == nil
	return err
}

// save notes lines of pages and facts of logs that a look found, and that it looked: of looks that find nothing one a day.
func (a *lineAges) save(ctx context.Context, v *vault.Vault, found map[uint64]age, facts map[string]bool, now time.Time) error {
	today, first, ids := vault.DayOf(now), a.at.IsZero(), slices.Sorted(maps.Keys(facts))
	now = now.Truncate(time.Second)
	at := map[age]*agesRecord{}
	var recs []any
	for _, key := range slices.Sorted(maps.Keys(found)) {
		is := found[key]
		r := at[is]
		if r == nil || len(r.Lines) == maxAges {
			r = &agesRecord{Looked: today, At: now}
			if !is.until {
				r.Since = is.day
			}
			at[is], recs = r, append(recs, r)
		}
		r.Lines = append(r.Lines, fmt.Sprintf("%016x", key))
	}
	for part := range slices.Chunk(ids, maxAges) {
		recs = append(recs, agesRecord{Looked: today, At: now, Facts: part, First: first})
	}
	if len(recs) == 0 && (today > a.looked || first) {
		recs = append(recs, agesRecord{Looked: today, At: now})
	}
	if len(recs) > 0 {
		if err := v.AppendState(ctx, agesState, recs...); err != nil {
			return err
		}
	}
	maps.Copy(a.since, found)
	for _, id := range ids {
		if a.facts[id] = now; first {
			a.facts[id] = time.Time{}
		}
	}
	a.looked, a.at = max(a.looked, today), now
	return nil
}

// Unseen says of facts that people wrote into daily logs whether one was not there yet at a time: no look had seen it, or none until then
// has. What stood there at the first look, or without any, may always have stood there.
func (r *Runner) Unseen(at time.Time) (func(fact string) bool, error) {
	r.ages.mu.Lock()
	defer r.ages.mu.Unlock()
	if err := r.ages.load(r.o.Vault); err != nil {
		return nil, fmt.Errorf("reading since when lines stand: %w", err)
	}
	facts, last := maps.Clone(r.ages.facts), r.ages.at
	return func(fact string) bool {
		if seen, ok := facts[fact]; ok {
			return seen.After(at)
		}
		return last.After(at)
	}, nil
}

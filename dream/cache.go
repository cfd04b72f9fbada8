package dream

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/dream/navigate"
	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/dream/route"
	"github.com/reverie-memory/reverie/vault"
)

// A pageCache keeps, of pages that did not change since, what every run asks of every page: their names and a line for the map. A pageCache
// holds no texts, and belongs to whoever holds the runner's lock.
type pageCache struct {
	pages map[vault.Path]*seenPage
	tombs string // version of the tombstones under which the pages were read
}

// follow drops what is kept where something else is forgotten than when it was read.
func (c *pageCache) follow(tombs string) {
	if c.tombs != tombs {
		c.pages, c.tombs = nil, tombs
	}
}

type seenPage struct {
	stat  vault.FileInfo
	entry *route.Entry // nil: nobody asked yet
	slim  *navigate.PageInfo
}

// racy is how old a change must be for a file's time to tell it from the next: see the indexer.
const racy = 2 * time.Second

// of is what is known of the file as it stands, and where to keep more. What is known is kept unless the file changed too lately for its
// time to be trusted.
func (c *pageCache) of(p vault.Path, stat vault.FileInfo) *seenPage {
	if s := c.pages[p]; s != nil && s.stat == stat {
		return s
	}
	if c.pages == nil {
		c.pages = map[vault.Path]*seenPage{}
	}
	s := &seenPage{stat: stat}
	if delete(c.pages, p); time.Since(stat.ModTime) >= racy {
		c.pages[p] = s
	}
	return s
}

// wholeForMemory says whether MEMORY.md is chosen from all statements of the page: people and projects are.
func (w places) wholeForMemory(p vault.Path) bool {
	return w.Name(p).In(vault.Personal, vault.Projects)
}

// forMemory are the statements of such a page that MEMORY.md may need: open tasks. A part of the page's text would hold all of it.
func forMemory(lines []navigate.Line) []navigate.Line {
	var open []navigate.Line
	for _, l := range lines {
		if !l.Task || l.Done {
			continue
		}
		l.Text, l.Section, l.Sources = strings.Clone(l.Text), strings.Clone(l.Section), slices.Clone(l.Sources)
		for k, s := range l.Sources {
			l.Sources[k] = page.Source{Day: vault.Day(strings.Clone(string(s.Day))), ID: strings.Clone(s.ID)}
		}
		open = append(open, l)
	}
	return open
}

// A logCache answers what a source line says, one day's log at a time.
type logCache struct {
	v     *vault.Vault
	days  map[vault.Day]map[string]vault.Fact
	order []vault.Day
}

// cachedDays bounds the logs held at once.
const cachedDays = 32

func newLogCache(v *vault.Vault) *logCache {
	return &logCache{v: v, days: map[vault.Day]map[string]vault.Fact{}}
}

// fact is the line that a source names; false when the log no longer has it.
func (c *logCache) fact(s page.Source) (vault.Fact, bool, error) {
	facts, err := c.day(s.Day)
	f, ok := facts[s.ID]
	return f, ok, err
}

// day are the facts of a day by their ids.
func (c *logCache) day(day vault.Day) (map[string]vault.Fact, error) {
	if facts, ok := c.days[day]; ok {
		return facts, nil
	}
	data, err := c.v.ReadFile(vault.LogPath(day))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	facts := map[string]vault.Fact{}
	for _, f := range vault.ParseLog(vault.LogPath(day), data).Facts {
		facts[f.ID] = f
	}
	if len(c.order) >= cachedDays {
		delete(c.days, c.order[0])
		c.order = c.order[1:]
	}
	c.days[day] = facts
	c.order = append(c.order, day)
	return facts, nil
}

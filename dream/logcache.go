package dream

import (
	"errors"
	"io/fs"

	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/vault"
)

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

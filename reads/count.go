package reads

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/recall"
	"github.com/reverie-memory/reverie/vault"
)

// Count is how often a row was recalled, and when it last was. Lately and With fade with time, see [recall.Use], and stand as of Last: so
// they go on from a line of the counters just as from the log.
type Count struct {
	Row    string             `json:"row"`
	Count  int                `json:"count"`
	Last   string             `json:"last"`
	Lately float64            `json:"lately,omitempty"`
	With   map[string]float64 `json:"with,omitempty"`
}

const (
	together = 5 // rows of one answer, the best, that count as read together
	partners = 8 // rows that are kept of those read together with one
)

// fade is what is left of a read of that age.
func fade(age time.Duration) float64 {
	return math.Exp(-max(0, age.Hours()) / 24 / recall.LatelyDays)
}

// At is what Lately has faded to.
func (c *Count) At(now time.Time) float64 { return c.Lately * fade(now.Sub(c.last())) }

// last is when the row was last read.
func (c *Count) last() time.Time {
	t, _ := time.Parse(time.RFC3339, c.Last)
	return t
}

// ofDrawer is the drawer whose row that is: those beyond its first are ID.2, ID.3, … Other rows are their own.
func ofDrawer(row string) string {
	id, _, _ := strings.Cut(row, ".")
	return id
}

// count adds what a record says to the counters. A drawer of which several rows are in one answer was read once, by the best of them.
func count(counts map[string]Count, r *recall.Record) {
	at := r.Time.UTC().Truncate(time.Second)
	best := r.Rows[:min(together, len(r.Rows))]
	for i, id := range r.Rows {
		if slices.ContainsFunc(r.Rows[:i], func(before string) bool { return ofDrawer(before) == ofDrawer(id) }) {
			continue
		}
		c := counts[id]
		left := fade(at.Sub(c.last()))
		c.Row, c.Count, c.Last, c.Lately = id, c.Count+1, at.Format(time.RFC3339), c.Lately*left+1
		for with, n := range c.With {
			c.With[with] = n * left
		}
		if i < len(best) {
			c.join(best)
		}
		counts[id] = c
	}
}

// join counts that the row was read together with others.
func (c *Count) join(rows []string) {
	if c.With == nil {
		c.With = make(map[string]float64, len(rows)-1)
	}
	for _, id := range rows {
		if id != c.Row {
			c.With[id]++
		}
	}
	for len(c.With) > partners {
		delete(c.With, slices.MinFunc(slices.Collect(maps.Keys(c.With)), func(a, b string) int {
			return cmp.Or(cmp.Compare(c.With[a], c.With[b]), cmp.Compare(b, a))
		}))
	}
}

// without takes erased rows out, and tells what becomes of the record.
func (c *Count) without(rows map[string]bool) vault.Fate {
	n := len(c.With)
	maps.DeleteFunc(c.With, func(id string, _ float64) bool { return rows[id] })
	switch {
	case rows[c.Row]:
		return vault.Goes
	case len(c.With) < n:
		return vault.Changed
	}
	return vault.Stays
}

// Use implements recall.Reads.
func (l *Log) Use(now time.Time, ids ...string) recall.Use {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.load()
	var use recall.Use
	for _, id := range ids {
		c, ok := l.counts[id]
		if !ok {
			continue
		}
		last := c.last()
		left := fade(now.Sub(last))
		use.Lately += c.At(now)
		if last.After(use.Last) {
			use.Last = last
		}
		for with, n := range c.With {
			if use.With == nil {
				use.With = map[string]float64{}
			}
			use.With[with] += n * left
		}
	}
	return use
}

package watcher

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// MaxPaths is how many paths wait at most; one more turns them all into "look everywhere".
const MaxPaths = 10_000

// A coalescer gathers changes until they have settled. A coalescer is pure: time is passed in.
//
// Each path has two clocks. The path is due when nothing happened to it for quiet, or when it has been changing
// for maxWait, so that a file that is written all the time is neither starved nor holds up its neighbours.
type coalescer struct {
	quiet, maxWait time.Duration

	paths map[string]span
	whole bool // look everywhere: it stands for all paths, and paths is empty
	span  span // of whole
	why   []string
	wake  time.Time // not after the earliest due time; zero: now
}

// A span is the time of the first and of the last change since the path was last reported.
type span struct{ first, last time.Time }

// add notes that path changed.
func (c *coalescer) add(path string, now time.Time) {
	if c.whole {
		c.span.last = now
		return
	}
	s, known := c.paths[path]
	if !known && len(c.paths) >= MaxPaths {
		c.rescan(fmt.Sprintf("more than %d files changed at once", MaxPaths), now)
		return
	}
	if !known {
		s.first = now
	}
	s.last = now
	if c.paths == nil {
		c.paths = map[string]span{}
	}
	c.paths[path] = s
	if d := c.due(s); len(c.paths) == 1 || d.Before(c.wake) {
		c.wake = d
	}
}

// rescan notes that something was seen to change, and that it may be anything.
func (c *coalescer) rescan(why string, now time.Time) {
	first := now
	for _, s := range c.paths {
		if s.first.Before(first) {
			first = s.first
		}
	}
	if c.whole && c.span.first.Before(first) {
		first = c.span.first
	}
	clear(c.paths)
	c.whole, c.span = true, span{first, now}
	if !slices.Contains(c.why, why) {
		c.why = append(c.why, why)
	}
	c.wake = c.due(c.span)
}

func (c *coalescer) due(s span) time.Time {
	quiet, late := s.last.Add(c.quiet), s.first.Add(c.maxWait)
	if late.Before(quiet) {
		return late
	}
	return quiet
}

// next is when to call take again; false when nothing is pending.
func (c *coalescer) next() (time.Time, bool) {
	return c.wake, c.whole || len(c.paths) > 0
}

// take gives what is due, and forgets it.
func (c *coalescer) take(now time.Time) (Batch, bool) {
	if wake, pending := c.next(); !pending || now.Before(wake) {
		return Batch{}, false
	}
	if c.whole {
		if d := c.due(c.span); now.Before(d) {
			c.wake = d
			return Batch{}, false
		}
		return c.takeWhole(), true
	}
	b := Batch{Seen: true}
	var wake time.Time
	for path, s := range c.paths {
		switch d := c.due(s); {
		case !now.Before(d):
			b.Paths = append(b.Paths, path)
			delete(c.paths, path)
		case wake.IsZero() || d.Before(wake):
			wake = d
		}
	}
	c.wake = wake
	slices.Sort(b.Paths)
	return b, len(b.Paths) > 0
}

func (c *coalescer) takeWhole() Batch {
	b := Batch{Rescan: true, Seen: true, Reason: strings.Join(c.why, "; ")}
	c.whole, c.span, c.why = false, span{}, nil
	return b
}

// takeAll gives everything that is pending, due or not, and forgets it.
func (c *coalescer) takeAll() (Batch, bool) {
	if c.whole {
		return c.takeWhole(), true
	}
	if len(c.paths) == 0 {
		return Batch{}, false
	}
	b := Batch{Seen: true, Paths: slices.Sorted(maps.Keys(c.paths))}
	clear(c.paths)
	return b, true
}

// merge joins a batch that nobody has taken yet with the one after it.
func merge(a, b Batch) Batch {
	switch {
	case b.RootGone, a.RootGone && b.Rescan: // the later news about the root is the true one
		return b
	case a.RootGone:
		return a
	case a.Rescan && b.Rescan:
		why := strings.Split(a.Reason, "; ")
		for _, w := range strings.Split(b.Reason, "; ") {
			if !slices.Contains(why, w) {
				why = append(why, w)
			}
		}
		return Batch{Rescan: true, Seen: a.Seen || b.Seen, Reason: strings.Join(why, "; ")}
	case a.Rescan:
		a.Seen = a.Seen || b.Seen
		return a
	case b.Rescan:
		b.Seen = a.Seen || b.Seen
		return b
	}
	paths := append(slices.Clone(a.Paths), b.Paths...)
	slices.Sort(paths)
	paths = slices.Compact(paths)
	if len(paths) > MaxPaths {
		return Batch{Rescan: true, Seen: a.Seen || b.Seen, Reason: fmt.Sprintf("more than %d files changed before the last changes were "+
			"taken", MaxPaths)}
	}
	return Batch{Paths: paths, Seen: a.Seen || b.Seen}
}

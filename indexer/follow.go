package indexer

import (
	"bytes"

	"github.com/reverie-memory/reverie/vault"
)

// A Follower gives the rows of a growing file without parsing all of it again. A Follower belongs to one
// file, one Env and one goroutine.
type Follower interface {
	// Next takes the whole file, whose earlier bytes are those of the call before. Next returns how
	// many rows at the start are as they were, and the rows after them. ok is false where only
	// [Source.Rows] can tell; the follower is then of no more use.
	Next(data []byte, env Env) (keep int, rows []Row, problems []vault.Problem, ok bool)
}

// parts is how a follower sees a kind of file: items one after the other, each of which gives rows
// that depend on nothing before it but what counts counts.
type parts[T any] struct {
	parse func(vault.Path, []byte) ([]T, []vault.Problem)
	rows  func(*counts, vault.Path, []T, Env) []Row
	line  func(*T) *int          // the item's line
	count func(*counts, *T)      // what rows does to counts for one item
	alone func(*counts, *T) bool // false for an item that depends on more
	exact bool                   // an item begins with its head; otherwise the head is somewhere above
}

// logParts: a section of a daily log can be parsed by itself, but for lines written by hand and
// copied ones, whose ids depend on their rank among equals in the file.
var logParts = parts[vault.Fact]{
	parse: func(p vault.Path, data []byte) ([]vault.Fact, []vault.Problem) {
		log := vault.ParseLog(p, data)
		return log.Facts, log.Problems
	},
	rows:  factRows,
	line:  func(f *vault.Fact) *int { return &f.Line },
	count: func(c *counts, f *vault.Fact) { c.id(f.ID); c.next(f.Section.ChatID) },
	alone: func(c *counts, f *vault.Fact) bool { return !f.Hand && c.seen(f.ID) == 0 },
}

// drawerParts: a drawer can be parsed by itself, unless it is a copy.
var drawerParts = parts[vault.Drawer]{
	parse: func(p vault.Path, data []byte) ([]vault.Drawer, []vault.Problem) {
		file := vault.ParseDrawers(p, data)
		return file.Drawers, file.Problems
	},
	rows:  drawerRows,
	line:  func(d *vault.Drawer) *int { return &d.Line },
	count: func(c *counts, d *vault.Drawer) { c.id(d.ID); c.next(d.ChatID) },
	alone: func(c *counts, d *vault.Drawer) bool { return c.seen(d.ID) == 0 },
	exact: true,
}

// follower remembers what came before the last head of the file, and parses only from there.
type follower[T any] struct {
	parts[T]
	p        vault.Path
	cut      int // offset of the head
	lines    int // lines before it
	kept     int // rows before it
	counts   *counts
	problems []vault.Problem // before it
}

func newFollower[T any](p vault.Path, parts parts[T]) Follower {
	return &follower[T]{parts: parts, p: p, counts: newCounts(nil)}
}

func (f *follower[T]) Next(data []byte, env Env) (int, []Row, []vault.Problem, bool) {
	if len(data) < f.cut {
		return 0, nil, nil, false
	}
	items, problems := f.parse(f.p, data[f.cut:])
	for i := range items {
		if f.cut > 0 && !f.alone(f.counts, &items[i]) {
			return 0, nil, nil, false
		}
		*f.line(&items[i]) += f.lines
	}
	for i := range problems {
		if problems[i].Line > 0 {
			problems[i].Line += f.lines
		}
	}
	keep, rows := f.kept, f.rows(newCounts(f.counts), f.p, items, env)
	all := append(f.problems[:len(f.problems):len(f.problems)], problems...)
	f.advance(data, items, rows, problems)
	return keep, rows, all, true
}

// advance moves the cut to the head above the last item.
func (f *follower[T]) advance(data []byte, items []T, rows []Row, problems []vault.Problem) {
	if len(items) == 0 {
		return
	}
	cut, line := f.headAbove(data, *f.line(&items[len(items)-1]))
	if cut <= f.cut {
		return
	}
	for i := range items {
		if *f.line(&items[i]) < line {
			f.count(f.counts, &items[i])
		}
	}
	for i := range rows {
		if rows[i].Line < line {
			f.kept++
		}
	}
	for _, p := range problems {
		if p.Line < line {
			f.problems = append(f.problems, p)
		}
	}
	f.cut, f.lines = cut, line-1
}

// headAbove is the offset and the line number of the last head at or above line, or 0.
func (f *follower[T]) headAbove(data []byte, line int) (offset, at int) {
	pos, n := f.cut, f.lines+1
	for pos < len(data) && n <= line {
		end := bytes.IndexByte(data[pos:], '\n')
		if end < 0 {
			end = len(data) - pos - 1
		}
		if isHead(data[pos:pos+end+1]) && (!f.exact || n == line) {
			offset, at = pos, n
		}
		pos, n = pos+end+1, n+1
	}
	return offset, at
}

// partEnd is where a part of the file ends that begins at from and has about so many bytes: at a head, before which a file may end as well,
// or with the file.
func partEnd(data []byte, from, size int) int {
	limit := from + size
	if limit >= len(data) {
		return len(data)
	}
	head := []byte("\n## ")
	for at := limit; ; {
		i := from + bytes.LastIndex(data[from:at], head)
		if i < from {
			break
		}
		if isHead(data[i+1:]) {
			return i + 1
		}
		at = i
	}
	for at := limit; ; {
		i := bytes.Index(data[at:], head)
		if i < 0 {
			return len(data)
		}
		if at += i + 1; isHead(data[at:]) {
			return at
		}
	}
}

// isHead says whether a line is a head as the daemon writes it, "## 14:32 — chat". Others are heads
// as well, but cutting at an earlier one is never wrong.
func isHead(line []byte) bool {
	rest, ok := bytes.CutPrefix(line, []byte("## "))
	if !ok || len(rest) < 5 || !bytes.HasPrefix(rest[5:], []byte(" — ")) {
		return false
	}
	for i, c := range rest[:5] {
		if (c < '0' || c > '9') != (i == 2) {
			return false
		}
	}
	return rest[2] == ':' && string(rest[:2]) < "24" && rest[3] < '6'
}

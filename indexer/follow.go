package indexer

import (
	"bytes"
	"cmp"
	"maps"
	"slices"

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

// A rereader is a Follower that knows which of its rows hang on what was forgotten. Others start anew from the whole file.
type rereader interface {
	// Again makes the kept rows anew that one of the marks concerns, of what was forgotten since. kept is how many were kept so far, trail
	// what was looked up for all that are kept now. Where ok is false the follower is of no more use.
	Again(data []byte, env Env, marks []uint32) (kept int, made []reread, trail vault.Trail, ok bool)
}

// reread are kept rows that were made anew.
type reread struct {
	at, had int // the first of those that they replace, and how many these are
	rows    []Row
}

// parts is how a follower sees a kind of file: items one after the other, each of which gives rows
// that depend on nothing before it but what counts counts.
type parts[T any] struct {
	parse func(vault.Path, []byte) ([]T, []vault.Problem)
	rows  func(*counts, vault.Path, []T, Env) []Row
	id    func(*T) string
	line  func(*T) *int          // the item's line
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
	id:    func(f *vault.Fact) string { return f.ID },
	line:  func(f *vault.Fact) *int { return &f.Line },
	alone: func(c *counts, f *vault.Fact) bool { return !f.Hand && c.seen(f.ID) == 0 },
}

// drawerParts: a drawer can be parsed by itself, unless it is a copy.
var drawerParts = parts[vault.Drawer]{
	parse: func(p vault.Path, data []byte) ([]vault.Drawer, []vault.Problem) {
		file := vault.ParseDrawers(p, data)
		return file.Drawers, file.Problems
	},
	rows:  drawerRows,
	id:    func(d *vault.Drawer) string { return d.ID },
	line:  func(d *vault.Drawer) *int { return &d.Line },
	alone: func(c *counts, d *vault.Drawer) bool { return c.seen(d.ID) == 0 },
	exact: true,
}

// follower remembers what came before the last head of the file, and parses only from there.
type follower[T any] struct {
	parts[T]
	p         vault.Path
	cut       int // offset of the head
	lines     int // lines before it
	kept      int // rows before it
	counts    *counts
	problems  []vault.Problem // before it
	stretches []stretch       // before it, without a gap
	tied      bool            // an item depends on more than its stretch
}

// stretchSize is how long a stretch is about: what a forgetting reads of a file that it concerns. Its trail must not become too long.
const stretchSize = 16 << 10

// A stretch is a run of items whose rows can be made anew without those before it.
type stretch struct {
	start, end int
	lines      int            // before it
	rows       int            // that it gave
	ids        []string       // of its items
	places     map[string]int // in the chats, as far as they are its own, before it
	trail      vault.Trail    // what was looked up for its rows
}

// A head is a place where a file may be cut.
type head struct{ offset, line int }

func newFollower[T any](p vault.Path, parts parts[T]) Follower {
	return &follower[T]{parts: parts, p: p, counts: newCounts(nil)}
}

func (f *follower[T]) Next(data []byte, env Env) (int, []Row, []vault.Problem, bool) {
	if len(data) < f.cut {
		return 0, nil, nil, false
	}
	items, problems := f.read(data[f.cut:], f.lines)
	for i := range items {
		if alone := f.alone(f.counts, &items[i]); f.cut > 0 && !alone {
			return 0, nil, nil, false
		} else if !alone {
			f.tied = true
		}
	}
	for i := range problems {
		if problems[i].Line > 0 {
			problems[i].Line += f.lines
		}
	}
	keep := f.kept
	all := append(f.problems[:len(f.problems):len(f.problems)], problems...)
	return keep, f.advance(data, items, problems, env), all, true
}

// read parses a part of the file that begins behind so many lines.
func (f *follower[T]) read(data []byte, lines int) ([]T, []vault.Problem) {
	items, problems := f.parse(f.p, data)
	for i := range items {
		*f.line(&items[i]) += lines
	}
	return items, problems
}

func (f *follower[T]) ids(items []T) []string {
	ids := make([]string, len(items))
	for i := range items {
		ids[i] = f.id(&items[i])
	}
	return ids
}

// advance gives the rows of the items and moves the cut to the head above the last of them.
func (f *follower[T]) advance(data []byte, items []T, problems []vault.Problem, env Env) (all []Row) {
	heads := f.heads(data, items)
	over, last := newCounts(f.counts), len(heads)-1
	for i, h := range heads {
		next := head{len(data), 0}
		if i < last {
			next = heads[i+1]
		}
		n := 0
		for n < len(items) && (i == last || *f.line(&items[n]) < next.line) {
			n++
		}
		st := stretch{start: h.offset, end: next.offset, lines: h.line - 1, ids: f.ids(items[:n]), places: map[string]int{}}
		counts := newCounts(over)
		rows := f.rows(counts, f.p, items[:n], env.along(&st.trail))
		if env.trail != nil {
			env.trail.Join(st.trail)
		}
		for chat := range counts.seqs {
			st.places[chat] = over.place(chat)
		}
		over.take(counts)
		items, all, st.rows = items[n:], append(all, rows...), len(rows)
		if i < last {
			f.tied = f.tied || counts.again()
			f.counts.take(counts)
			f.keep(st)
		}
	}
	if last > 0 {
		f.cut, f.lines = heads[last].offset, heads[last].line-1
	}
	for _, p := range problems {
		if p.Line <= f.lines && last > 0 {
			f.problems = append(f.problems, p)
		}
	}
	return all
}

// keep adds a stretch behind the others, to the last of them while that is small.
func (f *follower[T]) keep(st stretch) {
	f.kept += st.rows
	if n := len(f.stretches); n > 0 && f.stretches[n-1].end-f.stretches[n-1].start < stretchSize {
		before := &f.stretches[n-1]
		before.end, before.rows, before.ids = st.end, before.rows+st.rows, append(before.ids, st.ids...)
		before.trail.Join(st.trail)
		for chat, place := range st.places {
			if _, known := before.places[chat]; !known {
				before.places[chat] = place
			}
		}
		return
	}
	f.stretches = append(f.stretches, st)
}

func (f *follower[T]) Again(data []byte, env Env, marks []uint32) (kept int, made []reread, trail vault.Trail, ok bool) {
	if f.tied || len(data) < f.cut {
		return 0, nil, trail, false
	}
	kept = f.kept
	at := 0
	for i := range f.stretches {
		st := &f.stretches[i]
		had := st.rows
		if st.trail.Has(marks) {
			items, _ := f.read(data[st.start:st.end], st.lines)
			if !slices.Equal(f.ids(items), st.ids) { // they hang on what stands before: a copy, or an id made of the text and its rank
				return 0, nil, trail, false
			}
			counts := newCounts(nil)
			maps.Copy(counts.seqs, st.places)
			st.trail = vault.Trail{}
			rows := f.rows(counts, f.p, items, env.along(&st.trail))
			made = append(made, reread{at, had, rows})
			st.rows = len(rows)
			f.kept += len(rows) - had
		}
		at += had
		trail.Join(st.trail)
	}
	return kept, made, trail, true
}

// heads are where the stretches of data from the cut on begin. The last begins at the head above the last item, if there is one.
func (f *follower[T]) heads(data []byte, items []T) []head {
	out := []head{{f.cut, f.lines + 1}}
	if len(items) == 0 {
		return out
	}
	var found head
	add := func(h head) {
		if h.offset > out[len(out)-1].offset {
			out = append(out, h)
		}
	}
	end := *f.line(&items[len(items)-1])
	next := 0
	for pos, n := f.cut, f.lines+1; pos < len(data) && n <= end; n++ {
		size := bytes.IndexByte(data[pos:], '\n') + 1
		size = cmp.Or(size, len(data)-pos)
		for next < len(items) && *f.line(&items[next]) < n {
			next++
		}
		if (!f.exact || next < len(items) && *f.line(&items[next]) == n) && isHead(data[pos:pos+size]) {
			if found = (head{pos, n}); pos-out[len(out)-1].offset >= stretchSize {
				add(found)
			}
		}
		pos += size
	}
	if found.line > 0 && (!f.exact || found.line == end) {
		add(found)
	}
	return out
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

package catalog

import (
	"cmp"
	"math"
	"slices"
)

const (
	chunkBits = 10
	chunkRows = 1 << chunkBits
)

// A chunk holds what ranking and filters need of the rows of 1,024 keys, column by column.
type chunk struct {
	base int // number of its first row among all rows of all chunks
	live int
	ok   [chunkRows]bool

	tie   [chunkRows]int64 // hash of the row's id: orders equal scores whatever the order of writing
	unix  [chunkRows]int64 // noTime when unknown
	filed [chunkRows]int64 // the same where nothing else is known
	seq   [chunkRows]int32
	name  [kinds][chunkRows]int32
	flag  [chunkRows]byte // of the head
	sure  [chunkRows]byte
	tags  [chunkRows]int32 // number of the set of tags
	body  [chunkRows]uint16
	next  [chunkRows]uint32 // rows of one drawer, in a ring-less list
	prev  [chunkRows]uint32
}

const noTime = -1 << 63

// A fold is the rows of one session by (Seq, key).
type fold []uint32

// columns are the rows of a generation in memory. The writer changes them together with the
// database under the generation's lock; readers hold it for reading.
type columns struct {
	chunks   []*chunk // by key>>chunkBits; nil where no row lives
	slots    int      // base of the next chunk
	free     []int    // bases of chunks that are gone
	rows     int
	body     int64 // sum of all lengths
	archived int   // rows
	session  map[int32]fold
	drawer   map[int32]uint32 // head of the list
	names    [allKinds]interned
	sets     tagSets
}

func newColumns() *columns {
	c := &columns{session: map[int32]fold{}, drawer: map[int32]uint32{}}
	for i := range c.names {
		c.names[i] = interned{id: map[string]int32{}}
	}
	c.sets = tagSets{id: map[string]int32{}, list: [][]int32{nil}}
	return c
}

// interned are the names of one kind.
type interned struct {
	id   map[string]int32
	name map[int32]string
}

func (in *interned) add(id int32, s string) {
	if in.name == nil {
		in.name = map[int32]string{}
	}
	in.id[s], in.name[id] = id, s
}

func (in *interned) drop(id int32, s string) {
	delete(in.id, s)
	delete(in.name, id)
}

// tagSets numbers the sets of tags that occur; 0 is the empty one.
type tagSets struct {
	id   map[string]int32
	list [][]int32
}

func (t *tagSets) of(tags []int32) int32 {
	if len(tags) == 0 {
		return 0
	}
	b := make([]byte, 0, 4*len(tags))
	for _, n := range tags {
		b = append(b, byte(n), byte(n>>8), byte(n>>16), byte(n>>24))
	}
	if id, ok := t.id[string(b)]; ok {
		return id
	}
	id := int32(len(t.list))
	t.id[string(b)] = id
	t.list = append(t.list, slices.Clone(tags))
	return id
}

// at finds a live row.
func (c *columns) at(key Key) (ch *chunk, i int, ok bool) {
	n := int(key >> chunkBits)
	if key < 0 || n >= len(c.chunks) || c.chunks[n] == nil {
		return nil, 0, false
	}
	ch, i = c.chunks[n], int(key&(chunkRows-1))
	return ch, i, ch.ok[i]
}

// add takes a new row. The session's order is the caller's to mend: see sortSession.
func (c *columns) add(key Key, tie int64, h *head) {
	n := int(key >> chunkBits)
	for n >= len(c.chunks) {
		c.chunks = append(c.chunks, nil)
	}
	ch := c.chunks[n]
	if ch == nil {
		ch = &chunk{base: c.slots}
		if last := len(c.free) - 1; last >= 0 {
			ch.base, c.free = c.free[last], c.free[:last]
		} else {
			c.slots += chunkRows
		}
		c.chunks[n] = ch
	}
	i := int(key & (chunkRows - 1))
	ch.ok[i], ch.tie[i] = true, tie
	ch.live++
	ch.body[i] = uint16(min(h.body, math.MaxUint16))
	c.rows++
	c.body += int64(ch.body[i])
	c.set(key, ch, i, h)
}

// set fills the columns that may change and links the row.
func (c *columns) set(key Key, ch *chunk, i int, h *head) {
	ch.unix[i] = noTime
	if !h.at.IsZero() {
		ch.unix[i] = h.at.Unix()
	}
	ch.seq[i] = int32(h.seq)
	if ch.filed[i] = ch.unix[i]; !h.filed.IsZero() {
		ch.filed[i] = h.filed.Unix()
	}
	ch.sure[i] = h.sure
	if ch.flag[i] = h.flags(); h.archived {
		c.archived++
	}
	for k, n := range h.name {
		ch.name[k][i] = n
	}
	ch.tags[i] = c.sets.of(h.tags)
	if s := h.name[kindSession]; s != 0 {
		c.session[s] = append(c.session[s], uint32(key))
	}
	if d := h.name[kindDrawer]; d != 0 {
		next := c.drawer[d] // keys start at 1: 0 is the end
		ch.next[i], ch.prev[i] = next, 0
		if next != 0 {
			nc, ni, _ := c.at(Key(next))
			nc.prev[ni] = uint32(key)
		}
		c.drawer[d] = uint32(key)
	}
}

// unlink takes a row out of its session and drawer, and out of those that are counted.
func (c *columns) unlink(key Key, ch *chunk, i int) {
	if ch.flag[i]&flagArchived != 0 {
		c.archived--
	}
	if s := ch.name[kindSession][i]; s != 0 {
		list := c.session[s]
		if j, ok := c.place(list, key, ch.seq[i]); ok {
			list = slices.Delete(list, j, j+1)
		}
		if len(list) == 0 {
			delete(c.session, s)
		} else {
			c.session[s] = list
		}
	}
	if d := ch.name[kindDrawer][i]; d != 0 {
		next, prev := ch.next[i], ch.prev[i]
		if next != 0 {
			nc, ni, _ := c.at(Key(next))
			nc.prev[ni] = prev
		}
		switch {
		case prev != 0:
			pc, pi, _ := c.at(Key(prev))
			pc.next[pi] = next
		case next != 0:
			c.drawer[d] = next
		default:
			delete(c.drawer, d)
		}
	}
}

func (c *columns) remove(key Key) {
	ch, i, ok := c.at(key)
	if !ok {
		return
	}
	c.unlink(key, ch, i)
	ch.ok[i] = false
	ch.live--
	c.rows--
	c.body -= int64(ch.body[i])
	if ch.live == 0 {
		c.chunks[key>>chunkBits] = nil
		c.free = append(c.free, ch.base)
	}
}

// order compares rows of a session.
func (c *columns) order(a, b uint32) int {
	ca, cb := c.chunks[a>>chunkBits], c.chunks[b>>chunkBits]
	return cmp.Or(cmp.Compare(ca.seq[a&(chunkRows-1)], cb.seq[b&(chunkRows-1)]), cmp.Compare(a, b))
}

// sortSession mends the order of a session after rows were added.
func (c *columns) sortSession(s int32) {
	list := c.session[s]
	if !slices.IsSortedFunc(list, c.order) {
		slices.SortFunc(list, c.order)
	}
}

// place finds a row in its session by binary search.
func (c *columns) place(list fold, key Key, seq int32) (int, bool) {
	from, to := 0, len(list)
	for from < to {
		mid := int(uint(from+to) / 2)
		k := list[mid]
		if at := c.chunks[k>>chunkBits].seq[k&(chunkRows-1)]; at < seq || at == seq && k < uint32(key) {
			from = mid + 1
		} else {
			to = mid
		}
	}
	return from, from < len(list) && list[from] == uint32(key)
}

// neighbours are the rows of the same session and source whose Seq is one less and one more.
func (c *columns) neighbours(key Key) (prev, next []Key) {
	ch, i, ok := c.at(key)
	if !ok || ch.name[kindSession][i] == 0 {
		return nil, nil
	}
	list, source := c.session[ch.name[kindSession][i]], ch.name[kindSource][i]
	find := func(seq int32) (found []Key) {
		j, _ := c.place(list, 0, seq)
		for ; j < len(list); j++ {
			nc, ni, _ := c.at(Key(list[j]))
			if nc.seq[ni] != seq {
				break
			}
			if nc.name[kindSource][ni] == source {
				found = append(found, Key(list[j]))
			}
		}
		return found
	}
	return find(ch.seq[i] - 1), find(ch.seq[i] + 1)
}

// each calls fn for all live rows by rising key, until it returns false.
func (c *columns) each(fn func(key Key, ch *chunk, i int) bool) {
	for n, ch := range c.chunks {
		if ch == nil {
			continue
		}
		for i := range ch.ok {
			if ch.ok[i] && !fn(Key(n<<chunkBits|i), ch, i) {
				return
			}
		}
	}
}

// eachDown is each by falling key: the newest rows mostly come first.
func (c *columns) eachDown(fn func(key Key, ch *chunk, i int)) {
	for n := len(c.chunks) - 1; n >= 0; n-- {
		ch := c.chunks[n]
		if ch == nil {
			continue
		}
		for i := chunkRows - 1; i >= 0; i-- {
			if ch.ok[i] {
				fn(Key(n<<chunkBits|i), ch, i)
			}
		}
	}
}

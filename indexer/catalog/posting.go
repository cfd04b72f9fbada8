package catalog

import (
	"encoding/binary"
	"maps"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/internal/slice"
)

// A posting says how often a term occurs in a row.
type posting struct {
	key        uint32
	body, cntx uint16
}

// blockBytes is how long a block may grow. Longer ones would spill out of SQLite's page, shorter ones
// cost a row each.
const blockBytes = 900

// A block of postings of one term, by rising key:
//
//	block   = entry* checksum
//	entry   = uvarint(gap<<1 | 1)                                  once in the body, not in the context
//	        | uvarint(gap<<1) uvarint(body) uvarint(context)
//
// gap counts from the key before; the first counts from the block's number, which is its first key.
func appendPosting(b []byte, last uint32, p posting) []byte {
	gap := uint64(p.key-last) << 1
	if p.body == 1 && p.cntx == 0 {
		return binary.AppendUvarint(b, gap|1)
	}
	b = binary.AppendUvarint(b, gap)
	b = binary.AppendUvarint(b, uint64(p.body))
	return binary.AppendUvarint(b, uint64(p.cntx))
}

// encodeBlock gives the block of these postings.
func encodeBlock(term string, list []posting) []byte {
	b := make([]byte, 0, len(list)*2+8)
	last := list[0].key
	for _, p := range list {
		b = appendPosting(b, last, p)
		last = p.key
	}
	return seal(b, term, int64(list[0].key))
}

// decodeBlock appends a block's postings to list.
func decodeBlock(list []posting, term string, block int64, data []byte) ([]posting, error) {
	b, ok := unseal(data, term, block)
	if !ok {
		return list, corrupt("postings of a term: checksum")
	}
	last := uint32(block)
	for len(b) > 0 {
		v, n := uint64(b[0]), 1
		if v >= 0x80 {
			if v, n = binary.Uvarint(b); n <= 0 {
				return list, corrupt("postings of a term: encoding")
			}
		}
		b = b[n:]
		last += uint32(v >> 1)
		p := posting{key: last, body: 1}
		if v&1 == 0 {
			body, n1 := binary.Uvarint(b)
			if n1 <= 0 {
				return list, corrupt("postings of a term: encoding")
			}
			cntx, n2 := binary.Uvarint(b[n1:])
			if n2 <= 0 {
				return list, corrupt("postings of a term: encoding")
			}
			p.body, p.cntx = uint16(body), uint16(cntx)
			b = b[n1+n2:]
		}
		list = append(list, p)
	}
	return list, nil
}

// splitBlocks cuts postings into runs that fit a block each.
func splitBlocks(list []posting) [][]posting {
	var runs [][]posting
	start, size := 0, 4
	var scratch [16]byte
	for i, p := range list {
		last := p.key
		if i > start {
			last = list[i-1].key
		}
		n := len(appendPosting(scratch[:0], last, p))
		if i > start && size+n > blockBytes {
			runs = append(runs, list[start:i])
			start, size = i, 4
		}
		size += n
	}
	if start < len(list) {
		runs = append(runs, list[start:])
	}
	return runs
}

const (
	sqlTail      = `SELECT block, data FROM post WHERE term = ? ORDER BY block DESC LIMIT 1`
	sqlBlockOf   = `SELECT block, data FROM post WHERE term = ? AND block <= ? ORDER BY block DESC LIMIT 1`
	sqlBlocks    = `SELECT block, data FROM post WHERE term = ? ORDER BY block`
	sqlPutBlock  = `INSERT INTO post (term, block, data) VALUES (?, ?, ?) ON CONFLICT (term, block) DO UPDATE SET data = excluded.data`
	sqlDropBlock = `DELETE FROM post WHERE term = ? AND block = ?`
)

// readBlock reads the one block that query finds; ok is false when it finds none.
func (d *database) readBlock(query, term string, args ...any) (block int64, list []posting, size int, ok bool, err error) {
	st, err := d.writing(query)
	if err != nil {
		return 0, nil, 0, false, err
	}
	rows, err := st.Query(append([]any{term}, args...)...)
	if err != nil {
		return 0, nil, 0, false, err
	}
	defer rows.Close()
	if !rows.Next() {
		return 0, nil, 0, false, rows.Err()
	}
	var data []byte
	if err := rows.Scan(&block, &data); err != nil {
		return 0, nil, 0, false, err
	}
	list, err = decodeBlock(nil, term, block, data)
	return block, list, len(data), true, err
}

// post appends postings to a term's blocks. Their keys are higher than those that are there.
func (d *database) post(term string, list []posting) error {
	block, tail, size, ok, err := d.readBlock(sqlTail, term)
	if err != nil {
		return err
	}
	if ok && size < blockBytes*3/4 {
		if tail[len(tail)-1].key >= list[0].key {
			return corrupt("postings of a term: order")
		}
		list = append(tail, list...)
		if list[0].key != uint32(block) {
			return corrupt("postings of a term: number")
		}
	}
	for _, run := range splitBlocks(list) {
		if err := d.exec(sqlPutBlock, term, int64(run[0].key), encodeBlock(term, run)); err != nil {
			return err
		}
	}
	return nil
}

// unpost takes rows out of a term's blocks. keys rise. A row that is not there is damage: the rows
// and their postings are written together.
func (d *database) unpost(term string, keys []uint32) error {
	for len(keys) > 0 {
		block, list, _, ok, err := d.readBlock(sqlBlockOf, term, int64(keys[len(keys)-1]))
		if err != nil {
			return err
		}
		if !ok || len(list) == 0 {
			return corrupt("postings of a term: row missing")
		}
		from := len(keys)
		for from > 0 && keys[from-1] >= uint32(block) {
			from--
		}
		before := len(list)
		list = slices.DeleteFunc(list, func(p posting) bool {
			_, found := slices.BinarySearch(keys[from:], p.key)
			return found
		})
		if before-len(list) != len(keys)-from {
			return corrupt("postings of a term: row missing")
		}
		keys = keys[:from]
		if len(list) == 0 || list[0].key != uint32(block) {
			if err := d.exec(sqlDropBlock, term, block); err != nil {
				return err
			}
		}
		if len(list) > 0 {
			if err := d.exec(sqlPutBlock, term, int64(list[0].key), encodeBlock(term, list)); err != nil {
				return err
			}
		}
	}
	return nil
}

// A termCount is how often a term occurs in one row.
type termCount struct {
	term       string
	body, cntx uint16
}

// A memtable holds the postings of the newest rows, until there are enough of them to be worth
// writing: each block that is written costs the same for one posting as for a hundred.
type memtable struct {
	rows  int
	terms map[string][]posting
}

func newMemtable() *memtable { return &memtable{terms: map[string][]posting{}} }

// add takes a row whose key is higher than all before.
func (m *memtable) add(key Key, counts []termCount) {
	for _, c := range counts {
		list, ok := m.terms[c.term]
		if !ok {
			c.term = strings.Clone(c.term) // do not hold the text that it was cut from
		}
		m.terms[c.term] = append(list, posting{uint32(key), c.body, c.cntx})
	}
	m.rows++
}

// merge takes the rows of other, which are newer, and leaves other unusable.
func (m *memtable) merge(other *memtable) {
	for t, list := range other.terms {
		m.terms[t] = append(m.terms[t], list...)
	}
	m.rows += other.rows
}

// remove takes rows out again. Readers may hold the old lists, so they are copied.
func (m *memtable) remove(keys map[uint32]bool, counts []termCount) {
	for _, c := range counts {
		left := slice.Keep(m.terms[c.term], func(p posting) bool { return !keys[p.key] })
		if left == nil {
			delete(m.terms, c.term)
		} else {
			m.terms[c.term] = left
		}
	}
}

// flush writes the postings of both tables, but for those of dropped rows.
func (d *database) flush(older, newer *memtable, dropped map[uint32]bool) error {
	terms := make([]string, 0, len(older.terms)+len(newer.terms))
	terms = slices.AppendSeq(terms, maps.Keys(older.terms))
	for t := range newer.terms {
		if _, both := older.terms[t]; !both {
			terms = append(terms, t)
		}
	}
	slices.Sort(terms) // neighbours in the tree
	var list []posting
	for _, t := range terms {
		list = append(append(list[:0], older.terms[t]...), newer.terms[t]...)
		if len(dropped) > 0 {
			list = slices.DeleteFunc(list, func(p posting) bool { return dropped[p.key] })
		}
		if len(list) == 0 {
			continue
		}
		if err := d.post(t, list); err != nil {
			return err
		}
	}
	return nil
}

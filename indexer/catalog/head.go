package catalog

import (
	"encoding/binary"
	"time"
)

// A head is a row without its texts: what is kept in memory, and what a change of metadata rewrites.
// Strings are numbers of the names table, 0 for the empty one.
type head struct {
	name       [kinds]int32
	tags       []int32
	refs       []string
	cites      []string
	line, seq  int
	at         time.Time
	body, cntx int // how many terms Text and Context have
	filed      time.Time
	sure       uint8
	past       bool
	aside      bool
	guessed    bool
	archived   bool
	wish       bool
	digest     Hash
}

// Bits of a head's flags.
const (
	flagTime = 1 << iota // a time follows
	flagPast
	flagAside
	flagFiled // another time follows
	flagGuessed
	flagArchived
	flagWish
)

// The kinds of names.
const (
	kindSource = iota
	kindOrigin
	kindWing
	kindRoom
	kindHall
	kindSpeaker
	kindCategory
	kindAgent
	kindChat
	kindType
	kindSession // wide from here
	kindTurn
	kindDrawer
	kinds

	kindTag  = kinds // not a field of its own
	allKinds = kinds + 1
)

// wide says that a kind may have as many values as there are rows: these are looked up in the
// database, the others stay in memory.
func wide(kind int) bool { return kind >= kindSession && kind <= kindDrawer }

// fields are the row's strings by kind.
func (r *Row) fields() [kinds]string {
	return [kinds]string{
		kindSource: string(r.Source), kindOrigin: string(r.Origin), kindWing: r.Wing, kindRoom: r.Room, kindHall: r.Hall,
		kindSpeaker: r.Speaker, kindCategory: r.Category, kindAgent: r.Agent, kindChat: r.Chat,
		kindType: r.Type, kindSession: r.Session, kindTurn: r.Turn, kindDrawer: r.Drawer,
	}
}

// flags are the head's yes-or-no fields.
func (h *head) flags() (f byte) {
	for _, is := range []struct {
		bit byte
		set bool
	}{
		{flagTime, !h.at.IsZero()},
		{flagPast, h.past},
		{flagAside, h.aside},
		{flagFiled, !h.filed.IsZero()},
		{flagGuessed, h.guessed},
		{flagArchived, h.archived},
		{flagWish, h.wish},
	} {
		if is.set {
			f |= is.bit
		}
	}
	return f
}

// encode gives the head's bytes, sealed for key.
func (h *head) encode(key Key) []byte {
	b := make([]byte, 0, 72)
	for _, n := range h.name {
		b = binary.AppendUvarint(b, uint64(n))
	}
	b = binary.AppendUvarint(b, uint64(len(h.tags)))
	for _, n := range h.tags {
		b = binary.AppendUvarint(b, uint64(n))
	}
	for _, list := range [][]string{h.refs, h.cites} {
		b = binary.AppendUvarint(b, uint64(len(list)))
		for _, s := range list {
			b = binary.AppendUvarint(b, uint64(len(s)))
			b = append(b, s...)
		}
	}
	b = binary.AppendVarint(b, int64(h.line))
	b = binary.AppendVarint(b, int64(h.seq))
	b = binary.AppendUvarint(b, uint64(h.body))
	b = binary.AppendUvarint(b, uint64(h.cntx))
	b = append(b, h.sure, h.flags())
	if !h.at.IsZero() {
		b = binary.AppendVarint(b, h.at.Unix())
		b = binary.AppendUvarint(b, uint64(h.at.Nanosecond()))
	}
	if !h.filed.IsZero() {
		b = binary.AppendVarint(b, h.filed.Unix())
	}
	b = append(b, h.digest[:]...)
	return seal(b, "row", int64(key))
}

// decodeHead reads the bytes that encode gave. Its slices are its own.
func decodeHead(key Key, data []byte) (h head, err error) {
	body, ok := unseal(data, "row", int64(key))
	if !ok {
		return h, corrupt("row %d: checksum", key)
	}
	d := decoder{b: body}
	for i := range h.name {
		h.name[i] = int32(d.uvarint())
	}
	if n := d.count(); n > 0 {
		h.tags = make([]int32, n)
		for i := range h.tags {
			h.tags[i] = int32(d.uvarint())
		}
	}
	for _, list := range []*[]string{&h.refs, &h.cites} {
		if n := d.count(); n > 0 {
			*list = make([]string, n)
			for i := range *list {
				(*list)[i] = string(d.bytes(d.count()))
			}
		}
	}
	h.line, h.seq = int(d.varint()), int(d.varint())
	h.body, h.cntx = int(d.uvarint()), int(d.uvarint())
	if f := d.bytes(2); len(f) == 2 {
		h.sure = f[0]
		has := func(flag byte) bool { return f[1]&flag != 0 }
		h.past, h.aside, h.guessed, h.archived = has(flagPast), has(flagAside), has(flagGuessed), has(flagArchived)
		h.wish = has(flagWish)
		if has(flagTime) {
			sec := d.varint()
			h.at = time.Unix(sec, int64(d.uvarint())).UTC()
		}
		if has(flagFiled) {
			h.filed = time.Unix(d.varint(), 0).UTC()
		}
	}
	copy(h.digest[:], d.bytes(len(h.digest)))
	if d.bad || len(d.b) > 0 {
		return h, corrupt("row %d: encoding", key)
	}
	return h, nil
}

// A decoder takes values off a slice. After the first that does not fit, bad is set and all are zero.
type decoder struct {
	b   []byte
	bad bool
}

func (d *decoder) uvarint() uint64 {
	v, n := binary.Uvarint(d.b)
	if n <= 0 {
		d.bad, d.b = true, nil
		return 0
	}
	d.b = d.b[n:]
	return v
}

func (d *decoder) varint() int64 {
	v, n := binary.Varint(d.b)
	if n <= 0 {
		d.bad, d.b = true, nil
		return 0
	}
	d.b = d.b[n:]
	return v
}

// count is a uvarint that cannot be more than the bytes that are left.
func (d *decoder) count() int {
	n := d.uvarint()
	if n > uint64(len(d.b)) {
		d.bad, d.b = true, nil
		return 0
	}
	return int(n)
}

func (d *decoder) bytes(n int) []byte {
	if n > len(d.b) {
		d.bad, d.b = true, nil
		return nil
	}
	b := d.b[:n]
	d.b = d.b[n:]
	return b
}

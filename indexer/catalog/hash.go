package catalog

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash/crc32"
)

// Hash names a text or a row's content.
type Hash [16]byte

func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// TextHash names what is embedded of a row: equal hashes mean equal vectors under one embedder.
func TextHash(context, text string) Hash {
	return sum(appendString(appendString(make([]byte, 0, 512), context), text))
}

// EmbedText is the text that an embedder sees of a row.
func EmbedText(context, text string) string {
	if context == "" {
		return text
	}
	return context + "\n" + text
}

// Digest names all fields of a row. A time is its instant: its zone does not count.
func Digest(r *Row) Hash {
	b := make([]byte, 0, 1024)
	for _, f := range []string{
		r.ID, string(r.Source), string(r.File), r.Text, r.Context, r.Category, r.Speaker, r.Wing, r.Room,
		r.Hall, r.Chat, r.Turn, r.Drawer, string(r.Origin), r.Agent, r.Session,
	} {
		b = appendString(b, f)
	}
	for _, list := range [][]string{r.Tags, r.Refs, r.Cites} {
		b = appendInt(b, int64(len(list)))
		for _, f := range list {
			b = appendString(b, f)
		}
	}
	b = appendInt(b, int64(r.Line))
	b = appendInt(b, int64(r.Seq))
	if r.Aside {
		b = appendString(b, "aside")
	}
	if r.Guessed {
		b = appendString(b, "guessed")
	}
	if r.Archived {
		b = appendString(b, "archived")
	}
	if r.Type != "" {
		b = appendString(b, "type "+r.Type)
		b = appendInt(b, int64(r.Sure))
	}
	if !r.Filed.IsZero() {
		b = appendString(b, "filed")
		b = appendInt(b, r.Filed.Unix())
	}
	if !r.At.IsZero() {
		b = appendInt(b, r.At.Unix())
		b = appendInt(b, int64(r.At.Nanosecond()))
	}
	return sum(b)
}

func appendString(b []byte, s string) []byte { return append(appendInt(b, int64(len(s))), s...) }

func appendInt(b []byte, n int64) []byte { return binary.LittleEndian.AppendUint64(b, uint64(n)) }

func sum(b []byte) Hash {
	h := sha256.Sum256(b)
	return Hash(h[:16])
}

// short is 64 bits of a name's hash, as SQLite keeps integers.
func short(s string) int64 {
	h := sha256.Sum256([]byte(s))
	return int64(binary.LittleEndian.Uint64(h[:8]))
}

// checksum is what guards our blobs: SQLite does not notice a flipped byte inside a value.
// The parts are what the blob belongs to, so that a blob in the wrong place is noticed too.
func checksum(data []byte, owner string, n int64) uint32 {
	table := crc32.MakeTable(crc32.Castagnoli) // kept by the library
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], uint64(n))
	c := crc32.Update(0, table, b[:])
	c = crc32.Update(c, table, []byte(owner))
	return crc32.Update(c, table, data)
}

// seal appends the checksum to data.
func seal(data []byte, owner string, n int64) []byte {
	return binary.LittleEndian.AppendUint32(data, checksum(data, owner, n))
}

// unseal takes the checksum off again; ok is false when it does not fit.
func unseal(data []byte, owner string, n int64) (body []byte, ok bool) {
	if len(data) < 4 {
		return nil, false
	}
	body = data[:len(data)-4]
	return body, binary.LittleEndian.Uint32(data[len(data)-4:]) == checksum(body, owner, n)
}

package forget

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode/utf16"

	"golang.org/x/text/unicode/norm"

	"github.com/reverie-memory/reverie/internal/slice"
)

// A needle is a text that must not be found, and how it may be written.
type needle struct {
	text string
	word bool // only where no letter or digit stands beside it
}

// Lengths of needles in bytes. Less says too little; of more the beginning and every longer sentence are looked for, since files may
// keep a long text in pieces.
const (
	minNeedle = 4
	maxNeedle = 200
	minPart   = 40
	minName   = 6
)

// forms are the ways in which a text may stand in a file.
func forms(text string) [][]byte {
	var out []string
	add := func(s string) {
		if s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	line := strings.Join(strings.Fields(text), " ")
	var spelt []string
	for _, s := range []string{text, line} {
		for _, s := range []string{s, strings.ToLower(s), strings.ToUpper(s)} { // lower below knows ASCII alone
			spelt = append(spelt, s, norm.NFC.String(s), norm.NFD.String(s))
		}
	}
	for _, s := range spelt {
		add(s)
		var quoted, html bytes.Buffer
		e := json.NewEncoder(&quoted)
		e.SetEscapeHTML(false)
		if e.Encode(s) == nil {
			json.HTMLEscape(&html, quoted.Bytes())
			for _, q := range []string{quoted.String(), html.String(), ascii(quoted.String())} {
				add(strings.Trim(strings.TrimSpace(q), `"`))
			}
		}
		add(escaped(s))
	}
	return slice.Map(out, func(s string) []byte { return lower([]byte(s)) })
}

// ascii is a JSON string as writers put it that escape all but ASCII.
func ascii(quoted string) string {
	var b strings.Builder
	for _, u := range utf16.Encode([]rune(quoted)) {
		if u < 0x80 {
			b.WriteByte(byte(u))
		} else {
			fmt.Fprintf(&b, `\u%04x`, u)
		}
	}
	return b.String()
}

// escaped is a text with every character escaped that Markdown may take for a mark.
func escaped(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune("\\`*_[]<>#^|~", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// lower makes ASCII letters small, in place.
func lower(b []byte) []byte {
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return b
}

// A scanner looks for many needles in one pass: four bytes at a time are looked up, which few places pass.
type scanner struct {
	starts map[uint32][]pattern
	filter [1 << 13]uint64 // of hashes of those four bytes
	most   int             // bytes of the longest pattern
}

type pattern struct {
	bytes []byte
	of    needle
}

func newScanner(needles []needle) *scanner {
	s := &scanner{starts: map[uint32][]pattern{}}
	for _, n := range needles {
		for _, f := range forms(n.text) {
			if len(f) < minNeedle {
				continue
			}
			key := four(f)
			s.starts[key] = append(s.starts[key], pattern{f, n})
			s.most = max(s.most, len(f))
			h := spread(key)
			s.filter[h>>6] |= 1 << (h & 63)
		}
	}
	return s
}

func four(b []byte) uint32 {
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
}

func spread(key uint32) uint32 { return key * 2654435761 >> 13 }

// file gives the texts that a file holds, each once.
func (s *scanner) file(ctx context.Context, name string) (found []string, err error) {
	if s.most == 0 {
		return nil, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, 1<<16)
	block := make([]byte, 1<<20+2*s.most)
	kept := 0 // bytes before that a needle may begin in, and one for the letter beside it
	for {
		n, err := io.ReadFull(r, block[kept:])
		data := block[:kept+n]
		lower(data[kept:])
		s.data(data, func(of needle, _ int) {
			if !slices.Contains(found, of.text) {
				found = append(found, of.text)
			}
		})
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return found, nil
		}
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return found, err
		}
		kept = copy(block, data[max(0, len(data)-s.most-1):])
	}
}

// data tells of each needle in data, whose letters are small, and where it begins.
func (s *scanner) data(data []byte, tell func(of needle, at int)) {
	for i := 0; i+minNeedle <= len(data); i++ {
		key := four(data[i:])
		h := spread(key)
		if s.filter[h>>6]&(1<<(h&63)) == 0 {
			continue
		}
		for _, p := range s.starts[key] {
			if bytes.HasPrefix(data[i:], p.bytes) && (!p.of.word || apart(data, i, i+len(p.bytes))) {
				tell(p.of, i)
			}
		}
	}
}

// apart says whether no letter or digit stands beside data[from:to].
func apart(data []byte, from, to int) bool {
	word := func(c byte) bool { return c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' }
	return (from == 0 || !word(data[from-1])) && (to >= len(data) || !word(data[to]))
}

package workspace

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"

	"golang.org/x/text/unicode/norm"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/vault"
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

// sweep looks for what was purged in every file of the vault and the data folder, whatever it is, and lists where it is left.
func (p *purge) sweep(ctx context.Context) ([]api.Forgotten, error) {
	needles, err := p.needles(ctx)
	if err != nil {
		return nil, err
	}
	out := append([]api.Forgotten{}, p.left...)
	s := newScanner(needles)
	for _, dir := range []struct{ path, prefix string }{{p.w.opt.Vault, ""}, {p.w.opt.DataDir, "data/"}} {
		err := filepath.WalkDir(dir.path, func(name string, d fs.DirEntry, err error) error {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil || !d.Type().IsRegular() {
				return ignoreGone(err)
			}
			rel, err := filepath.Rel(dir.path, name)
			if err != nil {
				return err
			}
			rel = dir.prefix + filepath.ToSlash(rel)
			found, err := s.file(name)
			for _, text := range found {
				out = append(out, api.Forgotten{SourceFile: rel, Text: text})
			}
			if ignoreGone(err) != nil && !silent(rel) {
				out = append(out, api.Forgotten{SourceFile: rel, Text: "not looked through: " + err.Error()})
			}
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("looking for what is left of it: %w", err)
		}
	}
	return out, nil
}

// needles are the texts that say enough to be looked for, the words of the query that nothing else holds, and the ids of
// conversations, turns and messages that are gone altogether.
func (p *purge) needles(ctx context.Context) ([]needle, error) {
	var out []needle
	for _, t := range p.texts {
		if !distinct(t) {
			continue
		}
		if len(t) <= maxNeedle {
			out = append(out, needle{t, false})
			continue
		}
		for _, s := range lexis.Sentences(t) {
			if part := t[s.Start:s.End]; len(part) >= minPart {
				out = append(out, needle{strings.ToValidUTF8(part[:min(len(part), maxNeedle)], ""), false})
			}
		}
	}
	r, release := p.w.index.Reader().Pin()
	defer release()
	between := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	for _, word := range strings.FieldsFunc(norm.NFC.String(p.query), between) { // as it is spelt: lexis drops accents
		terms := lexis.Terms(word)
		if len(terms) == 0 {
			continue
		}
		counts, err := r.DocFreqs(ctx, terms)
		if err != nil {
			return nil, err
		}
		if slices.Max(counts) == 0 {
			out = append(out, needle{word, true})
		}
	}
	names, err := p.names(ctx)
	return append(out, names...), err
}

// names are the ids of conversations, turns and messages that no record has any more.
func (p *purge) names(ctx context.Context) ([]needle, error) {
	gone := map[string]bool{p.chat: true}
	for _, t := range p.targets {
		switch {
		case t.fact != nil:
			gone[t.fact.Section.ChatID], gone[t.fact.Section.Turn], gone[t.fact.Section.Ref] = true, true, true
		case t.drawer != nil:
			gone[t.drawer.ChatID], gone[t.drawer.Turn], gone[t.drawer.Ref] = true, true, true
		}
	}
	maps.DeleteFunc(gone, func(name string, _ bool) bool { return len(name) < minName })
	look := func(_ vault.Path, data []byte) error {
		maps.DeleteFunc(gone, func(name string, _ bool) bool { return bytes.Contains(data, []byte(name)) })
		return ctx.Err()
	}
	err := errors.Join(p.w.eachDay(vault.DrawerDir, vault.DrawerPath, look), p.w.eachDay(vault.ArchiveDir, vault.LogPath, look))
	var out []needle
	for _, name := range slices.Sorted(maps.Keys(gone)) {
		out = append(out, needle{name, true})
	}
	return out, err
}

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
		for _, html := range []bool{false, true} {
			var b bytes.Buffer
			e := json.NewEncoder(&b)
			e.SetEscapeHTML(html)
			if e.Encode(s) == nil {
				add(strings.Trim(strings.TrimSpace(b.String()), `"`))
			}
		}
		add(ascii(s))
		add(escaped(s))
	}
	forms := make([][]byte, len(out))
	for i, s := range out {
		forms[i] = lower([]byte(s))
	}
	return forms
}

// ascii is a text as JSON writers put it that escape all but ASCII.
func ascii(s string) string {
	var b strings.Builder
	for _, u := range utf16.Encode([]rune(s)) {
		switch {
		case u == '"' || u == '\\':
			b.WriteByte('\\')
			b.WriteByte(byte(u))
		case u == '\n':
			b.WriteString(`\n`)
		case u < 0x80:
			b.WriteByte(byte(u))
		default:
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
func (s *scanner) file(name string) (found []string, err error) {
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
		for i := 0; i+minNeedle <= len(data); i++ {
			key := four(data[i:])
			h := spread(key)
			if s.filter[h>>6]&(1<<(h&63)) == 0 {
				continue
			}
			for _, p := range s.starts[key] {
				if bytes.HasPrefix(data[i:], p.bytes) && (!p.of.word || apart(data, i, i+len(p.bytes))) && !slices.Contains(found, p.of.text) {
					found = append(found, p.of.text)
				}
			}
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return found, nil
		}
		if err != nil {
			return found, err
		}
		kept = copy(block, data[max(0, len(data)-s.most-1):])
	}
}

// apart says whether no letter or digit stands beside data[from:to].
func apart(data []byte, from, to int) bool {
	word := func(c byte) bool { return c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' }
	return (from == 0 || !word(data[from-1])) && (to >= len(data) || !word(data[to]))
}

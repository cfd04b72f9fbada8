package model

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"strings"
	"unicode/utf8"
)

// A charsmap is SentencePiece's table of what is written for what: a trie in an array, and the texts that its leaves point to, each ended
// by a zero.
type charsmap struct {
	trie  []uint32
	texts []byte
}

func newCharsmap(encoded string) (*charsmap, error) {
	raw, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return nil, err
	}
	if len(raw) < 4 {
		return nil, errors.New("precompiled_charsmap is too short")
	}
	size := binary.LittleEndian.Uint32(raw)
	if raw = raw[4:]; size == 0 || size%4 != 0 || uint64(size) > uint64(len(raw)) {
		return nil, errors.New("precompiled_charsmap: the trie does not fit into it")
	}
	m := &charsmap{trie: make([]uint32, size/4), texts: raw[size:]}
	for i := range m.trie {
		m.trie[i] = binary.LittleEndian.Uint32(raw[4*i:])
	}
	return m, nil
}

// normalise writes for the longest part of s that the table knows, at each place, what stands for it.
func (m *charsmap) normalise(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		length, text := m.longest(s)
		if length == 0 {
			_, length = utf8.DecodeRuneInString(s)
			text = s[:length]
		}
		b.WriteString(text)
		s = s[length:]
	}
	return b.String()
}

// longest follows the trie along s. A unit holds the byte that leads to it, whether a leaf hangs on it, and how far away its children are.
func (m *charsmap) longest(s string) (length int, text string) {
	offset := func(unit uint32) uint32 { return unit >> 10 << (unit & (1 << 9) >> 6) }
	at := offset(m.trie[0])
	for i := range len(s) {
		at ^= uint32(s[i])
		if s[i] == 0 || uint64(at) >= uint64(len(m.trie)) {
			return length, text
		}
		unit := m.trie[at]
		if unit&(1<<31|0xff) != uint32(s[i]) {
			return length, text
		}
		at ^= offset(unit)
		if unit>>8&1 == 0 || uint64(at) >= uint64(len(m.trie)) {
			continue
		}
		if leaf := m.trie[at] & (1<<31 - 1); uint64(leaf) < uint64(len(m.texts)) {
			end := bytes.IndexByte(m.texts[leaf:], 0)
			if end >= 0 {
				length, text = i+1, string(m.texts[leaf:int(leaf)+end])
			}
		}
	}
	return length, text
}

package model

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// wordPiece cuts a word into the longest pieces that the vocabulary has, from the left.
type wordPiece struct {
	start, inner map[string]int32 // pieces at the beginning of a word, and behind it without their prefix
	unknown      int32
	maxRunes     int // longer words are unknown
	longest      int // bytes of the longest piece
}

func newWordPiece(m *vocabulary) (*wordPiece, error) {
	w := &wordPiece{start: make(map[string]int32, len(m.Vocab)), inner: map[string]int32{}, maxRunes: m.MaxRunes}
	if w.maxRunes <= 0 {
		w.maxRunes = 100
	}
	if m.Prefix == "" {
		return nil, fmt.Errorf("no continuing_subword_prefix")
	}
	for piece, id := range m.Vocab {
		if rest, ok := strings.CutPrefix(piece, m.Prefix); ok && rest != "" {
			w.inner[rest] = id
		}
		w.start[piece] = id
		w.longest = max(w.longest, len(piece))
	}
	var ok bool
	if w.unknown, ok = m.Vocab[m.Unknown]; !ok {
		return nil, fmt.Errorf("the unknown token %.40q is not in the vocabulary", m.Unknown)
	}
	return w, nil
}

// pieces appends the ids of a word's pieces, or the unknown one where a part of it is none.
func (w *wordPiece) pieces(ids []int32, word string) []int32 {
	if utf8.RuneCountInString(word) > w.maxRunes {
		return append(ids, w.unknown)
	}
	first, known := len(ids), w.start
	for at := 0; at < len(word); known = w.inner {
		end := min(len(word), at+w.longest)
		for end > at {
			if id, ok := known[word[at:end]]; ok {
				ids = append(ids, id)
				break
			}
			_, size := utf8.DecodeLastRuneInString(word[at:end])
			end -= size
		}
		if end == at {
			return append(ids[:first], w.unknown)
		}
		at = end
	}
	return ids
}

func (w *wordPiece) hide(piece string) { delete(w.start, piece) }

package lexis

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Piece is a part of a text: Text is the bytes from Start to End.
type Piece struct {
	Start, End int
	Text       string
}

// Chunk cuts text into pieces of at most size bytes that end with a sentence where they can, and
// else with a word. Each piece begins up to overlap bytes before the end of the one before it, at a sentence or a word. All
// bytes but white space at the edges are in some piece; a text no longer than size is one piece.
func Chunk(text string, size, overlap int) []Piece {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	if len(text) <= size || size <= 0 {
		return []Piece{{0, len(text), text}}
	}
	size = max(size, utf8.UTFMax)
	overlap = min(max(overlap, 0), size/2)
	spans := Sentences(text)
	var out []Piece
	for start := spans[0].Start; ; {
		start = len(text) - len(strings.TrimLeftFunc(text[start:], unicode.IsSpace))
		for len(spans) > 0 && spans[0].End <= start {
			spans = spans[1:]
		}
		end := cutPoint(text, spans, start, size)
		p := trimmed(text, start, end)
		out = append(out, p)
		if strings.TrimSpace(text[end:]) == "" {
			break
		}
		start = restart(text, spans, p, end, overlap)
	}
	return out
}

// cutPoint returns where a piece that begins at start ends: after the last sentence that fits, or
// else after the last word, or else at a character.
func cutPoint(text string, spans []Span, start, size int) int {
	limit := start + size
	if limit >= len(text) {
		return len(text)
	}
	end := 0
	for _, s := range spans {
		if s.End > limit {
			break
		}
		end = s.End
	}
	if end > start+size/4 {
		return end
	}
	for limit > start && !utf8.RuneStart(text[limit]) {
		limit--
	}
	if i := strings.LastIndexFunc(text[start:limit], unicode.IsSpace); i > size/4 {
		return start + i
	}
	if limit == start { // bytes that are no UTF-8
		return start + size
	}
	return limit
}

// restart returns where the piece after p begins: at the first sentence, else the first word,
// within the last overlap bytes before end, and always further on than p began.
func restart(text string, spans []Span, p Piece, end, overlap int) int {
	from := max(end-overlap, p.Start+1)
	for _, s := range spans {
		if s.Start >= from && s.Start < end {
			return s.Start
		}
		if s.Start >= end {
			break
		}
	}
	if overlap > 0 {
		if i := strings.IndexFunc(text[from:end], unicode.IsSpace); i >= 0 {
			return from + i
		}
	}
	return end
}

// trimmed returns the piece between two offsets without the white space around it.
func trimmed(text string, start, end int) Piece {
	s := text[start:end]
	t := strings.TrimLeftFunc(s, unicode.IsSpace)
	start += len(s) - len(t)
	t = strings.TrimRightFunc(t, unicode.IsSpace)
	return Piece{start, start + len(t), t}
}

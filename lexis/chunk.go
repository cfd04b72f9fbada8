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

// Chunk cuts text into pieces of at most size characters that end with a sentence where they can, and
// else with a word. Each piece begins up to overlap characters before the end of the one before it, at a sentence or a word. All
// bytes but white space at the edges are in some piece; a text no longer than size is one piece.
func Chunk(text string, size, overlap int) []Piece {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	if size <= 0 || ahead(text, 0, size) == len(text) {
		return []Piece{{0, len(text), text}}
	}
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
	limit, least := ahead(text, start, size), ahead(text, start, size/4)
	if limit == len(text) {
		return limit
	}
	end := 0
	for _, s := range spans {
		if s.End > limit {
			break
		}
		end = s.End
	}
	if end > least {
		return end
	}
	if i := strings.LastIndexFunc(text[start:limit], unicode.IsSpace); start+i > least {
		return start + i
	}
	return limit
}

// ahead is the place n characters after start, or else the end of the text. A byte that is no UTF-8 counts as a character.
func ahead(text string, start, n int) int {
	if len(text)-start <= n {
		return len(text)
	}
	for i := range text[start:] {
		if n == 0 {
			return start + i
		}
		n--
	}
	return len(text)
}

// behind is the place n characters before end, or else the beginning of the text.
func behind(text string, end, n int) int {
	for ; n > 0 && end > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(text[:end])
		end -= size
	}
	return end
}

// restart returns where the piece after p begins: at the first sentence, else the first word,
// within the last overlap characters before end, and always further on than p began.
func restart(text string, spans []Span, p Piece, end, overlap int) int {
	from := max(behind(text, end, overlap), p.Start+1)
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

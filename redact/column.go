package redact

import "strings"

// column takes the secrets of a table: the name is a cell of its first row, and the values stand below.
// The table's cells are parted by |, a comma, a semicolon or a tab.
func column(text string, n name) []Finding {
	const widest = 300 // bytes of a first row
	sign, ok := cell(text, n)
	if !ok {
		return nil
	}
	top := strings.LastIndexByte(text[max(0, n.from-widest):n.from], '\n') + 1 + max(0, n.from-widest)
	eol := strings.IndexByte(text[n.to:min(len(text), n.to+widest)], '\n')
	if eol < 0 || n.from-top >= widest {
		return nil
	}
	next := n.to + eol + 1
	sep := string(sign)
	cells, before := strings.Count(text[top:next], sep), strings.Count(text[top:n.from], sep)
	above := strings.TrimSuffix(text[max(0, top-widest):top], "\n")
	if strings.Count(above[strings.LastIndexByte(above, '\n')+1:], sep) == cells {
		return nil // not the first row
	}
	var out []Finding
	for next < len(text) {
		stop := len(text)
		if i := strings.IndexByte(text[next:], '\n'); i >= 0 {
			stop = next + i
		}
		row := text[next:stop]
		if strings.Count(row, sep) != cells {
			break
		}
		from := next
		for range before {
			from += strings.Index(text[from:stop], sep) + 1
		}
		to := stop
		if i := strings.Index(text[from:stop], sep); i >= 0 {
			to = from + i
		}
		if f, ok := valueAt(strings.TrimRight(text[:to], " \t\r"), run(text, from, space, 40), n, colon); ok {
			out = append(out, f)
		}
		next = stop + 1
	}
	return out
}

// cell tells whether a name fills a cell, and what parts it from its neighbours.
func cell(text string, n name) (sign byte, ok bool) {
	from := back(text, n.from, space, 40)
	for words := 0; words < 3 && from < n.from && is(at(text, from-1), word); words++ { // "Secret access key"
		from = back(text, back(text, from, word, 40), space, 40)
	}
	to := run(text, n.to, space, 40)
	left, right := at(text, from-1), at(text, to)
	if left == '"' && right == '"' {
		left, right = at(text, from-2), at(text, to+1)
	}
	for _, sign := range []byte{'|', ',', ';', '\t'} {
		tab := sign == '\t'
		l := left == sign || from == 0 || left == '\n' || tab && at(text, from) == sign
		r := right == sign || right == '\n' || right == '\r' || tab && at(text, to-1) == sign
		if l && r && (left == sign || right == sign || tab) {
			return sign, true
		}
	}
	return 0, false
}

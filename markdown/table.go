package markdown

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// maxColumns of a table; each of its rows is read as so many cells.
const maxColumns = 100

var delimiterRE = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t\r]*$`)
})

// tableAt is the line of a paragraph that delimits a table from its head, the line before; 0 where none does. A head may have fewer cells.
func tableAt(text []Span) int {
	for i := 1; i < len(text); i++ {
		t := text[i].Text
		if text[i].Pad > 3 || strings.TrimLeft(t, " \t\r|:-") != "" || !strings.ContainsAny(t, "|:") || !delimiterRE().MatchString(t) {
			continue
		}
		if n := len(Cells(t)); n >= len(Cells(text[i-1].Text)) && n <= maxColumns {
			return i
		}
		return 0
	}
	return 0
}

// cutTable ends the open paragraph where a table begins, with its delimiter at line n of the paragraph. What stands before is left.
func (s *scanner) cutTable(b *Block, n int) {
	rows, t := b.Text[n-1:], b
	if n > 1 {
		t = s.add(Table)
		b.Text, b.Last, t.Last = b.Text[:n-1:n-1], rows[0].Line-1, b.Last
	}
	t.Kind, t.First, t.Columns, t.Text = Table, rows[0].Line, len(Cells(rows[1].Text)), slices.Concat(rows[:1], rows[2:])
	for i := range rows {
		if s.marks != nil {
			s.marks[rows[i].Line].Kind = Table
		}
	}
}

// Cells are the texts of a row's cells.
func Cells(row string) (cells []string) {
	row = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(row), "|"), "|")
	for row != "" {
		end := 0
		for end < len(row) && (row[end] != '|' || end > 0 && row[end-1] == '\\') {
			end++
		}
		cells = append(cells, strings.TrimSpace(row[:end]))
		row = row[min(end+1, len(row)):]
	}
	return cells
}

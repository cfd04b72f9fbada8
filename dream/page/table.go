package page

import (
	"regexp"
	"strings"
	"sync"
)

var delimiterRE = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[ \t>]*(\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?)[ \t\r]*$`)
})

// tableStarts tells whether a line is the head of a table: the next one is its delimiter. A table ends an item's text, even
// where its lines are not indented.
func (s *scanner) tableStarts(rest string) bool {
	if s.i+1 == len(s.lines) || !strings.Contains(rest, "|") || !strings.Contains(s.vis[s.i+1], "|") {
		return false
	}
	if strings.TrimLeft(s.vis[s.i+1], " \t\r>|:-") != "" { // most lines are no delimiter: they link a source
		return false
	}
	m := delimiterRE().FindStringSubmatch(s.vis[s.i+1])
	return m != nil && cells(m[1]) == cells(rest)
}

func cells(row string) int {
	row = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(row), "|"), "|")
	return 1 + strings.Count(row, "|") - strings.Count(row, `\|`)
}

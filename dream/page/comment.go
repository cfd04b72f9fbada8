package page

import (
	"strings"

	"github.com/reverie-memory/reverie/markdown"
)

// visible gives the lines with comments as spaces, as the index reads them.
func visible(lines []*line) []string {
	vis := make([]string, len(lines))
	some := false
	for i, ln := range lines {
		vis[i] = ln.text
		some = some || strings.Contains(ln.text, "%%")
	}
	if !some {
		return vis
	}
	return strings.Split(string(markdown.BlankComments([]byte(strings.Join(vis, "\n")))), "\n")
}

// skipCode gives the offset behind the code span that starts at s[i], or behind the backticks there when none does.
func skipCode(s string, i int) int {
	n := 1
	for i+n < len(s) && s[i+n] == '`' {
		n++
	}
	if j := strings.Index(s[i+n:], s[i:i+n]); j >= 0 {
		return i + n + j + n
	}
	return i + n
}

package page

import (
	"regexp"
	"strings"
	"sync"
)

var fenceLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("^[ \t>]*(?:[-*+] +)?(`{3,}|~{3,})")
})

// visible gives the lines with what stands between two %% as spaces, outside code. It reads comments as the index does: a %%
// without its twin stays, and one within a line needs it in its own paragraph.
func visible(lines []*line) []string {
	vis := make([]string, len(lines))
	some := false
	for i, ln := range lines {
		vis[i] = ln.text
		some = some || strings.Contains(ln.text, "%%")
	}
	if some {
		(&hider{lines: lines, vis: vis, open: spot{line: -1}}).run()
	}
	return vis
}

type spot struct{ line, at int }

// A hider walks the lines; open is where a comment began.
type hider struct {
	lines []*line
	vis   []string
	open  spot
}

func (h *hider) run() {
	fence := ""
	for i, ln := range h.lines {
		if h.open.line >= 0 && strings.TrimSpace(ln.text) == "" && !h.atLineStart() {
			h.open.line = -1
		}
		if m := fenceLine().FindStringSubmatch(ln.text); m != nil && h.open.line < 0 {
			switch {
			case fence == "":
				fence = m[1]
			case m[1][0] == fence[0] && len(m[1]) >= len(fence):
				fence = ""
			}
		} else if fence == "" {
			h.walk(i, ln.text)
		}
	}
}

func (h *hider) atLineStart() bool {
	return strings.Trim(h.lines[h.open.line].text[:h.open.at], " \t") == ""
}

func (h *hider) walk(n int, s string) {
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '`' && h.open.line < 0:
			i = skipCode(s, i) - 1
		case strings.HasPrefix(s[i:], "%%"):
			if h.open.line < 0 {
				h.open = spot{n, i}
			} else {
				h.hide(spot{n, i + 2})
			}
			i++
		}
	}
}

func (h *hider) hide(to spot) {
	for n := h.open.line; n <= to.line; n++ {
		from, end := 0, len(h.vis[n])
		if n == h.open.line {
			from = h.open.at
		}
		if n == to.line {
			end = to.at
		}
		h.vis[n] = h.vis[n][:from] + strings.Repeat(" ", end-from) + h.vis[n][end:]
	}
	h.open.line = -1
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

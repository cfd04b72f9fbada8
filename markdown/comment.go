package markdown

import (
	"bytes"
	"regexp"
	"sync"
)

var fenceLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("^[ \t>]*(?:[-*+] +)?(`{3,}|~{3,})")
})

// BlankComments replaces what stands between two %% by spaces, outside code. Lines and offsets stay.
// A %% without its twin stays as it is, and one within a line needs it in its own paragraph, so that
// nothing that is visible is lost.
func BlankComments(src []byte) []byte {
	if !bytes.Contains(src, []byte("%%")) {
		return src
	}
	out, open, fence := bytes.Clone(src), -1, []byte(nil)
	for pos := 0; pos < len(src); {
		end := pos + bytes.IndexByte(src[pos:], '\n') + 1
		if end == pos {
			end = len(src)
		}
		line := src[pos:end]
		if open >= 0 && len(bytes.TrimSpace(line)) == 0 && !atLineStart(src, open) {
			open = -1
		}
		if m := fenceLine().FindSubmatch(line); m != nil && open < 0 {
			switch {
			case fence == nil:
				fence = m[1]
			case m[1][0] == fence[0] && len(m[1]) >= len(fence):
				fence = nil
			}
		} else if fence == nil {
			open = blankLine(src, out, pos, end, open)
		}
		pos = end
	}
	return out
}

func atLineStart(src []byte, pos int) bool {
	for pos > 0 && (src[pos-1] == ' ' || src[pos-1] == '\t') {
		pos--
	}
	return pos == 0 || src[pos-1] == '\n'
}

// blankLine handles one line outside a fence; open is where a comment began, or -1.
func blankLine(src, out []byte, pos, end, open int) int {
	for i := pos; i < end; i++ {
		switch {
		case src[i] == '`' && open < 0: // a code span: go past its twin on this line
			n := 1
			for i+n < end && src[i+n] == '`' {
				n++
			}
			if j := bytes.Index(src[i+n:end], src[i:i+n]); j >= 0 {
				i += n + j + n - 1
			} else {
				i += n - 1
			}
		case src[i] == '%' && i+1 < end && src[i+1] == '%':
			if open < 0 {
				open = i
			} else {
				for j := open; j < i+2; j++ {
					if out[j] != '\n' && out[j] != '\r' {
						out[j] = ' '
					}
				}
				open = -1
			}
			i++
		}
	}
	return open
}

package markdown

import "strings"

// A column walks the indentation of a line, where a tab reaches to the next multiple of four.
type column struct {
	s    string
	pos  int // byte
	col  int // column
	left int // columns of a tab that is taken in part
}

// indent is how many columns of white space come next, and the byte behind them.
func (c *column) indent() (n, end int) {
	n, end = c.left, c.pos
	for col := c.col + c.left; end < len(c.s); end++ {
		w := 1
		switch c.s[end] {
		case ' ':
		case '\t':
			w = 4 - col%4
		default:
			return n, end
		}
		n += w
		col += w
	}
	return n, end
}

func (c *column) rest() string {
	_, end := c.indent()
	return c.s[end:]
}

// skip takes up to n columns of white space.
func (c *column) skip(n int) {
	for n > 0 {
		if c.left > 0 {
			w := min(c.left, n)
			c.left, c.col, n = c.left-w, c.col+w, n-w
			continue
		}
		if c.pos >= len(c.s) || c.s[c.pos] != ' ' && c.s[c.pos] != '\t' {
			return
		}
		c.left = 1
		if c.s[c.pos] == '\t' {
			c.left = 4 - c.col%4
		}
		c.pos++
	}
}

// take goes past n bytes that are not white space.
func (c *column) take(n int) {
	c.pos += n
	c.col += n
}

// Indent is how many columns of white space a line begins with.
func Indent(s string) int {
	n, _ := (&column{s: s}).indent()
	return n
}

// Dedent takes up to n columns of white space off the beginning of a line.
func Dedent(s string, n int) string {
	c := column{s: s}
	c.skip(n)
	return strings.Repeat(" ", c.left) + s[c.pos:]
}

// Empty tells whether nothing but white space stands in a line.
func Empty(s string) bool { return only(s, " \t\r\v\f") }

// only tells whether a line has no other bytes than these. Most lines have another one at once.
func only(s, bytes string) bool {
	for i := range len(s) {
		if strings.IndexByte(bytes, s[i]) < 0 {
			return false
		}
	}
	return true
}

// marker reads the marker of a list item at the start of s; number is -1 for a bullet.
func marker(s string) (width, number int, ok bool) {
	if s == "" {
		return 0, 0, false
	}
	if strings.IndexByte("-+*", s[0]) >= 0 {
		width, number = 1, -1
	} else {
		for width < len(s) && width < 9 && s[width] >= '0' && s[width] <= '9' {
			number = number*10 + int(s[width]-'0')
			width++
		}
		if width == 0 || width >= len(s) || s[width] != '.' && s[width] != ')' {
			return 0, 0, false
		}
		width++
	}
	if width < len(s) && s[width] != ' ' && s[width] != '\t' {
		return 0, 0, false
	}
	return width, number, true
}

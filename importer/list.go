package importer

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// A list takes the values out of a JSON array one after the other, or is the one value that the file is. Where a value ends it tells by
// brackets and quotes alone, so that one which makes no sense takes no other with it.
type list struct {
	in    *bufio.Reader
	line  int // of the next byte, from 1
	array bool
	began bool
	buf   []byte
}

// newList begins behind a byte order mark.
func newList(r io.Reader) *list {
	l := &list{in: bufio.NewReaderSize(r, 64<<10), line: 1}
	if mark, _ := l.in.Peek(3); string(mark) == "\ufeff" {
		_, _ = l.in.Discard(3)
	}
	return l
}

var (
	errCut   = errors.New("the file ends in the middle")
	errBlank = errors.New("blanks without end")
	errItem  = fmt.Errorf("one entry has more than %d MB", maxItem>>20)
)

// next is the next value with the line that it begins in; io.EOF behind the last one. After another error there is no next one.
func (l *list) next() (raw []byte, line int, err error) {
	if l.began && !l.array {
		return nil, l.line, io.EOF
	}
	for {
		c, err := l.skip()
		if err != nil {
			return nil, l.line, cutOff(err)
		}
		first := !l.began
		if l.began, l.array = true, l.array || first && c == '['; !l.array || c != ',' && c != ']' && !(first && c == '[') {
			break
		}
		_, _ = l.in.Discard(1)
		if c == ']' {
			return nil, l.line, io.EOF
		}
	}
	line = l.line
	raw, err = l.value()
	return raw, line, err
}

// value reads to the end of a value. Of one that is too long nothing is kept.
func (l *list) value() ([]byte, error) {
	l.buf = l.buf[:0]
	depth, quoted, escaped, long := 0, false, false, false
	for {
		c, err := l.in.ReadByte()
		if errors.Is(err, io.EOF) && !l.array && depth <= 0 && !quoted {
			break
		}
		if err != nil {
			return nil, cutOff(err)
		}
		if !quoted && depth <= 0 && l.array && (c == ',' || c == ']') { // behind a number, or a bracket too many
			if err := l.in.UnreadByte(); err != nil {
				return nil, err
			}
			break
		}
		if c == '\n' {
			l.line++
		}
		if long = long || len(l.buf) >= maxItem; !long {
			l.buf = append(l.buf, c)
		}
		switch {
		case quoted:
			quoted, escaped = escaped || c != '"', c == '\\' && !escaped
		case c == '"':
			quoted = true
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		}
		if depth == 0 && (c == '}' || c == ']') && !quoted {
			break
		}
	}
	if long {
		l.buf = nil
		return nil, errItem
	}
	return bytes.TrimSpace(l.buf), nil
}

// skip is the next byte that is no blank. The byte stays the next one.
func (l *list) skip() (byte, error) {
	for range maxItem {
		c, err := l.in.ReadByte()
		switch {
		case err != nil:
			return 0, err
		case c == '\n':
			l.line++
		case c != ' ' && c != '\t' && c != '\r':
			return c, l.in.UnreadByte()
		}
	}
	return 0, errBlank
}

// cutOff says of the end of a file that it comes too early.
func cutOff(err error) error {
	if errors.Is(err, io.EOF) {
		return errCut
	}
	return err
}

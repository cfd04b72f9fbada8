package vault

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// A managed block is the part of a page that programs may write: the lines between two comments of Obsidian's, which show nothing. The
// first names the hash of the text, so that an edit by a person is seen.
var managedMarks = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^%% reverie:(begin|end)\b(?: ([0-9a-f]{12})\b)?[^\n]*$`)
})

// Errors of a managed block.
var (
	ErrBlockDamaged = errors.New("the marks of the managed block are damaged")
	ErrBlockEdited  = errors.New("the managed block was edited by hand")
)

// Managed finds the managed block of a page: its text, and where the block begins and ends in data, with the line feed before it; start is
// -1 where there is none. With [ErrBlockDamaged] the block is all that follows the first mark; [ErrBlockEdited] comes with all else.
func Managed(data []byte) (text string, start, end int, err error) {
	marks := managedMarks().FindAllSubmatchIndex(data, -1)
	if len(marks) == 0 {
		return "", -1, -1, nil
	}
	is := func(m []int, name string) bool { return string(data[m[2]:m[3]]) == name }
	if len(marks) != 2 || !is(marks[0], "begin") || !is(marks[1], "end") {
		return "", marks[0][0], len(data), ErrBlockDamaged
	}
	begin := marks[0]
	start, end = begin[0], marks[1][1]
	if start > 0 {
		start--
	}
	if end < len(data) {
		end++
	}
	inner := string(data[min(begin[1]+1, marks[1][0]):marks[1][0]])
	text = strings.TrimSpace(strings.ReplaceAll(inner, "\r\n", "\n"))
	if begin[4] < 0 || string(data[begin[4]:begin[5]]) != managedHash(text) {
		err = ErrBlockEdited
	}
	return text, start, end, err
}

// SetManaged puts a text into the managed block of a page, and makes the block at the end of the page where there is none. An empty text
// takes the block away. All other bytes stay as they are; a block that a person edited is replaced only with edited set.
func SetManaged(data []byte, text string, edited bool) ([]byte, error) {
	_, start, end, err := Managed(data)
	if err != nil && !(edited && errors.Is(err, ErrBlockEdited)) {
		return nil, err
	}
	if start < 0 {
		start, end = len(data), len(data)
	}
	var block string
	if text = strings.TrimSpace(text); text != "" {
		block = fmt.Sprintf("\n%%%% reverie:begin %s: assistants write here, your own lines go outside %%%%\n%s\n%%%% reverie:end %%%%\n",
			managedHash(text), text)
		if start < len(data) && data[start] != '\n' { // the block is the first line of the page
			block = block[1:]
		}
	}
	return bytes.Join([][]byte{data[:start], []byte(block), data[end:]}, nil), nil
}

func managedHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return fmt.Sprintf("%x", sum[:6])
}

package hosts

import (
	"bytes"
	"strings"
)

// ownFile is a file of nothing but Reverie's: a command of a program, with front matter. A person who edits it owns it from then on.
type ownFile struct {
	name string // of its entry
	text string
}

// ownMark begins the line of the front matter by which the file is recognised; the sum of the other lines follows.
const ownMark = "# from reverie setup, which keeps the file up to date until somebody edits it: "

func (o ownFile) wants() []string { return []string{o.name} }

// mark puts the line of the mark behind the first one.
func (o ownFile) mark() []byte {
	first, rest, _ := strings.Cut(o.text, "\n")
	return []byte(first + "\n" + ownMark + sum([]byte(o.text))[:12] + "\n" + rest)
}

// owner tells whose the file is: marked by setup at all, and not edited since.
func owner(data []byte) (marked, untouched bool) {
	before, rest, found := bytes.Cut(data, []byte(ownMark))
	if !found {
		return false, false
	}
	said, rest, _ := bytes.Cut(rest, []byte("\n"))
	return true, sum(append(bytes.Clone(before), rest...))[:12] == strings.TrimSpace(string(said))
}

func (o ownFile) add(data []byte, _ Launch) ([]byte, error) {
	if _, untouched := owner(data); untouched || len(bytes.TrimSpace(data)) == 0 {
		return o.mark(), nil
	}
	return data, nil
}

func (o ownFile) remove(data []byte) ([]byte, error) {
	if _, untouched := owner(data); untouched {
		return nil, nil
	}
	return data, nil
}

func (o ownFile) find(data []byte) ([]Entry, error) {
	marked, _ := owner(data)
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, nil
	}
	return []Entry{{Name: o.name, Foreign: !marked}}, nil
}

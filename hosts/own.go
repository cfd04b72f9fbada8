package hosts

import (
	"bytes"
	"strings"
)

// ownFile is a file of nothing but Reverie's: a command of a program, with front matter. A person who edits it owns it from then on.
type ownFile struct {
	name   string // of its entry
	text   string
	prompt string // what the text goes on with, of those of the launch; "" where it is whole
}

// ownMark begins the line of the front matter by which the file is recognised; the sum of the other lines follows.
const ownMark = "# from reverie setup, which keeps the file up to date until somebody edits it: "

func (o ownFile) wants() []string { return []string{o.name} }

// marked is the file's content for a launch, with the line of the mark behind the first one.
func (o ownFile) marked(l Launch) []byte {
	text := o.text + l.Prompts[o.prompt]
	first, rest, _ := strings.Cut(text, "\n")
	return []byte(first + "\n" + ownMark + sum([]byte(text))[:12] + "\n" + rest)
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

func (o ownFile) add(data []byte, l Launch) ([]byte, error) {
	if _, untouched := owner(data); untouched || len(bytes.TrimSpace(data)) == 0 {
		return o.marked(l), nil
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

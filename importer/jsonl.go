package importer

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/vault"
)

// JSONL reads our own form: one message a line.
var JSONL = Importer{
	Name:  "JSONL",
	Names: true,
	Reads: func(name string, _ []byte) bool {
		return strings.HasSuffix(name, ".jsonl") || strings.HasSuffix(name, ".ndjson")
	},
	Read: func(f File, yield func(Message, error) bool) {
		for it, err := range lines(f) {
			var m Message
			if err == nil {
				if m, err = parseLine(it.raw); err != nil {
					err = it.place(f, err)
				}
			}
			if !yield(m, err) {
				return
			}
		}
	},
}

// line is a line of the form.
type line struct {
	Conversation    string `json:"conversation"`
	Session         any    `json:"session"`
	SessionDatetime string `json:"session_datetime"`
	TurnDatetime    string `json:"turn_datetime"`
	DiaID           string `json:"dia_id"`
	Speaker         string `json:"speaker"`
	Role            string `json:"role"`
	Text            string `json:"text"`
	Platform        string `json:"platform"`
	Wing            string `json:"wing"`
	Room            string `json:"room"`
	Hall            string `json:"hall"`
}

func parseLine(raw []byte) (m Message, err error) {
	var l line
	if err := decode(raw, &l); err != nil {
		return m, err
	}
	if l.Conversation == "" {
		return m, errors.New(`"conversation" is missing`)
	}
	if m.ChatID = l.Conversation; l.Session != nil {
		m.ChatID += fmt.Sprintf("-s%v", l.Session)
	}
	m.Role, m.Speaker = l.Role, l.Speaker
	if l.Role == "" {
		m.Role = roles[strings.ToLower(l.Speaker)]
		m.Unsaid = m.Role == "" // a name is a person
	}
	m.Content, m.Ref, m.Platform, m.Wing, m.Room, m.Hall = l.Text, l.DiaID, cmp.Or(l.Platform, "import"), l.Wing, l.Room, l.Hall
	m.Edit = derived(l.Text) // nobody knows how far an id of this form is unique
	m.At, err = timeOf(cmp.Or(l.TurnDatetime, l.SessionDatetime))
	return m, err
}

var layouts = []string{
	time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02 15:04:05Z07:00", "2006-01-02T15:04", time.DateOnly,
}

// timeOf reads a time; nil where there is none.
func timeOf(text string) (*time.Time, error) {
	if text == "" {
		return nil, nil
	}
	for _, layout := range layouts {
		if t, err := time.Parse(layout, text); err == nil {
			if !sayable(t) {
				return nil, fmt.Errorf("%q does not lie between the year 1970 and a day from now", text)
			}
			return &t, nil
		}
	}
	return nil, fmt.Errorf("%q is not a time", text)
}

// timestamp is a time where the text is one.
func timestamp(text string) *time.Time {
	t, _ := timeOf(text)
	return t
}

func sayable(t time.Time) bool { return vault.Sayable(t, time.Now()) }

var (
	errStop     = errors.New("no more is wanted")
	errLongNote = fmt.Errorf("the note has more than %d MB", maxNote>>20)
)

// peek looks at the first bytes of a reader and returns a reader of all of them.
func peek(r io.Reader) (head []byte, all io.Reader) {
	in := bufio.NewReaderSize(r, HeadSize)
	head, _ = in.Peek(HeadSize)
	return head, in
}

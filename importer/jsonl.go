package importer

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/vault"
)

// JSONL reads our own form: one message a line. JSONL is asked last, as it takes whatever no other form is.
type JSONL struct{}

// Name implements [Importer].
func (JSONL) Name() string { return "JSONL" }

// Reads implements [Importer].
func (JSONL) Reads(string, []byte) bool { return true }

// Read implements [Importer].
func (JSONL) Read(r io.Reader, yield func(Message) error) error {
	in := bufio.NewReaderSize(r, 1<<20)
	for n := 1; ; n++ {
		raw, err := in.ReadBytes('\n')
		if n == 1 {
			raw = bytes.TrimPrefix(raw, []byte("\ufeff")) // a byte order mark
		}
		if len(bytes.TrimSpace(raw)) > 0 {
			m, bad := parseLine(raw)
			if bad != nil {
				return &PlaceError{n, bad}
			}
			if err := yield(m); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
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
}

func parseLine(raw []byte) (Message, error) {
	var l line
	if err := json.Unmarshal(raw, &l); err != nil {
		return Message{}, err
	}
	if l.Conversation == "" {
		return Message{}, errors.New(`"conversation" is missing`)
	}
	m := Message{
		Chat: fmt.Sprintf("%s-s%v", l.Conversation, l.Session), Role: cmp.Or(l.Role, roleOf(l.Speaker)), Speaker: l.Speaker, Text: l.Text,
		Ref: l.DiaID, Platform: l.Platform, Wing: l.Wing, Room: l.Room,
	}
	var err error
	m.At, err = timeOf(cmp.Or(l.TurnDatetime, l.SessionDatetime))
	return m, err
}

// timeOf reads a time; nil where there is none.
func timeOf(text string) (*time.Time, error) {
	if text == "" {
		return nil, nil
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil {
			if !vault.Sayable(t, time.Now()) {
				return nil, fmt.Errorf("%q does not lie between the year 1970 and a day from now", text)
			}
			return &t, nil
		}
	}
	return nil, fmt.Errorf("%q is not a time", text)
}

// roleOf reads the speakers that are roles; a name is a person.
func roleOf(speaker string) string {
	switch s := strings.ToLower(speaker); s {
	case "assistant", "tool":
		return s
	}
	return "user"
}

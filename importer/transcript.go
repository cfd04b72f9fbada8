package importer

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/reverie-memory/reverie/transcript"
)

// Transcript reads what assistants write down of their sessions, into the turns that capturing the session gives.
var Transcript = Importer{
	Name:  "transcript",
	Reads: func(name string, head []byte) bool { return transcript.Of(name, head) != nil },
	// Lines that cannot be understood are left out; at the end they are told of.
	Read: func(f File, yield func(Message, error) bool) {
		head, in := peek(f.Reader)
		reader := transcript.Reader{Host: transcript.Of(f.Name, head), Mod: f.Mod, ToolBytes: transcript.ToolBytes}
		report, err := reader.Turns(context.Background(), in, func(t transcript.Turn) error {
			for i, said := range t.Messages {
				if strings.TrimSpace(said.Text) == "" {
					continue
				}
				m := Message{Folder: t.Dir}
				m.ChatID, m.TurnID, m.Place, m.Platform, m.Agent = t.Chat, t.ID, i, t.Host, t.Host
				m.Role, m.Content, m.Ref, m.At = said.Role, said.Text, said.ID, at(said.At)
				if !yield(m, nil) {
					return errStop
				}
			}
			return nil
		})
		switch {
		case errors.Is(err, errStop):
		case err != nil:
			yield(Message{}, &PlaceError{File: f.Name, Err: err})
		case report.Broken > 0:
			yield(Message{}, &PlaceError{File: f.Name, Line: report.Line, Err: brokenLines(report)})
		}
	},
}

func brokenLines(r transcript.Report) error {
	return fmt.Errorf("%d of %d lines were left out, of which this is the first: %w", r.Broken, r.Lines, r.Err)
}

package importer

import (
	"bufio"
	"context"
	"errors"
	"io"
	"time"

	"github.com/reverie-memory/reverie/transcript"
	"github.com/reverie-memory/reverie/vault"
)

// Transcript reads what assistants write down of their sessions, into the turns that capturing the session gives.
type Transcript struct{}

// Name implements [Importer].
func (Transcript) Name() string { return "transcript" }

// Reads implements [Importer].
func (Transcript) Reads(name string, head []byte) bool { return transcript.Of(name, head) != nil }

// Read implements [Importer]. Lines that cannot be understood are left out.
func (Transcript) Read(r io.Reader, yield func(Message) error) error {
	in := bufio.NewReaderSize(r, 1<<20)
	head, err := in.Peek(HeadSize)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	reader := transcript.Reader{Host: transcript.Of("", head), ToolBytes: transcript.ToolBytes}
	_, err = reader.Turns(context.Background(), in, func(t transcript.Turn) error {
		if t.Empty() {
			return nil
		}
		for _, m := range t.Messages {
			out := Message{
				Chat: t.Chat, Turn: t.ID, Role: m.Role, Text: m.Text, Ref: m.ID, Platform: t.Host, Agent: t.Host,
				Folder: t.Dir,
			}
			if vault.Sayable(m.At, time.Now()) { // else by a clock that was wrong, or none
				out.At = &m.At
			}
			if err := yield(out); err != nil {
				return err
			}
		}
		return nil
	})
	return err
}

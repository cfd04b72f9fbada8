package capture

import (
	"context"
	"errors"
	"fmt"

	"github.com/reverie-memory/reverie/forget"
	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/palace"
	"github.com/reverie-memory/reverie/redact"
	"github.com/reverie-memory/reverie/transcript"
	"github.com/reverie-memory/reverie/vault"
)

// A Filer files the turns of transcripts in a vault. Its methods are those that [Options] ask for.
type Filer struct {
	Vault   *vault.Vault
	Folders *palace.Folders
	Intake  *palace.Intake
}

// Take files a turn. What a request's strings are checked for on their way in, a transcript's are here.
func (f Filer) Take(ctx context.Context, t transcript.Turn) error {
	chat, err := palace.Nameless(f.Vault, t.Chat)
	if err != nil {
		return fmt.Errorf("name a secret: %w", err)
	}
	wing := ""
	if t.Dir != "" {
		of, _, err := f.Folders.Of(ctx, t.Dir)
		if err != nil {
			return err
		}
		wing = of.Wing
	}
	turn := palace.Turn{ChatID: chat, TurnID: t.ID, Platform: t.Host, Agent: t.Host, Wing: wing}
	texts := slice.Map(t.Messages, func(m transcript.Message) string { return m.Text })
	texts, _ = redact.Each(texts)
	for i, m := range t.Messages {
		ref, err := palace.Nameless(f.Vault, m.ID)
		if err != nil {
			return fmt.Errorf("name a secret: %w", err)
		}
		at := &m.At
		if !vault.Sayable(m.At, f.Vault.Now()) { // by a clock that was wrong: the words are kept, under the day on which they came
			at = nil
		}
		turn.Messages = append(turn.Messages, palace.Message{Role: m.Role, Content: texts[i], At: at, Ref: ref})
	}
	_, err = f.Intake.Remember(ctx, turn)
	var invalid *palace.InvalidError
	if errors.As(err, &invalid) {
		return errors.Join(ErrUnfit, err)
	}
	return err
}

// Ended lets the facts of a session be extracted that has ended.
func (f Filer) Ended(session string) {
	if chat, err := palace.Nameless(f.Vault, session); err == nil {
		f.Intake.EndChat(chat)
	}
}

// backlogged is how many turns may wait for extraction before capturing waits for them.
const backlogged = 64

// Busy tells that many turns wait for extraction.
func (f Filer) Busy() bool {
	n := f.Intake.Counts()
	return n.Queued+n.Deferred > backlogged
}

// Kind is the record of how far transcripts were read, and of what hooks have told. Kind holds no text of anybody.
func Kind() forget.Kind {
	return forget.Kind{Name: "place in a transcript", Owns: forget.Files(forget.Data+stateFolder+"/*", forget.Data+spoolFolder+"/*")}
}

package workspace

import (
	"context"
	"errors"
	"fmt"

	"github.com/adrg/xdg"

	"github.com/reverie-memory/reverie/capture"
	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/forget"
	"github.com/reverie-memory/reverie/palace"
	"github.com/reverie-memory/reverie/redact"
	"github.com/reverie-memory/reverie/transcript"
	"github.com/reverie-memory/reverie/vault"
)

// CaptureOptions are those that settings give to the capture of a workspace, by its data folder.
func CaptureOptions(c config.Config, dataDir string) capture.Options {
	s := c.Capture
	return capture.Options{
		Data: dataDir, Own: []string{c.DataDir, config.RealPath(c.DataDir)}, Home: xdg.Home,
		Hosts: s.Hosts, Folders: s.Folders, Enabled: s.Enabled,
		Interval: s.Interval.Duration(), Settle: s.Settle.Duration(), ToolBytes: s.ToolBytes,
	}
}

// backlogged is how many turns may wait for extraction before capturing waits for them.
const backlogged = 64

// openCapture prepares the capture of transcripts. Nothing is read yet.
func (w *Workspace) openCapture() {
	o := CaptureOptions(w.opt.Config, w.opt.DataDir)
	o.Take, o.Log = w.takeTurn, w.log
	o.Ended = func(session string) {
		if chat, err := w.nameless(session); err == nil {
			w.intake.EndChat(chat)
		}
	}
	o.Busy = func() bool {
		n := w.intake.Counts()
		return n.Queued+n.Deferred > backlogged
	}
	w.capture = capture.New(o)
}

// nameless is a name without the secrets in it.
func (w *Workspace) nameless(s string) (string, error) {
	var failed error
	clean, _ := redact.Name(s, func(secret string) string {
		id, err := w.vault.Pseudonym(secret)
		failed = errors.Join(failed, err)
		return id
	})
	return clean, failed
}

// takeTurn files a turn of a transcript. What a request's strings are checked for on their way in, a transcript's are here.
func (w *Workspace) takeTurn(ctx context.Context, t transcript.Turn) error {
	chat, err := w.nameless(t.Chat)
	if err != nil {
		return fmt.Errorf("name a secret: %w", err)
	}
	wing := ""
	if t.Dir != "" {
		of, _, err := w.Project(ctx, t.Dir)
		if err != nil {
			return err
		}
		wing = of.Wing
	}
	turn := palace.Turn{ChatID: chat, TurnID: t.ID, Platform: t.Host, Agent: t.Host, Wing: wing}
	texts := make([]string, len(t.Messages))
	for i, m := range t.Messages {
		texts[i] = m.Text
	}
	texts, _ = redact.Each(texts)
	for i, m := range t.Messages {
		ref, err := w.nameless(m.ID)
		if err != nil {
			return fmt.Errorf("name a secret: %w", err)
		}
		at := &m.At
		if !vault.Sayable(m.At, w.vault.Now()) { // by a clock that was wrong: the words are kept, under the day on which they came
			at = nil
		}
		turn.Messages = append(turn.Messages, palace.Message{Role: m.Role, Content: texts[i], At: at, Ref: ref})
	}
	_, err = w.intake.Remember(ctx, turn)
	var invalid *palace.InvalidError
	if errors.As(err, &invalid) {
		return errors.Join(capture.ErrUnfit, err)
	}
	return err
}

// captured is the record of how far transcripts were read, and of what hooks have told. It holds no text of anybody.
func captured() forget.Kind {
	return forget.Kind{Name: "place in a transcript", Owns: forget.Files("data/capture/*", "data/spool/*")}
}

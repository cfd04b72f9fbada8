package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/operations"
	"github.com/reverie-memory/reverie/vault"
)

// groupSize is how many messages of a session make one turn. Groups start at fixed places in a
// session, so that importing a file again, or a longer one, meets the same turn ids.
const groupSize = 20

// importLine is a line of the JSONL form: one message.
type importLine struct {
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

// importReport is what an import did.
type importReport struct {
	Files      int `json:"files"`
	Messages   int `json:"messages"`
	Accepted   int `json:"turns_accepted"`
	Duplicate  int `json:"turns_duplicate"`
	Skipped    int `json:"turns_skipped"`
	Redactions int `json:"redactions"`
}

func (a *app) importCmd() *cobra.Command {
	var wing, room string
	c := &cobra.Command{
		Use:   "import FILE...",
		Short: "Import conversations from JSONL, one message a line",
		Long: `Import reads JSONL files with one message a line:
  {"conversation":"c1","session":1,"session_datetime":"2026-06-08T09:12:00","speaker":"Alice","text":"…","dia_id":"D1:1"}
role, turn_datetime, platform, wing and room are optional. Importing a file twice adds nothing.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var turns []api.Turn
			var rep importReport
			for _, path := range args {
				ts, n, err := readImport(path, wing, room)
				if err != nil {
					return err
				}
				turns, rep.Messages, rep.Files = append(turns, ts...), rep.Messages+n, rep.Files+1
			}
			mem, done, err := a.memory(cmd.Context())
			if err != nil {
				return err
			}
			defer done()
			if err := a.send(cmd.Context(), mem, turns, &rep); err != nil {
				return err
			}
			if ok, err := a.emit(rep); ok {
				return err
			}
			a.print("imported %d messages from %d files: %d turns new, %d known, %d skipped; secrets redacted: %d\n",
				rep.Messages, rep.Files, rep.Accepted, rep.Duplicate, rep.Skipped, rep.Redactions)
			return nil
		},
	}
	c.Flags().StringVar(&wing, "wing", "", "wing to file under where the file names none")
	c.Flags().StringVar(&room, "room", "", "room to file under where the file names none")
	return c
}

// readImport turns a file into turns of at most groupSize messages. A bad line is an error that names it, before anything is sent.
func readImport(path, wing, room string) ([]api.Turn, int, error) {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, 0, usageError("import: %w", err)
	}
	if err != nil {
		return nil, 0, fmt.Errorf("import: %w", err)
	}
	defer f.Close()
	var turns []api.Turn
	open := map[string]int{}  // session → its last turn
	count := map[string]int{} // session → messages so far
	n := 0
	r := bufio.NewReaderSize(f, 1<<20)
	for line := 1; ; line++ {
		raw, err := r.ReadBytes('\n')
		if line == 1 {
			raw = bytes.TrimPrefix(raw, []byte("\ufeff")) // a byte order mark
		}
		if len(bytes.TrimSpace(raw)) > 0 {
			l, at, bad := parseImport(raw)
			if bad != nil {
				return nil, 0, usageError("%s:%d: %w", path, line, bad)
			}
			session := fmt.Sprintf("%s-s%v", l.Conversation, l.Session)
			if count[session]%groupSize == 0 {
				open[session] = len(turns)
				turns = append(turns, api.Turn{
					ChatID: session, Platform: first(l.Platform, "import"), Wing: first(l.Wing, wing), Room: first(l.Room, room),
					TurnID: vault.DeriveID('t', "import", session, fmt.Sprint(count[session]/groupSize)),
				})
			}
			count[session]++
			t := &turns[open[session]]
			t.Messages = append(t.Messages, api.Message{Role: first(l.Role, roleOf(l.Speaker)), Speaker: l.Speaker, Content: l.Text, At: at, Ref: l.DiaID})
			n++
		}
		if errors.Is(err, io.EOF) {
			return turns, n, nil
		}
		if err != nil {
			return nil, 0, fmt.Errorf("import %s: %w", path, err)
		}
	}
}

func parseImport(raw []byte) (l importLine, at *time.Time, err error) {
	if err := json.Unmarshal(raw, &l); err != nil {
		return l, nil, err
	}
	if l.Conversation == "" {
		return l, nil, errors.New(`"conversation" is missing`)
	}
	for _, s := range []string{l.TurnDatetime, l.SessionDatetime} {
		if s == "" {
			continue
		}
		for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", time.DateOnly} {
			if t, err := time.Parse(layout, s); err == nil {
				return l, &t, nil
			}
		}
		return l, nil, fmt.Errorf("%q is not a time", s)
	}
	return l, nil, nil
}

// roleOf reads the speakers that are roles; a name is a person.
func roleOf(speaker string) string {
	switch s := strings.ToLower(speaker); s {
	case "assistant", "tool":
		return s
	}
	return "user"
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// send hands the turns over: conversations side by side, each in its order.
func (a *app) send(ctx context.Context, mem memory, turns []api.Turn, rep *importReport) error {
	byChat := map[string][]api.Turn{}
	var order []string
	for _, t := range turns {
		if byChat[t.ChatID] == nil {
			order = append(order, t.ChatID)
		}
		byChat[t.ChatID] = append(byChat[t.ChatID], t)
	}
	bar := a.progress("import")
	results := make(chan api.TurnResult)
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(8)
	go func() {
		for _, chat := range order {
			g.Go(func() error {
				for _, t := range byChat[chat] {
					r, err := operations.Remember.Ask(ctx, mem, t)
					if err != nil {
						return fmt.Errorf("import conversation %s: %w", chat, err)
					}
					results <- r
				}
				return nil
			})
		}
		_ = g.Wait()
		close(results)
	}()
	n := 0
	for r := range results {
		n++
		bar.set(n, len(turns))
		rep.Redactions += r.Redactions
		switch r.Status {
		case api.Accepted:
			rep.Accepted++
		case api.Duplicate:
			rep.Duplicate++
		default:
			rep.Skipped++
		}
	}
	bar.finish()
	return g.Wait()
}

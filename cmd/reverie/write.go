package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/operations"
)

func (a *app) rememberCmd() *cobra.Command {
	var t api.Turn
	var m api.Message
	var at string
	c := &cobra.Command{
		Use:   "remember [TEXT]",
		Short: "Remember a message; without TEXT, a turn as JSON from standard input",
		Example: `  reverie remember --speaker Alice "I moved to Berlin last week"
  echo '{"chat_id":"c1","messages":[{"role":"user","content":"…"}]}' | reverie remember`,
		Args:    cobra.MaximumNArgs(1),
		PreRunE: func(cmd *cobra.Command, args []string) error { return turnFrom(cmd, args, &t, m, at) },
	}
	verb(a, c, operations.Remember, &t, a.printTurn)
	f := c.Flags()
	f.StringVar(&t.ChatID, "chat", "cli", "conversation id")
	f.StringVar(&t.Platform, "platform", "cli", "program that speaks")
	f.StringVar(&t.Agent, "agent", "", "agent")
	f.StringVar(&t.Wing, "wing", "", "wing to file under")
	f.StringVar(&t.Room, "room", "", "room to file under")
	f.StringVar(&t.Hall, "hall", "", "hall to file under")
	f.StringVar(&t.TurnID, "turn-id", "", "id for idempotent retries")
	f.StringVar(&t.Wait, "wait", "indexed", "what to wait for: stored or indexed")
	f.StringVar(&m.Role, "role", "user", "user, assistant or tool")
	f.StringVar(&m.Speaker, "speaker", "", "name of the speaker")
	f.StringVar(&m.Ref, "ref", "", "your own id of the message")
	f.StringVar(&at, "at", "", "when it was said, YYYY-MM-DD or RFC 3339 (default now)")
	a.projectFlag(c, &t.Wing)
	return c
}

func (a *app) printTurn(r api.TurnResult) {
	switch a.print("%s %s", r.Status, r.TurnID); {
	case r.Status == api.Duplicate:
		a.print(": this is remembered already, and was not added again")
	case r.Reason != "":
		a.print(": %s", r.Reason)
	}
	if r.Redactions > 0 {
		a.print(" (secrets redacted: %d)", r.Redactions)
	}
	a.print("\n")
	for _, f := range r.Facts {
		a.print("  [%s] %s\n", oneLine(f.Category, 50), oneLine(f.Content, 1000))
	}
	a.warn(r.Degraded)
}

// turnFrom fills the turn from the arguments, or from JSON on standard input where there are none.
func turnFrom(cmd *cobra.Command, args []string, t *api.Turn, m api.Message, at string) error {
	if len(args) == 0 {
		d := json.NewDecoder(io.LimitReader(cmd.InOrStdin(), 64<<20))
		d.DisallowUnknownFields()
		if err := d.Decode(t); err != nil {
			return usageError("read a turn as JSON from standard input: %w", err)
		}
		if d.More() {
			return usageError("standard input holds more than one turn; send them one by one")
		}
		return nil
	}
	if m.Content = args[0]; strings.TrimSpace(m.Content) == "" {
		return usageError("TEXT must not be empty")
	}
	when, err := parseMoment("--at", at)
	if err != nil {
		return err
	}
	if when != nil {
		first := when.First()
		m.At = &first
	}
	t.Messages = []api.Message{m}
	return nil
}

func (a *app) factsCmd() *cobra.Command {
	var q api.FactQuery
	c := &cobra.Command{Use: "facts", Short: "List facts, the newest first"}
	verb(a, c, operations.FactList, &q, func(r api.FactPage) {
		for _, f := range r.Facts {
			day, _, _ := strings.Cut(f.Date, "T")
			a.print("%s %s\n", day, oneLine(f.Text, 10000))
		}
		if r.Next != "" {
			fmt.Fprintf(a.err, "there is more: --after %s\n", r.Next)
		}
	})
	f := c.Flags()
	f.StringVar(&q.Wing, "wing", "", "only this wing")
	f.StringVar(&q.Room, "room", "", "only this room")
	f.StringVar(&q.Hall, "hall", "", "only this hall")
	f.StringVar(&q.Category, "category", "", "only this category")
	f.IntVarP(&q.Limit, "limit", "n", 50, "how many")
	f.StringVar(&q.After, "after", "", "where the list before ended")
	return c
}

func (a *app) factCmd() *cobra.Command {
	req := api.Facts{Facts: make([]api.NewFact, 1)}
	f := &req.Facts[0]
	c := &cobra.Command{
		Use:     "fact TEXT",
		Short:   "Write one fact into today's log as it is",
		Example: `  reverie fact --category decision --tag billing "Billing runs on PostgreSQL"`,
	}
	verb(a, c, operations.Facts, &req, func(r api.FactsResult) {
		for _, ref := range r.Facts {
			a.print("%s at %s:%d\n", ref.ID, ref.SourceFile, ref.Line)
		}
		a.warn(r.Degraded)
	}, &f.Content)
	c.Flags().StringVar(&f.Category, "category", "", "category (default general)")
	c.Flags().StringSliceVar(&f.Tags, "tag", nil, "tag; may be given several times")
	c.Flags().StringVar(&req.ChatID, "chat", "cli", "conversation id")
	c.Flags().StringVar(&req.Agent, "agent", "", "agent")
	c.Flags().StringVar(&req.Wing, "wing", "", "wing to file under")
	c.Flags().StringVar(&req.Room, "room", "", "room to file under")
	c.Flags().StringVar(&req.Hall, "hall", "", "hall to file under")
	c.Flags().StringVar(&req.Wait, "wait", "indexed", "what to wait for: stored or indexed")
	a.projectFlag(c, &req.Wing)
	return c
}

// oneLine cuts a text to fit a line of at most n runes, and takes from it what would steer a terminal.
func oneLine(s string, n int) string {
	r := []rune(strings.Map(func(c rune) rune {
		if unicode.IsControl(c) || unicode.Is(unicode.Bidi_Control, c) {
			return unicode.ReplacementChar
		}
		return c
	}, strings.Join(strings.Fields(s), " ")))
	if len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return string(r)
}

package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/capture"
	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/extract"
	"github.com/reverie-memory/reverie/hosts"
	"github.com/reverie-memory/reverie/llm"
	"github.com/reverie-memory/reverie/operations"
	"github.com/reverie-memory/reverie/spool"
	"github.com/reverie-memory/reverie/trust"
	"github.com/reverie-memory/reverie/vault"
)

// hookEvents are the hooks, by their verbs.
var hookEvents = []string{"session-start", "prompt", "stop", "pre-compact", "session-end"}

func (a *app) hookCmd() *cobra.Command {
	h := &hook{began: time.Now()}
	c := &cobra.Command{
		Use:   "hook " + strings.Join(hookEvents, "|"),
		Short: "Note what an assistant's program reports; the program calls it, not you",
		Long: `Hook reads what the program of an assistant reports, as JSON on standard input, and notes where the session is written down. The
daemon reads it there, now or when it runs again. Hook always exits with 0, within 50 ms, and starts nothing. "reverie setup" has programs
call it; docs/hooks.md tells what is kept and how to end it.`,
		Args: cobra.ExactArgs(1), ValidArgs: hookEvents,
		RunE: func(cmd *cobra.Command, args []string) error { // where flags stand before the verb; else see asHook
			h.app, h.event = *a, args[0]
			h.do(cmd.InOrStdin(), a.out)
			return nil
		},
	}
	c.Flags().StringVar(&h.host, "host", config.CaptureHosts[0], "the program that calls: "+strings.Join(config.CaptureHosts, ", "))
	return c
}

const (
	// After hookBeats a hook ends though its host has sent nothing, and after hookDisk more though the disk has not taken the event.
	// Beats are counted, so that a machine on which a thousand hooks run at once, and each of them seldom, does not end them too early.
	hookBeats = 50
	hookDisk  = 500
	hookBeat  = 10 * time.Millisecond
	// hookInput is how much of its input a hook reads.
	hookInput = 4 << 20
)

// asHook does a hook's work where the arguments ask for it, in a small part of the time that all verbs need to be made. A host is never
// told of an error: it could not mend anything, and might stop.
func asHook(args []string, stdin io.Reader, stdout io.Writer) bool {
	if len(args) == 0 {
		args = bareHook(stdin)
	}
	if len(args) < 2 || args[0] != "hook" || slices.Contains(args, "--help") || slices.Contains(args, "-h") {
		return false
	}
	newHook(args).do(stdin, stdout)
	return true
}

// bareHook gives the arguments of a hook where the program was started without any and what it is sent is a hook's input; else nil. Claude
// Code before version 2.1.139 knows no arguments of a hook's command.
func bareHook(stdin io.Reader) []string {
	f, ok := stdin.(*os.File)
	if !ok {
		return nil
	}
	if info, err := f.Stat(); err != nil || info.Mode()&os.ModeCharDevice != 0 {
		return nil
	}
	read := make(chan []string, 1)
	go func() {
		var raw json.RawMessage
		var p payload
		_ = json.NewDecoder(io.LimitReader(f, hookInput)).Decode(&raw)
		_ = json.Unmarshal(raw, &p)
		if event := hosts.HookOf(config.CaptureHosts[0], p.Event); event != "" {
			read <- []string{"hook", event, string(raw)}
		} else {
			read <- nil
		}
	}()
	select {
	case args := <-read:
		return args
	case <-time.After(hookBeats * hookBeat):
		return nil
	}
}

// hook is one call.
type hook struct {
	app
	event, host string
	input       string // as an argument, from programs that give it so
	began       time.Time
}

// do notes the event and answers, within the limit.
func (h *hook) do(stdin io.Reader, stdout io.Writer) {
	// A program that we ask as a model runs hooks as well, and a setup by another version may name others.
	if os.Getenv(llm.InsideEnv) != "" || !slices.Contains(hookEvents, h.event) {
		return
	}
	said, noting := make(chan string, 1), make(chan struct{})
	go func() { said <- h.run(stdin, func() { close(noting) }) }()
	for left := hookBeats; left > 0; left-- {
		select {
		case text := <-said:
			_, _ = io.WriteString(stdout, text)
			return
		case <-noting:
			left, noting = hookDisk, nil
		case <-time.After(hookBeat):
		}
	}
}

// newHook reads the arguments, and leaves out those that it does not know.
func newHook(args []string) *hook {
	h := &hook{event: args[1], host: config.CaptureHosts[0], began: time.Now()}
	known := map[string]*string{
		"--host": &h.host, "--vault": &h.flag.vault, "--data-dir": &h.flag.dataDir, "--config": &h.flag.config, "--workspace": &h.flag.workspace,
	}
	for i := 2; i < len(args); i++ {
		name, value, joined := strings.Cut(args[i], "=")
		into := known[name]
		switch {
		case strings.HasPrefix(args[i], "{"):
			h.input = args[i]
		case into == nil:
		case joined:
			*into = value
		case i+1 < len(args):
			i++
			*into = args[i]
		}
	}
	return h
}

// payload is what hosts report, as far as it is needed. Codex CLI's older notifications spell it their own way.
type payload struct {
	Session    string `json:"session_id"`
	Transcript string `json:"transcript_path"`
	Dir        string `json:"cwd"`
	Event      string `json:"hook_event_name"`
	Prompt     string `json:"prompt"`
	Thread     string `json:"thread-id"`
}

// run notes the event, and returns what the host is to read. run calls noting once, when it has read its input, and not where that is none.
func (h *hook) run(stdin io.Reader, noting func()) string {
	c, err := h.settings()
	if err != nil {
		return ""
	}
	var p payload
	if h.input != "" {
		err = json.Unmarshal([]byte(h.input), &p)
	} else {
		err = json.NewDecoder(io.LimitReader(stdin, hookInput)).Decode(&p) // the first value: some hosts leave the pipe open
	}
	if err != nil {
		return ""
	}
	noting()
	if c.Capture.Enabled && slices.Contains(c.Capture.Hosts, h.host) {
		h.note(c, p)
	}
	ctx, cancel := context.WithDeadline(context.Background(), h.began.Add(c.Hooks.Answer.Duration()))
	defer cancel()
	switch {
	case h.event == "session-start" && c.Hooks.Brief:
		return h.say(h.brief(ctx, c, p))
	case h.event == "prompt" && c.Hooks.PromptHits > 0:
		return h.say(h.hits(ctx, c, p))
	case h.event == "pre-compact" && c.Hooks.Compact && h.host == config.CaptureHosts[0]: // it takes plain text into how it shortens
		return h.keep(ctx, c, p)
	}
	return ""
}

// note writes the event into the spool of a vault that is there.
func (h *hook) note(c config.Config, p payload) {
	w, err := c.Workspace(h.flag.workspace)
	if err != nil {
		return
	}
	if _, err := os.Stat(w.Vault); err != nil {
		return
	}
	if p.Transcript != "" {
		if p.Transcript, err = filepath.Abs(expandHome(p.Transcript)); err != nil {
			return
		}
	}
	// An error leaves the event to the daemon's look at the folders.
	_ = spool.Append(capture.SpoolDir(w.DataDir), spool.Event{
		Event: h.event, Host: h.host, At: h.began.UTC(), Session: cmp.Or(p.Session, p.Thread), Transcript: p.Transcript, Dir: p.Dir,
	})
}

// say is a text as hosts take it into the conversation; "" for none.
func (h *hook) say(text string) string {
	if text == "" {
		return ""
	}
	event := cmp.Or(hosts.EventName(h.host, h.event), hosts.EventName(config.CaptureHosts[0], h.event))
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(map[string]any{"hookSpecificOutput": map[string]string{"hookEventName": event, "additionalContext": text}}) != nil {
		return ""
	}
	return b.String()
}

// daemon is the one that runs, and the project that the assistant works in. What isolates the project is known to the daemon before
// anything is asked for it.
func (h *hook) daemon(ctx context.Context, c config.Config, p payload) (cl *client, of api.Project, err error) {
	if cl, err = h.running(ctx, c); err != nil {
		return nil, of, err
	}
	if p.Dir == "" {
		return cl, api.Project{}, nil
	}
	dir, err := filepath.Abs(p.Dir)
	if err == nil {
		of, err = operations.Project.Ask(ctx, cl, api.Folder{Folder: dir})
	}
	return cl, of, err
}

// brief is what is new since the assistant's last visit to the project: "" where the daemon does not tell it in time.
func (h *hook) brief(ctx context.Context, c config.Config, p payload) string {
	cl, of, err := h.daemon(ctx, c, p)
	if err != nil {
		return ""
	}
	hint := ""
	if of.Hint != "" {
		hint = "Reverie: " + of.Hint
	}
	res, err := operations.Brief.Ask(ctx, cl, api.Brief{Wing: of.Wing, Agent: h.host})
	if err != nil || len(res.Rows) == 0 && res.Dreams == 0 {
		return hint
	}
	return strings.TrimSpace(res.Text + "\n" + hint)
}

// keep is what of the memory is to be kept when the context is shortened: "" where the daemon does not tell it in time.
func (h *hook) keep(ctx context.Context, c config.Config, p payload) string {
	cl, of, err := h.daemon(ctx, c, p)
	if err != nil {
		return ""
	}
	res, err := operations.SessionContext.Ask(ctx, cl, api.SessionContext{Wing: of.Wing, Agent: h.host, TextOnly: true})
	if err != nil || res.Text == "" {
		return ""
	}
	return "Keep in the summary what was said about these memories of Reverie:\n" + res.Text + "\n"
}

// hits are what the words of a prompt find, of what may be told to who did not ask.
func (h *hook) hits(ctx context.Context, c config.Config, p payload) string {
	cl, of, err := h.daemon(ctx, c, p)
	prompt := []rune(strings.TrimSpace(p.Prompt))
	if err != nil || len(prompt) == 0 {
		return ""
	}
	res, err := operations.Search.Ask(ctx, cl, api.Search{
		Query: string(prompt[:min(len(prompt), 1000)]), K: 3 * c.Hooks.PromptHits, Wing: of.Wing, Agent: h.host,
		Flags: map[string]any{"vector": false},
	})
	if err != nil {
		return ""
	}
	lines := hitLines(res.Hits, c.Hooks.PromptHits)
	if len(lines) == 0 {
		return ""
	}
	return extract.Fence(strings.Join(lines, "\n"))
}

// hitLines are a line each of the first hits that may be told to who did not ask: no text twice, with its origin, day and place.
func hitLines(hits []api.Hit, most int) (lines []string) {
	told := map[string]bool{}
	for _, hit := range hits {
		origin := vault.Origin(hit.Origin)
		line := oneLine(hit.Text, 300)
		if len(lines) == most || told[line] || trust.Bar(trust.Said{
			Text: hit.Text, Origin: origin, Speaker: hit.Speaker, Loose: hit.Unsourced,
		}, trust.Context) != "" {
			continue
		}
		told[line] = true
		if label := trust.Label(origin); label != "" {
			line = "[" + label + "] " + line
		}
		day, _, _ := strings.Cut(hit.Date, "T")
		where := []string{day}
		if file := oneLine(hit.SourceFile, 500); trust.Bar(trust.Said{Text: file}, trust.Beside) == "" {
			where = append(where, fmt.Sprintf("%s:%d", file, hit.Line))
		}
		if where := strings.Trim(strings.Join(where, ", "), ", "); where != "" {
			line += " (" + where + ")"
		}
		lines = append(lines, "- "+line)
	}
	return lines
}

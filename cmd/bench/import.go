package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/pprof"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/operations"
	"github.com/reverie-memory/reverie/server"
	"github.com/reverie-memory/reverie/vault"
	"github.com/reverie-memory/reverie/workspace"
)

// runImport measures what the verb import takes, a process of its own, with the daemon in this one.
func runImport(ctx context.Context, args []string) (err error) {
	f := flag.NewFlagSet("import", flag.ContinueOnError)
	program := f.String("reverie", "bin/reverie", "the program")
	messages := f.Int("messages", 100_000, "how many messages the export has")
	data := f.String("data", "", "folder of *.turns.jsonl, whose texts the messages have, again and again; none: made-up words")
	profile := f.String("profile", "", "file for a profile of the daemon's processor time, for go tool pprof")
	if err := f.Parse(args); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "bench-import")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	export := filepath.Join(dir, "export.jsonl")
	said, err := wordsOf(*data)
	if err != nil {
		return err
	}
	if err := writeExport(export, *messages, said); err != nil {
		return err
	}
	if _, err := vault.Init(filepath.Join(dir, "vault"), workspace.Template()); err != nil {
		return err
	}
	m, err := openReady(ctx, dir, config.Default())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.Close(context.WithoutCancel(ctx))) }()
	stop, err := daemonOf(ctx, dir, m)
	if err != nil {
		return err
	}
	defer stop()
	if *profile != "" {
		to, err := os.Create(*profile)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, to.Close()) }()
		if err := pprof.StartCPUProfile(to); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	return importMeasured(ctx, m, *program, dir, export)
}

// importMeasured runs the verb and prints what it took.
func importMeasured(ctx context.Context, m *operations.Memory, program, dir, export string) error {
	cmd := exec.CommandContext(ctx, program, "import", export, "--json", "--vault", filepath.Join(dir, "vault"), "--data-dir",
		filepath.Join(dir, "data"), "--config", filepath.Join(dir, "settings.toml"))
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, os.Stderr
	if err := os.WriteFile(filepath.Join(dir, "settings.toml"), nil, 0o600); err != nil {
		return err
	}
	used, began := cpuTime(), time.Now()
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("reverie import: %w: %s", err, out.String())
	}
	told, daemon := time.Since(began), cpuTime()-used
	if err := m.Index.Settle(ctx); err != nil {
		return err
	}
	indexed, all := time.Since(began), cpuTime()-used
	var r struct{ Messages, Facts int }
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		return fmt.Errorf("read the report of the import: %w", err)
	}
	client := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	line := func(what string, clock, used time.Duration) {
		fmt.Printf("%-13s %7.2f s, %5.0f messages/s; processor time of daemon and client %6.2f s, %5.0f messages/s\n", what, clock.Seconds(),
			float64(r.Messages)/clock.Seconds(), (used + client).Seconds(), float64(r.Messages)/(used+client).Seconds())
	}
	fmt.Printf("%d messages, %d facts\n", r.Messages, r.Facts)
	line("acknowledged", told, daemon)
	line("indexed", indexed, all)
	fmt.Printf("client %.2f s of processor time; peak memory of the daemon %.0f MB\n", client.Seconds(), memory("VmHWM:"))
	return nil
}

// daemonOf serves a memory as the daemon of its data folder, where the verbs look for it.
func daemonOf(ctx context.Context, dir string, m *operations.Memory) (stop func(), err error) {
	at := config.RealPath(filepath.Join(dir, "vault"))
	s := server.New(server.Options{
		Addr: "127.0.0.1:0", Operations: operations.All,
		Tenants: []server.Tenant{{Name: config.DefaultWorkspace, Token: benchToken, Vault: at, Memory: *m}},
	})
	if err := s.Open(ctx); err != nil {
		return nil, err
	}
	stop = func() { _ = s.Close(context.WithoutCancel(ctx)) }
	info, err := json.Marshal(map[string]any{"addr": s.Addr(), "vaults": map[string]string{config.DefaultWorkspace: at}})
	data := filepath.Join(dir, "data")
	err = cmp.Or(err, os.WriteFile(filepath.Join(data, vault.DaemonFile), info, 0o600),
		os.WriteFile(filepath.Join(data, config.TokenName), []byte(benchToken), 0o600))
	if err != nil {
		stop()
	}
	return stop, err
}

// wordsOf gives the text of each message, by its number: what was said in the conversations of a folder, or sentences of made-up words,
// of which some tell a fact.
func wordsOf(dir string) (func(n int) string, error) {
	if dir == "" {
		c := newCorpus(7)
		return func(n int) string {
			if n%8 == 0 {
				return fmt.Sprintf("My sister %s moved to %s. %s", title(c.word()), title(c.word()), c.fact())
			}
			return c.fact()
		}, nil
	}
	all, err := loadConversations(dir, 0)
	var texts []string
	for _, c := range all {
		for _, t := range c.Turns {
			texts = append(texts, t.Text)
		}
	}
	return func(n int) string { return fmt.Sprintf("%s (%d)", texts[n%len(texts)], n/len(texts)+1) }, err
}

// writeExport writes conversations of a person and an assistant in the form of one message a line, so many messages a day.
func writeExport(name string, messages int, said func(n int) string) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(file)
	out, roles := json.NewEncoder(w), []string{"user", "assistant"}
	day := time.Date(2025, 1, 1, 6, 0, 0, 0, time.UTC)
	for n := range messages {
		at := day.AddDate(0, 0, n/drawersPerDay).Add(time.Duration(n%drawersPerDay) * 2 * time.Minute)
		line := map[string]any{
			"conversation": fmt.Sprintf("chat%d", n/messagesPerChat), "session": 1, "role": roles[n%2], "text": said(n),
			"turn_datetime": at.Format(time.RFC3339), "dia_id": fmt.Sprintf("D%d", n),
		}
		if err := out.Encode(line); err != nil {
			return errors.Join(err, file.Close())
		}
	}
	return errors.Join(w.Flush(), file.Close())
}

// title begins a word as names do.
func title(word string) string { return strings.ToUpper(word[:1]) + word[1:] }

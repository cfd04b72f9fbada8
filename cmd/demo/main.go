// Command demo shows Reverie's main job in a vault of its own: a conversation goes in, a person edits a page, questions
// are answered with their sources, the index is proven equal to the files, a dream makes pages of it all and is taken back, and an
// assistant's program asks over the Model Context Protocol.
//
// Demo drives the real program as a newcomer would, and fails when an answer is wrong.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"github.com/reverie-memory/reverie/api"
)

func main() {
	program := flag.String("reverie", "bin/reverie", "the program to show")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	// A reader that has seen enough, such as `| head`, must not leave the daemon behind.
	signal.Ignore(syscall.SIGPIPE)
	if err := run(ctx, *program); err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

// demo is one show: a temporary folder, the daemon in it, and a way to reach it.
type demo struct {
	program     string
	vault, data string
	env         []string
	base, token string
	daemon      *exec.Cmd
	dreamt      api.DreamDetail
}

func run(ctx context.Context, program string) (err error) {
	program, err = filepath.Abs(program)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "reverie-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	d := &demo{program: program, vault: filepath.Join(dir, "vault"), data: filepath.Join(dir, "data")}
	// The person's own settings must not leak into the show.
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "REVERIE_") {
			d.env = append(d.env, kv)
		}
	}
	d.env = append(d.env, "REVERIE_VAULT="+d.vault, "REVERIE_DATA_DIR="+d.data, "REVERIE_ADDR=127.0.0.1:0", "XDG_CONFIG_HOME="+dir)
	d.env = append(d.env, "REVERIE_CONSOLIDATION_ENABLED=false") // the show dreams when it comes to that, and not before

	if err := d.start(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.stop()) }()
	for _, step := range []func(context.Context) error{
		d.converse, d.showLog, d.edit, d.ask, d.verify, d.dream, d.showPage,
		d.showMemory, d.undo, d.assistant,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return d.next(ctx)
}

func title(format string, args ...any) {
	fmt.Printf("\n== %s\n\n", fmt.Sprintf(format, args...))
}

// shell runs the program as a person types it, and shows what it prints.
func (d *demo) shell(ctx context.Context, args ...string) (string, error) {
	shown := make([]string, len(args))
	for i, a := range args {
		if shown[i] = a; strings.ContainsAny(a, " '?") {
			shown[i] = fmt.Sprintf("%q", a)
		}
	}
	fmt.Printf("$ reverie %s\n", strings.Join(shown, " "))
	out, err := d.output(ctx, args...)
	fmt.Print(out)
	return out, err
}

func (d *demo) output(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, d.program, args...)
	cmd.Env = d.env
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, os.Stderr
	if err := cmd.Run(); err != nil {
		return out.String(), fmt.Errorf("reverie %s: %w", args[0], err)
	}
	return out.String(), nil
}

func (d *demo) start(ctx context.Context) error {
	title("1. A vault is a folder of Markdown; the daemon keeps an index of it")
	if _, err := d.shell(ctx, "init"); err != nil {
		return err
	}
	fmt.Println("$ reverie serve")
	d.daemon = exec.Command(d.program, "serve")
	d.daemon.Env = d.env
	var log bytes.Buffer
	d.daemon.Stderr = &log
	out, err := d.daemon.StdoutPipe()
	if err != nil {
		return err
	}
	if err := d.daemon.Start(); err != nil {
		return err
	}
	s := bufio.NewScanner(out)
	if !s.Scan() {
		_ = d.daemon.Wait()
		return fmt.Errorf("the daemon did not start:\n%s", log.String())
	}
	fmt.Println(s.Text())
	d.base = strings.TrimPrefix(s.Text(), "listening on ")
	token, err := os.ReadFile(filepath.Join(d.data, "token"))
	d.token = strings.TrimSpace(string(token))
	return err
}

// stop ends the daemon as a service manager would.
func (d *demo) stop() error {
	if runtime.GOOS == "windows" {
		_ = d.daemon.Process.Kill()
		_ = d.daemon.Wait()
		return nil
	}
	if err := d.daemon.Process.Signal(os.Interrupt); err != nil {
		return err
	}
	if err := d.daemon.Wait(); err != nil {
		return fmt.Errorf("the daemon did not end cleanly: %w", err)
	}
	return nil
}

func (d *demo) post(ctx context.Context, path string, in, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, d.base+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+d.token)
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 300 {
		var problem map[string]any
		_ = json.NewDecoder(resp.Body).Decode(&problem)
		return fmt.Errorf("%s: %s: %v", path, resp.Status, problem["detail"])
	}
	return json.NewDecoder(resp.Body).Decode(out)
}

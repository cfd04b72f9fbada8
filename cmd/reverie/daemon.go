package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/config"
)

// daemonInfo is the content of daemon.json.
type daemonInfo struct {
	PID     int    `json:"pid"`
	Addr    string `json:"addr"`
	Version string `json:"version"`
}

const daemonFile = "daemon.json"

func readDaemon(dataDir string) (daemonInfo, error) {
	var d daemonInfo
	data, err := os.ReadFile(filepath.Join(dataDir, daemonFile))
	if err != nil {
		return d, err
	}
	return d, json.Unmarshal(data, &d)
}

// startLimit is how long a verb waits for the daemon that it started.
const startLimit = 20 * time.Second

// joinLimit is how long a verb waits for a vault that somebody else holds: as long as whoever is starting the daemon does.
const joinLimit = startLimit

// memory gives the verbs their workspace: the daemon's, which is started where none runs, or with
// --no-daemon one in this process. done must be called at the end.
func (a *app) memory(ctx context.Context) (m memory, done func() error, err error) {
	c, err := a.settings()
	if err != nil {
		return nil, nil, err
	}
	if a.flag.noDaemon {
		return a.inProcess(ctx, c)
	}
	cl, err := a.connect(ctx, c)
	if err != nil {
		return nil, nil, err
	}
	return cl, func() error { cl.http.CloseIdleConnections(); return nil }, nil
}

// ask does one thing with the workspace and lets go of it.
func ask[T any](ctx context.Context, a *app, fn func(context.Context, memory) (T, error)) (T, error) {
	m, done, err := a.memory(ctx)
	if err != nil {
		var none T
		return none, err
	}
	r, err := fn(ctx, m)
	return r, errors.Join(err, done())
}

// connect finds the running daemon of the vault or starts it.
func (a *app) connect(ctx context.Context, c config.Config) (*client, error) {
	cl, err := a.running(ctx, c)
	if err == nil {
		return cl, nil
	}
	var noEntry *codeError
	if errors.As(err, &noEntry) {
		return nil, err // it runs, and another one would not help
	}
	if _, err := os.Stat(c.Vault); errors.Is(err, os.ErrNotExist) {
		return nil, &codeError{exitNotFound, fmt.Errorf("there is no vault at %s; make one with `reverie init --vault %s`", c.Vault, c.Vault)}
	}
	return a.startOrJoin(ctx, c)
}

// startOrJoin starts the daemon. Where the vault is held, somebody else is just starting one, or the last one
// is just ending: both are waited for.
func (a *app) startOrJoin(ctx context.Context, c config.Config) (*client, error) {
	deadline := time.Now().Add(joinLimit)
	for pause := 100 * time.Millisecond; ; pause = min(2*pause, time.Second) { // each try costs the machine a process
		addr, err := a.start(ctx, c)
		if err == nil {
			token, err := a.token(c)
			return newClient(addr, token, a.flag.workspace), err
		}
		var coded *codeError
		if !errors.As(err, &coded) || coded.code != exitInUse || time.Now().After(deadline) {
			return nil, err
		}
		if cl, err := a.running(ctx, c); err == nil {
			return cl, nil
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// running returns a client of the daemon that daemon.json names, if it answers. Where it does and there is
// no token for it, the error is a *codeError.
func (a *app) running(ctx context.Context, c config.Config) (*client, error) {
	d, err := readDaemon(c.DataDir)
	if err != nil {
		return nil, err
	}
	cl := newClient(d.Addr, "", a.flag.workspace)
	if !cl.alive(ctx) {
		return nil, fmt.Errorf("no daemon answers at %s", d.Addr)
	}
	var coded *codeError
	if cl.token, err = a.token(c); err != nil && !errors.As(err, &coded) {
		err = &codeError{exitFailed, err}
	}
	return cl, err
}

// token reads the token of the workspace that the flags name.
func (a *app) token(c config.Config) (string, error) {
	w, err := c.Workspace(a.flag.workspace)
	if err != nil {
		return "", &codeError{exitUsage, err}
	}
	return readToken(w.TokenFile)
}

// executable finds this program; tests, where it is part of another one, say otherwise.
var executable = os.Executable

// start runs `reverie serve` as a process of its own and waits for the line that tells its address.
func (a *app) start(ctx context.Context, c config.Config) (addr string, err error) {
	exe, err := executable()
	if err != nil {
		return "", fmt.Errorf("find this program: %w", err)
	}
	if err := makePrivateDir(c.DataDir); err != nil {
		return "", err
	}
	logPath := filepath.Join(c.DataDir, "daemon.log")
	logFile, err := os.OpenFile(logPath, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return "", fmt.Errorf("open the daemon's log: %w", err)
	}
	defer logFile.Close()
	cmd := exec.Command(exe, "serve", "--any-port", "--vault", c.Vault, "--data-dir", c.DataDir, "--addr", c.Server.Addr)
	for flag, v := range map[string]string{"--config": a.flag.config, "--token-file": a.flag.tokenFile} {
		if v != "" {
			cmd.Args = append(cmd.Args, flag, v)
		}
	}
	cmd.Stderr = logFile
	cmd.SysProcAttr = detached()
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", fmt.Errorf("start the daemon: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return "", fmt.Errorf("start the daemon: %w", err)
	}
	line := make(chan string, 1)
	go func() {
		s := bufio.NewScanner(out)
		s.Scan()
		line <- s.Text()
	}()
	timer := time.NewTimer(startLimit)
	defer timer.Stop()
	select {
	case l := <-line:
		if addr, ok := strings.CutPrefix(l, listening); ok {
			return addr, cmd.Process.Release()
		}
		return "", a.startFailed(cmd, logPath)
	case <-timer.C:
		return "", fmt.Errorf("the daemon did not come up in %s; its log is %s", startLimit, logPath)
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// startFailed passes on what the daemon said before it ended, and its exit code.
func (a *app) startFailed(cmd *exec.Cmd, logPath string) error {
	err := cmd.Wait()
	said, _ := os.ReadFile(logPath)
	code := exitFailed
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() > 0 {
		code = exit.ExitCode()
	}
	return &codeError{code, fmt.Errorf("the daemon did not start:\n%s", strings.TrimSpace(string(said)))}
}

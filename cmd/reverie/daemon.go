package main

import (
	"bufio"
	"cmp"
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
	"github.com/reverie-memory/reverie/durable"
	"github.com/reverie-memory/reverie/vault"
)

// daemonInfo is the content of daemon.json.
type daemonInfo struct {
	PID     int               `json:"pid"`
	Addr    string            `json:"addr"`
	Version string            `json:"version"`
	Vaults  map[string]string `json:"vaults"` // workspace → its vault, without links in the path
}

func readDaemon(dataDir string) (daemonInfo, error) {
	var d daemonInfo
	data, err := os.ReadFile(filepath.Join(dataDir, vault.DaemonFile))
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
		return a.openHere(ctx, c)
	}
	cl, err := a.connect(ctx, c)
	if err != nil {
		return nil, nil, err
	}
	return cl, func() error { cl.http.CloseIdleConnections(); return nil }, nil
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
		err := a.start(ctx, c)
		if err == nil {
			return a.running(ctx, c)
		}
		var coded *codeError
		if !errors.As(err, &coded) || coded.code != exitInUse {
			return nil, err
		}
		cl, asked := a.running(ctx, c)
		if asked == nil {
			return cl, nil
		}
		if w, werr := c.Workspace(a.flag.workspace); werr == nil && w.Vault == c.Vault {
			if err := elsewhere(w.Vault, w.DataDir); err != nil { // which no waiting changes
				return nil, err
			}
		}
		if time.Now().After(deadline) {
			return nil, fmt.Errorf("%w\nand it cannot be asked: %w; where that is a daemon of an older version, end its process once", err, asked)
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// running returns a client of the daemon that daemon.json names, if it answers and proves that it knows the token. Where
// a daemon runs that cannot serve what the flags ask for, the error is a *codeError.
func (a *app) running(ctx context.Context, c config.Config) (*client, error) {
	set, err := c.Workspace(a.flag.workspace)
	if err != nil {
		return nil, &codeError{exitUsage, err}
	}
	d, err := readDaemon(c.DataDir)
	if err != nil {
		return nil, err
	}
	name := cmp.Or(a.flag.workspace, config.DefaultWorkspace)
	served, ok := d.Vaults[name]
	if !ok { // the settings have changed since it started; it has a token of the default workspace
		set, _ = c.Workspace(config.DefaultWorkspace)
		name = config.DefaultWorkspace
	}
	token, err := readToken(set.TokenFile)
	if err != nil {
		if h, held := holder(set.DataDir); held {
			if errors.Is(err, os.ErrNotExist) { // nobody can prove anything to the daemon any more, and it takes no other token
				err = stuck(h.PID, c, fmt.Errorf("the daemon (process %d) runs with a token that is gone: %w", h.PID, err))
			}
			err = &codeError{exitFailed, err}
		}
		return nil, err
	}
	cl := newClient(d, token, name)
	if err := cl.alive(ctx); err != nil {
		return nil, err
	}
	switch {
	case !ok:
		err := fmt.Errorf("the daemon that runs does not serve workspace %s", a.flag.workspace)
		return nil, &hintError{
			&codeError{exitFailed, err},
			"the settings have changed since it started: `reverie stop`, and the next verb starts it anew",
		}
	case !config.SameFolder(served, set.Vault):
		err := fmt.Errorf("the daemon that keeps its data in %s serves the vault %s, not %s", c.DataDir, served, set.Vault)
		return nil, &hintError{&codeError{exitInUse, err}, "give each vault a data folder of its own: leave out --data-dir, or name another one"}
	}
	return cl, nil
}

// elsewhere is the error of a vault whose daemon keeps its data in another folder than this one; nil where it does not, or nobody knows.
func elsewhere(dir, dataDir string) error {
	shown := func(folder string) string { // --data-dir names the folder above that of the default workspace
		if filepath.Base(folder) == config.DefaultWorkspace {
			return filepath.Dir(folder)
		}
		return folder
	}
	h := vault.HolderOf(dir)
	if h.PID == 0 || h.Data == "" || config.SameFolder(h.Data, dataDir) {
		return nil
	}
	return &hintError{
		&codeError{exitInUse, fmt.Errorf("the vault %s is served by process %d, which keeps its data in %s, not in %s", dir, h.PID,
			shown(h.Data), shown(dataDir))},
		fmt.Sprintf("leave out --data-dir (and REVERIE_DATA_DIR), or ask that daemon with --data-dir %s; `reverie stop --data-dir %[1]s` ends it",
			shown(h.Data)),
	}
}

// holder tells which process has a data folder, if any.
func holder(dataDir string) (vault.LockInfo, bool) {
	if _, err := os.Stat(dataDir); err != nil {
		return vault.LockInfo{}, false
	}
	l, err := vault.AcquireData(dataDir, vault.LockInfo{})
	if err == nil {
		err = l.Release()
	}
	var held *vault.HeldError
	if errors.As(err, &held) {
		return held.LockInfo, true
	}
	return vault.LockInfo{}, false
}

// inUse tells whether a program holds the vault.
func inUse(dir string) bool {
	l, err := vault.Acquire(dir, vault.LockInfo{})
	if err == nil {
		err = l.Release()
	}
	return errors.As(err, new(*vault.HeldError))
}

// executable finds this program; tests, where it is part of another one, say otherwise.
var executable = os.Executable

// daemonLog is the file of what the daemon that this program started last had to say.
func daemonLog(c config.Config) string { return filepath.Join(c.DataDir, "daemon.log") }

// start runs `reverie serve` as a process of its own and waits for the line that says it accepts requests.
func (a *app) start(ctx context.Context, c config.Config) error {
	exe, err := executable()
	if err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	a.register(c)
	if err := durable.MkdirAll(c.DataDir, 0o700); err != nil {
		return fmt.Errorf("make the data folder: %w", err)
	}
	logPath := daemonLog(c)
	logFile, err := os.OpenFile(logPath, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return fmt.Errorf("open the daemon's log: %w", err)
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
		return fmt.Errorf("start the daemon: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start the daemon: %w", err)
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
		if strings.HasPrefix(l, listening) {
			return cmd.Process.Release()
		}
		return a.startFailed(cmd, logPath)
	case <-timer.C:
		return fmt.Errorf("the daemon did not come up in %s; its log is %s", startLimit, logPath)
	case <-ctx.Done():
		return ctx.Err()
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
	why := strings.TrimSpace(string(said))
	if at := strings.LastIndex("\n"+why, "\nreverie: "); at >= 0 { // what it logged before is no reason
		why = strings.TrimPrefix(why[at:], "reverie: ")
	}
	return &codeError{code, fmt.Errorf("the daemon did not start: %s", why)}
}

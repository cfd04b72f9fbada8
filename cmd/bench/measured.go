package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/operations"
	"github.com/reverie-memory/reverie/workspace"
)

// openMeasured opens the vault of dir, with its data folder beside it, as the daemon would. The caller closes the workspace.
func openMeasured(ctx context.Context, dir string, cfg config.Config) (*operations.Memory, error) {
	return openAt(ctx, dir, cfg, nil)
}

// openAt is openMeasured with a clock of searches; nil is time.Now.
func openAt(ctx context.Context, dir string, cfg config.Config, now func() time.Time) (*operations.Memory, error) {
	models, err := workspace.NewModels(cfg)
	if err != nil {
		return nil, err
	}
	w := &operations.Memory{Workspace: workspace.New(workspace.Options{
		Name: "bench", Vault: filepath.Join(dir, "vault"), DataDir: filepath.Join(dir, "data"), Config: cfg, Models: models, Now: now,
		Log: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})),
	})}
	if err := w.Open(ctx); err != nil {
		return nil, err
	}
	return w, nil
}

// openReady is openMeasured of a vault whose files are indexed when it returns.
func openReady(ctx context.Context, dir string, cfg config.Config) (*operations.Memory, error) {
	w, err := openMeasured(ctx, dir, cfg)
	if err != nil {
		return nil, err
	}
	if err := w.Follower.WaitReady(ctx); err != nil {
		return nil, errors.Join(err, w.Close(context.WithoutCancel(ctx)))
	}
	return w, nil
}

// inChildren runs the phases of a hidden verb over one new folder, each in a process of its own so that its memory is measured
// clean, and reads the JSON that each prints into figures.
func inChildren(ctx context.Context, figures any, verb string, phases []string, args ...string) error {
	dir, err := os.MkdirTemp("", "reverie-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	for _, phase := range phases {
		cmd := exec.CommandContext(ctx, exe, append([]string{verb, "-phase", phase, "-dir", dir}, args...)...)
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, os.Stderr
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("%s %v: %s: %w", verb, args, phase, err)
		}
		if err := json.Unmarshal(out.Bytes(), figures); err != nil {
			return fmt.Errorf("read the figures of %s: %w", phase, err)
		}
	}
	return nil
}

// machine names what figures were measured on.
func machine() string {
	name := ""
	if data, err := os.ReadFile("/proc/cpuinfo"); err == nil { // on Linux
		if _, rest, ok := strings.Cut(string(data), "model name"); ok {
			line, _, _ := strings.Cut(rest, "\n")
			_, model, _ := strings.Cut(line, ":")
			name = strings.TrimSpace(model) + ", "
		}
	}
	return fmt.Sprintf("%s%s/%s, %d cores, %s", name, runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version())
}

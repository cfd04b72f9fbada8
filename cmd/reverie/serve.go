package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/durable"
	"github.com/reverie-memory/reverie/mine"
	"github.com/reverie-memory/reverie/op"
	"github.com/reverie-memory/reverie/operations"
	"github.com/reverie-memory/reverie/redact"
	"github.com/reverie-memory/reverie/server"
	"github.com/reverie-memory/reverie/vault"
	"github.com/reverie-memory/reverie/workspace"
)

const listening = "listening on http://"

func (a *app) serveCmd() *cobra.Command {
	var anyPort bool
	c := &cobra.Command{
		Use:   "serve",
		Short: "Run the daemon of a vault",
		Long: `Serve runs the daemon until it gets SIGTERM or SIGINT. Once it accepts requests it prints one line
"listening on http://127.0.0.1:PORT" to standard output; logs go to standard error.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := a.settings()
			if err != nil {
				return err
			}
			return a.serve(cmd.Context(), cfg, anyPort)
		},
	}
	c.Flags().BoolVar(&anyPort, "any-port", false, "take a free port where the address is taken")
	return c
}

// serve opens in the order workspaces, server and closes in the reverse, so that every request that
// was accepted finds what it needs.
func (a *app) serve(ctx context.Context, c config.Config, anyPort bool) (err error) {
	log, err := a.logger(c)
	if err != nil {
		return err
	}
	for _, w := range c.Warnings {
		log.Warn(w)
	}
	models, err := workspace.NewModels(c)
	if err != nil {
		return &codeError{exitUsage, err}
	}
	a.register(c)
	var tenants []server.Tenant
	var opened []*workspace.Workspace
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var end time.Time // one limit for everything that ends, counted from the signal
	defer func() {
		if end.IsZero() {
			end = time.Now().Add(c.Server.ShutdownTimeout.Duration())
		}
		closing, cancel := context.WithDeadline(context.Background(), end)
		defer cancel()
		for _, w := range slices.Backward(opened) {
			err = errors.Join(err, w.Close(closing))
		}
	}()
	for _, name := range c.WorkspaceNames() {
		w, set, err := a.workspace(c, name, models, log, true)
		if err != nil {
			return err
		}
		if err := w.Open(ctx); err != nil {
			return err
		}
		opened = append(opened, w)
		own := slices.Contains([]string{c.DataDir, set.DataDir}, filepath.Dir(set.TokenFile))
		token, err := makeToken(set.TokenFile, own, log) // not before the vault is ours
		if err != nil {
			return err
		}
		if i := slices.IndexFunc(tenants, func(t server.Tenant) bool { return t.Token == token }); i >= 0 {
			return usageError("workspaces %s and %s have the same token; give one of them another token_file, or remove %s for a new token",
				tenants[i].Name, name, set.TokenFile)
		}
		tenants = append(tenants, server.Tenant{
			Name: name, Token: token, Vault: config.RealPath(set.Vault),
			Memory: operations.Memory{Workspace: w},
		})
		if name == config.DefaultWorkspace {
			tenants[len(tenants)-1].Stop = stop
		}
	}
	srv, err := listen(ctx, server.Options{
		Addr: c.Server.Addr, Version: version, Operations: operations.All, AllTools: c.Server.Tools == "all", Tenants: tenants, Log: log,
		BodyLimit: c.Server.BodyLimit, ReadTimeout: c.Server.ReadTimeout.Duration(), Timeout: c.Server.RequestTimeout.Duration(),
	}, anyPort)
	if err != nil {
		return err
	}
	info := daemonInfo{PID: os.Getpid(), Addr: srv.Addr(), Version: version, Vaults: map[string]string{}}
	for _, t := range tenants {
		info.Vaults[t.Name] = t.Vault
	}
	for _, w := range opened {
		if err := w.Listening(srv.Addr()); err != nil {
			log.Warn("the vault's lock does not name the address", "err", err)
		}
	}
	if err := writeJSON(filepath.Join(c.DataDir, vault.DaemonFile), info); err != nil {
		return errors.Join(err, srv.Close(ctx))
	}
	fmt.Fprintf(a.out, "%s%s\n", listening, srv.Addr())
	<-ctx.Done()
	log.Info("shutting down")
	_ = os.Remove(filepath.Join(c.DataDir, vault.DaemonFile)) // while the data folder is ours: later it could be another daemon's
	end = time.Now().Add(c.Server.ShutdownTimeout.Duration())
	closing, cancel := context.WithDeadline(context.Background(), end)
	defer cancel()
	return srv.Close(closing)
}

// listen binds the server; where allowed, a taken port is exchanged for a free one.
func listen(ctx context.Context, opt server.Options, anyPort bool) (*server.Server, error) {
	srv := server.New(opt)
	err := srv.Open(ctx)
	if err == nil || errors.Is(err, server.ErrNotLoopback) {
		return srv, err
	}
	if !anyPort {
		return nil, &hintError{
			fmt.Errorf("%w (%s)", err, portHolder(opt.Addr)),
			"name another address, such as --addr 127.0.0.1:0 for any free port, or let --any-port choose one where it is taken",
		}
	}
	host, _, splitErr := net.SplitHostPort(opt.Addr)
	if splitErr != nil {
		return nil, err
	}
	opt.Log.Info("the address is taken, using a free port", "addr", opt.Addr)
	opt.Addr = net.JoinHostPort(host, "0")
	srv = server.New(opt)
	return srv, srv.Open(ctx)
}

// portHolder tells who listens at an address, as far as our own daemons are known.
func portHolder(addr string) string {
	known, _ := config.LoadVaults()
	for _, k := range known.Known {
		if h, held := holder(filepath.Join(k.DataDir, config.DefaultWorkspace)); held && h.Addr == addr {
			return fmt.Sprintf("there listens the daemon of %s, process %d", k.Path, h.PID)
		}
	}
	return "no daemon of a vault that `reverie vaults` lists"
}

// workspace prepares a workspace of the settings. schedule: dreams begin by themselves.
func (a *app) workspace(c config.Config, name string, models *workspace.Models, log *slog.Logger,
	schedule bool,
) (*workspace.Workspace, config.Workspace, error) {
	set, err := c.Workspace(name)
	if err != nil {
		return nil, set, &codeError{exitUsage, err}
	}
	exe, err := executable()
	if err != nil {
		return nil, set, fmt.Errorf("find this program: %w", err)
	}
	return workspace.New(workspace.Options{
		Name: name, Vault: set.Vault, DataDir: set.DataDir, Config: c, Models: models, Log: log.With("workspace", name), Version: version,
		PDF: []string{exe, mine.PDFVerb}, Schedule: schedule,
	}), set, nil
}

// openHere opens the workspace here, under the same lock that a daemon would hold.
func (a *app) openHere(ctx context.Context, c config.Config) (memory, func() error, error) {
	log, err := a.logger(c)
	if err != nil {
		return nil, nil, err
	}
	models, err := workspace.NewModels(c)
	if err != nil {
		return nil, nil, &codeError{exitUsage, err}
	}
	name := a.flag.workspace
	name = cmp.Or(name, config.DefaultWorkspace)
	a.register(c)
	w, _, err := a.workspace(c, name, models, log, false)
	if err != nil {
		return nil, nil, err
	}
	if err := w.Open(ctx); err != nil {
		return nil, nil, err
	}
	closing := func() error {
		end, cancel := context.WithTimeout(context.Background(), c.Server.ShutdownTimeout.Duration())
		defer cancel()
		return w.Close(end)
	}
	if err := w.Follower.WaitReady(ctx); err != nil {
		return nil, nil, errors.Join(err, closing())
	}
	return inProcess{operations.Memory{Workspace: w}}, closing, nil
}

// inProcess is a memory in this process.
type inProcess struct{ operations.Memory }

// Call implements op.Caller.
func (p inProcess) Call(ctx context.Context, o op.Operation, input []byte, into any) error {
	out, err := o.Run(ctx, p.Memory, input)
	if err != nil {
		return err
	}
	return op.Put(out, into)
}

func (a *app) logger(c config.Config) (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(c.Log.Level)); err != nil {
		return nil, usageError("log.level %q: want debug, info, warn or error", c.Log.Level)
	}
	var w io.Writer = a.err
	opts := &slog.HandlerOptions{Level: level, ReplaceAttr: redactAttr}
	if c.Log.Format == "json" {
		return slog.New(slog.NewJSONHandler(w, opts)), nil
	}
	return slog.New(slog.NewTextHandler(w, opts)), nil
}

// redactAttr keeps secrets out of the log: what an error or a path repeats may hold one.
func redactAttr(_ []string, a slog.Attr) slog.Attr {
	switch a.Value.Kind() {
	case slog.KindString, slog.KindAny:
		if clean, found := redact.Redact(a.Value.String()); len(found) > 0 {
			a.Value = slog.StringValue(clean)
		}
	}
	return a
}

// writeJSON replaces a file of the data dir, never leaving half of it.
func writeJSON(path string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if err := durable.WriteFile(path, append(data, '\n'), 0o600); err != nil {
		return fmt.Errorf("write %s: %w", filepath.Base(path), err)
	}
	return nil
}

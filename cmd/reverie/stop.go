package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/server"
)

// stopMargin is how much longer than its own limit `reverie stop` gives a daemon to end.
const stopMargin = 5 * time.Second

func (a *app) stopCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "stop",
		Short: "Stop the running daemon",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := a.settings()
			if err != nil {
				return err
			}
			a.flag.workspace = "" // a daemon ends as a whole
			d, err := a.stop(cmd.Context(), c)
			if err != nil {
				return err
			}
			return a.tell(d, func() { a.print("stopped the daemon with process id %d\n", d.PID) })
		},
	}
}

// stop asks the daemon to end and waits until it has let go of its data folder. A process id is never signalled: after a
// crash it may be somebody else's.
func (a *app) stop(ctx context.Context, c config.Config) (api.Stopping, error) {
	set, err := c.Workspace(config.DefaultWorkspace)
	if err != nil {
		return api.Stopping{}, err
	}
	cl, err := a.running(ctx, c)
	var other *codeError
	if errors.As(err, &other) {
		return api.Stopping{}, err
	}
	if err != nil {
		if h, held := holder(set.DataDir); held {
			return api.Stopping{}, stuck(h.PID, c, fmt.Errorf("process %d has the data folder but cannot be asked: %w", h.PID, err))
		}
		return api.Stopping{}, &codeError{exitNotFound, errors.New("no daemon of this vault is running")}
	}
	limit := c.Server.ShutdownTimeout.Duration() + stopMargin
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	d, err := server.Stop.Ask(ctx, cl, api.Nothing{})
	if err != nil {
		return d, err
	}
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		if _, held := holder(set.DataDir); !held {
			return d, nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return d, stuck(d.PID, c, fmt.Errorf("the daemon (process %d) has not ended in %s", d.PID, limit))
			}
			return d, ctx.Err()
		}
	}
}

// stuck says what to do about a daemon that does not end.
func stuck(pid int, c config.Config, err error) error {
	hint := fmt.Sprintf("what was acknowledged is on disk: end process %d by hand; its log is %s", pid, daemonLog(c))
	return &hintError{err, hint}
}

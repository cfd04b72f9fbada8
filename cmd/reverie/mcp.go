package main

import (
	"context"
	"errors"
	"net"
	"os"
	"sync"

	"github.com/spf13/cobra"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/llm"
	"github.com/reverie-memory/reverie/mcp"
	"github.com/reverie-memory/reverie/op"
	"github.com/reverie-memory/reverie/operations"
)

func (a *app) mcpCmd() *cobra.Command {
	var tools string
	c := &cobra.Command{
		Use:   "mcp",
		Short: "Serve an assistant over standard input and output",
		Long: `Mcp speaks the Model Context Protocol over its standard streams, and ends when standard input does. Assistants start it
themselves. It answers their handshake at once, and asks the daemon, which it starts where none runs, when a tool is first called.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if tools != "core" && tools != "all" {
				return usageError("--tools %q: want core or all", tools)
			}
			if os.Getenv(llm.InsideEnv) != "" { // its prompt holds what others wrote: it must not be able to change the memory
				return errors.New("the memory is not served to a program that Reverie itself asks as a model")
			}
			dir, err := os.Getwd()
			if err != nil {
				return err
			}
			m := &sharedMemory{open: func() (memory, func() error, error) { return a.memory(cmd.Context()) }}
			defer func() { err = errors.Join(err, m.close()) }()
			s := mcp.New(mcp.Options{
				Version: version, Operations: operations.All, All: tools == "all", Memory: m,
				Wing: func(ctx context.Context) (string, error) {
					p, err := operations.Project.Ask(ctx, m, api.Folder{Folder: dir})
					return p.Wing, err
				},
			})
			return s.ServeLines(cmd.Context(), cmd.InOrStdin(), a.out)
		},
	}
	c.Flags().StringVar(&tools, "tools", "core", "core: the tools that most need; all: every operation")
	return c
}

// sharedMemory is a workspace that is opened when it is first asked for, by callers that share it.
type sharedMemory struct {
	open func() (memory, func() error, error) // goes on until the program ends: nobody who calls ends for the others what one of them began

	mu  sync.Mutex
	now *opening // nil: to be opened
}

// opening is a memory that is being opened, or is open when ready is closed.
type opening struct {
	ready  chan struct{}
	memory memory
	done   func() error
	err    error
}

// Call implements op.Caller. A daemon that is gone, of which nothing was asked yet, is looked for or started anew, once.
func (s *sharedMemory) Call(ctx context.Context, o op.Operation, input []byte, into any) error {
	for again := true; ; again = false {
		now := s.get()
		select {
		case <-now.ready:
		case <-ctx.Done():
			return ctx.Err()
		}
		if now.err != nil {
			s.drop(now) // the next call tries anew
			return &api.Error{Code: api.CodeOf(now.err), Detail: now.err.Error(), Hint: hintOf(now.err), Err: now.err}
		}
		err := now.memory.Call(ctx, o, input, into)
		if !again || !unreached(err) {
			return err
		}
		s.drop(now)
	}
}

// unreached tells whether a request failed before anything of it was sent.
func unreached(err error) bool {
	var dial *net.OpError
	return errors.Is(err, errNotProven) || errors.As(err, &dial) && dial.Op == "dial"
}

// get begins to open the memory, unless somebody has.
func (s *sharedMemory) get() *opening {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.now == nil {
		now := &opening{ready: make(chan struct{})}
		go func() {
			defer close(now.ready)
			now.memory, now.done, now.err = s.open()
		}()
		s.now = now
	}
	return s.now
}

// drop lets go of a memory that turned out to be of no use.
func (s *sharedMemory) drop(now *opening) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.now == now {
		s.now = nil
		_ = now.close()
	}
}

// close lets go of the memory.
func (s *sharedMemory) close() error {
	s.mu.Lock()
	now := s.now
	s.mu.Unlock()
	if now == nil {
		return nil
	}
	<-now.ready
	return now.close()
}

func (o *opening) close() error {
	if o.done == nil {
		return nil
	}
	return o.done()
}

package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/mcp"
	"github.com/reverie-memory/reverie/op"
)

// Memory is what the server itself asks of a workspace; its operations get it as it is.
type Memory interface {
	Status(ctx context.Context) (api.Status, error)
	// Events sends what happens until ctx ends; a slow reader loses events, never holds up the writer.
	Events(ctx context.Context) <-chan api.Event
	// Ready is nil once questions are answered.
	Ready() error
}

// A Tenant is a workspace and the token that opens it, and only it.
type Tenant struct {
	Name   string
	Token  string
	Vault  string // its path, as clients know it; see Proof
	Stop   func() // asks the daemon to end; nil where the token may not
	Memory Memory
}

// Options are the server's settings. Zero limits take the defaults named.
type Options struct {
	Addr    string // host:port; the host must be a loopback address
	Version string
	Tenants []Tenant
	// Operations are those of a workspace.
	Operations []op.Operation
	AllTools   bool  // at /mcp every operation is a tool, else those that are op.Spec.Core
	BodyLimit  int64 // bytes; 16 MiB
	// ReadTimeout is how long the head of a request, and then its body, may take to arrive; 30 s.
	ReadTimeout time.Duration
	Timeout     time.Duration // of one request whose operation is op.Brief; 60 s
	Grace       time.Duration // that Close leaves to requests before it cancels them; 1 s
	Log         *slog.Logger
}

// Server serves HTTP. [New] prepares it, Open binds and starts it, Close drains it.
type Server struct {
	opt     Options
	log     *slog.Logger
	http    *http.Server
	ln      net.Listener
	metrics *metrics
	served  chan struct{}

	// Open sets both: drain ends the wait for bodies that are on their way, stop ends every request.
	drain, stop context.CancelFunc
}

// ErrNotLoopback refuses an address that other machines could reach.
var ErrNotLoopback = errors.New("the address is not a loopback address")

// New returns a server that listens on nothing yet.
func New(opt Options) *Server {
	opt.BodyLimit = cmp.Or(opt.BodyLimit, 16<<20)
	opt.ReadTimeout = cmp.Or(opt.ReadTimeout, 30*time.Second)
	opt.Timeout = cmp.Or(opt.Timeout, 60*time.Second)
	opt.Grace = cmp.Or(opt.Grace, time.Second)
	opt.Log = cmp.Or(opt.Log, slog.New(slog.DiscardHandler))
	return &Server{opt: opt, log: opt.Log, served: make(chan struct{})}
}

// Open binds the address, so that a busy port is an error and not a log line, and then serves in the background.
func (s *Server) Open(ctx context.Context) error {
	host, _, err := net.SplitHostPort(s.opt.Addr)
	if err != nil {
		return fmt.Errorf("address %q: %w", s.opt.Addr, err)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return fmt.Errorf("listen on %q: %w", s.opt.Addr, ErrNotLoopback)
	}
	if s.ln, err = (&net.ListenConfig{}).Listen(ctx, "tcp", s.opt.Addr); err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	// Requests outlive the call of Open, so neither context descends from the caller's.
	draining, drain := context.WithCancel(context.Background())
	requests, stop := context.WithCancel(context.Background())
	s.drain, s.stop = drain, stop
	s.http = &http.Server{
		Handler:           s.handler(draining),
		ReadHeaderTimeout: s.opt.ReadTimeout,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
		BaseContext:       func(net.Listener) context.Context { return requests },
	}
	go func() {
		defer close(s.served)
		if err := s.http.Serve(s.ln); !errors.Is(err, http.ErrServerClosed) {
			s.log.Error("serving stopped", "err", err)
		}
	}()
	return nil
}

// Addr is the address that was bound; valid after Open.
func (s *Server) Addr() string { return s.ln.Addr().String() }

// Close stops accepting and waits for the requests that run: for the grace as they are, then cancelled, and when ctx ends it cuts
// them off, which is an error. A body that is still on its way is not waited for.
func (s *Server) Close(ctx context.Context) error {
	if s.http == nil {
		return nil
	}
	s.drain()
	// Event streams never end by themselves, and a dream would take too long.
	s.metrics.closeStreams()
	grace, cancel := context.WithTimeout(ctx, s.opt.Grace)
	defer cancel()
	err := s.http.Shutdown(grace)
	s.stop()
	if err != nil {
		err = s.http.Shutdown(ctx)
	}
	if err != nil {
		err = errors.Join(fmt.Errorf("finish requests: %w", err), s.http.Close())
	}
	<-s.served
	return err
}

// Handler is everything the server serves, checks included, for tests that need no connection.
func (s *Server) Handler() http.Handler { return s.handler(context.Background()) }

// handler waits for the body of a request until draining ends.
func (s *Server) handler(draining context.Context) http.Handler {
	useProblems()
	s.metrics = newMetrics(s.opt.Tenants)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { writeText(w, http.StatusOK, "ok\n") })
	mux.HandleFunc("GET /readyz", s.ready)
	mux.HandleFunc("GET /proof", s.prove)
	mux.HandleFunc("GET /metrics", s.metrics.serve)
	s.register(humago.New(mux, s.apiConfig()))
	mux.Handle("POST /mcp", mcp.New(mcp.Options{
		Version: s.opt.Version, Operations: s.opt.Operations, All: s.opt.AllTools, Memory: tenants{s}, Log: s.log,
	}).Handler())
	return s.guard(s.metrics.count(routed(mux, s.limit(draining, mux))))
}

func (s *Server) apiConfig() huma.Config {
	return huma.Config{
		OpenAPI: &huma.OpenAPI{
			OpenAPI: "3.1.0",
			Info: &huma.Info{
				Title: "Reverie", Version: s.opt.Version,
				Description: "Long-term memory for AI assistants, over a folder of Markdown that a person owns.",
			},
			Components: &huma.Components{
				Schemas: op.NewRegistry(),
				SecuritySchemes: map[string]*huma.SecurityScheme{"token": {
					Type: "http", Scheme: "bearer",
					Description: "The content of the token file.",
				}},
			},
			Security: []map[string][]string{{"token": {}}},
		},
		OpenAPIPath:   "/openapi",
		Formats:       map[string]huma.Format{"application/json": huma.DefaultJSONFormat, "json": huma.DefaultJSONFormat},
		DefaultFormat: "application/json",
	}
}

func (s *Server) ready(w http.ResponseWriter, _ *http.Request) {
	for _, t := range s.opt.Tenants {
		if err := t.Memory.Ready(); err != nil {
			writeProblem(w, &Problem{Status: http.StatusServiceUnavailable, Detail: err.Error()})
			return
		}
	}
	writeText(w, http.StatusOK, "ready\n")
}

func writeText(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text))
}

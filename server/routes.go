package server

import (
	"context"
	"net/http"
	"os"

	"github.com/danielgtaylor/huma/v2"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/op"
)

// register declares every route of the API. The OpenAPI document comes from here.
func (s *Server) register(a huma.API) {
	for _, o := range s.opt.Operations {
		o.Mount(a, s.serve)
	}
	Stop.Mount(a, s.serve)
	s.registerEvents(a)
}

// serve does a request with the workspace that its token opens; see [op.Serve].
func (s *Server) serve(ctx context.Context, about op.Spec, do func(context.Context, any) error) error {
	done := func() {}
	switch about.Wait {
	case op.Brief:
		ctx, done = context.WithTimeout(ctx, s.opt.Timeout)
	case op.Loose:
		ctx, done = s.metrics.stream(ctx)
	}
	defer done()
	return problem(do(ctx, tenant(ctx)))
}

// tenants asks the workspace that the token of a request opens.
type tenants struct{ *Server }

// Call implements op.Caller; ctx is that of the request.
func (t tenants) Call(ctx context.Context, o op.Operation, input []byte, into any) error {
	return t.serve(ctx, o.About(), func(ctx context.Context, memory any) error {
		out, err := o.Run(ctx, memory, input)
		if err != nil {
			return err
		}
		return op.Put(out, into)
	})
}

// Stop ends the daemon, and is the one operation that is not a workspace's.
var Stop = &op.Op[api.Nothing, api.Stopping]{
	Spec: op.Spec{
		Name: "stop", Method: http.MethodPost, Path: "/daemon/stop", Status: http.StatusAccepted, Idempotent: true,
		Summary: "Stop the daemon; the default workspace's token is needed",
	},
	Do: func(ctx context.Context, _ any, _ api.Nothing) (api.Stopping, error) {
		t := caller(ctx)
		if t.Stop == nil {
			return api.Stopping{}, &api.Error{Code: api.Forbidden, Detail: "this token may not stop the daemon"}
		}
		t.Stop()
		return api.Stopping{PID: os.Getpid()}, nil
	},
}

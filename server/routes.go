package server

import (
	"context"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/reverie-memory/reverie/api"
)

type in[T any] struct{ Body T }

type out[T any] struct {
	Status int
	Body   T
}

// slow is for requests that wait for long work; their client decides how long.
const slow = 0

// register declares every route of the API. The OpenAPI document comes from here.
func (s *Server) register(a huma.API) {
	post(s, a, "remember", "/memory/turns", "Remember a conversation turn", http.StatusAccepted, s.opt.Timeout,
		func(ctx context.Context, t api.Turn) (api.TurnResult, int, error) {
			r, err := tenant(ctx).Remember(ctx, t)
			return r, http.StatusAccepted, err
		})
	post(s, a, "facts", "/memory/facts", "Write facts into the daily logs", http.StatusCreated, s.opt.Timeout,
		func(ctx context.Context, f api.Facts) (api.FactsResult, int, error) {
			r, err := tenant(ctx).WriteFacts(ctx, f)
			return r, http.StatusCreated, err
		})
	post(s, a, "forget", "/memory/forget", "Forget by ids, query or conversation", http.StatusOK, s.opt.Timeout,
		func(ctx context.Context, f api.Forget) (api.ForgetResult, int, error) {
			r, err := tenant(ctx).Forget(ctx, f)
			return r, http.StatusOK, err
		})
	post(s, a, "unforget", "/memory/unforget", "Take back what was forgotten and not purged", http.StatusOK, s.opt.Timeout,
		func(ctx context.Context, u api.Unforget) (api.UnforgetResult, int, error) {
			r, err := tenant(ctx).Unforget(ctx, u)
			return r, http.StatusOK, err
		})
	get(a, "forgettings", "/memory/forgettings", "List what was forgotten and may be taken back", func(ctx context.Context, _ *struct{}) (api.Forgettings, error) {
		return tenant(ctx).Forgettings(ctx)
	})
	post(s, a, "search", "/memory/search", "Find what is known about a question", http.StatusOK, s.opt.Timeout,
		func(ctx context.Context, q api.Search) (api.SearchResult, int, error) {
			r, err := tenant(ctx).Search(ctx, q)
			return r, http.StatusOK, err
		})
	post(s, a, "context", "/memory/context", "Build a block of memory to put before a conversation", http.StatusOK, s.opt.Timeout,
		func(ctx context.Context, c api.Context) (api.ContextResult, int, error) {
			r, err := tenant(ctx).Context(ctx, c)
			return r, http.StatusOK, err
		})
	post(s, a, "reindex", "/memory/reindex", "Rebuild the index from the files", http.StatusAccepted, slow,
		func(ctx context.Context, r api.Reindex) (api.Reindexed, int, error) {
			j, err := tenant(ctx).Reindex(ctx, r)
			if !r.Wait {
				return api.Reindexed{JobID: j.ID}, http.StatusAccepted, err
			}
			return api.Reindexed{JobID: j.ID, ID: j.ID, Kind: j.Kind, State: j.State, Done: j.Done, Total: j.Total, Unit: j.Unit, Error: j.Error}, http.StatusOK, err
		})
	also200(a, "/memory/reindex")
	post(s, a, "verify", "/memory/verify", "Compare the index with a rebuild from the files", http.StatusOK, slow,
		func(ctx context.Context, _ nothing) (api.VerifyResult, int, error) {
			r, err := tenant(ctx).Verify(ctx)
			return r, http.StatusOK, err
		})
	get(a, "status", "/memory/status", "Describe the workspace", func(ctx context.Context, _ *struct{}) (api.Status, error) {
		return tenant(ctx).Status(ctx)
	})
	get(a, "usage", "/memory/usage", "Tell what models cost", func(ctx context.Context, _ *struct{}) (api.Usage, error) {
		return tenant(ctx).Usage(ctx)
	})
	get(a, "job", "/memory/jobs/{id}", "Describe a job", func(ctx context.Context, j *api.JobQuery) (api.Job, error) {
		return tenant(ctx).Job(ctx, *j)
	})
	post(s, a, "stop", "/daemon/stop", "Stop the daemon; the default workspace's token is needed", http.StatusAccepted, s.opt.Timeout,
		func(ctx context.Context, _ nothing) (api.Stopping, int, error) {
			if s.opt.Stop == nil || !caller(ctx).Owner {
				return api.Stopping{}, 0, &Problem{Status: http.StatusForbidden, Title: http.StatusText(http.StatusForbidden), Detail: "this token may not stop the daemon"}
			}
			s.opt.Stop()
			return api.Stopping{PID: os.Getpid()}, http.StatusAccepted, nil
		})
	s.registerDreams(a)
	s.registerEvents(a)
}

// nothing is an empty object.
type nothing struct{}

func post[I, O any](s *Server, a huma.API, id, path, summary string, status int, limit time.Duration, fn func(context.Context, I) (O, int, error)) {
	op := huma.Operation{
		OperationID: id, Method: http.MethodPost, Path: path, Summary: summary, DefaultStatus: status,
		MaxBodyBytes: s.opt.BodyLimit, BodyReadTimeout: -1, // both are held before, see readBody
	}
	defer bodyMayLack(a, path)
	huma.Register(a, op, func(ctx context.Context, req *in[I]) (*out[O], error) {
		if limit > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, limit)
			defer cancel()
		}
		o, status, err := fn(ctx, req.Body)
		if err != nil {
			return nil, problem(err)
		}
		return &out[O]{Status: status, Body: o}, nil
	})
}

// also200 tells in the OpenAPI document that the answer may come with status 200 as well as with its usual one.
func also200(a huma.API, path string) {
	op := a.OpenAPI().Paths[path].Post
	op.Responses["200"] = op.Responses[strconv.Itoa(op.DefaultStatus)]
}

// bodyMayLack tells in the OpenAPI document that a request without a body is taken for {}.
func bodyMayLack(a huma.API, path string) {
	a.OpenAPI().Paths[path].Post.RequestBody.Required = false
}

func get[I, O any](a huma.API, id, path, summary string, fn func(context.Context, *I) (O, error)) {
	op := huma.Operation{OperationID: id, Method: http.MethodGet, Path: path, Summary: summary}
	huma.Register(a, op, func(ctx context.Context, req *I) (*out[O], error) {
		o, err := fn(ctx, req)
		if err != nil {
			return nil, problem(err)
		}
		return &out[O]{Status: http.StatusOK, Body: o}, nil
	})
}

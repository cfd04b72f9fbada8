package server

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/reverie-memory/reverie/api"
)

// registerDreams declares the routes of consolidation.
func (s *Server) registerDreams(a huma.API) {
	post(s, a, "consolidate", "/memory/consolidate", "Consolidate the daily logs into pages; cancelled when the client goes away", http.StatusOK, slow,
		func(ctx context.Context, c api.Consolidate) (api.Consolidation, int, error) {
			// A dream may take minutes; the end of the daemon does not wait for it.
			ctx, done := s.metrics.stream(ctx)
			defer done()
			r, err := tenant(ctx).Consolidate(ctx, c)
			return r, http.StatusOK, err
		})
	get(a, "dreams", "/memory/dreams", "List the dreams, the newest first", func(ctx context.Context, p *api.Page) (api.DreamRuns, error) {
		return tenant(ctx).Dreams(ctx, *p)
	})
	get(a, "dream", "/memory/dreams/{id}", "Tell what a dream changed and what became of each fact", func(ctx context.Context, d *api.DreamQuery) (api.DreamDetail, error) {
		return tenant(ctx).Dream(ctx, *d)
	})
	undo := huma.Operation{OperationID: "dreamUndo", Method: http.MethodPost, Path: "/memory/dreams/{id}/undo", Summary: "Take a dream back"}
	huma.Register(a, undo, func(ctx context.Context, d *api.DreamRun) (*out[api.UndoResult], error) {
		r, err := tenant(ctx).UndoDream(ctx, *d)
		if err != nil {
			return nil, problem(err)
		}
		return &out[api.UndoResult]{Status: http.StatusOK, Body: r}, nil
	})
	post(s, a, "dreamCancel", "/memory/dreams/cancel", "Stop the dream that runs; nothing is lost", http.StatusOK, s.opt.Timeout,
		func(ctx context.Context, _ nothing) (api.DreamCancelled, int, error) {
			r, err := tenant(ctx).CancelDream(ctx)
			return r, http.StatusOK, err
		})
	get(a, "lint", "/memory/lint", "Look for what is wrong with the wiki", func(ctx context.Context, p *api.LongPage) (api.LintResult, error) {
		return tenant(ctx).Lint(ctx, *p)
	})
}

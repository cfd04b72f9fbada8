package server

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/reverie-memory/reverie/api"
)

// latest names the newest run in a path.
const latest = "latest"

type paged struct {
	Limit  int `query:"limit" default:"50" minimum:"1" maximum:"1000"`
	Offset int `query:"offset" default:"0" minimum:"0"`
}

type longPaged struct {
	Limit  int `query:"limit" default:"1000" minimum:"1" maximum:"10000" doc:"Of each list."`
	Offset int `query:"offset" default:"0" minimum:"0"`
}

type dreamShown struct {
	longPaged
	ID   string `path:"id" maxLength:"100" doc:"A run, or latest."`
	Fact string `query:"fact" maxLength:"100" doc:"Only what became of this fact; latest is then the newest run that read it."`
}

type dreamUndo struct {
	ID string `path:"id" maxLength:"100" doc:"A run, or latest."`
}

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
	get(a, "dreams", "/memory/dreams", "List the dreams, the newest first", func(ctx context.Context, p *paged) (api.DreamRuns, error) {
		return tenant(ctx).Dreams(ctx, p.Offset, p.Limit)
	})
	get(a, "dream", "/memory/dreams/{id}", "Tell what a dream changed and what became of each fact", func(ctx context.Context, d *dreamShown) (api.DreamDetail, error) {
		return tenant(ctx).Dream(ctx, runOf(d.ID), api.DreamQuery{Fact: d.Fact, Offset: d.Offset, Limit: d.Limit})
	})
	undo := huma.Operation{OperationID: "dreamUndo", Method: http.MethodPost, Path: "/memory/dreams/{id}/undo", Summary: "Take a dream back"}
	huma.Register(a, undo, func(ctx context.Context, d *dreamUndo) (*out[api.UndoResult], error) {
		r, err := tenant(ctx).UndoDream(ctx, runOf(d.ID))
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
	get(a, "lint", "/memory/lint", "Look for what is wrong with the wiki", func(ctx context.Context, p *longPaged) (api.LintResult, error) {
		return tenant(ctx).Lint(ctx, p.Offset, p.Limit)
	})
}

func runOf(id string) string {
	if id == latest {
		return ""
	}
	return id
}

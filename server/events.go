package server

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/sse"

	"github.com/reverie-memory/reverie/api"
)

// Huma names an event by its Go type.
type (
	writeEvent  api.Event
	indexEvent  api.Event
	dreamEvent  api.Event
	jobEvent    api.Event
	memoryEvent api.MemoryEvent
	pingEvent   struct {
		At string `json:"at"`
	}
)

// pingEvery keeps the stream's path open and finds clients that are gone.
const pingEvery = 15 * time.Second

func (s *Server) registerEvents(a huma.API) {
	op := huma.Operation{
		OperationID: "events", Method: http.MethodGet, Path: "/memory/events",
		Summary: "Stream what happens, as server-sent events",
	}
	kinds := map[string]any{
		"write": writeEvent{}, "index": indexEvent{}, "dream": dreamEvent{}, "job": jobEvent{}, "memory": memoryEvent{},
		"ping": pingEvent{},
	}
	sse.Register(a, op, kinds, func(ctx context.Context, _ *struct{}, send sse.Sender) {
		ctx, done := s.metrics.stream(ctx)
		defer done()
		events := tenant(ctx).Events(ctx)
		ping := time.NewTicker(pingEvery)
		defer ping.Stop()
		if send.Data(pingEvent{At: now()}) != nil {
			return
		}
		for {
			var err error
			select {
			case <-ctx.Done():
				return
			case <-ping.C:
				err = send.Data(pingEvent{At: now()})
			case e, ok := <-events:
				if !ok {
					return
				}
				err = send.Data(typed(e))
			}
			if err != nil {
				return
			}
		}
	})
}

func typed(e api.Event) any {
	if e.Memory != nil {
		return memoryEvent(*e.Memory)
	}
	switch e.Kind {
	case "write":
		return writeEvent(e)
	case "index":
		return indexEvent(e)
	case "dream":
		return dreamEvent(e)
	}
	return jobEvent(e)
}

func now() string { return time.Now().UTC().Format(time.RFC3339) }

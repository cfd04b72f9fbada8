package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/reverie-memory/reverie/api"
)

func (c *client) Consolidate(ctx context.Context, r api.Consolidate) (api.Consolidation, error) {
	return post[api.Consolidation](ctx, c, "/memory/consolidate", r)
}

func (c *client) Dreams(ctx context.Context, p api.Page) (r api.DreamRuns, err error) {
	err = c.call(ctx, http.MethodGet, "/memory/dreams?"+pageOf(p.Offset, p.Limit).Encode(), nil, &r)
	return r, err
}

func (c *client) Dream(ctx context.Context, q api.DreamQuery) (d api.DreamDetail, err error) {
	v := pageOf(q.Offset, cmp.Or(q.Limit, api.DreamLimit))
	if q.Fact != "" {
		v.Set("fact", q.Fact)
	}
	err = c.call(ctx, http.MethodGet, dreamPath(q.ID)+"?"+v.Encode(), nil, &d)
	return d, err
}

func (c *client) UndoDream(ctx context.Context, r api.DreamRun) (api.UndoResult, error) {
	return post[api.UndoResult](ctx, c, dreamPath(r.ID)+"/undo", struct{}{})
}

func (c *client) CancelDream(ctx context.Context) (api.DreamCancelled, error) {
	return post[api.DreamCancelled](ctx, c, "/memory/dreams/cancel", struct{}{})
}

func (c *client) Lint(ctx context.Context, p api.LongPage) (r api.LintResult, err error) {
	err = c.call(ctx, http.MethodGet, "/memory/lint?"+pageOf(p.Offset, p.Limit).Encode(), nil, &r)
	return r, err
}

// dreamPath names a run in a path; "" is the newest.
func dreamPath(run string) string { return "/memory/dreams/" + url.PathEscape(cmp.Or(run, "latest")) }

func pageOf(offset, limit int) url.Values {
	return url.Values{"offset": {strconv.Itoa(offset)}, "limit": {strconv.Itoa(limit)}}
}

// Events streams what happens from now until ctx ends. A stream that cannot be had is an empty one: it only shows progress.
func (c *client) Events(ctx context.Context) <-chan api.Event {
	out := make(chan api.Event, 16)
	resp, err := c.stream(ctx) // the daemon answers when it has begun to listen
	if err != nil {
		close(out)
		return out
	}
	go func() {
		defer close(out)
		defer resp.Body.Close()
		s := bufio.NewScanner(resp.Body)
		s.Buffer(nil, 1<<20)
		for s.Scan() {
			data, ok := strings.CutPrefix(s.Text(), "data:")
			var e api.Event
			if !ok || json.Unmarshal([]byte(data), &e) != nil || e.Kind == "" {
				continue
			}
			select {
			case out <- e:
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}

func (c *client) stream(ctx context.Context) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base()+"/memory/events", nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+c.token)
	return c.http.Do(req)
}

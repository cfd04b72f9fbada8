package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/server"
)

// client talks to a daemon. It has the methods of memory.
type client struct {
	base, token, workspace string
	http                   *http.Client
}

func newClient(addr, token, workspace string) *client {
	// No proxy: the daemon is on this machine, and the token must not leave it.
	return &client{
		base: "http://" + addr, token: token, workspace: workspace,
		http: &http.Client{Transport: &http.Transport{Proxy: nil, MaxIdleConnsPerHost: 64, IdleConnTimeout: time.Minute}},
	}
}

// call sends one request. A problem+json answer comes back as *server.Problem.
func (c *client) call(ctx context.Context, method, path string, body, into any) error {
	var r io.Reader
	if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			return fmt.Errorf("encode the request: %w", err)
		}
		r = bytes.NewReader(data)
	}
	req, err := http.NewRequestWithContext(ctx, method, c.base+path, r)
	if err != nil {
		return fmt.Errorf("ask the daemon: %w", err)
	}
	req.Header.Set("Authorization", "Bearer "+c.token)
	req.Header.Set("Content-Type", "application/json")
	if c.workspace != "" {
		req.Header.Set("Reverie-Workspace", c.workspace)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return fmt.Errorf("ask the daemon: %w", err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		return fmt.Errorf("read the daemon's answer: %w", err)
	}
	if resp.StatusCode >= 400 {
		var p server.Problem
		if json.Unmarshal(data, &p) != nil || p.Status == 0 {
			return fmt.Errorf("the daemon answered %s", resp.Status)
		}
		return &p
	}
	if err := json.Unmarshal(data, into); err != nil {
		return fmt.Errorf("read the daemon's answer: %w", err)
	}
	return nil
}

func post[O any](ctx context.Context, c *client, path string, body any) (O, error) {
	var o O
	err := c.call(ctx, http.MethodPost, path, body, &o)
	return o, err
}

func (c *client) Remember(ctx context.Context, t api.Turn) (api.TurnResult, error) {
	return post[api.TurnResult](ctx, c, "/memory/turns", t)
}

func (c *client) WriteFacts(ctx context.Context, f api.Facts) (api.FactsResult, error) {
	return post[api.FactsResult](ctx, c, "/memory/facts", f)
}

func (c *client) Forget(ctx context.Context, f api.Forget) (api.ForgetResult, error) {
	return post[api.ForgetResult](ctx, c, "/memory/forget", f)
}

func (c *client) Search(ctx context.Context, s api.Search) (api.SearchResult, error) {
	return post[api.SearchResult](ctx, c, "/memory/search", s)
}

func (c *client) Context(ctx context.Context, q api.Context) (api.ContextResult, error) {
	return post[api.ContextResult](ctx, c, "/memory/context", q)
}

func (c *client) Status(ctx context.Context) (s api.Status, err error) {
	err = c.call(ctx, http.MethodGet, "/memory/status", nil, &s)
	return s, err
}

// Reindex always starts the job and returns; waiting is done by asking for it, which shows progress.
func (c *client) Reindex(ctx context.Context, r api.Reindex) (api.Job, error) {
	r.Wait = false
	ref, err := post[api.JobRef](ctx, c, "/memory/reindex", r)
	if err != nil {
		return api.Job{}, err
	}
	return c.Job(ref.JobID)
}

func (c *client) Verify(ctx context.Context) (api.VerifyResult, error) {
	return post[api.VerifyResult](ctx, c, "/memory/verify", struct{}{})
}

func (c *client) Usage(ctx context.Context) (u api.Usage, err error) {
	err = c.call(ctx, http.MethodGet, "/memory/usage", nil, &u)
	return u, err
}

func (c *client) Job(id string) (j api.Job, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	err = c.call(ctx, http.MethodGet, "/memory/jobs/"+id, nil, &j)
	return j, err
}

// alive tells whether a daemon answers at the address. Where none listens that is known at once; the limit is for one that is busy.
func (c *client) alive(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+"/healthz", nil)
	if err != nil {
		return false
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return false
	}
	resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}

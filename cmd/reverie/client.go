package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/server"
)

// client talks to a daemon. It has the methods of memory.
type client struct {
	daemon           daemonInfo
	token, workspace string
	http             *http.Client
}

func newClient(d daemonInfo, token, workspace string) *client {
	c := &client{daemon: d, token: token, workspace: workspace}
	// No proxy: the daemon is on this machine, and the token must not leave it.
	c.http = &http.Client{Transport: &http.Transport{Proxy: nil, DialContext: c.dial, MaxIdleConnsPerHost: 64, IdleConnTimeout: time.Minute}}
	return c
}

// dial opens a connection over which the daemon has proven itself. Every connection is: the address of a daemon that has
// crashed is anybody's, and the token must not be sent there.
func (c *client) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	if err := c.challenge(ctx, conn); err != nil {
		_ = conn.Close()
		return nil, fmt.Errorf("what answers at %s does not prove that it is the daemon of this vault: %v", addr, err) // its words are nobody's: no error to act on
	}
	return conn, nil
}

// proofLimit is how long a daemon may take to prove itself; it may be busy.
const proofLimit = 5 * time.Second

// challenge asks for a proof that whoever is at the other end knows the token.
func (c *client) challenge(ctx context.Context, conn net.Conn) error {
	nonce := make([]byte, server.NonceSize)
	_, _ = rand.Read(nonce)
	q := url.Values{"nonce": {hex.EncodeToString(nonce)}, "workspace": {c.workspace}}
	req, err := http.NewRequest(http.MethodGet, c.base()+"/proof?"+q.Encode(), nil)
	if err != nil {
		return err
	}
	limit := time.Now().Add(proofLimit)
	if t, ok := ctx.Deadline(); ok && t.Before(limit) {
		limit = t
	}
	if err := errors.Join(conn.SetDeadline(limit), req.Write(conn)); err != nil {
		return err
	}
	r := bufio.NewReader(io.LimitReader(conn, 16<<10))
	resp, err := http.ReadResponse(r, req)
	if err != nil {
		return err
	}
	var p server.Proved
	if err := readAnswer(resp, &p); err != nil {
		return err
	}
	want := server.Proof(c.token, nonce, conn.RemoteAddr().String(), c.workspace, c.daemon.Vaults[c.workspace])
	if !hmac.Equal([]byte(want), []byte(p.Proof)) || r.Buffered() > 0 {
		return errors.New("it does not know the token")
	}
	return conn.SetDeadline(time.Time{})
}

func (c *client) base() string { return "http://" + c.daemon.Addr }

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
	req, err := http.NewRequestWithContext(ctx, method, c.base()+path, r)
	if err != nil {
		return fmt.Errorf("ask the daemon: %w", err)
	}
	req.Header.Set("Authorization", "Bearer "+c.token)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Reverie-Workspace", c.workspace)
	resp, err := c.http.Do(req)
	if err != nil {
		return fmt.Errorf("ask the daemon: %w", err)
	}
	return readAnswer(resp, into)
}

// readAnswer takes the JSON of an answer and closes it. What is not JSON, and says so, is no answer of a daemon.
func readAnswer(resp *http.Response, into any) error {
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
	if kind := resp.Header.Get("Content-Type"); !strings.HasPrefix(kind, "application/json") {
		return fmt.Errorf("read the daemon's answer: it is not JSON but %q", kind)
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

func (c *client) Unforget(ctx context.Context, u api.Unforget) (api.UnforgetResult, error) {
	return post[api.UnforgetResult](ctx, c, "/memory/unforget", u)
}

func (c *client) Forgettings(ctx context.Context) (f api.Forgettings, err error) {
	err = c.call(ctx, http.MethodGet, "/memory/forgettings", nil, &f)
	return f, err
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
	ref, err := post[api.Reindexed](ctx, c, "/memory/reindex", r)
	if err != nil {
		return api.Job{}, err
	}
	return c.Job(ctx, api.JobQuery{ID: ref.JobID})
}

func (c *client) Verify(ctx context.Context) (api.VerifyResult, error) {
	return post[api.VerifyResult](ctx, c, "/memory/verify", struct{}{})
}

func (c *client) Usage(ctx context.Context) (u api.Usage, err error) {
	err = c.call(ctx, http.MethodGet, "/memory/usage", nil, &u)
	return u, err
}

func (c *client) Job(ctx context.Context, q api.JobQuery) (j api.Job, err error) {
	err = c.call(ctx, http.MethodGet, "/memory/jobs/"+q.ID, nil, &j)
	return j, err
}

// alive is nil when a daemon answers and proves itself. Where none listens that is known at once; the limit is for one that is busy.
func (c *client) alive(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, proofLimit)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base()+"/healthz", nil)
	if err != nil {
		return err
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return fmt.Errorf("ask the daemon: %w", err)
	}
	_, err = io.Copy(io.Discard, resp.Body) // so that the connection is used again
	if resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("the daemon answered %s", resp.Status)
	}
	return errors.Join(err, resp.Body.Close())
}

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
	"github.com/reverie-memory/reverie/op"
	"github.com/reverie-memory/reverie/server"
)

// client is a memory behind a daemon.
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

var errNotProven = errors.New("does not prove that it is the daemon of this vault")

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
		// its words are nobody's: no error to act on
		return nil, fmt.Errorf("what answers at %s %w: %v", addr, errNotProven, err)
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

// readAnswer takes the JSON of an answer and closes it; problem+json comes back as *server.Problem. What is not JSON is no
// answer of a daemon.
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

// Call implements op.Caller.
func (c *client) Call(ctx context.Context, o op.Operation, input []byte, into any) error {
	path, body, err := o.Request(input)
	if err != nil {
		return err
	}
	resp, err := c.send(ctx, o.About().Method, path, body)
	if err != nil {
		return err
	}
	return readAnswer(resp, into)
}

// send sends one request with the token and returns the answer, whose body the caller closes.
func (c *client) send(ctx context.Context, method, path string, body []byte) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, c.base()+path, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("ask the daemon: %w", err)
	}
	req.Header.Set("Authorization", "Bearer "+c.token)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Reverie-Workspace", c.workspace)
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, fmt.Errorf("ask the daemon: %w", err)
	}
	return resp, nil
}

// alive is nil when a daemon answers and proves itself. Where none listens that is known at once; the limit is for one that is busy.
func (c *client) alive(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, proofLimit)
	defer cancel()
	resp, err := c.send(ctx, http.MethodGet, "/healthz", nil)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, resp.Body) // so that the connection is used again
	if resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("the daemon answered %s", resp.Status)
	}
	return errors.Join(err, resp.Body.Close())
}

// Events streams what happens from now until ctx ends. A stream that cannot be had is an empty one: it only shows progress.
func (c *client) Events(ctx context.Context) <-chan api.Event {
	out := make(chan api.Event, 16)
	resp, err := c.send(ctx, http.MethodGet, "/memory/events", nil) // the daemon answers when it has begun to listen
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

package server

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"
)

// public are the paths that need no token.
var public = []string{"/healthz", "/readyz", "/proof"}

type tenantKey struct{}

// caller is the tenant whose token the request has sent; guard has put it there.
func caller(ctx context.Context) *Tenant { return ctx.Value(tenantKey{}).(*Tenant) }

// tenant is the workspace that the request's token opens.
func tenant(ctx context.Context) Memory { return caller(ctx).Memory }

// guard lets through what comes from this machine, from no foreign web page, and with a token.
// The order matters: a page that tricked a browser is turned away before its token is looked at.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "no-store")
		if !loopbackHost(r.Host) {
			// DNS rebinding: a foreign name that resolves to this machine.
			writeProblem(w, &Problem{
				Status: http.StatusForbidden, Detail: fmt.Sprintf("host %q is not this machine", r.Host),
				Hint: "use http://127.0.0.1 and the port",
			})
			return
		}
		if o := r.Header.Get("Origin"); o != "" && !sameOrigin(o, r.Host) {
			writeProblem(w, &Problem{
				Status: http.StatusForbidden, Detail: fmt.Sprintf("origin %q is foreign", o),
				Hint: "web pages of other sites may not read your memory",
			})
			return
		}
		if slices.Contains(public, r.URL.Path) {
			next.ServeHTTP(w, r)
			return
		}
		t := s.open(r.Header.Get("Authorization"))
		if t == nil {
			w.Header().Set("WWW-Authenticate", `Bearer realm="reverie"`)
			writeProblem(w, &Problem{
				Status: http.StatusUnauthorized, Detail: "a valid token is needed",
				Hint: "send Authorization: Bearer and the content of the token file",
			})
			return
		}
		if name := r.Header.Get("Reverie-Workspace"); name != "" && name != t.Name {
			writeProblem(w, &Problem{Status: http.StatusForbidden, Detail: fmt.Sprintf("the token does not open workspace %q", name)})
			return
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), tenantKey{}, t)))
	})
}

// open finds the tenant of a token. Every token is compared, in constant time, so that timing tells nothing.
func (s *Server) open(header string) *Tenant {
	scheme, token, _ := strings.Cut(header, " ")
	if !strings.EqualFold(scheme, "Bearer") || token == "" {
		return nil
	}
	got := sha256.Sum256([]byte(token))
	var found *Tenant
	for i := range s.opt.Tenants {
		want := sha256.Sum256([]byte(s.opt.Tenants[i].Token))
		if subtle.ConstantTimeCompare(got[:], want[:]) == 1 && s.opt.Tenants[i].Token != "" {
			found = &s.opt.Tenants[i]
		}
	}
	return found
}

func loopbackHost(hostport string) bool {
	host := hostport
	if h, _, err := net.SplitHostPort(hostport); err == nil {
		host = h
	}
	host = strings.Trim(host, "[]")
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

func sameOrigin(origin, host string) bool {
	u, err := url.Parse(origin)
	return err == nil && u.Scheme == "http" && strings.EqualFold(u.Host, host)
}

// limit bounds what a request may send and how long it may take.
func (s *Server) limit(draining context.Context, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength > s.opt.BodyLimit {
			writeProblem(w, &Problem{
				Status: http.StatusRequestEntityTooLarge,
				Detail: fmt.Sprintf("the body is larger than %d bytes", s.opt.BodyLimit), Hint: "split it into several requests",
			})
			return
		}
		if r.Method == http.MethodPost && r.ContentLength != 0 && !jsonBody(r.Header.Get("Content-Type")) {
			writeProblem(w, &Problem{Status: http.StatusUnsupportedMediaType, Detail: "the body must be application/json"})
			return
		}
		if p := s.readBody(draining, w, r); p != nil {
			writeProblem(w, p)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// jsonBody insists on JSON: a form, which a foreign page can send without asking, is none. A body that is not there needs no type.
func jsonBody(contentType string) bool {
	mt, _, _ := strings.Cut(contentType, ";")
	return strings.EqualFold(strings.TrimSpace(mt), "application/json")
}

// readBody takes the whole body within a time limit and then lifts the limit: a deadline left on the
// connection would cut off answers that take longer, such as event streams.
func (s *Server) readBody(draining context.Context, w http.ResponseWriter, r *http.Request) *Problem {
	if r.Body == nil || r.ContentLength == 0 {
		emptyObject(r)
		return nil
	}
	conn := http.NewResponseController(w)
	_ = conn.SetReadDeadline(time.Now().Add(s.opt.ReadTimeout)) // a test's recorder has no connection
	hurry := context.AfterFunc(draining, func() { _ = conn.SetReadDeadline(time.Now()) })
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, s.opt.BodyLimit))
	hurry()
	if err == nil {
		_ = conn.SetReadDeadline(time.Time{}) // else it stands, so that net/http does not wait for the rest of the body either
	}
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return &Problem{
			Status: http.StatusRequestEntityTooLarge,
			Detail: fmt.Sprintf("the body is larger than %d bytes", s.opt.BodyLimit), Hint: "split it into several requests",
		}
	case err != nil && draining.Err() != nil:
		return &Problem{
			Status: http.StatusServiceUnavailable, Detail: "the daemon is shutting down",
			Hint: "send the request again when it is back",
		}
	case errors.Is(err, os.ErrDeadlineExceeded):
		return &Problem{Status: http.StatusRequestTimeout, Detail: "the body did not arrive in time"}
	case err != nil:
		return &Problem{Status: http.StatusBadRequest, Detail: "read the body: " + err.Error()}
	}
	r.Body = io.NopCloser(bytes.NewReader(data))
	if len(data) == 0 {
		emptyObject(r)
	}
	return nil
}

// emptyObject stands in for the body that a request without one could have sent.
func emptyObject(r *http.Request) {
	if r.Method == http.MethodPost {
		r.Body, r.ContentLength = io.NopCloser(strings.NewReader("{}")), 2
	}
}

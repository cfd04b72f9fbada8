package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/operations"
	"github.com/reverie-memory/reverie/server"
	"github.com/reverie-memory/reverie/vault"
)

// squatter answers everything, as a program that took a port would that knows no token, and remembers who told it one.
type squatter struct {
	*httptest.Server
	mu     sync.Mutex
	asked  int
	tokens []string
}

func squat(t *testing.T, addr string, answer http.HandlerFunc) *squatter {
	t.Helper()
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	s := &squatter{}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.asked++
		if got := r.Header.Get("Authorization"); got != "" {
			s.tokens = append(s.tokens, got)
		}
		s.mu.Unlock()
		answer(w, r)
	}))
	s.Listener.Close()
	s.Listener = ln
	s.Start()
	t.Cleanup(s.Close)
	return s
}

func (s *squatter) check(t *testing.T) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.asked == 0 {
		t.Error("nobody asked, so nothing is tested")
	}
	if len(s.tokens) > 0 {
		t.Errorf("the token went to another program: %d times", len(s.tokens))
	}
}

// cli runs the program as a person does, and returns what it printed.
func (p place) cli(t *testing.T, args ...string) (string, error) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, args...)
	cmd.Env = p.env(t)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// After a crash the port is anybody's. Who took it gets no token, and the verb reaches the vault all the same.
func TestTokenStaysWithTheDaemon(t *testing.T) {
	p := newPlace(t)
	d := p.start(t)
	d.kill()
	s := squat(t, strings.TrimPrefix(d.base, "http://"), func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{}`)
	})
	t.Cleanup(func() { _, _ = p.cli(t, "stop") })
	if out, err := p.cli(t, "remember", "I keep a secret diary in the attic"); err != nil || !strings.Contains(out, "accepted t") {
		t.Errorf("%v: %s", err, out)
	}
	s.check(t)
	logs, err := filepath.Glob(filepath.Join(p.vault, "memory", "drawers", "*.md"))
	if err != nil || len(logs) == 0 {
		t.Errorf("the turn is not in the vault: %v", err)
	}
}

// A program in between that passes the question on to the real daemon gets an answer, which proves nothing for its own address.
func TestProofCannotBePassedOn(t *testing.T) {
	const token = "0123456789abcdef"
	srv := server.New(server.Options{Addr: "127.0.0.1:0", Tenants: []server.Tenant{{Name: "default", Token: token, Vault: "/vault"}}})
	if err := srv.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = srv.Close(t.Context()) }()
	vaults := map[string]string{"default": "/vault"}
	direct := newClient(daemonInfo{Addr: srv.Addr(), Vaults: vaults}, token, "default")
	defer direct.http.CloseIdleConnections()
	if err := direct.alive(t.Context()); err != nil {
		t.Errorf("the daemon itself: %v", err)
	}
	for what, cl := range map[string]*client{
		"another token":     newClient(daemonInfo{Addr: srv.Addr(), Vaults: vaults}, "another token of 20", "default"),
		"another vault":     newClient(daemonInfo{Addr: srv.Addr(), Vaults: map[string]string{"default": "/other"}}, token, "default"),
		"another workspace": newClient(daemonInfo{Addr: srv.Addr(), Vaults: map[string]string{"other": "/vault"}}, token, "other"),
	} {
		if err := cl.alive(t.Context()); err == nil || !strings.Contains(err.Error(), "does not prove") {
			t.Errorf("%s: %v", what, err)
		}
	}
	s := squat(t, "127.0.0.1:0", func(w http.ResponseWriter, r *http.Request) {
		resp, err := http.Get("http://" + srv.Addr() + r.URL.RequestURI())
		if err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		defer resp.Body.Close()
		w.Header().Set("Content-Type", resp.Header.Get("Content-Type"))
		_, _ = io.Copy(w, resp.Body)
	})
	between := newClient(daemonInfo{Addr: s.Listener.Addr().String(), Vaults: vaults}, token, "default")
	if _, err := operations.Status.Ask(t.Context(), between, api.Nothing{}); err == nil ||
		!strings.Contains(err.Error(), "does not know the token") {
		t.Errorf("through another program: %v", err)
	}
	s.check(t)
}

// An answer that is none is an error, never a result of zeros.
func TestEmptyAnswerIsAnError(t *testing.T) {
	for _, answer := range []struct{ kind, body string }{
		{"", ""},
		{"application/json", ""},
		{"text/html", "{}"},
		{"application/json", "{"},
		{"", "{}"},
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header()["Content-Type"] = nil
			if answer.kind != "" {
				w.Header().Set("Content-Type", answer.kind)
			}
			fmt.Fprint(w, answer.body)
		}))
		resp, err := http.Get(s.URL)
		if err != nil {
			t.Fatal(err)
		}
		var into struct{}
		if err := readAnswer(resp, &into); err == nil {
			t.Errorf("%q of type %q is taken for an answer", answer.body, answer.kind)
		}
		s.Close()
	}
}

// The process id of daemon.json may be somebody else's after a crash.
func TestStopSignalsNoStranger(t *testing.T) {
	p := newPlace(t)
	p.start(t).kill()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	stranger := exec.Command(exe, "remember") // waits for standard input
	stranger.Env = p.env(t)
	in, err := stranger.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := stranger.Start(); err != nil {
		t.Fatal(err)
	}
	d, err := readDaemon(p.data)
	if err != nil {
		t.Fatal(err)
	}
	d.PID = stranger.Process.Pid
	if err := writeJSON(filepath.Join(p.data, vault.DaemonFile), d); err != nil {
		t.Fatal(err)
	}
	out, err := p.cli(t, "stop")
	if exit, ok := err.(*exec.ExitError); !ok || exit.ExitCode() != exitNotFound ||
		!strings.Contains(out, "no daemon of this vault is running") {
		t.Errorf("%v: %s", err, out)
	}
	_, _ = io.WriteString(in, "no turn")
	in.Close()
	if err := stranger.Wait(); stranger.ProcessState.ExitCode() != exitUsage {
		t.Errorf("the stranger ended with %v, not by itself", err)
	}
}

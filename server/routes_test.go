package server

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// What a path does not take is said before anything of the body is looked at.
func TestMethods(t *testing.T) {
	const get, post = "GET, HEAD, OPTIONS", "POST, OPTIONS"
	for _, tt := range []struct {
		method, path, contentType string
		status                    int
		allow                     string
	}{
		{"POST", "/memory/status", "", 405, get},
		{"POST", "/memory/status", "text/plain", 405, get},
		{"PUT", "/memory/search", "application/json", 405, post},
		{"GET", "/memory/search", "", 405, post},
		{"HEAD", "/memory/search", "", 405, post},
		{"TRACE", "/memory/dreams/r-1/undo", "", 405, post},
		{"GET", "/memory/dreams/cancel", "", 200, ""}, // a run may be asked for by any name
		{"HEAD", "/memory/status", "", 200, ""},
		{"OPTIONS", "/memory/status", "", 204, get},
		{"OPTIONS", "/memory/turns", "application/json", 204, post},
		{"OPTIONS", "/memory/nothing", "", 404, ""},
		{"POST", "/memory/nothing", "text/plain", 404, ""},
		{"POST", "/memory/search", "text/plain", 415, ""},
		{"GET", "/openapi.json", "", 200, ""},
		{"POST", "/healthz", "text/plain", 405, get},
	} {
		s, _, _ := twoTenants()
		body := "x=1"
		if tt.status == 204 || tt.status == 200 {
			body = ""
		}
		got := request(s.Handler(), tt.method, tt.path, "token-a", body, func(r *http.Request) { r.Header.Set("Content-Type", tt.contentType) })
		if got.Code != tt.status || got.Header().Get("Allow") != tt.allow {
			t.Errorf("%s %s: status %d, Allow %q; want %d, %q: %s", tt.method, tt.path, got.Code, got.Header().Get("Allow"), tt.status,
				tt.allow, got.Body)
		}
		if got.Code >= 400 && got.Header().Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s %s: %s", tt.method, tt.path, got.Header().Get("Content-Type"))
		}
	}
}

func TestTimesMayBeDays(t *testing.T) {
	for moment, want := range map[string]int{"2026-06-09": 200, "2026-06-09T14:32:00Z": 200, "yesterday": 422, "2026-13-01": 422} {
		for _, body := range []string{`{"query":"x","as_of":%q}`, `{"query":"x","filters":{"from":%q}}`, `{"query":"x","filters":{"to":%q}}`} {
			s, _, _ := twoTenants()
			body = fmt.Sprintf(body, moment)
			if got := request(s.Handler(), "POST", "/memory/search", "token-a", body, nil); got.Code != want {
				t.Errorf("%s: status %d, want %d: %s", body, got.Code, want, got.Body)
			}
		}
	}
}

func TestABodyThatDoesNotComeIsGivenUp(t *testing.T) {
	s, a, _ := twoTenants()
	s.opt.ReadTimeout = 300 * time.Millisecond // the head has to come in it too
	if err := s.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("tcp", s.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(time.Minute)) // where it is not given up, the test fails instead of hanging
	head := "POST /memory/turns HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer token-a\r\nContent-Type: " +
		"application/json\r\nContent-Length: 100\r\n\r\n{"
	if _, err := io.WriteString(conn, head); err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(conn)
	if err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 408 ") || len(a.calls) > 0 {
		t.Errorf("answer %q: %v", answer, err)
	}
	if err := s.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

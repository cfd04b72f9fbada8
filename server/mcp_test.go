package server

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/reverie-memory/reverie/api"
)

func ask(h http.Handler, body string, change func(*http.Request)) *httptest.ResponseRecorder {
	return request(h, "POST", "/mcp", "token-a", body, func(r *http.Request) {
		r.Header.Set("Accept", "application/json, text/event-stream")
		if change != nil {
			change(r)
		}
	})
}

func toolCall(name, args string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, name, args)
}

// Clients of each version of the protocol are answered: with a handshake of which nothing is kept, and without any.
func TestMCPVersions(t *testing.T) {
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":` +
		`{"name":"Golden","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
	for _, version := range []string{"2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"} {
		s, a, b := twoTenants()
		h := s.Handler()
		versioned := func(method, name string) func(*http.Request) {
			return func(r *http.Request) {
				r.Header.Set("Mcp-Protocol-Version", version)
				if version >= "2026" {
					r.Header.Set("Mcp-Method", method)
					r.Header.Set("Mcp-Name", name)
				}
			}
		}
		search := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"query":"x"},` + meta + `}}`
		if version < "2026" {
			hello := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"` + version + `","capabilities":{},` +
				`"clientInfo":{"name":"golden","version":"1"}}}`
			if got := ask(h, hello, nil); got.Code != 200 || !strings.Contains(got.Body.String(), `"protocolVersion":"`+version+`"`) {
				t.Errorf("%s: %d %s", version, got.Code, got.Body)
			}
			if got := ask(h, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, versioned("", "")); got.Code != http.StatusAccepted {
				t.Errorf("%s: %d %s", version, got.Code, got.Body)
			}
			search = toolCall("search", `{"query":"x"}`)
		}
		got := ask(h, search, versioned("tools/call", "search"))
		var reply struct{ Result sdk.CallToolResult }
		if err := json.Unmarshal(got.Body.Bytes(), &reply); got.Code != 200 || err != nil || reply.Result.IsError || len(a.calls) != 1 ||
			len(b.calls) > 0 {
			t.Errorf("%s: %d %s %v", version, got.Code, got.Body, a.calls)
		}
	}
}

// What guards the other routes guards this one.
func TestMCPIsGuarded(t *testing.T) {
	s, a, _ := twoTenants()
	h := s.Handler()
	call := toolCall("search", `{"query":"x"}`)
	for name, tt := range map[string]struct {
		body   string
		change func(*http.Request)
		want   int
	}{
		"no token":       {call, func(r *http.Request) { r.Header.Del("Authorization") }, 401},
		"foreign host":   {call, func(r *http.Request) { r.Host = "evil.example" }, 403},
		"foreign origin": {call, func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") }, 403},
		"workspace":      {call, func(r *http.Request) { r.Header.Set("Reverie-Workspace", "b") }, 403},
		"form":           {call, func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, 415},
		"accept":         {call, func(r *http.Request) { r.Header.Set("Accept", "text/html") }, 400},
		"version":        {call, func(r *http.Request) { r.Header.Set("Mcp-Protocol-Version", "1999-01-01") }, 400},
		"long":           {strings.Repeat(" ", 5000) + call, nil, 413},
		"no JSON":        {"nonsense", nil, 400},
		"empty":          {"", nil, 400},
		"GET":            {"", func(r *http.Request) { r.Method = "GET" }, 405},
		"DELETE":         {"", func(r *http.Request) { r.Method = "DELETE" }, 405},
	} {
		if got := ask(h, tt.body, tt.change); got.Code != tt.want || len(a.calls) > 0 {
			t.Errorf("%s: status %d, want %d: %s; %v", name, got.Code, tt.want, got.Body, a.calls)
		}
	}
}

// A client over HTTP may say by headers which agent it is and what project it works on.
func TestMCPIdentity(t *testing.T) {
	s, a, _ := twoTenants()
	s.opt.AllTools = true
	got := ask(s.Handler(), toolCall("remember_turn", `{"chat_id":"c","messages":[{"role":"user","content":"x"}]}`), func(r *http.Request) {
		r.Header.Set("Reverie-Agent", "Codex CLI")
		r.Header.Set("Reverie-Wing", "shop")
	})
	if a.turn.Agent != "codex-cli" || a.turn.Wing != "shop" || a.turn.Origin != "agent" {
		t.Errorf("%+v: %s", a.turn, got.Body)
	}
}

// What a workspace refuses is told to the assistant, with what to do, and without the secret that was sent.
func TestMCPErrors(t *testing.T) {
	s, a, _ := twoTenants()
	const key = "AKIA" + "IOSFODNN7SAMPLES"
	a.err = &api.Error{Code: api.Conflict, Detail: "no place for " + key, Hint: "make room", Fields: nil}
	var reply struct{ Result sdk.CallToolResult }
	got := ask(s.Handler(), toolCall("search", `{"query":"x"}`), nil)
	if err := json.Unmarshal(got.Body.Bytes(), &reply); err != nil {
		t.Fatal(err)
	}
	text := reply.Result.Content[0].(*sdk.TextContent).Text
	if !reply.Result.IsError || !strings.Contains(text, "no place for") || !strings.Contains(text, "make room") || strings.Contains(text,
		key) {
		t.Errorf("%s", got.Body)
	}
}

// A call ends with its request, whatever the version of the protocol: else the end of the daemon would wait for it.
func TestMCPCallsEndWithTheirRequest(t *testing.T) {
	m := &fake{begun: make(chan struct{})}
	s := New(Options{
		Addr: "127.0.0.1:0", Grace: time.Millisecond, Operations: fakes,
		Tenants: []Tenant{{Name: "default", Token: "first", Memory: m}},
	})
	if err := s.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		req, _ := http.NewRequest("POST", "http://"+s.Addr()+"/mcp", strings.NewReader(toolCall("search", `{"query":"x"}`)))
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		req.Header.Set("Authorization", "Bearer first")
		resp, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
		if err == nil {
			resp.Body.Close()
		}
	}()
	<-m.begun
	if err := s.Close(t.Context()); err != nil {
		t.Error(err)
	}
	<-ended
}

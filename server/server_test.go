package server

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/op"
	"github.com/reverie-memory/reverie/operations"
	"github.com/reverie-memory/reverie/palace"
	"github.com/reverie-memory/reverie/recall"
	"github.com/reverie-memory/reverie/vault"
)

var update = flag.Bool("update", false, "rewrite golden files")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fake is a Memory that counts what reaches it and fails with err.
type fake struct {
	name   string
	calls  []string
	err    error
	events chan api.Event
	turn   api.Turn
	status api.Status
	dream  chan struct{} // closed when a dream has begun, which then lasts until it is cancelled
	begun  chan struct{} // the same of a search
}

func (f *fake) call(what string) error {
	f.calls = append(f.calls, what)
	return f.err
}

func (f *fake) Remember(_ context.Context, t api.Turn) (api.TurnResult, error) {
	f.turn = t
	return api.TurnResult{TurnID: "t1", Status: api.Accepted, Drawers: []string{"d1"}, Degraded: []string{}}, f.call("remember")
}

func (f *fake) WriteFacts(context.Context, api.Facts) (api.FactsResult, error) {
	return api.FactsResult{Facts: []api.FactRef{}, Degraded: []string{}}, f.call("facts")
}

func (f *fake) Unforget(context.Context, api.Unforget) (api.UnforgetResult, error) {
	return api.UnforgetResult{Restored: []api.Forgotten{}}, nil
}

func (f *fake) Forgettings(context.Context) (api.Forgettings, error) {
	return api.Forgettings{Forgettings: []api.Forgetting{}}, nil
}

func (f *fake) Forget(context.Context, api.Forget) (api.ForgetResult, error) {
	return api.ForgetResult{Forgotten: []api.Forgotten{}, Remaining: []api.Forgotten{}}, f.call("forget")
}

func (f *fake) Search(ctx context.Context, _ api.Search) (api.SearchResult, error) {
	if f.begun != nil {
		close(f.begun)
		<-ctx.Done()
		return api.SearchResult{}, ctx.Err()
	}
	return api.SearchResult{Hits: []api.Hit{}, Receipt: "r_1", Degraded: []string{}, Warnings: []string{}}, f.call("search")
}

func (f *fake) Context(context.Context, api.Context) (api.ContextResult, error) {
	return api.ContextResult{Degraded: []string{}}, f.call("context")
}

func (f *fake) Status(context.Context) (api.Status, error) {
	f.status.Workspace = f.name
	return f.status, f.call("status")
}

func (f *fake) Row(context.Context, api.RowID) (api.Row, error) { return api.Row{}, f.call("row") }

func (f *fake) Pages(context.Context, api.PageList) (api.Pages, error) {
	return api.Pages{Pages: []api.PageRef{}}, f.call("pages")
}

func (f *fake) Page(context.Context, api.PageQuery) (api.PageText, error) {
	return api.PageText{}, f.call("page")
}

func (f *fake) Days(context.Context, api.Page) (api.Days, error) {
	return api.Days{Days: []api.DayRef{}}, f.call("days")
}

func (f *fake) Day(context.Context, api.DayQuery) (api.DayFacts, error) {
	return api.DayFacts{Facts: []api.Row{}}, f.call("day")
}

func (f *fake) Reindex(context.Context, api.Reindex) (api.Reindexed, error) {
	return api.Reindexed{JobID: "j1"}, f.call("reindex")
}

func (f *fake) Verify(context.Context) (api.VerifyResult, error) {
	return api.VerifyResult{Details: []string{}}, f.call("verify")
}

func (f *fake) Usage(context.Context) (api.Usage, error) {
	return api.Usage{Days: []api.UsageDay{}}, f.call("usage")
}

func (f *fake) Job(_ context.Context, q api.ByID) (api.Job, error) {
	id := q.ID
	if id != f.name+"-job" {
		return api.Job{}, fmt.Errorf("job %q: %w", id, api.NotFound)
	}
	return api.Job{ID: id, State: "done"}, f.call("job")
}

func (f *fake) Events(context.Context) <-chan api.Event { return f.events }
func (f *fake) Ready() error                            { return f.err }

// fakes are the operations of a workspace, done by a fake.
var fakes = []op.Operation{
	over(operations.Remember, (*fake).Remember), over(operations.Facts, (*fake).WriteFacts), over(operations.Forget, (*fake).Forget),
	over(operations.Unforget, (*fake).Unforget), over(operations.Forgettings, none((*fake).Forgettings)),
	over(operations.Search, (*fake).Search),
	over(operations.Context, (*fake).Context), over(operations.Reindex, (*fake).Reindex), over(operations.Verify, none((*fake).Verify)),
	over(operations.Status, none((*fake).Status)), over(operations.Usage, none((*fake).Usage)), over(operations.Job, (*fake).Job),
	over(operations.Consolidate, (*fake).Consolidate), over(operations.Dreams, (*fake).Dreams), over(operations.Dream, (*fake).Dream),
	over(operations.Pages, (*fake).Pages), over(operations.Page, (*fake).Page), over(operations.Days, (*fake).Days),
	over(operations.Day, (*fake).Day),
	over(operations.Row, (*fake).Row), over(operations.DreamUndo, (*fake).UndoDream),
	over(operations.DreamCancel, none((*fake).CancelDream)), over(operations.Lint, (*fake).Lint),
}

func over[I, O any](o *op.Op[I, O], do func(*fake, context.Context, I) (O, error)) op.Operation {
	return operations.New(o.Spec, do)
}

func none[O any](do func(*fake, context.Context) (O, error)) func(*fake, context.Context, api.Nothing) (O, error) {
	return func(f *fake, ctx context.Context, _ api.Nothing) (O, error) { return do(f, ctx) }
}

// request sends one request through the whole handler.
func request(h http.Handler, method, path, token, body string, change func(*http.Request)) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://127.0.0.1:7431"+path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	if change != nil {
		change(r)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func twoTenants() (*Server, *fake, *fake) {
	a, b := &fake{name: "a"}, &fake{name: "b"}
	s := New(Options{
		Addr: "127.0.0.1:0", Version: "test", BodyLimit: 4096, Operations: fakes,
		Tenants: []Tenant{{Name: "a", Token: "token-a", Memory: a}, {Name: "b", Token: "token-b", Memory: b}},
	})
	return s, a, b
}

// routes are all routes with a body that is taken.
var routes = []struct{ method, path, body string }{
	{"POST", "/memory/turns", `{"chat_id":"c","messages":[{"role":"user","content":"x"}]}`},
	{"POST", "/memory/facts", `{"facts":[{"content":"x"}]}`},
	{"POST", "/memory/forget", `{"ids":["f1"]}`},
	{"POST", "/memory/search", `{"query":"x"}`},
	{"POST", "/memory/context", `{}`},
	{"POST", "/memory/reindex", `{}`},
	{"POST", "/memory/verify", `{}`},
	{"GET", "/memory/status", ""},
	{"GET", "/memory/usage", ""},
	{"GET", "/memory/jobs/a-job", ""},
	{"POST", "/memory/consolidate", `{}`},
	{"GET", "/memory/dreams", ""},
	{"GET", "/memory/dreams/r-1", ""},
	{"POST", "/memory/dreams/r-1/undo", ""},
	{"POST", "/memory/dreams/cancel", ""},
	{"GET", "/memory/lint", ""},
	{"GET", "/memory/rows/f1", ""},
	{"GET", "/memory/pages", ""},
	{"GET", "/memory/page?path=2_Wiki/A.md", ""},
	{"GET", "/memory/days", ""},
	{"GET", "/memory/days/2026-06-09", ""},
}

func TestEveryRouteNeedsItsToken(t *testing.T) {
	for _, r := range append(routes, struct{ method, path, body string }{"GET", "/metrics", ""},
		struct{ method, path, body string }{"GET", "/openapi.json", ""}, struct{ method, path, body string }{"GET", "/memory/events", ""}) {
		for _, token := range []string{"", "wrong", "token-a ", "token-"} {
			s, a, b := twoTenants()
			if got := request(s.Handler(), r.method, r.path, token, r.body, nil); got.Code != http.StatusUnauthorized {
				t.Errorf("%s %s with token %q: status %d, want 401", r.method, r.path, token, got.Code)
			}
			if n := len(a.calls) + len(b.calls); n > 0 {
				t.Errorf("%s %s with token %q reached a workspace", r.method, r.path, token)
			}
		}
	}
}

func TestTokenOpensOneWorkspace(t *testing.T) {
	for _, r := range routes {
		s, a, b := twoTenants()
		got := request(s.Handler(), r.method, r.path, "token-b", r.body, nil)
		if len(a.calls) > 0 {
			t.Errorf("%s %s: b's token reached a", r.method, r.path)
		}
		if r.path == "/memory/jobs/a-job" {
			if got.Code != http.StatusNotFound {
				t.Errorf("b sees a's job: status %d", got.Code)
			}
		} else if got.Code >= 300 || len(b.calls) != 1 {
			t.Errorf("%s %s: status %d, calls %v: %s", r.method, r.path, got.Code, b.calls, got.Body)
		}
		named := request(s.Handler(), r.method, r.path, "token-b", r.body, func(r *http.Request) { r.Header.Set("Reverie-Workspace", "a") })
		if named.Code != http.StatusForbidden || len(a.calls) > 0 {
			t.Errorf("%s %s for workspace a with b's token: status %d", r.method, r.path, named.Code)
		}
	}
}

func TestMetricsShowOwnWorkspaceOnly(t *testing.T) {
	s, _, _ := twoTenants()
	h := s.Handler()
	request(h, "GET", "/memory/usage", "token-a", "", nil)
	request(h, "GET", "/memory/lint", "token-b", "", nil)
	got := request(h, "GET", "/metrics", "token-b", "", nil)
	if got.Code != http.StatusOK {
		t.Fatalf("status %d: %s", got.Code, got.Body)
	}
	if body := got.Body.String(); !strings.Contains(body, `workspace="b"`) || strings.Contains(body, `workspace="a"`) {
		t.Errorf("metrics for b:\n%s", body)
	} else if !strings.Contains(body, "/memory/lint") || strings.Contains(body, "/memory/usage") || !strings.Contains(body, "go_goroutines") {
		t.Errorf("requests counted for b:\n%s", body)
	}
}

func TestForeignHostsAndOrigins(t *testing.T) {
	tests := []struct {
		name, host, origin string
		want               int
	}{
		{"own", "127.0.0.1:7431", "", 200},
		{"localhost", "localhost:7431", "", 200},
		{"ipv6", "[::1]:7431", "", 200},
		{"same origin", "127.0.0.1:7431", "http://127.0.0.1:7431", 200},
		{"rebinding", "evil.example:7431", "", 403},
		{"rebinding without port", "evil.example", "", 403},
		{"looks like loopback", "127.0.0.1.evil.example:7431", "", 403},
		{"public address", "192.0.2.7:7431", "", 403},
		{"empty", "", "", 403},
		{"foreign origin", "127.0.0.1:7431", "https://evil.example", 403},
		{"other port", "127.0.0.1:7431", "http://127.0.0.1:9999", 403},
		{"https origin", "127.0.0.1:7431", "https://127.0.0.1:7431", 403},
		{"null origin", "127.0.0.1:7431", "null", 403},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, _, _ := twoTenants()
			got := request(s.Handler(), "GET", "/memory/status", "token-a", "", func(r *http.Request) {
				r.Host = tt.host
				if tt.origin != "" {
					r.Header.Set("Origin", tt.origin)
				}
			})
			if got.Code != tt.want {
				t.Errorf("status %d, want %d: %s", got.Code, tt.want, got.Body)
			}
			if h := got.Header().Get("Access-Control-Allow-Origin"); h != "" {
				t.Errorf("CORS header %q", h)
			}
		})
	}
}

func TestBadInputNamesTheField(t *testing.T) {
	tests := []struct{ name, path, body, field string }{
		{"no chat", "/memory/turns", `{"messages":[{"role":"user","content":"x"}]}`, "chat_id"},
		{"empty chat", "/memory/turns", `{"chat_id":"","messages":[{"role":"user","content":"x"}]}`, "body.chat_id"},
		{"no messages", "/memory/turns", `{"chat_id":"c","messages":[]}`, "body.messages"},
		{"unknown role", "/memory/turns", `{"chat_id":"c","messages":[{"role":"king","content":"x"}]}`, "body.messages[0].role"},
		{"bad time", "/memory/turns", `{"chat_id":"c","messages":[{"role":"user","content":"x","at":"yesterday"}]}`, "body.messages[0].at"},
		{"bad wait", "/memory/turns", `{"chat_id":"c","wait":"forever","messages":[{"role":"user","content":"x"}]}`, "body.wait"},
		{"unknown field", "/memory/turns", `{"chat_id":"c","mesages":[],"messages":[{"role":"user","content":"x"}]}`, "body.mesages"},
		{"wrong type", "/memory/search", `{"query":7}`, "body.query"},
		{"k too large", "/memory/search", `{"query":"x","k":100000}`, "body.k"},
		{"empty query", "/memory/search", `{"query":""}`, "body.query"},
		{"source type", "/memory/search", `{"query":"x","filters":{"source_type":["moon"]}}`, "body.filters.source_type[0]"},
		{"fact without content", "/memory/facts", `{"facts":[{"category":"x"}]}`, "body.facts[0]"},
		{"budget", "/memory/context", `{"budget":1}`, "body.budget"},
		{"long tag", "/memory/facts", `{"facts":[{"content":"x","tags":["` + strings.Repeat("t", 101) + `"]}]}`, "body.facts[0].tags[0]"},
		{"many tags", "/memory/facts", `{"facts":[{"content":"x","tags":["t"` + strings.Repeat(`,"t"`, 50) + `]}]}`, "body.facts[0].tags"},
		{
			"long tag of a filter", "/memory/search", `{"query":"x","filters":{"tags":["` + strings.Repeat("t", 101) + `"]}}`,
			"body.filters.tags[0]",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, a, _ := twoTenants()
			got := request(s.Handler(), "POST", tt.path, "token-a", tt.body, nil)
			p := readProblem(t, got)
			if got.Code != http.StatusUnprocessableEntity {
				t.Errorf("status %d, want 422: %s", got.Code, got.Body)
			}
			if !strings.Contains(fmt.Sprint(p.Errors)+p.Detail, tt.field) {
				t.Errorf("problem does not name %s: %s", tt.field, got.Body)
			}
			// Whoever asks in the same process is told the same.
			var e *api.Error
			o := fakes[slices.IndexFunc(fakes, func(o op.Operation) bool { return o.About().Path == tt.path })]
			if _, err := o.Run(t.Context(), a, []byte(tt.body)); !errors.As(err, &e) || e.Detail != p.Detail || !slices.Equal(e.Fields, p.Errors) {
				t.Errorf("in process: %+v, want %+v", e, p)
			}
			if len(a.calls) > 0 {
				t.Errorf("bad input reached the workspace: %v", a.calls)
			}
		})
	}
}

func readProblem(t *testing.T, w *httptest.ResponseRecorder) Problem {
	t.Helper()
	if ct := w.Header().Get("Content-Type"); ct != "application/problem+json" {
		t.Errorf("content type %q, want application/problem+json", ct)
	}
	var p Problem
	if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil {
		t.Fatalf("not a problem: %v: %s", err, w.Body)
	}
	if p.Type == "" || p.Title == "" || p.Status != w.Code || p.Detail == "" {
		t.Errorf("incomplete problem: %s", w.Body)
	}
	return p
}

func TestProblems(t *testing.T) {
	tests := []struct {
		name               string
		method, path, body string
		err                error
		contentType        string
		want               int
		hint               bool
	}{
		{"broken json", "POST", "/memory/search", `{"query":`, nil, "", 400, false},
		{"form", "POST", "/memory/search", `query=x`, nil, "application/x-www-form-urlencoded", 415, false},
		{"plain text", "POST", "/memory/search", `{"query":"x"}`, nil, "text/plain", 415, false},
		{"too large", "POST", "/memory/search", `{"query":"` + strings.Repeat("x", 5000) + `"}`, nil, "", 413, true},
		{"no route", "GET", "/memory/nothing", "", nil, "", 404, true},
		{"method", "GET", "/memory/search", "", nil, "", 405, true},
		{
			"second dream", "POST", "/memory/consolidate", `{}`, &api.Error{Code: api.Conflict, Detail: "a dream is running", Hint: "wait"},
			"", 409, true,
		},
		{
			"undo clashes", "POST", "/memory/dreams/latest/undo", "",
			fmt.Errorf("undo: %w", &api.Error{Code: api.Conflict, Detail: "edited since", Hint: "look"}), "", 409, true,
		},
		{"no such dream", "GET", "/memory/dreams/r-0", "", fmt.Errorf("no run: %w", api.NotFound), "", 404, false},
		{"unknown parameter", "GET", "/memory/dreams?moon=1", "", nil, "", 422, false},
		{"long list", "GET", "/memory/dreams?limit=1001", "", nil, "", 422, false},
		{
			"disk full", "POST", "/memory/turns", routes[0].body,
			&vault.Error{Op: "append", Err: vault.ErrDiskFull, Hint: "free some space"}, "", 507, true,
		},
		{"read-only", "POST", "/memory/turns", routes[0].body, &vault.Error{Op: "append", Err: vault.ErrReadOnly, Hint: "x"}, "", 503, true},
		{"full data folder", "POST", "/memory/verify", `{}`, fmt.Errorf("caching vectors: %w", catalog.ErrFull), "", 507, true},
		{"full disk of an engine", "POST", "/memory/verify", `{}`, fmt.Errorf("flushing vectors: %w", syscall.ENOSPC), "", 507, true},
		{"failing disk", "POST", "/memory/turns", routes[0].body, fmt.Errorf("append: %w", syscall.EIO), "", 503, true},
		{"another folder", "POST", "/memory/turns", routes[0].body, fmt.Errorf("append: %w", vault.ErrMoved), "", 503, true},
		{"damaged index", "POST", "/memory/search", `{"query":"x"}`, fmt.Errorf("reading: %w", catalog.ErrCorrupt), "", 503, true},
		{"invalid", "POST", "/memory/turns", routes[0].body, &palace.InvalidError{Field: "messages[0].content", Reason: "empty"}, "", 422, false},
		{"unknown flag", "POST", "/memory/search", `{"query":"x"}`, &recall.FlagError{Flag: "moon", Reason: "unknown"}, "", 422, false},
		{"blank query", "POST", "/memory/search", `{"query":" "}`, recall.ErrEmpty, "", 422, false},
		{"other model", "POST", "/memory/search", `{"query":"x"}`, recall.ErrModel, "", 409, true},
		{"timeout", "POST", "/memory/search", `{"query":"x"}`, context.DeadlineExceeded, "", 504, true},
		{"unknown", "POST", "/memory/search", `{"query":"x"}`, fmt.Errorf("boom"), "", 500, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, a, _ := twoTenants()
			a.err = tt.err
			got := request(s.Handler(), tt.method, tt.path, "token-a", tt.body, func(r *http.Request) {
				if tt.contentType != "" {
					r.Header.Set("Content-Type", tt.contentType)
				}
			})
			p := readProblem(t, got)
			if got.Code != tt.want || tt.hint != (p.Hint != "") {
				t.Errorf("status %d hint %q, want %d, hint %v: %s", got.Code, p.Hint, tt.want, tt.hint, got.Body)
			}
		})
	}
}

func TestBodyWithoutLengthIsLimited(t *testing.T) {
	s, a, _ := twoTenants()
	got := request(s.Handler(), "POST", "/memory/search", "token-a", "", func(r *http.Request) {
		r.Body = io.NopCloser(strings.NewReader(`{"query":"` + strings.Repeat("x", 5000) + `"}`))
		r.ContentLength = -1
	})
	if got.Code != http.StatusRequestEntityTooLarge || len(a.calls) > 0 {
		t.Errorf("status %d, calls %v", got.Code, a.calls)
	}
}

// The golden file is the interface: a change in it is a change that programs see.
func TestOpenAPI(t *testing.T) {
	s, _, _ := twoTenants()
	s.opt.Operations = operations.All
	got := request(s.Handler(), "GET", "/openapi.json", "token-a", "", nil)
	var doc struct {
		OpenAPI string
		Paths   map[string]map[string]any
	}
	if err := json.Unmarshal(got.Body.Bytes(), &doc); err != nil {
		t.Fatalf("not JSON: %v", err)
	}
	if !strings.HasPrefix(doc.OpenAPI, "3.1") {
		t.Errorf("OpenAPI %q, want 3.1", doc.OpenAPI)
	}
	for _, r := range routes {
		path := strings.NewReplacer("a-job", "{id}", "f1", "{id}", "r-1", "{id}", "2026-06-09", "{day}", "?path=2_Wiki/A.md", "").Replace(r.path)
		if doc.Paths[path][strings.ToLower(r.method)] == nil {
			t.Errorf("%s %s is not in the document", r.method, path)
		}
	}
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, got.Body.Bytes(), "", "  "); err != nil {
		t.Fatal(err)
	}
	const golden = "testdata/openapi.json"
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, append(bytes.TrimSpace(pretty.Bytes()), '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(bytes.TrimSpace(want), bytes.TrimSpace(pretty.Bytes())) {
		t.Errorf("the document differs from %s; run go test ./server -update and look at the diff", golden)
	}
}

func TestListensOnLoopbackOnly(t *testing.T) {
	for _, addr := range []string{"0.0.0.0:0", ":0", "192.0.2.1:0", "example.com:0", "nonsense"} {
		s := New(Options{Addr: addr})
		if err := s.Open(t.Context()); err == nil {
			t.Errorf("%q was taken", addr)
			_ = s.Close(t.Context())
		}
	}
}

func TestBusyPortIsAnError(t *testing.T) {
	first := New(Options{Addr: "127.0.0.1:0"})
	if err := first.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer first.Close(t.Context())
	if err := New(Options{Addr: first.Addr()}).Open(t.Context()); err == nil {
		t.Error("a taken port was taken again")
	}
}

func TestEventsReachTheClientAndEndWithTheServer(t *testing.T) {
	s, a, _ := twoTenants()
	a.events = make(chan api.Event, 1)
	if err := s.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(t.Context(), "GET", "http://"+s.Addr()+"/memory/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer token-a")
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	resp, err := (&http.Client{Transport: transport}).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	lines := bufio.NewScanner(resp.Body)
	arrives := func(e api.Event, want ...string) {
		t.Helper()
		a.events <- e
		for len(want) > 0 && lines.Scan() {
			if lines.Text() == want[0] {
				want = want[1:]
			}
		}
		if len(want) > 0 {
			t.Fatalf("the event did not arrive: %q, %v", want, lines.Err())
		}
	}
	arrives(api.Event{Kind: "write", At: "now", Text: "hello"}, "event: write", `data: {"kind":"write","at":"now","text":"hello"}`)
	arrives(api.Event{Kind: "memory", Memory: &api.MemoryEvent{DrawerID: "d1", Wing: "work"}}, "event: memory",
		`data: {"at":"","workspace":"","drawer_id":"d1","wing":"work","room":"","memory_type":"","agent":"","length":0}`)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := s.Close(ctx); err != nil {
		t.Errorf("close with an open stream: %v", err)
	}
	for lines.Scan() {
	}
}

func TestCloseWaitsForRunningRequests(t *testing.T) {
	s, a, _ := twoTenants()
	if err := s.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	if a.err != nil {
		t.Fatal(a.err)
	}
	transport := &http.Transport{}
	client := &http.Client{Transport: transport}
	req, _ := http.NewRequestWithContext(t.Context(), "POST", "http://"+s.Addr()+"/memory/turns", strings.NewReader(routes[0].body))
	req.Header.Set("Authorization", "Bearer token-a")
	req.Header.Set("Content-Type", "application/json")
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	transport.CloseIdleConnections()
	if resp.StatusCode != http.StatusAccepted {
		t.Errorf("status %d, want 202", resp.StatusCode)
	}
	if err := s.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := client.Do(req.Clone(t.Context())); err == nil {
		t.Error("a closed server answers")
	}
}

func TestTheSchemeOfTheTokenIgnoresCase(t *testing.T) {
	for _, scheme := range []string{"bearer ", "BEARER "} {
		s, _, _ := twoTenants()
		got := request(s.Handler(), "GET", "/memory/status", "", "", func(r *http.Request) { r.Header.Set("Authorization", scheme+"token-a") })
		if got.Code != http.StatusOK {
			t.Errorf("scheme %q: status %d, want 200", scheme, got.Code)
		}
	}
}

func TestNoBodyIsAnEmptyObject(t *testing.T) {
	for path, want := range map[string]int{
		"/memory/verify": 200, "/memory/reindex": 202, "/memory/context": 200, "/memory/consolidate": 200, "/memory/search": 422,
	} {
		for _, chunked := range []bool{false, true} {
			s, _, _ := twoTenants()
			got := request(s.Handler(), "POST", path, "token-a", "", func(r *http.Request) {
				if chunked {
					r.ContentLength = -1
				} else {
					r.Header.Del("Content-Type") // there is nothing that could have one
				}
			})
			if got.Code != want {
				t.Errorf("%s, chunked %v: status %d, want %d: %s", path, chunked, got.Code, want, got.Body)
			}
		}
	}
}

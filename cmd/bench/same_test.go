package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestNormalLeavesOutWhatChangesByItself(t *testing.T) {
	now := started
	for text, want := range map[string]string{
		"at " + now.Format(time.RFC3339Nano) + ".":              "at <now>.",
		"at " + now.AddDate(0, 0, 1).Format(time.RFC3339) + ".": "at <now>.", // after midnight
		"at 2020-06-01T09:12:00Z":                               "at 2020-06-01T09:12:00Z",
		`"phase_timing_ms": {"a": 1.5,"b": 2e-05}`:              `"phase_timing_ms": {"a": <n>,"b": <n>}`,
		`"seconds": 0.24, "score": 5.423`:                       `"seconds": <n>, "score": 5.423`,
		`{"elapsed_ms": 3.1,"batch_timings_ms": [
	0.2],"ms":4,"quiet_ms": 500}`: `{"elapsed_ms": <n>,"batch_timings_ms": <n>,"ms":<n>,"quiet_ms": 500}`,
		"dream r-20261122-0649-2 in 0.3 s":          "dream <run> in <n> s",
		"f0123456zz d1111111aa f2222222bb f0123456": "f0123456zz <d1> <f2> f0123456",
		"go_threads 7\nreverie_x{a=\"GET /b\"} 7\n": "reverie_x{a=\"GET /b\"} <n>\n",
		"done: 2 of 2 files\n1 fact of 2 days":      "done: <n> of <n> files\n1 fact of 2 days",
	} {
		if got := normal(text, map[string]bool{"f0123456zz": true}); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

func TestCompareRecordings(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	put := func(dir, name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put(a, "same.txt", "one\n")
	put(b, "same.txt", "one\n")
	var out bytes.Buffer
	if err := compareRecordings(&out, a, b); err != nil {
		t.Errorf("equal recordings: %v", err)
	}
	put(a, "changed.txt", "one\ntwo\n")
	put(b, "changed.txt", "one\nthree\n")
	put(b, "new.txt", "")
	if err := compareRecordings(&out, a, b); err == nil || !strings.Contains(out.String(), "-two\n+three\n") ||
		!strings.Contains(out.String(), "2 of 3 files differ") {
		t.Errorf("%v: %s", err, &out)
	}
}

// A route that is not asked would make a recording fail after minutes.
func TestEveryRouteIsAsked(t *testing.T) {
	document, err := os.ReadFile(filepath.FromSlash("../../server/testdata/openapi.json"))
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Paths map[string]map[string]json.RawMessage `json:"paths"`
	}
	if err := json.Unmarshal(document, &doc); err != nil {
		t.Fatal(err)
	}
	mux, asked := http.NewServeMux(), map[string]bool{}
	for path, methods := range doc.Paths {
		for method := range methods {
			route := strings.ToUpper(method) + " " + path
			mux.HandleFunc(route, http.NotFound)
			asked[route] = false
		}
	}
	for _, q := range toldRequests() {
		_, route := mux.Handler(httptest.NewRequest(q.method, strings.NewReplacer("{", "", "}", "").Replace(q.path), nil))
		asked[route] = true
	}
	for route, is := range asked {
		if !is {
			t.Errorf("same/requests.txt has no request for %s", route)
		}
	}
}

package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/mcp"
	"github.com/reverie-memory/reverie/operations"
)

// seeds adds what the transcripts send, as a whole or line by line.
func seeds(f *testing.F, lines bool) {
	files, err := filepath.Glob("testdata/lines/*.in")
	if err != nil || len(files) == 0 {
		f.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		if !lines {
			f.Add(data)
			continue
		}
		for line := range bytes.Lines(data) {
			f.Add(bytes.TrimSpace(line), "2025-06-18")
			f.Add(bytes.TrimSpace(line), "2026-07-28")
		}
	}
}

// Whatever is written to the program, it answers in messages, and ends when there is no more.
func FuzzLines(f *testing.F) {
	seeds(f, false)
	s := mcp.New(mcp.Options{Version: "v", Operations: operations.All, All: true, Memory: newAnswers()})
	f.Fuzz(func(t *testing.T, input []byte) {
		var out bytes.Buffer
		if err := s.ServeLines(t.Context(), bytes.NewReader(input), &out); err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(out.Bytes()) {
			var m struct {
				Version string          `json:"jsonrpc"`
				Result  json.RawMessage `json:"result"`
				Error   *struct {
					Code    int64  `json:"code"`
					Message string `json:"message"`
				} `json:"error"`
			}
			if err := json.Unmarshal(line, &m); err != nil || m.Version != "2.0" || (m.Result == nil) == (m.Error == nil) {
				t.Fatalf("no answer: %q: %v", line, err)
			}
			if m.Error != nil && (m.Error.Code == 0 || m.Error.Message == "") {
				t.Fatalf("an error that says nothing: %q", line)
			}
		}
	})
}

// Whatever is sent as a body, the answer has a status and, where it has a body, says something.
func FuzzBody(f *testing.F) {
	seeds(f, true)
	h := mcp.New(mcp.Options{Version: "v", Operations: operations.All, All: true, Memory: newAnswers()}).Handler()
	f.Fuzz(func(t *testing.T, body []byte, version string) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second) // subscriptions end with their client
		defer cancel()
		r := httptest.NewRequestWithContext(ctx, "POST", "http://127.0.0.1/mcp", bytes.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		r.Header.Set("Mcp-Protocol-Version", strings.ToValidUTF8(version, ""))
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code >= 500 || ctx.Err() != nil && !bytes.Contains(body, []byte("listen")) {
			t.Fatalf("status %d after %q: %s; %v", w.Code, body, w.Body, ctx.Err())
		}
		if w.Code == 200 && w.Header().Get("Content-Type") == "application/json" && !json.Valid(w.Body.Bytes()) && w.Body.Len() > 0 {
			t.Fatalf("not JSON: %q", w.Body)
		}
	})
}

package mcp

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Handler answers assistants over HTTP, each request by itself: there are no sessions. Who may ask, how much and for how long is for the
// caller to decide before. Memory is asked under the context of the request, and calls end with it.
func (s *Server) Handler() http.Handler {
	h := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s.sdk }, &sdk.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, Logger: s.opt.Log, MaxRequestBodyBytes: -1,
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			data, err := io.ReadAll(r.Body)
			if refused := checkBody(data); err == nil && refused != nil {
				w.Header().Set("Content-Type", "application/json")
				_ = json.NewEncoder(w).Encode(refused) // a client that is gone needs no answer
				return
			}
			r.Body = struct {
				io.Reader
				io.Closer
			}{io.MultiReader(bytes.NewReader(data), failing{err}), r.Body}
		}
		h.ServeHTTP(w, r.WithContext(within(r.Context())))
	})
}

// failing is a reader of nothing, which ends as the reader before it did.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) {
	if f.err != nil {
		return 0, f.err
	}
	return 0, io.EOF
}

package mcp

import (
	"net/http"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Handler answers assistants over HTTP, each request by itself: there are no sessions. Who may ask, how much and for how long is for the
// caller to decide before. Memory is asked under the context of the request, and calls end with it.
func (s *Server) Handler() http.Handler {
	h := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s.sdk }, &sdk.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, Logger: s.opt.Log, MaxRequestBodyBytes: -1,
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { h.ServeHTTP(w, r.WithContext(within(r.Context()))) })
}

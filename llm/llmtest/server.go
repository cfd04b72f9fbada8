// Package llmtest is a scripted model server for tests: it speaks OpenAI's protocol and enough of Ollama's and Anthropic's,
// answers what a test tells it to, fails on demand, and records what it was asked.
package llmtest

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// A Reply is one answer. The zero value answers a chat with nothing, and an embeddings call with Vectors of the texts.
type Reply struct {
	Text         string // of a chat
	Calls        []Call // tool calls of a chat, beside the text
	Finish       string // why the chat ended; "" is the protocol's usual word
	InputTokens  int
	OutputTokens int

	Status  int               // other than 0 and 200: an error with Text as message
	Header  map[string]string // such as Retry-After
	Body    string            // the whole body, in place of all the above
	Wait    <-chan struct{}   // the answer waits until this is closed (or the client gives up)
	HangUp  bool              // the connection ends without an answer
	Vectors [][]float32       // of an embeddings call
	Mangle  func([]Vector) []Vector
}

// A Vector is one entry of an embeddings reply. A nil Index leaves the number out.
type Vector struct {
	Index     *int `json:"index,omitempty"`
	Embedding any  `json:"embedding"`
}

// A Request is what the server was asked.
type Request struct {
	Path     string
	Header   http.Header
	Raw      string // the body as it came
	Body     map[string]json.RawMessage
	Input    []string  // texts of an embeddings call
	Prompt   string    // all messages of a chat, one a paragraph
	Messages []Message // of a chat, the system's left out where it has a place of its own
	Tools    []string  // names of the tools that the model may call
}

// Has tells whether the body has the field, and decodes it into v where v is not nil.
func (r Request) Has(field string, v any) bool {
	raw, ok := r.Body[field]
	return ok && (v == nil || json.Unmarshal(raw, v) == nil)
}

// Server is the scripted server.
type Server struct {
	URL string // without a path: add /v1 for OpenAI's protocol and Anthropic's
	Dim int    // of vectors that no script gives; 8 unless set before the first call

	// Default answers when the script has ended. Nil: chats get "ok".
	Default func(Request) Reply

	mu       sync.Mutex
	script   []Reply
	requests []Request
}

// New starts a server that ends with the test.
func New(t testing.TB) *Server {
	s := &Server{Dim: 8}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	s.URL = server.URL
	return s
}

// Script appends answers for the next requests, in order.
func (s *Server) Script(replies ...Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script = append(s.script, replies...)
}

// Say appends chat answers.
func (s *Server) Say(texts ...string) {
	for _, text := range texts {
		s.Script(Reply{Text: text, InputTokens: 10, OutputTokens: 5})
	}
}

// Fail appends n errors with this status.
func (s *Server) Fail(n, status int) {
	for range n {
		s.Script(Reply{Status: status, Text: "scripted failure"})
	}
}

// Requests returns what was asked so far.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// ServeHTTP implements [http.Handler].
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	req := record(r)
	reply := s.next(req)
	if reply.Wait != nil {
		select {
		case <-reply.Wait:
		case <-r.Context().Done():
			return
		}
	}
	if reply.HangUp {
		panic(http.ErrAbortHandler)
	}
	w.Header().Set("Content-Type", "application/json")
	for k, v := range reply.Header {
		w.Header().Set(k, v)
	}
	if reply.Status != 0 {
		w.WriteHeader(reply.Status)
	}
	switch {
	case reply.Body != "":
		io.WriteString(w, reply.Body)
	case reply.Status >= 300:
		write(w, map[string]any{"error": map[string]any{"message": reply.Text}})
	case strings.HasSuffix(r.URL.Path, "/embeddings"):
		write(w, s.embeddings(req, reply))
	case strings.HasSuffix(r.URL.Path, "/chat/completions"):
		write(w, completion(reply))
	case strings.HasSuffix(r.URL.Path, "/api/chat"):
		write(w, ollama(reply))
	case strings.HasSuffix(r.URL.Path, "/messages"):
		write(w, message(req, reply))
	default:
		http.NotFound(w, r)
	}
}

func (s *Server) next(req Request) Reply {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, req)
	if len(s.script) > 0 {
		reply := s.script[0]
		s.script = s.script[1:]
		return reply
	}
	if s.Default != nil {
		return s.Default(req)
	}
	return Reply{Text: "ok", InputTokens: 10, OutputTokens: 5}
}

func (s *Server) embeddings(req Request, reply Reply) any {
	vectors := reply.Vectors
	if vectors == nil {
		for _, text := range req.Input {
			vectors = append(vectors, VectorOf(text, s.Dim))
		}
	}
	items := make([]Vector, len(vectors))
	for i, v := range vectors {
		items[i] = Vector{Index: &i, Embedding: v}
	}
	if reply.Mangle != nil {
		items = reply.Mangle(items)
	}
	return map[string]any{
		"object": "list", "data": items,
		"usage": map[string]any{"prompt_tokens": reply.InputTokens, "total_tokens": reply.InputTokens},
	}
}

// VectorOf is the vector that the server gives to a text: unit length, the same each time, different for each text.
func VectorOf(text string, dim int) []float32 {
	v := make([]float32, dim)
	sum := 0.0
	for i := range v {
		h := fnv.New32a()
		fmt.Fprintf(h, "%d/%s", i, text)
		x := float64(h.Sum32())/(1<<31) - 1
		v[i] = float32(x)
		sum += x * x
	}
	for i := range v {
		v[i] = float32(float64(v[i]) / math.Sqrt(sum))
	}
	return v
}

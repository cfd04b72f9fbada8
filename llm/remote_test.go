package llm_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/reverie-memory/reverie/llm"
	"github.com/reverie-memory/reverie/llm/llmtest"
)

func TestMain(m *testing.M) {
	llmtest.Perform()
	goleak.VerifyTestMain(m)
}

func newEmbedder(t *testing.T, o llm.EmbedderOptions) llm.Embedder {
	t.Helper()
	e, err := llm.NewEmbedder(o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func serverEmbedder(t *testing.T, s *llmtest.Server, change func(*llm.EmbedderOptions)) llm.Embedder {
	o := llm.EmbedderOptions{Provider: llm.ProviderOpenAI, BaseURL: s.URL + "/v1", Model: "test-embed"}
	if change != nil {
		change(&o)
	}
	return newEmbedder(t, o)
}

func TestRemoteEmbedsInOrder(t *testing.T) {
	s := llmtest.New(t)
	s.Script(llmtest.Reply{Mangle: func(v []llmtest.Vector) []llmtest.Vector { slices.Reverse(v); return v }})
	e := serverEmbedder(t, s, nil)
	texts := []string{"one", "two\nlines", "three"}
	before := slices.Clone(texts)
	got, err := e.Embed(context.Background(), texts, llm.Document)
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range texts {
		if !near(got[i], llmtest.VectorOf(text, 8)) {
			t.Errorf("%q got another text's vector", text)
		}
	}
	if !cmp.Equal(before, texts) {
		t.Errorf("the caller's texts were changed: %q", texts)
	}
	if sent := s.Requests()[0].Input; !cmp.Equal(sent, texts) {
		t.Errorf("sent %q", sent)
	}
	if e.Dim() != 8 {
		t.Errorf("dim %d", e.Dim())
	}
}

func near(a, b []float32) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if math.Abs(float64(a[i]-b[i])) > 1e-6 {
			return false
		}
	}
	return true
}

func TestRemoteRefusesBadVectors(t *testing.T) {
	data := func(vectors ...string) string {
		var items []string
		for i, v := range vectors {
			items = append(items, fmt.Sprintf(`{"index":%d,"embedding":%s}`, i, v))
		}
		return `{"data":[` + strings.Join(items, ",") + `]}`
	}
	drop := func(v []llmtest.Vector) []llmtest.Vector { return v[:1] }
	same := func(v []llmtest.Vector) []llmtest.Vector { v[1].Index = v[0].Index; return v }
	half := func(v []llmtest.Vector) []llmtest.Vector { v[1].Index = nil; return v }
	for name, c := range map[string]struct {
		reply llmtest.Reply
		want  string
	}{
		"NaN":            {llmtest.Reply{Body: data("[NaN,1]", "[1,2]")}, "NaN"},
		"infinity":       {llmtest.Reply{Body: data("[Infinity,1]", "[1,2]")}, "Infinity"},
		"null":           {llmtest.Reply{Body: data("[null,1]", "[1,2]")}, "null"},
		"too large":      {llmtest.Reply{Body: data("[1e99,1]", "[1,2]")}, "1e99"},
		"overflow":       {llmtest.Reply{Body: data("[3e38,3e38]", "[0,0]")}, "zeros"},
		"empty":          {llmtest.Reply{Body: data("[]", "[1]")}, "empty"},
		"not a list":     {llmtest.Reply{Body: data(`"AAAA"`, "[1]")}, "list of numbers"},
		"too few":        {llmtest.Reply{Mangle: drop}, "1 vectors for 2 texts"},
		"twice":          {llmtest.Reply{Mangle: same}, "twice"},
		"half numbered":  {llmtest.Reply{Mangle: half}, "only some"},
		"different dims": {llmtest.Reply{Body: data("[1,2,3]", "[1,2]")}, "2 values where it answered 3"},
		"html":           {llmtest.Reply{Body: "<html>"}, "not the JSON"},
		"hang up":        {llmtest.Reply{HangUp: true}, "EOF"},
		"refused":        {llmtest.Reply{Status: 401, Text: "bad key"}, "401 Unauthorized: bad key"},
		"redirect":       {llmtest.Reply{Status: 307, Header: map[string]string{"Location": "http://127.0.0.1:1/"}}, "307"},
		"model is missing": {
			llmtest.Reply{Status: 404, Body: `{"error":"model \"x\" not found, try pulling it first"}`},
			"not found, try pulling",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := llmtest.New(t)
			s.Script(c.reply)
			_, err := serverEmbedder(t, s, nil).Embed(context.Background(), []string{"a", "b"}, llm.Document)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("err = %v, want one that says %q", err, c.want)
			}
		})
	}
}

func TestRemoteChecksItsDimension(t *testing.T) {
	s := llmtest.New(t)
	e := serverEmbedder(t, s, func(o *llm.EmbedderOptions) { o.Dim = 16 })
	if _, err := e.Embed(context.Background(), []string{"a"}, llm.Query); err == nil ||
		!strings.Contains(err.Error(), "8 values where embedding.dim is 16") {
		t.Errorf("err = %v", err)
	}
	e = serverEmbedder(t, s, nil)
	before := e.Fingerprint()
	if _, err := e.Embed(context.Background(), []string{"a"}, llm.Query); err != nil {
		t.Fatal(err)
	}
	if e.Fingerprint() != before {
		t.Error("the fingerprint changed with the first answer")
	}
	s.Dim = 9
	if _, err := e.Embed(context.Background(), []string{"a"}, llm.Query); err == nil ||
		!strings.Contains(err.Error(), "9 values where it answered 8 before") {
		t.Errorf("err = %v", err)
	}
}

func TestRemoteNormalisesAndBatches(t *testing.T) {
	s := llmtest.New(t)
	s.Default = func(r llmtest.Request) llmtest.Reply {
		out := llmtest.Reply{}
		for range r.Input {
			out.Vectors = append(out.Vectors, []float32{3, 4})
		}
		return out
	}
	e := serverEmbedder(t, s, func(o *llm.EmbedderOptions) { o.BatchSize = 2 })
	got, err := e.Embed(context.Background(), []string{"a", "b", "", "c", "\xff", " "}, llm.Document)
	if err != nil {
		t.Fatal(err)
	}
	want := [][]float32{{0.6, 0.8}, {0.6, 0.8}, {0, 0}, {0.6, 0.8}, {0.6, 0.8}, {0, 0}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if n := len(s.Requests()); n != 2 {
		t.Errorf("%d requests, want 2", n)
	}
	if auth := s.Requests()[0].Header.Get("Authorization"); auth != "Bearer local" {
		t.Errorf("Authorization %q", auth)
	}
}

func TestRemotePrefixes(t *testing.T) {
	for _, c := range []struct {
		model, setQuery, setDocument string
		query, document              string
	}{
		{"nomic-embed-text:latest", "", "", "search_query: x", "search_document: x"},
		{"intfloat/multilingual-e5-small", "", "", "query: x", "passage: x"},
		{"embeddinggemma", "", "", "task: search result | query: x", "title: none | text: x"},
		{"all-minilm", "", "", "x", "x"},
		{"bge-m3", "", "", "x", "x"},
		{"nomic-embed-text", llm.NoPrefix, "doc: ", "x", "doc: x"},
	} {
		s := llmtest.New(t)
		e := newEmbedder(t, llm.EmbedderOptions{
			Provider: llm.ProviderOllama, BaseURL: s.URL, Model: c.model, QueryPrefix: c.setQuery,
			DocumentPrefix: c.setDocument,
		})
		for _, kind := range []llm.Kind{llm.Query, llm.Document} {
			if _, err := e.Embed(context.Background(), []string{"x"}, kind); err != nil {
				t.Fatal(err)
			}
		}
		r := s.Requests()
		if r[0].Input[0] != c.query || r[1].Input[0] != c.document {
			t.Errorf("%s: sent %q and %q", c.model, r[0].Input[0], r[1].Input[0])
		}
		if r[0].Path != "/v1/embeddings" {
			t.Errorf("path %s", r[0].Path)
		}
	}
}

func TestRemoteSendsNoSecrets(t *testing.T) {
	s := llmtest.New(t)
	secret := "gh" + "p_" + strings.Repeat("a1B2c3", 6)
	if _, err := serverEmbedder(t, s, nil).Embed(context.Background(), []string{"token " + secret}, llm.Document); err != nil {
		t.Fatal(err)
	}
	if got := s.Requests()[0].Input[0]; got != "token [redacted: github token]" {
		t.Errorf("sent %q", got)
	}
}

func TestRemoteTimesOut(t *testing.T) {
	s := llmtest.New(t)
	never := make(chan struct{})
	s.Script(llmtest.Reply{Wait: never})
	e := serverEmbedder(t, s, func(o *llm.EmbedderOptions) { o.Timeout = 20 * time.Millisecond })
	_, err := e.Embed(context.Background(), []string{"a"}, llm.Document)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("err = %v", err)
	}
}

func TestPlainHTTPStaysNear(t *testing.T) {
	e := newEmbedder(t, llm.EmbedderOptions{
		Provider: llm.ProviderOpenAI, BaseURL: "http://192.0.2.1/v1", Model: "m",
		Timeout: 5 * time.Second,
	})
	_, err := e.Embed(context.Background(), []string{"a"}, llm.Document)
	if err == nil || !strings.Contains(err.Error(), "is refused") {
		t.Errorf("err = %v", err)
	}
}

func TestOptionsAreChecked(t *testing.T) {
	for _, c := range []struct {
		o    llm.EmbedderOptions
		want string
	}{
		{llm.EmbedderOptions{Provider: "x"}, "unknown embedding provider"},
		{llm.EmbedderOptions{Dim: 7}, "384 dimensions, not 7"},
		{llm.EmbedderOptions{Provider: "openai", Model: "m"}, "needs an API key"},
		{llm.EmbedderOptions{Provider: "ollama"}, "needs a model"},
		{llm.EmbedderOptions{Provider: "ollama", Model: "m", BaseURL: "localhost:1"}, "not an http"},
		{llm.EmbedderOptions{Provider: "ollama", Model: "m", BaseURL: "http://a:b@localhost"}, "neither a password"},
	} {
		if _, err := llm.NewEmbedder(c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c.o, err)
		}
	}
	for _, c := range []struct {
		o    llm.ChatOptions
		want string
	}{
		{llm.ChatOptions{}, "no chat model"},
		{llm.ChatOptions{Provider: "x", Model: "m"}, "unknown llm provider"},
		{llm.ChatOptions{Provider: "openai"}, "needs a model"},
		{llm.ChatOptions{Provider: "google", Model: "m"}, "needs an API key"},
		{llm.ChatOptions{Provider: "anthropic", Model: "m"}, "needs an API key"},
	} {
		if _, err := llm.NewChat(c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c.o, err)
		}
	}
}

// While a question is asked, the next request with stored texts waits, also that of another embedder at the same server.
func TestQuestionsGoBeforeStoredTexts(t *testing.T) {
	s := llmtest.New(t)
	release := make(chan struct{})
	s.Default = func(r llmtest.Request) llmtest.Reply {
		if r.Input[0] == "question" {
			return llmtest.Reply{Wait: release}
		}
		return llmtest.Reply{}
	}
	asking := serverEmbedder(t, s, nil)
	storing := serverEmbedder(t, s, func(o *llm.EmbedderOptions) { o.Model, o.BatchSize = "another", 1 })
	done := make(chan error, 2)
	embed := func(e llm.Embedder, kind llm.Kind, texts ...string) {
		_, err := e.Embed(context.Background(), texts, kind)
		done <- err
	}
	go embed(asking, llm.Query, "question")
	for len(s.Requests()) == 0 {
		runtime.Gosched()
	}
	go embed(storing, llm.Document, "first", "second")
	select {
	case err := <-done:
		t.Fatalf("texts were embedded while a question waited (%v)", err)
	case <-time.After(100 * time.Millisecond):
	}
	if n := len(s.Requests()); n != 1 {
		t.Errorf("%d requests with stored texts went before the question's answer", n-1)
	}
	close(release)
	for range 2 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if n := len(s.Requests()); n != 3 {
		t.Errorf("%d requests, want the question and two texts", n)
	}
}

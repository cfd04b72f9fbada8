package llm

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tmc/langchaingo/llms/openai"

	"github.com/reverie-memory/reverie/internal/lanes"
	"github.com/reverie-memory/reverie/redact"
)

// remoteVersion counts changes in what is sent for a text.
const remoteVersion = 1

// Addresses that are used when none is given.
const (
	openaiURL    = "https://api.openai.com/v1"
	ollamaURL    = "http://127.0.0.1:11434"
	anthropicURL = "https://api.anthropic.com/v1"
	googleURL    = "https://generativelanguage.googleapis.com/v1beta/openai"
)

// localToken stands for the key where a server wants none: langchaingo insists on one.
const localToken = "local"

// A remote embeds through a server that speaks OpenAI's protocol, which Ollama does too (its own takes one text a request).
type remote struct {
	options EmbedderOptions
	client  *openai.LLM
	dim     atomic.Int64
	lanes   *lanes.Lanes // of the server
	pace    pace         // of stored texts
}

// servers has the [lanes.Lanes] of each address: vaults of one daemon share a server.
var servers sync.Map

func newRemote(o EmbedderOptions) (*remote, error) {
	fallback := openaiURL
	if o.Provider == ProviderOllama {
		fallback = ollamaURL
	}
	base, err := baseURL(o.BaseURL, fallback)
	if err != nil {
		return nil, err
	}
	if o.Provider == ProviderOllama && !strings.HasSuffix(base.Path, "/v1") {
		base = base.JoinPath("v1")
	}
	if o.Model == "" {
		return nil, fmt.Errorf("embedding provider %s needs a model, such as %s", o.Provider, exampleModel(o.Provider))
	}
	key := o.APIKey
	if key == "" {
		if base.Hostname() == "api.openai.com" {
			return nil, errors.New("api.openai.com needs an API key (embedding.api_key)")
		}
		key = localToken
	}
	if o.BatchSize <= 0 {
		o.BatchSize = 32
	}
	if o.Timeout <= 0 {
		o.Timeout = 60 * time.Second
	}
	o.QueryPrefix, o.DocumentPrefix = prefixes(o)
	options := []openai.Option{
		openai.WithToken(key), openai.WithBaseURL(base.String()), openai.WithModel(o.Model), openai.WithEmbeddingModel(o.Model),
		openai.WithOrganization(""), openai.WithHTTPClient(newClient(base, o.AllowPlainHTTP)),
	}
	if o.Dim > 0 && strings.HasPrefix(o.Model, "text-embedding-3") { // the models that cut their vectors on request
		options = append(options, openai.WithEmbeddingDimensions(o.Dim))
	}
	client, err := openai.New(options...)
	if err != nil {
		return nil, err
	}
	shared, _ := servers.LoadOrStore(base.String(), &lanes.Lanes{})
	r := &remote{options: o, client: client, lanes: shared.(*lanes.Lanes), pace: pace{most: o.BatchSize}}
	r.dim.Store(int64(o.Dim))
	return r, nil
}

func exampleModel(provider string) string {
	if provider == ProviderOllama {
		return "nomic-embed-text"
	}
	return "text-embedding-3-small"
}

func (r *remote) Name() string { return r.options.Provider + "/" + r.options.Model }
func (r *remote) Dim() int     { return int(r.dim.Load()) }

// Fingerprint holds the dimension only where it is set: the model fixes the other case, and a fingerprint
// must not change at the first answer.
func (r *remote) Fingerprint() string {
	o := r.options
	return fmt.Sprintf("%s/%s/%d/%q/%q/%d", o.Provider, o.Model, o.Dim, o.QueryPrefix, o.DocumentPrefix, remoteVersion)
}

// batchBytes bounds the text of one request beside the count.
const batchBytes = 128 << 10

// Embed lets questions go before stored texts: many servers do one thing after the other. Stored texts go in requests that hold a question
// back no longer than they must, and each of them waits for the questions that are under way.
func (r *remote) Embed(ctx context.Context, texts []string, kind Kind) ([][]float32, error) {
	prefix, ask, most := r.options.DocumentPrefix, r.inTurn, r.pace.next
	if kind == Query {
		prefix, ask, most = r.options.QueryPrefix, r.request, func() int { return r.options.BatchSize }
		defer r.lanes.Urgent()()
	}
	out := make([][]float32, len(texts))
	var batch []string
	var places []int
	size := 0
	flush := func() error {
		if len(batch) == 0 {
			return nil
		}
		vectors, err := ask(ctx, batch)
		if err != nil {
			return fmt.Errorf("embedding with %s: %w", r.Name(), err)
		}
		for i, v := range vectors {
			out[places[i]] = v
		}
		batch, places, size = batch[:0], places[:0], 0
		return nil
	}
	for i, text := range texts {
		if strings.TrimSpace(text) == "" {
			continue // servers refuse it; it gets the zero vector below
		}
		text, _ = redact.Redact(strings.ToValidUTF8(text, "�"))
		if len(batch) >= most() || size+len(text) > batchBytes {
			if err := flush(); err != nil {
				return nil, err
			}
		}
		batch, places, size = append(batch, prefix+text), append(places, i), size+len(text)
	}
	if err := flush(); err != nil {
		return nil, err
	}
	for i := range out {
		if out[i] == nil {
			if r.Dim() == 0 {
				return nil, errors.New("embedding an empty text before the model's dimension is known")
			}
			out[i] = make([]float32, r.Dim())
		}
	}
	return out, nil
}

// inTurn is request for stored texts.
func (r *remote) inTurn(ctx context.Context, texts []string) ([][]float32, error) {
	if err := r.lanes.Rest(ctx); err != nil {
		return nil, err
	}
	begun := time.Now()
	vectors, err := r.request(ctx, texts)
	if err == nil {
		r.pace.took(len(texts), time.Since(begun))
	}
	return vectors, err
}

func (r *remote) request(ctx context.Context, texts []string) ([][]float32, error) {
	ctx, cancel := context.WithTimeout(ctx, r.options.Timeout)
	defer cancel()
	x := &exchange{embeds: true, count: len(texts)}
	vectors, err := r.client.CreateEmbedding(withExchange(ctx, x), texts)
	if err = x.because(ctx, err); err != nil {
		return nil, err
	}
	if len(vectors) != len(texts) {
		return nil, fmt.Errorf("the server answered %d vectors for %d texts", len(vectors), len(texts))
	}
	for _, v := range vectors {
		if err := r.check(v); err != nil {
			return nil, err
		}
		if err := normalise(v); err != nil {
			return nil, err
		}
	}
	countTokens(ctx, x.tokens, texts)
	return vectors, nil
}

// check holds a vector against the dimension that is set or that the first answer had.
func (r *remote) check(v []float32) error {
	if len(v) == 0 {
		return errors.New("the server answered an empty vector")
	}
	r.dim.CompareAndSwap(0, int64(len(v)))
	if want := r.Dim(); len(v) != want {
		if r.options.Dim > 0 {
			return fmt.Errorf("the server answered vectors of %d values where embedding.dim is %d", len(v), want)
		}
		return fmt.Errorf("the server answered vectors of %d values where it answered %d before", len(v), want)
	}
	return nil
}

// normalise scales v to unit length, since some servers do not.
func normalise(v []float32) error {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if math.IsNaN(sum) || math.IsInf(sum, 0) {
		return errors.New("the server answered a vector that holds NaN or infinity")
	}
	if sum == 0 {
		return errors.New("the server answered a vector of zeros")
	}
	length := math.Sqrt(sum)
	for i, x := range v {
		v[i] = float32(float64(x) / length)
	}
	return nil
}

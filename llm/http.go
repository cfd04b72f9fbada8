package llm

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/reverie-memory/reverie/redact"
)

const (
	connectTimeout = 10 * time.Second
	replyLimit     = 64 << 20 // bytes of one reply: 64 texts of 4096 values are 6 MB
	errorLimit     = 300      // bytes of a server's own words in an error
)

// A StatusError is a server's refusal.
type StatusError struct {
	Code       int
	Message    string // the server's own words, shortened
	RetryAfter time.Duration
}

func (e *StatusError) Error() string {
	if e.Message == "" {
		return fmt.Sprintf("the server answered %d %s", e.Code, http.StatusText(e.Code))
	}
	return fmt.Sprintf("the server answered %d %s: %s", e.Code, http.StatusText(e.Code), e.Message)
}

// A networkError is a request that got no whole reply; it may be tried again.
type networkError struct{ err error }

func (e *networkError) Error() string { return e.err.Error() }
func (e *networkError) Unwrap() error { return e.err }

// An exchange rides in the context of one request through langchaingo, which neither lets the body be chosen
// freely nor tells what a server answered: the transport changes the body on the way out and leaves the truth
// on the way back. An exchange belongs to one request at a time.
type exchange struct {
	edit   func(body map[string]json.RawMessage)
	embeds bool              // the reply is a list of vectors: check it and put it in order
	count  int               // of texts sent
	err    error             // what went wrong, which langchaingo would blur
	tokens int               // what the server says it read
	seen   func(body []byte) // is shown a good reply, which holds more than langchaingo hands on
}

type exchangeKey struct{}

func withExchange(ctx context.Context, x *exchange) context.Context {
	return context.WithValue(ctx, exchangeKey{}, x)
}

// because returns the transport's error in place of langchaingo's.
func (x *exchange) because(ctx context.Context, err error) error {
	if x.err != nil {
		return x.err
	}
	if ctx.Err() != nil { // langchaingo can return a deadline as an empty success
		return &networkError{ctx.Err()}
	}
	return err
}

type transport struct {
	base http.RoundTripper
}

// newClient returns a client for one model server. Plain http goes to loopback and private addresses only,
// whatever a name resolves to; redirects are not followed, for they would carry the key elsewhere; a proxy
// is used only for https.
func newClient(base *url.URL, allowPlain bool) *http.Client {
	plain := base.Scheme == "http"
	dialer := &net.Dialer{Timeout: connectTimeout, KeepAlive: 30 * time.Second}
	if plain && !allowPlain {
		dialer.Control = func(_, address string, _ syscall.RawConn) error {
			to, err := netip.ParseAddrPort(address)
			if err != nil || !near(to.Addr()) {
				return fmt.Errorf("plain http to the public address %s is refused: use https", address)
			}
			return nil
		}
	}
	tr := &http.Transport{
		DialContext:         dialer.DialContext,
		TLSHandshakeTimeout: connectTimeout,
		IdleConnTimeout:     30 * time.Second,
		MaxIdleConnsPerHost: 4,
		ForceAttemptHTTP2:   true,
	}
	if !plain {
		tr.Proxy = http.ProxyFromEnvironment
	}
	return &http.Client{
		Transport:     &transport{base: tr},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// near tells addresses of this machine and of private networks.
func near(a netip.Addr) bool {
	a = a.Unmap()
	return a.IsLoopback() || a.IsPrivate() || a.IsLinkLocalUnicast()
}

// baseURL checks a server's address.
func baseURL(given, fallback string) (*url.URL, error) {
	given = cmp.Or(given, fallback)
	u, err := url.Parse(strings.TrimRight(given, "/"))
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("base_url %q is not an http or https address", given)
	}
	if u.User != nil || u.RawQuery != "" {
		return nil, errors.New("base_url must hold neither a password nor a query; keys go into api_key")
	}
	return u, nil
}

func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	x, _ := req.Context().Value(exchangeKey{}).(*exchange)
	if x == nil {
		x = &exchange{}
	}
	if err := x.outgoing(req); err != nil {
		x.err = err
		return nil, err
	}
	resp, err := t.base.RoundTrip(req)
	if err != nil {
		x.err = &networkError{err}
		return nil, err
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, replyLimit+1))
	resp.Body.Close()
	switch {
	case err != nil:
		x.err = &networkError{fmt.Errorf("reading the reply: %w", err)}
	case len(body) > replyLimit:
		x.err = fmt.Errorf("the reply is longer than %d MB", replyLimit>>20)
	case resp.StatusCode < 200 || resp.StatusCode > 299:
		x.err = &StatusError{resp.StatusCode, complaint(body), retryAfter(resp.Header.Get("Retry-After"), time.Now())}
	case x.embeds:
		body, x.err = x.vectors(body)
	}
	if x.err != nil {
		return nil, x.err
	}
	if x.seen != nil {
		x.seen(body)
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	resp.ContentLength = int64(len(body))
	return resp, nil
}

func (x *exchange) outgoing(req *http.Request) error {
	if x.edit == nil || req.Body == nil {
		return nil
	}
	data, err := io.ReadAll(req.Body)
	req.Body.Close()
	if err != nil {
		return err
	}
	var body map[string]json.RawMessage
	if err := json.Unmarshal(data, &body); err != nil {
		return fmt.Errorf("request body: %w", err)
	}
	x.edit(body)
	if data, err = json.Marshal(body); err != nil {
		return err
	}
	req.Body = io.NopCloser(bytes.NewReader(data))
	req.ContentLength = int64(len(data))
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }
	return nil
}

// A numberedVector is an entry of a reply of OpenAI's embeddings call. Some servers leave the number out.
type numberedVector struct {
	Index     *int            `json:"index"`
	Embedding json.RawMessage `json:"embedding"`
}

// vectors checks a reply of OpenAI's embeddings call and puts its vectors in the order of the texts, which
// langchaingo takes for granted.
func (x *exchange) vectors(body []byte) ([]byte, error) {
	var reply struct {
		Data  []numberedVector `json:"data"`
		Usage struct {
			Prompt int `json:"prompt_tokens"`
			Total  int `json:"total_tokens"`
		} `json:"usage"`
	}
	if err := json.Unmarshal(body, &reply); err != nil {
		for _, odd := range []string{"NaN", "Infinity"} {
			if bytes.Contains(body, []byte(odd)) {
				return nil, fmt.Errorf("the server answered a vector that holds %s", odd)
			}
		}
		return nil, fmt.Errorf("the reply is not the JSON of an embeddings call: %w", err)
	}
	if len(reply.Data) != x.count {
		return nil, fmt.Errorf("the server answered %d vectors for %d texts", len(reply.Data), x.count)
	}
	x.tokens = max(reply.Usage.Prompt, reply.Usage.Total)
	order := make([]json.RawMessage, x.count)
	numbered := slices.ContainsFunc(reply.Data, func(d numberedVector) bool { return d.Index != nil })
	sorted := true
	for i, d := range reply.Data {
		at := i
		if d.Index != nil && x.count > 1 {
			at = *d.Index
		} else if numbered && x.count > 1 {
			return nil, errors.New("the server numbered only some of its vectors")
		}
		if at < 0 || at >= x.count || order[at] != nil {
			return nil, fmt.Errorf("the server numbered a vector %d twice or out of range (if it numbers none properly, set batch_size = 1)", at)
		}
		if len(d.Embedding) == 0 || d.Embedding[0] != '[' {
			return nil, errors.New("the server answered something else than a list of numbers as vector")
		}
		if bytes.Contains(d.Embedding, []byte("null")) {
			return nil, errors.New("the server answered a vector that holds null (not a number)")
		}
		order[at] = d.Embedding
		sorted = sorted && at == i
	}
	if sorted {
		return body, nil
	}
	out := make([]numberedVector, x.count)
	for i, e := range order {
		out[i] = numberedVector{&i, e}
	}
	return json.Marshal(map[string]any{"data": out})
}

// complaint finds the message in the error replies of the providers.
func complaint(body []byte) string {
	text := strings.TrimSpace(string(body))
	var list []json.RawMessage
	if json.Unmarshal(body, &list) == nil && len(list) > 0 { // Google wraps it in a list
		body = list[0]
	}
	var reply struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
		Detail  json.RawMessage `json:"detail"`
	}
	if json.Unmarshal(body, &reply) == nil {
		var inner struct {
			Message string `json:"message"`
		}
		var plain string
		switch {
		case json.Unmarshal(reply.Error, &inner) == nil && inner.Message != "":
			text = inner.Message
		case json.Unmarshal(reply.Error, &plain) == nil && plain != "":
			text = plain
		case reply.Message != "":
			text = reply.Message
		case len(reply.Detail) > 0:
			text = string(reply.Detail)
		}
	}
	text, _ = redact.Redact(strings.ToValidUTF8(strings.Join(strings.Fields(text), " "), "?"))
	if len(text) > errorLimit {
		text = strings.ToValidUTF8(text[:errorLimit], "") + "…"
	}
	return text
}

// retryAfter reads the header of that name: seconds or a date.
func retryAfter(value string, now time.Time) time.Duration {
	if value == "" {
		return 0
	}
	if s, err := strconv.ParseFloat(value, 64); err == nil && s >= 0 && s < 1e6 {
		return time.Duration(s * float64(time.Second))
	}
	if t, err := http.ParseTime(value); err == nil {
		return max(0, t.Sub(now))
	}
	return 0
}

// temporary tells errors after which the same request may succeed.
func temporary(err error) bool {
	var status *StatusError
	if errors.As(err, &status) {
		return status.Code == 408 || status.Code == 429 || status.Code >= 500 && status.Code != 501
	}
	var network *networkError
	return errors.As(err, &network)
}

package main

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/config"
)

// requestLines are the requests that know what they ask for. What every route has to refuse is made from the OpenAPI document.
//
//go:embed same/requests.txt
var requestLines string

// aRequest is one request; what is not said is as the API wants it.
type aRequest struct {
	title, method, path, body string
	header, value             string // "Host" is the host; without a value, a header is taken away
	length                    int64  // that is announced, where it is not the body's
}

// A body that is too large is refused before it is sent, so that the connection is not cut while it is. HEAD of the events
// holds its connection, so that each request has one of its own.
var sameClient = &http.Client{
	Transport: &http.Transport{ExpectContinueTimeout: time.Minute, DisableKeepAlives: true},
	Timeout:   2 * time.Minute,
}

// inPath is what stands in a route's path for something that a request names.
var inPath = regexp.MustCompile(`\{[a-z]+\}`)

func (r *sameRun) routes(ctx context.Context, from *subject) (err error) {
	s, err := r.newSubject("routes", from.vault)
	if err != nil {
		return err
	}
	if err := s.serve(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.stop(ctx)) }()
	document, err := s.send(ctx, aRequest{method: http.MethodGet, path: "/openapi.json"})
	if err != nil {
		return err
	}
	if err := r.note(document, "openapi.json"); err != nil {
		return err
	}
	var doc struct {
		Paths map[string]map[string]json.RawMessage `json:"paths"`
	}
	if err := json.Unmarshal([]byte(document[strings.Index(document, "{"):]), &doc); err != nil {
		return fmt.Errorf("the OpenAPI document: %w", err)
	}
	mux, answers := http.NewServeMux(), map[string]*strings.Builder{"": {}}
	var requests []aRequest
	for _, path := range slices.Sorted(maps.Keys(doc.Paths)) {
		for method := range doc.Paths[path] {
			route := strings.ToUpper(method) + " " + path
			mux.HandleFunc(route, http.NotFound)
			answers[route] = &strings.Builder{}
			requests = append(requests, refusals(strings.ToUpper(method), inPath.ReplaceAllString(path, "nowhere"))...)
		}
	}
	refused := len(requests)
	requests = append(requests, toldRequests()...)
	seen, asked := map[string]string{}, map[string]bool{"": true}
	named := regexp.MustCompile(`"(job_id|run_id|drawer_id|id)": "([^"]+)"`)
	for i, q := range requests {
		for field, value := range seen {
			q.path, q.body = strings.ReplaceAll(q.path, "{"+field+"}", value), strings.ReplaceAll(q.body, "{"+field+"}", value)
		}
		answer, err := s.send(ctx, q)
		if err != nil {
			return fmt.Errorf("%s: %w", q.title, err)
		}
		for _, m := range named.FindAllStringSubmatch(answer, -1) {
			seen[m[1]] = m[2]
		}
		method, _, _ := strings.Cut(q.title, " ")
		as, err := http.NewRequest(method, s.base+q.path, http.NoBody)
		if err != nil {
			return err
		}
		_, route := mux.Handler(as)
		asked[route] = asked[route] || i >= refused
		fmt.Fprintf(answers[route], "> %s\n%s\n\n", q.title, answer)
	}
	for route, text := range answers {
		if !asked[route] {
			return fmt.Errorf("same/requests.txt has no request for %s", route)
		}
		name := cmp.Or(strings.Trim(regexp.MustCompile(`[^A-Za-z]+`).ReplaceAllString(route, "_"), "_"), "other")
		if err := r.note(text.String(), "routes", name+".txt"); err != nil {
			return err
		}
	}
	return nil
}

// toldRequests are the requests of same/requests.txt.
func toldRequests() []aRequest {
	var out []aRequest
	for _, line := range tableLines(requestLines) {
		words := append(strings.SplitN(line, " ", 3), "")
		out = append(out, aRequest{title: line, method: words[0], path: words[1], body: words[2]})
	}
	return out
}

// refusals are the requests to a route that change nothing. Their titles begin with the method of the route.
func refusals(method, path string) []aRequest {
	out := []aRequest{
		{title: "no token", header: "Authorization"},
		{title: "wrong token", header: "Authorization", value: "Bearer wrong"},
		{title: "wrong workspace", header: "Reverie-Workspace", value: "other"},
		{title: "wrong host", header: "Host", value: "evil.example"},
		{title: "wrong origin", header: "Origin", value: "http://evil.example"},
		{title: "DELETE", method: http.MethodDelete},
		{title: "OPTIONS", method: http.MethodOptions},
		{title: "HEAD", method: http.MethodHead},
	}
	if method == http.MethodPost {
		out = append(
			out,
			aRequest{title: "cut JSON", body: `{"x":`},
			aRequest{title: "no object", body: `[]`},
			aRequest{title: "unknown field", body: `{"no_such_field":1}`},
			aRequest{title: "no JSON", body: `x=1`, header: "Content-Type", value: "text/plain"},
			aRequest{title: "too large", body: "{}", length: 4 << 30, header: "Expect", value: "100-continue"},
		)
	}
	for i := range out {
		out[i].title = method + " " + path + ": " + out[i].title
		out[i].method, out[i].path = cmp.Or(out[i].method, method), path
	}
	return out
}

// send sends a request and shows the answer: status, headers, and the body, of a stream the first event. JSON has a line for
// each value, every byte of which is as it came.
func (s *subject) send(ctx context.Context, q aRequest) (string, error) {
	token, err := os.ReadFile(filepath.Join(s.data, config.TokenName))
	if err != nil {
		return "", err
	}
	req, err := http.NewRequestWithContext(ctx, q.method, s.base+q.path, strings.NewReader(q.body))
	if err != nil {
		return "", err
	}
	req.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(token)))
	req.Header.Set("Content-Type", "application/json")
	switch {
	case q.header == "Host":
		req.Host = q.value
	case q.value == "":
		req.Header.Del(q.header)
	default:
		req.Header.Set(q.header, q.value)
	}
	req.ContentLength = cmp.Or(q.length, req.ContentLength)
	resp, err := sameClient.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	body := make([]byte, 1<<10)
	if resp.Header.Get("Content-Type") == "text/event-stream" && q.method != http.MethodHead {
		n, err := resp.Body.Read(body)
		if err != nil {
			return "", err
		}
		body = body[:n]
	} else if body, err = io.ReadAll(resp.Body); err != nil {
		return "", err
	}
	var b bytes.Buffer
	fmt.Fprintln(&b, resp.Status)
	for _, name := range slices.Sorted(maps.Keys(resp.Header)) {
		if name != "Date" && name != "Content-Length" {
			fmt.Fprintf(&b, "%s: %s\n", name, strings.Join(resp.Header[name], ", "))
		}
	}
	if json.Indent(&b, body, "", "  ") != nil {
		b.Write(body)
	}
	return b.String() + "\n", nil
}

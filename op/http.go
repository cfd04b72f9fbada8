package op

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// Serve does one request: it finds the workspace of the caller, keeps the time that the operation may take, and turns an error of do
// into an answer.
type Serve func(ctx context.Context, about Spec, do func(ctx context.Context, memory any) error) error

// Later is the answer of an operation that may be asked to wait. One that has ended is answered with 200, any other with the usual status.
type Later interface{ Ended() bool }

type body[I any] struct{ Body I }

type answer[O any] struct {
	Status int
	Body   O
}

// hasBody tells whether the input is the body of the request.
func (o *Op[I, O]) hasBody() bool {
	for _, f := range reflect.VisibleFields(reflect.TypeFor[I]()) {
		if f.Tag.Get("path") != "" || f.Tag.Get("query") != "" {
			return false
		}
	}
	return o.Method == http.MethodPost
}

// Mount implements Operation.
func (o *Op[I, O]) Mount(a huma.API, serve Serve) {
	route := huma.Operation{
		OperationID: o.Name, Method: o.Method, Path: o.Path, Summary: o.Summary, DefaultStatus: o.Status,
		MaxBodyBytes: -1, BodyReadTimeout: -1, // the server holds both before
	}
	if o.hasBody() {
		huma.Register(a, route, func(ctx context.Context, in *body[I]) (*answer[O], error) { return o.answer(ctx, serve, in.Body) })
		a.OpenAPI().Paths[o.Path].Post.RequestBody.Required = false // none is taken for {}
	} else {
		huma.Register(a, route, func(ctx context.Context, in *I) (*answer[O], error) { return o.answer(ctx, serve, *in) })
		docs, item := docsOf(reflect.TypeFor[I]()), a.OpenAPI().Paths[o.Path]
		for _, param := range map[string]*huma.Operation{http.MethodGet: item.Get, http.MethodPost: item.Post}[o.Method].Parameters {
			if doc := docs[param.Name]; doc != "" {
				param.Description, param.Schema.Description = doc, doc
			}
		}
	}
	if _, ok := any(*new(O)).(Later); ok {
		post := a.OpenAPI().Paths[o.Path].Post
		post.Responses["200"] = post.Responses[strconv.Itoa(o.Status)]
	}
}

func (o *Op[I, O]) answer(ctx context.Context, serve Serve, in I) (*answer[O], error) {
	out := &answer[O]{Status: cmp.Or(o.Status, http.StatusOK)}
	err := serve(ctx, o.Spec, func(ctx context.Context, memory any) (err error) {
		out.Body, err = o.Do(ctx, memory, in)
		return err
	})
	if err != nil {
		return nil, err
	}
	if l, ok := any(out.Body).(Later); ok && l.Ended() {
		out.Status = http.StatusOK
	}
	return out, nil
}

// Request implements Operation.
func (o *Op[I, O]) Request(input []byte) (path string, data []byte, err error) {
	if o.hasBody() {
		return o.Path, input, nil
	}
	fields := map[string]any{}
	d := json.NewDecoder(bytes.NewReader(input))
	d.UseNumber()
	if err := d.Decode(&fields); err != nil {
		return "", nil, fmt.Errorf("encode the request: %w", err)
	}
	path, query := o.Path, url.Values{}
	for name, v := range fields {
		if named := strings.ReplaceAll(path, "{"+name+"}", url.PathEscape(fmt.Sprint(v))); named != path {
			path = named
			continue
		}
		query.Set(name, fmt.Sprint(v))
	}
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return path, nil, nil
}

package op

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/reverie-memory/reverie/api"
)

// Serve does one request: it finds the workspace of the caller, keeps the time that the operation may take, and turns an error of do
// into an answer.
type Serve func(ctx context.Context, about Spec, do func(ctx context.Context, memory any) error) error

// Later is the answer of an operation that may be asked to wait. One that has ended is answered with 200, any other with the usual status.
type Later interface{ Ended() bool }

// sent is a request with a body. The schema that it is checked by is the operation's, and the operation decodes it: for each type that huma
// decodes the compiler makes all of huma's code for requests anew.
type sent struct{ Body json.RawMessage }

// asked is a request with parameters, which become the JSON that other callers give.
type asked struct{ input []byte }

// told is an answer.
type told struct {
	Status int
	Body   any
}

// Resolve implements huma.Resolver: it reads the parameters that the operation has, and checks them.
func (a *asked) Resolve(ctx huma.Context) (errs []error) {
	about := ctx.Operation()
	known, fields := about.Metadata[schemasOf].(huma.Registry), map[string]any{}
	asks := ctx.URL()
	for _, name := range slices.Sorted(maps.Keys(asks.Query())) {
		if !slices.ContainsFunc(about.Parameters, func(p *huma.Param) bool { return p.In == "query" && p.Name == name }) {
			errs = append(errs, &huma.ErrorDetail{Location: "query." + name, Message: "there is no such parameter"})
		}
	}
	for _, p := range about.Parameters {
		text := ctx.Query(p.Name)
		if p.In == "path" {
			text = ctx.Param(p.Name)
		}
		if text == "" && !p.Required {
			continue
		}
		at := huma.NewPathBuffer(nil, 0)
		at.Push(p.In)
		at.Push(p.Name)
		var found huma.ValidateResult
		switch value, err := parameter(text, p.Schema.Type); {
		case text == "":
			found.Add(at, "", "required "+p.In+" parameter is missing")
		case err != nil:
			found.Add(at, text, err.Error())
		default:
			huma.Validate(known, p.Schema, at, huma.ModeWriteToServer, value, &found)
			fields[p.Name] = value
		}
		errs = append(errs, found.Errors...)
	}
	if len(errs) > 0 {
		return errs
	}
	var err error
	if a.input, err = json.Marshal(fields); err != nil {
		return []error{err}
	}
	return nil
}

// parameter reads what a URL has for a value of a type of JSON schema.
func parameter(text, as string) (value any, err error) {
	switch as {
	case huma.TypeInteger:
		if value, err = strconv.ParseInt(text, 10, 64); err != nil {
			return nil, errors.New("invalid integer")
		}
	case huma.TypeNumber:
		f, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
			return nil, errors.New("invalid float")
		}
		return f, nil
	case huma.TypeBoolean:
		if value, err = strconv.ParseBool(text); err != nil {
			return nil, errors.New("invalid boolean")
		}
	default:
		return text, nil
	}
	return value, nil
}

// schemasOf is where a route keeps the registry of its schemas.
const schemasOf = "schemas"

// hasBody tells whether the input, of a type, is the body of the request.
func hasBody(method string, in reflect.Type) bool {
	return method == http.MethodPost && !slices.ContainsFunc(reflect.VisibleFields(in), func(f reflect.StructField) bool {
		return f.Tag.Get("path") != "" || f.Tag.Get("query") != ""
	})
}

func (o *Op[I, O]) hasBody() bool { return hasBody(o.Method, reflect.TypeFor[I]()) }

// Mount implements Operation.
func (o *Op[I, O]) Mount(a huma.API, serve Serve) {
	mount(a, o.Spec, reflect.TypeFor[I](), reflect.TypeFor[O](), func(ctx context.Context, input []byte) (*told, error) {
		out := &told{Status: cmp.Or(o.Status, http.StatusOK)}
		err := serve(ctx, o.Spec, func(ctx context.Context, memory any) error {
			in, err := o.decode(input)
			if e := (*api.Error)(nil); errors.As(err, &e) && len(e.Fields) == 0 {
				where := strings.TrimSuffix(o.location(""), ".")
				e.Fields = []api.Field{{Location: where, Message: e.Detail}}
				e.Detail = "validation failed: " + where + " " + e.Detail
			}
			if err != nil {
				return err
			}
			body, err := o.Do(ctx, memory, in)
			if l, ok := any(body).(Later); ok && err == nil && l.Ended() {
				out.Status = http.StatusOK
			}
			out.Body = body
			return err
		})
		if err != nil {
			return nil, err
		}
		return out, nil
	})
}

// mount declares a route whose requests, as JSON, do answers.
func mount(a huma.API, about Spec, in, out reflect.Type, do func(ctx context.Context, input []byte) (*told, error)) {
	known, status := a.OpenAPI().Components.Schemas, strconv.Itoa(cmp.Or(about.Status, http.StatusOK))
	content := func(t reflect.Type, hint string) map[string]*huma.MediaType {
		return map[string]*huma.MediaType{
			"application/json": {Schema: huma.SchemaFromField(known, reflect.StructField{Name: "Body", Type: t}, about.Name+hint)},
		}
	}
	route := huma.Operation{
		OperationID: about.Name, Method: about.Method, Path: about.Path, Summary: about.Summary, DefaultStatus: about.Status,
		MaxBodyBytes: -1, BodyReadTimeout: -1, // the server holds both before
		Metadata:  map[string]any{schemasOf: known},
		Responses: map[string]*huma.Response{status: {Content: content(out, "Response")}},
	}
	if hasBody(about.Method, in) {
		route.RequestBody = &huma.RequestBody{Content: content(in, "Request")}
		huma.Register(a, route, func(ctx context.Context, r *sent) (*told, error) { return do(ctx, r.Body) })
		route.RequestBody.Required = false // none is taken for {}
	} else {
		route.Parameters = parameters(known, in)
		huma.Register(a, route, func(ctx context.Context, r *asked) (*told, error) { return do(ctx, r.input) })
	}
	if out.Implements(reflect.TypeFor[Later]()) {
		route.Responses["200"] = route.Responses[status]
	}
}

// parameters are the fields of a type that come from the URL.
func parameters(known huma.Registry, t reflect.Type) (out []*huma.Param) {
	docs := docsOf(t)
	for _, f := range reflect.VisibleFields(t) {
		p := &huma.Param{Name: f.Tag.Get("query"), In: "query", Explode: new(bool), Required: f.Tag.Get("required") == "true"}
		if name := f.Tag.Get("path"); name != "" {
			p = &huma.Param{Name: name, In: "path", Required: true}
		}
		if p.Name == "" {
			continue
		}
		p.Schema = huma.SchemaFromField(known, f, "")
		if doc := docs[p.Name]; doc != "" {
			p.Schema.Description = doc
		}
		p.Description = p.Schema.Description
		out = append(out, p)
	}
	return out
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
			if v == "" {
				return "", nil, &api.Error{Code: api.NotFound, Detail: "there is nothing with an empty " + name}
			}
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

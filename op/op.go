// Package op makes an operation one value: its name, its place in HTTP, what it takes and gives, its limits, and the function that does it.
package op

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/danielgtaylor/huma/v2"

	"github.com/reverie-memory/reverie/api"
)

// Spec is what is known of an operation before it is asked for.
type Spec struct {
	Name    string // such as search
	Method  string // GET or POST
	Path    string // {id} stands for the field of the input that is tagged path:"id"
	Summary string
	Status  int  // of an answer; 0 is 200
	Wait    Wait // how long it may take

	ReadOnly    bool // it changes nothing that is remembered
	Destructive bool // it may take away what only a copy brings back
	Idempotent  bool // doing it twice is doing it once; of what is ReadOnly that goes without saying

	// Assistants know the operation as a tool, but for NoTool, which is for the person and the programs that act for them.
	NoTool bool
	Tool   string // the tool's name; empty: Name in snake case
	Doc    string // what an assistant is told of it; empty: Summary
	Prompt string // what a person may have an assistant begin with, where the operation needs to be led; a prompt of the tool's name
	Core   bool   // it is among the few tools that an assistant gets unless all are asked for
}

// ToolName is the operation's name as a tool.
func (s Spec) ToolName() string {
	if s.Tool != "" {
		return s.Tool
	}
	var b strings.Builder
	for _, r := range s.Name {
		if unicode.IsUpper(r) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// Wait is how long an operation may take.
type Wait int

// What ends an operation.
const (
	Brief Wait = iota // the server's limit for a request
	Long              // its client alone
	Loose             // its client, and the end of the daemon, which does not wait for it
)

// Operation is an operation of whatever input and answer.
type Operation interface {
	About() Spec
	// Mount declares the operation's route. Each request is done within serve.
	Mount(a huma.API, serve Serve)
	// Request gives what HTTP asks for with an input, which is JSON: the path with its query, and the body, nil for none.
	Request(input []byte) (path string, body []byte, err error)
	// InputSchema describes the inputs that a tool takes, as a JSON schema that refers to no other. A field of the input that is
	// tagged mcp:"-" is not in it. Nobody changes what is returned.
	InputSchema() *huma.Schema
	// Takes tells whether the input has a field of that name, even one that tools don't offer.
	Takes(field string) bool
	// Check tells whether an input, which is JSON, is within the limits that HTTP checks. If not, the error is an *api.Error.
	Check(input []byte) error
	// Run checks an input and does the operation.
	Run(ctx context.Context, memory any, input []byte) (answer any, err error)
}

// Op is an operation that takes I and gives O. A field of I that is tagged path or query comes from the URL, and then all do; JSON
// knows it by the same name. The tag mcp:"-" keeps a field from tools. The other tags of I are its limits. An Op is not copied.
type Op[I, O any] struct {
	Spec
	// Do carries the operation out on a workspace. Do may be called from several goroutines; what it returns as error has a code
	// of package api.
	Do func(ctx context.Context, memory any, in I) (O, error)

	once     sync.Once
	known    huma.Registry
	limits   *huma.Schema
	defaults []byte // as JSON
	offered  *huma.Schema
}

// Caller has operations done, here or by a daemon. The answer is put where into points.
type Caller interface {
	Call(ctx context.Context, o Operation, input []byte, into any) error
}

// Put puts an answer where into points: as it is, or as the JSON that a daemon sends, for those who want a json.RawMessage.
func Put(answer, into any) error {
	raw, ok := into.(*json.RawMessage)
	if !ok {
		reflect.ValueOf(into).Elem().Set(reflect.ValueOf(answer))
		return nil
	}
	data, err := json.Marshal(answer)
	*raw = data
	return err
}

// About implements Operation.
func (o *Op[I, O]) About() Spec { return o.Spec }

// Ask has the operation done.
func (o *Op[I, O]) Ask(ctx context.Context, c Caller, in I) (out O, err error) {
	input, err := json.Marshal(in)
	if err != nil {
		return out, fmt.Errorf("encode the request: %w", err)
	}
	err = c.Call(ctx, o, input, &out)
	return out, err
}

// Run implements Operation.
func (o *Op[I, O]) Run(ctx context.Context, memory any, input []byte) (any, error) {
	in, err := o.read(input)
	if err != nil {
		return nil, err
	}
	return o.Do(ctx, memory, in)
}

// Takes implements Operation.
func (o *Op[I, O]) Takes(field string) bool {
	o.once.Do(o.prepare)
	return o.limits.Properties[field] != nil
}

// Check implements Operation.
func (o *Op[I, O]) Check(input []byte) error {
	_, err := o.read(input)
	return err
}

// read decodes an input and checks its limits.
func (o *Op[I, O]) read(input []byte) (in I, err error) {
	o.once.Do(o.prepare)
	var given any
	if err := json.Unmarshal(input, &given); err != nil {
		return in, &api.Error{Code: api.Invalid, Detail: err.Error(), Err: err}
	}
	var found huma.ValidateResult
	huma.Validate(o.known, o.limits, huma.NewPathBuffer(nil, 0), huma.ModeWriteToServer, given, &found)
	var fields []api.Field
	for _, err := range found.Errors {
		var d huma.ErrorDetailer
		if errors.As(err, &d) {
			fields = append(fields, api.Field{Location: o.location(d.ErrorDetail().Location), Message: d.ErrorDetail().Message})
		}
	}
	if len(fields) > 0 {
		detail := fmt.Sprintf("validation failed: %s %s", fields[0].Location, fields[0].Message)
		return in, &api.Error{Code: api.Invalid, Detail: detail, Fields: fields}
	}
	return o.decode(input)
}

// decode is read of an input whose limits were checked.
func (o *Op[I, O]) decode(input []byte) (in I, err error) {
	o.once.Do(o.prepare)
	for _, data := range [][]byte{o.defaults, input} {
		if len(data) == 0 {
			continue
		}
		if err := json.Unmarshal(data, &in); err != nil {
			return in, o.unfit(err)
		}
	}
	return in, nil
}

// unfit says what decoding found, which the limits do not tell, in words that are not Go's.
func (o *Op[I, O]) unfit(err error) error {
	out := &api.Error{Code: api.Invalid, Detail: err.Error(), Err: err}
	var wrong *json.UnmarshalTypeError
	var moment *time.ParseError
	switch {
	case errors.As(err, &wrong) && strings.HasPrefix(wrong.Value, "number"):
		out.Fields = []api.Field{{Location: o.location(wrong.Field), Message: "the number is too large, or not whole"}}
	case errors.As(err, &wrong):
		out.Fields = []api.Field{{Location: o.location(wrong.Field), Message: "has the wrong type: " + wrong.Value}}
	case errors.As(err, &moment):
		out.Detail = fmt.Sprintf("%s is not a time, such as 2026-06-09T14:32:00Z", moment.Value)
	}
	if len(out.Fields) > 0 {
		out.Detail = out.Fields[0].Location + ": " + out.Fields[0].Message
	}
	return out
}

func (o *Op[I, O]) prepare() {
	o.known = NewRegistry()
	o.limits = o.known.Schema(reflect.TypeFor[I](), false, o.Name)
	defaults := map[string]any{}
	for name, field := range o.limits.Properties {
		if field.Default != nil {
			defaults[name] = field.Default
		}
	}
	o.defaults, _ = json.Marshal(defaults) // numbers and strings
	o.offered = offered(o.known, reflect.TypeFor[I](), o.limits)
}

// location is where HTTP has a field.
func (o *Op[I, O]) location(field string) string {
	switch {
	case o.hasBody():
		return strings.TrimSuffix("body."+field, ".")
	case strings.Contains(o.Path, "{"+field+"}"):
		return "path." + field
	}
	return "query." + field
}

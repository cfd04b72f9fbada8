package mcp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/internal/nearest"
	"github.com/reverie-memory/reverie/op"
	"github.com/reverie-memory/reverie/redact"
)

// tool is an operation as assistants call it.
type tool struct {
	server *Server
	op     op.Operation
}

// declare says what the tool is, as assistants read it.
func (t tool) declare() *sdk.Tool {
	about := t.op.About()
	doc := about.Doc
	doc = cmp.Or(doc, about.Summary)
	no := false
	hints := &sdk.ToolAnnotations{ReadOnlyHint: about.ReadOnly, OpenWorldHint: &no}
	if !about.ReadOnly {
		hints.DestructiveHint, hints.IdempotentHint = &about.Destructive, about.Idempotent
	}
	return &sdk.Tool{Name: about.ToolName(), Description: doc, InputSchema: t.op.InputSchema(), Annotations: hints}
}

// call does the operation. What fails is told in the result, which the assistant reads, and not as an error of the protocol.
func (t tool) call(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	ctx, done := alive(ctx)
	defer done()
	input, err := t.input(ctx, req)
	if err != nil {
		return t.failed(err), nil
	}
	var answer json.RawMessage
	if err := t.server.opt.Memory.Call(ctx, t.op, input, &answer); err != nil {
		return t.failed(err), nil
	}
	told, err := tell(t.op.About(), answer)
	if err != nil {
		return t.failed(err), nil
	}
	return told, nil
}

// input checks the arguments of a call and fills in who asks.
func (t tool) input(ctx context.Context, req *sdk.CallToolRequest) ([]byte, error) {
	args := map[string]any{}
	if given := req.Params.Arguments; len(given) > 0 {
		d := json.NewDecoder(bytes.NewReader(given))
		d.UseNumber() // else large numbers change
		if err := d.Decode(&args); err != nil {
			return nil, &api.Error{Code: api.Invalid, Detail: "the arguments must be a JSON object", Err: err}
		}
	}
	maps.DeleteFunc(args, func(_ string, v any) bool { return v == nil }) // null is how some say that they give none
	if fields := unknown(t.op.InputSchema(), args, ""); len(fields) > 0 {
		return nil, &api.Error{Code: api.Invalid, Detail: fields[0].Message, Fields: fields}
	}
	who, err := callerOf(ctx, t.server, req)
	if err != nil {
		return nil, err
	}
	who.fill(t.op, args)
	input, err := json.Marshal(args)
	if err != nil {
		return nil, fmt.Errorf("encode the arguments: %w", err)
	}
	return input, t.op.Check(input)
}

// unknown finds the fields of a value that a schema does not have, and says which were meant. The path is that of the value.
func unknown(s *huma.Schema, value any, path string) (found []api.Field) {
	switch value := value.(type) {
	case []any:
		if s.Items != nil {
			for i, v := range value {
				found = append(found, unknown(s.Items, v, fmt.Sprintf("%s[%d]", path, i))...)
			}
		}
	case map[string]any:
		if open, ok := s.AdditionalProperties.(bool); !ok || open {
			return nil // a map, whose keys are the caller's
		}
		names := slices.Sorted(maps.Keys(s.Properties))
		for _, name := range slices.Sorted(maps.Keys(value)) {
			at := strings.TrimPrefix(path+"."+name, ".")
			if p := s.Properties[name]; p != nil {
				found = append(found, unknown(p, value[name], at)...)
				continue
			}
			said := fmt.Sprintf("unknown parameter `%s`", at)
			if near := nearest.Name(name, names); near != "" {
				said += fmt.Sprintf("; did you mean `%s`?", near)
			} else if len(names) > 0 {
				said += fmt.Sprintf("; there are `%s`", strings.Join(names, "`, `"))
			} else {
				said += "; the tool takes none"
			}
			found = append(found, api.Field{Location: at, Message: said})
		}
	}
	return found
}

// hints say what to do about errors that come without a hint.
var hints = map[api.Code]string{
	api.Unavailable: "try again in a moment",
	api.Timeout:     "try again, or ask for less at once",
	api.Canceled:    "try again",
	api.Internal:    "ask the person to run `reverie doctor`",
}

// missing say, by operations, what to do where what was named is not there. Other operations name nothing of which that could be said.
var missing = map[string]string{
	"row":          foundBySearch,
	"forget":       foundBySearch,
	"why":          "receipts come with the answers of search, context and brief; of one that is too old nothing is kept",
	"unforget":     "ids of what was forgotten come from forgettings",
	"page":         "list_pages tells the paths of the pages; the core blocks are memory/persona.md, memory/user.md and memory/MEMORY.md",
	"job":          "ids of jobs come from what began them, and are kept until the daemon stops",
	"dream":        "dreams lists the runs, and `latest` is the newest",
	"dreamUndo":    "dreams lists the runs",
	"dreamCancel":  "there is nothing to stop; status tells when a dream runs",
	"showDrawer":   drawersAreListed,
	"deleteDrawer": drawersAreListed,
	"traverse":     "memory_list_rooms tells which rooms there are",
}

const (
	foundBySearch    = "ids come from the results of search; what was forgotten is gone"
	drawersAreListed = "ids of drawers come from memory_search and list_drawers; what was forgotten is gone"
)

// failed tells an assistant what went wrong with the tool, and what to do next.
func (t tool) failed(err error) *sdk.CallToolResult {
	said := []string{err.Error()}
	hint := ""
	var told *api.Error
	if errors.As(err, &told) {
		hint = told.Hint
		if len(told.Fields) > 0 {
			said = nil
		}
		for _, f := range told.Fields {
			if strings.HasPrefix(f.Message, "unknown parameter") {
				said = append(said, f.Message)
				continue
			}
			said = append(said, strings.TrimPrefix(fmt.Sprintf("`%s`: %s", parameter(f.Location), f.Message), "``: "))
		}
	}
	if code := api.CodeOf(err); hint == "" && code == api.NotFound {
		hint = missing[t.op.About().Name]
	} else if hint == "" {
		hint = hints[code]
	}
	text := redact.Message(strings.Join(said, "\n")) // it may repeat what was sent
	if hint != "" {
		text += "\nWhat to do: " + hint
	}
	return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: text}}}
}

// parameter is a field as a tool has it: HTTP says besides whether it is in the body, the path or the query.
func parameter(location string) string {
	part, name, _ := strings.Cut(location, ".")
	if slices.Contains([]string{"body", "path", "query"}, part) {
		return name
	}
	return location
}

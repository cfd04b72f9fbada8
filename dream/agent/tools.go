package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/extract"
	"github.com/reverie-memory/reverie/llm"
)

// answer carries out one call. What comes from the vault is fenced, and no longer than a third of the room that is left.
func (c *conversation) answer(ctx context.Context, call llm.ToolCall) string {
	if c.calls++; c.calls > maxCalls {
		return "Not done: there are no calls left."
	}
	if !c.agent.may(call.Name) {
		c.note("there is no tool %q", clip(call.Name, 60))
		return "There is no such tool."
	}
	key := sameCall(call)
	if c.same[key]++; c.same[key] > 1 && call.Name != ToolPropose {
		return "You made this very call before. Its answer is above and is the same."
	}
	text, err := c.carryOut(ctx, call)
	if err != nil {
		return "Refused: " + err.Error()
	}
	if call.Name == ToolPropose || text == "" {
		return text
	}
	left := 3 * (c.agent.options.ContextTokens - c.talk.MaxTokens - c.talk.Tokens())
	if left < 1_000 {
		return "There is no room left in this conversation: propose now."
	}
	return fenced(text, min(maxResult, left/3))
}

// A tool is what the model may call, with its one argument.
type tool struct {
	name, what    string
	argument, how string
	run           func(r *run, ctx context.Context, argument string) (string, error)
}

// tools are those that look. Beside them is [ToolPropose].
var tools = []tool{
	{ToolListPages, "Lists the pages of a zone of the wiki.", "zone", "one of " + strings.Join(zones, ", "), (*run).list},
	{ToolReadPage, "Shows a page with the ids of its statements.", "path", "such as 3_Personal/Alice.md", (*run).show},
	{ToolSearch, "Searches the memory.", "query", "a few words", (*run).search},
}

// offers are the tools that the model may use, as it is told of them.
func (a *Agent) offers() (out []llm.Tool) {
	for _, t := range tools {
		if a.may(t.name) {
			schema := fmt.Sprintf(`{"type":"object","additionalProperties":false,"required":[%[1]q],"properties":{%[1]q:`+
				`{"type":"string","description":%[2]q}}}`, t.argument, t.how)
			out = append(out, llm.Tool{Name: t.name, Description: t.what, Schema: []byte(schema)})
		}
	}
	return append(out, llm.Tool{
		Name: ToolPropose, Description: "Proposes ops and tells which were refused and why.", Schema: []byte(opsSchema),
	})
}

func (c *conversation) carryOut(ctx context.Context, call llm.ToolCall) (text string, err error) {
	i := slices.IndexFunc(tools, func(t tool) bool { return t.name == call.Name })
	if i < 0 {
		words, _ := c.proposal(ctx, call.Arguments)
		return words, nil
	}
	var args map[string]json.RawMessage
	value, name := "", tools[i].argument
	if err = json.Unmarshal([]byte(call.Arguments), &args); err != nil || len(args) != 1 ||
		json.Unmarshal(args[name], &value) != nil || strings.TrimSpace(value) == "" {
		err = fmt.Errorf(`the arguments must be {"%s": "…"} and nothing else`, name)
	}
	if err == nil {
		text, err = tools[i].run(c.run, ctx, extract.Unescape(value))
	}
	if err != nil {
		c.note("%s %s: %v", call.Name, clip(call.Arguments, 120), err)
	}
	return text, err
}

// parseOps takes a proposal apart, so that one bad op does not cost the others.
func parseOps(text string) ([]json.RawMessage, error) {
	var p struct {
		Ops *[]json.RawMessage `json:"ops"`
	}
	if err := strictly(extract.Unescape(text), &p); err != nil {
		return nil, err
	}
	if p.Ops == nil {
		return nil, errors.New(`there is no "ops"`)
	}
	return *p.Ops, nil
}

// strictly decodes one JSON value, without fields that v does not have.
func strictly(text string, v any) error {
	dec := json.NewDecoder(bytes.NewReader([]byte(text)))
	dec.DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		return errors.New("not the JSON that was asked for: " + strings.TrimPrefix(err.Error(), "json: "))
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("not one JSON value")
	}
	return nil
}

package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/reverie-memory/reverie/extract"
	"github.com/reverie-memory/reverie/llm"
	"github.com/reverie-memory/reverie/vault"
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

func (c *conversation) carryOut(ctx context.Context, call llm.ToolCall) (string, error) {
	switch call.Name {
	case ToolListPages:
		zone, err := argument(call, "zone")
		if err != nil {
			return "", c.refuse(call, err)
		}
		pages, err := c.wiki.list(ctx, zone)
		if err != nil {
			return "", c.refuse(call, err)
		}
		return joinPaths(pages), nil
	case ToolReadPage:
		path, err := argument(call, "path")
		if err != nil {
			return "", c.refuse(call, err)
		}
		d, err := c.page(ctx, vault.Path(path))
		if err != nil {
			return "", c.refuse(call, err)
		}
		return d.show(), nil
	case ToolSearch:
		query, err := argument(call, "query")
		if err != nil {
			return "", c.refuse(call, err)
		}
		found, err := c.wiki.search(ctx, clip(query, 300))
		if err != nil {
			return "", c.refuse(call, err)
		}
		for i, f := range found {
			found[i] = fmt.Sprintf("%d. %s", i+1, clip(strings.TrimSpace(f), 1_000))
		}
		return strings.Join(found, "\n"), nil
	}
	c.proposed = true
	words, refused := c.propose(ctx, c.b, call.Arguments)
	if refused > 0 {
		c.fixes++
	}
	return words, nil
}

// refuse records a call that was refused.
func (c *conversation) refuse(call llm.ToolCall, err error) error {
	c.note("%s %s: %v", call.Name, clip(call.Arguments, 120), err)
	return err
}

// argument reads the one argument of a tool.
func argument(call llm.ToolCall, name string) (string, error) {
	var args map[string]json.RawMessage
	value := ""
	if err := json.Unmarshal([]byte(call.Arguments), &args); err != nil || len(args) != 1 ||
		json.Unmarshal(args[name], &value) != nil || strings.TrimSpace(value) == "" {
		return "", fmt.Errorf(`the arguments must be {"%s": "…"} and nothing else`, name)
	}
	return extract.Unescape(value), nil
}

func joinPaths(paths []vault.Path) string {
	var b strings.Builder
	for _, p := range paths {
		b.WriteString(string(p) + "\n")
	}
	return b.String()
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

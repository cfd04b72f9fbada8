package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/reverie-memory/reverie/op"
)

// A caller is who asks, as the connection tells it.
type caller struct {
	agent string // such as claude-code; "" where it is not known
	wing  string // the project that it works on; "" where that is not known
}

// By these headers a client over HTTP says what one over standard streams need not: older protocols name the client only in the
// handshake, which a server without sessions has forgotten when a tool is called, and the daemon is in no project's folder.
const (
	agentHeader = "Reverie-Agent"
	wingHeader  = "Reverie-Wing"
)

func callerOf[P sdk.Params](ctx context.Context, s *Server, req *sdk.ServerRequest[P]) (c caller, err error) {
	name := ""
	if req.Extra != nil {
		name, c.wing = req.Extra.Header.Get(agentHeader), req.Extra.Header.Get(wingHeader)
	}
	if client := req.ClientInfo(); client != nil && client.Name != "" {
		name = client.Name
	}
	c.agent = agent(name)
	if s.opt.Wing != nil {
		c.wing, err = s.opt.Wing(ctx)
	}
	return c, err
}

// agentLimit is the longest name of an agent, in bytes; api.Turn takes no longer one.
const agentLimit = 100

// agent is a client's name as an agent's: "Claude Code" and "claude-code" are one.
func agent(name string) string {
	name = strings.Join(strings.Fields(strings.ToLower(strings.ToValidUTF8(name, ""))), "-")
	for len(name) > agentLimit {
		_, size := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-size]
	}
	return name
}

// fill puts who asks into an input that leaves it open.
func (c caller) fill(o op.Operation, input map[string]any) {
	for name, value := range map[string]string{"agent": c.agent, "wing": c.wing} {
		if _, given := input[name]; !given && value != "" && o.Takes(name) {
			input[name] = value
		}
	}
}

// ask has an operation done for a caller.
func (s *Server) ask(ctx context.Context, c caller, o op.Operation, input map[string]any, into any) error {
	c.fill(o, input)
	data, err := json.Marshal(input)
	if err != nil {
		return fmt.Errorf("encode the request: %w", err)
	}
	var answer json.RawMessage
	if err := s.opt.Memory.Call(ctx, o, data, &answer); err != nil {
		return err
	}
	if err := json.Unmarshal(answer, into); err != nil {
		return fmt.Errorf("read the answer: %w", err)
	}
	return nil
}

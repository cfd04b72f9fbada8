package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/op"
	"github.com/reverie-memory/reverie/vault"
)

// A caller is who asks, as the connection tells it.
type caller struct {
	agent string // such as claude-code
	wing  string // the project that it works on; "" where that is not known
}

// By these headers a client over HTTP says what one over standard streams need not: older protocols name the client only in the
// handshake, which a server without sessions has forgotten when a tool is called, and the daemon is in no project's folder.
const (
	agentHeader = "Reverie-Agent"
	wingHeader  = "Reverie-Wing"
)

// unnamed is the agent that a client without a name is.
const unnamed = "assistant"

func callerOf[P sdk.Params](ctx context.Context, s *Server, req *sdk.ServerRequest[P]) (c caller, err error) {
	name := ""
	if req.Extra != nil {
		name, c.wing = req.Extra.Header.Get(agentHeader), req.Extra.Header.Get(wingHeader)
	}
	if client := req.ClientInfo(); client != nil && client.Name != "" {
		name = client.Name
	}
	if c.agent = vault.AgentName(name); c.agent == "" {
		c.agent = unnamed
	}
	if utf8.RuneCountInString(c.agent) > vault.MaxAgent {
		return c, &api.Error{
			Code: api.Invalid, Detail: fmt.Sprintf("the client calls itself by a name of more than %d characters", vault.MaxAgent),
			Hint: "ask the person to have the client send a shorter name, in clientInfo or in the header " + agentHeader,
		}
	}
	if s.opt.Wing != nil {
		c.wing, err = s.opt.Wing(ctx)
	}
	return c, err
}

// fill puts who asks into an input that leaves it open. An input with a project has a wing besides, which is not the asker's. What an
// assistant remembers is waited for, as its next call may ask for it.
func (c caller) fill(o op.Operation, input map[string]any) {
	who := map[string]string{"agent": c.agent, "wing": c.wing}
	if o.Takes("project") {
		who = map[string]string{"agent": c.agent, "project": c.wing}
	}
	if o.InputSchema().Properties["agent"] != nil { // whose drawers are meant, and not who asks
		delete(who, "agent")
	}
	for name, value := range who {
		if _, given := input[name]; !given && value != "" && o.Takes(name) {
			input[name] = value
		}
	}
	switch o.About().ToolName() {
	case "remember":
		input["wait"] = "indexed"
	case "remember_turn": // what the person said is here what an assistant says they did
		input["origin"] = string(vault.OriginAgent)
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

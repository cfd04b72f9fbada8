package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/reverie-memory/reverie/internal/slice"
)

// assistant has a client of the official SDK start `reverie mcp`, as an assistant's program does, list its tools, and ask.
func (d *demo) assistant(ctx context.Context) (err error) {
	title("11. An assistant asks: the Model Context Protocol over standard input and output")
	cmd := exec.CommandContext(ctx, d.program, "mcp")
	cmd.Env, cmd.Stderr = d.env, os.Stderr
	client := mcp.NewClient(&mcp.Implementation{Name: "demo", Version: "1"}, nil)
	session, err := client.Connect(ctx, &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		return fmt.Errorf("connect to reverie mcp: %w", err)
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	tools, err := session.ListTools(ctx, nil)
	if err != nil {
		return fmt.Errorf("list the tools: %w", err)
	}
	names := slice.Map(tools.Tools, func(t *mcp.Tool) string { return t.Name })
	fmt.Printf("$ reverie mcp        (started by the assistant; its tools: %s)\n", strings.Join(names, ", "))
	for _, c := range []struct {
		tool, says string
		arguments  string
	}{
		{"remember", "fact", `{"facts":[{"content":"` + newFact + `"}]}`},
		{"search", newFact, `{"query":"Where does the team meet on Thursdays?"}`},
	} {
		res, err := session.CallTool(ctx, &mcp.CallToolParams{Name: c.tool, Arguments: json.RawMessage(c.arguments)})
		if err != nil {
			return fmt.Errorf("call %s: %w", c.tool, err)
		}
		text := ""
		for _, part := range res.Content {
			if t, ok := part.(*mcp.TextContent); ok {
				text += t.Text
			}
		}
		shown := []rune(text)
		fmt.Printf("> %s %s\n< %s\n", c.tool, c.arguments, string(shown[:min(len(shown), 600)]))
		if res.IsError || !strings.Contains(text, c.says) {
			return fmt.Errorf("the answer of %s lacks %q", c.tool, c.says)
		}
	}
	return nil
}

// newFact is what the assistant notes.
const newFact = "The platform team meets every Thursday at 10:00 in room Alster"

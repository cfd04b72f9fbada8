package mcp

import (
	"cmp"
	"context"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/reverie-memory/reverie/op"
)

// addPrompts offers what a person may begin with by a command of the assistant.
func (s *Server) addPrompts() {
	if o := s.named["context"]; o != nil {
		s.sdk.AddPrompt(&sdk.Prompt{
			Name: "recall", Description: "What is remembered about a topic",
			Arguments: []*sdk.PromptArgument{{Name: "topic", Description: "A name, a thing or a question", Required: true}},
		}, func(ctx context.Context, req *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
			topic := strings.TrimSpace(req.Params.Arguments["topic"])
			if topic == "" {
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the prompt needs a topic"}
			}
			return s.recalled(ctx, req, o, map[string]any{"query": topic},
				"Tell me what you remember about the topic below. Use only the memory that follows and what search finds; give the date of what you "+
					"tell, and say where nothing is known.\n\nTopic: "+topic)
		})
	}
	brief := s.named["brief"]
	if brief == nil {
		brief = s.named["context"]
	}
	if brief != nil {
		s.sdk.AddPrompt(&sdk.Prompt{Name: "brief", Description: "Where we stand: what is new, open and decided"},
			func(ctx context.Context, req *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
				return s.recalled(ctx, req, brief, map[string]any{},
					"Brief me in a few lines from the memory that follows: what is new, what is open, what was decided last.")
			})
	}
	for _, o := range s.opt.Operations {
		if about := o.About(); about.Prompt != "" {
			s.sdk.AddPrompt(&sdk.Prompt{Name: about.ToolName(), Description: about.Summary},
				func(context.Context, *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
					return said(about.Prompt), nil
				})
		}
	}
}

// recalled is a prompt with the memory that it speaks of, which an operation gives as a fenced text.
func (s *Server) recalled(
	ctx context.Context, req *sdk.GetPromptRequest, o op.Operation, input map[string]any, say string,
) (*sdk.GetPromptResult, error) {
	ctx, done := alive(ctx)
	defer done()
	var memory struct {
		Text     string   `json:"text"`
		Degraded []string `json:"degraded"`
	}
	who, err := callerOf(ctx, s, req)
	if err == nil {
		err = s.ask(ctx, who, o, input, &memory)
	}
	if err != nil {
		return nil, refusal(err)
	}
	memory.Text = cmp.Or(memory.Text, "Nothing is remembered.")
	if len(memory.Degraded) > 0 {
		say += "\n\nThe memory is worse than usual: " + strings.Join(memory.Degraded, "; ")
	}
	return said(say, memory.Text), nil
}

// said is a prompt that the person says.
func said(texts ...string) *sdk.GetPromptResult {
	out := &sdk.GetPromptResult{}
	for _, t := range texts {
		out.Messages = append(out.Messages, &sdk.PromptMessage{Role: "user", Content: &sdk.TextContent{Text: t}})
	}
	return out
}

package llm

import (
	"context"
	"errors"
)

// ErrNoTools says that a model, or the server that runs it, knows no tools.
var ErrNoTools = errors.New("the model cannot call tools")

// A Talker carries on a conversation in which the model may call tools. A talker keeps nothing between two calls: the
// conversation holds all that the model sees.
type Talker interface {
	// Talk returns the model's next turn. A turn that was cut off at the token limit comes with [ErrCutAnswer], one that
	// says nothing and calls nothing with [ErrEmptyAnswer].
	Talk(ctx context.Context, c Conversation) (Turn, error)
	Name() string
}

// A Conversation is what was said so far.
type Conversation struct {
	Purpose   string // goes into the usage ledger
	System    string
	Messages  []Message
	Tools     []Tool
	MaxTokens int // of the next turn; 0: the default
}

// A Role says who speaks in a Message.
type Role string

// The roles.
const (
	RoleUser  Role = "user"
	RoleModel Role = "model"
	RoleTool  Role = "tool" // what a tool answered
)

// A Message is one entry of a Conversation.
type Message struct {
	Role   Role
	Text   string
	Calls  []ToolCall // of the model
	CallID string     // of a tool's answer: the call that it answers, and
	Tool   string     // the tool's name
}

// A Tool is what the model may call.
type Tool struct {
	Name        string
	Description string
	Schema      []byte // JSON Schema of the arguments: an object
}

// A ToolCall is the model's wish to have a tool called. Whatever it holds was made up by the model.
type ToolCall struct {
	ID        string // never empty
	Name      string
	Arguments string // JSON where the model kept to it

	extra []byte // what the provider wants back with the call
}

// A Turn is what the model said, and what it cost.
type Turn struct {
	Text         string
	Calls        []ToolCall
	InputTokens  int
	OutputTokens int
}

// Tokens is an upper guess of what a call with this conversation reads.
func (c Conversation) Tokens() int {
	n := estimate(c.System)
	for _, m := range c.Messages {
		n += estimate(m.Text)
		for _, call := range m.Calls {
			n += estimate(call.Name+call.Arguments) + estimate(string(call.extra))
		}
	}
	for _, t := range c.Tools {
		n += estimate(t.Name + t.Description + string(t.Schema))
	}
	return n
}

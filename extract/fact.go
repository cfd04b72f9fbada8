package extract

import (
	"context"
	"strings"
	"time"
)

// A Message is one message of a turn, already redacted.
type Message struct {
	Drawer  string // drawer id
	Role    string // user, assistant or tool
	Speaker string // "" when unknown
	Text    string
	At      time.Time
	Noise   bool // greeting or acknowledgement: gives no fact
	Note    bool // the person wrote it by hand to have it remembered: each of its statements is worth a line
	Before  bool // said before the turn: gives no fact, and is there so that the turn is understood
}

// A Fact is one statement taken from a message. The text stands alone: the speaker is named and
// relative dates are absolute.
type Fact struct {
	Drawer   string   // drawer of the message it came from
	Beside   []string // drawers of the messages before whose words it has as well, so that it is understood
	Category string
	Text     string
	Tags     []string
	Entities []string
	Quote    string // the span of the message it rests on
	About    string // the day it is about, YYYY-MM-DD, "" when unknown
	Triples  []Triple
}

// A Triple is what a text says of two names, as a model put it.
type Triple struct {
	Subject   string `json:"subject"`
	Predicate string `json:"predicate"`
	Object    string `json:"object"`
	From      string `json:"from,omitempty"` // the first day on which it holds, YYYY-MM-DD, "" when nobody said
	To        string `json:"to,omitempty"`   // the first day on which it no longer holds, "" when nobody said
}

// Text is the triple as a sentence.
func (t Triple) Text() string {
	return t.Subject + " " + strings.ReplaceAll(t.Predicate, "_", " ") + " " + t.Object
}

// An Extractor turns a turn into facts, in the order of the text.
type Extractor interface {
	// Name goes into the extraction record, such as "rules/1".
	Name() string
	Extract(ctx context.Context, turn []Message) ([]Fact, error)
}

package extract

import (
	"context"
	"time"
)

// A Message is one message of a turn, already redacted.
type Message struct {
	Drawer  string // drawer id
	Role    string // user, assistant or tool
	Speaker string // "" when unknown
	Text    string
	At      time.Time
	Ref     string
	Noise   bool // greeting or acknowledgement: gives no fact
}

// A Fact is one statement taken from a message. The text stands alone: the speaker is named and
// relative dates are absolute.
type Fact struct {
	Drawer   string // drawer of the message it came from
	Category string
	Text     string
	Tags     []string
	Entities []string
	Quote    string // the span of the message it rests on
	About    string // the day it is about, YYYY-MM-DD, "" when unknown
}

// An Extractor turns a turn into facts, in the order of the text.
type Extractor interface {
	// Name goes into the extraction record, such as "rules/1".
	Name() string
	Extract(ctx context.Context, turn []Message) ([]Fact, error)
}

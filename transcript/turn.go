package transcript

import (
	"slices"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/vault"
)

// A Turn is a prompt with what followed it up to the next one, or a part of that where much followed. The same lines of a file give
// the same turns, wherever in the file reading began, so that a turn may be taken in as often as one likes.
type Turn struct {
	Host     string // the name of the assistant's program
	Chat     string // the session
	ID       string // of the turn; it derives from host, session and first message
	Dir      string // the folder in which the assistant worked, "" where the file does not say
	Messages []Message

	Start, End int64 // its bytes in the file
	Open       bool  // the file ends with it: more may follow
}

// Message is one text of a turn. One that is left out keeps its place, without text.
type Message struct {
	ID   string
	Role string // user, assistant or tool
	Text string
	At   time.Time
}

// Empty tells whether a turn has no text.
func (t Turn) Empty() bool {
	return !slices.ContainsFunc(t.Messages, func(m Message) bool { return strings.TrimSpace(m.Text) != "" })
}

// At is when the turn began.
func (t Turn) At() time.Time {
	if len(t.Messages) == 0 {
		return time.Time{}
	}
	return t.Messages[0].At
}

// The roles.
const (
	user      = string(vault.OriginUser)
	assistant = string(vault.OriginAssistant)
	tool      = string(vault.OriginTool)
)

// An entry is what a host says in a line: a text, the call of a tool, or what a call gave.
type entry struct {
	chat, id, dir string
	role          string // "" of a call
	text          string
	at            time.Time
	prompt        bool   // it begins a turn
	call          string // the call's id, of a call and of its result
	own           bool   // of a call: the tool is ours
}

const (
	turnMessages = 20        // a turn of so many messages ends when no call waits for its result
	turnLimit    = 60        // a turn of so many ends in any case
	turnBytes    = 512 << 10 // as does one of so many bytes
	maxText      = 1_000_000 // bytes of one message
)

// A grouper makes turns of entries. Turns begin and end with lines.
type grouper struct {
	host  string
	limit int // bytes of a tool's output that are kept
	turn  Turn
	begun bool
	calls map[string]bool // of the turn: whether the tool is ours
	wait  map[string]bool // those without a result
	seen  map[string]bool // ids of the turn's messages
	bytes int
}

// add takes the entries of one line, and returns the turn that ended before it.
func (g *grouper) add(entries []entry, start, end int64) (done Turn, ended bool) {
	if len(entries) == 0 {
		return done, false
	}
	if first := entries[0]; g.begun && (first.prompt || first.chat != g.turn.Chat || g.full()) {
		done, ended = g.finish(start)
	}
	if !g.begun {
		g.turn = Turn{Host: g.host, Chat: entries[0].chat, Dir: entries[0].dir, Start: start}
		g.calls, g.wait, g.seen, g.bytes, g.begun = map[string]bool{}, map[string]bool{}, map[string]bool{}, 0, true
	}
	for _, e := range entries {
		g.take(e)
	}
	g.turn.End = end
	return done, ended
}

func (g *grouper) full() bool {
	n := len(g.turn.Messages)
	return n >= turnLimit || g.bytes >= turnBytes || n >= turnMessages && len(g.wait) == 0
}

func (g *grouper) take(e entry) {
	if e.role == "" {
		g.calls[e.call], g.wait[e.call] = e.own, true
		return
	}
	if g.seen[e.id] { // some programs write a message again when it has grown
		return
	}
	g.seen[e.id] = true
	if e.call != "" {
		// Without its call nobody can tell whether a result is ours, and what we told must not come back as news.
		if own, known := g.calls[e.call]; !known || own {
			e.text = ""
		}
		delete(g.wait, e.call)
		e.text = shorten(e.text, g.limit)
	}
	e.text = shorten(e.text, maxText)
	if len(g.turn.Messages) == 0 {
		g.turn.ID = vault.DeriveID('t', g.host, e.chat, e.id)
	}
	g.bytes += len(e.text)
	g.turn.Messages = append(g.turn.Messages, Message{ID: e.id, Role: e.role, Text: e.text, At: e.at})
}

// finish ends the turn. at is where the next one begins.
func (g *grouper) finish(at int64) (Turn, bool) {
	t := g.turn
	t.End = at
	g.begun = false
	g.turn = Turn{}
	return t, true
}

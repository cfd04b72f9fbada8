package importer

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/vault"
)

// A Message is one message of an export. Fields but Chat and Text may be empty.
type Message struct {
	Chat     string // the conversation, or one session of it
	Role     string // user, assistant or tool; "" is user
	Speaker  string
	Text     string
	At       *time.Time
	Ref      string // the export's own id of the message
	Platform string // the program that it was said in
	Agent    string // the assistant
	Turn     string // the turn's id, where the form says which messages are one; "" are grouped here
	Wing     string
	Room     string
	Folder   string // that it was said in
}

// An Importer knows one form of export. To add one, copy jsonl.go and name it in [All].
type Importer interface {
	// Name is the form's, as errors show it.
	Name() string
	// Reads tells by the name and the first bytes of a file, at most [HeadSize], whether the file is of this form.
	Reads(name string, head []byte) bool
	// Read yields the messages in the order of the file; those of one chat in the order in which they were said. Where a place in
	// the file cannot be understood it stops with a [*PlaceError]. An error of yield ends it and is returned.
	Read(r io.Reader, yield func(Message) error) error
}

// HeadSize is how many bytes of a file its form is told by.
const HeadSize = 4096

// All are the forms that are known. The first that reads a file has it.
func All() []Importer { return []Importer{Transcript{}, JSONL{}} }

// A PlaceError says where an export cannot be understood, and why.
type PlaceError struct {
	Line int // from 1
	Err  error
}

func (e *PlaceError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

func (e *PlaceError) Unwrap() error { return e.Err }

// ErrForm is returned for a file of which no importer knows the form.
var ErrForm = errors.New("the form of the file is not known")

// GroupSize is how many messages of a chat make one turn.
const GroupSize = 20

// An Import groups messages into turns of at most [GroupSize] messages. Groups begin at fixed places in a chat, so that
// a file that is imported again, or has grown, gives the same turn ids. Its zero value is empty.
type Import struct {
	Wing, Room string // of messages that name none
	Others     bool   // the messages are other people's, whoever said them
	Turns      []api.Turn
	Messages   int
	Folders    []string // for each turn the folder that it was said in, "" for none: if the folder is of a project, so is the turn

	last  map[string]int // chat → its last turn
	count map[string]int // chat → its messages
}

// Read adds the messages of a file to the turns, by the first of the importers that knows its form. After an error the turns are not
// whole.
func (im *Import) Read(name string, r io.Reader, by []Importer) error {
	in := bufio.NewReaderSize(r, 1<<20)
	head, err := in.Peek(HeadSize)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	for _, i := range by {
		if i.Reads(name, head) {
			im.last, im.count = map[string]int{}, map[string]int{} // a chat of another file begins anew
			return i.Read(in, im.add)
		}
	}
	return ErrForm
}

func (im *Import) add(m Message) error {
	n := im.count[m.Chat]
	id := cmp.Or(m.Turn, vault.DeriveID('t', "import", m.Chat, strconv.Itoa(n/GroupSize)))
	if i, begun := im.last[m.Chat]; !begun || im.Turns[i].TurnID != id {
		im.last[m.Chat] = len(im.Turns)
		im.Folders = append(im.Folders, m.Folder)
		im.Turns = append(im.Turns, api.Turn{
			ChatID: m.Chat, TurnID: id, Platform: cmp.Or(m.Platform, "import"), Agent: m.Agent,
			Wing: cmp.Or(m.Wing, im.Wing), Room: cmp.Or(m.Room, im.Room),
		})
		if im.Others {
			im.Turns[im.last[m.Chat]].Origin = string(vault.OriginImport)
		}
	}
	im.count[m.Chat]++
	if m.Text != "" {
		im.Messages++
	}
	t := &im.Turns[im.last[m.Chat]]
	t.Messages = append(t.Messages, api.Message{Role: cmp.Or(m.Role, "user"), Speaker: m.Speaker, Content: m.Text, At: m.At, Ref: m.Ref})
	return nil
}

package importer

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"time"

	"github.com/reverie-memory/reverie/api"
)

// A Message is one message of an export. Fields but ChatID and Content may be empty. Who wrote it: an empty Role is the person.
type Message struct {
	api.ImportMessage

	Folder string           // that it was said in: if the folder is of a project, so is the message
	Edit   string           // tells versions of it apart, where its Ref stays when its words change
	Others bool             // the words of others than the person whose memory it is
	Unsaid bool             // nothing but the speaker's name says whose words they are
	Facts  []api.ImportFact // that stand in the export; a fact that names no conversation is of this message

	Assertions []api.ImportAssertion // of the graph, that stand in the export
}

// A File is a file of an export.
type File struct {
	io.Reader
	Name string    // with slashes, from the top of the export
	Mod  time.Time // when it was last changed, for what tells no time itself
	FS   fs.FS     // the files beside it; nil: there are none

	at *item // what of it is being read, for what is wrong with a message; nil: nobody asks
}

// reach notes what is being read. What is told behind the last of it has no place.
func (f File) reach(it item) {
	if f.at != nil {
		*f.at = item{line: it.line, n: it.n}
	}
}

// wrong says that a message cannot be taken.
func (f File) wrong(err error) error {
	if f.at == nil {
		return &PlaceError{File: f.Name, Err: err}
	}
	return f.at.place(f, err)
}

// An Importer knows one form of export. To add one, copy openwebui.go and name it in [All].
type Importer struct {
	// Name is the form's, as reports show it.
	Name string
	// Names says that a message may name its speaker and no role.
	Names bool
	// Reads tells by the name and the first bytes of a file, at most [HeadSize], whether the file is of this form.
	Reads func(name string, head []byte) bool
	// Read yields the messages in the order of the file, until yield returns false; those of one chat in the order in which they were said.
	// What cannot be understood is yielded as a [*PlaceError], and reading goes on behind it where it can.
	Read func(f File, yield func(Message, error) bool)
}

// messages are those of a file.
func (i Importer) messages(f File) iter.Seq2[Message, error] {
	return func(yield func(Message, error) bool) { i.Read(f, yield) }
}

// HeadSize is how many bytes of a file its form is told by.
const HeadSize = 64 << 10

// All are the forms that are known. The first that reads a file has it. An importer may keep what files of one export have in common, so
// that each export gets new ones.
func All() []Importer {
	return []Importer{
		Reverie, Transcript, ChatGPT, Claude, OpenWebUI, Slack(), Gemini, GeminiHTML, Mem0, Graph, MemPalace, BasicMemory, JSONL,
	}
}

// A PlaceError says where an export cannot be understood, and why.
type PlaceError struct {
	File string
	Line int // from 1; 0: the file as a whole
	Item int // of a list, from 1; 0: none
	Err  error
}

func (e *PlaceError) Error() string {
	at := e.File
	if e.Line > 0 {
		at += fmt.Sprintf(":%d", e.Line)
	}
	if e.Item > 0 {
		at += fmt.Sprintf(" (entry %d)", e.Item)
	}
	return fmt.Sprintf("%s: %v", at, e.Err)
}

func (e *PlaceError) Unwrap() error { return e.Err }

// ErrForm is returned for a path at which no importer knows the form of anything.
var ErrForm = errors.New("the form of the file is not known")

// at is a time, nil where there is none or nobody could have said something then.
func at(t time.Time) *time.Time {
	if !sayable(t) {
		return nil
	}
	return &t
}

// unix is the time of seconds since 1970, which may have fractions.
func unix(seconds float64) *time.Time {
	if !(seconds > 0 && seconds < 1e11) {
		return nil
	}
	return at(time.UnixMicro(int64(seconds * 1e6)).UTC())
}

// The roles.
const (
	user      = "user"
	assistant = "assistant"
	tool      = "tool"
	agent     = "agent"
	others    = "import"
)

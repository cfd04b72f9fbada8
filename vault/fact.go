package vault

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"
)

// Origin says where a text came from. Code sets it, prose never does.
type Origin string

// The origin classes.
const (
	OriginUser      Origin = "user"
	OriginAssistant Origin = "assistant"
	OriginTool      Origin = "tool"
	OriginImport    Origin = "import"
	OriginAgent     Origin = "agent"
)

// DefaultCategory is the category of a fact that names none.
const DefaultCategory = "general"

// A Section is the head of a group of facts in a daily log: "## HH:MM — chat" and its comment.
type Section struct {
	At      time.Time // to the minute, UTC; its day decides the file
	ChatID  string
	Turn    string // turn id, "" when there was none
	Origin  Origin
	Agent   string
	Drawer  string // id of the drawer that the facts were taken from
	Beside  string // ids of others, with blanks between them, whose words the facts have as well
	Ref     string // the caller's own id of the message, comes back in hits
	Speaker string

	Wing, Room, Hall string // as those of its drawer

	Source string // id of the [Source] that brought it, "" for none

	// Filed is when the facts were filed, to the second; zero where that is not known to differ from At. [Vault.AppendFacts] sets it.
	Filed time.Time
}

// From are the ids of the drawers whose words the facts have: that of the one they were taken from, which may be "", and others.
func (s *Section) From() []string { return append([]string{s.Drawer}, strings.Fields(s.Beside)...) }

// A Fact is one list item of a daily log.
type Fact struct {
	ID       string // block id without the caret; derived for a line that a person wrote
	Day      Day
	Section  Section
	Category string   // DefaultCategory where the line names none
	Text     string   // one line
	Tags     []string // without '#'
	Line     int      // 1-based line in the file
	Hand     bool     // written by hand: no id in the file
	Done     bool     // a box that is ticked
}

// Version names the words of the fact, and whether its box is ticked: another version under its id is another fact. Spaces do not count. A
// version is no secret.
func (f *Fact) Version() string {
	if f.Done {
		return TickedVersionOf(f.Text)
	}
	return VersionOf(f.Text)
}

// TickedVersionOf is the version of a fact with that text and a ticked box.
func TickedVersionOf(text string) string { return VersionOf("[x] " + text) }

// VersionOf is the version of a fact with that text.
func VersionOf(text string) string {
	sum := sha256.Sum256([]byte(strings.Join(strings.Fields(text), " ")))
	return hex.EncodeToString(sum[:6])
}

// A Drawer is one verbatim text: a message of a turn, or something filed by hand.
type Drawer struct {
	ID               string
	At               time.Time // to the second; its UTC day decides the file
	ChatID           string
	Wing, Room, Hall string
	Origin           Origin
	Agent            string
	Platform         string
	Turn             string // turn id; several drawers may share one
	Ref              string // the caller's own id of the message
	Speaker          string
	Noise            bool      // goes no further than the drawer: nothing is extracted from it
	WingBy           string    // [ByRule] where a rule guessed wing and room, "" where a person or a program named them
	Title            string    // of the conversation, where an export names it
	Source           string    // id of the import that brought it, a [Source]; "" for none
	SourceFile       string    // where the text was taken from, as the caller says
	AddedBy          string    // who filed it by hand, as the caller says
	Filed            time.Time // to the second; zero: when it was said. [Vault.AppendDrawers] sets it
	Text             string    // exact bytes
	Line             int       // 1-based line of its heading
}

// ByRule is said of wings and rooms that nobody named.
const ByRule = "rule"

// FiledAt is when the drawer was filed.
func (d *Drawer) FiledAt() time.Time {
	if d.Filed.IsZero() {
		return d.At
	}
	return d.Filed
}

// A Problem is something in a file that was kept but not understood.
type Problem struct {
	Path   Path
	Line   int // 1-based; 0 for the whole file
	Reason string
	Hint   string
}

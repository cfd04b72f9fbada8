package drawers

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/palace/tier"
	"github.com/reverie-memory/reverie/vault"
)

// The journal, by its name in the state folder and by its path.
const (
	FileName = "palace.jsonl"
	File     = vault.Path(vault.StateDir + "/" + FileName)
)

// The kinds of event.
const (
	Move       = "move"       // the drawer hangs elsewhere: Wing, Room and Hall, those that are given
	Note       = "note"       // something was found out about it: Type, Importance, Tier, State, Entities and Triples, those that are given
	Reinforce  = "reinforce"  // something like it was said again: By is added to its importance
	Cluster    = "cluster"    // it says what the drawer Into says, and counts as merged into it; an empty Into ends that
	Superseded = "superseded" // a newer drawer, Into, says otherwise; an empty Into ends that
	Failed     = "failed"     // a worker could not make anything of it
	Archive    = "archive"    // it was put away, for Reason; Into, if any, sums it up with others
	Restore    = "restore"    // it was brought back
)

var kinds = []string{Move, Note, Reinforce, Cluster, Superseded, Failed, Archive, Restore}

// Tiers say who decided on a drawer's type.
const (
	Heuristic = "heuristic" // its words
	Centroid  = "centroid"  // its nearness to drawers whose type is known
	LLM       = "llm"       // a model
)

// The states of a drawer.
const (
	Raw       = "raw"       // not looked at, or to be looked at again
	Processed = "processed" // its type and importance are decided
	Merged    = "merged"    // it is of a cluster
	Gone      = "failed"    // looked at [MaxTries] times in vain
)

// Numbers of the state machine.
const (
	DefaultImportance = 3.0
	MaxImportance     = 5.0
	MaxTries          = 3
)

// maxName and maxReason are how many characters a name and a reason have at most.
const (
	maxName   = 200
	maxReason = 200
)

// An Event is a line of the journal. Lines are only ever added, but for a purge. Besides names and reasons they hold no text.
type Event struct {
	Kind   string    `json:"kind"`
	At     time.Time `json:"at"`
	Drawer string    `json:"drawer"`

	Day  vault.Day `json:"day,omitempty"`  // of a move, archive or restore: the day under which the drawer is filed, whose rows follow
	Wing *string   `json:"wing,omitempty"` // nil: as it was
	Room *string   `json:"room,omitempty"`
	Hall *string   `json:"hall,omitempty"`

	Type       string   `json:"type,omitempty"` // one of [tier.Types]
	Importance *float64 `json:"importance,omitempty"`
	Tier       string   `json:"tier,omitempty"`
	State      string   `json:"state,omitempty"` // [Raw], with which tries begin anew, or [Processed]
	Entities   *int     `json:"entities,omitempty"`
	Triples    *int     `json:"triples,omitempty"`

	Linked   bool    `json:"linked,omitempty"` // of a note: it was compared with those before it
	By       float64 `json:"by,omitempty"`
	Into     string  `json:"into,omitempty"`     // also of reinforce: the drawer that said it again; of archive: the one that sums it up
	Evidence string  `json:"evidence,omitempty"` // of superseded: who judged, such as "rules" or the name of a model
	Reason   string  `json:"reason,omitempty"`

	Import string `json:"import,omitempty"` // that brought it, and takes it back
}

// ID names an event among all others: it is a function of what the event says, but not of how it came here.
func (e Event) ID() string {
	e.At, e.Import = e.At.UTC(), ""
	line, err := json.Marshal(e)
	if err != nil { // a time or a number that JSON cannot hold
		line = fmt.Appendf(nil, "%+v", e)
	}
	return vault.DeriveID('e', string(line))
}

// Dated says whether events of that kind name the day under which the drawer is filed.
func Dated(kind string) bool { return kind == Move || kind == Archive || kind == Restore }

// matter is what of a drawer an event is about: a later event of one matter says nothing of another.
func (e Event) matter() string {
	switch e.Kind {
	case Archive, Restore:
		return Archive
	case Note, Reinforce, Failed:
		return Note
	}
	return e.Kind
}

// Moves says whether a line of the journal may be one that rows of the index follow. Moves looks at no more than it must.
func Moves(line []byte) bool {
	return bytes.Contains(line, []byte(`"day"`))
}

// ParseEvent reads a line of the journal and checks it. Unknown keys are an error: a line that a newer version wrote says something
// that this one would leave out.
func ParseEvent(line []byte) (Event, error) {
	var e Event
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	err := dec.Decode(&e)
	if err == nil {
		if _, more := dec.Token(); !errors.Is(more, io.EOF) {
			err = errors.New("more than one value")
		}
	}
	if err == nil {
		err = e.Check()
	}
	if err != nil {
		return Event{}, fmt.Errorf("palace event: %w", err)
	}
	return e, nil
}

// Check says what is wrong with an event. Only events that pass may be written, and [Fold] leaves the others out.
func (e Event) Check() error {
	if !slices.Contains(kinds, e.Kind) {
		return fmt.Errorf("kind %q, allowed are %s", e.Kind, strings.Join(kinds, ", "))
	}
	if e.At.IsZero() {
		return errors.New("no time")
	}
	for name, id := range map[string]string{"drawer": e.Drawer, "into": e.Into} {
		if id == "" && name == "into" {
			continue
		}
		if !plain(id, 1, maxName) || strings.ContainsAny(id, " \t\"") {
			return fmt.Errorf("%s %q is no id", name, id)
		}
	}
	if e.Into == e.Drawer {
		return errors.New("a drawer is neither like nor against itself")
	}
	for name, text := range map[string]*string{"wing": e.Wing, "room": e.Room, "hall": e.Hall, "evidence": &e.Evidence} {
		if text != nil && !plain(*text, 0, maxName) {
			return fmt.Errorf("%s: more than %d characters, or some that cannot be seen", name, maxName)
		}
	}
	if !plain(e.Reason, 0, maxReason) {
		return fmt.Errorf("reason: more than %d characters, or some that cannot be seen", maxReason)
	}
	return e.checkKind()
}

// checkKind checks what only some kinds have.
func (e Event) checkKind() error {
	if Dated(e.Kind) {
		if _, err := vault.ParseDay(string(e.Day)); err != nil {
			return err
		}
	}
	switch e.Kind {
	case Move:
		if e.Wing == nil && e.Room == nil && e.Hall == nil {
			return errors.New("a move to nowhere")
		}
	case Note:
		return e.checkNote()
	case Reinforce:
		if !within(e.By, MaxImportance) {
			return fmt.Errorf("by %v, allowed are 0 to %v", e.By, MaxImportance)
		}
	case Archive:
		if e.Reason == "" {
			return errors.New("archived without a reason")
		}
	}
	return nil
}

func (e Event) checkNote() error {
	for _, f := range []struct {
		name, value string
		allowed     []string
	}{{"type", e.Type, tier.Types[:]}, {"tier", e.Tier, []string{Heuristic, Centroid, LLM}}, {"state", e.State, []string{Raw, Processed}}} {
		if f.value != "" && !slices.Contains(f.allowed, f.value) {
			return fmt.Errorf("%s %q, allowed are %s", f.name, f.value, strings.Join(f.allowed, ", "))
		}
	}
	if e.Importance != nil && !within(*e.Importance, MaxImportance) {
		return fmt.Errorf("importance %v, allowed are 0 to %v", *e.Importance, MaxImportance)
	}
	for name, n := range map[string]*int{"entities": e.Entities, "triples": e.Triples} {
		if n != nil && *n < 0 {
			return fmt.Errorf("%s: %d", name, *n)
		}
	}
	return nil
}

func within(f, most float64) bool { return !math.IsNaN(f) && f >= 0 && f <= most }

// plain says whether a text has so many characters, all of which can be seen.
func plain(text string, least, most int) bool {
	n := utf8.RuneCountInString(text)
	return n >= least && n <= most && utf8.ValidString(text) && !strings.ContainsFunc(text, unicode.IsControl)
}

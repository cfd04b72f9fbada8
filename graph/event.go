package graph

import (
	"cmp"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/vault"
)

// StateName is the journal of events that were asserted, below the vault's state folder.
const StateName = "graph.jsonl"

// The kinds of event.
const (
	Assert     = "assert"     // the triple holds
	Invalidate = "invalidate" // it no longer does; an empty object means every object, an empty subject every subject
	Replace    = "replace"    // what held of the object Was holds of Object from now on
	Alias      = "alias"      // the object is another name of the subject
)

// An Event is something that was said about the graph: a line of the journal, or what a fact was read as.
type Event struct {
	Kind      string    `json:"kind"`
	At        time.Time `json:"at"` // when it was said; zero where nobody knows
	Subject   string    `json:"subject,omitempty"`
	Predicate string    `json:"predicate,omitempty"`
	Object    string    `json:"object,omitempty"`
	Was       string    `json:"was,omitempty"` // of a replace
	// ValidFrom is the first day on which it holds, "" when nobody said: it is known to hold from the day of At.
	ValidFrom vault.Day `json:"valid_from,omitempty"`
	// ValidTo is the first day on which it no longer holds: "" is open for an assert, and the day of At for an invalidate.
	ValidTo    vault.Day `json:"valid_to,omitempty"`
	Confidence float64   `json:"confidence,omitempty"` // above 0 to 1; 0 counts as 1
	Source     string    `json:"source,omitempty"`     // id of the row or fact it rests on

	// Also: the value stands beside others, whatever is usual for the predicate. Of a replace: what nobody told of is not taken to have held.
	Also bool `json:"also,omitempty"`

	Speaker string       `json:"speaker,omitempty"`
	Origin  vault.Origin `json:"origin,omitempty"`
	Agent   string       `json:"agent,omitempty"`
	Wing    string       `json:"wing,omitempty"`
	Reader  string       `json:"reader,omitempty"` // the model that read it out of Source; "" where it was said so, or rules read it
	Import  string       `json:"import,omitempty"` // that brought it, and takes it back

	Filed time.Time `json:"filed,omitzero"` // when what it was read in was filed; zero where that is not known to differ from At
}

// ParseEvent reads a line of the journal and checks it.
func ParseEvent(line []byte) (Event, error) {
	var e Event
	if err := json.Unmarshal(line, &e); err != nil {
		return Event{}, fmt.Errorf("graph event: %w", err)
	}
	if err := e.Validate(); err != nil {
		return Event{}, err
	}
	return e, nil
}

// Validate says what is wrong with an event. Only valid events may be written, and [Build] leaves the others out.
func (e Event) Validate() error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("graph event: "+format, args...)
	}
	subject, object, was := isName(e.Subject), isName(e.Object), isName(e.Was)
	switch {
	case e.Kind != Assert && e.Kind != Invalidate && e.Kind != Replace && e.Kind != Alias:
		return bad("kind %q, allowed are %s, %s, %s and %s", e.Kind, Assert, Invalidate, Replace, Alias)
	case !subject && (e.Subject != "" || e.Kind != Invalidate && e.Kind != Replace || !object):
		return bad("no subject")
	case (e.Kind == Assert || e.Kind == Invalidate && subject && !object) && !plain(e.Predicate) && keyOf(e.Predicate) == "":
		return bad("no predicate")
	case !object && (e.Object != "" || e.Kind != Invalidate):
		return bad("no object")
	case e.Kind == Replace && !was:
		return bad("nothing of which it takes the place")
	case math.IsNaN(e.Confidence) || e.Confidence < 0 || e.Confidence > 1:
		return bad("confidence %v, allowed are 0 to 1", e.Confidence)
	case (e.Kind == Invalidate || e.Kind == Replace) && e.ended() == "":
		return bad("no day on which it ended")
	}
	for _, of := range [...]struct {
		name string
		day  vault.Day
	}{{"valid_from", e.ValidFrom}, {"valid_to", e.ValidTo}} {
		if of.day == "" {
			continue
		}
		if _, err := vault.ParseDay(string(of.day)); err != nil {
			return bad("%s: %w", of.name, err)
		}
	}
	if e.Kind == Assert && e.ValidFrom != "" && e.ValidTo != "" && e.ValidTo < e.ValidFrom {
		return bad("valid_to %s is before valid_from %s", e.ValidTo, e.ValidFrom)
	}
	return nil
}

// isName says whether a name has something to be known by.
func isName(name string) bool {
	base, _ := cutName(name)
	return plain(base) || lexis.Fold(base) != ""
}

// plain says that words have a letter or digit that is left of them in any case.
func plain(words string) bool {
	return strings.ContainsFunc(words, func(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' })
}

// Text is the event as a sentence.
func (e Event) Text() string {
	return strings.Join(strings.Fields(e.Subject+" "+Wording(e.Predicate)+" "+e.Object), " ")
}

// ID names an event among all others: it is a function of everything that the event says, and of when, but not of how it came here.
func (e Event) ID() string {
	e.At, e.Import, e.Filed = e.At.UTC(), "", time.Time{}
	line, err := json.Marshal(e)
	if err != nil { // a time that JSON cannot hold
		line = fmt.Appendf(nil, "%+v", e)
	}
	return hashID("v", string(line))
}

// said is the day on which it was said, "" when unknown.
func (e Event) said() vault.Day {
	if e.At.IsZero() {
		return ""
	}
	return vault.DayOf(e.At)
}

// undated says whether nobody knows when it began to hold, nor when that was said.
func (e Event) undated() bool { return e.At.IsZero() && e.ValidFrom == "" && e.ValidTo == "" }

// ended is the day on which an invalidate or a replace has it end.
func (e Event) ended() vault.Day { return cmp.Or(e.ValidTo, e.ValidFrom, e.said()) }

var idAlphabet = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

// hashID gives 80 bits, too many for two names to meet by chance.
func hashID(prefix string, parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return prefix + idAlphabet.EncodeToString(sum[:10])
}

package graph

import (
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

// StateName is the journal of events, below the vault's state folder.
const StateName = "graph.jsonl"

// The kinds of event.
const (
	Assert     = "assert"     // the triple holds
	Invalidate = "invalidate" // it no longer does; an empty object means every object
)

// An Event is one line of the journal. Events are only ever added.
type Event struct {
	Kind      string    `json:"kind"`
	At        time.Time `json:"at"` // when it was said
	Subject   string    `json:"subject"`
	Predicate string    `json:"predicate"`
	Object    string    `json:"object,omitempty"`
	// ValidFrom is the first day on which it holds, "" when unknown.
	ValidFrom vault.Day `json:"valid_from,omitempty"`
	// ValidTo is the first day on which it no longer holds: "" is open for an assert, and the day of At for an invalidate.
	ValidTo    vault.Day `json:"valid_to,omitempty"`
	Confidence float64   `json:"confidence,omitempty"` // above 0 to 1; 0 counts as 1
	Source     string    `json:"source,omitempty"`     // id of the row or fact it rests on
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

// Validate says what is wrong with an event. Only valid events may be written, and [Project] leaves the others out.
func (e Event) Validate() error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("graph event: "+format, args...)
	}
	switch {
	case e.Kind != Assert && e.Kind != Invalidate:
		return bad("kind %q, allowed are %s and %s", e.Kind, Assert, Invalidate)
	case lexis.Fold(e.Subject) == "":
		return bad("no subject")
	case predicateKey(e.Predicate) == "":
		return bad("no predicate")
	case e.Kind == Assert && lexis.Fold(e.Object) == "":
		return bad("no object")
	case math.IsNaN(e.Confidence) || e.Confidence < 0 || e.Confidence > 1:
		return bad("confidence %v, allowed are 0 to 1", e.Confidence)
	case e.Kind == Invalidate && e.ValidTo == "" && e.At.IsZero():
		return bad("no day on which it ended")
	}
	for name, day := range map[string]vault.Day{"valid_from": e.ValidFrom, "valid_to": e.ValidTo} {
		if _, err := vault.ParseDay(string(day)); day != "" && err != nil {
			return bad("%s: %w", name, err)
		}
	}
	if e.Kind == Assert && e.ValidFrom != "" && e.ValidTo != "" && e.ValidTo < e.ValidFrom {
		return bad("valid_to %s is before valid_from %s", e.ValidTo, e.ValidFrom)
	}
	return nil
}

// EntityID names an entity: equal for names that differ only in case, accents, width or spaces.
func EntityID(name string) string { return hashID("e", lexis.Fold(name)) }

// predicateKey makes "works at", "Works_At" and "works-at" one.
func predicateKey(predicate string) string {
	return strings.Join(strings.FieldsFunc(lexis.Fold(predicate), func(r rune) bool { return r == ' ' || r == '_' || r == '-' }), "_")
}

var idAlphabet = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

// hashID gives 80 bits, too many for two names to meet by chance.
func hashID(prefix string, parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return prefix + idAlphabet.EncodeToString(sum[:10])
}

package catalog

import (
	"time"

	"github.com/reverie-memory/reverie/indexer/vector"
	"github.com/reverie-memory/reverie/vault"
)

// SourceType is the kind of place that a row was taken from.
type SourceType string

// The source types, as they appear in hits.
const (
	ArchiveLog SourceType = "archive_log"
	Notebook   SourceType = "notebook"
	CoreFile   SourceType = "core_file"
	DrawerText SourceType = "drawer"
	Closet     SourceType = "closet"
	Diary      SourceType = "diary"
)

// A Row is one searchable piece of one file. Rows are values computed from a file's bytes alone, so
// a rebuild gives the same rows.
type Row struct {
	ID      string // stable: source type, file, block id or text, and rank among equals
	Source  SourceType
	File    vault.Path
	Line    int    // 1-based
	Text    string // what a hit shows
	Context string // indexed and embedded before Text, but not shown: speaker, title, headings
	Past    bool   // it was true once: on its page it stands under [vault.History]. The Context says so too
	Aside   bool   // it stands for nothing by itself: an open question, a note of reading, what is put away; searches find it when asked for

	Category string
	Tags     []string
	Speaker  string
	Wing     string
	Room     string
	Hall     string
	Chat     string
	Turn     string
	Drawer   string // the drawer that the row is, or derives from; rows that share it tell the same thing
	Origin   vault.Origin
	Agent    string
	At       time.Time // zero when unknown
	Filed    time.Time // of a drawer or a fact: when it was filed, where that is not At
	Type     string    // of a drawer: what its words make it
	Sure     uint8     // of Type, in percent
	Guessed  bool      // a rule chose Wing and Room: they isolate nothing
	Archived bool      // put away: it is found by who asks for what is
	Refs     []string  // callers' ids of the messages, in the order of the text
	Cites    []string  // ids of the facts that a statement of a page rests on

	// Session groups rows that were said together (one chat on one day); Seq is the place in it, so
	// that Seq-1 and Seq+1 are the neighbours. Chunks of one drawer share a Seq.
	Session string
	Seq     int
}

// A Key is the row's number in its generation.
type Key = vector.Key

// Filter narrows a search. Empty fields allow everything; a list allows any of its values.
type Filter struct {
	Source   []SourceType
	Wing     string
	Room     string
	Hall     string
	Category string
	Tags     []string // all of them
	Speaker  string   // case-insensitive
	Agent    string
	Chat     string
	Type     string
	From, To time.Time // From <= At < To; zero for open
	Filed    time.Time // filed then or later; zero for any time
	Known    time.Time // filed before that; zero for any time
	View     *View     // who asks; nil sees everything

	// Standing leaves what may be told to who did not ask: neither past nor aside, and of an origin that stands for what is known.
	Standing bool
}

// Scored is a full-text match. Score is BM25 turned positive: higher is better.
type Scored struct {
	Key   Key
	Score float64
}

// Meta is what ranking needs of a row without reading it from disk.
type Meta struct {
	Key     Key
	Source  SourceType
	Session int32 // interned; equal numbers are equal sessions, 0 is none
	Drawer  int32 // interned; 0 is none
	Seq     int32
	Unix    int64 // At in seconds, 0 when unknown
	Sure    uint8 // of a drawer's type, in percent

	Archived bool
	Wish     bool // it wishes something for when something is asked: as lexis.Occasion tells
}

// FiledAt is when a drawer or a fact was filed.
func (r *Row) FiledAt() time.Time {
	if r.Filed.IsZero() {
		return r.At
	}
	return r.Filed
}

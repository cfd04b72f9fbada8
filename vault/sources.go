package vault

import (
	"context"
	"time"
)

// SourcesFile, in the vault's state, keeps where memories came from that nobody told a program: imported files and mined folders.
// The last line of an id counts.
const SourcesFile = "sources.jsonl"

// The kinds of source.
const (
	SourceImport = "import" // an export of another program, whose messages are drawers
	SourceMine   = "mine"   // a folder that is its own truth
)

// A Source is a line of [SourcesFile].
type Source struct {
	ID    string    `json:"id"`
	Kind  string    `json:"kind"`
	At    time.Time `json:"at"` // when it was first taken in
	Path  string    `json:"path,omitempty"`
	Form  string    `json:"form,omitempty"` // of an export
	Wing  string    `json:"wing,omitempty"` // where it is filed under where it names none itself
	Room  string    `json:"room,omitempty"`
	Hall  string    `json:"hall,omitempty"`
	Model bool      `json:"model,omitempty"` // a model takes the facts out of it; else rules do
	Watch bool      `json:"watch,omitempty"` // a mined folder is followed while the daemon runs
	Copy  bool      `json:"copy,omitempty"`  // the text of a mined folder is copied into the vault

	Messages int        `json:"messages,omitempty"` // that it brought, as drawers
	Facts    int        `json:"facts,omitempty"`
	Events   int        `json:"events,omitempty"`  // of drawers and of the graph
	Doubt    bool       `json:"doubt,omitempty"`   // files may have more of it than is counted here
	Done     *time.Time `json:"done,omitempty"`    // nil: it was cut off, or goes on
	Undoing  bool       `json:"undoing,omitempty"` // what it brought is being taken back: no more of it is taken in
	Undone   *time.Time `json:"undone,omitempty"`  // when all that it brought was taken back
	Took     *Taken     `json:"took,omitempty"`    // what its undo takes; nil: nobody has looked yet
}

// Taken is what an undo takes.
type Taken struct {
	Messages int `json:"messages,omitempty"`
	Facts    int `json:"facts,omitempty"`
	Kept     int `json:"kept,omitempty"` // messages that stay, since others told them too
}

// Open says whether more of an import may be taken in.
func (s Source) Open() bool { return s.Done == nil && s.Undone == nil && !s.Undoing }

var sources = Records[Source]{Name: SourcesFile}

// NewSourceID names a new source.
func NewSourceID() string { return NewID('s') }

// PutSource adds a source, or what is now known of it.
func (v *Vault) PutSource(ctx context.Context, s Source) error {
	return v.AppendState(ctx, SourcesFile, s)
}

// ChangeSource changes what is kept of a source, as it stands there now; change may be called several times. A source that is not kept
// stays away.
func (v *Vault) ChangeSource(id string, change func(*Source)) error {
	_, err := sources.Edit(v, func(s *Source) Fate {
		if s.ID != id {
			return Stays
		}
		change(s)
		return Changed
	}, nil)
	return err
}

// Sources are the sources of a kind, or of all for "", in the order in which they came.
func (v *Vault) Sources(kind string) ([]Source, error) {
	var out []Source
	at := map[string]int{}
	err := sources.Each(v, func(s Source) {
		if s.ID == "" || kind != "" && s.Kind != kind {
			return
		}
		i, known := at[s.ID]
		if !known {
			i = len(out)
			at[s.ID], out = i, append(out, s)
		}
		out[i] = s
	})
	return out, err
}

// DropSource forgets a source altogether.
func (v *Vault) DropSource(id string) error {
	_, err := sources.Edit(v, func(s *Source) Fate { return GoesIf(s.ID == id) }, nil)
	return err
}

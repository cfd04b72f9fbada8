package indexer

import (
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/vault"
)

// Row is one searchable piece of one file.
type Row = catalog.Row

// A Source is one kind of file that gives rows. Everything that decides what becomes a row is in
// Rows, which must be a pure function of its arguments: that is what makes a rebuild equal to
// steady state. A new kind of row is one more Source.
type Source struct {
	Name    string
	Version int // raise it when Rows gives other rows for the same bytes: the files are read again

	// Match says whether the file belongs to this source. The first source that matches has it.
	Match func(vault.Path) bool

	// Rows gives the file's rows, in the order of the text. Ids are unique within the file.
	Rows func(vault.Path, []byte, Env) ([]Row, []vault.Problem)

	// EnvKey names the part of env that the file's rows depend on; a file whose key changed is read
	// again. nil: nothing but what was forgotten.
	EnvKey func(vault.Path, Env) string

	// Follow, where set, makes a Follower for a file that mostly grows at its end. It is a short
	// cut only: it must give what Rows gives.
	Follow func(vault.Path) Follower
}

// Env is what rows depend on besides the file's own bytes. It comes from other files of the vault.
type Env struct {
	Watermark vault.Day                // last consolidated day
	Accounted func(factID string) bool // nil: none is
	Forgotten func(text string) bool   // nil: nothing is
	// Versions of what the two functions know. Equal versions mean equal answers.
	AccountedVersion string
	ForgottenVersion string
}

func (e Env) accounted(id string) bool { return e.Accounted != nil && e.Accounted(id) }

func (e Env) forgotten(text string) bool { return e.Forgotten != nil && e.Forgotten(text) }

// DefaultSources are the kinds of rows that every vault has: fact lines, core files, drawers,
// diaries and pages.
func DefaultSources() []Source {
	return []Source{LogSource(), CoreSource(), DrawerSource(), DiarySource(), PageSource()}
}

// key is what a file state keeps of everything but the bytes that decided the file's rows.
func (s *Source) key(p vault.Path, env Env) string {
	dep := "forgotten=" + env.ForgottenVersion
	if s.EnvKey != nil {
		dep = s.EnvKey(p, env)
	}
	return s.Name + "/" + itoa(s.Version) + " " + dep
}

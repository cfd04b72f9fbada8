package indexer

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

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

	// Cites, where set, names the days whose consumed facts the file's rows depend on, besides what EnvKey names. It may
	// name too many.
	Cites func([]byte) []vault.Day

	// Follow, where set, makes a Follower for a file that mostly grows at its end. It is a short
	// cut only: it must give what Rows gives.
	Follow func(vault.Path) Follower
}

// Env is what rows depend on besides the file's own bytes. It comes from other files of the vault.
type Env struct {
	Watermark vault.Day // last consolidated day
	// Visible is a text without what was forgotten of it, "" when nothing is left; nil: all of it may be shown.
	Visible func(text string) string
	// Consumed is what a dream's ledger knows of a fact of that day; nil: nothing is known.
	Consumed func(vault.Day, string) (vault.Account, bool)
	// Withheld says why nothing may be shown; "" where that is not so.
	Withheld string
	// Versions of what the functions know. Equal versions mean equal answers.
	AccountedVersion string
	ForgottenVersion string
	ConsumedVersion  func(vault.Day) string

	layout vault.Layout // of the source
}

// visible is what a row may hold of a text; "" where that is nothing but white space.
func (e Env) visible(text string) string {
	if e.Visible != nil {
		text = e.Visible(text)
	}
	if strings.TrimSpace(text) == "" {
		return ""
	}
	return text
}

func (e Env) consumed(day vault.Day, id string) (vault.Account, bool) {
	if e.Consumed == nil {
		return vault.Account{}, false
	}
	return e.Consumed(day, id)
}

// dropped says whether the fact's row goes: the watermark is past it, and a ledger accounts for it as it reads now and does not ask for
// it to stay.
func (e Env) dropped(f *vault.Fact) bool {
	if f.Day > e.Watermark {
		return false
	}
	c, done := e.consumed(f.Day, f.ID)
	return done && !c.Indexed && c.Covers(f)
}

func (e Env) consumedVersion(day vault.Day) string {
	if e.ConsumedVersion == nil {
		return ""
	}
	return e.ConsumedVersion(day)
}

// DefaultSources are the kinds of rows that every vault has: fact lines, core files, drawers,
// diaries and pages.
func DefaultSources(l vault.Layout) []Source {
	return []Source{LogSource(), CoreSource(), DrawerSource(), DiarySource(), PageSource(l)}
}

// key is what a file state keeps of everything but the bytes that decided the file's rows. cites are the days that Cites
// named; the key keeps them, so that it can be made again without the bytes.
func (s *Source) key(p vault.Path, env Env, cites string) string {
	dep := "forgotten=" + env.ForgottenVersion
	if s.EnvKey != nil {
		dep = s.EnvKey(p, env)
	}
	key := s.Name + "/" + itoa(s.Version) + " " + dep
	if cites == "" || s.Cites == nil {
		return key
	}
	h := sha256.New()
	if env.ConsumedVersion != nil {
		for day := range strings.SplitSeq(cites, ",") {
			h.Write([]byte(env.ConsumedVersion(vault.Day(day)) + "\n"))
		}
	}
	return key + citesMark + cites + "=" + hex.EncodeToString(h.Sum(nil)[:8])
}

const citesMark = " cites="

// citesOf takes the days out of a key.
func citesOf(key string) string {
	_, after, _ := strings.Cut(key, citesMark)
	days, _, _ := strings.Cut(after, "=")
	return days
}

// joinDays writes days as keys keep them.
func joinDays(days []vault.Day) string {
	var b strings.Builder
	for i, d := range days {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(string(d))
	}
	return b.String()
}

package indexer

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/palace/drawers"
	"github.com/reverie-memory/reverie/vault"
)

// A Facet is something outside a file that its rows depend on: what was forgotten, what the ledgers of dreams say, what a worker found.
// A Facet has a version under each name that files use, such as a day. A file is read again when a version that it uses changed, and no
// other.
type Facet struct {
	Name string

	// Files are what it is read from. A change of one, or of what lies under it, has it loaded again.
	Files func(vault.Layout) []vault.Path

	// Load reads it and puts what row functions need of it into env, which other facets fill as well. version is called by several
	// goroutines. Equal versions under a name mean equal rows; the version under "" changes whenever another does.
	Load func(v *vault.Vault, env *Env) (version func(name string) string, problems []vault.Problem, err error)
}

// A Dependency is a facet that the rows of a source depend on.
type Dependency struct {
	Facet string
	// Names are the names that the rows of a file depend on; it may name too many. Names depend on the bytes alone.
	Names func(vault.Path, []byte) []string
}

// Names of the facets that there always are. Every source depends on what was forgotten.
const (
	forgottenFacet = "forgotten" // by trail: what of it was looked up for the file's texts
	ledgerFacet    = "ledger"    // by day: what finished dreams did with its facts
	watermarkFacet = "watermark" // by day: whether it was consolidated
	movedFacet     = "moved"     // by day: which of its drawers hang elsewhere, or are put away
	problemsFacet  = "problems"
)

// DefaultFacets are the facets of the default sources.
func DefaultFacets() []Facet {
	return []Facet{
		{
			Name:  forgottenFacet,
			Files: func(vault.Layout) []vault.Path { return []vault.Path{vault.TombstonesPath, vault.TombstoneKey} },
			Load:  loadForgotten,
		},
		{
			Name:  ledgerFacet,
			Files: func(vault.Layout) []vault.Path { return []vault.Path{vault.RunsDir} },
			Load:  loadLedgers,
		},
		{
			Name: watermarkFacet,
			Files: func(l vault.Layout) []vault.Path {
				return []vault.Path{l.At(vault.JournalPath), vault.InnerJournalPath}
			},
			Load: loadWatermark,
		},
		{
			Name:  movedFacet,
			Files: func(vault.Layout) []vault.Path { return []vault.Path{drawers.File} },
			Load:  loadMoved,
		},
	}
}

// loadForgotten has a version for each [vault.Trail]. A tombstone keeps no text, but what was looked up for the texts of a file tells
// whether another tombstone changes what may be shown of them.
func loadForgotten(v *vault.Vault, env *Env) (func(string) string, []vault.Problem, error) {
	tombs, err := v.Tombstones()
	if err != nil {
		return nil, nil, err
	}
	if n := tombs.Lost(); n > 0 {
		env.Withheld = fmt.Sprintf("forgotten: %d tombstones are lost, so nothing is shown until they are back or given up; "+
			"`reverie doctor` says how", n)
	}
	env.Visible, env.stones = tombs.Visible, tombs
	return tombs.VersionAlong, tombs.Problems(), nil
}

func loadLedgers(v *vault.Vault, env *Env) (func(string) string, []vault.Problem, error) {
	accounted, err := v.Accounted()
	if err != nil {
		return nil, nil, err
	}
	env.Consumed = accounted.FindOn
	return func(day string) string {
		if day == "" {
			return accounted.Version()
		}
		return accounted.DayVersion(vault.Day(day))
	}, nil, nil
}

func loadWatermark(v *vault.Vault, env *Env) (func(string) string, []vault.Problem, error) {
	watermark, problems, err := v.Watermark()
	env.Watermark = watermark
	return func(day string) string {
		switch {
		case day == "":
			return string(watermark)
		case vault.Day(day) <= watermark:
			return "past"
		}
		return ""
	}, problems, err
}

// thisRun has another version each time that the index is opened. Files with problems depend on it: those are kept in memory only.
func (ix *Indexer) thisRun(*vault.Vault, *Env) (func(string) string, []vault.Problem, error) {
	return func(string) string { return ix.run }, nil, nil
}

// Env is what rows depend on besides the file's own bytes: what the facets say.
type Env struct {
	Watermark vault.Day // last consolidated day
	// Visible is a text without what was forgotten of it, "" when nothing is left; nil: all of it may be shown.
	Visible func(text string) string
	// Consumed is what a dream's ledger knows of a fact of that day; nil: nothing is known.
	Consumed func(vault.Day, string) (vault.Account, bool)
	// Moved says where drawers hang now, and which are put away; a drawer that is not in it is as its file says.
	Moved drawers.State
	// Withheld says why nothing may be shown; "" where that is not so.
	Withheld string
	// Values are what facets say that have no field of their own, by facet.
	Values map[string]any

	stones   *vault.Tombstones // of Visible; nil: of none
	trail    *vault.Trail      // on which Visible notes
	versions map[string]func(name string) string
	layout   vault.Layout // of the source
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

// along is e whose Visible notes on the trail what it looks up.
func (e Env) along(trail *vault.Trail) Env {
	if e.stones != nil {
		e.Visible, e.trail = e.stones.Along(trail).Visible, trail
	}
	return e
}

func (e Env) consumed(day vault.Day, id string) (vault.Account, bool) {
	if e.Consumed == nil {
		return vault.Account{}, false
	}
	return e.Consumed(day, id)
}

// Dropped says whether the fact's row goes: the watermark is past it, and a ledger accounts for it as it reads now and does not ask for
// it to stay.
func (e Env) Dropped(f *vault.Fact) bool {
	if f.Day > e.Watermark {
		return false
	}
	c, done := e.consumed(f.Day, f.ID)
	return done && !c.Indexed && c.Covers(f)
}

// loadEnv reads all facets.
func loadEnv(v *vault.Vault, facets []Facet) (Env, []vault.Problem, error) {
	env := Env{Values: map[string]any{}, versions: map[string]func(string) string{}}
	var problems []vault.Problem
	for _, f := range facets {
		version, found, err := f.Load(v, &env)
		if err != nil {
			return Env{}, nil, fmt.Errorf("reading what rows depend on (%s): %w", f.Name, err)
		}
		env.versions[f.Name] = version
		problems = append(problems, found...)
	}
	return env, problems, nil
}

// differs says whether any facet does.
func (e Env) differs(other Env) bool {
	for name, version := range e.versions {
		if was := other.versions[name]; was == nil || was("") != version("") {
			return true
		}
	}
	return false
}

// decides says whether a change of p can change the rows of other files.
func (ix *Indexer) decides(p vault.Path) bool {
	return slices.ContainsFunc(ix.facetFiles(), func(name vault.Path) bool {
		return p == name || under(p, name) || under(name, p)
	})
}

func (ix *Indexer) facetFiles() (files []vault.Path) {
	for _, f := range ix.o.Facets {
		if f.Files != nil {
			files = append(files, f.Files(ix.o.Vault.Layout())...)
		}
	}
	return files
}

// stampEnv tells cheaply whether the files behind Env may have changed.
func (ix *Indexer) stampEnv() []vault.FileInfo {
	files := ix.facetFiles()
	stamps := make([]vault.FileInfo, len(files))
	for i, name := range files {
		stamps[i], _ = ix.o.Vault.Stat(name)
	}
	return stamps
}

// uses are the names that a file's rows depend on, by facet.
type uses map[string][]string

// usesOf are those of a file with these bytes, whose rows left that trail among what was forgotten.
func usesOf(sources []*Source, p vault.Path, data []byte, trail *vault.Trail) uses {
	u := uses{forgottenFacet: {trail.String()}}
	for _, s := range sources {
		for _, d := range s.Facets {
			u[d.Facet] = append(u[d.Facet], d.Names(p, data)...)
		}
	}
	return u
}

// key is what a file state keeps of everything but the bytes that decided the file's rows: the sources with their versions, and of
// each facet the names with the sum of their versions. A key tells the names, so that it can be made again without the bytes.
func (ix *Indexer) key(sources []*Source, env Env, u uses) string {
	var b strings.Builder
	for _, s := range sources {
		fmt.Fprintf(&b, "%s/%d ", s.Name, s.Version)
	}
	for _, f := range ix.o.Facets {
		names := slices.Compact(slices.Sorted(slices.Values(u[f.Name])))
		if len(names) == 0 {
			continue
		}
		sum := sha256.New()
		for i, name := range names {
			fmt.Fprintf(sum, "%q\n", env.versions[f.Name](name))
			names[i] = url.QueryEscape(name)
		}
		fmt.Fprintf(&b, "%s[%s]=%s ", f.Name, strings.Join(names, ","), hex.EncodeToString(sum.Sum(nil)[:8]))
	}
	return b.String()
}

// forgottenSince says whether something that concerns the file was forgotten, or remembered again, between two of its keys.
func forgottenSince(before, now string) bool { return forgottenIn(before) != forgottenIn(now) }

// forgottenIn is what a key says of what was forgotten, otherwise the rest of it.
func forgottenIn(key string) string {
	for field := range strings.FieldsSeq(key) {
		if strings.HasPrefix(field, forgottenFacet+"[") {
			return field
		}
	}
	return ""
}

func otherwise(key string) string { return strings.Replace(key, forgottenIn(key), "", 1) }

// usesIn takes the names out of a key.
func usesIn(key string) uses {
	u := uses{}
	for field := range strings.FieldsSeq(key) {
		facet, rest, ok := strings.Cut(field, "[")
		list, _, closed := strings.Cut(rest, "]=")
		if !ok || !closed {
			continue
		}
		for name := range strings.SplitSeq(list, ",") {
			if name, err := url.QueryUnescape(name); err == nil {
				u[facet] = append(u[facet], name)
			}
		}
	}
	return u
}

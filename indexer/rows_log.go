package indexer

import (
	"path"
	"strings"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/vault"
)

// LogSource gives one row for each fact of a daily log.
//
// A row's id is the fact's id, which is unique within a file: [vault.ParseLog] derives another for a
// line that a person copied (and should two ids meet all the same, the second becomes "<id>~2"). A
// line copied into another day's log gives a row there too, under the same id: (file, id) is what
// names a row, and asking for an id alone finds both, which is what forgetting wants.
func LogSource() Source {
	return Source{
		Name:    "log",
		Version: 2,
		Match:   dayFileIn(vault.ArchiveDir),
		Rows: func(p vault.Path, data []byte, env Env) ([]Row, []vault.Problem) {
			log := vault.ParseLog(p, data)
			return factRows(newCounts(nil), p, log.Facts, env), log.Problems
		},
		Facets: []Dependency{{ledgerFacet, ownDay}, {watermarkFacet, ownDay}, {movedFacet, ownDay}},
		Follow: func(p vault.Path) Follower { return newFollower(p, logParts) },
	}
}

// ownDay is the day that a file is named for.
func ownDay(p vault.Path, _ []byte) []string { return []string{string(dayOfPath(p))} }

// factRows are the rows of facts, which go on from what c has counted.
func factRows(c *counts, p vault.Path, facts []vault.Fact, env Env) []Row {
	rows := make([]Row, 0, len(facts))
	for i := range facts {
		f := &facts[i]
		id, seq := c.id(f.ID), c.next(f.Section.ChatID)
		if env.Dropped(f) {
			continue
		}
		if text := env.visible(f.Text); text != "" {
			row := factRow(p, f, id, text, seq)
			env.hang(&row)
			rows = append(rows, row)
		}
	}
	return rows
}

func factRow(p vault.Path, f *vault.Fact, id, text string, seq int) Row {
	s := &f.Section
	at := s.At
	if at.IsZero() {
		at = f.Day.Time()
	}
	return Row{
		ID: id, Source: catalog.ArchiveLog, File: p, Line: f.Line,
		Text: text, Context: factContext(f),
		Category: f.Category, Tags: f.Tags, Speaker: s.Speaker, Wing: s.Wing, Room: s.Room, Hall: s.Hall,
		Chat: s.ChatID, Turn: s.Turn, Drawer: s.Drawer, Origin: s.Origin, Agent: s.Agent,
		At: at, Filed: s.Filed, Refs: refs(s.Ref), Session: session(s.ChatID, f.Day), Seq: seq,
	}
}

// factContext is what is indexed of a fact beside its text: the speaker, unless the text names
// them, and what kind of fact it is.
func factContext(f *vault.Fact) string {
	var parts []string
	if s := f.Section.Speaker; s != "" && !strings.Contains(f.Text, s) {
		parts = append(parts, s)
	}
	if f.Category != "" && f.Category != vault.DefaultCategory {
		parts = append(parts, f.Category)
	}
	return strings.Join(parts, " ")
}

// session groups what was said together: one chat on one day.
func session(chat string, day vault.Day) string {
	if chat == "" {
		return ""
	}
	return chat + "|" + string(day)
}

func refs(ref string) []string {
	if ref == "" {
		return nil
	}
	return []string{ref}
}

// dayFileIn matches DAY.md directly in dir.
func dayFileIn(dir string) func(vault.Path) bool {
	return func(p vault.Path) bool {
		return path.Dir(string(p)) == dir && dayOfPath(p) != ""
	}
}

// dayOfPath is the day that the file is named for, "" when it is not.
func dayOfPath(p vault.Path) vault.Day {
	name, ok := strings.CutSuffix(path.Base(string(p)), ".md")
	if !ok {
		return ""
	}
	d, err := vault.ParseDay(name)
	if err != nil {
		return ""
	}
	return d
}

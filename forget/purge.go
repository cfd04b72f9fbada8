package forget

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/markdown"
	"github.com/reverie-memory/reverie/vault"
)

// A Purge takes the bytes of targets out of every kind of record. What a kind learns on the way, such as the words in which pages told
// them, counts for the kinds that come after.
type Purge struct {
	Targets []Target
	Facts   []markdown.Source      // those among them
	Rows    map[string]bool        // ids of the rows that are gone
	Texts   []string               // that must not be found any more
	Tells   func(text string) bool // says whether a text tells what is purged, as far as it is known
	Changed []vault.Path           // that the index has to follow
	Left    []Found                // what could not be purged, besides what is found as bytes, and why

	room    *Room
	request Request
}

// PurgeRecords has edit tell what becomes of each record of a state file. A line that is none goes where its bytes tell what is purged.
func PurgeRecords[T any](p *Purge, v *vault.Vault, records vault.Records[T], edit func(*T) vault.Fate) error {
	changed, err := records.Edit(v, edit, func(line []byte) vault.Fate { return vault.GoesIf(p.Tells(string(line))) })
	if changed {
		p.Changed = append(p.Changed, vault.Path(vault.StateDir+"/"+records.Name))
	}
	return err
}

// RowsOn takes the rows of a file that stand on lines which go.
func (p *Purge) RowsOn(file vault.Path, data []byte, lines map[int]bool) {
	for _, row := range p.room.o.Rows(file, data) {
		if lines[row.Line] {
			p.Rows[row.ID] = true
		}
	}
}

// purge takes the targets out of every kind of record, looks for their bytes in every file, and lists what is left.
func (r *Room) purge(ctx context.Context, targets []Target, f Request) ([]Found, error) {
	p := &Purge{room: r, Targets: targets, request: f, Rows: map[string]bool{}, Changed: []vault.Path{vault.TombstonesPath}}
	known := vault.NewTombstones(stones(targets, vault.Tombstone{}, lexis.Terms(f.Query))) // what was forgotten beside stays as it is
	for _, t := range targets {
		p.Texts, p.Changed = append(append(p.Texts, t.Text), t.lines()...), append(p.Changed, t.File)
		p.Rows[t.ID] = true
		if t.Fact != nil {
			p.Facts = append(p.Facts, markdown.Source{Day: t.Fact.Day, ID: t.ID})
		}
		for n := 2; t.Drawer != nil && n <= len(t.Text)/100+2; n++ { // its pieces
			p.Rows[fmt.Sprintf("%s.%d", t.ID, n)] = true
		}
	}
	for _, k := range r.o.Kinds {
		if k.Purge == nil {
			continue
		}
		err := whileEdited(ctx, func() error {
			tells := teller(p.Texts, f.Query)
			p.Tells = func(text string) bool { return known.Cut(text) != text || tells(text) }
			return k.Purge(ctx, p)
		})
		if err != nil {
			return nil, fmt.Errorf("taking it out of every %s: %w", k.Name, err)
		}
	}
	return p.look(ctx)
}

// teller recognises the texts in other clothes, such as a line of MEMORY.md that leaves out the subject and links the page, or a snippet
// that is cut off: all their words are there, or their beginning is. Two words or fewer say too little for that.
func teller(texts []string, query string) func(string) bool {
	const beginning = 40
	var want [][]string
	var starts []string
	if terms := lexis.Terms(query); len(terms) > 0 {
		want = append(want, terms)
	}
	for _, t := range texts {
		if terms := lexis.Terms(t); len(terms) > 2 {
			want = append(want, terms)
		}
		if distinct(t) {
			starts = append(starts, strings.ToValidUTF8(lexis.Fold(t)[:min(beginning, len(lexis.Fold(t)))], ""))
		}
	}
	return func(text string) bool {
		folded, have := lexis.Fold(text), lexis.Terms(text)
		return slices.ContainsFunc(starts, func(s string) bool { return strings.Contains(folded, s) }) ||
			slices.ContainsFunc(want, func(terms []string) bool { return holds(have, terms) })
	}
}

// CutLines takes the lines that were named off pages and out of diaries. Of those only a list item, a paragraph of one line and the lines
// of code and tables go: what else spans lines is a person's to cut, and is listed as left. Of the block in which assistants write each
// line goes that tells what is purged.
func (p *Purge) CutLines() error {
	byFile := map[vault.Path]map[string]*Target{}
	for i := range p.Targets {
		if t := &p.Targets[i]; t.Fact == nil && t.Drawer == nil {
			if byFile[t.File] == nil {
				byFile[t.File] = map[string]*Target{}
			}
			byFile[t.File][t.ID] = t
		}
	}
	v := p.room.o.Vault
	for name, targets := range byFile {
		data, err := v.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		managed, err := p.cutManaged(data)
		if err != nil {
			return fmt.Errorf("take a line out of the block of assistants in %s: %w", name, err)
		}
		kept := withoutRows(managed, p.room.o.Rows(name, managed), targets)
		if bytes.Equal(kept, data) {
			continue
		}
		if err := v.Replace(name, kept, vault.HashOf(data)); err != nil {
			return fmt.Errorf("take a line out of %s: %w", name, err)
		}
		p.Changed = append(p.Changed, name)
	}
	return nil
}

// withoutRows is a page without the lines of its rows that were named. The head of a table stays a row of empty cells: without it the table
// is none.
func withoutRows(page []byte, rows []Row, named map[string]*Target) []byte {
	lines := bytes.SplitAfter(page, []byte("\n"))
	cut := map[int]bool{}
	for _, r := range rows {
		t := named[r.ID]
		if t == nil {
			continue
		}
		if r.Lines == nil {
			cut[r.Line-1] = cut[r.Line-1] || standsAlone(lines, r.Line-1)
			continue
		}
		gone := strings.Split(t.Text, "\n")
		for i, text := range strings.Split(r.Text, "\n") {
			cut[r.Lines[i]-1] = cut[r.Lines[i]-1] || slices.Contains(gone, text)
		}
	}
	var kept []byte
	for i, l := range lines {
		switch {
		case !cut[i]:
			kept = append(kept, l...)
		case i+1 < len(lines) && delimits(lines[i+1]):
			kept = append(kept, emptied(l)...)
		}
	}
	return kept
}

// delimits says whether a line stands between a table's head and its rows.
func delimits(line []byte) bool {
	return bytes.Contains(line, []byte("-")) && bytes.ContainsAny(line, "|:") && len(bytes.Trim(line, "|:->\t\r\n ")) == 0
}

// emptied is a table's row without the texts of its cells.
func emptied(row []byte) []byte {
	return bytes.Map(func(r rune) rune {
		if strings.ContainsRune("|>\r\n", r) {
			return r
		}
		return ' '
	}, row)
}

// cutManaged gives a page without the lines of its managed block that tell what is purged, and without a paragraph of it that only tells
// it as a whole. A block that a person edited stays: its lines are theirs.
func (p *Purge) cutManaged(data []byte) ([]byte, error) {
	text, start, _, err := vault.Managed(data)
	if err != nil || start < 0 {
		return data, nil
	}
	var kept []string
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		lines := strings.Split(paragraph, "\n")
		rest := slices.DeleteFunc(slices.Clone(lines), p.Tells)
		if len(rest) == 0 || len(rest) == len(lines) && p.Tells(paragraph) {
			continue
		}
		kept = append(kept, strings.Join(rest, "\n"))
	}
	after := strings.Join(kept, "\n\n")
	if after == text {
		return data, nil
	}
	return vault.SetManaged(data, after, false)
}

// standsAlone tells whether a line's block ends with it: the next line is blank or begins another block.
func standsAlone(lines [][]byte, i int) bool {
	if i+1 >= len(lines) {
		return true
	}
	next := bytes.TrimRight(lines[i+1], "\r\n")
	return len(bytes.TrimSpace(next)) == 0 || bytes.ContainsAny(next[:1], "-*+#>|")
}

// edits bounds how often a change is tried because an editor saves the file at the same time.
const edits = 5

// whileEdited tries again what failed because somebody saved the file meanwhile.
func whileEdited(ctx context.Context, change func() error) error {
	err := change()
	for n := range edits {
		if !errors.Is(err, vault.ErrChanged) {
			return err
		}
		select {
		case <-time.After(10 * time.Millisecond << n):
			err = change()
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return err
}

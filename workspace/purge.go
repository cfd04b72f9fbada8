package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/vault"
)

// A purge takes the bytes of targets out of every kind of record. What it learns on the way, such as the words in which pages told
// them, counts for the kinds that come after.
type purge struct {
	w       *Workspace
	targets []target
	query   string
	chat    string
	ids     []string
	facts   []page.Source
	rows    map[string]bool // of the index, and of the recall log
	texts   []string        // that must not be found any more
	stones  *vault.Tombstones
	changed []vault.Path
	left    []api.Forgotten // besides what is found as bytes
}

// A recordKind is one kind of record that the workspace keeps: its files, by their path in the vault or, behind "data/", in the data
// folder, and how what is forgotten is taken out of them. A kind without take tells nothing of anybody. Every file of the two
// folders that we make belongs to one; whatever else lies there is a person's, and is looked through all the same.
type recordKind struct {
	name string
	has  func(file string) bool
	take func(*purge, context.Context) error
}

// recordKinds are in the order in which they are purged. The logs and drawers go last: what is to go is read in them, so a purge that
// was cut off can be asked for again.
func recordKinds() []recordKind {
	state := func(names ...string) func(string) bool {
		return func(f string) bool { return path.Dir(f) == vault.StateDir && slices.Contains(names, path.Base(f)) }
	}
	under := func(dir string) func(string) bool { return func(f string) bool { return strings.HasPrefix(f, dir) } }
	return []recordKind{
		{"page", func(f string) bool { return !strings.HasPrefix(f, ".") && path.Ext(f) == ".md" && !dailyFile(f) }, (*purge).takePages},
		{"run", under(vault.StateDir + "/dream"), (*purge).takeRuns},
		{"extraction", state("extracted.jsonl"), (*purge).takeExtractions},
		{"recall", state(recallLogFile, recallSumFile), (*purge).takeRecalls},
		{"tombstone", func(f string) bool {
			return strings.HasPrefix(f, vault.StateDir+"/tombstone") || f == "data/tombstones.copy.jsonl"
		}, (*purge).takeReasons},
		{"index", func(f string) bool {
			return under("data/gen-")(f) || under("data/catalog.db")(f) || under("data/vectors.db")(f) || under("data/projections/")(f)
		}, (*purge).takeRows},
		{"log, drawer or diary", dailyFile, (*purge).takeRecords},
		{"record that a repair kept", state("torn.jsonl"), nil}, // with the above
		{"mark, lock or count", func(f string) bool {
			return state("unclean", "daemon.lock", "usage.jsonl", "pseudonym.key", "notebook-root")(f) || f == "data/daemon.lock" || f == "data/daemon.json" || f == "data/token"
		}, nil},
	}
}

// silent says whether a file is of a kind that tells nothing of anybody.
func silent(file string) bool {
	return slices.ContainsFunc(recordKinds(), func(k recordKind) bool { return k.take == nil && k.has(file) })
}

func dailyFile(f string) bool {
	dir := path.Dir(f)
	return dir == vault.ArchiveDir || dir == vault.DrawerDir || path.Dir(dir) == vault.DiaryDir
}

// purge takes the targets out of every kind of record, looks for their bytes in every file, and lists what is left.
func (w *Workspace) purge(ctx context.Context, targets []target, f api.Forget) ([]api.Forgotten, error) {
	p := &purge{w: w, targets: targets, query: f.Query, chat: f.ChatID, rows: map[string]bool{}}
	var err error
	if p.stones, err = w.vault.Tombstones(); err != nil {
		return nil, err
	}
	for _, t := range targets {
		p.ids, p.texts = append(p.ids, t.id), append(p.texts, t.text)
		if t.fact != nil {
			p.facts = append(p.facts, page.Source{Day: t.fact.Day, ID: t.id})
		}
	}
	if err := p.learn(ctx); err != nil {
		return nil, err
	}
	for _, k := range recordKinds() {
		if k.take == nil {
			continue
		}
		if err := whileEdited(ctx, func() error { return k.take(p, ctx) }); err != nil {
			return nil, fmt.Errorf("taking it out of every %s: %w", k.name, err)
		}
	}
	return p.sweep(ctx)
}

// tells says whether a text tells what is purged.
func (p *purge) tells(text string) bool {
	return p.stones.Cut(text) != text || told(p.texts, p.query)(text)
}

// told recognises the texts in other clothes, such as a line of MEMORY.md that leaves out the subject and links the page, or a snippet
// that is cut off: all their words are there, or their beginning is. Two words or fewer say too little for that.
func told(texts []string, query string) func(string) bool {
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
		folded, have := lexis.Fold(text), map[string]bool{}
		for _, t := range lexis.Terms(text) {
			have[t] = true
		}
		return slices.ContainsFunc(starts, func(s string) bool { return strings.Contains(folded, s) }) ||
			slices.ContainsFunc(want, func(terms []string) bool {
				return !slices.ContainsFunc(terms, func(t string) bool { return !have[t] })
			})
	}
}

// learn reads in what words pages tell the facts, and which rows do.
func (p *purge) learn(ctx context.Context) error {
	for _, t := range p.targets {
		p.rows[t.id] = true
		if t.drawer != nil {
			for n := 2; n <= len(t.text)/100+2; n++ { // its pieces
				p.rows[fmt.Sprintf("%s.%d", t.id, n)] = true
			}
		}
	}
	_, err := p.w.vault.Walk(ctx, func(name vault.Path, _ vault.FileInfo) error {
		if dailyFile(string(name)) {
			return nil
		}
		data, err := p.w.vault.ReadFile(name)
		if err != nil || !slices.ContainsFunc(p.facts, func(s page.Source) bool { return bytes.Contains(data, []byte("#^"+s.ID)) }) {
			return ignoreGone(err)
		}
		lines := map[int]bool{}
		doc := page.Parse(name, data)
		rests := func(src []page.Source) bool {
			return slices.ContainsFunc(src, func(s page.Source) bool { return slices.Contains(p.facts, s) })
		}
		for _, st := range doc.Statements() {
			if text, src := st.Told(); rests(src) {
				p.texts, lines[st.Line] = append(p.texts, text), true
			}
		}
		for _, l := range doc.Loose() {
			if rests(l.Sources) {
				p.texts, lines[l.Line] = append(p.texts, l.Text), true
			}
		}
		for _, r := range rowsOf(p.w.vault.Layout(), name, data) {
			if lines[r.Line] {
				p.rows[r.ID] = true
			}
		}
		return nil
	})
	return err
}

func ignoreGone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// rowsOf are the rows that a file gives when nothing is hidden. The index may have seen an older state of it.
func rowsOf(l vault.Layout, p vault.Path, data []byte) []indexer.Row {
	rows, _ := indexer.Rows(indexer.DefaultSources(l), p, data, indexer.Env{})
	return rows
}

// takePages takes statements off the pages, and lines that were named. Of those only a list item or a paragraph of one line goes:
// what spans lines is a person's to cut, and is listed as left.
func (p *purge) takePages(ctx context.Context) error {
	changed, err := p.w.dreams.runner.Unmention(ctx)
	if p.changed = append(p.changed, changed...); err != nil {
		return err
	}
	byFile := map[vault.Path][]string{}
	for _, t := range p.targets {
		if t.page {
			byFile[t.file] = append(byFile[t.file], t.id)
		}
	}
	for name, ids := range byFile {
		data, err := p.w.vault.ReadFile(name)
		if err != nil {
			if ignoreGone(err) == nil {
				continue
			}
			return err
		}
		cut := map[int]bool{}
		for _, r := range rowsOf(p.w.vault.Layout(), name, data) {
			if slices.Contains(ids, r.ID) {
				cut[r.Line] = true
			}
		}
		lines := bytes.SplitAfter(data, []byte("\n"))
		var kept []byte
		for i, l := range lines {
			if !cut[i+1] || !standsAlone(lines, i) {
				kept = append(kept, l...)
			}
		}
		if len(kept) == len(data) {
			continue
		}
		if err := p.w.vault.Replace(name, kept, vault.HashOf(data)); err != nil {
			return fmt.Errorf("take a line out of %s: %w", name, err)
		}
		p.changed = append(p.changed, name)
	}
	return nil
}

// standsAlone tells whether a line's block ends with it: the next line is blank or begins another block.
func standsAlone(lines [][]byte, i int) bool {
	if i+1 >= len(lines) {
		return true
	}
	next := bytes.TrimRight(lines[i+1], "\r\n")
	return len(bytes.TrimSpace(next)) == 0 || bytes.ContainsAny(next[:1], "-*+#>|")
}

// takeRecords is not cut off in the middle: half of the records do not lead to the others when the purge is asked for again.
func (p *purge) takeRecords(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	changed, err := p.w.vault.Purge(context.WithoutCancel(ctx), p.ids)
	if len(changed) == 0 || err != nil {
		return err
	}
	if _, err := p.w.index.Sync(ctx, changed...); err != nil { // lines moved; the rows are gone already
		return fmt.Errorf("purged, but the index did not follow: %w", err)
	}
	return nil
}

// takeRuns takes it out of what dreams keep. A run under way is waited for.
func (p *purge) takeRuns(ctx context.Context) error {
	out, err := p.w.dreams.runner.Purge(ctx, p.facts, p.tells)
	p.texts = append(p.texts, out.Told...)
	if p.changed = append(p.changed, out.Changed...); err != nil {
		return err
	}
	return p.w.dreams.remember(ctx)
}

func (p *purge) takeExtractions(context.Context) error {
	drawers := map[string]bool{}
	for _, t := range p.targets {
		drawers[t.id] = t.drawer != nil
	}
	return p.w.intake.Purge(drawers)
}

func (p *purge) takeRecalls(ctx context.Context) error {
	return p.w.recalls.Erase(ctx, p.rows, p.tells)
}

func (p *purge) takeReasons(ctx context.Context) error { return p.w.vault.EraseReasons(ctx, p.tells) }

// takeRows makes the index follow, and leaves nothing of what is gone in its files.
func (p *purge) takeRows(ctx context.Context) error {
	paths := append(p.changed, vault.TombstonesPath, p.w.vault.Layout().At("index.md"), "memory/MEMORY.md") // made anew from what is left on the pages
	for _, t := range p.targets {
		paths = append(paths, t.file)
	}
	if _, err := p.w.index.Sync(ctx, paths...); err != nil {
		return fmt.Errorf("forgotten in the vault, but the index did not follow: %w", err)
	}
	err := p.w.index.Scrub(ctx)
	if errors.Is(err, indexer.ErrVectorsLeft) {
		p.left = append(p.left, api.Forgotten{SourceFile: "data", Text: err.Error() + "; they go when the engine merges its files"})
		return nil
	}
	return err
}

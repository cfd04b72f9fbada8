package dreams

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/dream"
	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/project"
	"github.com/reverie-memory/reverie/reads"
	"github.com/reverie-memory/reverie/recall"
	"github.com/reverie-memory/reverie/vault"
)

// probeHits is how far down the list a probe may find its row.
const probeHits = 10

// Index is what a vault's index and its record of reads tell a dream; it is a [dream.Index].
type Index struct {
	Vault    *vault.Vault
	Indexer  Indexer
	Searcher func() (s *recall.Searcher, release func(), err error) // over general memory, as the index has it
	Isolated func() (project.Isolation, error)                      // the wings that dreams leave alone
	Counted  *reads.Log
}

// Indexer is the part of the indexer that a dream needs.
type Indexer interface {
	Sync(ctx context.Context, paths ...vault.Path) (indexer.Stats, error)
	Reader() indexer.Reader
}

// Sync implements dream.Index.
func (x Index) Sync(ctx context.Context, paths ...vault.Path) error {
	_, err := x.Indexer.Sync(ctx, paths...)
	return err
}

// Finds implements dream.Index. A question among facts is answered by the fact's own row, one among pages by the row of the
// statement that tells it now. Nothing is recorded: probing is no use of a memory.
func (x Index) Finds(ctx context.Context, pages bool, probes []dream.Probe) ([]bool, error) {
	found := make([]bool, len(probes))
	filter := catalog.Filter{Source: []catalog.SourceType{catalog.ArchiveLog}}
	if pages {
		filter.Source = []catalog.SourceType{catalog.Notebook, catalog.CoreFile}
	}
	s, release, err := x.Searcher()
	if err != nil {
		return nil, err
	}
	defer release()
	for i, p := range probes {
		if strings.TrimSpace(p.Text) == "" {
			continue
		}
		res, err := s.Search(ctx, recall.Query{Text: oneQuery(p.Text), K: probeHits, Filter: filter, DryRun: true})
		if err != nil {
			return nil, fmt.Errorf("probe for fact %s: %w", p.Fact, err)
		}
		for _, h := range res.Hits {
			if found[i] = pages && onPage(h.Row, p) || !pages && ownRow(h, p.Fact); found[i] {
				break
			}
		}
	}
	return found, nil
}

// Search implements dream.Index.
func (x Index) Search(ctx context.Context, query string, k int) ([]string, error) {
	s, release, err := x.Searcher()
	if err != nil {
		return nil, err
	}
	defer release()
	res, err := s.Search(ctx, recall.Query{
		Text: oneQuery(query), K: k, DryRun: true,
		Filter: catalog.Filter{Source: []catalog.SourceType{catalog.Notebook, catalog.CoreFile, catalog.ArchiveLog}},
	})
	if err != nil {
		return nil, err
	}
	return slice.Map(res.Hits, func(h recall.Hit) string { return h.Row.Text }), nil
}

// oneQuery keeps a long text from becoming a query of thousands of terms.
func oneQuery(text string) string {
	const limit = 500
	return strings.ToValidUTF8(text[:min(len(text), limit)], "")
}

// ownRow: facts of one drawer are one hit, which names the others.
func ownRow(h recall.Hit, fact string) bool {
	return h.Row.ID == fact || slices.Contains(h.Also, fact)
}

// wholeRow is a length, in bytes, up to which the index surely keeps a statement in one row.
const wholeRow = 500

// onPage tells whether the row is (part of) the statement. The index shows it as a person reads it, with what hangs below it, and
// cuts long ones.
func onPage(r catalog.Row, p dream.Probe) bool {
	row, line := plain(r.Text), plain(p.Line)
	if r.File != p.Page || row == "" || line == "" {
		return false
	}
	return strings.Contains(row, line) || len(line) > wholeRow && strings.Contains(line, row)
}

func plain(s string) string { return strings.Join(strings.Fields(lexis.Fold(s)), " ") }

// Days counts the facts of each day that the index holds, which are those that no finished dream has accounted for, but for
// those of isolated projects, which are no dream's.
func (x Index) Days(ctx context.Context, leaveOut dream.Skipped) ([]dream.DayCount, error) {
	isolated, err := x.Isolated()
	if err != nil {
		return nil, err
	}
	r, release := x.Indexer.Reader().Pin()
	defer release()
	skip := map[catalog.Key]bool{}
	const secondsOfDay = 24 * 60 * 60
	for s, version := range leaveOut {
		keys, err := r.KeysByID(ctx, []string{s.ID})
		if err != nil {
			return nil, err
		}
		for _, m := range r.Metas(keys) { // other days have facts of that id too, and a person may have changed its words
			rows, err := r.Rows(ctx, []catalog.Key{m.Key})
			if err != nil {
				return nil, err
			}
			if (s.Day == "" || s.Day == vault.DayOf(time.Unix(m.Unix, 0))) && len(rows) > 0 &&
				(version == "" || version == vault.VersionOf(rows[0].Text) || version == vault.TickedVersionOf(rows[0].Text)) {
				skip[m.Key] = true
			}
		}
	}
	count := map[int64]int{}
	for _, m := range r.Metas(r.Keys(catalog.Filter{
		Source: []catalog.SourceType{catalog.ArchiveLog},
		View:   &catalog.View{Isolated: isolated},
	})) {
		if !skip[m.Key] {
			count[m.Unix/secondsOfDay]++
		}
	}
	out := make([]dream.DayCount, 0, len(count))
	for day, n := range count {
		out = append(out, dream.DayCount{Day: vault.DayOf(time.Unix(day*secondsOfDay, 0)), Facts: n})
	}
	return out, nil
}

// Reads tells how often each text was recalled. A fact that a dream consumed counts for the statement that rests on it now.
func (x Index) Reads(ctx context.Context) ([]dream.Read, error) {
	counts, err := x.Counted.Counts()
	if err != nil {
		return nil, err
	}
	rows, err := x.Indexer.Reader().RowsByID(ctx, slices.Collect(maps.Keys(counts)))
	if err != nil {
		return nil, err
	}
	out := make([]dream.Read, 0, len(rows))
	for _, r := range rows {
		out = append(out, dream.Read{File: r.File, Text: r.Text, N: counts[r.ID].Count})
		delete(counts, r.ID)
	}
	known, err := x.Vault.Accounted()
	if err != nil {
		return nil, err
	}
	moved := map[vault.Path]map[page.Source]int{}
	for id, c := range counts {
		if a, ok := known.Find(id); ok && a.Page != "" {
			if moved[a.Page] == nil {
				moved[a.Page] = map[page.Source]int{}
			}
			moved[a.Page][page.Source{Day: a.Day, ID: id}] = c.Count
		}
	}
	for p, facts := range moved {
		data, err := x.Vault.ReadFile(p)
		if err != nil {
			continue // moved or deleted by a person: a statistic is lost
		}
		for _, st := range page.Parse(p, data).Statements() {
			for _, src := range st.Sources {
				if n := facts[src]; n > 0 {
					out = append(out, dream.Read{File: p, Text: st.Text, N: n})
				}
			}
		}
	}
	return out, nil
}

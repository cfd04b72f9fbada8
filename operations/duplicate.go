package operations

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/dream/claim"
	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/llm"
	"github.com/reverie-memory/reverie/palace/likeness"
	"github.com/reverie-memory/reverie/vault"
)

// CheckDuplicate finds the drawers that a text is like.
func (m Memory) CheckDuplicate(ctx context.Context, c api.CheckDuplicate) (api.Duplicates, error) {
	c, _, err := admit(m, c)
	if err != nil {
		return api.Duplicates{}, err
	}
	view, err := m.Searches.Of(c.Agent, c.Project)
	if err != nil {
		return api.Duplicates{}, err
	}
	out := api.Duplicates{Matches: []api.DuplicateDrawer{}, Degraded: []string{}}
	if late := m.Follower.Settle(ctx); late != "" {
		out.Degraded = append(out.Degraded, late)
	}
	r, release := m.Index.Reader().Pin()
	defer release()
	found, err := m.alike(ctx, r, catalog.Filter{View: &view}, c.Content)
	switch {
	case errors.Is(err, errNoVectors):
		out.Degraded = append(out.Degraded, err.Error())
		return out, nil
	case err != nil:
		return api.Duplicates{}, err
	}
	if e := m.Models.Embedder; !likeness.Of(e.Fingerprint()).Known() {
		out.Degraded = append(out.Degraded, "likeness: uncalibrated for "+e.Name()+", so that thresholds may be far off")
	}
	for _, a := range found {
		if a.likeness < c.Threshold || len(out.Matches) == 5 {
			break
		}
		out.Matches = append(out.Matches, api.DuplicateDrawer{
			ID: a.row.Drawer, Wing: a.row.Wing, Room: a.row.Room, Hall: a.row.Hall, Content: a.row.Text, Similarity: a.likeness,
			FiledAt: rfc(m.filed(&a.row)),
		})
		out.HasDuplicate = out.HasDuplicate || !otherwise(c.Content, &a.row)
	}
	return out, nil
}

// otherwise tells by rules that a drawer says something else than a text that is like it: another value, no, or the same words turned. Of
// what is longer than a row, likeness alone tells.
func otherwise(text string, row *catalog.Row) bool {
	if vault.SameWords(text, row.Text) {
		return false
	}
	a, b := claim.Parse(row.Text, row.Speaker, ""), claim.Parse(text, row.Speaker, "")
	return vault.Turned(text, row.Text) || row.ID == row.Drawer && len(indexer.Chunks(text)) == 1 && claim.Veto(a, b, true) != ""
}

// alike is a drawer that a text is like.
type alike struct {
	row      catalog.Row // of its chunks, the most like
	likeness float64     // of each chunk of the text to the chunk of the drawer that is most like it, on the average
}

// shortlist is how many chunks are compared with each chunk of a text.
const shortlist = 20

// errNoVectors says that likeness could not be judged.
var errNoVectors = errors.New("likeness: without vectors nothing can be compared")

// alike gives the drawers that are nearest to a text, of those that a filter lets through, the most like first.
func (m Memory) alike(ctx context.Context, r indexer.Reader, f catalog.Filter, text string) ([]alike, error) {
	f.Source = []catalog.SourceType{catalog.DrawerText}
	var parts []string
	for _, c := range indexer.Chunks(text) {
		parts = append(parts, c.Text)
	}
	vectors, err := m.embed(ctx, parts)
	if err != nil {
		return nil, err
	}
	var keys []catalog.Key
	allow := r.Allow(f)
	for _, v := range vectors {
		near, err := r.Vector(ctx, v, shortlist, allow)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", errNoVectors, err)
		}
		for _, match := range near {
			keys = append(keys, match.Key)
		}
	}
	slices.Sort(keys)
	if keys = slices.Compact(keys); len(keys) == 0 {
		return nil, nil
	}
	rows, keys, err := r.KeyedRows(ctx, keys)
	if err != nil {
		return nil, err
	}
	stored, err := r.Vectors(ctx, keys)
	if err != nil {
		return nil, err
	}
	return m.compare(ctx, parts, rows, stored)
}

// compare tells how like each drawer the parts of a text are. Vectors of rows are of their context as well, which is why each part is
// embedded as it would be in the context of the row.
func (m Memory) compare(ctx context.Context, parts []string, rows []catalog.Row, stored [][]float32) ([]alike, error) {
	var bodies []string
	at := map[string]int{} // of a context: where the parts in it are
	for _, row := range rows {
		if _, known := at[row.Context]; known {
			continue
		}
		at[row.Context] = len(bodies)
		for _, part := range parts {
			bodies = append(bodies, catalog.EmbedText(row.Context, part))
		}
	}
	vectors, err := m.embed(ctx, bodies)
	if err != nil {
		return nil, err
	}
	scale := likeness.Of(m.Models.Embedder.Fingerprint())
	type near struct {
		row   catalog.Row
		most  float64
		parts []float64
	}
	drawers := map[string]*near{}
	for i, row := range rows {
		d := drawers[row.Drawer]
		if d == nil {
			d = &near{parts: make([]float64, len(parts))}
			drawers[row.Drawer] = d
		}
		for n, v := range vectors[at[row.Context]:][:len(parts)] {
			l := scale.Likeness(likeness.Cosine(v, stored[i]))
			d.parts[n] = max(d.parts[n], l)
			if l > d.most {
				d.row, d.most = row, l
			}
		}
	}
	var out []alike
	for _, d := range drawers {
		sum := 0.0
		for _, l := range d.parts {
			sum += l
		}
		if d.most > 0 {
			out = append(out, alike{d.row, math.Round(1000*sum/float64(len(parts))) / 1000})
		}
	}
	slices.SortFunc(out, func(a, b alike) int {
		return cmp.Or(cmp.Compare(b.likeness, a.likeness), cmp.Compare(a.row.Drawer, b.row.Drawer))
	})
	return out, nil
}

// embed embeds texts as those of rows are.
func (m Memory) embed(ctx context.Context, texts []string) ([][]float32, error) {
	e := m.Models.Embedder
	vectors, err := e.Embed(ctx, texts, llm.Document)
	if err == nil && len(vectors) != len(texts) {
		err = fmt.Errorf("%d vectors for %d texts", len(vectors), len(texts))
	}
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("%w: %w", errNoVectors, err)
	}
	return vectors, err
}

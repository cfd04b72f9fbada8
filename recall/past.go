package recall

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/vault"
)

// A Past is how the index differs from what was remembered at a time, apart from what has a time of its own.
type Past struct {
	Rows  []catalog.Row // what was there and is not any more; of drawers, chats and neighbours nothing is told
	Gone  []string      // ids of rows that were not there, or read otherwise
	Back  []string      // ids of drawers that were put away since
	Away  []string      // and of those that were put away then, and are not any more
	Notes []string      // what cannot be told any more
}

// A Clock says by which time a search looks back.
type Clock string

// The clocks.
const (
	BySaid  Clock = "said"  // what was said later is left out, whenever it was taken in
	ByFiled Clock = "filed" // what was filed later is left out as well: an import of today is not remembered yesterday
)

// An AsOf is a time to look back from. The zero AsOf is now.
type AsOf struct {
	Time time.Time
	By   Clock // "" is BySaid
}

// timed are the sources whose rows tell when they came. The others tell what is known, and stand as they stand now.
var (
	timed   = []catalog.SourceType{catalog.ArchiveLog, catalog.DrawerText, catalog.Diary, catalog.Closet}
	untimed = []catalog.SourceType{catalog.Notebook, catalog.CoreFile}
)

// at returns a searcher over what was remembered at a time, and what it cannot tell. Without [Searcher.Past] pages and core files are left
// out.
func (s *Searcher) at(ctx context.Context, as AsOf) (*Searcher, []string, error) {
	if as.Time.IsZero() {
		return s, nil, nil
	}
	then, past := *s, Past{Notes: []string{"as_of searches logs, drawers and diaries; pages and core files only exist as they are now"}}
	then.Now = func() time.Time { return as.Time }
	if s.Reads != nil {
		then.Reads = s.Reads.Before(as.Time)
	}
	if s.Sink != nil {
		then.Sink = present{s.Sink, s.now()}
	}
	ix := before{Index: s.Index, end: as.Time.Truncate(time.Second).Add(time.Second), filed: as.By == ByFiled}
	if s.Past != nil {
		var err error
		if past, err = s.Past(ctx, as); err == nil {
			err = ix.lay(ctx, &past)
		}
		if err != nil {
			return nil, nil, fmt.Errorf("looking back: %w", err)
		}
	}
	if ix.filed {
		all := s.Index
		if v, ok := all.(seen); ok { // also of drawers that were put away
			all = v.Index
		}
		ix.known = all.Allow(catalog.Filter{Source: []catalog.SourceType{catalog.DrawerText}, Known: ix.end})
	}
	ix.count()
	then.Index = &ix
	return &then, past.Notes, nil
}

// lay takes in how the index differs.
func (b *before) lay(ctx context.Context, past *Past) error {
	gone, err := b.Index.KeysByID(ctx, past.Gone)
	if err != nil {
		return err
	}
	away, err := b.drawerKeys(ctx, past.Away)
	if err != nil {
		return err
	}
	b.pages, b.rows, b.gone, b.back = true, past.Rows, map[catalog.Key]bool{}, map[catalog.Key]*catalog.Row{}
	for _, key := range append(gone, away...) {
		b.gone[key] = true
	}
	back, err := b.drawerKeys(ctx, past.Back)
	if err != nil {
		return err
	}
	rows, err := aligned(ctx, b.Index, back)
	v, veiled := b.Index.(seen)
	for i := range rows {
		if r := &rows[i]; r.Archived && (!veiled || v.view.Sees(r)) {
			r.Archived = false
			b.back[back[i]] = r
		}
	}
	return err
}

// drawerKeys are the keys of the rows that drawers are.
func (b *before) drawerKeys(ctx context.Context, ids []string) (keys []catalog.Key, err error) {
	first, err := b.Index.KeysByID(ctx, ids)
	for _, m := range b.Index.Metas(first) {
		if m.Drawer == 0 {
			continue
		}
		for _, of := range b.Index.Metas(b.Index.DrawerKeys(m.Drawer)) {
			if of.Source == catalog.DrawerText {
				keys = append(keys, of.Key)
			}
		}
	}
	return keys, err
}

// present tells of a search that looked back when it was made.
type present struct {
	Sink
	now time.Time
}

func (p present) Record(r Record) {
	r.Time = p.now.UTC()
	p.Sink.Record(r)
}

// before is an index as it stood at a time. Row i of what it has besides has the key -(i+1). before is used by one search.
type before struct {
	Index
	end   time.Time              // the first second that is later
	filed bool                   // what was filed later is left out
	known func(catalog.Key) bool // with filed: the drawers that had been filed
	pages bool                   // pages and core files are told, but for what is gone
	gone  map[catalog.Key]bool
	back  map[catalog.Key]*catalog.Row // of the index, put away since; as they were
	rows  []catalog.Row

	terms []map[string]int // of each row
	mean  float64          // terms of a row
}

func (b *before) count() {
	all := 0
	for i := range b.rows {
		counts := map[string]int{}
		for _, t := range lexis.Terms(b.rows[i].Context + " " + b.rows[i].Text) {
			counts[t]++
		}
		b.terms = append(b.terms, counts)
		all += len(lexis.Terms(b.rows[i].Text))
	}
	b.mean = max(1, float64(all)/float64(max(1, len(b.rows))))
}

// own is the row that has a key, nil for one of the index.
func (b *before) own(key catalog.Key) *catalog.Row {
	if key < 0 && int(-key) <= len(b.rows) {
		return &b.rows[-key-1]
	}
	return nil
}

// parts are those of a filter: what has a time, and what stands as it is. Each is nil where the filter asks for nothing of the kind.
type parts struct{ said, stands *catalog.Filter }

func (b *before) parts(f catalog.Filter) (p parts) {
	of := func(sources []catalog.SourceType) *catalog.Filter {
		part := f
		if len(f.Source) > 0 {
			sources = slices.DeleteFunc(slices.Clone(sources), func(s catalog.SourceType) bool { return !slices.Contains(f.Source, s) })
		}
		if part.Source = sources; len(sources) == 0 {
			return nil
		}
		return &part
	}
	if p.said = of(timed); p.said != nil {
		if p.said.To.IsZero() || b.end.Before(p.said.To) {
			p.said.To = b.end
		}
		if b.filed {
			p.said.Known = b.end
		}
	}
	if b.pages {
		p.stands = of(untimed)
	}
	return p
}

// lets is Allow for a row of the past.
func (p parts) lets(r *catalog.Row) bool {
	f := p.stands
	if slices.Contains(timed, r.Source) {
		f = p.said
	}
	return f != nil && f.Passes(r)
}

// Allow implements Index.
func (b *before) Allow(f catalog.Filter) func(catalog.Key) bool {
	p := b.parts(f)
	then, now := func(catalog.Key) bool { return false }, func(catalog.Key) bool { return false }
	if p.said != nil {
		then = b.Index.Allow(*p.said)
	}
	if p.stands != nil {
		now = b.Index.Allow(*p.stands)
	}
	return func(key catalog.Key) bool {
		if r := b.own(key); r != nil {
			return p.lets(r)
		}
		r := b.back[key]
		return (then(key) || now(key) || r != nil && p.lets(r)) && !b.gone[key] && b.heard(key)
	}
}

// heard says whether what a row derives from had been filed: a fact of an import is as old as the day on which it was said.
func (b *before) heard(key catalog.Key) bool {
	if !b.filed {
		return true
	}
	m := b.Index.Metas([]catalog.Key{key})[0]
	if m.Drawer == 0 || m.Source == catalog.DrawerText {
		return true
	}
	return !slices.ContainsFunc(b.Index.Metas(b.Index.DrawerKeys(m.Drawer)), func(of catalog.Meta) bool {
		return of.Source == catalog.DrawerText && !b.known(of.Key)
	})
}

// LexicalTerms implements Index. A row of the past scores as the index would have it score: by the frequencies that terms have there.
func (b *before) LexicalTerms(
	ctx context.Context, terms []catalog.WeightedTerm, rank catalog.Ranking, k int, allow func(catalog.Key) bool,
) ([]catalog.Scored, error) {
	found, err := b.Index.LexicalTerms(ctx, terms, rank, k, allow)
	if err != nil || len(b.rows) == 0 {
		return found, err
	}
	freqs, err := b.Index.DocFreqs(ctx, slice.Map(terms, func(t catalog.WeightedTerm) string { return t.Term }))
	if err != nil {
		return nil, err
	}
	n := float64(b.Index.Info().Rows + len(b.rows))
	for i, counts := range b.terms {
		key, score := catalog.Key(-i-1), 0.0
		if !allow(key) {
			continue
		}
		length := 0
		for _, c := range counts {
			length += c
		}
		for j, t := range terms {
			if tf := float64(counts[t.Term]); tf > 0 {
				idf := t.Weight * math.Log(1+(n-float64(freqs[j])+0.5)/(float64(freqs[j])+0.5))
				score += idf * tf * (rank.K1 + 1) / (tf + rank.K1*(1-rank.B+rank.B*float64(length)/b.mean))
			}
		}
		if score > 0 {
			found = append(found, catalog.Scored{Key: key, Score: score})
		}
	}
	slices.SortStableFunc(found, func(x, y catalog.Scored) int { return cmp.Compare(y.Score, x.Score) })
	return found[:min(k, len(found))], nil
}

// Metas implements Index.
func (b *before) Metas(keys []catalog.Key) []catalog.Meta {
	out := b.Index.Metas(keys)
	for i := range out {
		if r := b.own(out[i].Key); r != nil {
			out[i] = catalog.Meta{Key: out[i].Key, Source: r.Source, Unix: unix(r.At), Archived: r.Archived, Wish: lexis.Occasion(r.Text) != ""}
		}
	}
	return out
}

// Neighbours implements Index.
func (b *before) Neighbours(key catalog.Key) (prev, next []catalog.Key) {
	if key < 0 {
		return nil, nil
	}
	return b.Index.Neighbours(key)
}

// IDs implements Index.
func (b *before) IDs(ctx context.Context, keys []catalog.Key) ([]string, error) {
	ids, err := b.Index.IDs(ctx, keys)
	for i := range ids {
		if r := b.own(keys[i]); r != nil {
			ids[i] = r.ID
		}
	}
	return ids, err
}

// Rows implements Index.
func (b *before) Rows(ctx context.Context, keys []catalog.Key) ([]catalog.Row, error) {
	rows, err := aligned(ctx, b.Index, slice.Keep(keys, func(key catalog.Key) bool { return key > 0 }))
	if err != nil {
		return nil, err
	}
	out := make([]catalog.Row, 0, len(keys))
	for _, key := range keys {
		switch r := b.own(key); {
		case r != nil:
			out = append(out, *r)
		case key > 0:
			if rows[0].ID != "" {
				rows[0].Archived = rows[0].Archived && b.back[key] == nil
				out = append(out, rows[0])
			}
			rows = rows[1:]
		}
	}
	return out, nil
}

// Heaviest implements Index, but for this: of rows that are weighed there may be more than n, in no order.
func (b *before) Heaviest(f catalog.Filter, n int, weigh catalog.Weight) (keys []catalog.Key) {
	p := b.parts(f)
	if p.said != nil {
		keys = b.Index.Heaviest(*p.said, n+len(b.gone), weigh)
	}
	if p.stands != nil {
		keys = append(keys, b.Index.Heaviest(*p.stands, n+len(b.gone), weigh)...)
	}
	keys = slices.DeleteFunc(keys, func(key catalog.Key) bool { return b.gone[key] || !b.heard(key) })
	add := func(key catalog.Key, r *catalog.Row) {
		if p.lets(r) && (weigh == nil || weigh(r.Category, r.Wing, unix(r.At)) >= 0) {
			keys = append(keys, key)
		}
	}
	for i := range b.rows {
		add(catalog.Key(-i-1), &b.rows[i])
	}
	for _, key := range slices.Sorted(maps.Keys(b.back)) {
		if b.heard(key) {
			add(key, b.back[key])
		}
	}
	if weigh != nil {
		return keys
	}
	metas := b.Metas(keys)
	slices.SortStableFunc(metas, func(x, y catalog.Meta) int { return cmp.Compare(y.Unix, x.Unix) })
	for i := range metas {
		keys[i] = metas[i].Key
	}
	return keys[:min(n, len(keys))]
}

// List implements Index.
func (b *before) List(ctx context.Context, f catalog.Filter, limit, offset int) ([]catalog.Row, error) {
	keys := b.Heaviest(f, limit+offset, nil)
	return b.Rows(ctx, keys[min(offset, len(keys)):])
}

// Speakers implements Index.
func (b *before) Speakers(f catalog.Filter) map[string]int {
	p := b.parts(f)
	all := map[string]int{}
	if p.said != nil {
		maps.Copy(all, b.Index.Speakers(*p.said))
	}
	if p.stands != nil {
		for name, n := range b.Index.Speakers(*p.stands) {
			all[name] += n
		}
	}
	count := func(r *catalog.Row) {
		if (r.Speaker != "" || r.Origin == vault.OriginUser) && p.lets(r) {
			all[r.Speaker]++
		}
	}
	for i := range b.rows {
		count(&b.rows[i])
	}
	for _, r := range b.back {
		count(r)
	}
	return all
}

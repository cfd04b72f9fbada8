package recall

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/palace/closet"
)

// closets lets the lines of closets vote for the chunks that they point to. Where none of these is left the search is as without closets.
var closets = &Phase{
	Name: "closets", Step: Pooling, Stage: "fuse", Switch: "closets",
	Flags: []Flag{
		{Name: "closets", Default: true, Doc: "closets, where they are kept, vote for the drawers that they point to"},
		{
			Name: "max_distance", Default: 0.0, Max: 2,
			Doc: "closets do not vote for what is farther from the question than this, as one minus the cosine; 0 for any distance",
		},
	},
	Parts: []string{"closet"},
	Run: func(ctx context.Context, r *search) error {
		if r.s.Closets == nil {
			return nil
		}
		start := time.Now()
		defer func() { r.clock.add("closets", time.Since(start)) }()
		if err := r.vote(ctx); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			r.degrade(fmt.Sprintf("closets: %v; the answer does without some of them", err))
		}
		return nil
	},
}

const (
	closetDepth  = 20  // closets that are opened
	closetVotes  = 60  // chunks that they may vote for
	weightCloset = 0.3 // of a closet's score for a line that has all of the question
)

// A vote is for one chunk: the best line that points to it, and what that counts.
type vote struct {
	id   string
	line closet.Line
	by   float64
}

// vote opens the closets that answer the question best and books what their lines say.
func (r *search) vote(ctx context.Context) error {
	scored, failed := r.closets(ctx)
	rows, err := aligned(ctx, r.s.Closets, slice.Map(scored, func(s catalog.Scored) catalog.Key { return s.Key }))
	if err != nil {
		return err
	}
	votes := r.votes(rows, scored)
	found, err := r.pointed(ctx, votes)
	if err != nil {
		return err
	}
	if found, err = r.within(ctx, found, r.flags.number("max_distance")); err != nil {
		return err
	}
	r.hydrate(votes, found)
	return failed
}

// closets finds closets by full text and by vectors, the best first. Where only one of the two fails the other answers.
func (r *search) closets(ctx context.Context) ([]catalog.Scored, error) {
	ix, f := r.s.Closets, r.q.Filter
	allow := ix.Allow(catalog.Filter{Wing: f.Wing, Chat: f.Chat})
	sum := map[catalog.Key]float64{}
	var failed error
	if r.flags.on("lexical") {
		terms, err := ix.QueryTerms(ctx, r.q.Text)
		var worded []catalog.Scored
		if err == nil {
			worded, err = ix.LexicalTerms(ctx, rarest(terms), lexicalRanking, closetDepth, allow)
		}
		for _, s := range worded {
			sum[s.Key] += max(s.Score, 0)
		}
		failed = err
	}
	if r.asked != nil {
		near, err := ix.Vector(ctx, r.asked, closetDepth, allow)
		mean, dev := spread(near)
		for _, m := range near {
			sum[m.Key] += r.vectorWeight() * max(0, float64(m.Similarity)-mean) / dev
		}
		failed = cmp.Or(failed, err)
	}
	out := make([]catalog.Scored, 0, len(sum))
	for key, score := range sum {
		out = append(out, catalog.Scored{Key: key, Score: score})
	}
	slices.SortFunc(out, func(a, b catalog.Scored) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Key, b.Key)) })
	return out[:min(closetDepth, len(out))], failed
}

// votes are what the lines of closets say for the chunks that they point to, the best first. A line counts as much as it has of the
// question's terms.
func (r *search) votes(rows []catalog.Row, scored []catalog.Scored) []vote {
	var out []vote
	at := map[string]int{}
	for i := range rows {
		for _, line := range closet.Parse(rows[i].Text) {
			by := weightCloset * scored[i].Score * r.floor.share(line.Topic+" "+strings.Join(line.Names, " "))
			if by <= 0 {
				continue
			}
			for _, id := range line.IDs {
				n, ok := at[id]
				if !ok {
					n, at[id] = len(out), len(out)
					out = append(out, vote{id: id})
				}
				if by > out[n].by {
					out[n].by, out[n].line = by, line
				}
			}
		}
	}
	slices.SortStableFunc(out, func(a, b vote) int { return cmp.Or(cmp.Compare(b.by, a.by), cmp.Compare(a.id, b.id)) })
	return out[:min(closetVotes, len(out))]
}

// share is how much of the question's terms a text has, by their weight.
func (f *floor) share(text string) float64 {
	has := slice.Set(lexis.Terms(text))
	told, all := 0.0, 0.0
	for _, t := range f.order {
		all += f.terms[t]
		if has[t] {
			told += f.terms[t]
		}
	}
	if all == 0 {
		return 0
	}
	return told / all
}

// pointed are the keys of the chunks that votes are for, as far as they are there and may be found.
func (r *search) pointed(ctx context.Context, votes []vote) (map[string][]catalog.Key, error) {
	var ids []string
	for _, v := range votes {
		for _, id := range v.line.IDs { // those that its line names besides tell whether the line may be shown
			if !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	found := map[string][]catalog.Key{}
	for _, id := range ids {
		keys, err := r.s.Index.KeysByID(ctx, []string{id})
		if err != nil {
			return nil, err
		}
		for _, key := range keys {
			if r.allow == nil || r.allow(key) {
				found[id] = append(found[id], key)
			}
		}
	}
	return found, nil
}

// within keeps the chunks that lie within a distance of the question; 0 keeps all.
func (r *search) within(ctx context.Context, found map[string][]catalog.Key, most float64) (map[string][]catalog.Key, error) {
	if most == 0 {
		return found, nil
	}
	if r.asked == nil {
		r.warn("max_distance is left aside: there are no vectors to measure it by")
		return found, nil
	}
	wanted := map[catalog.Key]bool{}
	for _, keys := range found {
		for _, key := range keys {
			wanted[key] = true
		}
	}
	matches, err := r.s.Index.Vector(ctx, r.asked, len(wanted), func(key catalog.Key) bool { return wanted[key] })
	if err != nil {
		return nil, err
	}
	for _, m := range matches {
		if 1-float64(m.Similarity) <= most {
			delete(wanted, m.Key)
		}
	}
	for id, keys := range found {
		found[id] = slices.DeleteFunc(keys, func(key catalog.Key) bool { return wanted[key] })
	}
	return found, nil
}

// hydrate makes candidates of the chunks and books the votes for them, and for what else than chunks tells the same.
func (r *search) hydrate(votes []vote, found map[string][]catalog.Key) {
	var keys []catalog.Key
	for _, v := range votes {
		keys = append(keys, found[v.id]...)
	}
	r.pool.add(keys)
	for _, v := range votes {
		line, pointed := &v.line, []catalog.Key{}
		for _, id := range v.line.IDs {
			if pointed = append(pointed, found[id]...); len(found[id]) == 0 {
				line = nil
			}
		}
		for _, key := range found[v.id] {
			i, ok := r.pool.byKey[key]
			if !ok {
				continue
			}
			for _, j := range r.pool.groups[r.pool.cands[i].group].rows {
				if c := &r.pool.cands[j]; j == i || c.meta.Source != catalog.DrawerText {
					c.book("closet", v.by)
					c.line, c.pointed = line, pointed
				}
			}
		}
	}
}

// preview is the line of a closet that points to a row, "" where the rows that it names do not say all of it: a closet may be behind what
// was forgotten or edited.
func (r *search) preview(ctx context.Context, c *candidate) (string, error) {
	if c.line == nil {
		return "", nil
	}
	rows, err := r.s.Index.Rows(ctx, c.pointed)
	if err != nil {
		return "", fmt.Errorf("reading what a closet points to: %w", err)
	}
	said := make([]string, 0, 3*len(rows))
	for i := range rows {
		w := &rows[i]
		said = append(said, w.Text, w.Speaker, w.Wing+"/"+w.Room+"/"+cmp.Or(w.Chat, path.Base(string(w.File))))
	}
	if !c.line.In(said...) {
		return "", nil
	}
	return c.line.String(), nil
}

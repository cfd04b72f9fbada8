package operations

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/reads"
	"github.com/reverie-memory/reverie/recall"
)

// A telling is a text that was told, with the rows that it quotes, in its order.
type telling struct {
	receipt, text string
	rows          []string
	degraded      []string
	since         time.Time // of a brief: the visit before
}

func contextTold(c api.ContextResult) telling {
	return telling{receipt: c.Receipt, text: c.Text, rows: slices.Concat(c.Rows["L1"], c.Rows["L2"], c.Rows["L3"]), degraded: c.Degraded}
}

func sessionTold(s api.SessionContextResult) telling {
	t := telling{receipt: s.Receipt, text: s.Text, degraded: s.Degraded}
	for _, p := range s.Pinned {
		t.rows = append(t.rows, p.ID)
	}
	return t
}

// kindTold names the text that answers a request, in packets.
func kindTold(asked any) string {
	switch asked.(type) {
	case api.Context:
		return reads.ToldContext
	case api.SessionContext:
		return reads.ToldSession
	}
	return reads.ToldBrief
}

// keepTold keeps a request that was admitted, with the text that answered it, where packets are kept. The query is what it asks about.
func (m Memory) keepTold(ctx context.Context, asked any, query string, t telling) {
	if !m.Reads.Replays() || t.receipt == "" {
		return
	}
	raw, err := json.Marshal(asked)
	if err != nil {
		return // flags are JSON values: admit would have refused others
	}
	reader := m.Index.Reader()
	p := reads.Packet{
		Receipt: t.receipt, Time: m.Vault.Now().UTC(), Query: query, Asked: raw, Found: []reads.Found{}, Kind: kindTold(asked),
		Told: recall.QueryHash(t.text), Degraded: t.degraded, Generation: reader.Generation(), Fingerprint: reader.Status().Fingerprint,
	}
	if !t.since.IsZero() {
		p.Since = &t.since
	}
	texts := m.textsOf(ctx, t.rows)
	for _, id := range t.rows {
		p.Found = append(p.Found, reads.Found{ID: id, Text: texts[id]})
	}
	m.Reads.Keep(p)
}

// textsOf are the hashes of the rows' texts; none of a row that the index does not have, such as one of the past.
func (m Memory) textsOf(ctx context.Context, ids []string) map[string]string {
	out := map[string]string{}
	rows, err := m.Index.Reader().RowsByID(ctx, ids)
	if err != nil {
		return out
	}
	for _, r := range rows {
		out[r.ID] = recall.QueryHash(r.Text)
	}
	return out
}

// tellAgain asks for the text of a packet once more, for whom the view is, by the clock of then and without a trace.
func (m Memory) tellAgain(ctx context.Context, q api.ReceiptID, view catalog.View, p *reads.Packet) (telling, error) {
	now := func() time.Time { return p.Time }
	switch p.Kind {
	case reads.ToldContext:
		var c api.Context
		if err := json.Unmarshal(p.Asked, &c); err != nil {
			return telling{}, fmt.Errorf("reading what was asked: %w", err)
		}
		c.Agent, c.DryRun = q.Agent, true
		out, err := m.context(ctx, c, now)
		return contextTold(out), err
	case reads.ToldSession:
		var s api.SessionContext
		if err := json.Unmarshal(p.Asked, &s); err != nil {
			return telling{}, fmt.Errorf("reading what was asked: %w", err)
		}
		s.Agent, s.DryRun, view.Wing = q.Agent, true, s.Wing
		var out api.SessionContextResult
		err := m.session(ctx, view, s, now, &out)
		return sessionTold(out), err
	}
	var b api.Brief
	if err := json.Unmarshal(p.Asked, &b); err != nil {
		return telling{}, fmt.Errorf("reading what was asked: %w", err)
	}
	b.Agent, b.Peek, view.Wing = q.Agent, true, b.Wing
	var since time.Time
	if p.Since != nil {
		since = *p.Since
	}
	out, err := m.brief(ctx, view, b, since, now, nil)
	return telling{out.Receipt, out.Text, out.Rows, out.Degraded, since}, err
}

// retold tells how the text that a request gets now differs from what it got.
func (m Memory) retold(ctx context.Context, q api.ReceiptID, view catalog.View, p *reads.Packet) (api.Replay, error) {
	now, err := m.tellAgain(ctx, q, view, p)
	if recall.Unaskable(err) {
		return m.unaskable(ctx, view, p, err)
	}
	if err != nil {
		return api.Replay{}, fmt.Errorf("asking again: %w", err)
	}
	stones, err := m.Vault.Tombstones()
	if err != nil {
		return api.Replay{}, err
	}
	ids := p.IDs()
	rows, err := m.remain(ctx, append(ids, now.rows...))
	if err != nil {
		return api.Replay{}, err
	}
	out := api.Replay{
		Receipt: p.Receipt, At: p.Time.Format(time.RFC3339), Replayed: true, Query: stones.Visible(p.Query), Hits: []api.ReplayHit{},
		Same: len(now.rows) == len(ids), Degraded: p.Degraded,
	}
	for i, f := range p.Found {
		hit := api.ReplayHit{ID: f.ID, Rank: i + 1, RankNow: slices.Index(now.rows, f.ID) + 1}
		row, there := rows[f.ID]
		switch {
		case there && !view.Sees(&row):
			hit.Change, hit.RankNow = outOfSight, 0
		case hit.RankNow == 0:
			if m.become(ctx, &hit, rows); hit.Change == "" {
				hit.Change = "other memories take its place now"
			}
		default:
			if hit.Text = row.Text; there && f.Text != "" && recall.QueryHash(row.Text) != f.Text {
				hit.Change = "its text changed"
			} else if hit.RankNow != hit.Rank {
				hit.Change = fmt.Sprintf("it is number %d now", hit.RankNow)
			}
		}
		out.Same = out.Same && hit.Change == ""
		out.Hits = append(out.Hits, hit)
	}
	for i, id := range now.rows {
		if slices.Contains(ids, id) {
			continue
		}
		row := rows[id]
		change := "it was not quoted"
		if filed := row.FiledAt(); !filed.IsZero() && filed.After(p.Time) {
			change = "it was filed since"
		}
		out.New, out.Same = append(out.New, api.ReplayHit{ID: id, Text: row.Text, RankNow: i + 1, Change: change}), false
	}
	if out.Same && recall.QueryHash(now.text) != p.Told {
		out.Same = false
		out.Changes = append(out.Changes, "what stands beside the rows is not what it was: core blocks, lines of the graph, questions or dreams")
	}
	out.Changes = append(out.Changes, m.since(p, now.degraded)...)
	return out, nil
}

// since says what changed of the index and its embedder since a packet, and what answers are without now.
func (m Memory) since(p *reads.Packet, degraded []string) (out []string) {
	reader := m.Index.Reader()
	if g := reader.Generation(); g != p.Generation {
		out = append(out, fmt.Sprintf("the index was rebuilt: generation %d, now %d", p.Generation, g))
	}
	for _, why := range uniq(degraded) {
		if !slices.Contains(p.Degraded, why) {
			out = append(out, "now "+why)
		}
	}
	if f := reader.Status().Fingerprint; f != p.Fingerprint {
		out = append(out, fmt.Sprintf("the vectors are of another embedder: %s, now %s", p.Fingerprint, f))
	}
	return out
}

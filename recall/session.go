package recall

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/reverie-memory/reverie/extract"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/trust"
)

// A Pin is a row that is read all the time, or is new.
type Pin struct {
	Row   catalog.Row
	Boost float64 // that of ltp
	Score float64 // Boost times 1 + 0.2 for each wing that the row and what is read with it hang in
}

// The bounds of pins, as the flags of the phase have them by default.
const (
	pinBoost  = 1.5
	pinItems  = 5
	pinTokens = 2000
	pinFresh  = 48 * time.Hour
)

// pin says whether a row may be pinned: it was read at least so much, or is new where that counts.
func (s *Searcher) pin(ctx context.Context, row *catalog.Row, now time.Time, least float64, tagged bool) (p Pin, ok bool, err error) {
	filed, use := row.FiledAt(), s.use(row, now)
	p = Pin{Row: *row, Boost: ltpBoost(use.Lately)}
	if fresh := tagged && !filed.IsZero() && !filed.After(now) && now.Sub(filed) <= pinFresh; !fresh && p.Boost < least {
		return p, false, nil
	}
	wings, err := s.wings(ctx, row, use)
	p.Score = p.Boost * (1 + 0.2*float64(wings))
	return p, true, err
}

// Session is what an assistant should keep when its context is shortened: what is read all the time and what is new, of what may be told
// unasked, at most 5 of them in 2,000 tokens. Text is fenced as data; "" where there is nothing. With dryRun no trace is left.
func (s *Searcher) Session(ctx context.Context, wing string, dryRun bool) (pins []Pin, text, receipt string, err error) {
	now, owner := s.now(), s.Owner()
	rows, err := s.important(ctx, standing, wing, candidates)
	if err != nil {
		return nil, "", "", fmt.Errorf("listing what matters: %w", err)
	}
	for i := range rows {
		if !s.unasked(&rows[i], owner) {
			continue
		}
		p, ok, err := s.pin(ctx, &rows[i], now, pinBoost, true)
		if err != nil {
			return nil, "", "", fmt.Errorf("wings of pinned rows: %w", err)
		}
		if ok {
			pins = append(pins, p)
		}
	}
	slices.SortStableFunc(pins, func(a, b Pin) int { return cmp.Compare(b.Score, a.Score) }) // ties by importance
	var shown []string
	lines, said, left := "", newTold(), 4*pinTokens
	pins = slices.DeleteFunc(pins, func(p Pin) bool {
		r := &p.Row
		line := "- " + bracketed(when(r), trust.Label(r.Origin), cmp.Or(place(r), onPage(r))) + oneLine(r.Text) + "\n"
		n := escapedQuarters(line)
		if len(shown) == pinItems || n > left || said.has(r) {
			return true
		}
		said.add(r)
		left, lines, shown = left-n, lines+line, append(shown, r.ID)
		return false
	})
	receipt = NewReceipt()
	if s.Sink != nil && !dryRun {
		s.Sink.Record(Record{Time: now.UTC(), QueryHash: QueryHash(""), Receipt: receipt, Rows: []string{}, Shown: shown})
	}
	if lines != "" {
		text = extract.Fence(lines)
	}
	return pins, text, receipt, nil
}

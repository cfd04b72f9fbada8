package reads

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/recall"
	"github.com/reverie-memory/reverie/vault"
)

// A Packet is what a search was asked and what it answered, so that it can be asked again. A Packet is kept only where a person wants that:
// a question may tell more than its answer.
type Packet struct {
	Receipt     string          `json:"receipt"`
	Time        time.Time       `json:"time"`
	Query       string          `json:"query"`
	Asked       json.RawMessage `json:"asked"` // the request, with the profile and the flags that held
	Found       []Found         `json:"found"` // the best first
	Weak        int             `json:"weak,omitempty"`
	Engine      string          `json:"engine"`
	Generation  int             `json:"generation"`         // of the index
	Fingerprint string          `json:"fingerprint"`        // of its vectors
	Guard       string          `json:"model_guard_result"` // MATCH or MISMATCH; "" where nothing was compared
	Degraded    []string        `json:"degraded,omitempty"`
	Wings       map[string]int  `json:"wing_counts_at_query_time,omitempty"` // drawers, as far as who asked sees them

	// Of a text that quotes rows instead of a search: which it is, the hash of its words, and of a brief when the visit before was. Found
	// are the rows in the order of the text, without scores.
	Kind  string     `json:"kind,omitempty"`
	Told  string     `json:"told_hash,omitempty"`
	Since *time.Time `json:"since,omitempty"`

	// Of a compaction instead of a search: drawers by id, and those that would tell them.
	Candidates []Superseded `json:"compaction_candidates,omitempty"`
	Plan       *Plan        `json:"compaction_plan,omitempty"`
	Pages      *Pages       `json:"pagination_state,omitempty"`
}

// The kinds of packets of texts.
const (
	ToldContext = "context"
	ToldSession = "session_context"
	ToldBrief   = "brief"
)

// Superseded is a candidate of a compaction.
type Superseded struct {
	ID  string  `json:"id"`
	By  string  `json:"superseded_by"`
	LTP float64 `json:"ltp_score"`
}

// Plan is which candidates go together.
type Plan struct {
	Groups    [][]string `json:"groups"`
	Summaries int        `json:"summary_count"`
}

// Pages is how far drawers were scored.
type Pages struct {
	Total      int  `json:"total"`
	Batches    int  `json:"batches_processed"`
	LastOffset int  `json:"last_offset"`
	Deep       bool `json:"scan_depth_reached"`
}

// IDs are those of what was found, the best first.
func (p *Packet) IDs() []string {
	return slice.Map(p.Found, func(f Found) string { return f.ID })
}

// Found is a hit of a packet.
type Found struct {
	ID    string             `json:"id"`
	Text  string             `json:"text_hash"` // [recall.QueryHash] of its text
	Also  []string           `json:"also,omitempty"`
	Score float64            `json:"score"`
	Parts map[string]float64 `json:"score_breakdown"`

	Events []recall.ScoreEvent `json:"score_events,omitempty"`
}

// Replays says whether packets are kept.
func (l *Log) Replays() bool { return l.replay > 0 }

// Keep keeps a packet, where packets are kept. Like a record it is written behind the answer, and dropped where the buffer is full.
func (l *Log) Keep(p Packet) {
	if l.Replays() {
		l.put(line{ReplayFile, p})
	}
}

// Of finds what is kept of a receipt: its packet, or else its record; both are nil where there is nothing, or nothing any more. Of has what
// is buffered written first.
func (l *Log) Of(ctx context.Context, receipt string) (p *Packet, r *recall.Record, err error) {
	done := make(chan struct{})
	select {
	case l.flush <- done:
		<-done
	case <-l.ended:
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
	err = packets.Each(l.vault, func(found Packet) {
		if found.Receipt == receipt {
			p = &found
		}
	})
	if err != nil || p != nil {
		return p, nil, err
	}
	err = recalled.Each(l.vault, func(found recall.Record) {
		if found.Receipt == receipt {
			r = &found
		}
	})
	return nil, r, err
}

// expire takes out packets whose days are over, once a day. Of a vault that keeps none any more it takes out all.
func (l *Log) expire() error {
	today := vault.DayOf(l.vault.Now())
	if l.expired == today {
		return nil
	}
	since := l.vault.Now().AddDate(0, 0, -l.replay)
	_, err := packets.Edit(l.vault, func(p *Packet) vault.Fate { return vault.GoesIf(l.replay == 0 || p.Time.Before(since)) }, nil)
	if err != nil {
		return fmt.Errorf("rewrite %s: %w", ReplayFile, err)
	}
	l.expired = today
	return nil
}

// erasePackets takes out the packets that name a row, or whose question tells what has to go.
func (l *Log) erasePackets(e erasure) error {
	_, err := packets.Edit(l.vault, func(p *Packet) vault.Fate {
		names := func(f Found) bool {
			return e.rows[f.ID] || slices.ContainsFunc(f.Also, func(id string) bool { return e.rows[id] })
		}
		told := e.tells(p.Query)
		for wing := range p.Wings {
			told = told || e.tells(wing)
		}
		for _, c := range p.Candidates {
			told = told || e.rows[c.ID] || e.rows[c.By]
		}
		return vault.GoesIf(told || slices.ContainsFunc(p.Found, names))
	}, nil)
	if err != nil {
		return fmt.Errorf("rewrite %s: %w", ReplayFile, err)
	}
	return nil
}

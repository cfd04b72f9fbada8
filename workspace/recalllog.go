package workspace

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/reverie-memory/reverie/forget"
	"github.com/reverie-memory/reverie/recall"
	"github.com/reverie-memory/reverie/vault"
)

const (
	recallLogFile  = "recall_log.jsonl"
	recallSumFile  = "recall_counts.jsonl" // what was folded out of the log: one line a row
	recallLogBatch = 256
	recallLogEvery = 2 * time.Second
	recallLogLimit = 4 << 20 // bytes; a longer log is folded
)

// recallLog writes what was recalled into the vault, in batches and behind the answer. A record that
// finds the buffer full is dropped: it is a statistic, not a memory.
type recallLog struct {
	vault   *vault.Vault
	log     *slog.Logger
	records chan recall.Record
	erase   chan erasure
	ended   chan struct{} // closed when run has returned
}

// erasure asks for records to be taken out; done gets the outcome.
type erasure struct {
	rows  map[string]bool
	tells func(snippet string) bool
	done  chan error
}

// recallCount is a line of recallSumFile.
type recallCount struct {
	Row   string `json:"row"`
	Count int    `json:"count"`
	Last  string `json:"last"`
}

func newRecallLog(v *vault.Vault, log *slog.Logger) *recallLog {
	return &recallLog{vault: v, log: log, records: make(chan recall.Record, 4*recallLogBatch), erase: make(chan erasure), ended: make(chan struct{})}
}

// Record implements recall.Sink.
func (l *recallLog) Record(r recall.Record) {
	select {
	case l.records <- r:
	default:
		l.log.Debug("the recall log is full, a record was dropped", "receipt", r.Receipt)
	}
}

// kind is the record of what was recalled, as a kind of record.
func (l *recallLog) kind() forget.Kind {
	return forget.Kind{
		Name: "recall", Owns: forget.Files(string(statePath(recallLogFile)), string(statePath(recallSumFile))),
		Purge: func(ctx context.Context, p *forget.Purge) error { return l.Erase(ctx, p.Rows, p.Tells) },
	}
}

// Erase takes out every record that names one of the rows, counters included, or whose snippet tells what has to go.
func (l *recallLog) Erase(ctx context.Context, rows map[string]bool, tells func(snippet string) bool) error {
	e := erasure{rows: rows, tells: tells, done: make(chan error, 1)}
	select {
	case l.erase <- e:
	case <-l.ended:
		return vault.ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case err := <-e.done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// run is the goroutine that writes; when ctx ends it writes what is left.
func (l *recallLog) run(ctx context.Context) {
	defer close(l.ended)
	tick := time.NewTicker(recallLogEvery)
	defer tick.Stop()
	var batch []any
	write := func() {
		if len(batch) == 0 {
			return
		}
		if err := l.vault.AppendState(context.WithoutCancel(ctx), recallLogFile, batch...); err != nil {
			l.log.Warn("cannot write the recall log", "records", len(batch), "err", err)
		}
		batch = batch[:0]
		if st, err := l.vault.Stat(statePath(recallLogFile)); err == nil && st.Size > recallLogLimit {
			if err := l.fold(); err != nil {
				l.log.Warn("cannot fold the recall log", "err", err)
			}
		}
	}
	for {
		select {
		case r := <-l.records:
			if batch = append(batch, r); len(batch) >= recallLogBatch {
				write()
			}
		case <-tick.C:
			write()
		case e := <-l.erase:
			batch = l.drain(batch)
			write()
			e.done <- l.takeOut(e)
		case <-ctx.Done():
			batch = l.drain(batch)
			write()
			return
		}
	}
}

// drain takes over what is buffered.
func (l *recallLog) drain(batch []any) []any {
	for {
		select {
		case r := <-l.records:
			batch = append(batch, r)
		default:
			return batch
		}
	}
}

func statePath(name string) vault.Path { return vault.Path(vault.StateDir + "/" + name) }

// fold adds the log to the counters and empties it. A crash between the two counts some recalls twice.
func (l *recallLog) fold() error {
	counts, err := l.counts()
	if err != nil {
		return err
	}
	_, err = l.vault.ReadState(recallLogFile, func(_ int, raw []byte) error {
		var r recall.Record
		if json.Unmarshal(raw, &r) != nil {
			return nil
		}
		for _, id := range r.Rows {
			c := counts[id]
			c.Row, c.Count, c.Last = id, c.Count+1, r.Time.UTC().Format(time.RFC3339)
			counts[id] = c
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("read the recall log: %w", err)
	}
	if err := l.writeCounts(counts); err != nil {
		return err
	}
	return l.vault.Replace(statePath(recallLogFile), nil, vault.AnyHash)
}

func (l *recallLog) counts() (map[string]recallCount, error) {
	counts := map[string]recallCount{}
	_, err := l.vault.ReadState(recallSumFile, func(_ int, raw []byte) error {
		var c recallCount
		if json.Unmarshal(raw, &c) == nil && c.Row != "" {
			counts[c.Row] = c
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the recall counts: %w", err)
	}
	return counts, nil
}

func (l *recallLog) writeCounts(counts map[string]recallCount) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	for _, id := range slices.Sorted(maps.Keys(counts)) {
		if err := e.Encode(counts[id]); err != nil {
			return err
		}
	}
	if err := l.vault.Replace(statePath(recallSumFile), b.Bytes(), vault.AnyHash); err != nil {
		return fmt.Errorf("write the recall counts: %w", err)
	}
	return nil
}

// takeOut rewrites log and counters without what an erasure names.
func (l *recallLog) takeOut(e erasure) error {
	_, err := l.vault.EditState(recallLogFile, func(raw []byte) []byte {
		var r recall.Record
		if json.Unmarshal(raw, &r) == nil && (slices.ContainsFunc(r.Rows, func(id string) bool { return e.rows[id] }) || e.tells(r.Snippet)) {
			for _, id := range r.Rows { // of a row that only the snippet gave away, the count goes as well
				e.rows[id] = e.rows[id] || len(r.Rows) == 1
			}
			return nil
		}
		return raw
	})
	if err != nil {
		return fmt.Errorf("rewrite the recall log: %w", err)
	}
	_, err = l.vault.EditState(recallSumFile, func(raw []byte) []byte {
		var c recallCount
		if json.Unmarshal(raw, &c) == nil && e.rows[c.Row] {
			return nil
		}
		return raw
	})
	if err != nil {
		return fmt.Errorf("rewrite the recall counts: %w", err)
	}
	return nil
}

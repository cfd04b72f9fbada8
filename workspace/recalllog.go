package workspace

import (
	"context"
	"log/slog"
	"time"

	"github.com/reverie-memory/reverie/recall"
	"github.com/reverie-memory/reverie/vault"
)

const (
	recallLogFile  = "recall_log.jsonl"
	recallLogBatch = 256
	recallLogEvery = 2 * time.Second
)

// recallLog writes what was recalled into the vault, in batches and behind the answer. A record that
// finds the buffer full is dropped: it is a statistic, not a memory.
type recallLog struct {
	vault   *vault.Vault
	log     *slog.Logger
	records chan recall.Record
}

func newRecallLog(v *vault.Vault, log *slog.Logger) *recallLog {
	return &recallLog{vault: v, log: log, records: make(chan recall.Record, 4*recallLogBatch)}
}

// Record implements recall.Sink.
func (l *recallLog) Record(r recall.Record) {
	select {
	case l.records <- r:
	default:
		l.log.Debug("the recall log is full, a record was dropped", "receipt", r.Receipt)
	}
}

// run is the goroutine that writes; when ctx ends it writes what is left.
func (l *recallLog) run(ctx context.Context) {
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
	}
	for {
		select {
		case r := <-l.records:
			if batch = append(batch, r); len(batch) >= recallLogBatch {
				write()
			}
		case <-tick.C:
			write()
		case <-ctx.Done():
			for {
				select {
				case r := <-l.records:
					batch = append(batch, r)
					continue
				default:
				}
				write()
				return
			}
		}
	}
}

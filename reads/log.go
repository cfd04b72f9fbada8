package reads

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/reverie-memory/reverie/forget"
	"github.com/reverie-memory/reverie/recall"
	"github.com/reverie-memory/reverie/vault"
)

// The files, by their names in the state folder.
const (
	LogFile    = "recall_log.jsonl"
	CountsFile = "recall_counts.jsonl" // what was folded out of the log: one line a row
	ReplayFile = "replay.jsonl"        // what was asked and answered: see [Packet]
)

var (
	recalled = vault.Records[recall.Record]{Name: LogFile}
	counted  = vault.Records[Count]{Name: CountsFile}
	packets  = vault.Records[Packet]{Name: ReplayFile}
)

const (
	logBatch = 256
	logEvery = 2 * time.Second
	logLimit = 4 << 20 // bytes; a longer log is folded
)

// Log writes what was recalled into the vault, in batches and behind the answer. A record that finds the buffer full is dropped: it
// is a statistic, not a memory.
type Log struct {
	vault   *vault.Vault
	log     *slog.Logger
	records chan line
	replay  int // days that packets are kept; 0: none are
	erase   chan erasure
	flush   chan chan struct{} // closed when what is buffered is written
	ended   chan struct{}      // closed when Run has returned

	mu     sync.Mutex
	counts map[string]Count // as the files have them; nil until somebody asks, and after an erasure
	often  []string         // ids of the rows in counts, those read most often first; nil where it is behind

	until   time.Time // reads after it do not count; zero: all do
	expired vault.Day // when packets were last taken out; of Run
}

// A line is a record for one of the files.
type line struct {
	file string
	rec  any
}

// erasure asks for records to be taken out; done gets the outcome.
type erasure struct {
	rows  map[string]bool
	tells func(snippet string) bool
	done  chan error
}

// New returns a log that writes once Run is called, and keeps packets for so many days; 0: none.
func New(v *vault.Vault, log *slog.Logger, replay int) *Log {
	return &Log{
		vault: v, log: log, replay: replay, records: make(chan line, 4*logBatch), erase: make(chan erasure),
		flush: make(chan chan struct{}), ended: make(chan struct{}),
	}
}

// Record implements recall.Sink.
func (l *Log) Record(r recall.Record) { l.put(line{LogFile, r}) }

func (l *Log) put(e line) {
	select {
	case l.records <- e:
	default:
		l.log.Debug("the recall log is full, a record was dropped", "file", e.file)
	}
}

// Kind is the record as a kind of record.
func (l *Log) Kind() forget.Kind {
	return forget.Kind{
		Name: "recall", Owns: forget.Files(string(statePath(LogFile)), string(statePath(CountsFile)), string(statePath(ReplayFile))),
		Purge: func(ctx context.Context, p *forget.Purge) error { return l.Erase(ctx, p.Rows, p.Tells) },
	}
}

// Erase takes out every record that names one of the rows, counters included, or whose snippet tells what has to go.
func (l *Log) Erase(ctx context.Context, rows map[string]bool, tells func(snippet string) bool) error {
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

// Run writes until ctx ends, and then what is left. Run is called once, in a goroutine of its own: nothing else writes the files.
func (l *Log) Run(ctx context.Context) {
	defer close(l.ended)
	tick := time.NewTicker(logEvery)
	defer tick.Stop()
	var batch []line
	write := func() {
		if len(batch) == 0 {
			return
		}
		for _, file := range []string{LogFile, ReplayFile} {
			var recs []any
			for _, e := range batch {
				if e.file == file {
					recs = append(recs, e.rec)
				}
			}
			if len(recs) == 0 {
				continue
			}
			if err := l.vault.AppendState(context.WithoutCancel(ctx), file, recs...); err != nil {
				l.log.Warn("cannot write what was recalled", "file", file, "records", len(recs), "err", err)
			}
		}
		l.counted(batch)
		batch = batch[:0]
		if err := l.expire(); err != nil {
			l.log.Warn("cannot take out what was to be kept no longer", "err", err)
		}
		if st, err := l.vault.Stat(statePath(LogFile)); err == nil && st.Size > logLimit {
			if err := l.fold(); err != nil {
				l.log.Warn("cannot fold the recall log", "err", err)
			}
		}
	}
	for {
		select {
		case r := <-l.records:
			if batch = append(batch, r); len(batch) >= logBatch {
				write()
			}
		case <-tick.C:
			write()
		case done := <-l.flush:
			batch = l.drain(batch)
			write()
			close(done)
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
func (l *Log) drain(batch []line) []line {
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
func (l *Log) fold() error {
	counts, err := l.Counts()
	if err != nil {
		return err
	}
	if err := l.writeCounts(counts); err != nil {
		return err
	}
	return l.vault.Replace(statePath(LogFile), nil, vault.AnyHash)
}

// Before implements recall.Reads. Of a row that was read later the reads count that still stand in the log: what was folded is one number.
func (l *Log) Before(at time.Time) recall.Reads { return &Log{vault: l.vault, log: l.log, until: at} }

// Counts gives the counters of the rows with what the log adds to them. A fold that runs meanwhile may count some twice: it is a
// statistic.
func (l *Log) Counts() (map[string]Count, error) {
	counts := map[string]Count{}
	err := counted.Each(l.vault, func(c Count) {
		if c.Row != "" && l.counting(c.last()) {
			if c.Lately == 0 && c.Count > 0 { // of a version that did not count it: what is sure is one read
				c.Lately = 1
			}
			counts[c.Row] = c
		}
	})
	if err != nil {
		return nil, fmt.Errorf("read the recall counts: %w", err)
	}
	err = recalled.Each(l.vault, func(r recall.Record) {
		if l.counting(r.Time) {
			count(counts, &r)
		}
	})
	if err != nil {
		return nil, fmt.Errorf("read the recall log: %w", err)
	}
	return counts, nil
}

// counting says whether reads of a time count.
func (l *Log) counting(at time.Time) bool { return l.until.IsZero() || !at.After(l.until) }

// Read implements recall.Reads.
func (l *Log) Read(ids ...string) (n int) {
	n, _ = l.Since(ids...)
	return n
}

// Since is how often rows were recalled, all together, and when one last was; zero for never.
func (l *Log) Since(ids ...string) (n int, last time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.load()
	newest := ""
	for _, id := range ids {
		n += l.counts[id].Count
		newest = max(newest, l.counts[id].Last)
	}
	last, _ = time.Parse(time.RFC3339, newest)
	return n, last
}

// Often implements recall.Reads.
func (l *Log) Often(n int) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.load(); l.often == nil {
		l.often = slices.SortedFunc(maps.Keys(l.counts), func(a, b string) int {
			return cmp.Or(cmp.Compare(l.counts[b].Count, l.counts[a].Count), cmp.Compare(a, b))
		})
	}
	return l.often[:min(n, len(l.often))]
}

// load reads the files once; what is written later is counted as it is. l.mu is held. Of a file that cannot be read, nothing was read.
func (l *Log) load() {
	if l.counts != nil {
		return
	}
	counts, err := l.Counts()
	if err != nil {
		l.log.Warn("what was read before is not known", "err", err)
		counts = map[string]Count{}
	}
	l.counts = counts
}

// counted adds records that were written to the counts in memory.
func (l *Log) counted(batch []line) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range batch {
		if r, ok := e.rec.(recall.Record); ok && l.counts != nil {
			count(l.counts, &r)
			l.often = nil
		}
	}
}

func (l *Log) reset() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.counts, l.often = nil, nil
}

func (l *Log) writeCounts(counts map[string]Count) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	for _, id := range slices.Sorted(maps.Keys(counts)) {
		if err := e.Encode(counts[id]); err != nil {
			return err
		}
	}
	if err := l.vault.Replace(statePath(CountsFile), b.Bytes(), vault.AnyHash); err != nil {
		return fmt.Errorf("write the recall counts: %w", err)
	}
	return nil
}

// takeOut rewrites log and counters without what an erasure names.
func (l *Log) takeOut(e erasure) error {
	defer l.reset()
	_, err := recalled.Edit(l.vault, func(r *recall.Record) vault.Fate {
		if !slices.ContainsFunc(slices.Concat(r.Rows, r.Shown), func(id string) bool { return e.rows[id] }) && !e.tells(r.Snippet) {
			return vault.Stays
		}
		for _, id := range r.Rows { // of a row that only the snippet gave away, the count goes as well
			e.rows[id] = e.rows[id] || len(r.Rows) == 1
		}
		return vault.Goes
	}, nil)
	if err != nil {
		return fmt.Errorf("rewrite the recall log: %w", err)
	}
	if err := l.erasePackets(e); err != nil {
		return err
	}
	if _, err = counted.Edit(l.vault, func(c *Count) vault.Fate { return c.without(e.rows) }, nil); err != nil {
		return fmt.Errorf("rewrite the recall counts: %w", err)
	}
	return nil
}

package llm

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"sync"
)

// UsageFile is the name of the ledger among the vault's state files.
const UsageFile = "usage.jsonl"

// A FileLedger keeps usage in an append-only file of JSON lines. The ledger reads the file once and counts from there, so it must be
// the only writer, which the vault's lock sees to.
type FileLedger struct {
	write func(ctx context.Context, name string, recs ...any) error
	read  func(name string, fn func(line int, raw []byte) error) error

	mu   sync.Mutex
	sums map[sumKey]*DayUsage // settled calls; nil until the file is read
	open map[string]Usage     // reservations that are not settled
}

type sumKey struct{ day, purpose, provider, model string }

// NewFileLedger returns a ledger over functions that append records to a state file and read its lines
// (vault.AppendState and ReadState). A file that is not there is an empty one.
func NewFileLedger(
	write func(ctx context.Context, name string, recs ...any) error,
	read func(name string, fn func(line int, raw []byte) error) error,
) *FileLedger {
	return &FileLedger{write: write, read: read}
}

// Append implements [Ledger].
func (l *FileLedger) Append(ctx context.Context, u Usage) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.load(); err != nil {
		return err
	}
	if err := l.write(ctx, UsageFile, u); err != nil {
		return err
	}
	l.keep(u)
	return nil
}

// Today implements [Ledger].
func (l *FileLedger) Today(_ context.Context, today string) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.load(); err != nil {
		return 0, err
	}
	sum := 0
	for key, s := range l.sums {
		if key.day == today && key.purpose != PurposeEmbed {
			sum += s.Input + s.Output
		}
	}
	for _, u := range l.open {
		if day(u.At) == today {
			sum += u.Input + u.Output
		}
	}
	return sum, nil
}

// DayUsage sums up one day's settled calls of one model for one purpose.
type DayUsage struct {
	Day      string `json:"day"`
	Purpose  string `json:"purpose"`
	Provider string `json:"provider"`
	Model    string `json:"model"`
	Calls    int    `json:"calls"`
	Input    int    `json:"input"`
	Output   int    `json:"output"`
}

// Days returns the usage of all days, in order.
func (l *FileLedger) Days(_ context.Context) ([]DayUsage, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.load(); err != nil {
		return nil, err
	}
	days := make([]DayUsage, 0, len(l.sums))
	for _, d := range l.sums {
		days = append(days, *d)
	}
	slices.SortFunc(days, func(a, b DayUsage) int {
		return cmp.Or(cmp.Compare(a.Day, b.Day), cmp.Compare(a.Purpose, b.Purpose), cmp.Compare(a.Provider, b.Provider),
			cmp.Compare(a.Model, b.Model))
	})
	return days, nil
}

// load reads the file once. A torn or foreign line is skipped: it is the tail of a crash, whose call was never made.
func (l *FileLedger) load() error {
	if l.sums != nil {
		return nil
	}
	l.sums, l.open = map[sumKey]*DayUsage{}, map[string]Usage{}
	err := l.read(UsageFile, func(_ int, raw []byte) error {
		var u Usage
		if json.Unmarshal(raw, &u) == nil && u.ID != "" {
			l.keep(u)
		}
		return nil
	})
	if err != nil {
		l.sums = nil
	}
	return err
}

func (l *FileLedger) keep(u Usage) {
	delete(l.open, u.ID)
	if u.Reserved {
		l.open[u.ID] = u
		return
	}
	key := sumKey{day(u.At), u.Purpose, u.Provider, u.Model}
	s := l.sums[key]
	if s == nil {
		s = &DayUsage{Day: key.day, Purpose: u.Purpose, Provider: u.Provider, Model: u.Model}
		l.sums[key] = s
	}
	s.Calls++
	s.Input += u.Input
	s.Output += u.Output
}

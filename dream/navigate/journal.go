package navigate

import (
	"time"

	"github.com/reverie-memory/reverie/vault"
)

// An Entry is one entry of log.md.
type Entry struct {
	At   time.Time
	Run  string
	Undo bool // Run was undone; counts say nothing then

	Watermark   vault.Day // "": the entry sets none
	NoWatermark bool      // the watermark is gone: the first dream was undone

	Days, Facts      int
	Outcomes         []Count // in the order to be told; zeros are left out
	Created, Updated int     // pages
	Restored, Kept   int     // pages that an undo brought back, or left as they were
	Skipped          bool    // the batch failed too often: its facts were listed for a person
	Settled          int     // conflicts that a person decided
	Forgotten        int     // statements that were taken off pages
	Notes            []string
}

// A Count is a number with its name, such as 5 kept.
type Count struct {
	Name string
	N    int
}

// JournalEntry writes an entry.
func JournalEntry(e Entry) []byte { return nil }

// AppendEntry puts an entry at the end of log.md; every byte before it stays.
func AppendEntry(log []byte, e Entry) []byte { return nil }

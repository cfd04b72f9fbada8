package navigate

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/dream/merge"
	"github.com/reverie-memory/reverie/vault"
)

// An Entry is one entry of log.md.
type Entry struct {
	At   time.Time
	Run  string
	Undo bool // Run was undone; the counts of facts say nothing then

	Watermark   vault.Day // "": the entry sets none
	NoWatermark bool      // there is none any more: the first dream was undone

	Days, Facts      int
	Outcomes         []Count // in the order to be told; zeros are left out
	Created, Updated int     // pages
	Restored, Kept   int     // pages that an undo brought back, or left as they were
	Skipped          bool    // the batch failed too often: its facts were listed for a person
	Settled          int     // conflicts that a person decided
	Forgotten        int     // statements that were taken off pages
}

// A Count is a number with its name, such as 5 kept.
type Count struct {
	Name string
	N    int
}

// JournalEntry writes an entry: its heading, the watermark, and what became of the facts. [vault.ParseJournal] reads it.
func JournalEntry(e Entry) []byte {
	var b strings.Builder
	b.WriteString(vault.JournalHead(e.At, claim(e.Run), e.Undo))
	switch {
	case e.NoWatermark:
		b.WriteString(vault.WatermarkLine(""))
	case e.Watermark != "":
		b.WriteString(vault.WatermarkLine(e.Watermark))
	}
	var said []string
	switch {
	case e.Undo:
		kept := ""
		if e.Kept > 0 {
			kept = fmt.Sprintf(", %d left as they were", e.Kept)
		}
		said = append(said, fmt.Sprintf("Pages: %d restored%s.", e.Restored, kept))
	case e.Skipped:
		said = append(said, fmt.Sprintf("%s, %s: skipped after repeated failures, listed in [[Skipped]].",
			Counted(e.Days, "day"), Counted(e.Facts, "fact")))
	default:
		said = append(said, Counted(e.Days, "day")+", "+Counted(e.Facts, "fact")+outcomes(e.Outcomes)+".",
			fmt.Sprintf("Pages: %d created, %d updated.", e.Created, e.Updated))
	}
	if e.Settled > 0 {
		said = append(said, Counted(e.Settled, "question")+" settled by you.")
	}
	if e.Forgotten > 0 {
		said = append(said, Counted(e.Forgotten, "forgotten statement")+" taken away.")
	}
	b.WriteString(strings.Join(said, " ") + "\n")
	return []byte(b.String())
}

func outcomes(list []Count) string {
	var said []string
	for _, c := range list {
		if c.N > 0 {
			said = append(said, fmt.Sprintf("%d %s", c.N, c.Name))
		}
	}
	if len(said) == 0 {
		return ""
	}
	return ": " + strings.Join(said, ", ")
}

// Counted is a number of things in words: "1 fact", "5 facts".
func Counted(n int, unit string) string {
	if n == 1 {
		return "1 " + unit
	}
	return fmt.Sprintf("%d %ss", n, unit)
}

// AppendEntry puts an entry at the end of log.md; every byte before it stays. A code fence that somebody left open is closed, so
// that the entry can be read.
func AppendEntry(log []byte, e Entry) []byte {
	t := merge.Split(log)
	eol := cmp.Or(t.Breaks(), "\n")
	var b strings.Builder
	b.Write(log)
	if len(t.Lines) == 0 {
		b.WriteString(vault.JournalTitle + eol)
	} else if !t.Final() {
		b.WriteString(eol)
	}
	fence, last := false, ""
	for _, line := range t.Lines {
		last = strings.TrimSpace(line)
		if strings.HasPrefix(last, "```") { // as ParseJournal sees it
			fence = !fence
		}
	}
	if fence {
		b.WriteString("```" + eol)
		last = "```"
	}
	if len(t.Lines) == 0 || last != "" {
		b.WriteString(eol)
	}
	b.WriteString(strings.ReplaceAll(string(JournalEntry(e)), "\n", eol))
	return []byte(b.String())
}

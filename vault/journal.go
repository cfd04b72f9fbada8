package vault

import (
	"errors"
	"io/fs"
	"strings"
	"time"
)

// JournalPath is the journal of the dreams.
const JournalPath Path = "log.md"

// JournalEntry is one entry of log.md: "## 2026-06-10 03:00 — title" and its lines.
type JournalEntry struct {
	At        time.Time // zero when the heading has no readable time
	Title     string
	Line      int // 1-based line of the heading
	Watermark Day // "" when the entry has none, or says none
}

// Journal is the parsed log.md.
type Journal struct {
	Entries   []JournalEntry
	Watermark Day // of the last entry that has a valid one; "" before the first dream
	Problems  []Problem
}

// ParseJournal reads log.md. The newest entry is the last one in the file with a valid watermark; one that is
// malformed, or not before its own entry's day, is reported and does not count.
func ParseJournal(data []byte) Journal {
	var j Journal
	r := report{path: JournalPath}
	c := cursor{data: data}
	fence := false
	for c.next() {
		line := strings.TrimSpace(c.text)
		if strings.HasPrefix(line, "```") {
			fence = !fence
		}
		if fence {
			continue
		}
		if head, ok := strings.CutPrefix(c.text, "## "); ok {
			j.Entries = append(j.Entries, journalHead(head, c.n))
			continue
		}
		value, ok := strings.CutPrefix(line, "watermark=")
		if !ok {
			continue
		}
		if len(j.Entries) == 0 {
			r.add(c.n, "a watermark outside an entry", "entries start with ## YYYY-MM-DD HH:MM — title")
			continue
		}
		e := &j.Entries[len(j.Entries)-1]
		if value == "none" { // an undone first dream
			e.Watermark, j.Watermark = "", ""
			continue
		}
		d, err := ParseDay(value)
		switch {
		case err != nil:
			r.add(c.n, "the watermark is not a day", "write watermark=YYYY-MM-DD")
		case !e.At.IsZero() && d >= DayOf(e.At):
			r.add(c.n, "the watermark is not before the day of its entry", "only days that had ended can be consolidated")
		default:
			e.Watermark, j.Watermark = d, d
		}
	}
	j.Problems = r.problems()
	return j
}

func journalHead(head string, line int) JournalEntry {
	head = strings.TrimSpace(head)
	e := JournalEntry{Title: head, Line: line}
	const layout = "2006-01-02 15:04"
	if len(head) < len(layout) {
		return e
	}
	t, err := time.Parse(layout, head[:len(layout)])
	if err != nil {
		return e
	}
	e.At = t
	title := strings.TrimSpace(head[len(layout):])
	for _, dash := range []string{"—", "–", "-"} {
		if rest, ok := strings.CutPrefix(title, dash); ok {
			title = rest
			break
		}
	}
	e.Title = strings.TrimSpace(title)
	return e
}

// Watermark is the last consolidated day, "" before the first dream. A watermark that only a wrong clock or a
// slip of the pen can explain is reported.
func (v *Vault) Watermark() (Day, []Problem, error) {
	data, err := v.ReadFile(JournalPath)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil, nil
	}
	if err != nil {
		return "", nil, err
	}
	j := ParseJournal(data)
	today := DayOf(v.Now())
	for i := len(j.Entries) - 1; i >= 0 && j.Watermark >= today; i-- {
		e := j.Entries[i]
		if e.Watermark != j.Watermark {
			continue
		}
		if !e.At.IsZero() {
			j.Problems = append(j.Problems, Problem{JournalPath, e.Line, "the watermark lies in the future", "check the clock of this machine: it is now " + v.Now().UTC().Format(time.RFC3339)})
			break
		}
		j.Problems = append(j.Problems, Problem{JournalPath, e.Line, "the watermark lies in the future: it does not count", "correct it in log.md"})
		j.Watermark = ""
		for k := i - 1; k >= 0 && j.Watermark == ""; k-- {
			j.Watermark = j.Entries[k].Watermark
		}
	}
	return j.Watermark, j.Problems, nil
}

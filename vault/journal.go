package vault

import (
	"cmp"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"time"
)

// Where the journal of the dreams is: the name under the root of the [Layout], and, in a vault that had a log.md of a person's own there,
// the path in memory.
const (
	JournalPath      Path = "log.md"
	InnerJournalPath Path = memoryDir + "log.md"
)

// JournalTitle is the first line of a journal that we begin.
const JournalTitle = "# Log"

// FindJournal gives the journal's path and bytes, nil where there is none yet. One in memory stays the journal, whatever log.md is later.
func FindJournal(l Layout, read func(Path) ([]byte, error)) (Path, []byte, error) {
	for _, p := range []Path{InnerJournalPath, l.At(JournalPath)} {
		data, err := read(p)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return p, nil, err
		case p == InnerJournalPath || isJournal(data):
			return p, append([]byte{}, data...), nil // an empty one is there as well
		default:
			return InnerJournalPath, nil, nil
		}
	}
	return l.At(JournalPath), nil, nil
}

// isJournal tells our journal from another log.md: it has an entry of a dream, or the words that it begins with, or no words at all.
func isJournal(data []byte) bool {
	words := false
	for l := range strings.Lines(string(data)) {
		l = strings.TrimSpace(l)
		if strings.HasPrefix(l, "The journal of this vault.") || strings.HasPrefix(l, watermarkMark) {
			return true
		}
		words = words || l != "" && !strings.EqualFold(l, JournalTitle)
	}
	return !words || slices.ContainsFunc(ParseJournal(data).Entries, func(e JournalEntry) bool {
		return strings.HasPrefix(e.Title, dreamTitle) || strings.HasPrefix(e.Title, undoTitle)
	})
}

// How an entry of a dream begins.
const (
	dreamTitle    = "dream "
	undoTitle     = "undo of "
	watermarkMark = "watermark="
	noWatermark   = "none"
)

// JournalHead is the heading of an entry for a dream, or for one that was taken back.
func JournalHead(at time.Time, run string, undo bool) string {
	title := dreamTitle
	if undo {
		title = undoTitle
	}
	return "## " + at.UTC().Format("2006-01-02 15:04") + " — " + title + run + "\n"
}

// WatermarkLine is the line of an entry that says up to which day dreams have consolidated; "" is none.
func WatermarkLine(d Day) string { return watermarkMark + cmp.Or(string(d), noWatermark) + "\n" }

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
		value, ok := strings.CutPrefix(line, watermarkMark)
		if !ok {
			continue
		}
		if len(j.Entries) == 0 {
			r.add(c.n, "a watermark outside an entry", "entries start with ## YYYY-MM-DD HH:MM — title")
			continue
		}
		e := &j.Entries[len(j.Entries)-1]
		if value == noWatermark { // an undone first dream
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
	at, data, err := FindJournal(v.layout, v.ReadFile)
	if err != nil {
		return "", nil, err
	}
	j := ParseJournal(data)
	for i := range j.Problems {
		j.Problems[i].Path = at
	}
	today := DayOf(v.Now())
	for i := len(j.Entries) - 1; i >= 0 && j.Watermark >= today; i-- {
		e := j.Entries[i]
		if e.Watermark != j.Watermark {
			continue
		}
		if !e.At.IsZero() {
			j.Problems = append(j.Problems, Problem{
				at, e.Line, "the watermark lies in the future",
				"check the clock of this machine: it is now " + v.Now().UTC().Format(time.RFC3339),
			})
			break
		}
		j.Problems = append(j.Problems, Problem{at, e.Line, "the watermark lies in the future: it does not count", "correct it in " + string(at)})
		j.Watermark = ""
		for k := i - 1; k >= 0 && j.Watermark == ""; k-- {
			j.Watermark = j.Entries[k].Watermark
		}
	}
	return j.Watermark, j.Problems, nil
}

package drawers

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/forget"
	"github.com/reverie-memory/reverie/markdown"
	"github.com/reverie-memory/reverie/vault"
)

// erased stands for a reason that told what was purged.
const erased = "…"

// records are the lines of the journal.
var records = vault.Records[Event]{Name: FileName, Parse: ParseEvent}

// A Journal writes what happens to drawers, and knows what came of it. Whoever has something to say of a drawer says it here: nothing else
// writes the file. Its methods may be called from several goroutines.
type Journal struct {
	Vault *vault.Vault
	Sync  func(ctx context.Context, paths ...vault.Path) error // makes State, and the rows that depend on it, follow
	Known func() State                                         // as of the last Sync
}

// Append writes events and returns when they are safe on disk and State tells of them. After an error of the index the events are written
// all the same, and followed later.
func (j *Journal) Append(ctx context.Context, events ...Event) error {
	if err := j.Write(ctx, events...); err != nil || len(events) == 0 {
		return err
	}
	return j.Follow(ctx)
}

// Follow returns when State tells of all that was written.
func (j *Journal) Follow(ctx context.Context) error { return j.Sync(ctx, File) }

// Write is Append that leaves it to a later Follow to have State tell of the events. An event without a time gets the present one. When
// one is not valid, none is written.
func (j *Journal) Write(ctx context.Context, events ...Event) error {
	events = slices.Clone(events)
	for i := range events {
		e := &events[i]
		if e.At.IsZero() {
			e.At = j.Vault.Now()
		}
		e.At = e.At.UTC().Truncate(time.Second)
		if err := e.Check(); err != nil {
			return fmt.Errorf("%s of drawer %q: %w", e.Kind, e.Drawer, err)
		}
	}
	if err := records.Append(ctx, j.Vault, events...); err != nil {
		return fmt.Errorf("write what became of drawers: %w", err)
	}
	return nil
}

// Fresh tells apart which events of other vaults may be written, and the ids of those that the journal has. Where it has one of the same
// drawer and matter that is as new, what was decided here stands. State must tell of all that was written of their drawers.
func (j *Journal) Fresh(events []Event) (fresh []Event, again []string, err error) {
	type matter struct{ drawer, of string }
	known, newest := map[string]bool{}, map[matter]time.Time{}
	state, asked := j.Known(), map[string]bool{}
	for _, e := range events {
		if state[e.Drawer] != nil {
			asked[e.Drawer] = true
		}
	}
	if len(asked) > 0 {
		err = j.Vault.StateLines(FileName, 0, func(_ int64, line []byte) bool {
			if !asked[drawerOf(line)] {
				return true
			}
			if e, err := ParseEvent(line); err == nil {
				m := matter{e.Drawer, e.matter()}
				if known[e.ID()] = true; e.At.After(newest[m]) {
					newest[m] = e.At
				}
			}
			return true
		})
	}
	if err != nil {
		return nil, nil, fmt.Errorf("read what became of drawers: %w", err)
	}
	for _, e := range events {
		e.At = e.At.UTC().Truncate(time.Second)
		if id := e.ID(); known[id] {
			again = append(again, id)
		} else if known[id] = true; e.At.After(newest[matter{e.Drawer, e.matter()}]) && e.Check() == nil {
			fresh = append(fresh, e)
		}
	}
	return fresh, again, nil
}

// drawerOf is the drawer that a line names, as [Journal.Write] writes it: a journal is looked through faster than it is parsed.
func drawerOf(line []byte) string {
	_, rest, _ := bytes.Cut(line, []byte(`"drawer":"`))
	id, _, _ := bytes.Cut(rest, []byte(`"`))
	return string(id)
}

// Withdraw takes the events away that go. State follows with the next [Journal.Follow].
func (j *Journal) Withdraw(goes func(e Event) bool) error {
	if _, err := records.Edit(j.Vault, func(e *Event) vault.Fate { return vault.GoesIf(goes(*e)) }, nil); err != nil {
		return fmt.Errorf("take back what became of drawers: %w", err)
	}
	return nil
}

// State is what is known of all drawers. State must not be changed.
func (j *Journal) State() State { return j.Known() }

// Before is where drawers hung at a time and which were put away: State of the events that happened until then, but for those that no row
// of the index follows. Before reads the journal.
func (j *Journal) Before(at time.Time) (then State, err error) {
	err = j.Vault.StateLines(FileName, 0, func(_ int64, line []byte) bool {
		if Moves(line) {
			if e, err := ParseEvent(line); err == nil && !e.At.After(at) {
				then = Fold(then, line)
			}
		}
		return true
	})
	if err != nil {
		return nil, fmt.Errorf("read what became of drawers: %w", err)
	}
	return then, nil
}

// Problems names the lines of the journal that are no valid events, which count for nothing.
func (j *Journal) Problems() ([]vault.Problem, error) {
	return records.Problems(j.Vault)
}

// Kind is the journal as a kind of record. A forgotten drawer keeps its lines, so that it can be brought back as it was; a purge takes
// them, and those of others that name it. A drawer that sums others up tells what they do, and is forgotten with any of them.
func (j *Journal) Kind() forget.Kind {
	return forget.Kind{Name: "note of a drawer", Owns: forget.Files(string(File)), Resting: j.resting, Purge: j.purge}
}

// resting finds the summaries of what is forgotten: those that events name, and by what they tell those of which a compaction that was cut
// off had written none, or not all.
func (j *Journal) resting(ctx context.Context, s *forget.Search) error {
	summaries, found := map[string]bool{}, s.Found()
	for id, k := range j.Known() {
		for _, summary := range k.In {
			summaries[summary] = summaries[summary] || found[id]
		}
	}
	texts := tellables(s.Texts())
	may := func(data []byte) bool { return bytes.Contains(data, []byte(SummarySource)) }
	return j.Vault.EachDrawer(ctx, may, func(p vault.Path, d *vault.Drawer) {
		if summaries[d.ID] || d.SourceFile == SummarySource && tellsOne(d.Text, texts) {
			s.Add(forget.OfDrawer(p, d))
		}
	})
}

// SummarySource is the source that the file of a summary names.
const SummarySource = "compaction"

// summedLine is how many characters a summary has of each drawer.
const summedLine = 300

// Summed is what a summary tells of a text, on one line.
func Summed(text string) string {
	line := []rune(strings.Join(strings.Fields(text), " "))
	return string(line[:min(len(line), summedLine)])
}

// leastTold is how many bytes of a text a summary has at least, unless it has all of it: rows of long drawers are no shorter.
const leastTold = 64

// A tellable is a text of which a summary may tell: as it is shown, whole and as far as a summary of it goes.
type tellable struct{ whole, summed string }

func tellables(texts []string) []tellable {
	out := make([]tellable, len(texts))
	for i, text := range texts {
		out[i] = tellable{shown(text[:min(len(text), 16*summedLine)]), shown(Summed(text))} // more no line of a summary has
	}
	return out
}

// shown is a text on one line as a person sees it, whether it was read as Markdown before or not.
func shown(text string) string {
	for {
		was := strings.Join(strings.Fields(text), " ")
		if text = markdown.Read(was, nil).Text; len(text) >= len(was) {
			return was
		}
	}
}

// tellsOne says whether a line of a summary has one of the texts, or the beginning of a long one, behind a day and perhaps a name.
func tellsOne(summary string, texts []tellable) bool {
	for line := range strings.Lines(summary) {
		for _, rest, ok := strings.Cut(strings.TrimSpace(line), ": "); ok; _, rest, ok = strings.Cut(rest, ": ") {
			if utf8.RuneCountInString(rest) > summedLine {
				continue
			}
			seen := shown(rest)
			if seen != "" && slices.ContainsFunc(texts, func(t tellable) bool {
				return seen == t.summed || seen == t.whole || len(seen) >= leastTold && strings.HasPrefix(t.whole, seen)
			}) {
				return true
			}
		}
	}
	return false
}

func (j *Journal) purge(_ context.Context, p *forget.Purge) error {
	return forget.PurgeRecords(p, j.Vault, vault.Records[Event]{Name: FileName}, func(e *Event) vault.Fate {
		summed := e.Kind == Archive && p.Rows[e.Into] // it stays where it is, without what summed it up
		if p.Rows[e.Drawer] || p.Rows[e.Into] && !summed {
			return vault.Goes
		}
		told := e.Reason != "" && p.Tells(e.Reason)
		if !summed && !told {
			return vault.Stays
		}
		if summed {
			e.Into = ""
		}
		if told {
			e.Reason = erased
		}
		return vault.Changed
	})
}

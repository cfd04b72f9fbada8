package recall

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/extract"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/trust"
)

// BriefTokens is the most that a brief costs, as [Tokens] counts.
const BriefTokens = 800

// How many of its kind a brief lists, and how many are counted.
const (
	briefQuestions = 3
	briefTasks     = 4
	briefNews      = 12
	briefCounted   = 64
	briefLine      = 45 // tokens of one line
)

// A BriefRequest asks what is new.
type BriefRequest struct {
	Since     time.Time // of the last visit; zero for a first one
	Wing      string    // rows of other wings are left out; "" for all
	Questions []catalog.Row
	Dreams    []string // what dreams did since, a line each
	Wrong     []string // why it may miss something
	DryRun    bool
}

// A Brief tells what is new. Text is fenced as data and costs at most [BriefTokens].
type Brief struct {
	Text                  string
	New, Questions, Tasks int // at most briefCounted each
	Rows                  []string
	Receipt               string
	Degraded              []string
}

// Tokens estimates what a text costs a model: four ASCII characters, or one other.
func Tokens(text string) int { return (quarters(text) + 3) / 4 }

func quarters(text string) (n int) {
	for _, c := range text {
		if n++; c >= utf8.RuneSelf {
			n += 3
		}
	}
	return n
}

// Brief tells what is new since a visit, with the questions and tasks that are open.
func (s *Searcher) Brief(ctx context.Context, req BriefRequest) (Brief, error) {
	b := briefing{left: 4 * BriefTokens, said: newTold(), owner: s.Owner()}
	b.left -= quarters(extract.FenceOpen+extract.FenceClose) + 2
	out := Brief{Receipt: NewReceipt(), Degraded: req.Wrong}
	if s.Degraded != nil {
		out.Degraded = append(out.Degraded, s.Degraded()...)
	}
	tasks, err := s.important(ctx, catalog.Filter{Source: standing.Source, Standing: true, Category: extract.Task}, req.Wing, briefCounted)
	if err != nil {
		return Brief{}, fmt.Errorf("listing tasks: %w", err)
	}
	since := standing
	since.From = req.Since.Truncate(time.Minute) // logs know the minute: rather something twice than never
	news, err := s.important(ctx, since, req.Wing, briefCounted)
	if err != nil {
		return Brief{}, fmt.Errorf("listing what is new: %w", err)
	}
	questions := b.admitted(s, req.Questions)
	tasks, news = b.admitted(s, tasks), b.admitted(s, news)
	out.New, out.Questions, out.Tasks = len(news), len(questions), len(tasks)

	switch {
	case req.Since.IsZero():
		b.line("This is the first visit.")
	case len(news)+len(req.Dreams) == 0:
		b.line(fmt.Sprintf("Nothing new since %s; open: %s, %s.", moment(req.Since), howMany(len(questions), "question"),
			howMany(len(tasks), "task")))
	default:
		b.line("Since the last visit, " + moment(req.Since) + ":")
	}
	for _, why := range out.Degraded[:min(3, len(out.Degraded))] {
		b.line("Degraded: " + why)
	}
	if req.Since.IsZero() || len(news)+len(req.Dreams) > 0 {
		for _, d := range req.Dreams[:min(3, len(req.Dreams))] {
			b.line("- " + d)
		}
		b.list("Open questions", questions, briefQuestions)
		out.Rows = b.list("Open tasks", tasks, briefTasks)
		title := "New"
		if req.Since.IsZero() {
			title = "Known"
		}
		out.Rows = append(out.Rows, b.list(title, news, briefNews)...)
	}
	out.Text = extract.Fence(b.text.String())
	if s.Sink != nil && !req.DryRun {
		s.Sink.Record(Record{Time: s.now().UTC(), QueryHash: QueryHash(""), Receipt: out.Receipt, Rows: []string{}, Shown: out.Rows})
	}
	return out, nil
}

// A briefing is a brief on its way.
type briefing struct {
	text  strings.Builder
	left  int // quarters of a token
	said  *told
	owner string
}

// line adds a line, shortened to what a line may cost; false where it does not fit any more.
func (b *briefing) line(text string) bool {
	return b.put(clipBy(oneLine(text), 4*briefLine, escapedQuarters) + "\n")
}

func (b *briefing) put(text string) bool {
	n := escapedQuarters(text)
	if n > b.left {
		return false
	}
	b.left -= n
	b.text.WriteString(text)
	return true
}

func escapedQuarters(text string) int { return quarters(extract.Escape(text)) }

// admitted are those of the first rows that may be told unasked.
func (b *briefing) admitted(s *Searcher, rows []catalog.Row) []catalog.Row {
	return slices.DeleteFunc(slices.Clone(rows[:min(len(rows), briefCounted)]), func(r catalog.Row) bool { return !s.unasked(&r, b.owner) })
}

// list adds the first rows that tell something new, under a title with how many there are, and returns their ids.
func (b *briefing) list(title string, rows []catalog.Row, most int) (ids []string) {
	if len(rows) == 0 || !b.put(fmt.Sprintf("\n## %s: %s\n", title, howMany(len(rows), ""))) {
		return nil
	}
	for i := range rows {
		r := &rows[i]
		if len(ids) == most {
			break
		}
		if b.said.has(r) {
			continue
		}
		if !b.line("- " + bracketed(when(r), trust.Label(r.Origin), cmp.Or(place(r), onPage(r))) + strings.TrimPrefix(r.Text, "[ ] ")) {
			break
		}
		b.said.add(r)
		ids = append(ids, r.ID)
	}
	return ids
}

func moment(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }

// howMany is a count of things; beyond what is counted it says so.
func howMany(n int, of string) string {
	out := fmt.Sprint(n)
	if n >= briefCounted {
		out += " or more"
	}
	if of != "" {
		out += " " + of
		if n != 1 {
			out += "s"
		}
	}
	return out
}

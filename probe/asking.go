package probe

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/recall"
)

// Names of what is measured by asking. docs/recall.md says what each is.
const (
	RecallAt5  = "recall@5"
	RecallAt10 = "recall@10"
	MRR        = "mrr@10"
	Findable   = "findable"
	Junk       = "junk"
	StaleLeak  = "stale_leak"
)

const depth = 10 // hits

// patience is how long a question waits for its vector: it is answers that are compared here, not speed.
const patience = time.Minute

// A Way is how questions are asked.
type Way struct {
	// Searcher is asked anew for each question: what waits for readers of the index must not wait for the end of a run.
	Searcher func() (s *recall.Searcher, release func())
	Query    recall.Query        // what every question has: profile and flags
	Tells    map[string][]string // under which ids a text is told besides its own: the drawer of a fact, what a line of a page rests on
}

// Scores are the values of what was measured, one for each question it applies to, in the order of the questions.
type Scores struct {
	groups   map[string][]string // the sessions of the values
	of       map[string][]float64
	Degraded map[string]int // why answers were worse than usual, and how often
	Asked    int            // searches
	Lacking  int            // those of them that were worse than usual
}

// A Change is a value that another took the place of.
type Change struct {
	Query    string
	Old, New string // ids of what says so
	Session  string
}

// Ask puts the questions. Ask leaves no trace: nothing is recorded, and no hook is called.
func (w Way) Ask(ctx context.Context, probes []Probe, changes []Change) (*Scores, error) {
	out := &Scores{groups: map[string][]string{}, of: map[string][]float64{}, Degraded: map[string]int{}}
	for i := range probes {
		if err := w.probe(ctx, &probes[i], out); err != nil {
			return nil, fmt.Errorf("asking question %d of %d: %w", i+1, len(probes), err)
		}
	}
	for i, c := range changes {
		hits, err := w.search(ctx, c.Query, "", time.Time{}, out)
		if err != nil {
			return nil, fmt.Errorf("asking for change %d of %d: %w", i+1, len(changes), err)
		}
		old := slices.IndexFunc(hits, func(h recall.Hit) bool { return w.tells(&h, c.Old) && !h.Row.Past && h.SupersededBy == "" })
		now := slices.IndexFunc(hits, func(h recall.Hit) bool { return w.tells(&h, c.New) })
		out.add(StaleLeak, c.Session, truth(old >= 0 && (now < 0 || old < now)))
	}
	return out, nil
}

func (w Way) probe(ctx context.Context, p *Probe, out *Scores) error {
	hits, err := w.search(ctx, p.Query, p.Hide, p.Before, out)
	if err != nil {
		return err
	}
	rank := 1 + slices.IndexFunc(hits, func(h recall.Hit) bool { return w.tells(&h, p.Answer) })
	if p.Kind == Told {
		out.add(Findable, p.Session, truth(rank > 0))
		return nil
	}
	found := 0.0
	if rank > 0 {
		found = 1 / float64(rank)
	}
	for _, prefix := range []string{"", string(p.Kind) + " "} {
		out.add(prefix+RecallAt5, p.Session, truth(rank > 0 && rank <= 5))
		out.add(prefix+RecallAt10, p.Session, truth(rank > 0))
		out.add(prefix+MRR, p.Session, found)
	}
	if p.First.IsZero() {
		return nil
	}
	if hits, err = w.search(ctx, p.Query, p.Hide, p.First, out); err != nil {
		return err
	}
	out.add(Junk, p.Session, float64(len(hits))/depth)
	return nil
}

// search asks without the rows of one text and, where before is not zero, without what was said from then on.
func (w Way) search(ctx context.Context, text, hide string, before time.Time, out *Scores) ([]recall.Hit, error) {
	of, release := w.Searcher()
	defer release()
	s := *of
	s.Sink, s.Hooks, s.VectorBudget = nil, recall.Hooks{}, patience
	if hide != "" {
		own, err := s.Index.KeysByID(ctx, []string{hide})
		if err != nil {
			return nil, err
		}
		gone := map[catalog.Key]bool{}
		for _, m := range s.Index.Metas(own) {
			for _, key := range append(s.Index.DrawerKeys(m.Drawer), m.Key) {
				gone[key] = true
			}
		}
		s.Index = recall.Without(s.Index, gone)
	}
	q := w.Query
	q.Text, q.K, q.DryRun, q.Filter.To = text, depth, true, before
	res, err := s.Search(ctx, q)
	if out.Asked++; len(res.Degraded) > 0 {
		out.Lacking++
	}
	for _, why := range res.Degraded {
		out.Degraded[why]++
	}
	return res.Hits, err
}

// tells says whether a hit tells the text of that id.
func (w Way) tells(h *recall.Hit, id string) bool {
	wanted := append([]string{id}, w.Tells[id]...)
	for _, own := range slices.Concat([]string{h.Row.ID, h.Row.Drawer}, h.Row.Cites, h.Also) {
		for _, id := range append(slices.Clone(w.Tells[own]), own) {
			if id != "" && slices.Contains(wanted, id) {
				return true
			}
		}
	}
	return false
}

func (s *Scores) add(name, group string, v float64) {
	s.of[name], s.groups[name] = append(s.of[name], v), append(s.groups[name], group)
}

// Figures are the means.
func (s *Scores) Figures() map[string]Figure {
	out := map[string]Figure{}
	for name, values := range s.of {
		out[name] = Mean(values, s.groups[name])
	}
	return out
}

// A Comparison is how one way did beside another over the same questions.
type Comparison struct {
	Differences map[string]Figure // of the first less the second
	Better      int               // questions, by the place of their answer
	Worse       int
	Alike       int
	Chance      float64 // see [Sign]
	Verdict     string
}

// Verdicts of a comparison.
const (
	Better  = "better"
	Worse   = "worse"
	NoOther = "no difference"
	Untried = "not tried" // most searches went without what was to be tried
)

// surely is the chance above which a comparison shows no difference.
const surely = 0.05

// Against compares with what another way scored over the same questions. A way is better where the answers stand higher by more than
// chance, by both the interval of the mean and the sign test, and neither junk nor stale values surely grew.
func (s *Scores) Against(other *Scores) Comparison {
	c := Comparison{Differences: map[string]Figure{}, Verdict: NoOther}
	for name, values := range s.of {
		by := make([]float64, len(values))
		for i, v := range values {
			by[i] = v - other.of[name][i]
			switch {
			case name != MRR:
			case by[i] > 0:
				c.Better++
			case by[i] < 0:
				c.Worse++
			default:
				c.Alike++
			}
		}
		c.Differences[name] = Mean(by, s.groups[name])
	}
	c.Chance = Sign(c.Better, c.Worse)
	grew := c.Differences[Junk].Low > 0 || c.Differences[StaleLeak].Low > 0
	switch d := c.Differences[MRR]; {
	case 2*(s.Lacking-other.Lacking) > s.Asked:
		c.Verdict = Untried
	case d.High < 0 && c.Chance < surely:
		c.Verdict = Worse
	case d.Low > 0 && c.Chance < surely && !grew:
		c.Verdict = Better
	}
	return c
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

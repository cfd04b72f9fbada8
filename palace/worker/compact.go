package worker

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/palace/drawers"
	"github.com/reverie-memory/reverie/palace/findings"
	"github.com/reverie-memory/reverie/recall"
	"github.com/reverie-memory/reverie/vault"
)

// Compaction says which drawers others tell well enough to be put away: those of which all of it holds.
type Compaction struct {
	Enabled   bool    // it goes on at night
	Threshold float64 // their score is below it
	Age       int     // days; it is longer that they were filed, read or brought back
	Decay     bool    // their score fades with the days since, by e^(-Lambda·days)
	Lambda    float64
	Batch     int // drawers that are scored at once
	Depth     int // and in one run; the next one goes on behind them

	AtOnce      bool // all drawers are one batch, however many there are
	ScoresAlone bool // drawers are scored, and none is put away
}

// DefaultCompaction is as the settings are when nobody changed them.
var DefaultCompaction = Compaction{Threshold: 0.3, Age: 30, Lambda: 0.01, Batch: 5000, Depth: 50_000}

// Compaction is how the room puts drawers away that others tell.
func (r *Room) Compaction() Compaction { return r.opt.Compaction }

const (
	newerBy    = 7 * 24 * time.Hour // a copy that was said so much later tells a drawer
	mostSummed = 20                 // drawers that one summary tells of
)

// summaryMaker is whom the file of a summary names.
const summaryMaker = "reverie"

// A Plan is what a compaction does, or would.
type Plan struct {
	Total      int // drawers, as far as the caller sees them
	Offset     int // of the first that this run scored
	Batches    []Batch
	More       bool        // behind Depth there are more
	Superseded []Candidate // drawers that others tell, also those that were read
	Candidates []Candidate // those of them that may be put away
	Groups     []Group

	ScanMS, SupersedeMS, PlanMS float64

	scores scores
	place  string
}

// Summaries is how many groups are summed up.
func (p *Plan) Summaries() (n int) {
	return slice.Count(p.Groups, func(g Group) bool { return g.Text != "" })
}

// A Batch is what was scored at once.
type Batch struct {
	Index, Offset, Drawers, Updated, Superseded int
	MS                                          float64
}

// A Candidate may be put away.
type Candidate struct {
	Drawer       string
	LTP, Decayed float64
	SupersededBy string // what tells it
	Ended        bool   // by that, or on the way to it; else it was said again
	Days         int    // since it was filed, read or brought back
	Summary      string
	row          catalog.Row
}

// Reason is why.
func (c *Candidate) Reason(threshold float64) string {
	by := strings.ReplaceAll(c.fate(), " ", "_") + "_by=" + c.SupersededBy
	return fmt.Sprintf("ltp=%.2f < %.2f, %s, last_accessed=%d days ago", c.Decayed, threshold, by, c.Days)
}

// fate is what became of what it says.
func (c *Candidate) fate() string {
	if c.Ended {
		return "superseded"
	}
	return "said again"
}

// A Group are candidates of one place that the same drawer tells, the oldest first.
type Group struct {
	Drawers      []string
	SupersededBy string
	Wing, Room   string
	Text         string // that sums them up; "" of a single one
	Summary      string // the drawer with that text, once there is one
	members      []Candidate
	until        time.Time
}

// Evaluate plans a compaction of what a caller sees, and writes nothing.
func (r *Room) Evaluate(ctx context.Context, view catalog.View, how Compaction) (Plan, error) {
	return r.plan(ctx, view, how, nil)
}

// Compact does what Evaluate plans: of each group a summary is filed, and then its drawers are put away. What was cut off is done by the
// next call, and by none twice. Of what is forgotten meanwhile nothing is written.
func (r *Room) Compact(ctx context.Context, view catalog.View, how Compaction) (Plan, error) {
	select {
	case r.busy <- struct{}{}:
		defer func() { <-r.busy }()
	case <-ctx.Done():
		return Plan{}, ctx.Err()
	}
	if err := r.opt.Journal.Follow(ctx); err != nil {
		return Plan{}, err
	}
	return r.compact(ctx, view, how)
}

// compact is Compact of who holds busy.
func (r *Room) compact(ctx context.Context, view catalog.View, how Compaction) (Plan, error) {
	p, err := r.plan(ctx, view, how, nil)
	if err != nil {
		return p, err
	}
	summary := map[string]string{}
	for i := range p.Groups {
		if err := r.putAway(ctx, &p.Groups[i], how); err != nil {
			return p, err
		}
		for _, id := range p.Groups[i].Drawers {
			summary[id] = p.Groups[i].Summary
		}
	}
	for i := range p.Candidates {
		p.Candidates[i].Summary = summary[p.Candidates[i].Drawer]
	}
	if err := r.saveScores(ctx, &p); err != nil {
		return p, err
	}
	return p, r.opt.Journal.Follow(ctx)
}

// compactAll compacts each isolated project by itself, and what keeps to none.
func (r *Room) compactAll(ctx context.Context) (done int, err error) {
	isolated, err := r.opt.Isolated()
	if err != nil {
		return 0, err
	}
	for _, wing := range append([]string{""}, isolated...) {
		p, err := r.compact(ctx, catalog.View{Wing: wing, Isolated: isolated}, r.opt.Compaction)
		if done += len(p.Candidates); err != nil {
			return done, err
		}
	}
	return done, nil
}

// Told are the candidates among one batch of the drawers that others may tell, without scores being taken: somebody waits for the answer.
func (r *Room) Told(ctx context.Context, view catalog.View, how Compaction) (Plan, error) {
	ids := map[string]bool{}
	for id, k := range r.opt.Journal.State() {
		ids[id], ids[cmp.Or(k.Cluster, id)] = true, true
	}
	return r.plan(ctx, view, how, slices.Sorted(maps.Keys(ids)))
}

// plan plans for a batch of these drawers, or for all that lie within reach of a scan. The generation of the index is pinned meanwhile.
func (r *Room) plan(ctx context.Context, view catalog.View, how Compaction, ids []string) (p Plan, err error) {
	reads, err := r.reads()
	if err != nil {
		return p, err
	}
	if p.scores, err = readScores(r.opt.Dir); err != nil {
		return p, err
	}
	rd, release := r.opt.Reader().Pin()
	defer release()
	l := newLineage(rd, r.opt.Journal.State(), &view)
	for _, place := range rd.Places(catalog.Filter{View: &view}) {
		p.Total += place.Drawers
	}
	if ids != nil {
		ids = slices.DeleteFunc(ids, func(id string) bool { return !l.suspect(id) })
		if p.More = len(ids) > how.Batch; p.More {
			ids = ids[:how.Batch]
		}
		if err := r.candidates(ctx, l, how, reads, ids, &p); err != nil {
			return p, err
		}
	} else if err := r.scan(ctx, rd, l, how, reads, &p); err != nil {
		return p, err
	}
	start := time.Now()
	p.group(l)
	p.PlanMS = since(start)
	if hook := r.opt.Hooks.PostCompactionPlan; hook != nil {
		told := recall.CompactionPlan{WouldArchive: len(p.Candidates), WouldCreateSummaries: p.Summaries()}
		for _, c := range p.Candidates {
			told.Candidates = append(told.Candidates, c.Drawer)
		}
		for _, g := range p.Groups {
			told.Groups = append(told.Groups, slices.Clone(g.Drawers))
		}
		hook(told)
	}
	return p, nil
}

func since(start time.Time) float64 { return float64(time.Since(start).Microseconds()) / 1000 }

// scan scores drawers batch by batch from where the last run ended, and judges those that others tell. scan goes by keys of the list of
// drawers, so that what comes or goes meanwhile neither skips nor repeats another.
func (r *Room) scan(ctx context.Context, rd indexer.Reader, l *lineage, how Compaction, reads map[string]read, p *Plan) error {
	if around := l.view.Isolated.Around(l.view.Wing); around != "" {
		p.place = findings.Hash(around)
	}
	at := p.scores.Places[p.place]
	p.Offset = at.Offset
	if how.AtOnce {
		how.Batch, how.Depth = math.MaxInt32, math.MaxInt32
	}
	for left := how.Depth; left > 0; {
		start := time.Now()
		ids, next, err := rd.Drawers(ctx, catalog.Filter{View: l.view}, at.Mark, min(how.Batch, left))
		if err != nil {
			return fmt.Errorf("list drawers: %w", err)
		}
		b := Batch{Index: len(p.Batches), Offset: at.Offset, Drawers: len(ids)}
		for _, id := range ids {
			if p.scores.score(id, reads[id].lately) {
				b.Updated++
			}
		}
		p.ScanMS += since(start)
		n := len(p.Superseded)
		if err := r.candidates(ctx, l, how, reads, ids, p); err != nil {
			return err
		}
		b.Superseded, b.MS = len(p.Superseded)-n, since(start)
		p.Batches = append(p.Batches, b)
		if hook := r.opt.Hooks.PostBatch; hook != nil {
			hook(recall.Batch{Index: b.Index, Offset: b.Offset, Size: b.Drawers, LTPUpdates: b.Updated})
		}
		left -= len(ids)
		at.Mark, at.Offset = next, at.Offset+len(ids)
		if next == nil {
			at = reached{Ended: r.now().UTC()}
			break
		}
	}
	p.More = at.Mark != nil
	p.scores.Places[p.place] = at
	return nil
}

// candidates adds the candidates among drawers.
func (r *Room) candidates(ctx context.Context, l *lineage, how Compaction, reads map[string]read, ids []string, p *Plan) error {
	if how.ScoresAlone {
		return nil
	}
	start, now := time.Now(), r.opt.Vault.Now()
	ids = slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return !l.suspect(id) })
	if err := l.load(ctx, ids); err != nil {
		return fmt.Errorf("look for what tells drawers: %w", err)
	}
	for _, id := range ids {
		heir, ended := l.heir(id)
		row := l.rows[id]
		if heir == "" {
			continue
		}
		used := reads[id].last
		for _, t := range []time.Time{row.FiledAt(), time.Unix(l.state.Of(id).Back, 0)} {
			if t.After(used) {
				used = t
			}
		}
		days := now.Sub(used).Hours() / 24
		c := Candidate{
			Drawer: id, LTP: thousandths(recall.LTPScore(reads[id].lately)), SupersededBy: heir, Ended: ended, Days: int(days), row: row,
		}
		if c.Decayed = c.LTP; how.Decay {
			c.Decayed = thousandths(c.LTP * math.Exp(-how.Lambda*float64(c.Days)))
		}
		p.Superseded = append(p.Superseded, c)
		if c.Decayed < how.Threshold && days > float64(how.Age) {
			p.Candidates = append(p.Candidates, c)
		}
	}
	p.SupersedeMS += since(start)
	return nil
}

// group puts candidates together that hang in one place, are of one side, and are told by the same drawer.
func (p *Plan) group(l *lineage) {
	slices.SortFunc(p.Candidates, func(a, b Candidate) int {
		return cmp.Or(a.row.At.Compare(b.row.At), cmp.Compare(a.Drawer, b.Drawer))
	})
	type place struct {
		heir, wing, room, hall string
		origin                 vault.Origin
		guessed                bool
	}
	at := map[place]int{}
	for _, c := range p.Candidates {
		key := place{c.SupersededBy, c.row.Wing, c.row.Room, c.row.Hall, c.row.Origin, c.row.Guessed}
		i, known := at[key]
		if !known || len(p.Groups[i].Drawers) == mostSummed {
			i = len(p.Groups)
			at[key] = i
			p.Groups = append(p.Groups, Group{
				SupersededBy: c.SupersededBy, Wing: c.row.Wing, Room: c.row.Room, until: l.rows[c.SupersededBy].At,
			})
		}
		g := &p.Groups[i]
		g.Drawers, g.members = append(g.Drawers, c.Drawer), append(g.members, c)
	}
	for i := range p.Groups {
		p.Groups[i].sumUp()
	}
}

// sumUp makes the text in which the members are told in the order in which they were said, each in its own first words: what is forgotten
// of them is known here as it is there.
func (g *Group) sumUp() {
	if g.Text = ""; len(g.members) < 2 {
		return
	}
	var b strings.Builder
	// Shorter than what a purge looks for, since every summary of that day begins so.
	fmt.Fprintf(&b, "Said before %s, renewed since:\n", vault.DayOf(g.until))
	for _, c := range g.members {
		who := ""
		if c.row.Speaker != "" {
			who = ", " + c.row.Speaker
		}
		fmt.Fprintf(&b, "\n- %s%s: %s", vault.DayOf(c.row.At), who, drawers.Summed(c.row.Text))
	}
	g.Text = b.String()
}

// putAway puts the drawers of a group away behind their summary. Drawers of which something was forgotten since stay.
func (r *Room) putAway(ctx context.Context, g *Group, how Compaction) error {
	r.writing.RLock()
	defer r.writing.RUnlock()
	stones, err := r.opt.Vault.Tombstones()
	if err != nil {
		return err
	}
	g.members = slices.DeleteFunc(g.members, func(c Candidate) bool { return stones.Visible(c.row.Text) != c.row.Text })
	g.Drawers = g.Drawers[:0]
	for _, c := range g.members {
		g.Drawers = append(g.Drawers, c.Drawer)
	}
	if g.sumUp(); len(g.members) == 0 {
		return nil
	}
	write := func(events ...drawers.Event) error {
		for _, c := range g.members {
			events = append(events, drawers.Event{
				Kind: drawers.Archive, Drawer: c.Drawer, Day: vault.DayOf(c.row.At), Into: g.Summary,
				Reason: fmt.Sprintf("compacted: ltp %.2f < %.2f, %s, last accessed %d days ago", c.Decayed, how.Threshold, c.fate(), c.Days),
			})
		}
		return r.opt.Journal.Write(context.WithoutCancel(ctx), events...)
	}
	if g.Text == "" {
		return write()
	}
	of := &g.members[0].row
	d := vault.Drawer{
		Wing: of.Wing, Room: of.Room, Hall: of.Hall, SourceFile: drawers.SummarySource, AddedBy: summaryMaker, Text: g.Text,
		Origin: of.Origin,
	}
	if of.Guessed {
		d.WingBy = vault.ByRule
	}
	return r.opt.File(ctx, d, func(filed vault.Drawer) error {
		g.Summary = filed.ID
		events := []drawers.Event{{Kind: drawers.Note, Drawer: filed.ID, State: drawers.Processed, Linked: true}}
		if r.opt.Journal.State().Archived(filed.ID) {
			events = append(events, drawers.Event{Kind: drawers.Restore, Drawer: filed.ID, Day: vault.DayOf(filed.At)})
		}
		return write(events...)
	})
}

// saveScores writes down what was scored and how far that came. What the index does not have any more has no score.
func (r *Room) saveScores(ctx context.Context, p *Plan) error {
	r.writing.RLock()
	defer r.writing.RUnlock()
	rows, err := r.opt.Reader().RowsByID(ctx, slices.Sorted(maps.Keys(p.scores.LTP)))
	if err != nil {
		return fmt.Errorf("look for drawers: %w", err)
	}
	there := slice.SetOf(rows, func(row indexer.Row) string { return row.ID })
	maps.DeleteFunc(p.scores.LTP, func(id string, _ float64) bool { return !there[id] })
	return p.scores.write(r.opt.Dir)
}

// Restore brings drawers back: those of a summary, or one by itself. A summary of which nothing is put away any more is put away in their
// place, or stays so where it had faded. What a caller does not see and what was forgotten stays where it is. Restore returns the ids of
// those that came back or, in a dry run, which writes nothing, would.
func (r *Room) Restore(ctx context.Context, view catalog.View, ids []string, dry bool) (back []string, err error) {
	select {
	case r.busy <- struct{}{}:
		defer func() { <-r.busy }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if err := r.opt.Journal.Follow(ctx); err != nil {
		return nil, err
	}
	r.writing.RLock()
	defer r.writing.RUnlock()
	wanted, away := map[string]bool{}, map[string]int{} // of summaries: how many of theirs stay away
	for id, k := range r.opt.Journal.State() {
		if k.Archived == 0 {
			continue
		}
		summary := k.Summary()
		if slices.Contains(ids, id) || summary != "" && slices.Contains(ids, summary) {
			wanted[id] = true
		}
		if summary != "" {
			away[summary]++
		}
	}
	maps.DeleteFunc(wanted, func(id string, _ bool) bool { return away[id] > 0 }) // what it sums up comes back in its place
	rows, err := r.opt.Reader().RowsByID(ctx, slices.Sorted(maps.Keys(wanted)))
	if err != nil {
		return nil, fmt.Errorf("look for drawers: %w", err)
	}
	var events []drawers.Event
	emptied := map[string]bool{}
	for _, row := range rows {
		if !wanted[row.ID] || row.Source != catalog.DrawerText || !view.Sees(&row) {
			continue
		}
		delete(wanted, row.ID) // a line that was copied gives it twice
		back = append(back, row.ID)
		events = append(events, drawers.Event{Kind: drawers.Restore, Drawer: row.ID, Day: vault.DayOf(row.At)})
		k := r.opt.Journal.State().Of(row.ID)
		if summary := k.Summary(); summary != "" {
			away[summary]--
			emptied[summary] = away[summary] == 0
		}
	}
	if dry {
		return back, nil
	}
	maps.DeleteFunc(emptied, func(_ string, all bool) bool { return !all })
	if rows, err = r.opt.Reader().RowsByID(ctx, slices.Sorted(maps.Keys(emptied))); err != nil {
		return nil, fmt.Errorf("look for summaries: %w", err)
	}
	for _, row := range rows {
		if emptied[row.ID] && !row.Archived && !slices.Contains(back, row.ID) {
			delete(emptied, row.ID)
			events = append(events, drawers.Event{
				Kind: drawers.Archive, Drawer: row.ID, Day: vault.DayOf(row.At), Reason: "what it summed up was brought back",
			})
		}
	}
	if err := r.opt.Journal.Write(context.WithoutCancel(ctx), events...); err != nil {
		return nil, err
	}
	return back, r.opt.Journal.Follow(ctx)
}

package worker

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/palace/drawers"
	"github.com/reverie-memory/reverie/project"
	"github.com/reverie-memory/reverie/reads"
	"github.com/reverie-memory/reverie/recall"
	"github.com/reverie-memory/reverie/vault"
)

// compacting is a rig whose room can file summaries.
func compacting(t *testing.T) *rig {
	r := newRig(t, nil)
	r.opt.File = r.file
	return r
}

// file files a text once, as the intake does.
func (r *rig) file(ctx context.Context, d vault.Drawer, then func(vault.Drawer) error) error {
	d.At, d.Origin, d.ID = r.now, vault.OriginAgent, vault.DeriveID('d', d.SourceFile, d.Wing, d.Text)
	if rows, err := r.index.Reader().RowsByID(ctx, []string{d.ID}); err != nil || len(rows) > 0 {
		return errors.Join(err, then(d))
	}
	if _, err := r.vault.AppendDrawers(ctx, []vault.Drawer{d}); err != nil {
		return err
	}
	r.sync()
	return then(d)
}

// matter says the same thing n times, a week and a day apart, and then something that ends it. matter returns the ids in their order, and
// goes on to a time at which all but the last two are old.
func (r *rig) matter(n int, what string) (ids []string) {
	for i := range n {
		ids = append(ids, r.say(fmt.Sprintf("%s, as was said in week %d. And more about it.", what, i))...)
		r.now = r.now.AddDate(0, 0, 8)
	}
	last := r.say(what + " is over now.")
	var events []drawers.Event
	for _, id := range ids[1:] {
		events = append(events, drawers.Event{Kind: drawers.Cluster, Drawer: id, Into: ids[0]})
	}
	events = append(events, drawers.Event{Kind: drawers.Superseded, Drawer: ids[n-1], Into: last[0], Evidence: "fake/m"})
	r.append(events...)
	r.now = r.now.AddDate(0, 0, 23)
	return append(ids, last...)
}

func (r *rig) append(events ...drawers.Event) {
	r.t.Helper()
	if err := r.opt.Journal.Append(context.Background(), events...); err != nil {
		r.t.Fatal(err)
	}
}

// outside is what is seen from outside of the isolated project.
var outside = catalog.View{Isolated: project.Isolation{"secret"}}

func (p *Plan) ids() (ids []string) {
	for _, c := range p.Candidates {
		ids = append(ids, c.Drawer)
	}
	return ids
}

// A drawer is put away where its score is low and another tells it and it was not read for long: each of the three keeps it by itself.
func TestCompactionWantsAllThreeConditions(t *testing.T) {
	r := compacting(t)
	ids := r.matter(4, "The harbour tram runs on Sundays") // said 55, 47, 39, 31 days ago; the last word 23 days ago
	alone := r.say("Nobody ever said anything like this.")
	r.now = r.now.AddDate(0, 0, 1)
	lately := func(id string, n float64, days int) {
		r.reads = map[string]reads.Count{id: {Row: id, Count: int(n), Lately: n, Last: r.now.AddDate(0, 0, -days).Format(time.RFC3339)}}
	}
	for name, c := range map[string]struct {
		before func()
		how    func(*Compaction)
		want   []string
	}{
		"all three":    {want: ids[:4]},
		"a high score": {before: func() { lately(ids[1], 9, 31) }, want: []string{ids[0], ids[2], ids[3]}},
		"a high score, which decays": {
			before: func() { lately(ids[1], 9, 31) }, how: func(c *Compaction) { c.Decay = true; c.Lambda = 0.02 },
			want: ids[:4],
		},
		"a high threshold":           {before: func() { lately(ids[1], 9, 31) }, how: func(c *Compaction) { c.Threshold = 1 }, want: ids[:4]},
		"no threshold":               {how: func(c *Compaction) { c.Threshold = 0 }},
		"read lately":                {before: func() { lately(ids[0]+".2", 0.1, 29) }, want: ids[1:4]},
		"younger":                    {how: func(c *Compaction) { c.Age = 40 }, want: ids[:2]},
		"as young as can be":         {how: func(c *Compaction) { c.Age = 0 }, want: ids[:4]},
		"the scores of others":       {before: func() { lately(alone[0], 9, 0) }, want: ids[:4]},
		"decay without a high score": {how: func(c *Compaction) { c.Decay = true }, want: ids[:4]},
		"decay that changes too little": {
			before: func() { lately(ids[1], 9, 31) }, how: func(c *Compaction) { c.Decay = true; c.Lambda = 0.001 },
			want: []string{ids[0], ids[2], ids[3]},
		},
	} {
		r.reads = nil
		how := DefaultCompaction
		if c.before != nil {
			c.before()
		}
		if c.how != nil {
			c.how(&how)
		}
		p, err := r.Evaluate(t.Context(), outside, how)
		if d := cmp.Diff(c.want, p.ids()); d != "" || err != nil {
			t.Errorf("%s: %v\n%s", name, err, d)
		}
		for _, c := range p.Candidates {
			if c.SupersededBy != ids[4] {
				t.Errorf("%s: %s is told by %s, want the last word %s", name, c.Drawer, c.SupersededBy, ids[4])
			}
		}
	}
	r.reads = nil
	r.append(drawers.Event{Kind: drawers.Archive, Drawer: ids[4], Day: "2026-07-11", Reason: "test"})
	p, err := r.Evaluate(t.Context(), outside, DefaultCompaction)
	if d := cmp.Diff(ids[:3], p.ids()); d != "" || err != nil || p.Candidates[0].SupersededBy != ids[3] {
		t.Errorf("what is put away tells nothing; the newest copy does: %v\n%s", err, d)
	}
	r.append(drawers.Event{Kind: drawers.Restore, Drawer: ids[4], Day: "2026-07-11"}, drawers.Event{
		Kind: drawers.Restore, Drawer: ids[0],
		Day: "2026-06-09",
	})
	if p, err = r.Evaluate(t.Context(), outside, DefaultCompaction); err != nil || !slices.Equal(p.ids(), ids[1:4]) {
		t.Errorf("what was brought back a moment ago is not put away again: %v: %v", p.ids(), err)
	}
}

// tree is every file of the vault and the data folder but for the index.
func (r *rig) tree() map[string]string {
	out := map[string]string{}
	for _, dir := range []string{r.dir, r.data} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || strings.Contains(path, ".db") {
				return err
			}
			data, err := os.ReadFile(path)
			out[path] = string(data)
			return err
		})
		if err != nil {
			r.t.Fatal(err)
		}
	}
	return out
}

// A scan goes batch by batch, counts truly, ends at its depth, goes on behind it in the next run, also over what comes and goes and over a
// rebuild, and scores only what changed.
func TestScoringPageByPage(t *testing.T) {
	r := compacting(t)
	ids := r.matter(3, "The harbour tram runs on Sundays")
	ids = append(ids, r.say(vague(13)...)...) // 17 in all
	r.reads = map[string]reads.Count{}
	for _, id := range ids[10:12] {
		r.reads[id] = reads.Count{Row: id, Count: 3, Lately: 3, Last: r.now.Format(time.RFC3339)}
	}
	how := DefaultCompaction
	how.Batch, how.Depth = 4, 10
	var hooked []recall.Batch
	r.opt.Hooks.PostBatch = func(b recall.Batch) { hooked = append(hooked, b) }
	before := r.tree()
	for range 2 {
		p, err := r.Evaluate(t.Context(), outside, how)
		if err != nil || p.Total != 17 || len(p.Batches) != 3 || !p.More || p.Batches[2].Offset != 8 || p.Batches[2].Drawers != 2 {
			t.Fatalf("%+v: %v", p, err)
		}
	}
	if d := cmp.Diff(before, r.tree()); d != "" {
		t.Errorf("evaluating wrote:\n%s", d)
	}
	hooked = nil
	first, err := r.Compact(t.Context(), outside, how)
	if err != nil || len(first.Candidates) != 0 || len(hooked) != 3 || hooked[1] != (recall.Batch{
		Index: 1, Offset: 4, Size: 4,
		LTPUpdates: first.Batches[1].Updated,
	}) {
		t.Fatalf("%+v, %+v: %v", first, hooked, err)
	}
	r.now = r.now.Add(time.Hour)
	r.say("This is new and stands before where the scan is.") // the newest stand first
	if err := r.index.Rebuild(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	second, err := r.Compact(t.Context(), outside, how)
	if err != nil || second.More || second.Offset != 10 || second.Total != 18 || len(second.Batches) != 2 || second.Batches[1].Drawers != 3 {
		t.Fatalf("%+v: %v", second, err)
	}
	if d := cmp.Diff(ids[:3], second.ids()); d != "" {
		t.Error(d)
	}
	updated := 0
	for _, b := range slices.Concat(first.Batches, second.Batches) {
		updated += b.Updated
	}
	if updated != 2 {
		t.Errorf("%d scores changed, want 2", updated)
	}
	s, err := readScores(r.data)
	if d := cmp.Diff(map[string]float64{ids[10]: 0.416, ids[11]: 0.416}, s.LTP); d != "" || err != nil || s.Places[""].Mark != nil ||
		s.Places[""].Ended.IsZero() {
		t.Errorf("%+v: %v\n%s", s, err, d)
	}
	how.Depth = 100
	third, err := r.Compact(t.Context(), outside, how)
	scanned := 0
	for _, b := range third.Batches {
		if scanned += b.Drawers; b.Updated > 0 {
			t.Errorf("again: %+v", b)
		}
	}
	if scanned != 16 || third.Total != 16 || err != nil { // 18, less 3 that were put away, and their summary
		t.Errorf("%d of %d: %v", scanned, third.Total, err)
	}
	if err := os.WriteFile(filepath.Join(r.data, ScoreFile), []byte("{damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	if p, err := r.Evaluate(t.Context(), outside, how); err != nil || p.Offset != 0 || p.Total != 16 {
		t.Errorf("with a damaged file: %+v: %v", p, err)
	}
}

// Drawers of one place that one other tells are put away behind one summary in their own words, once, and come back as they were.
func TestCompactAndBringBack(t *testing.T) {
	r := compacting(t)
	ids := r.matter(3, "The harbour tram runs on Sundays")
	single := r.say("The library opens at nine.")
	newer := r.say("The library opens at ten.")
	r.append(drawers.Event{Kind: drawers.Superseded, Drawer: single[0], Into: newer[0], Evidence: "fake/m"})
	r.now = r.now.AddDate(0, 0, 31)
	var hooked recall.CompactionPlan
	r.opt.Hooks.PostCompactionPlan = func(p recall.CompactionPlan) { hooked = p }
	p, err := r.Compact(t.Context(), outside, DefaultCompaction)
	if err != nil || len(p.Groups) != 2 || p.Summaries() != 1 || p.Groups[0].Summary == "" || p.Groups[1].Summary != "" {
		t.Fatalf("%+v: %v", p.Groups, err)
	}
	want := recall.CompactionPlan{
		Candidates: append(slices.Clone(ids[:3]), single...), Groups: [][]string{ids[:3], single}, WouldArchive: 4, WouldCreateSummaries: 1,
	}
	if d := cmp.Diff(want, hooked); d != "" {
		t.Errorf("the hook was told otherwise:\n%s", d)
	}
	summary := p.Groups[0].Summary
	for _, id := range ids[:3] {
		k := r.opt.Journal.State().Of(id)
		if k.Summary() != summary || !strings.HasPrefix(k.Reason, "compacted: ltp 0.00 < 0.30, superseded, last accessed ") {
			t.Errorf("%+v", k)
		}
	}
	again := r.say("We feed the hens at seven.")
	r.now = r.now.AddDate(0, 0, 8)
	r.append(drawers.Event{Kind: drawers.Cluster, Drawer: r.say("We feed the hens at seven!")[0], Into: again[0]})
	r.now = r.now.AddDate(0, 0, 31)
	p, err = r.Compact(t.Context(), outside, DefaultCompaction)
	if k := r.opt.Journal.State().Of(again[0]); err != nil || len(p.Candidates) != 1 || !strings.Contains(k.Reason, ", said again, ") ||
		!strings.Contains(p.Candidates[0].Reason(0.3), "said_again_by=d") {
		t.Errorf("a copy is put away for %+v, %+v: %v", k, p.Candidates, err)
	}
	rows, err := r.index.Reader().RowsByID(t.Context(), append(slices.Clone(ids[:3]), summary))
	if err != nil || len(rows) != 4 {
		t.Fatalf("%d rows: %v", len(rows), err)
	}
	for _, row := range rows {
		if row.Archived != (row.ID != summary) {
			t.Errorf("%s: %v", row.ID, row.Archived)
		}
		if row.ID == summary && (!strings.Contains(row.Text, "- 2026-06-17: The harbour tram runs on Sundays, as was said in week 1.") ||
			row.Origin != vault.OriginAgent) {
			t.Errorf("the summary: %+v", row)
		}
	}
	r.restart()
	r.opt.File = r.file
	if again, err := r.Compact(t.Context(), outside, DefaultCompaction); err != nil || len(again.Candidates) != 0 {
		t.Errorf("again: %+v: %v", again.Candidates, err)
	}
	if back, err := r.Restore(t.Context(), catalog.View{Wing: "secret", Isolated: project.Isolation{"secret"}},
		[]string{summary}, false); err != nil || len(back) > 0 {
		t.Errorf("from elsewhere: %v: %v", back, err)
	}
	if back, err := r.Restore(t.Context(), outside, ids[:1], false); err != nil || !slices.Equal(back, ids[:1]) ||
		r.opt.Journal.State().Archived(summary) {
		t.Errorf("one of them: %v: %v", back, err)
	}
	back, err := r.Restore(t.Context(), outside, []string{summary}, false)
	slices.Sort(back)
	if err != nil || !slices.Equal(back, slices.Sorted(slices.Values(ids[1:3]))) || !r.opt.Journal.State().Archived(summary) {
		t.Errorf("the others: %v: %v", back, err)
	}
	r.now = r.now.AddDate(0, 0, 31)
	p, err = r.Compact(t.Context(), outside, DefaultCompaction)
	if err != nil || len(p.Groups) != 1 || p.Groups[0].Summary != summary || r.opt.Journal.State().Archived(summary) {
		t.Errorf("a month later: %+v: %v", p.Groups, err)
	}
}

// What hangs in different places, or was said by different sides, shares no summary, and nothing is told from within a project by what is
// outside.
func TestGroupsKeepToTheirPlace(t *testing.T) {
	r := compacting(t)
	ids := r.matter(4, "The harbour tram runs on Sundays")
	work, secret := "work", "secret"
	r.append(drawers.Event{Kind: drawers.Move, Drawer: ids[0], Day: "2026-06-09", Wing: &work},
		drawers.Event{Kind: drawers.Move, Drawer: ids[1], Day: "2026-06-17", Wing: &secret})
	for name, c := range map[string]struct {
		view   catalog.View
		total  int
		groups [][]string
	}{
		"outside": {outside, 4, [][]string{ids[:1], ids[2:4]}},
		"inside":  {catalog.View{Wing: "secret", Isolated: project.Isolation{"secret"}}, 1, nil},
	} {
		p, err := r.Compact(t.Context(), c.view, DefaultCompaction)
		var groups [][]string
		for _, g := range p.Groups {
			groups = append(groups, g.Drawers)
		}
		if d := cmp.Diff(c.groups, groups); d != "" || err != nil || p.Total != c.total {
			t.Errorf("%s: %d: %v\n%s", name, p.Total, err, d)
		}
	}
	s, err := readScores(r.data)
	if err != nil || len(s.Places) != 2 || slices.Contains(slices.Collect(maps.Keys(s.Places)), "secret") {
		t.Errorf("%+v: %v", s.Places, err)
	}
}

// Whatever a compaction was cut off at, the next one ends it, and nothing is filed twice.
func TestCompactionIsCutOffAnywhere(t *testing.T) {
	for cut := 1; ; cut++ {
		r := compacting(t)
		r.matter(3, "The harbour tram runs on Sundays")
		left := cut
		r.fault = func(op string, p vault.Path) error {
			if left--; left == 0 {
				return errors.New("cut off")
			}
			return nil
		}
		_, err := r.Compact(t.Context(), outside, DefaultCompaction)
		done := left > 0
		if err == nil && !done {
			t.Errorf("cut at %d: no error", cut)
		}
		r.fault = nil
		r.restart()
		r.opt.File = r.file
		if _, err := r.Compact(t.Context(), outside, DefaultCompaction); err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		summaries := 0
		err = r.vault.EachDrawer(t.Context(), nil, func(_ vault.Path, d *vault.Drawer) {
			if d.SourceFile == drawers.SummarySource {
				summaries++
			}
		})
		away := 0
		for _, k := range r.opt.Journal.State() {
			if k.Summary() != "" {
				away++
			}
		}
		if err != nil || summaries != 1 || away != 3 {
			t.Errorf("cut at %d: %d summaries for %d drawers: %v", cut, summaries, away, err)
		}
		if done {
			if cut < 3 {
				t.Errorf("only %d steps were cut", cut-1)
			}
			break
		}
	}
}

// A summary that faded is brought back as what it sums up, and stays away itself.
func TestAFadedSummaryIsRestored(t *testing.T) {
	r := compacting(t)
	ids := r.matter(3, "The harbour tram runs on Sundays")
	if _, err := r.Compact(t.Context(), outside, DefaultCompaction); err != nil {
		t.Fatal(err)
	}
	k := r.opt.Journal.State().Of(ids[0])
	summary := k.Summary()
	r.append(drawers.Event{Kind: drawers.Archive, Drawer: summary, Day: vault.DayOf(r.now), Reason: "faded"})
	back, err := r.Restore(t.Context(), outside, []string{summary}, false)
	if slices.Sort(back); err != nil || !slices.Equal(back, slices.Sorted(slices.Values(ids[:3]))) ||
		!r.opt.Journal.State().Archived(summary) {
		t.Errorf("%q: %v", back, err)
	}
}

// At night it follows where that is wanted, in each project by itself.
func TestCompactionAtNight(t *testing.T) {
	r := compacting(t)
	r.matter(3, "The harbour tram runs on Sundays")
	if n, err := r.work(Maintain); n != 0 || err != nil {
		t.Fatalf("%d: %v", n, err)
	}
	r.opt.Compaction = DefaultCompaction
	r.opt.Compaction.Enabled = true
	if n, err := r.work(Maintain); n != 3 || err != nil {
		t.Errorf("%d: %v", n, err)
	}
}

// Somebody waits for what Told tells: it looks at one batch of what others may tell, also where there is more.
func TestToldLooksAtOneBatch(t *testing.T) {
	r := compacting(t)
	r.matter(4, "The harbour tram runs on Sundays")
	r.say("Nobody ever said anything like this.")
	how := DefaultCompaction
	how.Age = 0
	for batch, want := range map[int]int{2: 2, 100: 4} {
		how.Batch = batch
		p, err := r.Told(t.Context(), outside, how)
		if err != nil || len(p.Superseded) != want || p.More != (batch == 2) {
			t.Errorf("in a batch of %d: %d, more %v: %v", batch, len(p.Superseded), p.More, err)
		}
	}
}

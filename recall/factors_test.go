package recall_test

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/recall"
)

// uses is a record of reads that a test sets.
type uses map[string]recall.Use

func (u uses) Read(...string) int { return 0 }
func (u uses) Often(int) []string { return nil }
func (u uses) Before(at time.Time) recall.Reads {
	out := uses{}
	for id, use := range u {
		if !use.Last.After(at) {
			out[id] = use
		}
	}
	return out
}

func (u uses) Use(_ time.Time, ids ...string) (out recall.Use) {
	for _, id := range ids {
		if one, ok := u[id]; ok {
			out = one
		}
	}
	return out
}

// busy is a searcher over a chat in two wings, of which some rows are read often, some together, and some matter.
func busy(t *testing.T) *recall.Searcher {
	rows := chatRows(160)
	reads := uses{}
	for i := range rows {
		rows[i].Wing = []string{"home", "work", "work"}[i%3]
		if i%5 == 0 {
			rows[i].Agent = "ada"
		}
		if i%4 == 0 {
			with := map[string]float64{}
			for j := range 40 {
				with[rows[(i+j)%len(rows)].ID] = 3
			}
			reads[rows[i].ID] = recall.Use{Lately: float64(i % 9), Last: noon.AddDate(0, 0, -i%40), With: with}
		}
	}
	s := newSearcher(t, rows)
	s.Reads = reads
	s.Importance = func(row *catalog.Row, _, _ time.Time) float64 { return float64(len(row.ID) % 5) }
	s.Known = func(text string, _ time.Time) recall.Known {
		if strings.Contains(text, "Nadia") {
			return recall.Known{Sources: []string{"d030"}, Names: []string{"Bakery Walnut"}}
		}
		return recall.Known{}
	}
	s.Answers = func(text string, _ time.Time, _ func() string) []string {
		if strings.Contains(text, "Nadia") {
			return []string{"d030"}
		}
		return nil
	}
	return s
}

// allOn switches on every phase that the profile has.
func allOn(t *testing.T, profile string) map[string]any {
	p, err := recall.Profiles.Named(nil, profile)
	must(t, err)
	on := map[string]any{}
	for _, f := range p.Table() {
		if _, ok := f.Default.(bool); ok && f.Name != "model_guard_strict" {
			on[f.Name] = true
		}
	}
	return on
}

var profileNames = []string{"default", "palace", "synapse", "cosine"}

func TestLTP(t *testing.T) {
	for n, want := range map[float64]float64{0: 0, 1: 0.2079, 2: 0.3296, 5: 0.5375, 27: 0.9997, 28: 1, 1e9: 1} {
		if got := recall.LTPScore(n); math.Abs(got-want) > 1e-4 {
			t.Errorf("%v reads: %v, want %v", n, got, want)
		}
	}
}

// A phase that multiplies does so by its formula.
func TestFactors(t *testing.T) {
	read := recall.Use{Lately: 5, Last: noon.AddDate(0, 0, -30), With: map[string]float64{}}
	for _, c := range []struct {
		part  string
		flags map[string]any
		row   catalog.Row
		use   recall.Use
		want  float64
	}{
		{"ltp_boost", map[string]any{"ltp": true}, catalog.Row{}, read, 1.5375},
		{"ltp_boost", map[string]any{"ltp": true}, catalog.Row{}, recall.Use{Lately: 1e6}, 2},
		{"ltp_boost", map[string]any{"ltp": true}, catalog.Row{}, recall.Use{}, 1},
		{"tagging_boost", map[string]any{"tagging": true}, catalog.Row{At: noon}, read, 1.5},
		{"tagging_boost", map[string]any{"tagging": true}, catalog.Row{At: noon.Add(-6 * time.Hour)}, read, 1.375},
		{"tagging_boost", map[string]any{"tagging": true}, catalog.Row{At: noon.Add(-24 * time.Hour)}, read, 1},
		{"tagging_boost", map[string]any{"tagging": true}, catalog.Row{At: noon.Add(time.Hour)}, read, 1},
		{"tagging_boost", map[string]any{"tagging": true}, catalog.Row{At: noon.AddDate(-1, 0, 0), Filed: noon.Add(-12 * time.Hour)}, read, 1.25},
		{"age_decay", map[string]any{"age_decay": true}, catalog.Row{At: noon.AddDate(0, 0, -90)}, read, 0.5},
		{"age_decay", map[string]any{"age_decay": true, "age_half_life_days": 45}, catalog.Row{At: noon.AddDate(0, 0, -90)}, read, 0.25},
		{"age_decay", map[string]any{"age_decay": true}, catalog.Row{}, read, 1},
		{"accessed", map[string]any{"accessed": true}, catalog.Row{}, read, 0.5},
		{"accessed", map[string]any{"accessed": true}, catalog.Row{}, recall.Use{Last: noon}, 1},
		{"accessed", map[string]any{"accessed": true}, catalog.Row{}, recall.Use{}, 0.5},
		{"importance", map[string]any{"importance": true}, catalog.Row{}, read, 3},
	} {
		c.row.ID, c.row.Source, c.row.Text = "n1", catalog.Notebook, "Nadia bakes bread with walnuts in Porto"
		s := newSearcher(t, []catalog.Row{c.row})
		s.Reads = uses{"n1": c.use}
		var err error
		s.Profiles, err = recall.Own(map[string]map[string]any{"one": {"phases": []any{
			"model_guard", "gather", "similarity", "read", "ltp", "tagging", "age_decay", "accessed", "importance", "order", "show",
		}}})
		must(t, err)
		res, err := s.Search(context.Background(), recall.Query{Text: "Nadia bakes bread", Profile: "one", Flags: c.flags, Explain: true})
		must(t, err)
		h := res.Hits[0]
		if got := h.Score / h.Breakdown["cosine_similarity"]; math.Abs(got-c.want) > 1e-4 {
			t.Errorf("%s %v of %+v: × %v, want %v", c.part, c.flags, c.use, got, c.want)
		}
		reason := fmt.Sprintf("× %.3f", c.want)
		if c.want != 1 && (len(h.Events) != 2 || h.Events[1].Part != c.part || !strings.HasPrefix(h.Events[1].Reason, reason)) {
			t.Errorf("%s: events %+v", c.part, h.Events)
		}
	}
}

// With every phase on, parts and events add up to the score in every profile, and a phase stays within its bounds.
func TestPhasesStayWithinTheirBounds(t *testing.T) {
	bounds := map[string][2]float64{
		"ltp_boost": {1, 2}, "association_boost": {1, 1.5}, "tagging_boost": {1, 1.5}, "age_decay": {0, 1}, "accessed": {0, 1},
		"importance": {0, 5}, "pinned_boost": {1, 1.4}, "occasion": {1, 5},
	}
	s := busy(t)
	for _, profile := range profileNames {
		seen := map[string]bool{}
		for _, text := range questions {
			res, err := s.Search(context.Background(), recall.Query{
				Text: text, K: 20, Profile: profile, Flags: allOn(t, profile), Explain: true, Agent: "ada",
			})
			must(t, err)
			for _, h := range res.Hits {
				sum, last := 0.0, 0.0
				for name, by := range h.Breakdown {
					sum += by
					seen[name] = true
				}
				for _, e := range h.Events {
					if b, ok := bounds[e.Part]; ok && last != 0 && (e.Score/last < b[0]-1e-9 || e.Score/last > b[1]+1e-9) {
						t.Errorf("%s %q: %s multiplies by %v", profile, text, e.Part, e.Score/last)
					}
					if last += e.Delta; e.Phase == "" || math.Abs(last-e.Score) > 1e-9 {
						t.Errorf("%s %q: event %+v after %v", profile, text, e, last)
					}
				}
				if math.Abs(sum-h.Score) > 1e-9 || math.Abs(last-h.Score) > 1e-9 {
					t.Errorf("%s %q %s: parts %v, events %v, score %v", profile, text, h.Row.ID, sum, last, h.Score)
				}
			}
		}
		p, err := recall.Profiles.Named(nil, profile)
		must(t, err)
		rare := []string{
			"occasion", "closet", "vector", "lexical", "history", "variety", "rerank", "date", "time", "statement",
			"cosine_similarity", "summary", "supersede_penalty",
		}
		for _, ph := range p.Phases {
			for _, part := range ph.Parts {
				if !seen[part] && !slices.Contains(rare, part) {
					t.Errorf("%s: nothing booked %s", profile, part)
				}
			}
		}
	}
}

// All instrumentation on changes nothing of an answer: ids, order, scores, in every profile and with every phase.
func TestInstrumentationIsInvisible(t *testing.T) {
	s := busy(t)
	events := 0
	watched := *s
	watched.Hooks = recall.Hooks{
		PostModelGuard: func(recall.ModelGuard) { events++ }, PostCrossWing: func(recall.CrossWing) { events++ },
		PostScoreEvent: func(recall.ScoreEvent) { events++ },
	}
	for _, profile := range profileNames {
		for name, flags := range map[string]map[string]any{"defaults": nil, "all on": allOn(t, profile)} {
			for _, text := range questions {
				_, b := sameWatched(t, s, &watched, recall.Query{Text: text, K: 7, Profile: profile, Flags: flags})
				if b.Trace.In != len(b.Trace.Candidates) || b.Trace.Out != len(b.Hits) || b.Trace.ModelGuard != "MATCH" {
					t.Errorf("%s: totals %d of %d candidates, %d of %d hits, guard %q", profile, b.Trace.In, len(b.Trace.Candidates), b.Trace.Out,
						len(b.Hits), b.Trace.ModelGuard)
				}
				for _, c := range b.Trace.Candidates {
					if sum := addUp(c.Breakdown); math.Abs(sum-c.Score) > 1e-9 {
						t.Fatalf("%s, %s, %q: candidate %s: parts %v, score %v", profile, name, text, c.ID, sum, c.Score)
					}
				}
			}
		}
	}
	if events == 0 {
		t.Error("no hook was called")
	}
}

func addUp(parts map[string]float64) (sum float64) {
	for _, k := range slices.Sorted(maps.Keys(parts)) {
		sum += parts[k]
	}
	return sum
}

// near-copies: mmr leaves them out of an answer or behind others, and says which they are like; in several wings no one takes all places.
func TestMMR(t *testing.T) {
	var rows []catalog.Row
	add := func(id, wing, text string, days int) {
		rows = append(rows, catalog.Row{ID: id, Source: catalog.Notebook, Text: text, Wing: wing, At: noon.AddDate(0, 0, -days)})
	}
	for i := range 4 {
		add(fmt.Sprint("copy", i), "work", "The deploy of the billing service runs on Friday evening", 40-10*i)
	}
	add("other", "home", "A deploy runs whenever somebody merges the branch of the web shop", 3)
	add("third", "work", "Billing of the deploy hours goes to finance", 3)
	s := newSearcher(t, rows)
	ask := func(profile string, flags map[string]any) recall.Result {
		res, err := s.Search(context.Background(), recall.Query{
			Text: "When does the deploy of billing run?", K: 3, Profile: profile, Flags: flags, CandidateTrace: true,
		})
		must(t, err)
		return res
	}
	plain := ask("cosine", nil)
	for _, h := range plain.Hits {
		if !strings.HasPrefix(h.Row.ID, "copy") {
			t.Fatalf("the copies are not the nearest: %v", ids(plain))
		}
	}
	res := ask("synapse", map[string]any{"mmr_enabled": true, "min_score": 0})
	if got := ids(res); len(got) != 3 || !strings.HasPrefix(got[0], "copy") || !slices.Contains(got, "other") ||
		!slices.Contains(got, "third") {
		t.Errorf("chosen %v", got)
	}
	told := 0
	for _, c := range res.Trace.Candidates {
		if strings.HasPrefix(c.Dropped, "similarity to copy") && c.Drop.At == "mmr" && c.Drop.Parts["partial_score"] == c.Score &&
			c.Drop.Parts["cosine_similarity"] > 0 && slices.Contains(slices.Collect(maps.Keys(c.Drop.Parts)), "ltp_boost") {
			told++
		}
	}
	if told != 3 {
		t.Errorf("%d copies were left out: %+v", told, res.Trace.Candidates)
	}
	for _, c := range []struct {
		action string
		want   []string
	}{{"annotate", []string{"copy0", "copy1", "copy2"}}, {"filter", nil}} {
		res := ask("synapse", map[string]any{"supersede_detection": true, "supersede_action": c.action, "min_score": 0, "age_decay": false})
		var old []string
		for _, h := range res.Hits {
			if h.SupersededBy != "" {
				old = append(old, h.Row.ID)
			} else if c.action == "filter" && strings.HasPrefix(h.Row.ID, "copy") && h.Row.ID != "copy3" {
				t.Errorf("%s: %s is shown", c.action, h.Row.ID)
			}
		}
		if slices.Sort(old); c.action == "filter" && len(old) > 0 || c.action == "annotate" && len(old) == 0 {
			t.Errorf("%s: superseded %v", c.action, old)
		}
	}
}

// What newer copies tell stands behind the newest of them, in the order of their ages, where it stood before, and at its score.
func TestSupersededHitsStepBack(t *testing.T) {
	var rows []catalog.Row
	for i, text := range []string{
		"The deploy of the billing service runs on Friday evening", "The deploy of the billing service runs on Friday evening, Ada says",
		"The deploy of the billing service runs on Friday evening, Ada says once more", "Billing goes to finance",
	} {
		rows = append(rows, catalog.Row{ID: fmt.Sprint("r", i), Source: catalog.Notebook, Text: text, At: noon.AddDate(0, 0, -60+20*i)})
	}
	s := newSearcher(t, rows)
	ask := func(action string) recall.Result {
		res, err := s.Search(t.Context(), recall.Query{
			Text: "When does the deploy of the billing service run on Friday?", Profile: "synapse", Explain: true, Flags: map[string]any{
				"supersede_detection": true, "supersede_action": action, "supersede_similarity": 0.6, "min_score": 0, "age_decay": false,
				"tagging": false,
			},
		})
		must(t, err)
		return res
	}
	if got := ids(ask("annotate")); !slices.Equal(got, []string{"r0", "r1", "r2", "r3"}) {
		t.Fatalf("by their nearness: %v", got)
	}
	res := ask("demote")
	if got := ids(res); !slices.Equal(got, []string{"r2", "r1", "r0", "r3"}) {
		t.Errorf("%v", got)
	}
	for _, h := range res.Hits {
		p := h.Breakdown["supersede_penalty"]
		if late := h.SupersededBy != ""; late != (p < 0) || p > 0 || math.Abs(addUp(h.Breakdown)-h.Score) > 1e-9 ||
			late && math.Abs(h.Score-res.Hits[0].Score) > 1e-9 {
			t.Errorf("%s: %v, %v", h.Row.ID, h.Score, h.Breakdown)
		}
	}
}

func TestWingsShareTheAnswer(t *testing.T) {
	var rows []catalog.Row
	words := strings.Fields("tools water soil light rope wood paint nails glue stone sand clay")
	for i := range 12 {
		wing := "work"
		if i >= 9 {
			wing = "home"
		}
		rows = append(rows, catalog.Row{
			ID: fmt.Sprintf("n%02d", i), Source: catalog.Notebook, Wing: wing, At: noon,
			Text: "The garden project " + strings.Repeat("needs seeds ", 1+i%2) + words[i],
		})
	}
	s := newSearcher(t, rows)
	wings := func(gamma float64) map[string]int {
		var seen recall.CrossWing
		s.Hooks.PostCrossWing = func(c recall.CrossWing) { seen = c }
		res, err := s.Search(context.Background(), recall.Query{Text: "garden project seeds", K: 6, Profile: "synapse", Flags: map[string]any{
			"mmr_enabled": true, "mmr_threshold": 1, "wing_diversity_weight": gamma, "min_score": 0, "cross_wing_balancing": true,
		}})
		must(t, err)
		n := map[string]int{}
		for _, h := range res.Hits {
			n[h.Row.Wing]++
		}
		if diff := cmp.Diff(ids(res), seen.CandidatesAfter); diff != "" || len(seen.CandidatesBefore) != len(rows) {
			t.Errorf("the hook saw %+v: %s", seen, diff)
		}
		return n
	}
	if n := wings(1); n["work"] != 3 || n["home"] != 3 {
		t.Errorf("balanced: %v", n)
	}
}

// What the graph answers by is found without a word of the question, and is no weak answer.
func TestTheGraphsAnswerIsFound(t *testing.T) {
	s := newSearcher(t, []catalog.Row{
		{ID: "a", Source: catalog.Notebook, Text: "Live music is played in the bar on Fridays", At: noon},
		{ID: "b", Source: catalog.Notebook, Text: "Kim moved to Lisbon", At: noon},
		{ID: "c", Source: catalog.Notebook, Text: "Kim paints", At: noon, Wing: "art"},
	})
	s.Embed = nil
	said := "nobody"
	s.Answers = func(_ string, _ time.Time, owner func() string) []string {
		said = owner()
		return []string{"b", "c", "gone"}
	}
	q := recall.Query{Text: "Where do I live?", K: 9, Filter: catalog.Filter{Wing: ""}}
	res, err := s.Search(context.Background(), q)
	must(t, err)
	if got := ids(res); !slices.Equal(got, []string{"a", "b", "c"}) || res.Hits[1].Weak || res.Hits[2].Weak || said != s.Owner() {
		t.Errorf("found %v, asked for %q", got, said)
	}
	q.Filter.Wing = "art"
	res, err = s.Search(context.Background(), q)
	must(t, err)
	if got := ids(res); !slices.Equal(got, []string{"c"}) {
		t.Errorf("in the wing %v", got)
	}
	q.Flags = map[string]any{"answers": false}
	res, err = s.Search(context.Background(), q)
	must(t, err)
	if len(res.Hits) > 0 {
		t.Errorf("switched off: %v", ids(res))
	}
}

// Expansion finds what shares no word with the question, by a name that is known and by words that the best rows share.
func TestExpansion(t *testing.T) {
	rows := []catalog.Row{
		{ID: "a", Source: catalog.Notebook, Text: "The harvester broke its gearbox in June", At: noon},
		{ID: "b", Source: catalog.Notebook, Text: "A harvester with a worn gearbox stands in the barn", At: noon},
		{ID: "c", Source: catalog.Notebook, Text: "Gearbox oil was ordered from Lyon", At: noon},
		{ID: "d", Source: catalog.Notebook, Text: "Margarethe sings on Sundays", At: noon},
	}
	s := newSearcher(t, rows)
	s.Embed = nil
	s.Known = func(string, time.Time) recall.Known { return recall.Known{Names: []string{"Margarethe"}} }
	q := recall.Query{Text: "harvester of Gretel", K: 9, Flags: map[string]any{"min_score": 0}}
	res, err := s.Search(context.Background(), q)
	must(t, err)
	if got := ids(res); slices.Contains(got, "c") || slices.Contains(got, "d") {
		t.Fatalf("found without expansion: %v", got)
	}
	q.Flags["query_expansion"] = true
	res, err = s.Search(context.Background(), q)
	must(t, err)
	if got := ids(res); !slices.Contains(got, "c") || !slices.Contains(got, "d") {
		t.Errorf("found %v, trace %v", got, res.Trace.Detail)
	}
}

// A summary of what newer words have taken the place of has the words of the question many times over, and stands behind what holds.
func TestASummaryStandsBehindWhatHolds(t *testing.T) {
	old := "Said before 2026-07-01, and told by newer words since:\n"
	for _, room := range []string{"Oak", "Elm", "Ash", "Pine"} {
		old += "\n- 2026-05-01, Alice: The planning meeting takes place in room " + room
	}
	rows := append(chatRows(40),
		catalog.Row{ID: "sum", Source: catalog.DrawerText, File: "memory/drawers/2026-11-29.md", Text: old, At: noon, Past: true},
		catalog.Row{
			ID: "holds", Source: catalog.DrawerText, File: "memory/drawers/2026-07-05.md", At: noon.AddDate(0, -2, 0),
			Text: "The planning meeting takes place in room Birch",
		})
	s := newSearcher(t, rows)
	for _, profile := range []string{"default", "palace", "synapse"} {
		res, err := s.Search(t.Context(), recall.Query{Text: "In which room does the planning meeting take place?", Profile: profile})
		if err != nil || len(res.Hits) == 0 || res.Hits[0].Row.ID != "holds" {
			t.Errorf("%s: %v %+v", profile, err, res.Hits)
		}
	}
	res, err := s.Search(t.Context(), recall.Query{Text: "In which room does the planning meeting take place?", Flags: map[string]any{
		"consolidation_view": true, "include_consolidated_summaries": false,
	}})
	if err != nil || slices.ContainsFunc(res.Hits, func(h recall.Hit) bool { return h.Row.ID == "sum" }) {
		t.Errorf("%v %+v", err, res.Hits)
	}
}

// A search that looks back is ordered by what was read until then.
func TestLookingBackKnowsNoLaterReads(t *testing.T) {
	s := newSearcher(t, chatRows(160))
	reads := uses{}
	for _, row := range chatRows(160) {
		reads[row.ID] = recall.Use{Lately: 5, Last: noon.AddDate(1, 0, 0), With: map[string]float64{"d032": 3}}
	}
	s.Reads = reads
	flags := map[string]any{"min_score": 0, "ltp": true, "association": true, "pinned": true}
	q := recall.Query{Text: "bakery", K: 20, Explain: true, Flags: flags}
	boosted := func(at time.Time) (n int) {
		q.AsOf = recall.AsOf{Time: at}
		res, err := s.Search(t.Context(), q)
		if err != nil || len(res.Hits) == 0 {
			t.Fatalf("%d hits, %v", len(res.Hits), err)
		}
		for _, h := range res.Hits {
			if h.Breakdown["ltp_boost"] != 0 || h.Breakdown["association_boost"] != 0 || h.Breakdown["pinned_boost"] != 0 {
				n++
			}
		}
		return n
	}
	if n := boosted(noon.AddDate(0, 6, 0)); n > 0 {
		t.Errorf("%d hits are boosted by reads of later", n)
	}
	if boosted(noon.AddDate(1, 1, 0)) == 0 {
		t.Error("no hit is boosted by reads of before")
	}
}

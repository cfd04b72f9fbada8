package recall_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/indexer/vector"
	"github.com/reverie-memory/reverie/llm"
	"github.com/reverie-memory/reverie/recall"
	"github.com/reverie-memory/reverie/vault"
)

var noon = time.Date(2026, 6, 30, 12, 0, 0, 0, time.UTC)

// chatRows is a chat of n messages over several days between two people, with a fact for every third one.
func chatRows(n int) []catalog.Row {
	topics := []string{
		"the violin lesson went well and my teacher smiled", "we hiked up the volcano before sunrise", "my cousin Nadia opened a bakery",
		"did you ever try kayaking on the river", "the landlord fixed the boiler at last", "I finished a course on beekeeping",
		"our train to Porto was four hours late", "the violin needs new strings again", "Nadia bakes bread with walnuts",
		"I sold my car for 1,200 euros", "the bees survived the winter", "what is the name of your dentist",
	}
	var rows []catalog.Row
	for i := range n {
		at := noon.AddDate(0, 0, -n/8+i/8).Add(time.Duration(i%8) * time.Minute)
		speaker := []string{"Ines", "Tobias"}[i%2]
		id := fmt.Sprintf("d%03d", i)
		session := "c|" + at.Format(time.DateOnly)
		text := topics[(i*7)%len(topics)]
		rows = append(rows, catalog.Row{
			ID: id, Source: catalog.DrawerText, File: "memory/drawers/x.md", Text: text, Context: speaker, Speaker: speaker, Chat: "c", Drawer: id,
			Origin: vault.OriginUser, At: at, Refs: []string{"r" + id}, Session: session, Seq: i % 8,
		})
		if i%3 == 0 {
			rows = append(rows, catalog.Row{
				ID: "f" + id, Source: catalog.ArchiveLog, File: "memory/archive/x.md", Text: speaker + ": " + text, Speaker: speaker, Chat: "c",
				Drawer: id,
				Origin: vault.OriginUser, At: at, Refs: []string{"r" + id}, Session: session, Seq: i % 8 / 3, Category: "fact",
			})
		}
	}
	return rows
}

func newSearcher(t *testing.T, rows []catalog.Row) *recall.Searcher {
	t.Helper()
	embed := llm.NewBuiltin()
	return &recall.Searcher{Index: newStoreIndex(t, rows, embed), Embed: embed, Now: func() time.Time { return noon }}
}

func ids(res recall.Result) []string {
	out := []string{}
	for _, h := range res.Hits {
		out = append(out, h.Row.ID)
	}
	return out
}

var questions = []string{
	"What does Nadia bake?", "When did Ines hike up the volcano?", "violin", "Who is the dentist of Tobias?", "bees 2026",
	"train to Porto in June 2026", "How much did I get for the car?", "What did you say about the boiler yesterday?",
	`violin" OR NEAR(*) AND -`,
}

// sameWatched asks plainly, and a searcher that is watched with all instrumentation on: ids, order and scores must be the same to the last
// bit.
func sameWatched(t *testing.T, s, watched *recall.Searcher, q recall.Query) (a, b recall.Result) {
	t.Helper()
	a, err := s.Search(context.Background(), q)
	must(t, err)
	watch := q
	watch.Explain, watch.CandidateTrace, watch.DryRun = true, true, true
	b, err = watched.Search(context.Background(), watch)
	must(t, err)
	for i := range b.Hits {
		b.Hits[i].Breakdown, b.Hits[i].Events = nil, nil
	}
	x, err := json.Marshal(a.Hits)
	must(t, err)
	y, err := json.Marshal(b.Hits)
	must(t, err)
	if string(x) != string(y) {
		t.Errorf("%s, %v, %q:\nplain   %s\nwatched %s", q.Profile, q.Flags, q.Text, x, y)
	}
	return a, b
}

func TestInstrumentationNeverChangesAnAnswer(t *testing.T) {
	s := newSearcher(t, chatRows(160))
	for _, text := range questions {
		a, b := sameWatched(t, s, s, recall.Query{Text: text, K: 7})
		if len(a.Trace.Candidates) != 0 || len(b.Trace.Candidates) == 0 {
			t.Errorf("%q: candidates %d and %d, want none and some", text, len(a.Trace.Candidates), len(b.Trace.Candidates))
		}
		for _, tr := range []recall.Trace{a.Trace, b.Trace} {
			if tr.TimingMS["total"] <= 0 || len(tr.Phases) == 0 {
				t.Errorf("%q: no timing: %+v", text, tr)
			}
		}
	}
}

// Whatever looks on, by whichever profile and with whichever of its phases: ids, order and scores are the same to the last bit.
func TestInstrumentationNeverChangesAProfile(t *testing.T) {
	for _, profile := range profileNames {
		for _, flags := range []map[string]any{nil, allOn(t, profile)} {
			s, looked := busy(t), 0
			watched := *s
			watched.Hooks = recall.Hooks{
				PostModelGuard: func(recall.ModelGuard) { looked++ },
				PostCrossWing: func(c recall.CrossWing) {
					looked++
					clear(c.Saturation)
					clear(c.CandidatesBefore)
					clear(c.CandidatesAfter)
				},
				PostScoreEvent: func(recall.ScoreEvent) { looked++ },
			}
			for _, text := range questions {
				sameWatched(t, s, &watched, recall.Query{Text: text, K: 7, Profile: profile, Flags: flags})
			}
			if looked == 0 {
				t.Errorf("%s: nobody looked on", profile)
			}
		}
	}
}

func TestBreakdownAddsUpToScore(t *testing.T) {
	s := newSearcher(t, chatRows(160))
	for _, text := range questions {
		res, err := s.Search(context.Background(), recall.Query{Text: text, K: 20, Explain: true})
		must(t, err)
		for _, h := range res.Hits {
			sum := 0.0
			for name, v := range h.Breakdown {
				sum += v
				if !slices.Contains(recall.Parts(recall.DefaultProfile), name) {
					t.Errorf("%q: %s: no phase says that it books %q", text, h.Row.ID, name)
				}
			}
			if math.Abs(sum-h.Score) > 1e-9 {
				t.Errorf("%q: %s: parts add up to %v, score is %v", text, h.Row.ID, sum, h.Score)
			}
		}
	}
}

func TestScoresFallFromHitToHit(t *testing.T) {
	s := newSearcher(t, chatRows(160))
	for _, text := range questions {
		for _, flags := range []map[string]any{nil, {"variety": false}} {
			res, err := s.Search(context.Background(), recall.Query{Text: text, K: 20, Flags: flags})
			must(t, err)
			for i := 1; i < len(res.Hits); i++ {
				if res.Hits[i].Score > res.Hits[i-1].Score {
					t.Errorf("%q: hit %d has %v after %v", text, i, res.Hits[i].Score, res.Hits[i-1].Score)
				}
			}
		}
	}
}

func TestVarietyMakesRoomForOtherSessions(t *testing.T) {
	var rows []catalog.Row
	for i := range 12 {
		chat, text := "first", "the kayak tour on the river was long and cold"
		if i >= 6 {
			chat, text = "second", text+" indeed"
		}
		id := fmt.Sprintf("d%02d", i)
		rows = append(rows, catalog.Row{
			ID: id, Source: catalog.DrawerText, File: "memory/drawers/x.md", Text: text, Drawer: id, Chat: chat, Session: chat, Seq: 2 * i, At: noon,
		})
	}
	s := newSearcher(t, rows)
	sessions := func(flags map[string]any) int {
		res, err := s.Search(context.Background(), recall.Query{Text: "kayak tour", K: 6, Flags: flags})
		must(t, err)
		seen := map[string]bool{}
		for _, h := range res.Hits {
			seen[h.Row.Session] = true
		}
		return len(seen)
	}
	if without, with := sessions(map[string]any{"variety": false}), sessions(nil); without != 1 || with < 2 {
		t.Errorf("%d sessions without variety, %d with it; want 1 and more", without, with)
	}
}

func TestCandidateTraceTellsWhatBecameOfEachHit(t *testing.T) {
	s := newSearcher(t, chatRows(160))
	res, err := s.Search(context.Background(), recall.Query{Text: "What does Nadia bake?", K: 3, CandidateTrace: true})
	must(t, err)
	kept := map[string]bool{}
	for i, c := range res.Trace.Candidates {
		if c.Rank != i+1 || c.ID == "" {
			t.Fatalf("candidate %d: %+v", i, c)
		}
		if c.Dropped == "" {
			kept[c.ID] = true
		}
	}
	if diff := cmp.Diff(map[string]bool{ids(res)[0]: true, ids(res)[1]: true, ids(res)[2]: true}, kept); diff != "" {
		t.Errorf("kept candidates are not the hits (-want +got):\n%s", diff)
	}
}

func TestSameQuestionSameAnswer(t *testing.T) {
	rows := chatRows(160)
	s := newSearcher(t, rows)
	backwards := slices.Clone(rows)
	slices.Reverse(backwards)
	other := newSearcher(t, backwards) // the same rows under other keys, as after a rebuild
	for _, text := range questions {
		q := recall.Query{Text: text, K: 12}
		a, err := s.Search(context.Background(), q)
		must(t, err)
		b, err := other.Search(context.Background(), q)
		must(t, err)
		if diff := cmp.Diff(ids(a), ids(b)); diff != "" {
			t.Errorf("%q: order depends on keys:\n%s", text, diff)
		}
	}
}

func TestFactsAndChunksFoldIntoTheirDrawer(t *testing.T) {
	s := newSearcher(t, chatRows(160))
	for _, text := range questions {
		res, err := s.Search(context.Background(), recall.Query{Text: text, K: 30})
		must(t, err)
		seen := map[string]bool{}
		for _, h := range res.Hits {
			if seen[h.Row.Drawer] {
				t.Errorf("%q: drawer %s is in two hits", text, h.Row.Drawer)
			}
			seen[h.Row.Drawer] = true
			if want := []string{"r" + h.Row.Drawer}; !slices.Equal(h.Refs, want) {
				t.Errorf("%q: %s: refs %v, want %v", text, h.Row.ID, h.Refs, want)
			}
		}
	}
}

func TestFiltersHold(t *testing.T) {
	s := newSearcher(t, chatRows(160))
	cases := map[string]struct {
		filter catalog.Filter
		ok     func(catalog.Row) bool
	}{
		"speaker": {catalog.Filter{Speaker: "ines"}, func(r catalog.Row) bool { return r.Speaker == "Ines" }},
		"source": {
			catalog.Filter{Source: []catalog.SourceType{catalog.ArchiveLog}},
			func(r catalog.Row) bool { return r.Source == catalog.ArchiveLog },
		},
		"from": {catalog.Filter{From: noon.AddDate(0, 0, -5)}, func(r catalog.Row) bool { return !r.At.Before(noon.AddDate(0, 0, -5)) }},
		"to":   {catalog.Filter{To: noon.AddDate(0, 0, -5)}, func(r catalog.Row) bool { return r.At.Before(noon.AddDate(0, 0, -5)) }},
		"chat": {catalog.Filter{Chat: "other"}, func(catalog.Row) bool { return false }},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			for _, text := range questions {
				res, err := s.Search(context.Background(), recall.Query{Text: text, K: 50, Filter: c.filter, Flags: map[string]any{"min_score": 0}})
				must(t, err)
				if len(res.Hits) == 0 && name != "chat" {
					t.Errorf("%q: no hits", text)
				}
				for _, h := range res.Hits {
					if !c.ok(h.Row) {
						t.Errorf("%q: %s passed the filter", text, h.Row.ID)
					}
				}
			}
		})
	}
}

func TestAsOfKnowsNothingLater(t *testing.T) {
	rows := append(chatRows(160), catalog.Row{
		ID: "p", Source: catalog.Notebook, File: "2_Wiki/p.md",
		Text: "Nadia sells her bakery and bakes no more",
	})
	s := newSearcher(t, rows)
	asOf := noon.AddDate(0, 0, -6).Add(3 * time.Minute)
	past := slices.DeleteFunc(slices.Clone(rows), func(r catalog.Row) bool { return r.At.After(asOf) || r.ID == "p" })
	for _, text := range questions {
		res, err := s.Search(context.Background(), recall.Query{
			Text: text, K: 50, AsOf: recall.AsOf{Time: asOf},
			Flags: map[string]any{"min_score": 0},
		})
		must(t, err)
		if len(res.Hits) == 0 || len(res.Warnings) == 0 {
			t.Errorf("%q: %d hits, warnings %v", text, len(res.Hits), res.Warnings)
		}
		for _, h := range res.Hits {
			if !slices.ContainsFunc(past, func(r catalog.Row) bool { return r.ID == h.Row.ID }) {
				t.Errorf("%q: %s of %v is later than %v", text, h.Row.ID, h.Row.At, asOf)
			}
		}
	}
}

func TestQueriesThatMakeNoSense(t *testing.T) {
	s := newSearcher(t, chatRows(8))
	cases := map[string]struct {
		q    recall.Query
		want string
	}{
		"unknown flag":       {recall.Query{Text: "x", Flags: map[string]any{"colour": true}}, `flag "colour"`},
		"flag of other kind": {recall.Query{Text: "x", Flags: map[string]any{"vector": 3.0}}, `flag "vector": want true or false, got 3`},
		"unknown profile":    {recall.Query{Text: "x", Profile: "fast"}, `profile "fast"`},
		"empty":              {recall.Query{Text: " \n"}, "empty"},
		"negative k":         {recall.Query{Text: "x", K: -1}, "k must"},
		"huge k":             {recall.Query{Text: "x", K: recall.MaxK + 1}, "k must"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := s.Search(context.Background(), c.q)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
	var flag *recall.FlagError
	if _, err := s.Search(context.Background(), recall.Query{Text: "x", Flags: map[string]any{"colour": 1}}); !errors.As(err, &flag) ||
		flag.Flag != "colour" {
		t.Errorf("got %v, want a FlagError for colour", err)
	}
}

// An embedder that does what it is told.
type fakeEmbedder struct {
	llm.Embedder
	embed func(ctx context.Context) ([][]float32, error)
	calls int
}

func (f *fakeEmbedder) Embed(ctx context.Context, texts []string, k llm.Kind) ([][]float32, error) {
	f.calls++
	if f.embed == nil {
		return f.Embedder.Embed(ctx, texts, k)
	}
	return f.embed(ctx)
}

func TestEmptyIndexAsksNoModel(t *testing.T) {
	e := &fakeEmbedder{Embedder: llm.NewBuiltin()}
	s := &recall.Searcher{Index: newStoreIndex(t, nil, e), Embed: e}
	res, err := s.Search(context.Background(), recall.Query{Text: "anything"})
	must(t, err)
	if res.Hits == nil || len(res.Hits) != 0 || e.calls != 0 || res.Receipt == "" {
		t.Errorf("hits %v, calls %d, receipt %q", res.Hits, e.calls, res.Receipt)
	}
}

func TestAnswersWithoutVectorsSaySo(t *testing.T) {
	cases := map[string]struct {
		embed func(ctx context.Context) ([][]float32, error)
		want  string
	}{
		"slow":       {func(ctx context.Context) ([][]float32, error) { <-ctx.Done(); return nil, ctx.Err() }, "vectors:"},
		"deaf":       {func(context.Context) ([][]float32, error) { time.Sleep(time.Hour); return nil, nil }, "no answer within 2s"},
		"down":       {func(context.Context) ([][]float32, error) { return nil, errors.New("connection refused") }, "connection refused"},
		"too few":    {func(context.Context) ([][]float32, error) { return nil, nil }, "0 vectors for one text"},
		"wrong size": {func(context.Context) ([][]float32, error) { return [][]float32{{1}}, nil }, "size"},
		"not finite": {func(context.Context) ([][]float32, error) { return [][]float32{{float32(math.NaN())}}, nil }, "finite"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := newSearcher(t, chatRows(40))
			synctest.Test(t, func(t *testing.T) {
				lexical, err := s.Search(context.Background(), recall.Query{Text: "violin strings", Flags: map[string]any{"vector": false}})
				must(t, err)
				s.Embed = &fakeEmbedder{Embedder: s.Embed, embed: c.embed}
				s.Index = checking{s.Index}
				start := time.Now()
				res, err := s.Search(context.Background(), recall.Query{Text: "violin strings"})
				must(t, err)
				if time.Since(start) > recall.DefaultVectorBudget {
					t.Errorf("waited %v", time.Since(start))
				}
				if len(res.Degraded) != 1 || !strings.Contains(res.Degraded[0], c.want) {
					t.Errorf("degraded %q, want %q", res.Degraded, c.want)
				}
				if diff := cmp.Diff(ids(lexical), ids(res)); diff != "" {
					t.Errorf("not the lexical answer:\n%s", diff)
				}
				time.Sleep(2 * time.Hour) // the deaf one comes back
			})
		})
	}
}

// checking refuses vectors as an engine does.
type checking struct{ recall.Index }

func (c checking) Vector(ctx context.Context, q []float32, k int, allow func(catalog.Key) bool) ([]vector.Match, error) {
	if math.IsNaN(float64(q[0])) {
		return nil, errors.New("vector is not finite")
	}
	if len(q) == 1 {
		return nil, errors.New("vector has the wrong size")
	}
	return c.Index.Vector(ctx, q, k, allow)
}

// broken fails in its full text.
type broken struct{ recall.Index }

func (broken) LexicalTerms(context.Context, []catalog.WeightedTerm, catalog.Ranking, int, func(catalog.Key) bool) ([]catalog.Scored,
	error,
) {
	return nil, errors.New("disk on fire")
}

func TestBrokenFullTextAnswersByVectors(t *testing.T) {
	s := newSearcher(t, chatRows(40))
	s.Index = broken{s.Index}
	res, err := s.Search(context.Background(), recall.Query{Text: "violin strings"})
	must(t, err)
	if len(res.Hits) == 0 || len(res.Degraded) != 1 || !strings.Contains(res.Degraded[0], "disk on fire") {
		t.Errorf("%d hits, degraded %q", len(res.Hits), res.Degraded)
	}
	s.Embed = nil
	if _, err := s.Search(context.Background(), recall.Query{Text: "violin strings"}); err == nil {
		t.Error("neither words nor vectors, and no error")
	}
}

// lame is an index whose engine fails from its nth question on.
type lame struct {
	recall.Index
	left *atomic.Int32
}

func (l lame) Vector(ctx context.Context, q []float32, k int, allow func(catalog.Key) bool) ([]vector.Match, error) {
	if l.left.Add(-1) < 0 {
		return nil, errors.New("engine on fire")
	}
	return l.Index.Vector(ctx, q, k, allow)
}

func (l lame) Vectors(ctx context.Context, keys []catalog.Key) ([][]float32, error) {
	if l.left.Add(-1) < 0 {
		return nil, errors.New("engine on fire")
	}
	return l.Index.Vectors(ctx, keys)
}

// Whatever a profile asks the engine, and whenever that begins to fail, there is an answer, and it says what it lacks.
func TestAnEngineThatFailsMakesAnswersWorse(t *testing.T) {
	for _, profile := range profileNames {
		flags := allOn(t, profile)
		for n := int32(0); ; n++ {
			s := busy(t)
			left := &atomic.Int32{}
			left.Store(n)
			s.Index = lame{s.Index, left}
			if profile == "cosine" {
				flags["lexical"] = true
			}
			res, err := s.Search(context.Background(), recall.Query{Text: "What does Nadia bake?", Profile: profile, Flags: flags})
			if err != nil || len(res.Hits) == 0 {
				t.Fatalf("%s, after %d questions: %d hits: %v", profile, n, len(res.Hits), err)
			}
			said := slices.ContainsFunc(res.Degraded, func(s string) bool { return strings.Contains(s, "engine on fire") })
			if whole := left.Load() >= 0; said == whole {
				t.Errorf("%s, after %d questions: degraded %q", profile, n, res.Degraded)
			} else if whole {
				break
			}
		}
	}
}

func TestModelGuard(t *testing.T) {
	s := newSearcher(t, chatRows(40))
	s.Index.(*storeIndex).print = "another/model"
	res, err := s.Search(context.Background(), recall.Query{Text: "violin"})
	must(t, err)
	if len(res.Degraded) != 1 || !strings.Contains(res.Degraded[0], "another embedder") {
		t.Errorf("degraded %q", res.Degraded)
	}
	want := fmt.Sprintf("ingest model: another/model (0), query model: %s (%d) — results may be unreliable", s.Embed.Fingerprint(),
		s.Embed.Dim())
	if diff := cmp.Diff([]string{want}, res.Warnings); diff != "" || res.Trace.ModelGuard != "MISMATCH" {
		t.Errorf("guard %q, warnings (-want +got):\n%s", res.Trace.ModelGuard, diff)
	}
	_, err = s.Search(context.Background(), recall.Query{Text: "violin", Flags: map[string]any{"model_guard_strict": true}})
	if !errors.Is(err, recall.ErrModel) {
		t.Errorf("strict: %v, want ErrModel", err)
	}
}

// vanishing loses a row between the search and the reading.
type vanishing struct {
	recall.Index
	gone catalog.Key
}

func (v vanishing) Rows(ctx context.Context, keys []catalog.Key) ([]catalog.Row, error) {
	return v.Index.Rows(ctx, slices.DeleteFunc(slices.Clone(keys), func(k catalog.Key) bool { return k == v.gone }))
}

func TestRowThatGoesAwayMeanwhileIsNoHit(t *testing.T) {
	s := newSearcher(t, chatRows(40))
	before, err := s.Search(context.Background(), recall.Query{Text: "violin strings", K: 5, Flags: map[string]any{"fold": false}})
	must(t, err)
	s.Index = vanishing{s.Index, before.Hits[0].Key}
	after, err := s.Search(context.Background(), recall.Query{
		Text: "violin strings", K: 4, Flags: map[string]any{"fold": false},
		CandidateTrace: true,
	})
	must(t, err)
	if diff := cmp.Diff(ids(before)[1:], ids(after)); diff != "" {
		t.Errorf("the others moved (-want +got):\n%s", diff)
	}
}

type sink []recall.Record

func (s *sink) Record(r recall.Record) { *s = append(*s, r) }

func TestEverySearchLeavesARecordButADryRun(t *testing.T) {
	s := newSearcher(t, chatRows(40))
	var log sink
	s.Sink = &log
	res, err := s.Search(context.Background(), recall.Query{Text: "  Violin   STRINGS ", K: 2})
	must(t, err)
	_, err = s.Search(context.Background(), recall.Query{Text: "violin", DryRun: true})
	must(t, err)
	if !regexp.MustCompile(`^r_[0-9a-v]{16}$`).MatchString(res.Receipt) {
		t.Errorf("receipt %q", res.Receipt)
	}
	want := sink{{
		Time: noon, QueryHash: recall.QueryHash("violin strings"), Rows: ids(res), Receipt: res.Receipt,
		Snippet: res.Hits[0].Row.Text,
	}}
	if diff := cmp.Diff(want, log); diff != "" {
		t.Errorf("record (-want +got):\n%s", diff)
	}
}

func TestCancelledSearchReturnsTheReason(t *testing.T) {
	s := newSearcher(t, chatRows(8))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.Search(ctx, recall.Query{Text: "violin"}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestRecencyDecidesOnlyBetweenEquals(t *testing.T) {
	row := func(id string, age int, text string) catalog.Row {
		return catalog.Row{
			ID: id, Source: catalog.ArchiveLog, File: "memory/archive/x.md", Text: text, At: noon.AddDate(0, 0, -age),
			Origin: vault.OriginUser,
		}
	}
	s := newSearcher(t, []catalog.Row{
		row("old", 400, "The office of Alice is in room 12"), row("new", 2, "The office of Alice is in room 14"),
		row("other", 1, "The sister of Alice likes tea"), row("noise", 3, "Nothing of interest happened"),
	})
	res, err := s.Search(context.Background(), recall.Query{Text: "Where is the office of Alice?", K: 3})
	must(t, err)
	if diff := cmp.Diff([]string{"new", "old", "other"}, ids(res)); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}
